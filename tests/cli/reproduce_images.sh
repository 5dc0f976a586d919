# zeroflow reproduce with images: each study on a few images of three classes, told apart
# by their brightness, by its numbers and files; and what it refuses.
. "$(dirname "$0")/common.sh"
golden=$tests/../golden/images
cifar cifar10 90 30
cifar few 24 12
scale="--scale 0.0004"

refuses 2 'zeroflow: reproduce: shortcut needs --data PATH: a folder with train.tar and val.tar, with train/ and val/ of CLASS/FILE.jpg or .png, or with the files of CIFAR-10, STL-10 or Fashion-MNIST' \
    reproduce shortcut
[ -e zeroflow-reproduce ] && fault "a folder was made"
refuses 2 'zeroflow: reproduce: lattice has no images and no --size' reproduce lattice --size 32
refuses 3 'zeroflow: reproduce: nothing: cannot open: No such file or directory' \
    reproduce encodings --data nothing

# Two methods, with the watermark and without.
try zeroflow reproduce shortcut --data cifar10 $scale --quiet --json
exits 0
empty err
json set name = CIFAR-10
json set pictures = 90
json set test_rows = 30
json iterations = 2
json runs '#' = 4
json runs 0 method = simclr
json runs 0 watermark = none
json runs 3 method = zeroflow
json runs 3 watermark = patch
json runs 3 curve '#' = 2
between 0.9 1 runs 0 knn
between 0.01 100 ratios simclr
between 0.2 5 ratios zeroflow
lines zeroflow-reproduce/shortcut/runs.csv 5
lines zeroflow-reproduce/shortcut/simclr-patch.csv 3
figure zeroflow-reproduce/shortcut shortcut
try zeroflow reproduce shortcut --data cifar10 $scale --quiet --threads 1 -o again
exits 0
has out 'CIFAR-10, 90 training images of 32 x 32, 2 iterations'
grep -qE '^  zero-flow +0\.[0-9]{4} +0\.[0-9]{4} +[0-9]\.[0-9]{3} ' out || fault "no row of zero-flow"

# Codes of 512 and of two numbers, grey and coloured.
try zeroflow reproduce encodings --data cifar10 $scale --quiet --json -o encodings
exits 0
empty err
json runs '#' = 4
json runs 0 dim = 512
json runs 1 watermark = colour
json runs 2 dim = 2
between 0 1 runs 3 knn
lines encodings/runs.csv 5
figure encodings encodings
figure encodings encodings-plane
try zeroflow reproduce encodings --data cifar10 $scale --quiet -o text
exits 0
grep -qE '^  2   numbers +random +0\.[0-9]{4} +[01]\.[0-9]{3}$' out || fault "no row of two numbers"

# Three methods with up to 16 bits.
try zeroflow reproduce bits --data few --size 16 $scale --quiet --json -o bits
exits 0
empty err
json runs '#' = 18
json runs 0 method = zeroflow
json runs 5 bits = 16
json runs 17 method = mae
json runs 17 iterations = 2
between 0.5 1 runs 0 score knn
between 0 1 runs 17 score linear mean
json runs 17 score ridge = null
lines bits/runs.csv 19
figure bits bits

# Features of marked images beside those of clean ones, and what is drawn from them.
mkdir -p photos/train/{a,b} photos/val/{a,b}
for part in train val; do
    cp "$golden"/{rgb,l,deep}.png photos/$part/a
    cp "$golden"/{colour,cmyk,turned6}.jpg photos/$part/b
done
ln -s nowhere photos/val/b/gone.jpg
try zeroflow reproduce table2 --data few,photos --size 16 $scale --quiet --json -o table2
exits 0
exact err 'zeroflow: reproduce: warning: photos/val: 1 left out, 6 images used; the first left out is b/gone.jpg: No such file or directory'
json sets 1 refused = 1
json sets 1 refusals 0 name = b/gone.jpg
json sets 0 refused = 0
json sets '#' = 2
json sets 0 name = CIFAR-10
json sets 1 name = photos
json sets 1 size = 16
json sets 1 classes = 2
json sets 0 cells '#' = 8
json sets 0 cells 3 method = simclr
json sets 0 cells 3 watermark = patch
json sets 0 cells 6 method = untrained
between 0.9 1 sets 0 cells 0 score ridge
between 0 1 sets 0 cells 1 clean_tests knn
between 0.0001 1 sets 1 cells 5 mse
between 0.0001 1 sets 1 cells 5 mse_rest
lines table2/runs.csv 17
figure table2 table2

try zeroflow reproduce reconstruction --data few --size 16 $scale --quiet -o reconstruction
exits 0
empty err
grep -qE '^  MAE +0\.[0-9]{4} +0\.[0-9]{4} +0\.[0-9]{4}$' out || fault "no row of MAE"
grep -qE '^  mean image +0\.[0-9]{4}$' out || fault "no row of the mean image"
lines reconstruction/runs.csv 4
figure reconstruction reconstruction

refuses 3 'zeroflow: reproduce: photos/train: expected two parts, train and test: a folder with train.tar and val.tar, with train/ and val/ of CLASS/FILE.jpg or .png, or with the files of CIFAR-10, STL-10 or Fashion-MNIST' \
    reproduce table2 --data photos/train
mv photos/val/b photos/val/c
refuses 3 'zeroflow: reproduce: photos/val: class "c" is none of the classes of photos/train' \
    reproduce reconstruction --data photos
finish
