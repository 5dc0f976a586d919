# Tables at the edge of what can be used: few rows, columns that are functions of each other, far
# values, ties. A fit, its graph and each classical method either answer with finite numbers or
# refuse with one message; what is an edge beyond doubt is found.
. "$(dirname "$0")/common.sh"

# draw ROWS FORMULA...: a table with a column for each formula of a, b, c (standard normal) and i.
draw()
{
    local rows=$1 cells="" names="" k=1
    shift
    for formula in "$@"; do
        cells="$cells, $formula" names="$names,v$k" k=$((k + 1))
    done
    echo "${names#,}"
    awk -v rows="$rows" "function normal() { return sqrt(-2 * log(1 - rand())) * cos(6.2831853 * rand()) }
        BEGIN { srand(7); for (i = 1; i <= rows; i++) {
            a = normal(); b = normal(); c = normal()
            n = split(\"\", cell); k = 0
            line(${cells#, }) } }
        function line(p, q, r, s, t, u) { printf \"%.12g,%.12g\", p, q
            if (r != \"\") printf \",%.12g\", r
            if (s != \"\") printf \",%.12g\", s
            if (t != \"\") printf \",%.12g\", t
            if (u != \"\") printf \",%.12g\", u
            print \"\" }"
}

# No number in a file or in out that is not one.
finite()
{
    ! grep -qiE '(^|[^a-z_"])-?(nan|inf)' "$@" || fault "not finite: $(grep -iEm1 'nan|inf' "$@")"
}

# survives WORDS...: done, or exit 3 with one line, beside warnings, that says why.
survives()
{
    try "$@"
    case $code in
        0) finite out ;;
        3) [ "$(grep -vc ': warning: ' err)" = 1 ] || fault "refused with $(cat err)" ;;
        *) fault "exit $code" ;;
    esac
}

# usable FILE: fit and graph succeed, and the classical methods survive.
usable()
{
    try zeroflow fit "$1" -o model --iterations 60 --quiet --json
    exits 0
    finite out
    try zeroflow graph model --all -o pairs.csv
    exits 0
    try zeroflow graph model --matrix -o gates.csv
    exits 0
    finite pairs.csv gates.csv
    for method in partial rank "glasso --marginals standard" pc; do
        survives zeroflow baseline $method "$1" --quiet -o baseline.csv
        [ "$code" != 0 ] || finite baseline.csv
    done
}

# decided PAIR: is it an edge of pairs.csv?
decided() { grep -E "^($1)," pairs.csv | grep -q ',true$' || fault "$1 is no edge"; }

draw 3 a a+b > three.csv
usable three.csv
draw 40 a b a+b a-b c a+c > collinear.csv
usable collinear.csv
draw 5 a b a+b a-b c a+c > few.csv
usable few.csv
draw 60 5 a 7 a+b 0 2 > constants.csv
usable constants.csv
decided 'v2,v4|v4,v2'
draw 60 1e30*a 1e-30*b '1e30*(a+c)' '1e-30*(b+c)' > units.csv
usable units.csv
decided 'v1,v3|v3,v1'
decided 'v2,v4|v4,v2'
draw 200 'int(a)' 'int(a+b/2)' 'a>1' 'int(c)' > ties.csv
usable ties.csv
decided 'v1,v2|v2,v1'
draw 100 'i==50?1e12:a' 'a+b/2' c a+c > outlier.csv
usable outlier.csv
decided 'v1,v2|v2,v1'
for file in three few collinear constants units ties outlier; do
    survives zeroflow tests "$file.csv" v2
    [ $file = three ] || survives zeroflow independent "$file.csv" --x v2 --y v4
    [ $file = constants ] || survives zeroflow predict "$file.csv" --target v2 --blanket v1
done
finish
