# zeroflow reproduce: each table and figure at a tiny scale, by its numbers and files.
. "$(dirname "$0")/common.sh"

# Wrong usage leaves nothing behind.
refuses 2 'zeroflow: reproduce: sp500 needs --data PATH: a table with a column of dates and then one column of daily prices for each ticker, such as prices.csv' \
    reproduce sp500
refuses 2 'zeroflow: reproduce: lattice generates its data and has no --data' \
    reproduce lattice --data prices.csv
try zeroflow reproduce tabel1
exits 2
has err table1
touch file
refuses 3 'zeroflow: reproduce: file/x: cannot make this folder: Not a directory' reproduce gates -o file/x
[ -e zeroflow-reproduce ] && fault "a folder was made"

# A flow from a law to itself stands still halfway, and its way back mirrors its way there.
try zeroflow reproduce zero-flow --scale 0.1 --quiet --json
exits 0
empty err
json iterations = 250
json times '#' = 21
json norms '#' = 21
json times 10 = 0.5
between 1.9 2.5 norms 0
between 0 0.06 ratio
between 0.99 1 antisymmetry
lines zeroflow-reproduce/zero-flow/runs.csv 22
grep -qE '^0\.50,0\.[0-9]{6},$' zeroflow-reproduce/zero-flow/runs.csv || fault "no speed at t = 0.5"
figure zeroflow-reproduce/zero-flow zero-flow
try zeroflow reproduce zero-flow --scale 0.004 --quiet -o hardly
exits 0
has out '100,000 points a sample, 10 iterations; 4,000 pairs held out'
has out 'Antisymmetry'

# What is not sufficient moves, what is does not.
try zeroflow reproduce sufficiency --scale 0.2 --quiet --json -o sufficiency
exits 0
empty err
json cases '#' = 2
json cases 0 f = 'sin(2Y)'
json cases 1 sufficient = true
between 0.15 0.3 cases 0 zero
between 0 0.02 cases 1 zero
between 12 1000 ratio
lines sufficiency/runs.csv 3
figure sufficiency sufficiency
try zeroflow reproduce sufficiency --scale 0.004 --quiet
exits 0
has out 'sigmoid(-2Y)   yes'

# Table 1, hardly trained: the opponents' cells are real already.
try zeroflow reproduce table1 --scale 0.0002 --quiet --json --seed 3 -o table1
exits 0
empty err
json name = table1
json seeds = 1
json iterations = 10
json cells '#' = 24
json cells 4 method = glasso
json cells 4 law = gaussian
between 0.9399 0.9401 cells 4 paper
between 0.95 0.985 cells 4 auc mean
between 0.80 0.93 cells 5 auc mean
between 0.97 1 cells 6 auc mean
json cells 15 method = rank
json cells 15 law = nonparanormal
between 0.97 1 cells 15 auc mean
between 0.70 0.85 cells 12 auc mean
json cells 15 paper = null
lines table1/runs.csv 25
has table1/runs.csv law,method,margins,seed,iterations,auc,auc_paper,average_precision,best_f1,seconds
grep -q '^truncated,lstm,normal-scores,3,10,0\.' table1/runs.csv || fault "no row for LSTM gates"
figure table1 table1

# More seeds first, then more iterations; the text has both ways of scoring.
try zeroflow reproduce roc --scale 0.0002 --quiet
exits 0
empty err
has out 'chain of 50 variables, order 3, 2,048 rows; 1 seed, 10 iterations'
grep -qE "^  partial correlation +- +0\.[0-9]{3} 0\.[0-9]{3} 0\.9[0-9]{2}  0\.9[89]" out ||
    fault "no curve of partial correlation"
figure zeroflow-reproduce/roc roc

try zeroflow reproduce gates --scale 0.002 -o deep/er/gates --quiet --json
exits 0
json cases '#' = 3
json cases 2 name = lattice-15
between 0 1 cases 0 auc
between 0 1 cases 2 gate_of_edges
for name in chain lattice-8 lattice-15; do
    [ "$(head -c 6 deep/er/gates/$name-gates.npy | tail -c 5)" = NUMPY ] || fault "no gates of $name"
done
figure deep/er/gates gates
lines deep/er/gates/runs.csv 4

# Both lattices learn their graph in a short run.
try zeroflow reproduce lattice --scale 0.005 --json --quiet
exits 0
empty err
json seeds = 1
json iterations = 250
json lattices '#' = 2
for lattice in 0 1; do
    between 0.995 1 lattices $lattice auc
    json lattices $lattice unseen sets = 200
    json lattices $lattice seen sets = 200
    between 0 1 lattices $lattice unseen share_right
    json lattices $lattice shapes '#' = 6
