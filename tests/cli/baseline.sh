# zeroflow baseline: methods, formats, options, tables that are hard or bad.
. "$(dirname "$0")/common.sh"

# x1 -> x2 -> ... -> x5, and a column that has nothing to do with them. awk's own
# random numbers differ between its kinds.
table()
{
    awk -v rows="$1" 'BEGIN {
        state = 1
        print "x1,x2,x3,x4,x5,alone"
        for (i = 1; i <= rows; i++) {
            last = 0
            for (j = 1; j <= 6; j++) {
                noise = 0
                for (k = 1; k <= 6; k++) {
                    state = state * 16807 % 2147483647
                    noise += state / 2147483647 - 0.5
                }
                value = noise + (j > 1 && j < 6 ? 0.7 * last : 0)
                last = value
                printf "%.6f%s", value, j < 6 ? "," : "\n"
            }
        }
    }'
}
table 400 > chain.csv

# Every method finds the chain before anything else.
for method in glasso pc partial rank; do
    try zeroflow baseline $method chain.csv
    exits 0
    empty err
    lines out 16
    has out source,target,score
    sed -n 2,5p out | cut -d, -f1,2 | sort | tr '\n' ' ' > got
    exact got 'x1,x2 x2,x3 x3,x4 x4,x5 '
done

# Formats, by name and by the ending of the file; what is told about a file.
try zeroflow baseline partial chain.csv --format dot --threshold 0.3
exits 0
has out 'graph'
has out '"x1"'
for format in csv graphml gml dot json npy; do
    try zeroflow baseline partial chain.csv -o graph.$format
    exits 0
    empty err
    has out "graph.$format"
    has out '400 rows and 6 columns'
    [ -s graph.$format ] || fault "no graph.$format"
done
head -c 6 graph.npy | tail -c 5 > got
exact got NUMPY
has graph.graphml '<graphml'
# A decision: the chain's four edges, with evidence; nothing but them.
try zeroflow baseline rank chain.csv --fdr 0.01
exits 0
empty err
lines out 5
has out source,target,score,p_value,q_value,decided
lacks out alone
try zeroflow baseline partial chain.csv --fdr 0.01 -o graph.dot
exits 0
has out '4 edges of 6 nodes as dot, decided by evidence'
refuses 2 'zeroflow: baseline: option --fdr applies to partial and rank, not to glasso' \
    baseline glasso chain.csv --fdr 0.1
refuses 2 'zeroflow: baseline: --fdr and --threshold cannot be used together' \
    baseline rank chain.csv --fdr 0.1 --threshold 0.2
try zeroflow baseline rank chain.csv --json
exits 0
json nodes '#' = 6
json edges '#' = 15
json_number edges 0 score
try zeroflow baseline rank chain.csv --json --matrix
json gates '#' = 6
try zeroflow baseline glasso chain.csv -o graph.csv --json
exits 0
json method = glasso
json graph = graph.csv
json rows = 400
json features = 6
json rows_dropped = 0
json nodes = 6
json edges = 15
json dropped '#' = 0
json_number penalty
json_number likelihood
json_number seconds
json tests = null
try zeroflow baseline pc chain.csv -o graph.csv --json
json penalty = null
json_number tests
json undecided = 0

# Options of the methods.
try zeroflow baseline pc chain.csv --alpha 0.01 --threshold 1
exits 0
lines out 5
has out 'x1,x2,2'
try zeroflow baseline pc chain.csv --alpha 0.01 --depth 0 --threshold 1
exits 0
[ "$(wc -l < out)" -gt 5 ] || fault "without conditions there are no more edges"
zeroflow baseline pc chain.csv --alpha 0.01,1e-5 --alpha 0.2 > a
zeroflow baseline pc chain.csv --alpha 0.2,0.01,1e-5 > b
cmp -s a b || fault "the order of the levels matters"
zeroflow baseline glasso chain.csv --folds 3 --penalties 6 --refinements 2 --threads 1 > a
zeroflow baseline glasso chain.csv --folds 3 --penalties 6 --refinements 2 --threads 2 > b
cmp -s a b || fault "threads matter"
zeroflow baseline rank chain.csv > a
zeroflow baseline partial chain.csv --marginals normal-scores > b
cmp -s a b || fault "rank is not partial on normal scores"
zeroflow baseline partial - < chain.csv > b
zeroflow baseline partial chain.csv > a
cmp -s a b || fault "standard input differs"

