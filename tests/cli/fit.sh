# zeroflow fit: what it says and writes, and that it can be stopped and resumed.
. "$(dirname "$0")/common.sh"

# table ROWS NAMES...: each column is 0.8 of the one before and noise.
table()
{
    local rows=$1
    shift
    awk -v rows="$rows" -v names="$*" 'BEGIN {
        srand(7); n = split(names, name, " ")
        for (j = 1; j <= n; j++) printf "%s%s", name[j], j < n ? "," : "\n"
        for (r = 0; r < rows; r++) for (j = 1; j <= n; j++) {
            noise = rand() + rand() + rand() + rand() - 2
            x = j == 1 ? noise : 0.8 * x + noise
            printf "%.6g%s", x, j < n ? "," : "\n" } }'
}
# So short a run predicts nothing, and is told so where rows are held out.
quick="--iterations 40 --batch 64 --hidden 32 --held-out 0"
table 300 a b c d e > chain.csv

try zeroflow fit chain.csv -o m $quick --quiet
exits 0
empty err
has out 'Fitted blankets of 5 variables on 300 rows: 40 iterations'
has out 'gate mlp, targets node'
has out 'mean gate'
lacks out Next
try zeroflow fit chain.csv -o told $quick
has out 'Next: zeroflow blanket told --target a'
[ -s m ] || fault "no model"
[ -s m.checkpoint ] || fault "no checkpoint"
try zeroflow fit chain.csv -o m2 $quick --checkpoint state --every 10 --json --quiet
exits 0
empty err
json model = m2
json iterations = 40
json resumed_from = 0
json rows = 300
json rows_dropped = 0
json features = 5
json dropped '#' = 0
for field in seconds loss rectified zero mean_gate; do json_number $field; done
[ -s state ] || fault "--checkpoint was not written"
[ -e m2.checkpoint ] && fault "a second checkpoint was written"
cmp -s m m2 || fault "the same seed gives another model"
try zeroflow fit chain.csv -o m3 $quick --seed 1 --quiet
cmp -s m m3 && fault "another seed gives the same model"
try zeroflow fit chain.csv -o m3 $quick
exits 0
for word in loss rectified zero mean_gate rows/s '40 of 40'; do has err "$word"; done

# What was left open, and why; what was said is not in the list.
try zeroflow fit chain.csv -o m4 $quick --json --quiet --decay 1
json resolved '#' = 9
json resolved 0 option = marginals
json resolved 0 value = normal-scores
json resolved 1 option = pairs
json resolved 1 value = on
json resolved 4 reason = 'fewer than 20 columns'
json resolved 5 option = open-gates
json resolved 5 value = 4
json rows_held_out = 0
json held_out_loss = null
json constant_loss = null
try zeroflow fit chain.csv -o m4 $quick --quiet --pairs off
has out 'Chosen by fit (each is an option)'
has out 'gate-rate    1 '
lacks out '  pairs  '
has out 'not measured: every row was trained on'

# Rows held out: by default one in ten of 200 or more. Columns that predict each other are told
# from columns that do not; evidence uses every row.
longer="--iterations 300 --batch 64 --hidden 32"
try zeroflow fit chain.csv -o held $longer --json --quiet
exits 0
empty err
json rows = 300
json rows_held_out = 30
"$json_get" constant_loss < out > constant
between 0.05 "$(cat constant)" held_out_loss
try zeroflow fit chain.csv -o held2 $longer --quiet --threads 2
cmp -s held held2 || fault "rows held out depend on threads"
has out 'the same on 30 rows held out'
awk -v OFS=, 'BEGIN { srand(5); print "a,b,c,d"; for (r = 0; r < 400; r++) print rand(), rand(), rand(), rand() }' > blind.csv
try zeroflow fit blind.csv -o blind $longer --quiet
exits 0
has err 'the model predicts no better than a constant: the order of its gates may be due to chance'
try zeroflow fit chain.csv -o blind --iterations 3 --batch 32 --quiet
has err 'trust the evidence, not the gates'
head -150 chain.csv > short.csv
try zeroflow fit short.csv -o short $longer --quiet
empty err
has out 'not measured: too few rows; all are trained on (--held-out)'
try zeroflow fit chain.csv -o m5 $longer --held-out 0.2 --checkpoint k5 --quiet
exits 0
refuses_resume() { try zeroflow fit chain.csv -o m5 $longer "$@" --checkpoint k5 --resume --quiet; exits 3; }
refuses_resume --held-out 0.3
try zeroflow fit chain.csv -o m5 $quick --open-gates 40 --quiet
has err 'the gates select nothing (mean gate 1.00): the decided blankets come from the evidence alone'
try zeroflow fit chain.csv -o m5 $quick --open-gates 40 --evidence none --quiet
has err 'they do not show any blanket'
for share in -0.1 1 nan; do
    try zeroflow fit chain.csv -o m5 --held-out=$share
    exits 2
