# zeroflow reduce and transform: what they say and write, that training can be stopped and
# resumed, and what is refused.
. "$(dirname "$0")/common.sh"

# x is the square of a + b, and z of c, with noise; d and e say nothing.
awk 'BEGIN { srand(5); print "a,b,x,c,d,e,z"
    for (r = 0; r < 400; r++) {
        for (j = 0; j < 5; j++) v[j] = rand() + rand() + rand() - 1.5
        x = (v[0] + v[1]) ^ 2 + 0.1 * rand(); z = v[2] * v[2] + 0.1 * rand()
        printf "%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g\n", v[0], v[1], x, v[2], v[3], v[4], z } }' > data.csv
quick="--iterations 60 --batch 64 --hidden 16"

try zeroflow reduce data.csv --target x -o m $quick --quiet
exits 0
empty err
has out 'Reduced 6 columns to 1 number for x on 400 rows: 60 iterations'
has out 'On 80 rows held out:'
lacks out Next
try zeroflow reduce data.csv --target x -o told $quick
has out 'Next: zeroflow transform told data.csv'
[ -s m ] && [ -s m.checkpoint ] || fault "no model or no checkpoint"
try zeroflow reduce data.csv --target x,z --dim 3 --from c,a,b -o m2 $quick --checkpoint state --json --quiet
exits 0
empty err
json model = m2
json iterations = 60
json resumed_from = 0
json chosen = 3
json_has dim
dim=$(cat got) # copies of other numbers are left out
json criterion '#' = 3
json criterion 1 dim = 2
for field in rectified excess error zero; do json_number criterion 1 $field; done
for field in seconds loss rectified zero; do json_number $field; done
json target 1 = z
json inputs = 3
json rows_trained = 320
json rows_held = 80
json margins = normal-scores
json form = midpoint
[ -s state ] || fault "--checkpoint was not written"
for words in '--criterion antisymmetry' '--marginals standard' '--dim 1-2 --held-out 0.4' '--code-decay 1 --decay 0'; do
    try zeroflow reduce data.csv --target x -o other $quick $words --quiet
    exits 0
    empty err
done
try zeroflow reduce data.csv --target x --dim 1-3 -o ranged $quick --quiet
has out '  kept'

# The numbers, by columns found by name wherever they are.
try zeroflow transform m2 data.csv
exits 0
lines out 401
head -1 out > head
exact head "$(seq -s, -f f%g "$dim")"
cp out codes
awk -F, 'BEGIN { OFS = "," } NR > 1 { $3 = "?" } { print "k" NR, $4, $2, $1, $3 }' data.csv |
    sed '1s/.*/key,c,b,a,x/' > turned.csv
try zeroflow transform m2 turned.csv -o turned --quiet
exits 0
has out "turned: 400 rows of $dim number"
cmp -s codes turned || fault "other columns in another order change the numbers"
try zeroflow transform m2 data.csv -o codes.npy --json
exits 0
json rows = 400
json dim = 3
try zeroflow check codes.npy --json
json rows = 400
json columns '#' = 3

# refused EXIT 'LINE' WORDS...: nothing is written.
refused()
{
    local expected=$1 line=$2
    shift 2
    rm -f kept kept.checkpoint
    try zeroflow "$@" --quiet
    exits "$expected"
    empty out
    tail -1 err > last
    exact last "zeroflow: $line"
    [ -e kept ] || [ -e kept.checkpoint ] && fault "a file was written"
}
refused 2 'reduce: --target is missing: name one column or more, such as --target a' reduce data.csv -o kept
refused 2 'reduce: data.csv has no column "xx"; did you mean "x"?' reduce data.csv --target xx -o kept
refused 2 'reduce: data.csv has no column "longname"; its 7 columns are "a" to "z"' \
    reduce data.csv --target x --from longname -o kept
refused 2 'reduce: 7 targets of 7 columns leave nothing to reduce' reduce data.csv --target a,b,x,c,d,e,z -o kept
refused 2 'reduce: column "x" is named twice; once, as target or as input, is enough' \
    reduce data.csv --target x --from a,x -o kept
refused 2 'reduce: dim: expected 1 to 6 numbers for 6 inputs, found 7' reduce data.csv --target x --dim 7 -o kept
for dim in 0 x 3-2 2- 1,2 65; do
    refused 2 "reduce: option --dim: expected a number from 1 to 64, or two as in 1-4, found \"$dim\"" \
        reduce data.csv --target x --dim $dim -o kept
done
refused 2 'reduce: option --output is missing: name a file for the model, as --output MODEL' reduce data.csv --target x
refused 2 'reduce: data.csv: --output would overwrite data.csv, which is read (DATA)' reduce data.csv --target x -o data.csv
awk -F, 'BEGIN { OFS = "," } { print $0, NR == 1 ? "flat" : 7 }' data.csv > flat.csv
refused 3 'reduce: column "flat" cannot be used: dropped: constant' reduce flat.csv --target flat -o kept
try zeroflow reduce flat.csv --target x -o flat $quick
exits 0
has err 'warning: column "flat" is left out: constant'
head -8 data.csv > short.csv
refused 3 'reduce: 7 rows: expected at least 10, some of which are held out' reduce short.csv --target x -o kept
sed '9s/^[^,]*/nan/' data.csv > hole.csv
refused 3 'transform: hole.csv:9: column "a": expected a number, found a missing value' \
    transform m2 hole.csv -o kept
cut -d, -f1,3 data.csv > less.csv
refused 3 'transform: less.csv: lacks 2 of the 3 required columns: "c", "b"' transform m2 less.csv -o kept
refused 3 'transform: m.checkpoint: this is a checkpoint of zeroflow reduce, expected a reduction (zeroflow reduce makes one)' \
    transform m.checkpoint data.csv -o kept
refused 3 'blanket: m: this is a reduction, expected a model of blankets (zeroflow fit makes one)' blanket m --target x
zeroflow fit data.csv -o blankets $quick --quiet > out 2> err
refused 3 'transform: blankets: this is a model of blankets, expected a reduction (zeroflow reduce makes one)' transform blankets data.csv -o kept
refused 2 'transform: --json needs --output, as the numbers would be on standard output' transform m data.csv --json

# Killed without a chance to save, it goes on from the last checkpoint to the same bits.
doing="reduce killed"
words="reduce data.csv --target x --dim 2 -o cut --batch 64 --hidden 16 --every 20 --iterations 3000"
survives_a_kill "$words"
finish
