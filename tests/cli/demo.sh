# zeroflow demo: what it writes, what it says, and that it can be stopped.
. "$(dirname "$0")/common.sh"

try zeroflow demo --iterations 100 --evidence none --quiet
exits 0
empty err
has out 'Without evidence zero-flow decides nothing'
has zeroflow-demo/report.html 'Gates only: nothing is decided.'
has out 'AUC'
for method in 'zero-flow, LSTM gates' 'zero-flow, MLP gates' 'graphical lasso' "PC, Fisher's z" \
    'partial correlation ' 'partial correlation of ranks'; do
    has out "$method"
done
tail -1 out > last
has last 'zeroflow-demo/report.html'
for file in data.csv truth.csv lstm.model mlp.model graph.csv graph.graphml graph-mlp.csv \
    graph-glasso.csv graph-pc.csv graph-partial.csv graph-rank.csv roc.svg roc.png gates.svg \
    gates.png report.html; do
    [ -s zeroflow-demo/$file ] || fault "no $file"
    case $file in *.model | *.png | report.html) ;; *) has zeroflow-demo/report.html "href=\"$file\"" ;; esac
done
try zeroflow check zeroflow-demo/data.csv --json
json rows = 2048
json columns '#' = 50
head -1 zeroflow-demo/data.csv | tr ',' '\n' > names
try python3 "$tests/check_page.py" zeroflow-demo/report.html names
exits 0

# The table is what score says of the files.
try zeroflow demo --iterations 100 -o other/folder/ --json --quiet
exits 0
empty err
json report = other/folder/report.html
json iterations = 120
json resumed_from = 0
json methods '#' = 6
json models 0 = lstm.model
json_number seconds
cp out told
for i in 0 1 2 3 4 5; do
    graph=$("$json_get" methods $i graph < told)
    zeroflow score other/folder/$graph --truth other/folder/truth.csv --nodes other/folder/data.csv --json > out
    for field in auc average_precision best_f1; do json $field = "$("$json_get" methods $i $field < told)"; done
done
# What is decided holds the false discovery rate, finds most edges, and is what graph writes of
# either model: the evidence is the same.
awk -v f="$("$json_get" methods 0 decided false_share < told)" -v p="$("$json_get" methods 0 decided power < told)" \
    'BEGIN { exit !(f <= 0.13 && p > 0.8) }' || fault "false share and power of the evidence"
for model in lstm mlp; do
    found=$(zeroflow graph other/folder/$model.model --quiet | tail -n +2 | grep -c .)
    [ "$found" = "$("$json_get" methods 0 decided edges < told)" ] || fault "$model.model decides on $found edges"
done
cmp -s zeroflow-demo/gates.svg other/folder/gates.svg || fault "a second run differs"
try python3 "$tests/check_page.py" other/folder/report.html names
exits 0
# Even a hardly trained LSTM and ranks beat what expects a bell curve.
awk -v a="$("$json_get" methods 5 auc < told)" -v b="$("$json_get" methods 2 auc < told)" \
    'BEGIN { exit !(a > 0.97 && b < 0.85) }' || fault "the baselines' AUCs are not the known ones"

# Places that cannot be written to.
touch file
refuses 3 'zeroflow: demo: file: cannot make this folder: Not a directory' demo -o file
refuses 3 'zeroflow: demo: file/below: cannot make this folder: Not a directory' demo -o file/below
mkdir taken taken/data.csv
try zeroflow demo -o taken --quiet
exits 3
empty out
lines err 1
has err taken/data.csv

# Interrupted, it saves, says how to go on, and ends in the same bits, whatever the
# number of threads. The signal comes with the first checkpoint of either model, when
# there is still work to do, however fast or slow the machine is.
n=200
interrupt()
{
    doing="demo interrupted by $1 at $2"
    rm -rf cut
    env --default-signal=INT,TERM zeroflow demo --evidence none --iterations $n --every 10 -o cut --threads 2 > out 2> err &
    local running=$! i
    for ((i = 0; i < 1200; i++)); do
        [ -e cut/$2 ] && break
        sleep 0.02
    done
    kill -s "$1" $running
    wait $running
    code=$?
}
try zeroflow demo --evidence none --iterations $n -o whole --threads 1 --quiet
exits 0
for stop in 'TERM lstm.model.checkpoint' 'INT mlp.model.checkpoint'; do
    interrupt $stop
    exits 130
    empty out
    tail -1 err > last
    has last 'zeroflow: demo: interrupted after '
    has last 'of 240 iterations; saved in cut; '
    resume="zeroflow demo --evidence none --iterations $n --every 10 -o cut --threads 2 --resume"
    has last "continue with: $resume"
    [ -e cut/report.html ] && fault "a report of unfinished work was written"
    try bash -c "$resume --json --quiet"
    exits 0
    empty err
    json_number resumed_from
    [ "$(cat got)" -gt 0 ] || fault "did not resume"
    json methods 1 seconds = null
    for file in lstm.model mlp.model graph.csv roc.svg gates.png; do
        [ "$(sha256sum < cut/$file)" = "$(sha256sum < whole/$file)" ] || fault "the resumed $file differs"
    done
done

# A folder of another run is not gone on with.
try zeroflow demo --evidence none --iterations $n --seed 1 -o cut --resume --quiet
exits 3
empty out
has err cut/mlp.model.checkpoint
finish
