# Every kind of bad file as the user meets it: exit 3, one line on stderr that
# names file, place and expectation, nothing on stdout, no file left behind.
. "$(dirname "$0")/common.sh"
golden=$tests/../golden/io
mkdir files
cd files

# bad NAME TEXT: the file NAME (made before) is refused with TEXT.
bad()
{
    local before after
    before=$(ls)
    for form in "" --json; do
        try zeroflow check "$1" $form
        rm -f ../out ../err
        mv out err ..
        cd ..
        exits 3
        empty out
        lines err 1
        has err "zeroflow: check: $1$2"
        cd files
    done
    after=$(ls)
    [ "$before" = "$after" ] || fault "files were left: $after"
}

: > empty.csv
bad empty.csv ': empty, expected a table'
echo a,b,c > header.csv
bad header.csv ': a header with 3 names and no rows'
printf 'a,b\n1,2\n3\n' > short.csv
bad short.csv ':3: expected 2 cells as in the first record, found 1'
printf 'a,b\n1,2\n3,4,5\n' > long.csv
bad long.csv ':3: expected 2 cells as in the first record, found more than 2'
printf 'a,b\n1,"2\n3,4\n' > quote.csv
bad quote.csv ':2: a quote that is never closed'
printf 'a,b\n1,2\n3,\0\n' > nul.csv
bad nul.csv ':3: a NUL byte'
printf 'a,b\n1,2\n3,1e400\n' > large.csv
bad large.csv ':3: column "b": expected a finite number, found "1e400"'
printf 'a,b\n1,2\n3,Inf\n' > infinite.csv
bad infinite.csv ':3: column "b": expected a finite number, found "Inf"'
printf 'a,b\n1,2\n3,NAN\n' > nan.csv
bad nan.csv ':3: column "b": expected a finite number, found "NAN"'
printf 'a,b,a\n1,2,3\n' > twice.csv
bad twice.csv ':1: columns 1 and 3 are both named "a"'
printf '\xff\xfea\0' > wide.csv
bad wide.csv ': this is UTF-16 text'
{ printf 'a,b\n1,'; head -c 100000000 /dev/zero | tr '\0' x; } > line.csv
bad line.csv ':2: a cell of more than 1000000 bytes'
rm line.csv
head -c 150 "$golden/le_f4.npy" > cut.npy
bad cut.npy ': truncated: expected 48 bytes of data at offset 128, found 22'
cp "$golden/object.npy" "$golden/fortran_bytes.npy" .
bad object.npy ': NPY of Python objects'
bad fortran_bytes.npy ': NPY of strings'
{
    printf '\x93NUMPY\x01\x00\x53\x00'
    printf "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 8), }      \n"
} > overflow.npy
bad overflow.npy ': NPY shape overflows'
printf 'a,b\n1,2\n3,4\n5,6\n' | gzip | head -c 30 > cut.csv.gz
bad cut.csv.gz ': gzip stream is truncated'
bad absent.csv ': cannot open: No such file or directory'
mkdir folder
bad folder ': cannot read: this is a folder'
if [ "$(id -u)" != 0 ]; then
    echo a > secret.csv
    chmod 0 secret.csv
    bad secret.csv ': cannot open: Permission denied'
fi

# Not bad: text among numbers and very many columns are told, not refused.
cd ..
printf 'a,b\n1,2\n3,x\n5,6\n' > text.csv
try zeroflow check text.csv --json
exits 0
json columns 1 type = text
json columns 1 note = 'dropped: text ("x" on line 3 is not a number)'
{ seq -s, -f 'v%g' 100000; seq -s, 100000; seq -s, 2 100001; } > columns.csv
try zeroflow check columns.csv --json
exits 0
json rows = 2
json columns '#' = 100000
finish
