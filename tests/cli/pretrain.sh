# zeroflow pretrain: what it says and writes, from each kind of source, that training can be
# stopped and resumed, and what is refused.
. "$(dirname "$0")/common.sh"
golden=$tests/../golden/images

# noise N KEY: N bytes that differ from place to place, the same for the same key.
noise()
{
    awk -v n="$1" -v key="$2" 'BEGIN { srand(key); for (i = 0; i < n; i++) printf "%c", 32 + int(90 * rand()) }'
}
# idx N: N images of 28 x 28 in two classes, and their labels, in this folder.
idx()
{
    { printf '\0\0\10\3\0\0\0%b\0\0\0\34\0\0\0\34' "\\x$(printf %x "$1")"; noise $((784 * $1)) 1; } > train-images-idx3-ubyte
    { printf '\0\0\10\1\0\0\0%b' "\\x$(printf %x "$1")"; for i in $(seq "$1"); do printf "%b" "\\x0$((i % 2))"; done; } > train-labels-idx1-ubyte
}
mkdir digits few
(cd digits && idx 24)
(cd few && idx 5)
for i in $(seq 10); do printf '%b' "\\x0$((i % 3))"; noise 3072 "$i"; done > cifar.bin
noise $((4 * 27648)) 1 > train_X.bin
mkdir -p photos/cats photos/dogs
cp "$golden"/{rgb,l,deep}.png photos/cats
cp "$golden"/{colour,cmyk,turned6}.jpg photos/dogs
tar -C photos -cf photos.tar cats dogs
quick="--iterations 3 --batch 4 --dim 8"

# from SOURCE IMAGES SIZE [OPTION...]
from()
{
    try zeroflow pretrain "$1" -o m $quick --json --quiet "${@:4}"
    exits 0
    empty err
    json model = m
    json pictures = "$2"
    json size = "$3"
    [ -s m ] && [ -s m.checkpoint ] || fault "no model or no checkpoint"
}
from digits 24 32
json method = zeroflow
json iterations = 3
json resumed_from = 0
json dim = 8
json channels = 3
json batch = 4
json watermark = none
json knn = null
for field in seconds loss rectified zero parameters; do json_number $field; done
from cifar.bin 10 32 --method simclr --watermark patch
json method = simclr
json watermark = patch
json rectified = null
from digits 24 32 --method mae --dim 12 --blocks 2 --patch 8
json method = mae
json dim = 12
from train_X.bin 4 32 --size 32
from photos 6 16 --size 16
cp m folder
from photos.tar 6 16 --size 16 --threads 3
cmp m folder || fault "a folder and an archive of it train differently"
from photos 6 256 --size 256 --memory 1 --batch 2 --iterations 1
from digits 24 32 --bits 2 --watermark colour
json channels = 5

# The history, and what neighbours make of held-out images, which changes nothing.
try zeroflow pretrain digits -o plain --iterations 7 --batch 4 --dim 8 --quiet --history plain.csv
exits 0
empty err
has out 'Learnt 8 features from 24 images of 32 x 32 with zeroflow: 7 iterations'
lacks out Next
try zeroflow pretrain digits -o told --iterations 1 --batch 4 --dim 8
has out 'Next: zeroflow embed told digits -o features.npy'
try zeroflow pretrain digits -o seen --iterations 7 --batch 4 --dim 8 --watch few --watch-part train \
    --watch-every 3 --history h.csv
exits 0
has out 'of 5 held-out images classified correctly'
has err '7 of 7 (100%)'
has err 'images/s'
lines h.csv 8
head -1 h.csv > head
exact head iteration,loss,rectified,zero,rate,knn
[ "$(awk -F, 'NR > 1 && $6 != "" { printf "%s ", $1 }' h.csv)" = '3 6 7 ' ] || fault "looks are not after 3, 6 and 7"
cut -d, -f1-5 h.csv | cmp - plain.csv || fault "watching changes what is learnt"

# Watched while the images do not fit into memory: the same again.
for memory in 1 2048; do
    try zeroflow pretrain photos -o m$memory --size 256 --memory $memory $quick --batch 2 --watch photos --quiet --threads 3
    exits 0
done
cmp m1 m2048 || fault "what is learnt depends on --memory"

# Damaged images are left out and told of, in memory or not, and the same is learnt.
mkdir -p holes/cats holes/dogs
for class in cats dogs; do cp "$golden"/{rgb,l,deep,rgba,palette}.png holes/$class; done
head -c $(($(stat -c %s "$golden/rgb.png") * 2 / 3)) "$golden/rgb.png" > holes/cats/half.png
ln -s nowhere holes/dogs/gone.png
for memory in 1 2048; do
    try zeroflow pretrain holes -o h$memory --size 256 --memory $memory $quick --batch 2 --watch holes --quiet --json --threads $((memory % 3 + 1))
    exits 0
    left='holes: 2 left out, 10 images used; the first left out is cats/half.png: PNG: truncated'
    exact err "zeroflow: pretrain: warning: $left
zeroflow: pretrain: warning: $left"
    json pictures = 10
    json refused = 4
    json lost = 0
    json refusals 1 name = dogs/gone.png
done
cmp h1 h2048 || fault "what is learnt of holes depends on --memory"

