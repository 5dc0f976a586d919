# zeroflow images on real sets, which stand beside the project, not in it.
. "$(dirname "$0")/common.sh"
data=${ZEROFLOW_DATA:-$tests/../../../shared/data}
[ -d "$data/cifar10" ] && [ -d "$data/tinyimagenet" ] && [ -d "$data/imagenet" ] ||
    skip "no images in $data; ZEROFLOW_DATA may name a folder with cifar10/, tinyimagenet/ and imagenet/"

# holds SOURCE KIND IMAGES CLASSES GREY [OPTION...]
holds()
{
    try zeroflow images "$data/$1" --json "${@:6}"
    exits 0
    json kind = "$2"
    json pictures = "$3"
    json labelled = "$3"
    json classes '#' = "$4"
    json grey = "$5"
    json refused = 0
}
holds cifar10 CIFAR-10 30000 10 0
json classes 0 name = airplane
json classes 0 pictures = 2983
holds cifar10 CIFAR-10 10000 10 0 --part test
json classes 9 pictures = 1000
holds tinyimagenet/val.tar tar 5000 200 85
json size = 64
json most_common width = 64
holds imagenet/sample1000.tar tar 1000 1000 0 --size 32
json most_common width = 128
# Not kept, and yet the same sheet.
try zeroflow images "$data/imagenet/sample1000.tar" --sheet a.png --watermark patch
try zeroflow images "$data/imagenet/sample1000.tar" --sheet b.png --watermark patch --memory 1
exits 0
cmp a.png b.png || fault "the sheet depends on --memory"
finish
