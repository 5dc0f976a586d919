# zeroflow check on real tables, which stand beside the project, not in it.
. "$(dirname "$0")/common.sh"
data=${ZEROFLOW_DATA:-$tests/../../../shared/data}
[ -d "$data/sachs" ] && [ -d "$data/sp500" ] ||
    skip "no data in $data; ZEROFLOW_DATA may name a folder with sachs/ and sp500/"

# summary FILE ROWS COLUMNS
summary()
{
    try zeroflow check "$data/$1" --json
    exits 0
    json rows = "$2"
    json columns '#' = "$3"
    try zeroflow check "$data/$1"
    exits 0
    empty err
}
summary sp500/prices.csv 253 501
[ "$(wc -l < out)" -le 60 ] || fault "too long for a wide table"
summary sp500/index.csv 253 2
summary sp500/sectors.csv 500 5
summary sachs/sachs_obs_853.csv 853 11
summary sachs/sachs_7466.csv 7466 12
summary sachs/edges_consensus20.csv 20 2
summary sachs/edges_bnlearn17.csv 17 2
try zeroflow check "$data/sp500/prices.csv" --json
json columns 0 name = date
json columns 0 type = date
json columns 0 used = false
json columns 1 name = A
json columns 1 type = number
json missing = 0
try zeroflow check "$data/sachs/sachs_7466.csv" --json
json columns 11 name = condition
json columns 11 type = category
json columns 11 used = false
finish
