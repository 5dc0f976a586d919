# Disks that are full, limits on files, places that cannot be written, two jobs at once, jobs that
# are killed: what can be known is told before training, what was learnt is not lost.
. "$(dirname "$0")/common.sh" "$@"

zeroflow generate chain --dim 6 --order 1 --rows 200 -o c.csv --quiet > out
quick='--batch 32 --hidden 16 --threads 1 --quiet'
export TMPDIR=$scratch/elsewhere
mkdir elsewhere
clean() { find . -name '.zeroflow-*' | grep . > left && fault "left: $(cat left)"; }
# warned N 'TEXT': so many warnings on standard error have the text.
warned()
{
    local n
    n=$(grep -c "warning: .*$2" err)
    [ "$n" = "$1" ] || fault "$n warnings of: $2; expected $1"
}

# A checkpoint that cannot be written is a warning, each time; the model is the same.
try zeroflow fit c.csv -o whole $quick --iterations 50 --every 20
exits 0
try zeroflow fit c.csv -o m $quick --iterations 50 --every 20 --checkpoint /dev/full
exits 0
cmp -s m whole || fault "the model differs"
warned 3 'no checkpoint was written: /dev/full: cannot write: No space left on device'
try zeroflow reduce c.csv --target x1 -o r $quick --iterations 20 --every 10 --checkpoint /dev/full
exits 0
warned 2 'No space left on device'

cifar set 12 3
words='pretrain set --dim 8 --hidden 4 --batch 4 --threads 1 --quiet --iterations 3'
try zeroflow $words -o v
exits 0
try zeroflow $words -o v2 --checkpoint /dev/full --every 2 --history /dev/full
exits 1
warned 2 'no checkpoint was written: /dev/full: cannot write: No space left on device'
warned 1 'no history was written: /dev/full: cannot write: No space left on device'
has err '/dev/full: the history could not be written; the model is in v2'
cmp -s v v2 || fault "the model differs"

# A byte that changed, anywhere in a model or a checkpoint, is found out.
flip()
{
    local byte
    byte=$(od -An -tu1 -j "$2" -N 1 "$1")
    printf "\\$(printf %03o $((byte ^ 16)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2> /dev/null
}
for i in $(seq 0 11); do
    cp whole bad
    flip bad $(($(stat -c %s whole) * i / 12 + 7))
    try zeroflow graph bad
    exits 3
    empty out
    has err 'zeroflow: graph: bad: '
    cp whole.checkpoint bad
    flip bad $(($(stat -c %s whole.checkpoint) * i / 12 + 7))
    try zeroflow fit c.csv -o resumed $quick --iterations 50 --every 20 --checkpoint bad --resume
    exits 3
    has err 'zeroflow: fit: bad: '
    [ ! -e resumed ] || fault "a model was written"
done

