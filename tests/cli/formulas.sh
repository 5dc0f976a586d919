# --guard-formulas: names that a spreadsheet would run, in every CSV that holds names; and as they
# are without it.
. "$(dirname "$0")/common.sh"
images=$tests/../golden/images
names=('=cmd|x' '+1' '-1+2' '@SUM(A1)' $'\t=1' $'\n=1' '＝1' 'plain' "'quoted" 'a=b')
{
    for name in "${names[@]}"; do printf '"%s",' "$name"; done | sed '$ s/,$//'
    echo
    LC_ALL=C awk 'BEGIN { srand(5); for (i = 0; i < 40; i++) {
        for (j = 0; j < 10; j++) printf "%s%g", j ? "," : "", rand() - 0.5; print "" } }'
} > data.csv
zeroflow fit data.csv -o m --iterations 2 --batch 16 --hidden 4 --quiet > said || fault "no model"

# cells FILE: the cells of a CSV file, NUL between them.
cells() { python3 -c '
import csv, sys
for row in csv.reader(open(sys.argv[1], encoding="utf-8", newline="")):
    for cell in row: sys.stdout.write(cell + "\0")' "$1"; }
# holds FILE: what the cells of these names have become.
guarded()
{
    local name cell found
    declare -A found=()
    while IFS= read -r -d '' cell; do
        found[$cell]=1
        case $cell in
        '='* | '+'* | '@'* | $'\t'* | $'\n'* | '＝'*) fault "$1 has the cell $cell" ;;
        '-'*) [[ $cell =~ ^-[0-9.]+(e-?[0-9]+)?$ ]] || fault "$1 has the cell $cell" ;;
        esac
    done < <(cells "$1")
    for name in "${names[@]:0:7}"; do [ "${found["'$name"]:-}" ] || fault "$1 lacks '$name"; done
    for name in "${names[@]:7}"; do [ "${found[$name]:-}" ] || fault "$1 lacks $name"; done
}
as_they_are()
{
    local name cell found
    declare -A found=()
    while IFS= read -r -d '' cell; do found[$cell]=1; done < <(cells "$1")
    for name in "${names[@]}"; do [ "${found[$name]:-}" ] || fault "$1 lacks $name"; done
}
for guard in "" --guard-formulas; do
    check=${guard:+guarded}
    check=${check:-as_they_are}
    try zeroflow graph m --all -o graph.csv $guard && $check graph.csv
    exits 0
    try zeroflow graph m --matrix -o gates.csv $guard && $check gates.csv
    try zeroflow graph m --all $guard
    mv out standard.csv && $check standard.csv
    try zeroflow baseline partial data.csv -o partial.csv $guard && $check partial.csv
    exits 0
    try zeroflow split data.csv -o train.csv --held-out held.csv $guard && $check train.csv && $check held.csv
    exits 0
done
# What is guarded reads back with the apostrophe, what is not as it was.
try zeroflow split data.csv -o train.csv --held-out held.csv
zeroflow check train.csv --json > out
json columns 0 name = '=cmd|x'
try zeroflow split data.csv -o train.csv --held-out held.csv --guard-formulas
zeroflow check train.csv --json > out
json columns 0 name = "'=cmd|x"
json columns 7 name = plain
refuses 2 'zeroflow: graph: --guard-formulas works with csv, not with json' graph m --format json --guard-formulas

mkdir -p "photos/=class" photos/b
cp "$images/rgb.png" 'photos/=class/-a.png'
cp "$images/l.png" 'photos/b/@b.png'
zeroflow pretrain photos -o vision --dim 8 --size 16 --batch 2 --iterations 2 --quiet > said
try zeroflow embed vision photos -o f.npy --quiet
cells f.csv | tr '\0' '\n' > got
grep -qx '=class' got || fault "embed: the class is not as it was"
try zeroflow embed vision photos -o f.npy --guard-formulas --quiet
exits 0
cells f.csv | tr '\0' '\n' > got
grep -qx "'=class" got || fault "embed: the class is not guarded"
! grep -q '^[=+@]' got || fault "embed: a formula"
finish
