# zeroflow probe and reconstruct: what they say, from which images, and what is refused.
. "$(dirname "$0")/common.sh"

# idx NAME N: N images of 28 x 28, and labels 0 1 0 1 ... that their shade tells.
idx()
{
    local size
    size=$(printf '\\x%x' "$2")
    { printf "\\0\\0\\10\\3\\0\\0\\0$size\\0\\0\\0\\34\\0\\0\\0\\34"
      awk -v n="$2" -v key="$2" 'BEGIN { srand(key)
          for (i = 0; i < n; i++) for (p = 0; p < 784; p++) printf "%c", 33 + i % 2 * 60 + int(25 * rand()) }'
    } > "$1-images-idx3-ubyte"
    { printf "\\0\\0\\10\\1\\0\\0\\0$size"; for i in $(seq 0 $(($2 - 1))); do printf '%b' "\\x0$((i % 2))"; done; } > "$1-labels-idx1-ubyte"
}
mkdir digits
(cd digits && idx train 60 && idx t10k 30)
zeroflow pretrain digits -o m --size 16 --batch 8 --iterations 3 --dim 6 --quiet > said
zeroflow pretrain digits -o marked --size 16 --batch 8 --iterations 3 --dim 6 --watermark patch --method simclr --quiet > said
quick='--epochs 4 --quiet'

# The part for tests of the same folder; the shade is easily read.
try zeroflow probe m digits --json $quick
exits 0
empty err
json train_rows = 60
json test_rows = 30
json split = false
json classes = 2
json dim = 6
json size = 16
json method = zeroflow
json watermark = none
json test watermarked = null
json floors = null
json beats_floors = null
json chance = 0.5
json knn = 1.0
json ridge = 1.0
json test clean ridge = 1.0
for field in mean spread; do
    json_has linear $field
    json_has linear_standardised $field
    json_has test clean linear $field
done
cp out first
try zeroflow probe m digits --json $quick --threads 3
cmp out first || fault "another number of threads, another result"
try zeroflow probe m digits/train-images-idx3-ubyte digits/t10k-images-idx3-ubyte --json $quick
cmp out first || fault "two files differ from the folder of both"
try zeroflow probe m digits digits --json $quick
cmp out first || fault "the folder named twice differs"

# One source: a share of each class is held out. Fewer of either.
try zeroflow probe m digits/train-images-idx3-ubyte --json $quick --held-out 0.2
exits 0
json split = true
json train_rows = 48
json test_rows = 12
try zeroflow probe m digits --train-rows 21 --test-rows 9 --json $quick
json train_rows = 21
json test_rows = 9

# Watermarks: the model's, both kinds of images; none where it is asked for.
try zeroflow probe marked digits --json $quick
exits 0
json watermark = patch
json_has test watermarked linear mean
json_has test clean knn
[ "$("$json_get" ridge < out)" = "$("$json_get" test watermarked ridge < out)" ] ||
    fault "ridge is not that of watermarked images"
try zeroflow probe marked digits --watermark none --json $quick
json test watermarked = null
try zeroflow probe m digits --watermark colour $quick
exits 0
has out 'watermark colour'
has out 'watermarked  0.'

# Floors: pixels tell the shade as well as anything, so nothing beats them.
try zeroflow probe m digits --floors --json --plot bars.svg $quick
exits 0
empty err
json floors pixels dim = 768
json floors pixels test clean ridge = 1.0
json floors pca dim = 6
json_has floors pca test clean linear mean
json_has floors untrained test clean knn
json beats_floors clean ridge = false
json plot = bars.svg
has bars.svg '6 components'
try zeroflow probe m digits --floors $quick
has out 'm: zeroflow, 6 features of images of 16 x 16'
has out '  fitted on  60 images of 2 classes'
has out '  tested on  30 images; accuracy of a guess: 0.5000'
has out '  768 pixels        clean'
has out '1.0000*'
has out '* not above every floor: no better than without training'
! grep -q ' $' out || fault "a line ends in blanks"

