# zeroflow certify and zeroflow split: is a blanket sufficient?
. "$(dirname "$0")/common.sh"

try zeroflow generate chain --dim 8 --order 1 --rows 1500 -o chain.csv --truth truth.csv
exits 0

# --- split
try zeroflow split chain.csv -o train.csv --held-out fresh.csv --share 0.4 --seed 3
exits 0
empty err
exact out '900 rows to train.csv, 600 rows to fresh.csv'
lines train.csv 901
lines fresh.csv 601
cmp -s <(head -1 chain.csv) <(head -1 fresh.csv) || fault "other columns"
# Every row is in one of them, as it was and in its order.
{ tail -n +2 train.csv; tail -n +2 fresh.csv; } | sort > parts
tail -n +2 chain.csv | sort | cmp -s - parts || fault "rows were lost or changed"
grep -Fxf fresh.csv chain.csv | cmp -s - fresh.csv || fault "another order"
try zeroflow split chain.csv -o t2 --held-out f2 --share 0.4 --seed 3 --json
json rows = 900
json rows_held_out = 600
cmp -s t2 train.csv || fault "another split of the same seed"
try zeroflow split chain.csv -o t2 --held-out f2 --share 0.4 --seed 4
cmp -s t2 train.csv && fault "the same split of another seed"
refuses 2 'zeroflow: split: option --held-out is missing: name a file for the other rows, as --held-out FILE' split chain.csv -o t2
refuses 2 'zeroflow: split: option --output is missing: name a file for the rows to train on, as --output FILE' split chain.csv --held-out t2
refuses 2 'zeroflow: split: t2: --held-out and --output (t2) are one file, expected two' split chain.csv -o t2 --held-out t2

# --- certify
try zeroflow fit train.csv -o m --iterations 400 --batch 100 --hidden 32 --rate 0.003 --quiet
exits 0
try zeroflow certify m fresh.csv --target x4 --blanket x3,x5 --json
exits 0
empty err
json target 0 = x4
json blanket '#' = 2
json rows_used = 600
json draws = 2000
json trained = false
json missing '#' = 5
json where 0 name = x4
json_number statistic
json_number effect
json_number missing 0 gain
json_number missing 0 p_value
json_has p_value
awk -v p="$(cat got)" 'BEGIN { exit !(p > 0.05) }' || fault "a true blanket: p = $(cat got)"
cp out first
"$json_get" p_value < first > p
for threads in 2 3; do # and however the blanket is written
    try zeroflow certify m fresh.csv --target x4 --blanket x5,x3 --json --threads $threads
    json_has p_value
    cmp -s got p || fault "another p-value on $threads threads"
    json_has missing 3 gain
    "$json_get" missing 3 gain < first | cmp -s - got || fault "another gain on $threads threads"
done
# The same by editing, and without a neighbour.
try zeroflow certify m fresh.csv -t x4 -b x3,x8 --add x5 --drop x8 --json
json blanket '#' = 2
try zeroflow certify m fresh.csv -t x4 --top 2 --drop x5
exits 0
has out 'The blanket of x4: x3, on 600 rows'
has out 'something is missing'
grep -A1 'What would help most, of 6 left out' out | grep -q '^  x5  gain 0\.' || fault "x5 is not first"
grep -q '^  x5  gain 0\.[0-9]*  p 0\.0005*[0-9]* *falling: x4 and x5$' out || fault "x5 is not said to fall: $(cat out)"
try zeroflow certify m fresh.csv -t x4 --threshold 1
exits 0
has out 'The blanket of x4: empty, on 600 rows'
# A member that is not needed.
try zeroflow certify m fresh.csv -t x4 -b x3,x5,x8 --level 0.01
exits 0
has out 'Members, each given the others: 1 of 3 not needed'
grep -A1 'Members, each' out | tail -1 | tr -s ' ' | grep -q '^ x8 p 0\.[0-9]*$' || fault "x8 is not the one: $(cat out)"
try zeroflow certify m fresh.csv -t x4 -b x3,x5,x8 --level 0.01 --json
json superfluous '#' = 1
json superfluous 0 = x8
json members '#' = 3
json members 0 needed = false
json members 2 needed = true
json members 2 found form = falling
json_number level
# Figures: what is missing is drawn; where nothing is, the bars are all there is.
try zeroflow certify m fresh.csv -t x4 -b x3 --plot missing.svg
exits 0
has out 'Wrote missing.svg'
for words in 'The blanket of x4: x3, on 600 rows: something is missing (p = 0.0005)' \
    '>Left out: what would help most<' '>Members, each given the others: least needed first<' \
    '>falling, p = 0.0005<' '>x5, given the blanket<' '>x4, given the blanket<' '>needed from here on<'; do
    has missing.svg "$words"
