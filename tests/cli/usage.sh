# Dispatch, help, options, typos and exit codes.
. "$(dirname "$0")/common.sh"

try zeroflow --version
exits 0
grep -qE '^zeroflow [0-9]+\.[0-9]+\.[0-9]+$' out || fault "version: $(cat out)"
empty err
try zeroflow --json --version
exits 0
json_has version

refuses 2 'zeroflow: no command given; see zeroflow --help, or try zeroflow demo'
refuses 2 'zeroflow: unknown command "chekc"; did you mean check?' chekc
refuses 2 'zeroflow: unknown command "dmeo"; did you mean demo?' dmeo x y
refuses 2 'zeroflow: unknown command "xyzzy"; see zeroflow --help' xyzzy
refuses 2 'zeroflow: unknown command ""; see zeroflow --help' ''
refuses 2 'zeroflow: unknown command "a\x0ab\x1b[31m"; see zeroflow --help' $'a\nb\033[31m'
refuses 2 'zeroflow: help: unknown command "dmeo"; did you mean demo?' help dmeo
refuses 2 'zeroflow: unknown option --verison; did you mean --version?' --verison
refuses 2 'zeroflow: unknown option --batch before the command; see zeroflow --help' --batch 3 demo
refuses 2 'zeroflow: check: unknown option --jsno; did you mean --json?' check --jsno x.csv
refuses 2 'zeroflow: check: unknown option --delim; did you mean --delimiter?' check x.csv --delim=x
refuses 2 'zeroflow: check: unknown option --wobble; see zeroflow check --help' check --wobble
refuses 2 'zeroflow: check: unknown option -x; see zeroflow check --help' check -x
refuses 2 'zeroflow: check: argument DATA is missing; see zeroflow check --help' check
refuses 2 'zeroflow: check: unexpected argument "b.csv"; see zeroflow check --help' check a.csv b.csv
refuses 2 'zeroflow: check: option --json takes no value, found "yes"' check --json=yes a.csv
refuses 2 'zeroflow: check: option --seed needs a value: --seed N' check a.csv --seed
refuses 2 'zeroflow: check: option --seed needs a value: --seed N' check a.csv --seed --json
refuses 2 'zeroflow: check: option --seed: expected a whole number from 0 to 9007199254740992, found "1.5"' \
    check a.csv --seed 1.5
refuses 2 'zeroflow: check: option --seed: expected a whole number from 0 to 9007199254740992, found ""' \
    check a.csv --seed=
refuses 2 'zeroflow: check: option --seed: expected a whole number from 0 to 9007199254740992, found "99999999999999999999"' \
    check --seed 99999999999999999999 a.csv
refuses 2 'zeroflow: check: option --threads: expected a whole number from 1 to 1024, found "0"' \
    check a.csv --threads=0
refuses 2 'zeroflow: demo: option -o needs a value: -o DIR' demo -o
refuses 2 'zeroflow: demo: option --output: expected a path, found ""' demo --output=
refuses 2 'zeroflow: docs: KIND: expected one of man, bash, zsh, fish, examples, files, found "fihs"; did you mean fish?' \
    docs fihs

# A word that is no option of the command is a value, whatever it looks like.
printf 'a,b\n1,-999\n2,3\n3,4\n4,8\n' > data.csv
for words in '--missing -999 --json data.csv' 'data.csv --json --missing=-999' \
    '--json -q data.csv --missing -999' '--json --missing -999 -- data.csv'; do
    try zeroflow check $words
    exits 0
    json columns 1 missing = 1
done
try zeroflow --json --seed 3 check data.csv
exits 0
json rows = 4

# Help of every command has an example, and the same as text as by option.
try zeroflow --help
exits 0
empty err
cp out overview
commands=$(sed -n '/^Commands/,/^$/s/^  \([a-z-]\+\) .*/\1/p' overview)
for command in check demo help; do
    [[ " "$commands" " == *[[:space:]]$command[[:space:]]* ]] || fault "the overview lacks $command"
done
for command in $commands; do
    try zeroflow "$command" --help
    exits 0
    empty err
    has out "Usage: zeroflow $command"
    has out "Examples"
    has out "  zeroflow $command"
    has out "--threads N"
    [ "$(wc -L < out)" -le 90 ] || fault "a line of the help is too long"
    cp out by_option
    try zeroflow help "$command"
    cmp -s out by_option || fault "help $command differs from $command --help"
    try zeroflow "$command" -h
    cmp -s out by_option || fault "$command -h differs from $command --help"
done
try zeroflow help
cmp -s out overview || fault "help differs from --help"
lacks overview docs

# Standard output that cannot take the data.
doing="full disk"
zeroflow --help > /dev/full 2> err
code=$?
exits 1
exact err 'zeroflow: cannot write to standard output: No space left on device'
doing="closed standard output"
zeroflow --help >&- 2> err
code=$?
exits 1
exact err 'zeroflow: cannot write to standard output: Bad file descriptor'
doing="closed pipe"
{ sleep 0.3; zeroflow --help 2> err; echo $? > code; } | true
code=$(cat code)
exits 1
empty err
doing="data file does not become standard output"
cp data.csv before.csv
zeroflow check data.csv >&- 2> err
cmp -s data.csv before.csv || fault "the data file was written to"

finish
