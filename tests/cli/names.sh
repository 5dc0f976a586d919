# Names from outside - columns, files, classes, images - reach the terminal as text, whatever
# they hold, and the commands that are suggested name what they should.
. "$(dirname "$0")/common.sh"
images=$tests/../golden/images

# What no name may bring to a terminal: control characters but newline and tab, DEL, the C1
# controls and the marks that turn or hide text, as UTF-8, and bytes that are no UTF-8.
safe()
{
    local file
    for file in out err; do
        ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]' "$file" || fault "$file has a control character"
        ! LC_ALL=C grep -qP '\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c|\xef\xbb\xbf' "$file" ||
            fault "$file has a C1 control or a mark of direction"
        iconv -f UTF-8 -t UTF-8 < "$file" > /dev/null 2>&1 || fault "$file is no UTF-8"
    done
}
# says EXIT WORDS...: as text and as JSON.
says()
{
    local expected=$1
    shift
    try zeroflow "$@"
    exits "$expected"
    safe
    try zeroflow "$@" --json
    exits "$expected"
    safe
}

escape=$'\033]0;title\007\033[31mred'
c1=$'c1\302\2332J'
bidi=$'x\342\200\256cod.exe'
shell="\$(touch pwned) 'quote\` & ; \\ *"
lines=$'two\nlines\rback\bspace\177'
folder=$'f\033[2J\377 $(touch pwned)'
mkdir "$folder"
data="$folder/data.csv"
{
    printf '"%s","%s","%s","%s","%s",-t,plain\n' "$escape" "$c1" "$bidi" "$shell" "$lines"
    LC_ALL=C awk 'BEGIN { srand(3); for (i = 0; i < 60; i++) {
        a = rand(); printf "%g,%g,%g,%g,%g,%g,%g\n", a, a + rand(), rand(), rand(), rand(), rand(), rand() } }'
} > "$data"
model=$folder/$'m\033[31m $(touch pwned)'
quick='--iterations 3 --batch 16 --hidden 4'

says 0 check "$data" --all
says 0 fit "$data" -o "$model" $quick
says 0 blanket "$model" --target "$escape" --threshold 0
says 2 blanket "$model" --target "${escape}x"
says 2 blanket "$model" --target $'nothing\033[2J'
says 0 graph "$model" -o "$folder/g.csv"
says 0 baseline partial "$data" -o "$folder/b.csv"
printf 'source,target\n"%s","%s"\n' "$escape" "$c1" > "$folder/truth.csv"
says 0 score "$folder/b.csv" --truth "$folder/truth.csv" --nodes "$data"
says 0 report "$model" -o "$folder/r.html"
says 0 split "$data" -o "$folder/s1.csv" --held-out "$folder/s2.csv"
says 0 two-sample "$folder/s1.csv" "$folder/s2.csv" --method energy --permutations 19
says 0 independent "$data" -x "$escape" -y "$c1" --given "$bidi" --draws 99
says 0 certify "$model" "$data" --target "$lines" --draws 99 --top 2
says 0 reduce "$data" -o "$folder/red" -t "$shell" --dim 1 --iterations 3
says 0 transform "$folder/red" "$data" -o "$folder/codes.csv"
says 3 transform "$folder/red" "$folder/codes.csv" -o x.csv
for command in "check" "fit -o x" "blanket -t x" "graph" "report -o x.html" "score --truth x" "images"; do
    says 3 $command "$folder/none"$'\033'
done

# A terminal gets data made safe, too; a pipe or a file gets the bytes as they are.
zeroflow graph "$model" > out || fault "graph failed"
has out "$escape"
if command -v script > /dev/null; then
    doing="graph on a terminal"
    MODEL=$model script -qec 'zeroflow graph "$MODEL" | cat > piped; zeroflow graph "$MODEL"' /dev/null < /dev/null > out
    cmp -s piped <(zeroflow graph "$model") || fault "a pipe got other bytes"
    tr -d '\r' < out > seen
    mv seen out
    safe
    has out '\x1b'
fi

# What is suggested, a line each; and line N of it, run by a shell.
suggestions() { grep -oE 'zeroflow (blanket|graph|transform|embed) .*' out; }
run_suggestion()
{
    doing="suggestion $1: $(suggestions | sed -n "$1p")"
    suggestions | sed -n "$1p" | grep -q . || fault "nothing is suggested"
    bash -c "$(suggestions | sed -n "$1p")" > said 2> err || fault "it fails"
    [ ! -e pwned ] || fault "the name was run"
}
for column in "$escape" "$c1" "$bidi" "$shell" "$lines" -t --json "it's" 'a,b' '=1' plain; do
    { printf '"%s",zz\n' "$column"; tail -n 60 "$data" | cut -d, -f1,2; } > one.csv
    try zeroflow fit one.csv -o "$model" $quick
    exits 0
    safe
    cp out first
    run_suggestion 1
    bash -c "$(suggestions | sed -n 1p) --json" > out 2> err
    json target 0 = "$column"
    cp first out
    run_suggestion 2
done
cp one.csv ./-dash.csv
try zeroflow fit --output=-m $quick -- -dash.csv
exits 0
run_suggestion 1
run_suggestion 2
try zeroflow reduce "$data" -o "$folder/red" -t plain --dim 1 --iterations 3
run_suggestion 1
for words in "fit $quick" "reduce -t plain --dim 1 --iterations 3"; do
    try zeroflow $words "$data" -o "$model" -q
    exits 0
    lacks out Next
    safe
done
# A run that is stopped says how to go on, safely.
zeroflow fit "$data" -o "$model" --iterations 100000000 --batch 16 --hidden 4 > out 2> err &
child=$!
for _ in $(seq 1200); do [ -e "$model.checkpoint" ] && break; sleep 0.05; done
sleep 0.3
kill -TERM $child
wait $child
code=$? doing="a stopped fit"
exits 130
safe
has err "continue with: zeroflow fit \$'f\\033[2J"

# Images and classes.
photos=$folder/photos
mkdir -p "$photos/$escape" "$photos/$bidi"
cp "$images"/{rgb,l,deep}.png "$photos/$escape"
cp "$images/colour.jpg" "$photos/$bidi/$c1.jpg"
cp "$images/rgb.png" "$photos/$bidi/$shell.png"
head -c 300 "$images/colour.jpg" > "$photos/$bidi/$lines.jpg"
small='--iterations 3 --batch 2 --dim 8 --size 16'
says 0 images "$photos" --all
says 0 pretrain "$photos" -o "$model" $small
try zeroflow pretrain "$photos" -o "$model" $small
run_suggestion 1
try zeroflow pretrain "$photos" -o "$model" $small -q
lacks out Next
says 0 embed "$model" "$photos" -o "$folder/f.npy" --projector "$folder/p"
says 0 audit "$model" "$photos" -o "$folder/a.svg"
says 0 probe "$model" "$photos" "$photos" --neighbours 1
says 3 probe "$model" "$folder/none" "$photos"
says 3 embed "$folder/none" "$photos" -o x.npy
finish