done

# Every gate and every law of targets.
printf 'a\nb,c\n"e" , d\n\nc,a\n' > sets.txt
printf 'b;a\n' > one.txt
for words in '--gate lstm --targets neighbours' '--gate lstm --targets window:2' '--targets bernoulli:0.3' \
    '--targets sets.txt' '--gate free --targets one.txt' '--marginals normal-scores --open-gates 10' \
    '--criterion antisymmetry' '--rate 0.01 --zero-weight 1 --sparsity 1e-3 --pruning 0.1 --exploration 0.2'; do
    try zeroflow fit chain.csv -o other $quick $words --quiet
    exits 0
    empty err
done
table 60 a b c d e f g h i > grid.csv
try zeroflow fit grid.csv -o grid $quick --gate cnn --targets grid --quiet
exits 0

try zeroflow fit chain.csv -o free $quick --gate free --targets one.txt --quiet
try zeroflow blanket free --target b,a
exits 0
refuses 2 'zeroflow: blanket: this model was fitted for a single target set: "a", "b"' blanket free --target a
refuses 2 'zeroflow: graph: this model was fitted for a single target set; a graph needs the blanket of every variable' \
    graph free

# Constraints hold in the answer, in both directions.
printf 'source,target\na,b\n' > forbid.csv
printf 'target,source\ne,a\n' > require.csv
try zeroflow fit chain.csv -o ruled $quick --forbid forbid.csv --require require.csv --quiet
exits 0
for pair in 'a 0 e' 'e 0 a'; do
    set -- $pair
    try zeroflow blanket ruled --target $1 --top 4 --json
    json members $2 name = $3
    json members $2 gate = 1.0
done
for pair in 'a b' 'b a'; do
    set -- $pair
    try zeroflow blanket ruled --target $1 --top 4 --json
    json members 3 name = $2
    json members 3 gate = 0.0
done

# Columns and rows that cannot be used.
awk -F, 'BEGIN { OFS = "," } NR == 1 { print $0, "flat", "copy", "word", "twice", "sum" }
    NR > 1 { print $0, 7, $1, (NR % 2 ? "x" : "y"), NR == 9 ? "" : $2 * $2, $1 + $2 }' chain.csv > odd.csv
try zeroflow fit odd.csv -o odd $quick --json
exits 0
json features = 7
json rows = 299
json rows_dropped = 1
json dropped '#' = 3
json dropped 0 name = flat
json dropped 0 note = 'dropped: constant'
has err 'zeroflow: fit: warning: column "flat" is left out: constant'
has err 'zeroflow: fit: warning: column "copy" is left out: same as "a"'
has err 'zeroflow: fit: warning: column "word" is left out: category of 2 values; to use it, give each'
has err 'zeroflow: fit: warning: column "sum": used; '
has err 'zeroflow: fit: warning: 1 of 300 rows left out for missing values'
try zeroflow fit odd.csv -o refused $quick --missing-rows refuse --quiet
exits 3
empty out
has err 'odd.csv:9: column "twice": expected a number, found a missing value'
[ -e refused ] && fault "a model was written"
awk 'BEGIN { for (j = 1; j <= 12; j++) printf "f%d,", j; print "a,b"
    srand(1); for (r = 0; r < 30; r++) { for (j = 1; j <= 12; j++) printf "1,"; print rand() "," rand() } }' > many.csv
