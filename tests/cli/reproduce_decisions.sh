# zeroflow reproduce decisions: by its numbers and files.
. "$(dirname "$0")/common.sh"

# Decided graphs, on a tenth of the rows: a cell for each law and method, and both kinds of
# certificates. tests/unit/test_decisions.c holds the figures.
try zeroflow reproduce decisions --scale 0.01 --quiet --json -o decisions
exits 0
empty err
json seeds = 1
json cells '#' = 55
json cells 0 method = zeroflow
json cells 0 rows = 100
json cells 20 law = 'products and their signs'
between 0.8 1 cells 20 f1 mean
between 0 0.2 cells 20 false_share mean
between 0 0.2 cells 21 f1 mean
json cells 50 true_edges = 0.0
json cells 50 auc = null
json target_sets '#' = 5
between 0 1 target_sets 0 jaccard 3 mean
json certificates true_blankets = 4
between 0.5 1 certificates power
lines decisions/runs.csv 62
has decisions/runs.csv law,method,seed,rows,columns,edges,false_share,power,f1,auc,average_precision,seconds,p_value
figure decisions decisions
try zeroflow reproduce decisions --scale 0.01 --quiet --threads 1 -o decisions
exits 0
has out 'products and their signs, 200 x 15, 15 true edges'
has out 'Blankets of target sets'
has out 'without a neighbour of partial correlation 0.2 (2)'
finish
