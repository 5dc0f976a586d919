# zeroflow generate: files, laws, repeatability, speed, wrong usage, full disks.
. "$(dirname "$0")/common.sh"

try zeroflow generate chain -o chain.csv --truth edges.csv
exits 0
empty err
exact out 'chain.csv: 2,048 rows of 50 variables, chain, gaussian; 144 edges in edges.csv'
lines chain.csv 2049
[ "$(head -1 edges.csv)" = source,target ] || fault "header of the truth: $(head -1 edges.csv)"
lines edges.csv 145
has edges.csv x49,x50
lacks edges.csv x1,x5
try zeroflow check chain.csv --json
json rows = 2048
json columns '#' = 50
json columns 49 name = x50
json used = 50

try zeroflow generate lattice --side 4 --rows 100 --law truncated -o grid.tsv --truth grid.json --json --seed 3
exits 0
json data = grid.tsv
json truth = grid.json
json structure = lattice
json law = truncated
json rows = 100
json columns = 16
json edges = 24
json seed = 3
head -1 grid.tsv | grep -q $'r1c1\tr1c2' || fault "names of the lattice: $(head -1 grid.tsv)"
awk 'NR > 1 { for (i = 1; i <= NF; i++) if ($i <= -0.75) exit 1 }' grid.tsv || fault "not truncated"
[ "$("$json_get" nodes '#' < grid.json)" = 16 ] || fault "the JSON truth lacks nodes"
[ "$("$json_get" edges '#' < grid.json)" = 24 ] || fault "the JSON truth lacks edges"

# The same seed, the same bytes, on any number of threads; NPY has the same numbers as CSV.
for law in gaussian nonparanormal truncated; do
    zeroflow generate random --dim 12 --edges 20 --rows 64 --law $law --seed 5 --threads 1 -o a.csv > /dev/null
    zeroflow generate random --dim 12 --edges 20 --rows 64 --law $law --seed 5 --threads 2 -o b.csv > /dev/null
    zeroflow generate random --dim 12 --edges 20 --rows 64 --law $law --seed 6 -o c.csv > /dev/null
    zeroflow generate random --dim 12 --edges 20 --rows 32 --law $law --seed 5 > d.csv
    cmp -s a.csv b.csv || fault "$law: threads change the data"
    ! cmp -s a.csv c.csv || fault "$law: the seed does not change the data"
    [ "$(head -33 a.csv)" = "$(cat d.csv)" ] || fault "$law: fewer rows are other rows"
done
zeroflow generate random --dim 12 --edges 20 --rows 64 --law truncated --seed 5 -o a.npy \
    --precision precision.npy > /dev/null
try zeroflow check a.npy --json
exits 0
json rows = 64
try zeroflow check precision.npy --json
json rows = 12
try zeroflow generate volatility --rows 10 --dim 4 -o v.csv --truth v-edges.csv
exits 0
exact out 'v.csv: 10 rows of 4 variables, volatility; 3 edges in v-edges.csv'
lines v-edges.csv 4

try zeroflow generate independent --rows 40 --dim 6 --law nonparanormal -o n.csv --truth n-edges.csv
exits 0
exact out 'n.csv: 40 rows of 6 variables, independent, nonparanormal; 0 edges in n-edges.csv'
lines n-edges.csv 1

# Equation models: the same bytes for the same seed, whatever else; truths that can be scored.
for mechanism in linear additive products spread mixture kinetics; do
    sem="generate sem --mechanism $mechanism --dim 9 --seed 5"
    zeroflow $sem --rows 64 --threads 1 -o a.csv --truth a-edges.csv > /dev/null
    zeroflow $sem --rows 64 --threads 2 -o b.csv --truth b-edges.csv > /dev/null
    zeroflow $sem --rows 32 > d.csv
    cmp -s a.csv b.csv && cmp -s a-edges.csv b-edges.csv || fault "$mechanism: threads change the data"
    [ "$(head -33 a.csv)" = "$(cat d.csv)" ] || fault "$mechanism: fewer rows are other rows"
    try zeroflow score a-edges.csv --truth b-edges.csv --json
    json auc = 1.0