try zeroflow fit many.csv -o many $quick --quiet
exits 0
lines err 6
has err 'warning: 7 columns more are left out; zeroflow check --all says why'
table 5 a b c d e f g h > wide.csv
try zeroflow fit wide.csv -o wide $quick --quiet
exits 0
has err 'warning: 5 rows for 8 columns: too few rows to tell much about blankets'
table 2 a b c > two.csv
try zeroflow fit two.csv -o two $quick --quiet
exits 0
has err 'warning: 2 rows for 3 columns'

# unusable EXIT 'LAST LINE' WORDS...: refused, and what was there stays as it is.
unusable()
{
    local expected=$1 line=$2
    shift 2
    echo old > kept
    echo old > kept.checkpoint
    try zeroflow fit "$@" -o kept --quiet
    exits "$expected"
    empty out
    tail -1 err > last
    exact last "zeroflow: fit: $line"
    [ "$(cat kept kept.checkpoint)" = $'old\nold' ] || fault "a file was overwritten"
}
unusable 3 'absent.csv: cannot open: No such file or directory' absent.csv
table 1 a b c > row.csv
unusable 3 'row.csv: no column can be used, expected numbers that vary' row.csv
printf 'a,b\n1,x\n2,y\n3,z\n' > column.csv
unusable 3 'column.csv: 3 rows of 1 column can be used, expected at least two of each' column.csv
printf 'a,b\nx,u\ny,v\nz,w\n' > words.csv
unusable 3 'words.csv: no column can be used, expected numbers that vary' words.csv
unusable 2 'gate cnn: 5 variables are not a square grid; use mlp or lstm' chain.csv --gate cnn
unusable 2 'targets grid: 5 variables are not a square grid' chain.csv --targets grid
unusable 2 'gate free: has a single vector of gates, expected one target set' chain.csv --gate free
unusable 2 'targets window:5: expected 1 to 4 of 5 variables' chain.csv --targets window:5
unusable 2 'option --targets: expected node, neighbours, grid, window:K, bernoulli:P or a file, found "nodes"; did you mean node?' \
    chain.csv --targets nodes
unusable 2 'option --targets: expected a whole number after window:, found "x"' chain.csv --targets window:x
unusable 2 'option --targets: expected a number between 0 and 1 after bernoulli:, found "2"' \
    chain.csv --targets bernoulli:2
unusable 2 'option --gate: expected one of mlp, lstm, cnn, free, found "lsmt"; did you mean lstm?' \
    chain.csv --gate lsmt
unusable 2 'criterion antisymmetry: looks at all times; times of the zero-flow term belong to criterion midpoint' \
    chain.csv --criterion antisymmetry --zero-time omega:0.1
unusable 3 'no.txt: cannot open: No such file or directory' chain.csv --targets no.txt
printf 'a,b\nc,f\n' > bad.txt
unusable 3 'bad.txt:2: "f" is not among the 5 variables; did you mean "a"?' chain.csv --targets bad.txt
printf 'a,b\n\n"c",c\n' > bad.txt
unusable 3 'bad.txt:3: "c" is twice in one set' chain.csv --targets bad.txt
printf 'a,b,c,e,d\n' > bad.txt
unusable 3 'bad.txt:1: a set of all 5 variables leaves none to predict them from' chain.csv --targets bad.txt
printf 'a,,b\n' > bad.txt
unusable 3 'bad.txt:1: an empty cell, expected the name of a variable' chain.csv --targets bad.txt
: > bad.txt
unusable 3 'bad.txt: empty, expected the names of target variables' chain.csv --targets bad.txt
printf 'source,target\nd,e\nb,a\n' > both.csv
unusable 3 'forbid.csv:2: the edge of "a" and "b" is forbidden here and required in both.csv:3' \
    chain.csv --forbid forbid.csv --require both.csv
