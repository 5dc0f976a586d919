# zeroflow reproduce: the studies of the criterion's tests at a tiny scale.
. "$(dirname "$0")/common.sh"

# Tests of independence: a handful of samples a cell, of which the strong ones are sure.
try zeroflow reproduce criterion-independence --scale 0.005 -o independence --quiet --json
exits 0
empty err
json cells '#' = 63
json cells 0 relation = none
json cells 0 null = true
json cells 8 given = 20
json cells 27 relation = square
between 0 1 cells 0 rejected
between 0.5 1 cells 27 rejected
between 0 1 cells 36 uniform
json cells 45 relation = small-noise
json cells 53 given = 30
json cells 54 rows = 300
between 0 1 cells 53 cannot_tell
lines independence/runs.csv 127
has independence/runs.csv relation,law,rows,given,trial,p_value,cannot_tell,p_value_partial
figure independence criterion-independence

# The two-sample test's level and power, on a few data sets.
try zeroflow reproduce criterion-level --scale 0.01 --quiet --json -o level
exits 0
empty err
json nulls = 4
json cells '#' = 21
json cells 0 test = two-sample
json cells 8 test = "by network"
json cells 12 test = independent
json cells 18 rows = 1000
json_number cells 0 uniform
lines level/runs.csv 85
[ -s level/criterion-level.svg ] || fault "no figure of the level"
try zeroflow reproduce criterion-power --scale 0.0005 --quiet -o power
exits 0
empty err
has out 'dependence'
lines power/runs.csv 87
[ -s power/criterion-power.png ] || fault "no figure of the power"
finish
