# zeroflow embed: the features and what stands beside them, and what is refused.
. "$(dirname "$0")/common.sh"
golden=$tests/../golden/images
mkdir -p photos/cats photos/dogs
cp "$golden"/{rgb,l,deep}.png photos/cats
cp "$golden"/colour.jpg photos/dogs/'a, "b".jpg'
cp "$golden"/cmyk.jpg photos/dogs/$'tab\there.jpg'
head -c 300 "$golden/colour.jpg" > photos/dogs/cut.jpg
quick="--iterations 3 --batch 4 --dim 8 --size 16 --quiet"
zeroflow pretrain photos -o m $quick > out 2> err || fault "no model"

try zeroflow embed m photos -o f.npy --quiet
exits 0
exact err 'zeroflow: embed: warning: photos: 1 left out, 5 images used; the first left out is dogs/cut.jpg: JPEG: Premature end of JPEG file'
exact out 'f.npy: 8 features of 5 images
f.csv: which image each row is'
exact f.csv 'row,name,class
0,cats/deep.png,cats
1,cats/l.png,cats
2,cats/rgb.png,cats
3,"dogs/a, ""b"".jpg",dogs
4,"dogs/tab	here.jpg",dogs'
try zeroflow check f.npy --json
json rows = 5
json columns '#' = 8

# Where things go, and in which form.
try zeroflow embed m photos -o g.npy --names list.csv --projector p --json --threads 3 --memory 1
exits 0
json output = g.npy
json names = list.csv
json projector = p
json pictures = 5
json dim = 8
json size = 16
json method = zeroflow
json refused = 1
json lost = 0
json refusals 0 source = photos
json refusals 0 name = dogs/cut.jpg
json refusals 0 reason = 'JPEG: Premature end of JPEG file'
cmp f.npy g.npy || fault "features depend on threads"
cmp f.csv list.csv || fault "names differ"
exact p.metadata.tsv 'name	class
cats/deep.png	cats
cats/l.png	cats
cats/rgb.png	cats
dogs/a, "b".jpg	dogs
dogs/tab here.jpg	dogs'
lines p.vectors.tsv 5
[ "$(awk -F'\t' '{ print NF }' p.vectors.tsv | sort -u)" = 8 ] || fault "the vectors are not of 8 numbers"
{ printf '\0\0\10\3\0\0\0\3\0\0\0\34\0\0\0\34'; head -c 2352 /dev/zero; } > plain-idx3
try zeroflow embed m plain-idx3 -o h.npy
exits 0
has err '3 of 3 (100%)'
exact h.csv 'row,name,class
0,0,
1,1,
2,2,'
# Watermarks: by kind and seed.
for words in '--watermark patch' '--watermark colour' '--watermark patch --seed 1'; do
    try zeroflow embed m photos -o "${words// /}.npy" $words --quiet
    exits 0
done
[ "$(cat ./*.npy | wc -c)" = $((5 * 288 + 224)) ] || fault "files of features have another size"
[ "$(md5sum f.npy ./--*.npy | cut -c1-32 | sort -u | wc -l)" = 4 ] || fault "watermarks change nothing"

# Images that are not kept in memory: those that are damaged behind a good header, or cannot be
# opened, have no row, and the others have the same bits as in memory.
mkdir -p large/cats large/dogs
for class in cats dogs; do cp "$golden"/{rgb,l,deep,rgba,palette}.png large/$class; done
head -c $(($(stat -c %s "$golden/rgb.png") * 2 / 3)) "$golden/rgb.png" > large/cats/half.png
ln -s nowhere.png large/cats/gone.png
ln -s loop.png large/dogs/loop.png
zeroflow pretrain large -o l --size 256 --batch 2 --iterations 1 --dim 8 --quiet > out 2> err
for memory in 1 2048; do
    try zeroflow embed l large -o l$memory.npy --memory $memory --watermark patch --quiet --json
    exits 0
    exact err 'zeroflow: embed: warning: large: 3 left out, 10 images used; the first left out is cats/gone.png: No such file or directory'
    json pictures = 10
    json refused = 3
    json refusals 1 name = cats/half.png
    json refusals 2 reason = 'Too many levels of symbolic links'
    lines l$memory.csv 11
    lacks l$memory.csv half.png
done
cmp l1.npy l2048.npy || fault "features depend on --memory"
cmp l1.csv l2048.csv || fault "names depend on --memory"

# refused EXIT 'LINE' WORDS...: nothing is written.
refused()
{
    local expected=$1 line=$2
    shift 2
    refuses "$expected" "zeroflow: embed: $line" embed "$@"
    [ -e kept.npy ] || [ -e kept.csv ] && fault "a file was written"
}
refused 2 'option --output is missing: name a file for the features, as --output FEATURES.npy' m photos
refused 2 'option --output: expected a name that ends in .npy, found "kept"' m photos -o kept
refused 2 'kept.npy: --names and --output (kept.npy) are one file, expected two' m photos -o kept.npy --names kept.npy
refused 2 'option --size: m needs images of 16 pixels a side, found 32' m photos -o kept.npy --size 32
refused 3 'm.checkpoint: this is a checkpoint of zeroflow pretrain, expected a model of images (zeroflow pretrain makes one)' m.checkpoint photos -o kept.npy
refused 3 'absent: cannot open: No such file or directory' m absent -o kept.npy
refused 3 'absent: cannot open: No such file or directory' absent photos -o kept.npy
awk 'BEGIN { srand(5); print "a,b,c"; for (r = 0; r < 60; r++) print rand() "," rand() "," rand() }' > data.csv
zeroflow fit data.csv -o blankets --iterations 3 --quiet > out 2> err
refused 3 'blankets: this is a model of blankets, expected a model of images (zeroflow pretrain makes one)' blankets photos -o kept.npy
refuses 3 'zeroflow: blanket: m: this is a model of images, expected a model of blankets (zeroflow fit makes one)' blanket m --target a
refuses 3 'zeroflow: transform: m: this is a model of images, expected a reduction (zeroflow reduce makes one)' transform m data.csv
head -c 3000 m > short
try zeroflow embed short photos -o kept.npy
exits 3
lines err 1
[ -e kept.npy ] && fault "a file was written"
finish
