# zeroflow report: one page that stands alone, whatever the names are.
. "$(dirname "$0")/common.sh"

# Names as a stranger might have them.
python3 - << 'END'
import csv, random
random.seed(2)
names = ['<script>alert(1)</script>', '</script><b>"x"', "it's & co;", 'naïve – 変数 🧬', 'n' * 200,
         '{{name}} \\ ${x}', '<!-- a', 'plain']
with open('names', 'w') as f:
    f.write(''.join(n + '\n' for n in names))
with open('hostile.csv', 'w', newline='') as f:
    out = csv.writer(f)
    out.writerow(names)
    for _ in range(120):
        row = [random.gauss(0, 1)]
        for _ in names[1:]:
            row.append(row[-1] + random.gauss(0, 1))
        out.writerow(row)
END
try zeroflow fit hostile.csv -o m --iterations 20 --quiet
exits 0
try zeroflow report m -o page.html
exits 0
empty err
exact out 'page.html: 8 variables; open it in a browser'
try python3 "$tests/check_page.py" page.html names
exits 0
lacks page.html '<script>alert'
has page.html '&lt;script&gt;alert(1)&lt;/script&gt;'
has page.html '\u003c/script\u003e\u003cb\u003e\u0022x\u0022'
has page.html 'Zero-flow term'
lacks page.html 'wrong edge'

# What is decided: the same in the page, by `graph` and by `blanket`; a chain of 8.
has page.html 'decided by evidence at a false discovery rate of 0.1'
has page.html 'Considered and left out: '
has page.html 'no: may be due to chance'
lacks page.html 'Gates only'
lacks page.html 'id="threshold"'
edges() { zeroflow graph m --fdr "$1" --quiet | tail -n +2 | grep -c .; }
[ "$(edges 0.1)" -ge 5 ] || fault "$(edges 0.1) edges of 7 are decided on"
has page.html "<b>$(edges 0.1) edges</b> among 28 pairs"
try zeroflow report m -o strict.html --fdr 0.001 --json
exits 0
json fdr = 0.001
has strict.html "<b>$(edges 0.001) edge"
has strict.html 'at a false discovery rate of 0.001'
try python3 "$tests/check_page.py" strict.html names
exits 0
refuses 2 'zeroflow: report: --fdr and --threshold cannot be used together' report m --fdr 0.1 --threshold 0.2

# Required and forbidden edges are told as such.
printf 'source,target\nplain,naïve – 変数 🧬\n' > never.csv
printf 'source,target\nplain,"it'"'"'s & co;"\n' > always.csv
zeroflow fit hostile.csv -o ruled --iterations 5 --forbid never.csv --require always.csv --quiet > /dev/null
try zeroflow report ruled -o ruled.html
exits 0
has ruled.html 'yes: required by the user'
try python3 "$tests/check_page.py" ruled.html names
exits 0

# A bundle of columns that tell the same: one of them stands in for all, and the page says what
# the command says, of every target.
python3 - << 'END'
import random
random.seed(8)
with open('bundle.csv', 'w') as f:
    f.write('y,a,b,c,d\n')
    for _ in range(300):
        z = random.gauss(0, 1)
        row = [z + random.gauss(0, 3.5)] + [z + random.gauss(0, 0.01) for _ in range(3)] + [random.gauss(0, 1)]
        f.write(','.join(f'{x:.5f}' for x in row) + '\n')
END
zeroflow fit bundle.csv -o bundle --iterations 5 --quiet > /dev/null 2>&1
try zeroflow blanket bundle --target y
has out 'stand-ins, needed, but interchangeable with others:'
try zeroflow report bundle -o bundle.html
exits 0
has bundle.html '<dt>Stand-in</dt>'
has bundle.html '5 variables · 300 rows, 30 of them held out from training · '
for model in bundle ruled; do
    zeroflow graph $model --json > nodes
    python3 -c 'import json; print("\n".join(json.load(open("nodes"))["nodes"]))' > named
    : > answers
    while IFS= read -r name; do
        zeroflow blanket $model "--target=$name" --json | tr -d '\n' >> answers
        echo >> answers
    done < named
    try python3 "$tests/check_page.py" $model.html named answers
    exits 0
done

# At a rate at which chance makes edges, some are superfluous: the page says which, as the command
# does.
awk 'BEGIN { srand(5); print "x,y,z,v,w"
    for (r = 0; r < 400; r++) { x = rand() + rand() + rand(); y = x + 0.5 * rand(); z = y + 0.5 * rand()
        print x "," y "," z "," z + 0.5 * rand() "," rand() } }' > chance.csv
zeroflow fit chance.csv -o chance --iterations 5 --fdr 0.9 --quiet > /dev/null 2>&1
try zeroflow report chance -o chance.html --fdr 0.9
exits 0
: > answers
for name in x y z v w; do
    zeroflow blanket chance --target $name --fdr 0.9 --json | tr -d '\n' >> answers
    echo >> answers
done
has answers '"why": "superfluous"'
head -1 chance.csv | tr ',' '\n' > named
try python3 "$tests/check_page.py" chance.html named answers
exits 0

# Stability has a column of its own, if it was measured.
lacks page.html '<th>stability</th>'
zeroflow fit hostile.csv -o stable --iterations 5 --evidence stability --quiet > /dev/null
try zeroflow report stable -o stable.html
exits 0
has stable.html '<th>stability</th>'
try python3 "$tests/check_page.py" stable.html names
exits 0

# Nothing to find: no edge, and how many rows it would take.
python3 - << 'END'
import random
random.seed(3)
with open('noise.csv', 'w') as f:
    f.write('a,b,c,d\n' + ''.join(','.join(f'{random.gauss(0, 1):.4f}' for _ in range(4)) + '\n' for _ in range(60)))
