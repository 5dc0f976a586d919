# Under limits of memory (ulimit -v): every command ends, with the result that it has without
# a limit or with one line that says what was lacking, and exit 1. Nothing asks for more than
# a small multiple of what its input has shown.
. "$(dirname "$0")/common.sh"

if ldd "$zeroflow" | grep -qE 'lib[at]san' || grep -qa __asan_init "$zeroflow"; then
    skip "a sanitizer's own address space is larger than the limits"
fi

# within MEGABYTES WORDS...: as try, under a limit; an endless run ends with code 124.
within()
{
    doing="$1 MB: ${*:2}"
    (ulimit -v $(($1 * 1024)) && exec timeout 120 "${@:2}") > out 2> err < /dev/null
    code=$?
}

timeless() { sed -E 's/"seconds": *[-+0-9.e]+//' "$1"; }

# The result of the command without a limit, or a clean failure; never anything else.
same_or_out_of_memory()
{
    if [ "$code" = 0 ]; then
        cmp -s <(timeless out) <(timeless whole.out) || fault "the result is another than without a limit"
    else
        exits 1
        lines err 1
        grep -qE 'memory|cannot start thread' err || fault "no word of memory"
    fi
}

# Calls of OpenBLAS, which never gives up asking for its buffers.
zeroflow generate chain --dim 9 --order 1 --rows 300 -o c.csv --truth t.csv > out 2>&1
zeroflow generate chain --dim 9 --order 1 --rows 300 --seed 5 -o d.csv --truth u.csv > out 2>&1
zeroflow fit c.csv -o c.model --iterations 20 --quiet > out 2>&1
while read -r words; do
    zeroflow $words > whole.out 2> err < /dev/null || fault "zeroflow $words without a limit"
    for limit in 60 100 150 200 230 250 270 300 350 400 500 700 1000; do
        within $limit zeroflow $words
        same_or_out_of_memory
    done
    [ "$code" = 0 ] || fault "expected to work with 1000 MB"
done << END
two-sample c.csv d.csv --permutations 99 --json
independent c.csv --x x1 --y x5 --given x2,x3 --json
certify c.model d.csv --target x5 --blanket x4,x6 --json
baseline glasso c.csv -o - --quiet
baseline partial c.csv -o - --quiet
END

finish