# By class name, not by number: a folder for tests may lack classes, but has none of its own.
golden=$tests/../golden/images
mkdir -p photos/{ants,cats,dogs} test/{cats,dogs} fewer/{ants,cats} one/only odd/{cats,owls}
for class in ants cats; do cp "$golden"/{rgb,l,deep}.png photos/$class; done
cp "$golden"/{colour,cmyk,turned6}.jpg photos/dogs
cp photos/cats/rgb.png test/cats
cp photos/dogs/* test/dogs
cp photos/cats/* fewer/cats
cp photos/cats/rgb.png fewer/ants
cp photos/cats/* one/only
cp photos/cats/* odd/cats
cp photos/cats/* odd/owls
try zeroflow probe m photos test --json $quick --neighbours 1
exits 0
json train_rows = 9
json test_rows = 4
json classes = 3
tar -cf photos.tar photos
tar -cf test.tar test
cp out first
try zeroflow probe m photos.tar test.tar --json $quick --neighbours 1
cmp out first || fault "archives differ from folders"

# A folder with both: never are train and test taken for classes.
mkdir whole
cp -r photos whole/train
tar -C test -cf whole/val.tar cats dogs
try zeroflow probe m whole --json $quick --neighbours 1
cmp out first || fault "a folder with both parts differs"

# What cannot be read is left out of each source, and told of by both commands.
cp -r photos holes
head -c 40 "$golden/rgb.png" > holes/cats/cut.png
cp -r test gaps
ln -s nowhere gaps/dogs/gone.jpg
for words in "probe m holes gaps $quick --neighbours 1" "reconstruct m holes gaps --iterations 2 --batch 4 --quiet"; do
    try zeroflow $words --json
    exits 0
    exact err "zeroflow: ${words%% *}: warning: holes: 1 left out, 9 images used; the first left out is cats/cut.png: PNG: truncated
zeroflow: ${words%% *}: warning: gaps: 1 left out, 4 images used; the first left out is dogs/gone.jpg: No such file or directory"
    json train_rows = 9
    json test_rows = 4
    json refused = 2
    json refusals 1 source = gaps
done

# refused EXIT 'LINE' WORDS...
refused() { refuses "$1" "zeroflow: probe: $2" probe "${@:3}"; }
refused 3 'one: all images are of one class: expected at least two' m one
refused 3 'fewer: class "ants" has one image: expected at least two, some of which are used for testing' m fewer
refused 3 'odd: class "owls" is none of the classes of photos' m photos odd
cp digits/train-images-idx3-ubyte alone
refused 3 'alone: no labels: expected CLASS/FILE, or a file of labels beside the images or named by --labels' m alone
refused 3 'alone: no labels: expected CLASS/FILE, or a file of labels beside the images or named by --test-labels' m digits alone
try zeroflow probe m alone alone --labels digits/train-labels-idx1-ubyte --test-labels digits/train-labels-idx1-ubyte --json $quick
exits 0
json test_rows = 60
refused 3 'absent: cannot open: No such file or directory' absent digits
# A part for tests that is damaged is no reason to judge on other images.
cp -r digits halved
head -c 999 digits/t10k-images-idx3-ubyte > halved/t10k-images-idx3-ubyte
refused 3 'halved/t10k-images-idx3-ubyte: truncated: expected 23520 bytes of data at offset 16, found 983' m halved
refused 3 'absent: cannot open: No such file or directory' m absent
refused 3 'absent: cannot open: No such file or directory' m digits absent
refused 2 'option --plot: expected a name that ends in .png or .svg, found "bars"' m digits --plot bars
zeroflow generate chain --dim 4 --rows 50 -o chain.csv --quiet > said
zeroflow fit chain.csv -o blanket --iterations 2 --quiet > said
for command in probe reconstruct; do
    try zeroflow $command blanket digits
    exits 3
    empty out
    lines err 1
    has err blanket
    try zeroflow $command photos/cats/rgb.png digits
    exits 3
    lines err 1
done

# Reconstruction: decoded images beside the mean one; no labels needed.
steps='--iterations 40 --batch 20 --quiet'
try zeroflow reconstruct m digits -o sheets/of --json $steps
exits 0
empty err
json train_rows = 60
json test_rows = 30
json test watermarked = null
json pictures = sheets/of/reconstruction.png
json iterations = 40
for field in mse mean_picture; do json_number $field; done
[ "$(head -c 4 sheets/of/reconstruction.png | tail -c 3)" = PNG ] || fault "no image"
"$json_get" mse < out > mse && "$json_get" mean_picture < out > floor
awk '{ getline floor < "floor"; exit !($1 > 0 && $1 < floor) }' mse || fault "not better than the mean image"
cp out first
try zeroflow reconstruct m digits -o sheets/of --json $steps --threads 2
cmp out first || fault "another number of threads, another decoder"
try zeroflow reconstruct marked alone -o sheet.svg --count 3 --held-out 0.5 $steps
exits 0
has out 'fitted on  30 images, watermark patch'
has out 'tested on  30 images, held out evenly'
has out '  watermarked  '
has out 'Wrote sheet.svg'
touch file
refuses 3 'zeroflow: reconstruct: file: cannot make this folder: Not a directory' reconstruct m digits -o file $steps
finish