printf 'source,target\na,flat\n' > unknown.csv
unusable 3 'unknown.csv:2: "flat" is not among the 5 nodes, expected one of them' chain.csv --require unknown.csv
printf 'source,target\na,a\n' > self.csv
unusable 3 'self.csv:2: an edge from "a" to itself, expected two nodes' chain.csv --forbid self.csv
unusable 2 'chain.csv: --checkpoint would overwrite chain.csv, which is read (DATA)' chain.csv --checkpoint chain.csv
refuses 2 'zeroflow: fit: option --output is missing: name a file for the model, as --output MODEL' fit chain.csv
refuses 2 'zeroflow: fit: ./chain.csv: --output would overwrite chain.csv, which is read (DATA)' fit chain.csv -o ./chain.csv
refuses 3 'zeroflow: fit: no/such: cannot write into its folder: No such file or directory' fit chain.csv -o no/such
mkdir folder
refuses 3 'zeroflow: fit: folder: is a folder, expected the name of a file to write' fit chain.csv -o folder
try zeroflow fit chain.csv -o /dev/full $quick --checkpoint state --quiet
exits 1
empty out
lines err 1
has err 'No space left on device'

# Interrupted, it saves, says how to go on, and ends in the same bits on another
# number of threads. It is caught once it has saved; how long a run must be for that depends on
# the machine.
n=1000
while :; do
    doing="fit interrupted"
    rm -f cut cut.checkpoint
    words="fit chain.csv -o cut --batch 64 --hidden 32 --every 50 --iterations $n"
    env --default-signal=INT zeroflow $words --threads 2 > out 2> err &
    while [ ! -e cut.checkpoint ] && kill -0 $! 2> /dev/null; do sleep 0.02; done
    kill -INT $! 2> /dev/null
    wait $!
    code=$?
    [ $code != 0 ] || [ $n -ge 2000000 ] && break
    n=$((n * 2))
done
exits 130
empty out
tail -1 err > last
has last 'zeroflow: fit: interrupted after '
has last 'saved cut without evidence, and cut.checkpoint; '
has last "continue with: zeroflow $words --threads 2 --resume"
try zeroflow blanket cut --target b
exits 0
try zeroflow fit chain.csv -o cut --batch 64 --hidden 32 --every 50 --iterations $((n + 1)) --resume
exits 3
has err 'cut.checkpoint: "options" is'
awk -F, 'BEGIN { OFS = "," } NR == 7 { $2 += 0.001 } { print }' chain.csv > changed.csv
try zeroflow ${words/chain.csv/changed.csv} --resume
exits 3
has err 'cut.checkpoint: "inputs" is'
if [ $n -le 16000 ]; then
    try zeroflow $words --threads 1 --resume --json --quiet
    exits 0
    json_number resumed_from
    [ "$(cat got)" -gt 0 ] || fault "did not resume"
    try zeroflow ${words/-o cut/-o whole} --threads 2 --quiet
    exits 0
    cmp -s cut whole || fault "the resumed model differs"
fi

# Killed without a chance to save, it goes on from the last checkpoint.
doing="fit killed"
rm -f cut cut.checkpoint
# So does a run whose length is left to fit.
words="fit chain.csv -o cut --batch 64 --hidden 32 --every 20 --evidence none"
survives_a_kill "$words"
rm -f cut cut.checkpoint
words="fit chain.csv -o cut --batch 64 --hidden 32 --every 20 --iterations 3000"
survives_a_kill "$words"
# Interrupted while pairs are tested, it keeps what was trained, and goes on with the tests.
awk 'BEGIN { srand(8); for (j = 0; j < 40; j++) printf "%sv%d", j ? "," : "", j; print ""
    for (r = 0; r < 600; r++) { for (j = 0; j < 40; j++) printf "%s%.5f", j ? "," : "", rand(); print "" } }' > many.csv
