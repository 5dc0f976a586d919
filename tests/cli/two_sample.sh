# zeroflow two-sample: what it finds and tells, files that cannot be compared.
. "$(dirname "$0")/common.sh"

# Rows of three columns; awk's own random numbers differ between its kinds.
table()
{
    awk -v seed="$1" -v rows="$2" -v shift="${3:-0}" 'BEGIN {
        state = seed
        print "x,y,z"
        for (i = 1; i <= rows; i++)
            for (j = 1; j <= 3; j++) {
                value = 0
                for (k = 1; k <= 6; k++) {
                    state = state * 16807 % 2147483647
                    value += state / 2147483647 - 0.5
                }
                printf "%.6f%s", value + (j == 2 ? shift : 0), j < 3 ? "," : "\n"
            }
    }'
}
table 1 200 > a.csv
table 77 150 > b.csv
table 5 200 0.6 > moved.csv

# Equal laws are not told apart, others are, and where.
try zeroflow two-sample a.csv b.csv --json --quiet
exits 0
empty err
json rows_used = 350
json method = flow
json permutations = 10001
json_number statistic
json_number effect
json_number seconds
json_number p_value
awk '{ exit !($1 > 0.05) }' got || fault "p of equal laws is $(cat got)"

try zeroflow two-sample a.csv moved.csv --json --points 2 --permutations 999
exits 0
json p_value = 0.001
json scale = drift
json where 0 name = y
json_number where 0 share
awk '{ exit !($1 > 0.8) }' got || fault "share of the moved column is $(cat got)"
json points 0 sample = A
json points 0 file = a.csv
json points 3 sample = B
json_number points 3 row

try zeroflow two-sample a.csv moved.csv
exits 0
has out 'p-value    9.999e-05'
has out 'drift'
has out 'a.csv (200 rows) and moved.csv (200 rows), 3 columns'

# The other methods.
for method in network mmd energy classifier mmd-widths mmdagg; do
    try zeroflow two-sample a.csv moved.csv --method $method --permutations 199 --json --quiet
    exits 0
    empty err
    json_number p_value
    awk '{ exit !($1 < 0.0051) }' got || fault "p is $(cat got)"
    json method = $method
    try zeroflow two-sample a.csv b.csv --method $method --permutations 199 --quiet
    exits 0
    has out 'p-value    0.'
    lacks out 'p-value    0.0'
done
try zeroflow two-sample a.csv moved.csv --method network --splits 3 --iterations 200 --json \
    --permutations 199 --quiet
exits 0
json_number p_value
awk '{ exit !($1 < 0.0101) }' got || fault "p is $(cat got)"
json where 0 name = y
refuses 2 'zeroflow: two-sample: option --splits applies to the method network, not to flow' \
    two-sample a.csv b.csv --splits 2
refuses 2 'zeroflow: two-sample: option --marginals: mmd uses the columns as they are' \
    two-sample a.csv b.csv --method mmd --marginals standard
head -15 a.csv > some.csv
refuses 3 'zeroflow: two-sample: some.csv, b.csv: the first sample: expected at least 20 rows, found 14' \
    two-sample some.csv b.csv --method network

# Columns by name, whatever their order; another seed gives another draw, the same
# seed the same.
awk -F, '{ print $3 "," $1 "," $2 }' b.csv > turned.csv
zeroflow two-sample a.csv b.csv --json --columns x,y,z --threads 1 | grep -v seconds > one
zeroflow two-sample a.csv turned.csv --json --columns x,y,z --threads 2 | grep -v seconds > two
cmp -s <(sed 's/turned/b/' two) one || fault "the order of the columns matters"

# Rows that lack a value are left out, and the numbers of the others stay.
awk 'NR == 2 { print "NA,1,2"; next } NR == 3 { print "0,-1000,0"; next } { print }' \
    a.csv > holes.csv
try zeroflow two-sample holes.csv moved.csv --json --points 1 --marginals normal-scores
exits 0
has err 'holes.csv: 1 of 200 rows left out for missing values'
json rows_used = 399
json points 0 row = 2

# The same file twice, a constant column, each file constant.
try zeroflow two-sample a.csv a.csv --json
exits 0
json p_value = 1.0
json statistic = 0.0
json effect = 0.0
printf 'x\n1\n1\n1\n1\n1\n' > ones.csv
printf 'x\n2\n2\n2\n2\n2\n' > twos.csv
try zeroflow two-sample ones.csv twos.csv --json
exits 0
json enumerated = true
json permutations = 252
refuses 3 'zeroflow: two-sample: ones.csv, ones.csv: no column varies within both samples together, expected one at least' \
    two-sample ones.csv ones.csv

# What cannot be compared.
awk -F, '{ print $1 "," $2 }' a.csv > narrow.csv
refuses 3 'zeroflow: two-sample: narrow.csv: no column "z", which a.csv has; expected the same columns, or --columns with those to compare' \
    two-sample a.csv narrow.csv
refuses 3 'zeroflow: two-sample: narrow.csv: no column "z", which a.csv has; expected the same columns, or --columns with those to compare' \
    two-sample narrow.csv a.csv
try zeroflow two-sample a.csv narrow.csv --columns x,y --permutations 99
exits 0
refuses 3 'zeroflow: two-sample: narrow.csv: no column "q"' two-sample narrow.csv a.csv --columns x,q
head -5 a.csv > few.csv
refuses 3 'zeroflow: two-sample: few.csv: expected at least 5 rows with all values, found 4' \
    two-sample few.csv b.csv
{ echo 'x,y,z'; for i in 1 2 3 4 5 6; do echo "low,$i,2$i"; done; } > words.csv
try zeroflow two-sample a.csv words.csv
exits 3
has err 'column "x"'
has err 'expected a number'
try zeroflow two-sample words.csv words.csv
exits 0
has err 'column "x" is left out: category'
printf 'x,y,z\ninf,1,2\n1,2,3\n' > infinite.csv
try zeroflow two-sample infinite.csv b.csv
exits 3
has err infinite.csv:2
try zeroflow two-sample holes.csv b.csv --missing-rows refuse
exits 3
has err holes.csv:2
refuses 2 'zeroflow: two-sample: A and B cannot both be standard input' two-sample - -
try zeroflow two-sample a.csv
exits 2
try zeroflow two-sample a.csv b.csv --permutations 5
exits 2
try zeroflow two-sample a.csv absent.csv
exits 3
finish