done
try zeroflow generate sem --mechanism products --dim 15 --rows 20 -o p.csv --truth p-edges.csv --json
exits 0
json structure = sem
json mechanism = products
json law = null
json edges = 15

# The paper's truncated chain takes a fraction of a second; the bound leaves
# room for sanitizers and other work on the machine.
before=$(date +%s)
try zeroflow generate chain --law truncated -o t.npy
exits 0
[ $(($(date +%s) - before)) -le 20 ] || fault "took more than 20 s"

# Wrong usage: exit 2, nothing written.
rm -f x.csv
refuses 2 'zeroflow: generate: STRUCTURE: expected one of chain, lattice, random, volatility, independent, sem, found "chian"; did you mean chain?' \
    generate chian -o x.csv
refuses 2 'zeroflow: generate: option --law: expected one of gaussian, nonparanormal, truncated, found "gausian"; did you mean gaussian?' \
    generate chain --law gausian -o x.csv
refuses 2 'zeroflow: generate: argument STRUCTURE is missing; see zeroflow generate --help' generate -o x.csv
refuses 2 'zeroflow: generate: structure lattice has no --dim' generate lattice --dim 9 -o x.csv
refuses 2 'zeroflow: generate: structure chain has no --edges' generate chain --edges 9 -o x.csv
refuses 2 'zeroflow: generate: structure volatility has no --law' generate volatility --law gaussian -o x.csv
refuses 2 'zeroflow: generate: structure volatility has no --precision' generate volatility --precision p.npy -o x.csv
refuses 2 'zeroflow: generate: structure sem has no --law' generate sem --law gaussian -o x.csv
refuses 2 'zeroflow: generate: structure random has no --mechanism' generate random --mechanism linear -o x.csv
refuses 2 'zeroflow: generate: structure independent has no --edges' generate independent --edges 3 -o x.csv
refuses 2 'zeroflow: generate: 11 arrows among 6 variables, expected a number up to 9' \
    generate sem --mechanism spread --dim 6 --edges 11 -o x.csv
refuses 2 'zeroflow: generate: 3 arrows among 6 variables, expected an even number up to 4' \
    generate sem --mechanism products --dim 6 --edges 3 -o x.csv
refuses 2 'zeroflow: generate: a chain of order 5 over 5 variables, expected an order of 1 to 4' \
    generate chain --dim 5 --order 5 -o x.csv
refuses 2 'zeroflow: generate: 11 edges among 5 variables, expected 1 to 10' \
    generate random --dim 5 --edges 11 -o x.csv
refuses 2 'zeroflow: generate: option --rows: expected a whole number from 1 to 1000000000, found "0"' \
    generate chain --rows 0 -o x.csv
refuses 2 'zeroflow: generate: x.csv: --truth and --output (x.csv) are one file, expected two' \
    generate chain -o x.csv --truth x.csv
refuses 2 'zeroflow: generate: --json needs --output, as the data would be on standard output' generate chain --json
refuses 2 'zeroflow: generate: x.csv.gz: gzip is read but not written; expected .csv, .tsv or .npy' \
    generate chain -o x.csv.gz
[ ! -e x.csv ] && [ ! -e x.csv.gz ] || fault "a refused command wrote its file"

# A disk that is full, a folder that is not there: exit 3, the old file stays.
echo old > kept.csv
refuses 1 'zeroflow: generate: /dev/full: cannot write: No space left on device' generate chain -o /dev/full
refuses 1 'zeroflow: generate: /dev/full: cannot write: No space left on device' \
    generate chain -o kept.csv --truth /dev/full
refuses 3 'zeroflow: generate: no/where.csv: cannot write into its folder: No such file or directory' \
    generate chain -o kept.csv --truth no/where.csv
exact kept.csv old
refuses 2 'zeroflow: generate: --truth needs a file; only the data can go to standard output' generate chain --truth -
doing="full standard output"
zeroflow generate chain > /dev/full 2> err
code=$?
exits 1
exact err 'zeroflow: generate: cannot write to standard output: No space left on device'
doing="a reader that goes"
zeroflow generate chain --rows 20000 2> err | head -1 > out
empty err
lines out 1
finish
