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

# Graphs: 20,000 nodes of a list are no square of 1.6 GB. The chain has every other edge of
# the truth and as many others: AUC = (199,970,001 + 9,999 / 2) / 199,980,000.
awk 'BEGIN { print "source,target,score"; for (k = 0; k < 19999; k++) print "n" k ",n" k + 1 ",1" }' > chain.csv
awk 'BEGIN { print "source,target"; for (k = 0; k < 20000; k += 2) print "n" k ",n" k + 1 }' > truth.csv
within 120 zeroflow score chain.csv --truth truth.csv --json
exits 0
json nodes = 20000
json pairs = 199990000
between 0.9999749999 0.9999750001 auc
# Lists may have more nodes than squares.
awk 'BEGIN { print "source,target"; for (k = 0; k < 60000; k++) print "n" k ",n" k + 1 }' > long.csv
within 120 zeroflow score long.csv --truth truth.csv --json
exits 0
json nodes = 60001
# A header that announces a square, and a square that is announced by empty rows.
awk 'BEGIN { printf "gates"; for (k = 0; k < 30000; k++) printf ",n" k; print "\nn0,1" }' > wide.csv
within 120 zeroflow score wide.csv --truth truth.csv
exits 3
has err 'wide.csv:2: expected 30001 cells as in the header, found 2'
awk 'BEGIN {
    printf "{\"nodes\":[\"n0\""; for (k = 1; k < 20000; k++) printf ",\"n" k "\""
    printf "],\"edges\":[],\"gates\":[[]"; for (k = 1; k < 20000; k++) printf ",[]"; print "]}"
}' > wide.json
within 120 zeroflow score wide.json --truth truth.csv
exits 3
has err 'wide.json:gates[0]: expected a number for each node'

# npy TYPE ORDER SHAPE: the header of an array, without its data.
npy()
{
    local text="{'descr': '$1', 'fortran_order': $2, 'shape': $3, }"
    printf '\x93NUMPY\x01\x00'"\\x$(printf %02x $((${#text} + 1)))"'\x00%s\n' "$text"
}

# Tables: a header alone promises columns, rows and bytes; from a pipe and packed.
for order in False True; do
    for shape in '(1, 1000000)' '(100000000, 4)' '(700000000,)' '(0, 1000000)'; do
        npy '<f4' $order "$shape" > promise.npy
        gzip -c promise.npy > promise.npy.gz
        for file in promise.npy promise.npy.gz /dev/stdin; do
            doing="120 MB: check $file of $order $shape"
            (ulimit -v $((120 * 1024)) && exec timeout 120 zeroflow check $file) \
                > out 2> err < <(cat promise.npy)
            code=$?
            exits 3
            grep -qE 'truncated|no rows' err || fault "neither truncated nor without rows"
        done
    done
done
# What is there is read, in either order, from a pipe too: 60,000 bytes of ones.
for order in False True; do
    { npy '|u1' $order '(10000, 6)'; head -c 60000 /dev/zero | tr '\0' '\1'; } > ones.npy
    doing="ones from a pipe, Fortran order $order"
    (ulimit -v $((120 * 1024)) && exec timeout 120 zeroflow check --json /dev/stdin) \
        > out 2> err < <(cat ones.npy)
    code=$?
    exits 0
    json rows = 10000
done

# CSV: about 400 bytes a column, of which each has shown two; a line without an end.
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "%sc%d", i ? "," : "", i; print "" }' > columns.csv
within 160 zeroflow check columns.csv
exits 3
has err 'no rows'
head -c 40000000 /dev/zero | tr '\0' 'x' | gzip -c > line.csv.gz
within 120 zeroflow check line.csv.gz
exits 3

# Target sets and constraints: a name of 40 MB in a packed file of 40 KB.
within 160 zeroflow fit c.csv -o m.model --iterations 1 --targets line.csv.gz
exits 3
within 160 zeroflow fit c.csv -o m.model --iterations 1 --forbid line.csv.gz
exits 3

# Images as IDX: a packed file of 40 bytes that promises four million of one pixel each.
printf '\x00\x00\x08\x03\x00\x40\x00\x00\x00\x00\x00\x01\x00\x00\x00\x01' > bomb-images
head -c 5000 /dev/urandom >> bomb-images
gzip -c bomb-images > bomb-images.gz
within 120 zeroflow images bomb-images.gz
exits 3
has err 'truncated: expected'

# Models: a header that is longer than the file, and one that promises tensors it has not.
printf '\xff\xff\xff\x05\x00\x00\x00\x00{}' > long.model
within 120 zeroflow blanket long.model --target x1
exits 3
text='{"a":{"dtype":"F32","shape":[1000000000],"data_offsets":[0,4000000000]}}'
{ printf "\\x$(printf %02x ${#text})"'\0\0\0\0\0\0\0%s' "$text"; } > claim.model
within 120 zeroflow blanket claim.model --target x1
exits 3
has err 'expected a range within the 0 bytes of data'

finish
