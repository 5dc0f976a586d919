# zeroflow independent: tests of independence on tables.
. "$(dirname "$0")/common.sh"

# a -> b -> c, d = b^2 up to noise, "e, f" apart from all; g constant, h text.
awk 'BEGIN { srand(5); print "a,b,c,d,\"e, f\",g,h"
    for (r = 0; r < 500; r++) { a = rand() + rand() - 1; b = a + 0.5 * (rand() + rand() - 1)
        print a "," b "," b + 0.5 * (rand() + rand() - 1) "," b * b + 0.1 * rand() "," rand() ",7,word" r } }' > data.csv

try zeroflow independent data.csv --x a --y c
exits 0
empty err
has out 'a and c: 500 rows'
has out 'p-value    9.999e-05 evidence of dependence'
has out 'form       rising: a and c'
lacks out 'Where it is'
try zeroflow independent data.csv -x a -y c -g b --json
exits 0
empty err
json x 0 = a
json given '#' = 1
json rows_used = 500
json rows_dropped = 0
json draws = 10000
json where '#' = 2
json where 0 name = a
json where 0 side = x
json where 1 side = y
json found x = a
json found third = null
json verdict = 'no sign'
json reason = null
lacks out '  form  '
json_number statistic
json_number effect
json_number where 1 share
json_has p_value
awk -v p="$(cat got)" 'BEGIN { exit !(p > 0.05) }' || fault "a and c given b: p = $(cat got)"
cp out first
for threads in 1 2 3; do
    try zeroflow independent data.csv -x a -y c -g b --json --threads $threads
    cmp -s out first || fault "another result on $threads threads"
done
# What only a square shows, among columns that show nothing; a comma in a name.
try zeroflow independent data.csv -x 'e, f,d' -y c,b --json
exits 0
json x 0 = 'e, f'
json where '#' = 4
json p_value = 9.9990000999900015e-5
json_has where 1 share
awk -v s="$(cat got)" 'BEGIN { exit !(s > 0.9) }' || fault "share of d: $(cat got)"
try zeroflow independent data.csv -x 'e, f,d' -y c,b --draws 999
exits 0
has out 'e, f, d and c, b: 500 rows'
has out 'Where it is: share of each column'
has out 'as a function of'
lines out 12
# Two waves of the given column: the regressions miss some of both.
awk 'BEGIN { srand(7); print "x,y,z"
    for (r = 0; r < 600; r++) { z = rand(); print sin(40 * z) + 0.3 * rand() "," sin(40 * z) + 0.3 * rand() "," z } }' > waves.csv
try zeroflow independent waves.csv -x x -y y -g z
exits 0
has out 'cannot tell dependence from what the given columns explain of both'
has out 'what the regressions leave of both sides still depends on the given columns'
try zeroflow independent waves.csv -x x -y y -g z --json
json verdict = 'cannot tell'
json reason = 'what the regressions leave of both sides still depends on the given columns'
# A figure of the strongest pair, which has nothing to do with the numbers.
try zeroflow independent data.csv -x d -y c,b -g 'e, f' --json
cp out plain
try zeroflow independent data.csv -x d -y c,b -g 'e, f' --json --plot found.svg
exits 0
empty err
json plot = found.svg
sed 's/"found.svg"/null/' out | cmp -s - plain || fault "--plot changes the result"
has found.svg '>b and d: U-shaped, p = 0.0001<'
has found.svg '>d, given e, f<'
has found.svg '>b<'
has found.svg '>d and c, b, given e, f; 500 rows. A dot is a row'
try zeroflow independent data.csv -x a -y c --plot found.png
exits 0
has out 'Wrote found.png'
mkdir -p figures
mv found.png found.svg figures
figure figures found
try zeroflow independent data.csv -x a -y c --json
json plot = null
refuses 2 'zeroflow: independent: option --plot: expected a name that ends in .png or .svg, found "x.pdf"' \
    independent data.csv -x a -y c --plot x.pdf
refuses 3 'zeroflow: independent: no/such/x.svg: cannot write into its folder: No such file or directory' \
    independent data.csv -x a -y c --plot no/such/x.svg
# Rows that lack a value in a column that is not asked for are kept.
sed '2s/^[^,]*,/,/' data.csv > missing.csv
try zeroflow independent missing.csv -x b -y c --json
empty err
json rows_used = 500
try zeroflow independent missing.csv -x a -y c --json
exits 0
json rows_used = 499
json rows_dropped = 1
has err '1 of 500 rows left out for missing values'

refuses 2 'zeroflow: independent: --x is missing: name one column or more, such as --x a' independent data.csv --y b
refuses 2 'zeroflow: independent: --y is missing: name one column or more, such as --y a' independent data.csv --x b
refuses 2 'zeroflow: independent: column "a" is named in --x and again in --y; name it once' \
    independent data.csv -x a -y a
refuses 2 'zeroflow: independent: column "b" is named in --y and again in --given; name it once' \
    independent data.csv -x a -y b --given c,b
refuses 2 'zeroflow: independent: column "a" is named in --x and again in --x; name it once' \
    independent data.csv -x a,a -y b
refuses 2 'zeroflow: independent: data.csv has no column "bb"; did you mean "b"?' independent data.csv -x bb -y a
refuses 2 'zeroflow: independent: data.csv has no column "wobble"; its 7 columns are "a" to "h"' \
    independent data.csv -x a -y b --given wobble
refuses 3 'zeroflow: independent: data.csv: column "g" is constant: expected values that vary; leave it out' \
    independent data.csv -x a -y g
try zeroflow independent data.csv -x a -y h
exits 3
empty out
lines err 1
has err 'column "h": expected a number, found "word0"'
head -50 data.csv > short.csv
refuses 3 'zeroflow: independent: short.csv: 49 rows, expected at least 50 to test independence given 1 column' \
    independent short.csv -x a -y c --given b
refuses 3 'zeroflow: independent: missing.csv:2: column "a": expected a number, found a missing value' \
    independent missing.csv -x a -y c --missing-rows refuse
refuses 2 'zeroflow: independent: option --draws: expected a whole number from 99 to 10000000, found "10"' \
    independent data.csv -x a -y c --draws 10
try zeroflow independent absent.csv -x a -y c
exits 3
has err absent.csv
finish
