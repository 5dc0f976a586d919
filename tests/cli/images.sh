# zeroflow images: text, JSON, the sheet, options, bad sources, the real sets.
. "$(dirname "$0")/common.sh"
golden=$tests/../golden/images

mkdir -p photos/cats photos/dogs
cp "$golden"/{rgb,l,deep}.png photos/cats
cp "$golden"/{colour,cmyk,turned6}.jpg photos/dogs
head -c 300 "$golden/colour.jpg" > photos/dogs/cut.jpg
: > photos/dogs/empty.png
echo hello > photos/readme.txt
try zeroflow images photos --quiet
exits 0
empty err
has out 'photos: folder, 6 images'
has out 'dogs/cut.jpg: JPEG: Premature end of JPEG file'
has out 'dogs/empty.png: empty'
has out '1 file without the name of an image'
grep -qE '^  cats +3$' out || fault "cats are not counted"

try zeroflow images photos --json --size 32 --quiet
exits 0
empty err
json kind = folder
json pictures = 6
json labelled = 6
json grey = 2
json size = 32
json in_memory = true
json widths 0 = 19
json widths 1 = 48
json most_common pictures = 3
json classes '#' = 2
json classes 1 name = dogs
json classes 1 pictures = 3
json refused = 2
json refusals 1 name = dogs/empty.png
json other_files = 1
json labels = null
json view_seconds = null

# What cannot be opened is told of by name, whether it is kept or not: links to nowhere and to
# themselves; files and folders that only others may read.
mkdir -p closed/cats closed/dogs closed/birds
for class in cats dogs birds; do cp "$golden"/{rgb,l,deep}.png closed/$class; done
ln -s nowhere closed/cats/gone.png
ln -s loop closed/loop
mkfifo closed/cats/pipe.png
for memory in 1 2048; do
    try zeroflow images closed --size 512 --memory $memory --json
    exits 0
    json in_memory = $([ $memory = 1 ] && echo false || echo true)
    json pictures = 9
    json refused = 3
    json refusals 0 name = cats/gone.png
    json refusals 0 reason = 'No such file or directory'
    json refusals 1 reason = 'a pipe or device, expected a file'
    json refusals 2 name = loop
    json refusals 2 reason = 'Too many levels of symbolic links'
done
try zeroflow images closed
has out 'left out  3:'
has out 'cats/gone.png: No such file or directory'

# Root reads everything: then as nobody, if that can be done here.
chmod 000 closed/dogs closed/birds/l.png
chmod 755 .
as_other=
[ "$(id -u)" != 0 ] || as_other='setpriv --reuid=65534 --regid=65534 --clear-groups'
if $as_other test -r closed && $as_other zeroflow --version > out 2> err; then
    try $as_other zeroflow images closed --json
    exits 0
    json pictures = 5
    json refused = 5
    json refusals 0 name = birds/l.png
    json refusals 0 reason = 'Permission denied'
    json refusals 3 name = dogs
    json refusals 3 reason = 'Permission denied'
else
    echo "not tried as another user: no setpriv, or no way to the command"
fi
chmod 755 closed/dogs

# The same set as an archive, plain and gzipped, and with hostile names.
tar -C photos -cf photos.tar cats dogs
gzip -k photos.tar
for source in photos.tar photos.tar.gz; do
    try zeroflow images $source --json
    exits 0
    json kind = tar
    json pictures = 6
    json refused = 2
done
mkdir -p $'odd/\033[31mred'
cp "$golden/rgb.png" $'odd/\033[31mred/a\xff.png'
head -c 50 "$golden/rgb.png" > $'odd/\033[31mred/b\n.png'
tar -C odd -cf odd.tar .
try zeroflow images odd.tar
exits 0
lacks out $'\033'
try zeroflow images odd.tar --json
exits 0
json classes 0 name = $'\033[31mred'

# Sheets: the same seed the same bytes, another seed or watermark others.
try zeroflow images photos --sheet a.png --size 32
exits 0
has out 'Wrote a.png'
zeroflow images photos --sheet b.png --size 32 --threads 1 > out
cmp a.png b.png || fault "two sheets differ"
for change in '--seed 1' '--watermark patch' '--watermark colour' '--views 1' '--count 3'; do
    try zeroflow images photos --sheet b.png --size 32 $change --json
    exits 0
    json sheet = b.png
    json_number view_seconds
    ! cmp -s a.png b.png || fault "$change changes nothing"
done
try zeroflow images photos --sheet c.svg --count 2 --views 0
exits 0
head -c 100 c.svg | grep -q svg || fault "no SVG"

# As high as a sheet can be.
try zeroflow images photos --sheet d.png --count 1 --views 30 --size 8
exits 0
try zeroflow images photos --sheet d.png --count 200 --views 4 --size 8
exits 0

# IDX with its labels, given and found; STL-10 cut short.
{ printf '\0\0\10\3\0\0\0\3\0\0\0\34\0\0\0\34'; head -c 2352 /dev/zero; } > train-images-idx3-ubyte
printf '\0\0\10\1\0\0\0\3\1\2\1' > train-labels-idx1-ubyte
printf '\0\0\10\1\0\0\0\2\1\2' > few
try zeroflow images train-images-idx3-ubyte --json
exits 0
json kind = IDX
json size = 32
json labels = train-labels-idx1-ubyte
json classes 1 pictures = 2
refuses 3 'zeroflow: images: few: 2 labels, expected 3, one for each image of train-images-idx3-ubyte' \
    images train-images-idx3-ubyte --labels few
head -c 50000 /dev/zero > train_X.bin
refuses 3 'zeroflow: images: train_X.bin: cut short: 50000 bytes, expected a multiple of 27648, one STL-10 image each; 22352 are left over' \
    images train_X.bin

# A set that is larger than allowed is not kept; a gzipped one must be.
try zeroflow images photos --size 512 --memory 1 --json --sheet d.png --count 6
exits 0
json in_memory = false
json refused = 2
try zeroflow images photos.tar.gz --size 512 --memory 1
exits 3
has err 'unpack it, or allow more memory'

mkdir none
refuses 3 'zeroflow: images: none: no images: expected CLASS/FILE.jpg or .png, found 0 other files' images none
mkdir boxes
cp photos.tar.gz boxes/b.tar.gz
cp photos.tar.gz boxes/a.tar
refuses 3 'zeroflow: images: boxes: no images, but archives: name one, such as boxes/a.tar' images boxes
refuses 3 'zeroflow: images: absent: cannot open: No such file or directory' images absent
refuses 2 'zeroflow: images: option --sheet: expected a name that ends in .png or .svg, found "sheet"' \
    images photos --sheet sheet
refuses 2 'zeroflow: images: option --views applies to the sheet: add --sheet FILE' images photos --views 3
refuses 2 'zeroflow: images: --count 200 with --views 9 makes 200 rows of images, expected at most 100' \
    images photos --sheet a.png --count 200 --views 9
refuses 3 'zeroflow: images: photos: no part "test": expected the files of IDX, CIFAR-10 or STL-10; of images by class, name the folder of that part' \
    images photos --part test
finish
