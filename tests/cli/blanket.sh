# zeroflow blanket and zeroflow graph: asking a model.
. "$(dirname "$0")/common.sh"

awk 'BEGIN { srand(5); print "x,y,z,\"u, v\",w"
    for (r = 0; r < 400; r++) { x = rand() + rand() + rand(); y = x + 0.5 * rand(); z = y + 0.5 * rand()
        print x "," y "," z "," z + 0.5 * rand() "," rand() } }' > data.csv
try zeroflow fit data.csv -o m --iterations 400 --batch 100 --hidden 32 --rate 0.003 --targets window:2 --quiet
exits 0

try zeroflow blanket m --target x
exits 0
empty err
has out 'The blanket of x: 1 of 4 others, at a false discovery rate of 0.1'
has out rising
has out 'left out, may be due to chance:'
try zeroflow blanket m --target x --json
exits 0
json target '#' = 1
json target 0 = x
json fdr = 0.10000000000000001
json threshold = null
json members '#' = 1
json members 0 name = y
json_number members 0 gate
between 0 1e-9 members 0 p_value
between 0 1e-9 members 0 q_value
json decided = true
json members 0 why = evidence
json members 0 form = rising
json members 0 third = null
between 0.3 1 members 0 effect
json left_out 0 why = chance
json rows_needed = null
json left_out '#' = 3
between 0.1 1 left_out 0 q_value
between 0 1 members 0 probability
between 0 1 left_out 2 probability
try zeroflow blanket m --target x,y
has out probability
try zeroflow blanket m --target x
lacks out probability
# The blanket of a set borders on it; a sure level keeps only what is sure.
try zeroflow blanket m --target y,z --fdr 1e-9 --json
json members '#' = 2
json fdr = 1.0000000000000001e-9
refuses 2 'zeroflow: blanket: --fdr and --top cannot be used together' blanket m -t x --fdr 0.1 --top 2
try zeroflow blanket m --target x --fdr 1
exits 2
# At a rate at which chance makes edges, w has one with x, but tells nothing beside y.
zeroflow fit data.csv -o loose --iterations 5 --fdr 0.9 --quiet > /dev/null 2>&1
try zeroflow blanket loose --target x --fdr 0.9
exits 0
has out 'superfluous, adds nothing to the members:'
has out 'given the others'
try zeroflow blanket loose --target x --fdr 0.9 --json
json members '#' = 1
json left_out 0 name = w
json left_out 0 why = superfluous
between 0.09 1 left_out 0 superfluous
between 0 0.9 left_out 0 q_value
json left_out 1 why = chance
zeroflow graph loose --fdr 0.9 -o loose.csv > /dev/null
has loose.csv 'x,w,'
# Without evidence gates are all there is.
try zeroflow fit data.csv -o gates --iterations 5 --batch 100 --hidden 16 --evidence none --quiet --json
exits 0
json evidence = null
try zeroflow blanket gates --target x
exits 0
has out 'of 4 others with a gate of 0.1 or more'
has out 'Nothing is decided: the model holds no evidence (zeroflow fit adds it to 30 rows or more)'
lacks out probability
try zeroflow blanket gates --target x --json
json decided = false
json rows_needed = null
refuses 2 'zeroflow: blanket: --fdr needs evidence, which this model was fitted without' \
    blanket gates -t x --fdr 0.1
# Most needed first, none below the threshold, never a target.
try zeroflow blanket m -t x,y --threshold 0 --json
exits 0
json target 1 = y
json threshold = 0.0
json members '#' = 3
last=2
for i in 0 1 2; do
    json_has members $i gate
    awk -v a="$(cat got)" -v b=$last 'BEGIN { exit !(a <= b) }' || fault "member $i is out of order"
    last=$(cat got)
    json_has members $i name
    grep -qx '[xy]' got && fault "a target is a member"
