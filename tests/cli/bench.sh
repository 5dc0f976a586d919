# zeroflow bench: text, JSON, selection.
. "$(dirname "$0")/common.sh"

try zeroflow bench --only linear --seconds 0.01 --json --quiet
exits 0
empty err
json_number peak_gflops
json_number threads
json_has isa
json_has blas
json_has cases '#'
[ "$(cat got)" -ge 1 ] || fault "no case"
for field in threads ms gflops peak share; do json_number cases 0 $field; done
json_has cases 0 name
grep -q linear got || fault "a case that was not asked for: $(cat got)"
name=$(cat got)

# A question to a model takes tens of microseconds; a busy machine may need more.
try zeroflow bench --only query- --seconds 0.05 --json --quiet
exits 0
json cases '#' = 3
for i in 0 1 2; do
    json_number cases $i ms
    awk -v ms="$(cat got)" 'BEGIN { exit !(ms < 5) }' || fault "a query takes $(cat got) ms"
    json_number cases $i gflops
    json_number cases $i rate
done
json cases 1 name = query-mlp-50-shared
json cases 1 threads = 4

# One image at a time; the shortest of many takes less than a millisecond.
try zeroflow bench --only encode-image --seconds 0.05 --json --quiet
exits 0
json cases '#' = 2
json_number cases 0 rate
awk -v rate="$(cat got)" 'BEGIN { exit !(rate > 500) }' || fault "$(cat got) images a second"

# The memory of a step grows no faster than the variables.
try zeroflow bench --only step-blanket-d --seconds 0.01 --json --quiet
exits 0
json cases '#' = 5
json_number cases 2 bytes
thousand=$(cat got)
json_number cases 4 bytes
awk -v few="$thousand" -v many="$(cat got)" 'BEGIN { exit !(few > 0 && many < 10 * few) }' ||
    fault "a step holds $thousand bytes at 1,000 variables and $(cat got) at 10,000"

try zeroflow bench --only step-image-simclr --seconds 0.01 --json --quiet
exits 0
json_number cases 0 ms

try zeroflow bench --only "$name" --seconds 0.01 --threads 1 --quiet
exits 0
has out "$name"
has out GFLOP/s
for seconds in nan 0x1 0 -1 ''; do
    refuses 2 "zeroflow: bench: option --seconds: expected a number from 0.001 to 3600, found \"$seconds\"" \
        bench --seconds "$seconds"
done
try zeroflow bench --only 'no such case'
exits 2
empty out
lines err 1
has err 'no such case'
try env ZEROFLOW_ISA=baseline zeroflow bench --only linear --seconds 0.01 --json
exits 0
json isa = baseline

doing="interrupted bench"
env --default-signal=INT zeroflow bench --seconds 2 > out 2> err &
listens $!
kill -INT $!
wait $!
code=$?
exits 130
empty out
tail -1 err > last
has last 'zeroflow: bench: interrupted'
finish