# A model that cannot be written is offered elsewhere.
try zeroflow fit c.csv -o /dev/full $quick --iterations 50 --every 20 --checkpoint state
exits 1
empty out
lines err 1
has err '/dev/full: cannot write: No space left on device; the model is in '
saved=$(sed 's/.*the model is in \(.*\) instead$/\1/' err)
cmp -s "$saved" whole || fault "the model in $saved is not the whole one"
rm -rf elsewhere/*
TMPDIR=/dev/null try zeroflow fit c.csv -o /dev/full $quick --iterations 10 --checkpoint state
exits 1
has err 'cannot make /dev/null/zeroflow-'
clean

# A limit on the size of files: a message, exit 1 and nothing left, for outputs of all kinds.
limited() { (ulimit -f "$1"; shift; exec "$@"); }
mkdir tight
try limited 4 zeroflow fit c.csv -o tight/m --batch 32 --threads 1 --quiet --iterations 20 --every 10
exits 1
warned 2 'tight/m.checkpoint: cannot write: File too large'
has err 'tight/m: cannot write: File too large; nor elsewhere: '
[ -z "$(find tight elsewhere -mindepth 1)" ] || fault "left: $(find tight elsewhere -mindepth 1)"
for end in csv tsv npy; do
    try limited 4 zeroflow generate chain -o tight/t.$end --quiet
    exits 1
    exact err "zeroflow: generate: tight/t.$end: cannot write: File too large"
done
for end in csv json graphml gml dot npy; do
    echo old > tight/g.$end
    try limited 1 zeroflow generate random --dim 60 --edges 200 --rows 2 -o tight/d.npy --truth tight/g.$end
    exits 1
    has err "tight/g.$end: cannot write: File too large"
    exact tight/g.$end old
    rm -f tight/*
done
try limited 4 zeroflow report whole -o tight/r.html
exits 1
has err 'tight/r.html: cannot write: File too large'
doing="standard output to a file that may not grow"
(ulimit -f 4; zeroflow generate chain > tight-out 2> err)
code=$?
exits 1
exact err 'zeroflow: generate: cannot write to standard output: File too large'
[ -z "$(ls -A tight)" ] || fault "left: $(ls -A tight)"

# A small disk of its own, where that is allowed.
mkdir small
trap 'umount small 2> /dev/null; rm -rf "$scratch"' EXIT
if mount -t tmpfs -o size=64k none small 2> err; then
    try zeroflow fit c.csv -o small/m --batch 32 --threads 1 --quiet --iterations 20 --every 10
    exits 1
    warned 2 'small/m.checkpoint: cannot write: No space left on device'
    has err 'small/m: cannot write: No space left on device; the model is in '
    [ -z "$(ls -A small)" ] || fault "left: $(ls -A small)"
    rm -rf elsewhere/*
    umount small
else
    echo "no disk may be mounted here: left out"
fi

# Found out before training, which would take for ever.
long='--batch 32 --hidden 16 --threads 1 --quiet --iterations 1000000000'
name=$(printf 'n%.0s' $(seq 248))
refuses 3 "zeroflow: fit: $name.checkpoint: cannot write: File name too long" fit c.csv -o "$name" $long
try zeroflow fit c.csv -o "$name" --checkpoint short $quick --iterations 5
exits 0
try zeroflow blanket "$name" --target x1
exits 0
rm -f "$name" short
refuses 3 "zeroflow: fit: ${name}tooolong: cannot write: File name too long" fit c.csv -o "${name}tooolong" $long
echo mine > kept
chmod a-w kept
refuses 3 'zeroflow: fit: kept: is read-only; allow writing (chmod u+w), or name another file' \
    fit c.csv -o kept $long
refuses 3 'zeroflow: reduce: kept: is read-only; allow writing (chmod u+w), or name another file' \
    reduce c.csv --target x1 -o m $long --checkpoint kept
exact kept mine
ln -s nowhere dangling
refuses 3 'zeroflow: fit: dangling: is a symbolic link to nothing; remove it, or make what it leads to' \
    fit c.csv -o dangling $long
[ -L dangling ] || fault "the link was replaced"
ln -s loop loop
refuses 3 'zeroflow: fit: loop: cannot follow this symbolic link: Too many levels of symbolic links' \
    fit c.csv -o loop $long
refuses 3 'zeroflow: demo: kept/demo: cannot make this folder: Not a directory' demo -o kept/demo
refuses 3 'zeroflow: reproduce: kept: cannot make this folder: Not a directory' reproduce lattice -o kept
clean

# One job at a time on an output; the lock goes with the process, however it ends.
zeroflow fit c.csv -o held $long > out1 2> err1 &
child=$!
for _ in $(seq 1200); do [ "$(find . -maxdepth 1 -name '.zeroflow-*.lock' | wc -l)" = 2 ] && break; sleep 0.05; done
refuses 1 'zeroflow: fit: ./held: another process is making this file; wait for it, or name another file' \
    fit c.csv -o ./held --iterations 5
refuses 1 'zeroflow: reduce: held.checkpoint: another process is making this file; wait for it, or name another file' \
    reduce c.csv --target x1 -o held.checkpoint --checkpoint other --iterations 5
try zeroflow fit c.csv -o free $quick --iterations 5
exits 0
kill -9 $child
wait $child 2> /dev/null
try zeroflow fit c.csv -o held $quick --iterations 5
exits 0
clean
zeroflow demo -o trial --quiet > out1 2> err1 &
child=$!
for _ in $(seq 1200); do [ -e trial/truth.csv ] && break; sleep 0.05; done
refuses 1 'zeroflow: demo: trial: another process is writing into this folder; wait for it, or name another folder' \
    demo -o trial --quiet
kill -9 $child
wait $child 2> /dev/null
try zeroflow demo -o trial --quiet --iterations 10 --evidence none
exits 0
finish