words="fit many.csv -o late --iterations 3 --evidence stability"
rm -f late late.checkpoint
doing="fit interrupted in its evidence"
env --default-signal=INT zeroflow $words > out 2> err &
fitting=$!
# The checkpoint is written when training ends.
while [ ! -e late.checkpoint ] && kill -0 $fitting 2> /dev/null; do sleep 0.05; done
kill -INT $fitting
wait $fitting
code=$?
exits 130
empty out
tail -1 err > last
has last 'interrupted after 3 of 3 iterations; saved late without evidence, and late.checkpoint; '
try zeroflow blanket late --target v0
exits 0
has out 'Nothing is decided'
try zeroflow ${words% --evidence stability} --resume --quiet --json
exits 0
json resumed_from = 3
json evidence pairs = 780

# Evidence: what it found, that there is none in noise, and that few rows decide nothing.
awk 'BEGIN { srand(3); print "a,b,c,d"; for (r = 0; r < 200; r++) {
    a = rand(); print a "," a + rand() "," rand() "," rand() } }' > edge.csv
try zeroflow fit edge.csv -o e --iterations 3 --quiet --json
exits 0
json evidence pairs = 6
json evidence edges = 1
json evidence rows_needed = 0
try zeroflow fit edge.csv -o e --iterations 3
has out '1 of 6 pairs is an edge at a false discovery rate of 0.1 ('
awk 'BEGIN { srand(4); print "a,b,c,d"; for (r = 0; r < 60; r++)
    print rand() "," rand() "," rand() "," rand() }' > noise.csv
try zeroflow fit noise.csv -o n --iterations 3 --quiet
exits 0
has out 'no edge at a false discovery rate of 0.1'
head -21 noise.csv > few.csv
try zeroflow fit few.csv -o f --iterations 3 --quiet --json
exits 0
has err '20 rows, fewer than the 30 that evidence needs'
json evidence = null
# Stability: in the model, in blankets and graphs, and only if there are rows for halves.
try zeroflow fit edge.csv -o s --iterations 3 --held-out 0 --evidence stability --fdr 0.05 --quiet --json
exits 0
empty err
json evidence fdr = 0.050000000000000003
json evidence stability half_samples = 50
json evidence stability edges = 1
between 0.9 2 evidence stability chosen
between 0 1 evidence stability false_worst
between 0 1 evidence stability false_concave
try zeroflow fit edge.csv -o s2 --iterations 3 --evidence stability --threads 2
exits 0
has out '1 edge in 75 % or more of 50 half samples'
try zeroflow blanket s -t a --json
between 0.9 1 members 0 stability
between 0 0.3 left_out 0 stability
try zeroflow blanket s -t a
has out '  stability  '
try zeroflow graph s --all
exits 0
head -1 out > header
has header 'source,target,score,p_value,q_value,decided,stability'
lines out 7
try zeroflow graph e --all
head -1 out > header
lacks header stability
for format in json graphml gml; do
    try zeroflow graph s --format $format
    exits 0
    has out stability
done
head -50 noise.csv > some.csv
try zeroflow fit some.csv -o f --iterations 3 --quiet --json --evidence stability
exits 0
has err '49 rows, fewer than the 60 that half samples of 30 need'
json evidence stability = null
json evidence pairs = 6
for level in 0 1 -0.1 nan 2; do
    for command in 'fit edge.csv -o f' 'blanket s -t a' 'graph s' 'report s' 'baseline rank edge.csv'; do
        refuses 2 "zeroflow: ${command%% *}: option --fdr: expected a number above 0 and below 1, found \"$level\"" \
            $command --fdr=$level
    done
done