refuses 2 'zeroflow: baseline: option --folds applies to glasso, not to pc' baseline pc chain.csv --folds 3
refuses 2 'zeroflow: baseline: option --alpha applies to pc, not to rank' baseline rank chain.csv --alpha 0.1
refuses 2 'zeroflow: baseline: option --alpha: expected numbers between 0 and 1, found "2"' \
    baseline pc chain.csv --alpha 0.1,2
refuses 2 'zeroflow: baseline: option --marginals: rank works on normal-scores; for raw use partial' \
    baseline rank chain.csv --marginals raw
refuses 2 'zeroflow: baseline: --matrix works with csv, json and npy, not with dot' \
    baseline partial chain.csv --matrix -o graph.dot
refuses 2 'zeroflow: baseline: --json and --format dot cannot be used together without -o' \
    baseline partial chain.csv --json --format dot
try zeroflow baseline partal chain.csv
exits 2
has err 'partial'

# What is left out is told.
awk -F, 'NR == 1 { print "day," $0 ",flat,copy,kind"; next }
    { print "2020-01-" 10 + NR % 20 "," (NR == 7 ? "" : $1) substr($0, index($0, ",")) ",7," $2 "," (NR % 2 ? "a" : "b") }' \
    chain.csv > mixed.csv
try zeroflow baseline partial mixed.csv
exits 0
lines out 16
lines err 5
has err 'zeroflow: baseline: warning: column "day" is left out: date'
has err 'zeroflow: baseline: warning: column "flat" is left out: constant'
has err 'zeroflow: baseline: warning: column "copy" is left out: same as "x2"'
has err 'column "kind" is left out: category'
has err 'zeroflow: baseline: warning: 1 of 400 rows left out for missing values'
try zeroflow baseline partial mixed.csv --missing-rows refuse
exits 3
has err 'mixed.csv:7: column "x1": expected a number, found a missing value'
awk 'BEGIN { for (i = 0; i < 9; i++) { for (j = 0; j < 12; j++) printf "%s,", (i ? (j < 3 ? sin(i * (j + 2.3)) : 4) : "v" j); print (i ? cos(i) : "w") } }' > flat.csv
try zeroflow baseline partial flat.csv
exits 0
lines err 6
has err '4 columns more are left out; zeroflow check --all says why'

# Hard and bad tables.
awk -F, 'NR == 1 { print $0 ",total"; next } { printf "%s,%.6f\n", $0, $1 + $3 }' chain.csv > collinear.csv
for method in partial rank; do
    try zeroflow baseline $method collinear.csv -o kept.csv
    [ $method = rank ] && exits 0 && continue
    exits 3
    empty out
    exact err 'zeroflow: baseline: collinear.csv: column "total": a linear function of the columns before it, so that partial correlations are not defined; leave it out, or use glasso'
    [ -e kept.csv ] && fault "a graph was written"
done
try zeroflow baseline glasso collinear.csv
exits 0
lines out 22
try zeroflow baseline pc collinear.csv
exits 0
has err 'warning: some columns determine others exactly'
head -6 chain.csv > few.csv
try zeroflow baseline partial few.csv
exits 0
has err 'warning: 5 rows for 6 columns: correlations are shrunk by'
try zeroflow baseline pc few.csv
exits 0
try zeroflow baseline glasso few.csv
exits 0
head -3 chain.csv > two.csv
refuses 3 'zeroflow: baseline: two.csv: expected at least 4 rows, found 2' baseline partial two.csv
refuses 3 'zeroflow: baseline: two.csv: expected at least 5 rows (one for each fold), found 2' \
    baseline glasso two.csv
cut -d, -f1 chain.csv > one.csv
refuses 3 'zeroflow: baseline: one.csv: 400 rows of 1 column can be used, expected at least two of each' baseline pc one.csv
refuses 3 'zeroflow: baseline: absent.csv: cannot open: No such file or directory' baseline pc absent.csv
refuses 3 'zeroflow: baseline: no/such.csv: cannot write into its folder: No such file or directory' \
    baseline partial chain.csv -o no/such.csv
finish