# Images that vanish on the way. in_training COMMAND: runs it while pretrain trains on images
# that are not in memory, for a dozen steps more.
in_training()
{
    doing="pretrain while: $*"
    rm -rf lost lost.checkpoint live
    cp -r holes live
    rm live/cats/half.png live/dogs/gone.png
    zeroflow pretrain live -o lost --size 256 --memory 1 --batch 2 --dim 8 --every 1 --watch live --watch-every 1 \
        --iterations 9999 --quiet --json > out 2> err &
    child=$!
    for _ in $(seq 1200); do [ -e lost.checkpoint ] && break; sleep 0.05; done
    "$@"
    local seen="" now
    for _ in $(seq 1200); do
        now=$(stat -c %i-%Y lost.checkpoint)
        case $seen in *" $now "*) ;; *) seen="$seen $now " ;; esac
        [ "$(wc -w <<< "$seen")" -gt 12 ] || ! kill -0 $child 2> /dev/null && break
        sleep 0.05
    done
    kill -TERM $child 2> /dev/null
    wait $child
    code=$?
}
in_training rm live/cats/l.png
exits 130
has err 'warning: live: 1 left out, 9 images used; the first left out is cats/l.png: No such file or directory, where it could be read before'
in_training rm -r live/cats
exits 3
has err 'of its 10 images could be read before and no longer can: expected at most 1 such'
[ -e lost ] && fault "a model was written"
[ -s lost.checkpoint ] || fault "no checkpoint is left"

# Stopped by hand: what was learnt is kept, and the way to go on is told.
doing="pretrain interrupted"
zeroflow pretrain digits -o stopped --batch 4 --dim 8 --size 16 --every 1 --iterations 100000000 --quiet > out 2> err &
child=$!
for _ in $(seq 1200); do [ -e stopped.checkpoint ] && break; sleep 0.05; done
kill -TERM $child
wait $child
code=$?
exits 130
has err 'of 100,000,000 iterations; saved stopped and stopped.checkpoint; continue with: zeroflow pretrain digits'
try zeroflow embed stopped digits -o stopped.npy --quiet
exits 0

# Fewer images than a batch: all of them, with a word about it; refused if asked for.
try zeroflow pretrain few -o m --iterations 2 --dim 8 --json --quiet
exits 0
exact err 'zeroflow: pretrain: warning: few: 5 images are fewer than a batch of 256: every batch has all of them'
json batch = 5

# refused EXIT 'LINE' WORDS...: nothing is written.
refused()
{
    local expected=$1 line=$2
    shift 2
    rm -f kept kept.checkpoint
    refuses "$expected" "zeroflow: pretrain: $line" pretrain "$@" --iterations 2 --dim 8 --quiet
    [ -e kept ] || [ -e kept.checkpoint ] && fault "a file was written"
}
refused 3 'few: 5 images are fewer than the 6 of a batch: lower the batch' few -o kept --batch 6
mkdir none one one/only
cp photos/cats/* one/only
refused 3 'none: no images: expected CLASS/FILE.jpg or .png, found 0 other files' none -o kept
refused 2 'option --hidden applies to convolutions, this is mae' digits -o kept --method mae --hidden 8
refused 2 'option --decoder-dim applies to --method mae, this is zeroflow' digits -o kept --decoder-dim 8
refused 3 'absent: cannot open: No such file or directory' absent -o kept
refused 2 'option --output is missing: name a file for the model, as --output MODEL' digits
refused 2 'cifar.bin: --output would overwrite cifar.bin, which is read (IMAGES)' cifar.bin -o cifar.bin
refused 3 'nowhere/m: cannot write into its folder: No such file or directory' digits -o nowhere/m
refused 3 'nowhere/h.csv: cannot write into its folder: No such file or directory' digits -o kept --batch 4 --history nowhere/h.csv
refused 2 'kept: --history and --output (kept) are one file, expected two' digits -o kept --batch 4 --history kept
refused 2 'option --size: expected a whole number from 1 to 1024, found "20000"' digits -o kept --size 20000
refused 2 'images: expected a side of 16 pixels or a larger multiple of 4, found 30' digits -o kept --size 30 --batch 4
refused 2 'option --temperature applies to --method simclr, this is zeroflow' digits -o kept --temperature 1
refused 2 'option --zero-weight applies to --method zeroflow, this is simclr' digits -o kept --method simclr --zero-weight 1
refused 2 'option --masked applies to --method mae, this is zeroflow' digits -o kept --masked 0.5
refused 2 'transformer: expected at least one block and a width that is a multiple of its heads, found 12 blocks, width 8 and 3 heads' \
    digits -o kept --method mae --batch 4
refused 2 'option --watch-every applies to held-out images: add --watch' digits -o kept --watch-every 1
refused 3 'train_X.bin: the held-out images have no labels' digits -o kept --batch 4 --watch train_X.bin --watch-part train
refused 3 'train_X.bin: no labels to classify held-out images by' \
    train_X.bin -o kept --batch 4 --watch train_X.bin --watch-part train
refused 3 'one: one class; held-out images need at least two' one -o kept --batch 2 --size 16 --watch photos
mkdir -p both/cats both/birds
cp photos/cats/* both/cats
cp photos/cats/* both/birds
refused 3 'photos: class "dogs" is none of the classes of both' both -o kept --batch 2 --size 16 --watch photos
refused 3 'digits: no part "test": expected the files of IDX, CIFAR-10 or STL-10; of images by class, name the folder of that part' \
    digits -o kept --batch 4 --watch digits
refused 3 'm.checkpoint: "pictures" is "5", this run expects "24"' digits -o m --batch 5 --resume

# Killed without a chance to save, it goes on from the last checkpoint to the same bits.
doing="pretrain killed"
survives_a_kill "pretrain digits -o cut --batch 8 --dim 8 --size 16 --every 20 --iterations 600"
rm cut* whole*
survives_a_kill "pretrain photos -o cut --method mae --patch 16 --blocks 2 --dim 12 --batch 4 --size 128 --memory 1 --every 2 --iterations 40"
finish
