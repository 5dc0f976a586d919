# Every example of every command's help is run, as it stands there; only the whole
# demo is cut short.
. "$(dirname "$0")/common.sh"

{
    echo 'date,AAPL,MSFT,FLAT'
    for day in 1 2 3 4 5 6 7 8 9; do echo "2020-06-0$day,$((day * day)).5,$((7 - day)).25,1"; done
} > prices.csv
awk 'BEGIN { srand(1); print "date,A,B,C"; for (d = 0; d < 80; d++) printf "2020-%02d-%02d,%f,%f,%f\n", 1 + d / 28, 1 + d % 28, 9 + rand(), 8 + rand(), 7 + rand() }' > sp500.csv
printf 'age;income\n31;-999\n45;2100\nnone;1800\n52;2500\n' > survey.csv
printf 'source,target\nAAPL,MSFT\n' > truth.csv
printf 'source,target,score\nAAPL,MSFT,0.9\nAAPL,FLAT,0.1\n' > graph.csv

awk 'BEGIN { srand(3); print "PKA,PKC,Raf,Mek"
    for (r = 0; r < 200; r++) { a = rand(); b = a + rand(); c = b + rand(); print a "," b "," c "," c + rand() } }' \
    > cells.csv

head -60 cells.csv > old.csv
tail -60 cells.csv | sed '1i PKA,PKC,Raf,Mek' > new.csv
sed -i '1s/.*/x1,x2,x3,x4/' old.csv new.csv

mkdir -p photos/some photos/others
cp "$tests"/../golden/images/*.png photos/some
cp "$tests"/../golden/images/{colour,cmyk,turned6}.jpg photos/others
{ printf '\0\0\10\3\0\0\0\1\0\0\0\2\0\0\0\2'; printf abcd; } | gzip > train-images-idx3-ubyte.gz

cifar cifar10 60 30

zeroflow docs examples > examples
[ "$(wc -l < examples)" -ge 6 ] || fault "too few examples"
for command in $(zeroflow --help | sed -n '/^Commands/,/^$/s/^  \([a-z-]*\) .*/\1/p'); do
    grep -q "^zeroflow $command" examples || fault "$command has no example"
done
while read -r line; do
    [ "$line" = 'zeroflow demo' ] && line+=' --iterations 20'
    try bash -c "$line"
    exits 0
    lacks err warning
done < examples
finish
