# zeroflow tests: a target against each other column.
. "$(dirname "$0")/common.sh"

# b rises with a, c falls with b, d is U-shaped in a, "e, f" apart from all; g constant, h text.
awk 'function noise() { return rand() + rand() + rand() - 1.5 }
BEGIN { srand(5); print "a,b,c,d,\"e, f\",g,h"
    for (r = 0; r < 300; r++) { a = noise(); b = a + 0.5 * noise()
        print a "," b "," 0.5 * noise() - b "," a * a + 0.2 * noise() "," noise() ",7,word" r } }' > data.csv

try zeroflow tests data.csv b --fdr 0.001
exits 0
has out 'b: 2 of 4 other columns tell something about it, given the rest'
has out '(300 rows, at a false discovery rate of 0.001)'
has out 'left out, may be due to chance:'
lines out 9
grep -qE '^  a +[0-9.e-]+ +[0-9.e-]+ +\+0\.[0-9]+ +\+0\.[0-9]+  rising$' out || fault "a does not rise: $(cat out)"
grep -qE '^  c +[0-9.e-]+ +[0-9.e-]+ +-0\.[0-9]+ +-0\.[0-9]+  falling$' out || fault "c does not fall: $(cat out)"
has err 'column "g" is left out: constant'
try zeroflow tests data.csv a 'e, f' --fdr 0.001 --json --drop g,h
exits 0
empty err
json rows_used = 300
json columns_used = 5
json targets '#' = 2
json targets 0 target = a
json targets 0 tests '#' = 4
json targets 0 decided = 2
json targets 0 tests 1 decided = true
json targets 0 tests 2 decided = false
json targets 0 tests 0 third = null
json targets 1 target = 'e, f'
json targets 1 decided = 0
json_number targets 1 tests 3 alone
cp out first
for threads in 1 3; do
    try zeroflow tests data.csv a 'e, f' --fdr 0.001 --json --drop g,h --threads $threads
    cmp -s out first || fault "another result on $threads threads"
done
try zeroflow tests data.csv d --drop g,h --json
json targets 0 tests 0 column = a
json targets 0 tests 0 form = U-shaped
json targets 0 tests 0 bent = d
try zeroflow tests data.csv a,b --csv --fdr 0.001 --drop g,h
exits 0
lines out 9
[ "$(head -1 out)" = target,column,p_value,q_value,effect,form,decided,alone ] || fault "header: $(head -1 out)"
[ "$(grep -c ',true,' out)" = 4 ] || fault "not four are decided: $(cat out)"
cp out printed
try zeroflow tests data.csv a b -o tests.csv --fdr 0.001 --drop g,h
exits 0
cmp -s tests.csv printed || fault "the file differs from what is printed"
has out 'a: 2 of 4'
# Stricter, and no table at all.
try zeroflow tests data.csv 'e, f' --fdr 0.000001 --drop g,h
has out '0 of 4'

# Figures: every column with its finding, the decided ones drawn.
try zeroflow tests data.csv b --fdr 0.001 --drop g,h --plot found.svg
exits 0
has out 'Wrote found.svg'
for words in '>b: 2 of 4 other columns tell something about it, given the rest<' '>decided from here on<' \
    ', rising<' '>falling, p = ' '>a, given the rest<' '</svg>'; do
    has found.svg "$words"
done
lacks found.svg '>d, given the rest<'
try zeroflow tests data.csv d b --drop g,h --plot found.png --json
exits 0
json plot = found.png
mkdir -p figures
mv found.png found.svg figures
figure figures found
try zeroflow tests data.csv d --drop g,h --json
json plot = null
try zeroflow tests data.csv 'e, f' --fdr 0.000001 --drop g,h --plot figures/none.svg -o figures/none.csv
exits 0
has figures/none.svg '>e, f: 0 of 4 other columns'
lines figures/none.csv 5
for name in x.pdf x - x.svg.gz; do
    refuses 2 "zeroflow: tests: option --plot: expected a name that ends in .png or .svg, found \"$name\"" \
        tests data.csv a --plot $name
done
[ ! -e x.pdf ] || fault "x.pdf was written"
awk 'BEGIN { srand(2); for (r = 0; r < 41; r++) for (c = 0; c < 10; c++)
    printf "%s%s", r ? rand() : "x" c, c < 9 ? "," : "\n" }' > ten.csv
refuses 2 'zeroflow: tests: --plot works with up to 8 targets, found 9' \
    tests ten.csv x0 x1 x2 x3 x4 x5 x6 x7 x8 --plot x.svg

# Forty groups of ten rows that are all but copies: by text, by numbers and as blocks the same; rows
# that are counted one by one are told of.
awk 'BEGIN { srand(6); print "id,number,a,b,c,d"; for (g = 0; g < 40; g++) {
    a = rand(); b = a + rand(); c = rand(); d = rand()
    for (r = 0; r < 10; r++) print "p" g "," 3 * g "," a + rand() / 9 "," b + rand() / 9 "," c + rand() / 9 "," d + rand() / 9 } }' > visits.csv
try zeroflow tests visits.csv a --groups id --drop number
exits 0
empty err
has out 'a: 1 of 3 other columns tell something about it'
has out '(400 rows in 40 groups, at a false discovery rate of 0.1)'
try zeroflow tests visits.csv a --groups id --drop number --json
json rows_used = 400
json units = 40
json columns_used = 4
"$json_get" targets < out > by_text
try zeroflow tests visits.csv a --groups number --drop id --json
"$json_get" targets < out | cmp -s - by_text || fault "numbers and text as groups differ"
try zeroflow tests visits.csv a --columns a,b,c,d --blocks 10 --json
"$json_get" targets < out | cmp -s - by_text || fault "groups and blocks differ"
try zeroflow tests visits.csv a --columns a,b,c,d --json
json units = 400
json targets 0 decided = 3
has err 'rows resemble those before them in 4 of 4 columns'
has err 'use --blocks'
refuses 3 'zeroflow: tests: visits.csv: 20 blocks, expected at least 30 to decide on edges' \
    tests visits.csv a --columns a,b,c,d --blocks 20
refuses 2 'zeroflow: tests: --groups and --blocks cannot be used together' tests visits.csv a --groups id --blocks 5
refuses 2 'zeroflow: tests: visits.csv has no column "idd"; did you mean "id"?' tests visits.csv a --groups idd

refuses 2 'zeroflow: tests: argument TARGET... is missing; see zeroflow tests --help' tests data.csv
refuses 2 'zeroflow: tests: data.csv has no column "bb"; did you mean "b"?' tests data.csv bb --drop g,h
refuses 2 'zeroflow: tests: target "a" is named twice' tests data.csv a a --drop g,h
refuses 2 'zeroflow: tests: option --output: expected a name for CSV, found "x.png"' tests data.csv a -o x.png
refuses 2 'zeroflow: tests: --json and --csv cannot be used together without -o FILE' tests data.csv a --json --csv
refuses 2 'zeroflow: tests: --guard-formulas applies to CSV: add --csv or --output FILE' tests data.csv a --guard-formulas
refuses 2 'zeroflow: tests: option --fdr: expected a number from 1e-09 to 1, found "0"' tests data.csv a --fdr 0
try zeroflow tests data.csv g --drop h
exits 3
empty out
has err 'zeroflow: tests: data.csv: column "g" cannot be a target: dropped: constant'
head -30 data.csv > short.csv
refuses 3 'zeroflow: tests: short.csv: 29 rows, expected at least 30 to decide on edges' \
    tests short.csv a --drop g,h
finish
