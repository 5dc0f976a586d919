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
exact out 'page.html: 8 features; open it in a browser'
try python3 "$tests/check_page.py" page.html names
exits 0
lacks page.html '<script>alert'
has page.html '&lt;script&gt;alert(1)&lt;/script&gt;'
has page.html '\u003c/script\u003e\u003cb\u003e\u0022x\u0022'
has page.html 'Zero-flow term'
lacks page.html 'wrong edge'

# Options; the same model gives the same bytes.
try zeroflow report m --title 'A <title>' --threshold 0.2 --json
exits 0
json report = report.html
json features = 8
json auc = null
has report.html '<title>A &lt;title&gt;</title>'
has report.html '"threshold":2000'
cp report.html first.html
zeroflow report m --title 'A <title>' --threshold 0.2 > /dev/null
cmp -s first.html report.html || fault "a second page differs"

# With the truth.
printf 'source,target\nplain,<!-- a\n' > truth.csv
try zeroflow report m --truth truth.csv --json
exits 0
json_number auc
has report.html 'wrong edge'
has report.html 'How well the true edges are found'
zeroflow graph m --matrix -o gates.csv > /dev/null
want=$("$json_get" auc < out)
zeroflow score gates.csv --truth truth.csv --json > out
json auc = "$want"
# And with the data: the classical methods too.
try zeroflow report m hostile.csv --truth truth.csv --quiet
exits 0
empty err
for method in 'this model' 'graphical lasso' 'PC, Fisher' 'partial correlation<' 'partial correlation of ranks'; do
    has report.html "<td>$method"
done
refuses 2 'zeroflow: report: DATA is for the comparison with the truth: give --truth EDGES' report m hostile.csv
printf 'a,b\n1,2\n3,4\n' > short.csv
try zeroflow report m short.csv --truth truth.csv -o none.html
exits 3
has err 'short.csv: has no column "<script>alert(1)</script>", which the model has'
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
lacks one.html 'id="graph"'

# Many features: the page stays small and says what it leaves out.
zeroflow generate chain --dim 400 --rows 50 -o wide.csv > /dev/null
zeroflow fit wide.csv -o wide --iterations 2 --batch 20 --quiet > /dev/null
try zeroflow report wide -o wide.html
exits 0
head -1 wide.csv | tr ',' '\n' > names
try python3 "$tests/check_page.py" wide.html names
exits 0
has wide.html 'The picture holds the 600 strongest edges'
[ "$(wc -c < wide.html)" -lt 2000000 ] || fault "the page has $(wc -c < wide.html) bytes"

refuses 2 'zeroflow: report: m: --output would overwrite m, which is read (MODEL)' report m -o m
try zeroflow report m -o no/such/page.html
exits 3
lines err 1
has err no/such/page.html
try zeroflow report hostile.csv
exits 3
finish
