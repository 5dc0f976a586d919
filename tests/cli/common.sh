# What the tests of the command share. Sourced with the command and json_get as
# arguments; each test runs in a scratch folder of its own.
#
#   try WORDS...    runs, leaves $code, out and err (files)
#   is, has, ...    complain and count; finish gives the verdict
set -u
zeroflow=$1 json_get=$2
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir bin
ln -s "$zeroflow" bin/zeroflow
PATH=$scratch/bin:$PATH
unset NO_COLOR ZEROFLOW_ISA
export TERM=xterm LC_ALL=C.UTF-8
faults=0
doing=start

fault()
{
    faults=$((faults + 1))
    echo "FAULT: $doing: $*"
    [ ! -s err ] || sed 's/^/    stderr: /' err | head -5
}

try()
{
    doing="$*"
    "$@" > out 2> err < /dev/null
    code=$?
}

# Waits until a command in the background answers to SIGINT itself, however slow the machine.
listens()
{
    local caught
    while kill -0 "$1" 2> /dev/null; do
        caught=$(sed -n 's/^SigCgt:\s*//p' "/proc/$1/status" 2> /dev/null)
        [[ -n $caught ]] && ((0x$caught & 2)) && return
        sleep 0.02
    done
}

exits() { [ "$code" = "$1" ] || fault "exit $code, expected $1"; }
has() { grep -qF -- "$2" "$1" || fault "$1 lacks: $2"; }
lacks() { ! grep -qF -- "$2" "$1" || fault "$1 has: $2"; }
empty() { [ ! -s "$1" ] || fault "$1 is not empty: $(head -c 200 "$1")"; }
lines() { [ "$(wc -l < "$1")" = "$2" ] || fault "$1 has $(wc -l < "$1") lines, expected $2"; }
exact() { [ "$(cat "$1")" = "$2" ] || fault "$1 is: $(head -c 300 "$1"); expected: $2"; }

# The command must fail with this exit and exactly this one line on stderr.
refuses()
{
    local expected=$1 line=$2
    shift 2
    try zeroflow "$@"
    exits "$expected"
    empty out
    exact err "$line"
}

# json PATH... = VALUE of the JSON object in out
json()
{
    local words=("$@") got
    local n=$((${#words[@]} - 2))
    got=$("$json_get" "${words[@]:0:n}" < out 2>&1) || fault "JSON: ${words[*]:0:n}: $got"
    [ "$got" = "${words[-1]}" ] || fault "JSON: ${words[*]:0:n} is $got, expected ${words[-1]}"
}
json_has() { "$json_get" "$@" < out > got 2>&1 || fault "JSON lacks $*: $(cat got)"; }
json_number()
{
    json_has "$@"
    grep -qE '^-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?$' got || fault "JSON: $* is no number: $(cat got)"
}

# figure FOLDER NAME: the images are there and are what they are called.
figure()
{
    [ "$(head -c 8 "$1/$2.png" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] ||
        fault "$1/$2.png is no PNG"
    grep -q '</svg>' "$1/$2.svg" || fault "$1/$2.svg is no whole SVG"
}
# between LOW HIGH PATH...: a number of the JSON in out.
between()
{
    json_number "${@:3}"
    awk -v low="$1" -v high="$2" -v x="$(cat got)" 'BEGIN { exit !(x >= low && x <= high) }' ||
        fault "JSON: ${*:3} is $(cat got), expected $1 to $2"
}

skip()
{
    echo "skipped: $*"
    exit 77
}

# The command, with these words and "-o cut" among them, is killed without a chance to
# save, and goes on from the last checkpoint to the same bits.
survives_a_kill()
{
    local words=$1 child
    zeroflow $words --threads 2 > out 2> err &
    child=$!
    for _ in $(seq 1200); do [ -e cut.checkpoint ] && break; sleep 0.05; done
    kill -9 $child
    wait $child 2> /dev/null
    [ -e cut ] && fault "a model was written"
    try zeroflow $words --threads 1 --resume --quiet --json
    exits 0
    json_number resumed_from
    [ "$(cat got)" -gt 0 ] || fault "did not resume"
    try zeroflow ${words/-o cut/-o whole} --quiet
    cmp -s cut whole || fault "the resumed model differs"
}

# cifar FOLDER TRAIN TEST: so many images of three classes, told apart by their brightness,
# in CIFAR-10's files.
cifar()
{
    mkdir -p "$1"
    for part in "data_batch_1 $2" "test_batch $3"; do
        LC_ALL=C awk -v n="${part#* }" -v key="${part% *}" 'BEGIN {
            srand(length(key))
            for (i = 0; i < n; i++) {
                printf "%c", 48 + i % 3
                for (k = 0; k < 3072; k++) printf "%c", 55 + 23 * (i % 3) + int(23 * rand())
            }
        }' | tr '012' '\000\001\002' > "$1/${part% *}.bin"
    done
}

finish()
{
    [ "$faults" = 0 ] || { echo "$faults faults"; exit 1; }
    exit 0
}
