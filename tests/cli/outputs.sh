# No command writes over what it reads, or twice over one file, however the file is named: every
# output of every command against every input and every other output. It is found out before
# anything is opened, so that the inputs here need not be what they are called.
. "$(dirname "$0")/common.sh" "$@"

mkdir -p pics/cat held/cat
for file in data.csv data.model truth.csv forbid.csv require.csv sets.txt pics/cat/1.png \
    held/cat/1.png labels held.labels; do
    echo "$file, as it was" > $file
done
find . -type f ! -name out ! -name err ! -name before ! -path './bin/*' | sort | xargs md5sum > before

untouched() { md5sum --quiet -c before > sums 2>&1 || fault "an input was changed: $(cat sums)"; }
litter() { find . -name '.zeroflow-*' | grep -q . && fault "left $(find . -name '.zeroflow-*')"; }

# other_names FILE: spellings of it and links to it.
other_names()
{
    local file=$1 twin
    twin=$(echo "$file" | tr / -)
    ln -sf "$file" "soft-$twin"
    ln -f "$file" "hard-$twin"
    echo "$file" "./$file" "pics/../$file" "soft-$twin" "hard-$twin"
}

# over 'COMMAND WORDS' 'INPUT...' 'OUTPUT-OPTION...': each option with each input's names. An
# input that is a folder stands for what is in it and what would be.
over()
{
    local words=$1 inputs=$2 outputs=$3 command=${1%% *} output input name
    for output in $outputs; do
        echo "$command $output" >> covered
        for input in $inputs; do
            if [ -d "$input" ]; then
                names="$(other_names "$input/cat/1.png") $input/new.png $input/cat/new ./$input/x"
            else
                names=$(other_names "$input")
            fi
            for name in $names; do
                try zeroflow $words $output "$name"
                exits 2
                empty out
                lines err 1
                has err "zeroflow: $command: $name: $output "
                has err "$input"
                has err 'which is read ('
            done
        done
    done
    untouched
    litter
}

# twice 'COMMAND WORDS' OPTION OPTION: two outputs that are one file, new or old.
twice()
{
    local name
    echo old > old
    for name in new ./new old pics/../old; do
        try zeroflow $1 $2 "${name##*/}" $3 "$name"
        exits 2
        empty out
        lines err 1
        has err 'are one file, expected two'
    done
    [ ! -e new ] || fault "new was written"
    exact old old
}

over 'split data.csv' data.csv '--output --held-out'
over 'fit data.csv --forbid forbid.csv --require require.csv' 'data.csv forbid.csv require.csv' \
    '--output --checkpoint'
over 'graph data.model' data.model --output
over 'baseline partial data.csv' data.csv --output
over 'tests data.csv x' data.csv '--output --plot'
over 'independent data.csv --x a --y b' data.csv --plot
over 'certify data.model data.csv --target x' 'data.model data.csv' --plot
over 'report data.model data.csv --truth truth.csv' 'data.model data.csv truth.csv' --output
over 'reduce data.csv --target x' data.csv '--output --checkpoint'
over 'transform data.model data.csv' 'data.model data.csv' --output
over 'images pics --labels labels' 'pics labels' --sheet
over 'pretrain pics --watch held --labels labels' 'pics held labels' \
    '--output --checkpoint --history'
over 'embed data.model pics --labels labels' 'data.model pics labels' '--output --names'
over 'audit data.model pics --labels labels' 'data.model pics labels' --output
over 'probe data.model pics held --labels labels --test-labels held.labels' \
    'data.model pics held labels held.labels' --plot

twice 'split data.csv' --output --held-out
twice 'fit data.csv' --output --checkpoint
twice 'reduce data.csv --target x' --output --checkpoint
twice 'tests data.csv x' --output --plot
twice 'pretrain pics' --output --history
twice 'pretrain pics' --checkpoint --history
twice 'embed data.model pics' --output --names
twice 'generate chain' --output --truth
twice 'generate chain' --output --precision
twice 'generate chain' --truth --precision
printf '%s\n' 'generate --output' 'generate --truth' 'generate --precision' >> covered

# Names that a command makes itself.
cp data.csv m.checkpoint
refuses 2 'zeroflow: fit: m.checkpoint: --checkpoint would overwrite m.checkpoint, which is read (DATA)' \
    fit m.checkpoint -o m
refuses 2 'zeroflow: reduce: m.checkpoint: --checkpoint would overwrite m.checkpoint, which is read (DATA)' \
    reduce m.checkpoint --target x -o m