done
try zeroflow blanket m --target x --top 2 --json
json members '#' = 2
json threshold = null
try zeroflow blanket m --target x --top 2
has out 'the 2 most needed of 4 others'
has out 'gate  probability'
lines out 5
try zeroflow blanket m --target x --threshold 1
exits 0
has out '0 of 4 others'
has out 'The largest gate is'
# A comma in a name.
try zeroflow blanket m --target 'u, v,x' --json
exits 0
json target '#' = 2
json target 0 = 'u, v'

refuses 2 'zeroflow: blanket: the model has no variable "yy"; did you mean "y"?' blanket m --target x,yy
refuses 2 'zeroflow: blanket: the model has no variable "abcdefgh"; its 5 variables are "x" to "w"' \
    blanket m --target abcdefgh
refuses 2 'zeroflow: blanket: the model has no variable ""; its 5 variables are "x" to "w"' blanket m --target ''
refuses 2 'zeroflow: blanket: --target is missing: name one variable or more, such as --target x' blanket m
refuses 2 'zeroflow: blanket: target "x" is named twice' blanket m --target x,x
refuses 2 'zeroflow: blanket: 5 targets of 5 variables leave nothing to predict them from' \
    blanket m --target 'x,y,z,u, v,w'
refuses 2 'zeroflow: blanket: 3 targets; this model was trained for sets of at most 2' blanket m --target x,y,z
refuses 2 'zeroflow: blanket: --threshold and --top cannot be used together' blanket m --target x --top 2 --threshold 0.2

# Files that are no blanket model.
old=$tests/../golden/narrow/blanket.model # has no checksum, which would tell first
sed 's/"task":"blanket"/"task":"unknown"/' "$old" > other
sed 's/"task":"blanket"/"task":"blanked"/' m > damaged
head -c 1000 m > cut
{ cat m; echo more; } > longer
echo hello > text
: > empty
sed 's/"zeroflow.format":"1"/"zeroflow.format":"3"/' "$old" > later
for command in 'blanket --target x' graph report; do
    set -- $command
    for file in other damaged cut longer text empty later data.csv absent m.checkpoint .; do
        try zeroflow "$@" $file
        exits 3
        empty out
        lines err 1
        has err "zeroflow: $1: $file: "
    done
    try zeroflow "$@" m.checkpoint
    has err 'm.checkpoint: this is a checkpoint of zeroflow fit, expected a model'
    try zeroflow "$@" other
    has err 'is a model of kind "unknown"'
    has err 'expected a model of blankets'
    try zeroflow "$@" later
    has err 'later: is not a file of zeroflow'\''s format 2 (found "3")'
    try zeroflow "$@" damaged
    has err 'damaged: is damaged: its content does not match its checksum'
done

# --- graph
# The edges that the evidence supports; every pair by --all.
try zeroflow graph m
exits 0
empty err
lines out 4
head -1 out > first
exact first 'source,target,score,p_value,q_value,decided'
has out 'x,y,'
has out 'y,z,'
has out '"u, v"'
lacks out false
try zeroflow graph m --all
exits 0
lines out 11
[ "$(grep -c ',true$' out)" = 3 ] && [ "$(grep -c ',false$' out)" = 7 ] || fault "not 3 of 10 edges"
try zeroflow graph m --all --json
json edges '#' = 10
json_has edges 0 decided
json_number edges 9 p_value
json_number edges 9 q_value
try zeroflow graph m --fdr 1e-9 -o sure.csv
exits 0
has out '3 edges of 5 nodes as csv, decided by evidence'
try zeroflow score sure.csv --truth sure.csv
refuses 2 'zeroflow: graph: --all and --threshold cannot be used together' graph m --all --threshold 0.1
refuses 2 'zeroflow: graph: --fdr and --threshold cannot be used together' graph m --fdr 0.1 --threshold 0.1
refuses 2 'zeroflow: graph: --fdr needs evidence, which this model was fitted without' graph gates --fdr 0.1
try zeroflow graph gates
exits 0
lines out 11
head -1 out > first
exact first 'source,target,score'
has err 'warning: nothing is decided: the model holds no evidence'
try zeroflow graph gates --threshold 0
empty err
awk 'BEGIN { srand(4); print "a,b,c,d"; for (r = 0; r < 60; r++)
    print rand() "," rand() "," rand() "," rand() }' > noise.csv
