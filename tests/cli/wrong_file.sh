# A file of the wrong kind is called what it is, with what was expected: every kind of file, to
# every command that reads a model, a table, a graph or images.
. "$(dirname "$0")/common.sh"
images=$tests/../golden/images
golden=$tests/../golden/io

zeroflow generate chain --dim 4 --order 1 --rows 60 -o table.csv --truth edges.csv --quiet > said
quick='--iterations 3 --batch 16 --quiet'
zeroflow fit table.csv -o blankets --hidden 4 $quick > said
cp table.csv big.csv
zeroflow reduce table.csv -o reduction -t x1 --dim 1 $quick > said
mkdir -p photos/a photos/b
cp "$images"/{rgb,l}.png photos/a
cp "$images/colour.jpg" photos/b
zeroflow pretrain photos -o vision --dim 8 --size 16 --batch 2 --iterations 3 --quiet > said
zeroflow graph blankets -o graph.json --quiet > said
zeroflow graph blankets -o graph.dot --quiet > said
zeroflow graph blankets -o graph.graphml --quiet > said
zeroflow report blankets -o page.html --quiet > said
zeroflow fit table.csv -o running --hidden 4 --batch 16 --iterations 100000000 --every 5 --quiet > said 2>&1 &
child=$!
for _ in $(seq 1200); do [ -e running.checkpoint ] && break; sleep 0.05; done
kill -TERM $child
wait $child
cp running.checkpoint checkpoint 2> /dev/null || fault "no checkpoint"
cp "$golden/le_f4.npy" array.npy
cp "$images/rgb.png" one.png
cp "$images/colour.jpg" one.jpg
tar cf images.tar photos
gzip -k table.csv
gzip -c one.png > png.gz
printf '\0\0\x08\3\0\0\0\1\0\0\0\2\0\0\0\2abcd' > idx
: > empty
mkdir folder

declare -A what=(
    [table.csv]='a CSV table' [edges.csv]='a graph as CSV' [graph.json]='a graph as JSON'
    [graph.dot]='a graph as DOT' [graph.graphml]='a graph as GraphML' [page.html]='an HTML page'
    [blankets]='a model of blankets' [reduction]='a reduction' [vision]='a model of images'
    [checkpoint]='a checkpoint of zeroflow fit' [array.npy]='an NPY array' [one.png]='a PNG image'
    [one.jpg]='a JPEG image' [images.tar]='a tar archive' [idx]='an IDX file of images or labels'
    [empty]='an empty file' [folder]='a folder' [table.csv.gz]='a CSV table packed by gzip'
    [png.gz]='a PNG image'
)
# wrong FILE EXPECTED WORDS...: refused, with the file's name, what it is and what was expected.
wrong()
{
    local file=$1 expected=$2
    shift 2
    try zeroflow "$@"
    exits 3
    empty out
    lines err 1
    has err "$file: this is ${what[$file]}"
    has err "expected $expected"
}
for file in "${!what[@]}"; do
    if [ $file != blankets ]; then
        for words in "blanket $file -t x1" "graph $file" "report $file -o x.html" "certify $file table.csv -t x1"; do
            wrong $file 'a model of blankets (zeroflow fit makes one)' $words
        done
    fi
    [ $file = reduction ] ||
        wrong $file 'a reduction (zeroflow reduce makes one)' transform $file table.csv
    if [ $file != vision ]; then
        for words in "embed $file photos -o x.npy" "probe $file photos" "audit $file photos -o x.svg" "reconstruct $file photos -o sheets"; do
            wrong $file 'a model of images (zeroflow pretrain makes one)' $words
        done
    fi
    case ${what[$file]} in *model* | *reduction* | *checkpoint* | *folder*) continue ;; esac
    wrong $file 'a checkpoint of this training' fit big.csv -o x --hidden 4 --batch 16 --iterations 9 --checkpoint $file --resume
done
# What is neither text nor an array is no table; JSON and DOT are none once reading fails.
for file in blankets reduction vision checkpoint one.png one.jpg images.tar idx page.html \
    graph.graphml graph.json graph.dot png.gz; do
    for words in "check $file" "fit $file -o x" "split $file -o x1 --held-out x2" \
        "two-sample $file table.csv" "two-sample table.csv $file" "independent $file -x a -y b" \
        "reduce $file -o x -t a" "baseline partial $file -o x.csv" "transform reduction $file -o x.csv" \
        "certify blankets $file -t x1"; do
        wrong $file 'a table (CSV, TSV or NPY)' $words
    done
    case $file in graph.json) continue ;; esac
    for words in "score $file --truth edges.csv" "score edges.csv --truth $file"; do
        wrong $file 'edges as CSV or JSON (zeroflow graph and baseline make them)' $words
    done
done
for file in array.npy empty; do
    wrong $file 'edges as CSV or JSON' score $file --truth edges.csv
done
for file in table.csv edges.csv graph.json page.html blankets reduction vision checkpoint array.npy \
    one.png one.jpg empty; do
    for words in "images $file" "pretrain $file -o x" "embed vision $file -o x.npy" "probe vision $file"; do
        wrong $file 'images as IDX, CIFAR-10 or STL-10, a tar archive or a folder' $words
    done
done
for file in x x.html x.npy x.svg x1 x2 x.csv; do [ ! -e $file ] || fault "$file was written"; done
finish
