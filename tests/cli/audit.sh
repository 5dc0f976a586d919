# zeroflow audit: shares of the image that codes depend on, a sheet, and what is refused.
. "$(dirname "$0")/common.sh"
golden=$tests/../golden/images
mkdir -p photos/some
cp "$golden"/{rgb,l,deep}.png "$golden"/{colour,cmyk,turned6}.jpg photos/some
zeroflow pretrain photos -o m --size 32 --batch 4 --iterations 2 --dim 8 --quiet > said

try zeroflow audit m photos --samples 3 --window 8 -o sheet.png --json --quiet
exits 0
empty err
json samples = 3
json window = 8
json watermark = none
json sheet = sheet.png
awk -v RS= '{ while (match($0, /"share": [0-9.e-]+/)) { sum += substr($0, RSTART + 9, RLENGTH - 9); n++
                 $0 = substr($0, RSTART + RLENGTH) } exit !(n == 9 && sum > 0.999 && sum < 1.001) }' out ||
    fault "nine shares do not add up to 1"
[ "$(head -c 4 sheet.png | tail -c 3)" = PNG ] || fault "no image in sheet.png"

# What cannot be read is left out, and told of.
ln -s nowhere photos/some/gone.png
try zeroflow audit m photos --samples 3 --window 8 --json --quiet
exits 0
exact err 'zeroflow: audit: warning: photos: 1 left out, 6 images used; the first left out is some/gone.png: No such file or directory'
json refused = 1
rm photos/some/gone.png

try zeroflow audit m photos --watermark patch --samples 2 --others 1 -o sheet.svg --quiet
exits 0
has out 'has the most, '
has out 'Wrote sheet.svg'

refused()
{
    try zeroflow audit "${@:3}"
    exits "$1"
    has err "$2"
}
refused 2 'ends in .png or .svg' m photos -o sheet.jpg
refused 2 'needs images of 32 pixels' m photos --size 16
refused 2 'stride: expected 1 to 4' m photos --window 4 --stride 5
refused 2 'window: expected 1 to 32' m photos --window 40
refused 3 'cannot open' absent photos
refused 3 'photos/some/rgb.png' photos/some/rgb.png photos
zeroflow generate chain --dim 4 --rows 50 -o chain.csv --quiet > said
zeroflow fit chain.csv -o blanket --iterations 2 --quiet > said
refused 3 'blanket' blanket photos
finish
