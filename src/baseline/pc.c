/* The skeleton of the PC algorithm (Spirtes, Glymour and Scheines), in the form
   whose result does not depend on the order of the columns (Colombo and
   Maathuis, JMLR 15, 2014): an edge x - y is removed at depth k if x and y are
   independent given some k neighbours of x, or of y, where the neighbours are
   those at the beginning of the depth. It ends when no node has k + 1
   neighbours, when the user's depth is reached, or when there are too few rows
   for a test.

   The test is Fisher's z: with N rows and k conditions, atanh of the partial
   correlation times sqrt(N - k - 3) is standard normal under independence.
   Comparing the partial correlation with one number a depth is the same and
   spares the logarithm.

   For a node, conditioning sets are visited in lexicographic order with one
   Cholesky factor that is redone from the first change on, and a set serves
   all neighbours of the node at once. A set of columns that determine each
   other (a pivot below 1e-10), or that determine x or y, says nothing about
   them: the test is counted as undecided and the edge stays.

   Nodes are the tasks of the crew: at a depth each marks removals in its own
   row only. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/normal.h"
#include "baseline/method.h"

static const double LEAST_PIVOT = 1e-10;

/* One worker's memory. K is the most columns that are conditioned on. */
typedef struct bench {
    size_t *neighbours; /* [D] */
    size_t *chosen;     /* [D] of these, by place */
    double *factor;     /* [K, K] of the set's correlations */
    double *x, *y;      /* [K] their correlations with x and y, solved by the factor */
    uint64_t tests, undecided;
} bench;

typedef struct skeleton {
    zf_method_call *call;
    double *correlation;
    unsigned char *edge, *removed; /* [D, D] */
    int depth, most;               /* now; at most, which is also K */
    double limit;                  /* correlations below it are none */
    bench *benches;
    int n_benches;
    uint64_t step, steps;
} skeleton;

/* Down to where the correlations of a few thousand rows lie, so that sure edges
   are told from very sure ones; up to where most edges that are there are found.
   Beyond 0.3 the tests become very many: at 0.5, a hundred times as many. */
static const double default_alphas[] = {
    1e-30, 1e-20, 1e-15, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4,
    1e-3,  2e-3,  5e-3,  0.01,  0.02,  0.05, 0.1,  0.15, 0.2,  0.25, 0.3,
};

/* Solves for entries `from` .. k-1 of `solved`: the correlations of the set with a
   column, by the factor. What the set leaves of the column's variance. */
static double project(const skeleton *s, const bench *b, double *solved, size_t column, int from)
{
    size_t n = s->call->columns, width = (size_t)s->most;
    double left = 1;
    for (int i = 0; i < s->depth; i++) {
        if (i >= from) {
            const double *row = b->factor + (size_t)i * width;
            double sum = s->correlation[b->neighbours[b->chosen[i]] * n + column];
            for (int m = 0; m < i; m++) sum -= row[m] * solved[m];
            solved[i] = sum / row[i];
        }
        left -= solved[i] * solved[i];
    }
    return left;
}

/* Redoes the factor from row `from` on. False: the set is collinear. */
static bool refactor(const skeleton *s, const bench *b, int from)
{
    size_t n = s->call->columns, width = (size_t)s->most;
    for (int i = from; i < s->depth; i++) {
        double *row = b->factor + (size_t)i * width, pivot = 1;
        const double *correlation = s->correlation + b->neighbours[b->chosen[i]] * n;
        for (int j = 0; j < i; j++) {
            const double *other = b->factor + (size_t)j * width;
            double sum = correlation[b->neighbours[b->chosen[j]]];
            for (int m = 0; m < j; m++) sum -= row[m] * other[m];
            row[j] = sum / other[j];
            pivot -= row[j] * row[j];
        }
        if (!(pivot >= LEAST_PIVOT)) return false;
        row[i] = sqrt(pivot);
    }
    return true;
}

/* The next set in lexicographic order; the first place that changed, -1 if that
   was the last. */