done
try zeroflow certify m fresh.csv -t x4 -b x3,x5 --json --plot missing.png
exits 0
json plot = missing.png
mkdir -p figures
mv missing.png missing.svg figures
figure figures missing
try zeroflow certify m fresh.csv -t x4 -b x3,x5 --plot enough.svg
has enough.svg 'no sign that anything is missing'
lacks enough.svg 'given the blanket'
try zeroflow certify m fresh.csv -t x4 --threshold 1 --plot empty.svg
exits 0
has empty.svg 'The blanket of x4: empty'
lacks empty.svg Members
refuses 2 'zeroflow: certify: option --plot: expected a name that ends in .png or .svg, found "x.jpg"' \
    certify m fresh.csv -t x4 --plot x.jpg
# The rows of training are told.
try zeroflow certify m train.csv -t x4 --blanket x3,x5 --json
exits 0
json trained = true
has err 'warning: train.csv has the rows that the model was trained on'
# Columns in another order, and more of them, are the same table.
awk -F, -v OFS=, '{ print NR == 1 ? "more" : NR % 7, $8, $7, $6, $5, $4, $3, $2, $1 }' fresh.csv > turned.csv
try zeroflow certify m turned.csv --target x4 --blanket x3,x5 --json
cmp -s out first || fault "another result with the columns turned"

refuses 2 'zeroflow: certify: --target is missing: name one variable or more, such as --target x1' certify m fresh.csv
refuses 2 'zeroflow: certify: the model has no variable "x44"; did you mean "x4"?' certify m fresh.csv -t x44
refuses 2 'zeroflow: certify: --blanket: "x4" is a target and cannot be in its own blanket' \
    certify m fresh.csv -t x4 -b x3,x4
refuses 2 'zeroflow: certify: --add: "x4" is a target and cannot be in its own blanket' \
    certify m fresh.csv -t x4 --add x4
refuses 2 'zeroflow: certify: --drop: "x8" is not in the blanket' certify m fresh.csv -t x4 -b x3 --drop x8
refuses 2 'zeroflow: certify: --blanket cannot be used with --threshold or --top, which choose from the model'\''s blanket' \
    certify m fresh.csv -t x4 -b x3 --top 2
refuses 2 'zeroflow: certify: --threshold and --top cannot be used together' \
    certify m fresh.csv -t x4 --threshold 0.1 --top 2
refuses 2 'zeroflow: certify: targets and blanket are all 8 variables: none is left out that could be missing' \
    certify m fresh.csv -t x4 --threshold 0
cut -d, -f1-3,6-8 fresh.csv > less.csv
refuses 3 'zeroflow: certify: less.csv: lacks 2 of the 8 required columns: "x4", "x5"' \
    certify m less.csv -t x1 -b x2
head -41 fresh.csv > short.csv
refuses 3 'zeroflow: certify: short.csv: 40 rows, expected at least 50 to test independence given 1 column' \
    certify m short.csv -t x1 -b x2
awk -F, -v OFS=, 'NR > 1 { $6 = 1 } 1' fresh.csv > flat.csv
refuses 3 'zeroflow: certify: flat.csv: column "x6" is constant: expected values that vary; leave it out' \
    certify m flat.csv -t x1 -b x2
awk -F, -v OFS=, 'NR == 5 { $6 = "" } 1' fresh.csv > holes.csv
try zeroflow certify m holes.csv -t x1 -b x2 --json
exits 0
json rows_used = 599
has err '1 of 600 rows left out for missing values'
refuses 3 'zeroflow: certify: holes.csv:5: column "x6": expected a number, found a missing value' \
    certify m holes.csv -t x1 -b x2 --missing-rows refuse
try zeroflow certify absent fresh.csv -t x1
exits 3
has err absent
finish
