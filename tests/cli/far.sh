# Columns far from 0 or far from 1: values pass through as they were read, and no command
# finds anything else because of where a column lies or what its unit is.
. "$(dirname "$0")/common.sh"

# change FILE COLUMN SHIFT SCALE: the table with that column moved; 17 digits.
change()
{
    awk -F, -v OFS=, -v c="$2" -v shift="$3" -v scale="$4" \
        'NR > 1 { $c = sprintf("%.17g", shift + scale * $c) } { print }' "$1"
}
# near FILE FILE TOLERANCE: the last cells of two CSV files, by the others.
near()
{
    sort "$1" > first.sorted
    sort "$2" > second.sorted
    paste -d, first.sorted second.sorted | awk -F, -v most="$3" '{
        n = NF / 2
        for (i = 1; i < n; i++) if ($i != $(n + i)) exit 1
        off = $n - $NF
        if ($n != $NF && (off > most || off < -most)) exit 1
    }' || fault "$1 and $2 differ"
}

# 400 identifiers near 1.7e9, fractions of 16 digits, numbers beyond float32.
awk 'BEGIN {
    print "id,fraction,huge"
    for (i = 1; i <= 400; i++)
        printf "%d,%.16f,%.17ge%d\n", 1700000000 + 7 * i, sin(i), cos(i), i % 2 ? 299 : 39
}' > ids.csv
try zeroflow split ids.csv -o train.csv --held-out fresh.csv
exits 0
empty err
numbers() { tail -q -n +2 "$@" | awk -F, '{ printf "%.17g %.17g %.17g\n", $1, $2, $3 }' | sort; }
[ "$(numbers ids.csv)" = "$(numbers train.csv fresh.csv)" ] || fault "split changed a number"
try zeroflow split ids.csv -o train.npy --held-out fresh.npy
exits 0
head -c 80 train.npy | grep -qF "'<f8'" || fault "train.npy is not float64"

zeroflow generate chain --dim 5 --order 1 --rows 200 -o plain.csv > /dev/null
change plain.csv 2 2e7 1 > near.csv
change plain.csv 2 1e8 1 > far.csv
change plain.csv 2 0 1e299 > huge.csv
change plain.csv 2 0 1e-299 > tiny.csv
zeroflow generate chain --dim 5 --order 1 --rows 200 --seed 9 -o other.csv > /dev/null
change other.csv 2 2e7 1 > near-other.csv
change other.csv 2 1e8 1 > far-other.csv
change other.csv 2 0 1e299 > huge-other.csv
change other.csv 2 0 1e-299 > tiny-other.csv

quiet() { try zeroflow "$@" --quiet; exits 0; empty err; }
fit="--iterations 10 --hidden 16 --batch 32 --held-out 0"
for name in plain near far huge tiny; do
    for method in partial rank pc; do quiet baseline $method $name.csv -o $name.$method.csv; done
    quiet baseline glasso $name.csv --marginals standard -o $name.glasso.csv
    for kind in standard normal-scores; do
        quiet fit $name.csv -o $name.model --marginals $kind $fit
        quiet graph $name.model --all -o pairs.csv
        cut -d, -f1-3 pairs.csv > $name.$kind.csv
        cut -d, -f1,2,6,4 pairs.csv | awk -F, -v OFS=, '{ print $1, $2, $4, $3 }' > $name.$kind.evidence.csv
        try zeroflow certify $name.model $name.csv --target x1 --blanket x2 --json
        exits 0
        json trained = true
    done
    quiet independent $name.csv --x x1 --y x3 --given x2 --json
    "$json_get" p_value < out > $name.independent
    for method in flow network energy mmd classifier; do
        if [ $name = plain ]; then other=other.csv; else other=$name-other.csv; fi
        rest=()
        [ $method != network ] || rest=(--iterations 10)
        quiet two-sample $name.csv $other --method $method --permutations 99 "${rest[@]}" --json
        "$json_get" p_value < out > $name.$method.p
    done
    quiet reduce $name.csv --target x1 -o $name.reduction --dim 1 --iterations 10 --hidden 16 \
        --marginals standard
    quiet transform $name.reduction $name.csv -o $name.codes.csv
    try zeroflow check $name.csv --json
    exits 0
    json columns 1 used = true
done
for name in near far huge tiny; do
    doing=$name
    for method in partial rank pc glasso standard normal-scores; do
        near plain.$method.csv $name.$method.csv 1e-4
    done
    for test in independent flow network classifier; do
        near plain.$test$([ $test = independent ] || echo .p) \
            $name.$test$([ $test = independent ] || echo .p) 0.02
    done
    near plain.codes.csv $name.codes.csv 1e-3
    near plain.standard.evidence.csv $name.standard.evidence.csv 1e-3
done
# Distances depend on units, but not on where a column lies.
for name in near far; do
    for test in energy mmd; do near plain.$test.p $name.$test.p 0.02; done
done

# One value so far out that the others fall together once standardised: told where columns
# are standardised, and nowhere else.
awk 'BEGIN { print "a,b,c"
    for (i = 1; i <= 120; i++) printf "%.6f,%.6f,%.6f\n", i == 7 ? 1e12 : i, sin(i), cos(3 * i) }' \
    > out.csv
mv out.csv outlier.csv
told='column "a": standardised, 118 of 120 distinct values fall together in float32'
try zeroflow check outlier.csv --json
exits 0
json columns 0 note = 'used; 118 of 120 distinct values fall together if standardised'
json columns 1 note = used
few="--iterations 5 --hidden 8"
for words in "fit outlier.csv -o outlier.model --evidence none --batch 8 --marginals standard $few" \
    "reduce outlier.csv --target b -o outlier.reduction --marginals standard $few" \
    "two-sample outlier.csv outlier.csv --permutations 99" \
    "two-sample outlier.csv outlier.csv --permutations 99 --method classifier"; do
    try zeroflow $words --quiet
    exits 0
    has err "zeroflow: ${words%% *}: warning: $told"
    lines err 1
done
quiet fit outlier.csv -o outlier.model --evidence none --batch 8 --marginals normal-scores $few
quiet reduce outlier.csv --target b -o outlier.reduction --marginals normal-scores $few
quiet two-sample outlier.csv outlier.csv --permutations 99 --marginals normal-scores
quiet independent outlier.csv --x a --y b
quiet baseline partial outlier.csv -o outlier.graph.csv
quiet split outlier.csv -o train.csv --held-out fresh.csv

# Models that keep float32 marginals give what they gave.
narrow=$tests/../golden/narrow
for kind in standard normal-scores; do
    quiet transform $narrow/$kind.reduction $narrow/data.csv -o codes.csv
    near $narrow/$kind.codes.csv codes.csv 1e-5
done
quiet graph $narrow/blanket.model --threshold 0 -o graph.csv
near $narrow/graph.csv graph.csv 0
try zeroflow certify $narrow/blanket.model $narrow/data.csv --target x1 --blanket x2 --json
exits 0
json trained = true
finish