static int advance(bench *b, int depth, size_t neighbours)
{
    int i = depth - 1;
    while (i >= 0 && b->chosen[i] == neighbours - (size_t)(depth - i)) i--;
    if (i < 0) return -1;
    b->chosen[i]++;
    for (int j = i + 1; j < depth; j++) b->chosen[j] = b->chosen[j - 1] + 1;
    return i;
}

static bool in_set(const bench *b, int depth, size_t place)
{
    for (int i = 0; i < depth; i++)
        if (b->chosen[i] == place) return true;
    return false;
}

/* Tests x against all its neighbours outside the set, given the set. usable: the
   set is not collinear. Returns how many edges this removed. */
static size_t test_set(skeleton *s, bench *b, size_t x, size_t neighbours, bool usable, int from)
{
    size_t n = s->call->columns, removed = 0;
    double x_left = usable ? project(s, b, b->x, x, from) : 0;
    for (size_t place = 0; place < neighbours; place++) {
        size_t y = b->neighbours[place];
        if (s->removed[x * n + y] || in_set(b, s->depth, place)) continue;
        b->tests++;
        double y_left = x_left >= LEAST_PIVOT ? project(s, b, b->y, y, 0) : 0;
        if (!(y_left >= LEAST_PIVOT)) {
            b->undecided++;
            continue;
        }
        double r = s->correlation[x * n + y];
        for (int i = 0; i < s->depth; i++) r -= b->x[i] * b->y[i];
        if (!(fabs(r) < s->limit * sqrt(x_left * y_left))) continue;
        s->removed[x * n + y] = 1;
        removed++;
    }
    return removed;
}

/* A task: the tests of one node at one depth. */
static void test_node(void *context, int task, int worker)
{
    skeleton *s = context;
    bench *b = &s->benches[worker];
    size_t n = s->call->columns, x = (size_t)task, neighbours = 0;
    for (size_t y = 0; y < n; y++)
        if (s->edge[x * n + y]) b->neighbours[neighbours++] = y;
    if (neighbours < (size_t)s->depth + 1) return;
    size_t left = neighbours;
    for (int i = 0; i < s->depth; i++) b->chosen[i] = (size_t)i;
    int first_good = 0; /* rows of the factor before it are up to date */
    for (int from = 0; from >= 0 && left > 0; from = advance(b, s->depth, neighbours)) {
        int redo = from < first_good ? from : first_good;
        bool usable = refactor(s, b, redo);
        left -= test_set(s, b, x, neighbours, usable, redo);
        first_good = usable ? s->depth : redo;
        if (s->depth == 0) break;
    }
}

/* Takes away what either end has found to be no edge; the largest degree left. */
static size_t remove_edges(skeleton *s)
{
    size_t n = s->call->columns, most = 0;
    for (size_t x = 0; x < n; x++)
        for (size_t y = 0; y < n; y++)
            if (s->removed[x * n + y]) s->edge[x * n + y] = s->edge[y * n + x] = 0;
    for (size_t x = 0; x < n; x++) {
        size_t degree = 0;
        for (size_t y = 0; y < n; y++) degree += s->edge[x * n + y];
        if (degree > most) most = degree;
    }
    return most;
}

/* Leaves the skeleton for one alpha in s->edge. */
static zf_status find_skeleton(skeleton *s, double alpha)
{
    size_t n = s->call->columns, degree = n - 1;
    double critical = -zf_normal_quantile(alpha / 2);
    for (size_t i = 0; i < n * n; i++) s->edge[i] = i % (n + 1) != 0;
    for (s->depth = 0; s->depth <= s->most && degree > (size_t)s->depth; s->depth++) {
        s->limit = tanh(critical / sqrt((double)s->call->rows - s->depth - 3));
        memset(s->removed, 0, n * n);
        zf_span span = {s->step, s->step, s->steps};
        ZF_TRY(zf_pace_run(&s->call->pace, span, s->call->crew, (int)n, test_node, s));
        degree = remove_edges(s);
    }
    return ZF_OK;
}

