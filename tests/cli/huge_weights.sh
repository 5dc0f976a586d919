# Models whose weights are finite and far too large: every command that evaluates one fails
# with 3, names the file, and leaves nothing behind. Rows that are too large for a sound
# model likewise; a training that diverges by itself fails with 1.
. "$(dirname "$0")/common.sh"
scale_model=$(dirname "$json_get")/scale_model
golden=$tests/../golden/images

# fails FILE WORDS...: exit 3, the file's name and the reason, no output and no file "o...".
fails()
{
    local file=$1
    shift
    rm -rf o o.*
    try zeroflow "$@"
    exits 3
    empty out
    has err "$file: "
    has err '; the weights of the model, or its input values, are too large'
    lines err 1
    [ -z "$(find . -maxdepth 1 -name 'o' -o -maxdepth 1 -name 'o.*')" ] ||
        fault "left behind: $(ls -d o o.* 2> /dev/null)"
}

zeroflow generate chain --dim 9 --order 1 --rows 60 -o c.csv --truth t.csv --quiet > out
small="--iterations 3 --batch 16 --hidden 8 --quiet"
for gate in mlp lstm cnn; do
    zeroflow fit c.csv -o m --gate $gate $small > out || fault "no model with gate $gate"
    "$scale_model" m huge 1e38 || fault "not scaled"
    fails huge blanket huge --target x2
    has err 'the gate of "x'
    fails huge blanket huge --target x2 --json
    for format in csv graphml gml dot json npy; do fails huge graph huge -o o.$format; done
    fails huge graph huge
    fails huge graph huge --matrix --format json
    fails huge report huge -o o.html
    fails huge report huge -o o.html --truth t.csv
    fails huge certify huge c.csv --target x2
done
# What does not ask the model is not refused; nor are weights that a network can bear.
try zeroflow certify huge c.csv --target x2 --blanket x1,x3 --quiet
exits 0
"$scale_model" m larger 2
try zeroflow blanket larger --target x2 --json
exits 0

zeroflow reduce c.csv -t x1 -o r --marginals standard --dim 2 --iterations 5 --quiet > out
"$scale_model" r huger 1e38 code.
fails huger transform huger c.csv
fails huger transform huger c.csv -o o.csv
fails huger transform huger c.csv -o o.npy --json
far() { awk -F, -v OFS=, -v value="$1" 'NR == 5 { $3 = value } { print }' c.csv > far.csv; }
far 1e38
"$scale_model" r wide 1000 code.
for out in o.csv o.tsv o.npy -; do
    fails wide transform wide far.csv -o $out
    has err 'row 4, number 1 is not a number, expected a finite number'
done
far 1e299
refuses 3 'zeroflow: transform: far.csv: column "x3", row 4: 1e+299 is too large for the model'"'s scale" \
    transform r far.csv -o o.csv
[ ! -e o.csv ] || fault "codes were written"

mkdir -p photos/a photos/b
cp "$golden"/{rgb,l,deep}.png photos/a
cp "$golden"/{colour,cmyk}.jpg photos/b
for method in zeroflow simclr mae; do
    zeroflow pretrain photos -o v --method $method --size 16 --batch 4 --iterations 2 --dim 6 \
        --quiet > out || fault "no model by $method"
    "$scale_model" v hugev 1e38
    fails hugev embed hugev photos -o o.npy
    has err 'image 1, value 1 is '
    fails hugev embed hugev photos -o o.npy --projector o --json
    fails hugev probe hugev photos --epochs 2
    fails hugev audit hugev photos -o o.png
    fails hugev reconstruct hugev photos --iterations 2
done

# Its own doing: a decay that throws the weights ever farther to the other side.
rm -rf o
try zeroflow fit c.csv -o o --rate 10 --decay 1000 --iterations 50 --quiet
exits 1
has err 'the loss is '
empty out
[ ! -e o ] || fault "a model was written"
finish