try zeroflow fit noise.csv -o none --iterations 3 --quiet
try zeroflow graph none
exits 0
lines out 1
has err 'no edge at a false discovery rate of 0.1'
has err 'and there were 60'
# A blanket without members says so as well, and how many rows one would take.
try zeroflow blanket none --target a
exits 0
has out '0 of 3 others'
has out 'No member at this level: no variable can be told from chance.'
has out 'rows; there were 60.'
try zeroflow blanket none --target a --json
json members '#' = 0
between 61 1e9 rows_needed
# What the user said is told as such, and it is not called chance.
printf 'source,target\nx,y\n' > never.csv
printf 'source,target\nx,w\ny,w\n' > always.csv
try zeroflow fit data.csv -o ruled --iterations 3 --hidden 8 --forbid never.csv --require always.csv --quiet --json
json evidence edges = 4
[ "$(zeroflow graph ruled | wc -l)" = 5 ] || fault 'fit and graph count other edges'
try zeroflow blanket ruled --target x
has out 'left out, may be due to chance or forbidden by the user:'
grep '^  y ' out > row
has row '; forbidden by the user'
grep '^  w ' out > row
has row '; required by the user'
try zeroflow blanket ruled --target x --json
json members 0 name = w
json members 0 why = required
json left_out 0 name = y
json left_out 0 why = forbidden
# One graph in every format: what is decided; --all has every pair.
for name in e.csv e.npy e.graphml e.gml e.dot e.json e.svg; do
    try zeroflow graph m -o $name
    exact out "$name: 3 edges of 5 nodes as ${name#e.}, decided by evidence"
done
[ "$(grep -c 'p_value=".*", q_value=".*", decided="true"' e.dot)" = 3 ] || fault 'DOT lacks evidence'
python3 -c '
import struct
b = open("e.npy", "rb").read()
square = struct.unpack("<25f", b[-100:])
assert sum(x > 0 for x in square) == 6, square' || fault 'NPY has other edges'
has e.svg '3 edges at a false discovery rate of 0.1.'
try zeroflow graph m --threshold 0.99 -o e.svg --json
json fdr = 0.10000000000000001
has e.svg 'with a score of 0.99 or more.'
try zeroflow graph m --all -o e.npy
exact out 'e.npy: 10 pairs of 5 nodes as npy, 3 of them decided by evidence'
try zeroflow graph m --all -o e.csv --json
json edges = 10
json decided = 3
try zeroflow graph m --matrix -o e.csv
exact out 'e.csv: directed gates of 5 nodes as csv'
try zeroflow graph m --threshold 1
exits 0
lines out 1
try zeroflow graph m --json
exits 0
json nodes '#' = 5
json edges '#' = 3
json_number edges 0 score
try zeroflow graph m --format json --matrix
json gates '#' = 5
json gates 0 0 = 0.0
try zeroflow graph m --matrix
lines out 6
for format in graphml gml dot npy csv; do
    try zeroflow graph m -o g.$format
    exits 0
    has out "as $format"
    cp g.$format whole
    try zeroflow graph m --format $format
    exits 0
    cmp -s out whole || fault "$format on standard output differs from the file"
done
has whole 'source,target,score'
# Figures are drawn; what cannot be written by its name is refused.
for format in svg png; do
    try zeroflow graph m -o drawn.$format
    exits 0
    has out "as $format, decided by evidence"
    try zeroflow graph m -o gates.$format --matrix
    exits 0
