# zeroflow demo: what it learns, where it writes, and that it can be stopped.
. "$(dirname "$0")/common.sh"

try zeroflow demo --iterations 300 --quiet
exits 0
empty err
has out 'untrained'
has out 't = 0.50'
has out 'zeroflow-demo/model.safetensors'
[ -s zeroflow-demo/model.safetensors ] || fault "no model"
[ -s zeroflow-demo/checkpoint.safetensors ] || fault "no checkpoint"

try zeroflow demo --iterations 300 -o other/ --checkpoint state --batch 64 --every 100 --json --quiet
exits 0
empty err
json model = other/model.safetensors
json iterations = 300
json resumed_from = 0
for field in seconds loss untrained_loss constant_loss; do json_number $field; done
json speed '#' = 5
json speed 2 time = 0.5
json_number speed 2 speed
[ -s state ] || fault "--checkpoint was not written"
[ -e other/checkpoint.safetensors ] && fault "a second checkpoint was written"

# The flow is slowest halfway.
middle=$("$json_get" speed 2 speed < out)
for i in 0 1 3 4; do
    awk -v a="$middle" -v b="$("$json_get" speed $i speed < out)" 'BEGIN { exit !(a < b) }' ||
        fault "the speed at time $i is not above $middle"
done

# Places that cannot be written to.
touch file
refuses 3 'zeroflow: demo: file: cannot make this folder: Not a directory' demo -o file
refuses 3 'zeroflow: demo: no/such: cannot make this folder: No such file or directory' demo -o no/such
try zeroflow demo --iterations 20 --checkpoint no/such/file --quiet
exits 3
empty out
lines err 1
has err no/such/file

# Interrupted, it saves, says how to go on, and ends in the same bits. The signal
# comes with the first checkpoint, when most of the work is still to do, however
# fast or slow the machine is.
n=3000
interrupt()
{
    doing="demo interrupted by $1"
    rm -rf cut
    env --default-signal=INT,TERM zeroflow demo --iterations $n -o cut --threads 2 > out 2> err &
    local running=$! i
    for ((i = 0; i < 600; i++)); do
        [ -e cut/checkpoint.safetensors ] && break
        sleep 0.05
    done
    kill -s "$1" $running
    wait $running
    code=$?
}
for signal in INT TERM; do
    interrupt $signal
    exits 130
    empty out
    tail -1 err > last
    has last 'zeroflow: demo: interrupted after '
    has last 'saved cut/checkpoint.safetensors'
    resume="zeroflow demo --iterations $n -o cut --threads 2 --resume"
    has last "go on with: $resume"
done
[ -e cut/model.safetensors ] && fault "an unfinished model was written"
try bash -c "$resume --json --quiet"
exits 0
empty err
json_number resumed_from
[ "$(cat got)" -gt 0 ] || fault "did not resume"
try zeroflow demo --iterations $n -o whole --threads 1 --quiet
exits 0
cmp -s cut/model.safetensors whole/model.safetensors || fault "the resumed model differs"
finish