done
json lattices 1 side = 15
lines zeroflow-reproduce/lattice/runs.csv 801
figure zeroflow-reproduce/lattice lattice

# Hardly trained; sliced inverse regression needs no training, and sees what is monotone.
try zeroflow reproduce reduction --scale 0.001 --json --quiet
exits 0
empty err
json seeds = 1
json iterations = 10
json results '#' = 9
json results 2 method = sliced-inverse
between 0.99 1 results 2 distance_correlation
between 0 0.7 results 5 distance_correlation
lines zeroflow-reproduce/reduction/runs.csv 10
figure zeroflow-reproduce/reduction reduction

# Prices: 40 stocks, 90 days of months of 28 days. A quiet market, in which the
# returns of a day go on for long; a ticker without a price is left out.
prices()
{
    awk -v bad="${1:-}" 'BEGIN {
        srand(7)
        printf "date"
        for (s = 0; s < 40; s++) { printf ",S%d", s; price[s] = 100 }
        print ",GONE"
        for (day = 0; day < 90; day++) {
            date = sprintf("2020-%02d-%02d", 1 + day / 28, 1 + day % 28)
            printf "%s", day == 50 && bad ? bad : date
            for (s = 0; s < 40; s++) {
                drift[s] = 0.9 * drift[s] + (rand() - 0.5)
                price[s] *= exp(0.01 * drift[s])
                printf ",%.4f", price[s]
            }
            print day == 30 ? "," : ",7"
        }
    }'
}
prices > prices.csv
try zeroflow reproduce sp500 --data prices.csv --scale 0.02 --quiet
exits 0
empty err
has out '40 stocks, 89 days (2020-01-02 to 2020-04-06), MLP gates, 60 iterations'
has out 'left out for missing prices: 1 stock'
has out 'The largest sustained drop is at the window that begins on 2020-'
has out '2020-03-05 to 2020-03-18        14 '
lacks out 2020-04-15
lines zeroflow-reproduce/sp500/runs.csv 86
# The first window has no past, the last one no future, and random days give what they must.
grep -qx '2020-01-02,0.0000,1.0000,0.0000' zeroflow-reproduce/sp500/runs.csv || fault "first window"
grep -qx '2020-04-02,1.0000,0.0000,1.0000' zeroflow-reproduce/sp500/runs.csv || fault "last window"
grep -q '^2020-02-16,.*,0.5000$' zeroflow-reproduce/sp500/runs.csv || fault "random share"
figure zeroflow-reproduce/sp500 sp500
try zeroflow reproduce sp500 --data prices.csv --scale 0.02 --quiet --json -o other
json stocks = 40
json windows '#' = 85
json windows 42 random = 0.5
json_has drop from

prices 2020-02-31 > wrong.csv
try zeroflow reproduce sp500 --data wrong.csv --quiet -o wrong
exits 3
empty out
lines err 1
has err 'wrong.csv'
prices 2020-01-03 > backwards.csv
refuses 3 'zeroflow: reproduce: backwards.csv:52: expected a date such as 2020-03-09, later than the one before, found "2020-01-03"' \
    reproduce sp500 --data backwards.csv -o wrong
head -30 prices.csv > short.csv
refuses 3 'zeroflow: reproduce: short.csv: 29 days of 41 stocks with a price above 0 every day; expected at least 71 days of 2' \
    reproduce sp500 --data short.csv -o wrong
refuses 3 'zeroflow: reproduce: prices.txt: cannot open: No such file or directory' reproduce sp500 --data prices.txt -o wrong
cut -d, -f2- prices.csv > dateless.csv
refuses 3 'zeroflow: reproduce: dateless.csv: expected a first column of dates, then a column of prices for each ticker, a row a day' \
    reproduce sp500 --data dateless.csv -o wrong

# Interrupted, it keeps the runs that were done.
doing="reproduce table1 interrupted"
env --default-signal=INT zeroflow reproduce table1 -o cut > out 2> err &
command=$!
for ((i = 0; i < 600; i++)); do # however slow the machine: once something is there
    [[ -s cut/runs.csv ]] && break
    sleep 0.1
done
kill -INT "$command"
wait "$command"
code=$?
exits 130
empty out
tail -1 err | grep -qE '^zeroflow: reproduce: interrupted after [0-9]+ of 12 fits; the runs so far are in cut/runs.csv$' ||
    fault "the last line is: $(tail -1 err)"
has cut/runs.csv law,method
finish