done
figure . drawn
figure . gates
refuses 2 'zeroflow: graph: x.pdf: cannot write a graph as .pdf; expected a name that ends in .csv, .graphml, .gml, .dot, .json or .npy, in .svg or .png for a figure, or --format' \
    graph m -o x.pdf
refuses 2 'zeroflow: graph: --format csv cannot be used with a file that ends in .png, which is a figure' \
    graph m -o x.png --format csv
[ ! -e x.png ] && [ ! -e x.pdf ] || fault "a file was made"
try zeroflow graph m -o edges.of.m --format csv
exits 0
try zeroflow graph m -o g.gml --threshold 0.25 --json
exits 0
json graph = g.gml
json format = gml
json nodes = 5
json threshold = 0.25
# Scores rank by evidence and gate together: far better than gates that were hardly trained.
try zeroflow generate sem --mechanism additive --dim 12 --rows 500 --seed 4 -o curves.csv --truth curves.json
try zeroflow fit curves.csv -o curves.model --iterations 50 --quiet
try zeroflow graph curves.model --all -o ranked.csv
try zeroflow score ranked.csv --truth curves.json --json
between 0.97 1 average_precision
try zeroflow graph curves.model --threshold 0 -o gates-only.csv
try zeroflow score gates-only.csv --truth curves.json --json
between 0 0.9 average_precision

# Asked for by gates, the score of an edge is the larger of its two.
try zeroflow graph m --threshold 0 --json --matrix
"$json_get" edges 0 source < out > a
"$json_get" edges 0 target < out > b
"$json_get" edges 0 score < out > score
index() { case $(cat $1) in x) echo 0 ;; y) echo 1 ;; z) echo 2 ;; 'u, v') echo 3 ;; w) echo 4 ;; esac; }
for pair in 'a b' 'b a'; do
    set -- $pair
    "$json_get" gates "$(index $1)" "$(index $2)" < out
done | sort -g | tail -1 > most
cmp -s most score || fault "score $(cat score), the larger gate is $(cat most)"

echo old > kept.dot
refuses 2 'zeroflow: graph: --matrix works with csv, json and npy, not with dot' graph m --matrix -o kept.dot
exact kept.dot old
refuses 2 'zeroflow: graph: --json and --format csv cannot be used together without -o' graph m --json --format csv
try zeroflow graph m -o no/such.csv
exits 3
empty out
lines err 1
has err no/such.csv
try zeroflow graph m -o /dev/full
exits 1
has err 'No space left on device'
if command -v script > /dev/null; then
    doing="npy on a terminal"
    script -qec 'zeroflow graph m --format npy' typescript > out 2> err < /dev/null
    code=$?
    exits 2
    has out 'npy is not text for a terminal; name a file by -o FILE'
fi
# Five seeds, one graph: what is decided is the table's, not the training's. Only scores differ.
zeroflow generate random --dim 12 --edges 18 --rows 600 --seed 3 -o law.csv --truth law.edges > /dev/null
for seed in 0 1 2 3 4; do
    doing="fit --seed $seed"
    zeroflow fit law.csv -o seed --seed $seed --iterations 40 --hidden 32 --quiet > /dev/null 2>&1
    zeroflow graph seed > seed.csv
    cut -d, -f1,2,4- seed.csv | sort > decided.$seed
    cut -d, -f3 seed.csv | sort > scores.$seed
    zeroflow blanket seed --target x4 | sed '/left out/,$d; s/ [01]\.[0-9]* / /' > members.$seed
    cmp -s decided.0 decided.$seed || fault "seed $seed decides on other edges"
    cmp -s members.0 members.$seed || fault "seed $seed gives another blanket"
    [ $seed = 0 ] || ! cmp -s scores.0 scores.$seed || fault "seed $seed has the same scores"
done
[ "$(wc -l < decided.0)" -ge 16 ] || fault "$(wc -l < decided.0) lines of edges, expected about 19"

finish