static void skeleton_free(skeleton *s)
{
    for (int i = 0; s->benches && i < s->n_benches; i++) {
        free(s->benches[i].neighbours);
        free(s->benches[i].chosen);
        free(s->benches[i].factor);
        free(s->benches[i].x);
        free(s->benches[i].y);
    }
    free(s->benches);
    free(s->correlation);
    free(s->edge);
    free(s->removed);
}

static zf_status bench_new(bench *b, size_t n, size_t most)
{
    b->neighbours = malloc(n * sizeof *b->neighbours);
    b->chosen = malloc(n * sizeof *b->chosen);
    b->factor = zf_square_new(most + 1);
    b->x = malloc((most + 1) * sizeof *b->x);
    b->y = malloc((most + 1) * sizeof *b->y);
    if (b->neighbours && b->chosen && b->factor && b->x && b->y) return ZF_OK;
    return zf_fail_memory((2 * n + most * most) * sizeof(double));
}

static zf_status skeleton_new(skeleton *s, zf_method_call *call)
{
    size_t n = call->columns, most = n - 2;
    if (most > call->rows - 4) most = call->rows - 4;
    if (call->options->depth >= 0 && most > (size_t)call->options->depth)
        most = (size_t)call->options->depth;
    *s = (skeleton){.call = call, .most = (int)most, .n_benches = zf_crew_size(call->crew)};
    s->correlation = zf_square_new(n);
    s->edge = malloc(n * n);
    s->removed = malloc(n * n);
    s->benches = calloc((size_t)s->n_benches, sizeof *s->benches);
    double *deviation = malloc(n * sizeof *deviation);
    bool room = s->correlation && s->edge && s->removed && s->benches && deviation;
    if (room) zf_correlate(s->correlation, deviation, call);
    free(deviation);
    if (!room) return zf_fail_memory(n * n * (sizeof(double) + 2));
    for (int i = 0; i < s->n_benches; i++) ZF_TRY(bench_new(&s->benches[i], n, most));
    return ZF_OK;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The alphas from the strictest on, which is also from the fastest on: the first
   that keeps an edge gives its score. */
static zf_status run(skeleton *s, const double *given, size_t count)
{
    zf_method_call *call = s->call;
    size_t cells = call->columns * call->columns;
    double *alphas = malloc(count * sizeof *alphas);
    if (!alphas) return zf_fail_memory(count * sizeof *alphas);
    memcpy(alphas, given, count * sizeof *alphas);
    qsort(alphas, count, sizeof *alphas, compare);
    zf_status status = ZF_OK;
    s->steps = count;
    for (; status == ZF_OK && s->step < count; s->step++) {
        status = find_skeleton(s, alphas[s->step]);
        for (size_t i = 0; status == ZF_OK && i < cells; i++)
            if (s->edge[i] && call->scores[i] == 0) call->scores[i] = -log10(alphas[s->step]);
    }
    free(alphas);
    for (int i = 0; i < s->n_benches; i++) {
        call->details->tests += s->benches[i].tests;
        call->details->undecided += s->benches[i].undecided;
    }
    return status;
}

zf_status zf_pc_run(zf_method_call *call)
{
    const zf_baseline_options *options = call->options;
    const size_t n_default = sizeof default_alphas / sizeof *default_alphas;
    skeleton s;
    zf_status status = skeleton_new(&s, call);
    if (status == ZF_OK)
        status = run(&s, options->alphas ? options->alphas : default_alphas,
                     options->alphas ? (size_t)options->n_alphas : n_default);
    uint64_t steps = s.steps;
    skeleton_free(&s);
    ZF_TRY(status);
    if (call->details->undecided > 0)
        zf_method_log(call, ZF_WARNING,
                      "some columns determine others exactly: %llu of %llu tests were undecided "
                      "and kept their edges",
                      (unsigned long long)call->details->undecided,
                      (unsigned long long)call->details->tests);
    zf_pace_end(&call->pace, steps);
    return ZF_OK;
}
