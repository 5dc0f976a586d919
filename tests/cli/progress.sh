# Progress on a terminal and elsewhere. Only what script(1) and stty can show is
# tested here; the drawing itself is in test_progress.c.
. "$(dirname "$0")/common.sh"
command -v script > /dev/null || skip "script(1) is not installed"
zeroflow generate chain --dim 4 --order 1 --rows 50 -o data.csv > /dev/null
run='zeroflow fit data.csv -o m --iterations 200 --batch 20 --hidden 8 --json'

# terminal COLUMNS COMMAND: runs it in a pseudo terminal of that width; what the
# terminal got on standard error is in seen, with standard output in out.
terminal()
{
    doing="terminal of $1 columns: $2"
    script -qec "stty cols $1; { $2 ; } > out" seen > /dev/null < /dev/null
    code=$?
}

terminal 80 "$run"
exits 0
has seen $'\r\033[J'
has seen $'\033[32m'
has seen '━'
has seen 'loss '
has seen '100%'
json_has loss

terminal 80 "NO_COLOR=1 $run"
has seen $'\r\033[J'
lacks seen $'\033[32m'
terminal 80 "LC_ALL=C $run"
has seen '####'
lacks seen '━'
for setting in TERM=dumb TERM= ; do
    terminal 80 "$setting $run"
    exits 0
    lacks seen $'\033'
    has seen 'zeroflow: fit: 200 of 200 (100%)'
done
terminal 80 "$run --quiet"
grep -v -e '^Script' -e '^.\?$' seen > got
empty got

# No drawn line is wider than the terminal.
for columns in 10 25 40; do
    terminal $columns "NO_COLOR=1 $run"
    exits 0
    grep -v '^Script' seen | sed $'s/\033\\[J//g' | tr '\r' '\n' | while IFS= read -r line; do
        [ ${#line} -lt $columns ] || echo "$line"
    done > wide
    empty wide
done

# Elsewhere: plain lines, the last state among them; nothing at all when quiet.
try $run
exits 0
lacks err $'\033'
lacks err $'\r'
has err 'zeroflow: fit: 200 of 200 (100%), loss '
try $run --quiet
exits 0
empty err
finish