refuses 2 'zeroflow: pretrain: m.checkpoint: --checkpoint would overwrite m.checkpoint, which is read (IMAGES)' \
    pretrain m.checkpoint -o m
refuses 2 'zeroflow: pretrain: m.checkpoint: --checkpoint and --history (m.checkpoint) are one file, expected two' \
    pretrain pics -o m --history m.checkpoint
cp data.model f.csv
refuses 2 'zeroflow: embed: f.csv: --names would overwrite f.csv, which is read (MODEL)' \
    embed f.csv pics -o f.npy
for end in vectors metadata; do
    cp data.model p.$end.tsv
    refuses 2 "zeroflow: embed: ./p.$end.tsv: --projector would overwrite p.$end.tsv, which is read (MODEL)" \
        embed p.$end.tsv pics -o g.npy --projector ./p
done
refuses 2 'zeroflow: embed: ./p.vectors.tsv: --projector and --names (p.vectors.tsv) are one file, expected two' \
    embed data.model pics -o g.npy --names p.vectors.tsv --projector ./p
cp data.model sheet.png
refuses 2 'zeroflow: reconstruct: ./sheet.png: --output would overwrite sheet.png, which is read (MODEL)' \
    reconstruct sheet.png pics -o ./sheet.png
refuses 2 'zeroflow: reconstruct: pics/new: --output lies in pics, which is read (TRAIN); write elsewhere' \
    reconstruct data.model pics -o pics/new
refuses 2 'zeroflow: reconstruct: held/new.png: --output lies in held, which is read (TEST); write it elsewhere' \
    reconstruct data.model pics held -o held/new.png
mkdir out-folder
cp data.csv out-folder/runs.csv
refuses 2 'zeroflow: reproduce: out-folder/runs.csv: --output would overwrite ./out-folder/runs.csv, which is read (--data)' \
    reproduce sp500 --data ./out-folder/runs.csv -o out-folder
refuses 2 'zeroflow: reproduce: pics/results: --output lies in pics, which is read (--data); write elsewhere' \
    reproduce table2 --data held,pics -o pics/results
[ ! -e pics/results ] || fault "a folder was made among the images"
echo 'a,b' > sets
awk 'BEGIN { print "a,b,c"; for (i = 0; i < 20; i++) print i % 7 "," i % 5 "," i % 3 }' > abc.csv
refuses 2 'zeroflow: fit: ./sets: --output would overwrite sets, which is read (--targets)' \
    fit abc.csv --targets sets -o ./sets --quiet
printf '%s\n' 'embed --projector' 'reconstruct --output' 'reproduce --output' >> covered
exact sets a,b
untouched
litter

# What standard input comes from is an input too.
doing="standard input"
zeroflow baseline partial - -o abc.csv < abc.csv > out 2> err
code=$?
exits 2
exact err 'zeroflow: baseline: abc.csv: --output would overwrite standard input, which is read (DATA)'

# Labels that are found beside the images.
printf '\000\000\010\003\000\000\000\002\000\000\000\020\000\000\000\020' > two-images-idx3-ubyte
head -c 512 /dev/zero >> two-images-idx3-ubyte
printf '\000\000\010\001\000\000\000\002\000\001' > two-labels-idx1-ubyte
md5sum two-labels-idx1-ubyte > labels.md5
try zeroflow images two-images-idx3-ubyte --sheet two-labels-idx1-ubyte
exits 2
ln -s two-labels-idx1-ubyte l.png
refuses 2 'zeroflow: images: l.png: --sheet would overwrite two-labels-idx1-ubyte, which is read (the labels)' \
    images two-images-idx3-ubyte --sheet l.png
md5sum --quiet -c labels.md5 || fault "the labels were overwritten"

# Not one output is forgotten above; demo reads nothing.
doing="all outputs"
zeroflow docs files | awk '$3 != "read" { print $1, $2 }' |
    grep -vxF -e 'demo --output' -e 'reproduce --data' | sort > all
sort -u covered | diff - all > differ || fault "outputs that this test does not know: $(cat differ)"

# A file of the user's is never taken for a temporary one.
echo mine > g.csv.partial
echo mine > g.csv.lock
try zeroflow generate chain --rows 5 --dim 4 -o g.csv
exits 0
exact g.csv.partial mine
exact g.csv.lock mine
lines g.csv 6
litter
finish