END
zeroflow fit noise.csv -o noise --iterations 5 --quiet > /dev/null 2>&1
try zeroflow report noise -o noise.html
exits 0
has noise.html 'No edge at this level.</b> None of 6 pairs'
has noise.html 'rows; there were 60.'
head -1 noise.csv | tr ',' '\n' > four
try python3 "$tests/check_page.py" noise.html four
exits 0

# Without evidence nothing is decided, and the page says so.
zeroflow fit hostile.csv -o bare --iterations 20 --evidence none --quiet > /dev/null
try zeroflow report bare -o bare.html --json
exits 0
json fdr = null
has bare.html 'Gates only: nothing is decided.</b> The model holds no evidence'
has bare.html 'The figure starts with gates from 0.100 up'
lacks bare.html 'class="evidence"'
try python3 "$tests/check_page.py" bare.html names
exits 0
refuses 2 'zeroflow: report: --fdr needs evidence, which this model was fitted without' report bare --fdr 0.2

# Options; the same model gives the same bytes.
try zeroflow report m --title 'A <title>' --threshold 0.2 --json
exits 0
json report = report.html
json features = 8
json auc = null
has report.html '<title>A &lt;title&gt;</title>'
has report.html '"threshold":2000'
has report.html 'Gates only: nothing is decided.</b> The evidence in the model is not used.'
cp report.html first.html
zeroflow report m --title 'A <title>' --threshold 0.2 > /dev/null
cmp -s first.html report.html || fault "a second page differs"
# To standard output, and no file of that name.
try zeroflow report m --title 'A <title>' --threshold 0.2 -o -
exits 0
empty err
cmp -s first.html out || fault "the page on standard output differs"
[ ! -e ./- ] || fault "a file is called -"
refuses 2 'zeroflow: report: option --output: expected a file, found "-" (standard output)' report m -o - --json

# With the truth.
printf 'source,target\nplain,<!-- a\n' > truth.csv
try zeroflow report m --truth truth.csv --json
exits 0
json_number auc
has report.html 'wrong edge'
has report.html 'How well the true edges are found'
zeroflow graph m --all -o pairs.csv > /dev/null
want=$("$json_get" auc < out)
zeroflow score pairs.csv --truth truth.csv --json > out
json auc = "$want"
# And with the data: the classical methods too.
try zeroflow report m hostile.csv --truth truth.csv --quiet
exits 0
empty err
for method in 'this model' 'graphical lasso' 'PC, Fisher' 'partial correlation<' 'partial correlation of ranks'; do
    has report.html "<td>$method"
done
refuses 2 'zeroflow: report: DATA is used only to compare with the truth: add --truth EDGES' report m hostile.csv
printf 'a,b\n1,2\n3,4\n' > short.csv
try zeroflow report m short.csv --truth truth.csv -o none.html
exits 3
has err 'short.csv: no column "<script>alert(1)</script>", which the model has'
printf 'source,target\nplane,<!-- a\n' > typo.csv
try zeroflow report m --truth typo.csv -o none.html
exits 3
has err 'did you mean "plain"'
[ -e none.html ] && fault "a page was written"

# Free gates: one blanket, no graph.
echo plain > sets
zeroflow fit hostile.csv -o one --gate free --targets sets --iterations 5 --quiet > /dev/null
try zeroflow report one -o one.html
exits 0
has one.html 'The blanket of <bdi class="name">plain</bdi>'
has one.html 'of 7 others, decided by evidence at a false discovery rate of 0.1'
lacks one.html 'id="graph"'
# Of a set, p-values count its targets, as those of the command do.
echo y,d > two
zeroflow fit bundle.csv -o set --gate free --targets two --iterations 5 --quiet > /dev/null 2>&1
try zeroflow report set -o set.html
exits 0
try zeroflow blanket set --target y,d --json
python3 - << 'END' || fault 'the page and the command have other p-values'
import json, re
members = json.load(open('out'))['members']
cells = re.findall(r'<tr><td><bdi class="name">(\w+)</bdi>(.*?)</tr>', open('set.html').read(), re.S)
assert len(cells) == len(members) > 0
for member, (name, row) in zip(members, cells):
    p = float(re.findall(r'<td>([-\d.e]+)</td>', row)[1])
    assert member['name'] == name and abs(p - member['p_value']) <= 0.06 * p, (member, row)
    stand_in = re.search(r'a stand-in \(p-value ([-\d.e]+)\)', row)
    assert (member['why'] == 'stand-in') == bool(stand_in), row
    assert not stand_in or abs(float(stand_in[1]) - member['stand_in']) <= 0.06 * member['stand_in']
assert any(m['why'] == 'stand-in' for m in members)
END

# Many variables: the page stays small and says what it leaves out.
zeroflow generate chain --dim 400 --rows 50 -o wide.csv > /dev/null
zeroflow fit wide.csv -o wide --iterations 2 --batch 20 --quiet > /dev/null
try zeroflow report wide -o wide.html
exits 0
head -1 wide.csv | tr ',' '\n' > names
try python3 "$tests/check_page.py" wide.html names
exits 0
try zeroflow report wide -o wide-gates.html --threshold 0.001
exits 0
has wide-gates.html 'The figure holds the 600 strongest edges'
[ "$(wc -c < wide.html)" -lt 2000000 ] || fault "the page has $(wc -c < wide.html) bytes"

refuses 2 'zeroflow: report: m: --output would overwrite m, which is read (MODEL)' report m -o m
try zeroflow report m -o no/such/page.html
exits 3
lines err 1
has err no/such/page.html
try zeroflow report hostile.csv
exits 3
finish
