# zeroflow check: text, JSON, options, wide tables, bad files, the real data.
. "$(dirname "$0")/common.sh"

{
    echo 'date,price,count,flat,copy,group'
    for i in 1 2 3 4 5 6 7 8; do
        echo "2020-01-0$i,$((i * i)).5,$((i % 5 * 3 + i)),7,$((i * i)).5,$([ $((i % 2)) = 0 ] && echo a || echo b)"
    done
    echo '2020-01-09,,4,7,81.5,a'
} > small.csv
try zeroflow check small.csv
exits 0
empty err
has out 'small.csv: CSV, 9 rows, 6 columns'
for name in date price count flat copy group; do grep -q "^  $name " out || fault "no line for $name"; done
grep -qE '^  date .* dropped: date' out || fault "date is not told"
grep -qE '^  flat .* dropped: constant' out || fault "constant is not told"

try zeroflow check small.csv --json
exits 0
empty err
json rows = 9
json file = small.csv
json format = CSV
json columns '#' = 6
json columns 0 name = date
json columns 0 type = date
json columns 0 constant = false
json columns 0 used = false
json columns 1 type = number
json columns 1 missing = 1
json columns 1 minimum = 1.5
json columns 3 constant = true
json columns 3 note = 'dropped: constant'
json columns 5 type = category
json constant = 1
json rows_complete = 8

doing="standard input"
gzip -c small.csv | zeroflow check - --json > out 2> err
code=$?
exits 0
json rows = 9

# Hostile names: the JSON stays valid, the terminal unharmed.
printf 'a\033[31m,\xff\xfe,"q""\n,"\n1,2,3\n2,4,9\n3,5,1\n' > hostile.csv
try zeroflow check hostile.csv --json --header
exits 0
json columns '#' = 3
json columns 0 name = $'a\033[31m'
try zeroflow check hostile.csv --header
exits 0
lacks out $'\033'

# Delimiters, headers, missing values.
printf '1;2\n3;-1\n5;7\n6;8\n' > bare.txt
try zeroflow check bare.txt --no-header --json
exits 0
json rows = 4
json columns 0 name = column1
try zeroflow check bare.txt --header --json
json rows = 3
json columns 1 name = 2
for delimiter in ';' semicolon; do
    try zeroflow check bare.txt --no-header --delimiter "$delimiter" --json --missing -1,7
    exits 0
    json columns '#' = 2
    json columns 1 missing = 2
done
refuses 2 'zeroflow: check: --header and --no-header cannot be used together' check bare.txt --header --no-header
refuses 2 'zeroflow: check: option --delimiter: expected one character, or one of comma, semicolon, tab, bar, space, found "xy"' \
    check bare.txt --delimiter xy

# Columns of choice, in the order of the table; names may hold commas.
printf 'id,"a,b",c,d,bad\n1,2.5,3,1,inf\n2,3.5,1,0,2\n3,1.5,8,5,3\n4,0.5,2,2,9\n' > choice.csv
refuses 3 'zeroflow: check: choice.csv:2: column "bad": expected a finite number, found "inf" (use --missing to name it)' \
    check choice.csv
try zeroflow check choice.csv --drop bad --json
exits 0
json columns '#' = 4
try zeroflow check choice.csv --columns c,a,b,id,bad --drop bad --drop c --json
exits 0
json columns '#' = 2
json columns 0 name = id
json columns 1 name = a,b
json columns 1 minimum = 0.5
refuses 2 'zeroflow: check: choice.csv has no column "idd"; did you mean "id"?' check choice.csv --columns c,idd
refuses 2 'zeroflow: check: choice.csv has no column "xyzzy"; its 5 columns are "id" to "bad"' \
    check choice.csv --drop xyzzy
refuses 2 'zeroflow: check: --drop leaves no column of choice.csv' check choice.csv --columns c --drop c
try zeroflow split choice.csv -o half.csv --held-out rest.csv --drop id,bad
exits 0
exact <(head -1 half.csv) '"a,b",c,d'
try zeroflow baseline partial choice.csv --columns c,d,id -o partial.csv
exits 0
lines partial.csv 4

# Identifiers and codes are pointed out, and fit names what leaves them out.
awk -v OFS=, 'BEGIN { srand(4); print "subject,zip,age,length"
    for (r = 0; r < 80; r++) print 1001 + r, 10001 + 8191 * int(rand() * 6), 20 + int(rand() * 50), rand() }' > named.csv
try zeroflow check named.csv
exits 0
has out 'uses 4 columns, drops 0; likely 1 identifier; likely 1 code (--drop)'
has out 'used; likely an identifier'
has out 'used; likely a code'
try zeroflow check named.csv --json
json columns 0 role = identifier
json columns 1 role = code
json columns 2 role = measure
try zeroflow fit named.csv -o named.model --iterations 2 --batch 16 --quiet --evidence none
exits 0
exact err 'zeroflow: fit: warning: columns are likely to hold identifiers or codes, whose values are not quantities; to leave them out: --drop subject,zip'
try zeroflow fit named.csv -o named.model --iterations 2 --batch 16 --quiet --evidence none --drop subject,zip
exits 0
empty err

# A wide table stays readable.
awk 'BEGIN { for (r = 0; r < 30; r++) for (c = 0; c < 600; c++)
    printf "%s%s", r ? (c == 77 ? 5 : sin(r * 13.7 + c * c)) : "v" c, c < 599 ? "," : "\n" }' > wide.csv
try zeroflow check wide.csv --json
json columns '#' = 600
json columns 77 constant = true
try zeroflow check wide.csv
exits 0
[ "$(wc -l < out)" -le 40 ] || fault "too long: $(wc -l < out) lines"
has out '600 columns'
has out v77
has out '--all'
try zeroflow check wide.csv --all
[ "$(wc -l < out)" -ge 600 ] || fault "--all does not show all"

# Files that cannot be used: exit 3, one line that names the file, no output.
unusable()
{
    try zeroflow check "$1"
    exits 3
    empty out
    lines err 1
    has err "zeroflow: check: $1"
}
: > empty.csv
echo 'a,b' > header.csv
printf 'a,b\n1,2\n3\n' > ragged.csv
printf 'a,b\n1,"2\n' > quote.csv
printf 'a,b\n1,\0\n' > nul.csv
printf 'a,b\n1,1e400\n' > huge.csv
printf 'a,a\n1,2\n2,3\n' > twice.csv
printf '\x93NUMPY\x01\x00\xff\xffnonsense' > broken.npy
gzip -c small.csv | head -c 40 > cut.csv.gz
for file in empty.csv header.csv ragged.csv quote.csv nul.csv huge.csv twice.csv broken.npy cut.csv.gz \
    absent.csv .; do
    unusable $file
done
has err 'zeroflow: check: .: '
try zeroflow check ragged.csv
has err 'ragged.csv:3: '

finish
