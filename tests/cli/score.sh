# zeroflow score: figures by hand, formats, names, text, bad input.
. "$(dirname "$0")/common.sh"

cat > truth.csv << END
source,target
a,b
d,c
END
# All six pairs but two: b-d and c-d's scores are known, a-d and b-c count as 0.
cat > graph.csv << END
source,target,score
b,a,3
c,d,2
a,c,2
b,d,1
END
try zeroflow score graph.csv --truth truth.csv --json
exits 0
empty err
json auc = 0.9375
json average_precision = 0.83333333333333326
json best_f1 = 0.80000000000000004
json best_threshold = 2.0
json edges = 2
json pairs = 6
json nodes = 4
json directed = false
json roc '#' = 4
json roc 0 = '[0.0,0.0]'
json roc 1 = '[0.0,0.5]'
json roc 2 = '[0.25,1.0]'
json roc 3 = '[1.0,1.0]'
# Twelve gates off the diagonal and four zeros on it: 4 edges, 12 others.
json auc_paper = 0.95833333333333337

# Directed gates: the larger of a pair counts by the stated protocol only.
cat > gates.csv << END
gates,a,b,c,d
a,0,3,0,0
b,0,0,0,0
c,0,0,0,2
d,0,0,2,0
END
try zeroflow score gates.csv --truth truth.csv --json
exits 0
json auc = 1.0
json auc_paper = 0.875
json directed = true
cat > gates.json << END
{"nodes": ["a", "b", "c", "d"], "edges": [],
 "gates": [[0, 3, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2], [0, 0, 2, 0]]}
END
try zeroflow score gates.json --truth truth.csv --json
json auc = 1.0
json auc_paper = 0.875

# Text: every figure, a figure, in ASCII where the terminal has nothing else.
try zeroflow score graph.csv --truth truth.csv
exits 0
empty err
has out 'graph.csv: 4 nodes, 2 true edges among 6 pairs'
has out 'AUC                0.9375'
has out "AUC, as in paper   0.9583"
has out 'average precision  0.8333'
has out 'best F1            0.8000  at scores from 2 up'
has out '█'
lacks out $'\033'
doing="C locale"
LC_ALL=C zeroflow score graph.csv --truth truth.csv > out
! grep -qP '[^\x00-\x7F]' out || fault "not ASCII"
has out '##########'
doing="standard input"
zeroflow score - --truth truth.csv --json < graph.csv > out 2> err
code=$?
exits 0
json auc = 0.9375

# Nodes: those that either file names, or the columns of the data.
printf 'a,b,c,d,e\n1,2,3,4,5\n2,3,1,5,4\n' > data.csv
try zeroflow score graph.csv --truth truth.csv --nodes data.csv --json
exits 0
json nodes = 5
json pairs = 10
printf 'source,target,score\na,b,1\nb,e,0.5\n' > other.csv
try zeroflow score other.csv --truth truth.csv
exits 0
has out '1 node of the graph is not in the truth: no edges there'
has out '2 nodes of the truth are not in the graph: no edges there'
printf 'source,target,score\n' > none.csv
try zeroflow score none.csv --truth truth.csv --nodes data.csv --json
exits 0
json auc = 0.5

# What generate writes scores itself perfectly, isolated nodes and all.
zeroflow generate random --dim 30 --edges 20 --rows 5 -o r.csv --truth r-edges.csv > /dev/null
zeroflow generate random --dim 30 --edges 20 --rows 5 -o r.csv --truth r-edges.json > /dev/null
try zeroflow score r-edges.json --truth r-edges.csv --json
exits 0
json auc = 1.0
json average_precision = 1.0
json best_f1 = 1.0
json auc_paper = 1.0
json pairs = 435

# Bad input.
refuses 2 'zeroflow: score: option --truth is missing: name the file of true edges, as --truth EDGES' score graph.csv
refuses 2 'zeroflow: score: GRAPH and --truth cannot both be standard input' score - --truth -
refuses 3 'zeroflow: score: absent.csv: cannot open: No such file or directory' score absent.csv --truth truth.csv
printf 'source,target\n' > empty.csv
refuses 3 'zeroflow: score: empty.csv: no edges, expected at least one, or a separate list of nodes' \
    score graph.csv --truth empty.csv
refuses 3 'zeroflow: score: empty.csv: the truth has no edge among 5 nodes, expected at least one' \
    score graph.csv --truth empty.csv --nodes data.csv
printf 'source,target\na,b\n' > all.csv
refuses 3 'zeroflow: score: all.csv: the truth has all 1 edges of 2 nodes, expected a pair without one' \
    score all.csv --truth all.csv
printf 'source,target\nA,b1\nb1,C\n' > names.csv
refuses 3 'zeroflow: score: names.csv: the truth and the graph have no node in common: "A" there, "a" here' \
    score graph.csv --truth names.csv
printf 'alpha,beta,gamma\n1,2,3\n3,1,2\n' > greek.csv
printf 'source,target\nalpha,betta\n' > typo.csv
refuses 3 'zeroflow: score: typo.csv:2: "betta" is not among the 3 nodes; did you mean "beta"?' \
    score graph.csv --truth typo.csv --nodes greek.csv
printf 'source,target,score\na,b,high\n' > word.csv
refuses 3 'zeroflow: score: word.csv:2: column "score": expected a finite number, found "high"' \
    score word.csv --truth truth.csv
printf 'x,y\n1,2\n' > table.csv
refuses 3 'zeroflow: score: table.csv:1: expected the header source,target or source,target,score, found 2 columns of which the first is "x"' \
    score table.csv --truth truth.csv
zeroflow generate chain --rows 5 -o r.npy > /dev/null
refuses 3 'zeroflow: score: r.npy: this is an NPY array, expected edges as CSV or JSON (zeroflow graph and baseline make them)' \
    score r.npy --truth truth.csv
finish