# Groups: ten rows that are all but copies of each other, by a column of text, of numbers, or as
# blocks; the column is no variable.
awk 'BEGIN { srand(6); print "id,number,a,b,c,d"; for (g = 0; g < 40; g++) {
    a = rand(); b = a + rand(); c = rand(); d = rand()
    for (r = 0; r < 10; r++) print "p" g "," 3 * g "," a + rand() / 9 "," b + rand() / 9 "," c + rand() / 9 "," d + rand() / 9 } }' > visits.csv
try zeroflow fit visits.csv -o v --iterations 3 --held-out 0 --quiet --groups id --drop number --json
exits 0
lacks err 'left out'
lacks err 'those before them'
json features = 4
json evidence units = 40
json_has evidence edges
cp got by_text
cp v by_text.model
try zeroflow fit visits.csv -o v --iterations 3 --held-out 0 --quiet --groups number --json
exits 0
has err 'column "id" is left out'
lacks err number
json features = 4
json evidence units = 40
json_has evidence edges
cmp -s got by_text || fault "numbers and text as groups differ"
try zeroflow fit visits.csv -o v --iterations 3 --held-out 0 --quiet --columns a,b,c,d --groups id
exits 0
try zeroflow graph v --all
cp out by_columns.csv
try zeroflow graph by_text.model --all
cmp -s out by_columns.csv || fault "--columns and --drop differ with --groups"
try zeroflow fit visits.csv -o v --iterations 3 --held-out 0 --quiet --columns a,b,c,d --blocks 10 --json
json evidence units = 40
try zeroflow fit visits.csv -o v --iterations 3 --held-out 0 --quiet --columns a,b,c,d --blocks 20 --json
exits 0
has err '20 blocks, fewer than the 30 that evidence needs: the model has gates only, and nothing is decided; there are enough up to --blocks 13'
json warnings '#' = 1
json evidence = null
try zeroflow fit visits.csv -o v --iterations 3 --held-out 0 --quiet --groups id --drop number --evidence stability --json
has err '40 groups, fewer than the 60 that half samples of 30 need'
json evidence stability = null
# Without them it is told that rows are alike, and that some are copies.
try zeroflow fit visits.csv -o v --iterations 3 --held-out 0 --quiet --columns a,b,c,d
exits 0
has err 'rows resemble those before them in 4 of 4 columns'
has err 'use --blocks'
{ cat edge.csv; sed -n '2,13p' edge.csv; } > copies.csv
try zeroflow fit copies.csv -o v --iterations 3 --quiet
exits 0
has err '12 of 212 rows are copies of others'
try zeroflow fit copies.csv -o v --iterations 3 --quiet --evidence none --json
has err 'but rows are assumed to be independent'
json warnings 0 = '12 of 212 rows are copies of others, but rows are assumed to be independent: remove them, or name the column that says which rows belong together with --groups'
try zeroflow fit copies.csv -o v --iterations 3 --quiet --evidence none --held-out 0
lacks err copies
try zeroflow check copies.csv
has out '  rows     12 of 212 are copies of others'
lacks out '  order '
try zeroflow check copies.csv --json
json copied_rows = 12
json ordered = 0
try zeroflow check visits.csv --columns a,b,c,d
has out 'rows resemble those before them in 4 of 4 columns'
has out 'if in time order: fit --blocks'
# So few rows that no block could be long: no length is proposed.
{ echo a,b; awk 'BEGIN { srand(2); for (r = 0; r < 40; r++) print r + rand() "," r + 2 * rand() }'; } > rising.csv
try zeroflow fit rising.csv -o v --iterations 3 --quiet
has err 'if they are in time order, there are too few of them; '
lacks err '--blocks'
refuses 2 'zeroflow: fit: --groups and --blocks cannot be used together' fit visits.csv -o v --groups id --blocks 5
try zeroflow fit visits.csv -o v --groups patient
exits 2
has err 'no column "patient"'
echo ',1,2,3,4,5' >> visits.csv
try zeroflow fit visits.csv -o v --groups id
exits 3
has err 'visits.csv:402: column "id": expected the group of row 401, found a missing value'

finish
