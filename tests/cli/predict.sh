# zeroflow predict: a blanket beside all columns and none.
. "$(dirname "$0")/common.sh"

# y = a b + c, half of its variance noise; e is y > 0; d and "f, g" tell nothing.
awk 'function noise() { return rand() + rand() + rand() + rand() + rand() + rand() - 3 }
BEGIN { srand(4); print "a,b,c,d,\"f, g\",y,e"
    for (r = 0; r < 500; r++) { a = noise() * 1.4; b = noise() * 1.4; c = noise(); y = a * b + c + noise()
        print a "," b "," c "," noise() "," noise() "," y "," (y > 0) } }' > data.csv

try zeroflow predict data.csv --target y --blanket a,b,c --drop e
exits 0
empty err
has out 'Blanket  a, b, c'
has out '500, each predicted from 4 of 5 folds'
has out 'no sign that it is insufficient'
grep -qE '^  all columns +5 +0\.[0-9]+ \+- 0\.[0-9]+$' out || fault "$(cat out)"
try zeroflow predict data.csv --target y --blanket c,d --drop e --json
exits 0
json blanket '#' = 2
json rows_used = 500
json rows_tested = 500
json folds = 5
json trained = null
json targets 0 target = y
json targets 0 all columns = 5
json targets 0 blanket columns = 2
json targets 0 none r2 value = 0.0
json targets 0 all accuracy = null
between 0.45 0.75 targets 0 all r2 value
between 0.1 0.4 targets 0 blanket r2 value
between 0.1 0.6 targets 0 blanket less_than_all value
cp out first
try zeroflow predict data.csv --target y --blanket c,d --drop e --json --threads 3
cmp -s out first || fault "another result on 3 threads"
try zeroflow predict data.csv --target y --blanket c,d --drop e --json --seed 5
cmp -s out first && fault "the same folds by another seed"
# Two targets, one of which has two values: neither predicts the other.
try zeroflow predict data.csv -t e,y -b a,b,c --json
exits 0
json targets '#' = 2
json targets 0 all columns = 5
between 0.6 0.95 targets 0 all auc value
between 0.5 0.5 targets 0 none auc value
between 0.5 0.95 targets 0 blanket accuracy value
try zeroflow predict data.csv -t e -b a,b,c
has out AUC
# Rows of another file, whose columns stand in another order.
try zeroflow split data.csv -o train.csv --held-out fresh.csv
awk -F, -v OFS=, '{ print $7, $6, $NF, $1, $2, $3, $4, $5 }' fresh.csv | sed '1s/.*/e,y,more,a,b,c,d,"f, g"/' > turned.csv
try zeroflow predict train.csv -t y -b a,b,c --drop e --test turned.csv --json
exits 0
json rows_used = 350
json rows_tested = 150
between 0.3 0.85 targets 0 all r2 value
cp out first
try zeroflow predict train.csv -t y -b a,b,c --drop e --test fresh.csv --json
cmp -s <("$json_get" targets 0 all r2 value < first) <("$json_get" targets 0 all r2 value < out) ||
    fault "another result with the columns turned"
# A model's blanket, and whether it was chosen by these rows.
try zeroflow fit train.csv -o m --iterations 20 --batch 32 --hidden 8 --drop e --quiet
exits 0
try zeroflow predict train.csv --model m -t y
exits 0
has out 'Blanket'
try zeroflow predict train.csv --model m -t y --test fresh.csv --top 2 --json
exits 0
empty err
json trained = false
json targets 0 blanket columns = 2

# Ten all but equal rows of each of forty patients: nothing tells the target of a new one, though
# folds that cut patients say so.
awk 'BEGIN { srand(6); print "id,a,c,d"; for (g = 0; g < 40; g++) {
    a = rand(); c = rand(); d = rand()
    for (r = 0; r < 10; r++) print "p" g "," a + rand() / 9 "," c + rand() / 9 "," d + rand() / 9 } }' > visits.csv
try zeroflow predict visits.csv -t a -b c,d --drop id --json
json units = 400
between 0.03 1 targets 0 all r2 value
try zeroflow predict visits.csv -t a -b c,d --groups id --json
exits 0
empty err
json units = 40
json rows_tested = 400
json targets 0 all columns = 2
between -0.3 0.02 targets 0 all r2 value
"$json_get" targets < out > by_groups
try zeroflow predict visits.csv -t a -b c,d --drop id --blocks 10 --json
"$json_get" targets < out | cmp -s - by_groups || fault "groups and blocks differ"
try zeroflow predict visits.csv -t a -b c,d --groups id
has out '400, each predicted from 4 of 5 folds; 40 groups, each kept whole'
head -301 visits.csv > old.csv
{ head -1 visits.csv; tail -n 100 visits.csv; } > new.csv
try zeroflow fit old.csv -o v --iterations 3 --batch 32 --hidden 8 --groups id --quiet
try zeroflow predict old.csv --model v -t a --test new.csv --groups id --top 1
exits 0
has out '300 fitted, 100 predicted; 10 groups, each kept whole'
refuses 3 'zeroflow: predict: old.csv: 100 of the rows to predict belong to groups that are also fitted on, expected new groups' \
    predict old.csv -t a -b c,d --groups id --test <(head -101 old.csv)
refuses 2 'zeroflow: predict: --groups: "c" is a variable of the model, expected a column that is not' \
    predict old.csv --model v -t a --groups c
refuses 2 'zeroflow: predict: --groups and --blocks cannot be used together' predict visits.csv -t a -b c --groups id --blocks 3
refuses 2 'zeroflow: predict: 5 folds of 8 blocks, expected at most 4' predict visits.csv -t a -b c --drop id --blocks 50

refuses 2 'zeroflow: predict: no blanket: name its columns by --blanket, or a model by --model' predict data.csv -t y
refuses 2 'zeroflow: predict: --target is missing: name one column or more, such as --target a' predict data.csv -b a
refuses 2 'zeroflow: predict: data.csv has no column "wobble"; its 7 columns are "a" to "e"' predict data.csv -t wobble -b a
refuses 2 'zeroflow: predict: --blanket: "y" is a target and cannot predict itself' predict data.csv -t y -b a,y
refuses 2 'zeroflow: predict: --blanket: "a" is named twice' predict data.csv -t y -b a,b,a
refuses 2 'zeroflow: predict: --blanket cannot be used with --fdr, --threshold or --top, which choose the model'\''s blanket' \
    predict data.csv -t y --model m --top 2 -b a
refuses 2 'zeroflow: predict: --drop and --model cannot be used together: the model has its own columns' \
    predict data.csv -t y --model m --drop a
cut -d, -f1,3- fresh.csv > less.csv
refuses 3 'zeroflow: predict: less.csv: lacks 1 of the 7 required columns: "b"' predict train.csv -t y -b a --test less.csv
head -16 data.csv > short.csv
refuses 3 'zeroflow: predict: short.csv: 15 rows to predict, expected at least 20' predict short.csv -t y -b a
finish
