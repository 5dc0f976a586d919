/* PC's skeleton against causal-learn on ten random graphs, and what it promises
   about alpha, order, depth and columns that determine each other. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "baseline.h"
#include "golden.h"

static zf_baseline_options at_alpha(const double *alpha)
{
    zf_baseline_options options = zf_baseline_defaults(ZF_BASELINE_PC);
    options.alphas = alpha;
    options.n_alphas = 1;
    return options;
}

static void assert_skeleton(golden *file, int graph, const char *level, double alpha)
{
    char name[32];
    snprintf(name, sizeof name, "values_%d", graph);
    size_t rows = (size_t)golden_shape(file, name).dim[0];
    size_t columns = (size_t)golden_shape(file, name).dim[1];
    zf_baseline_options options = at_alpha(&alpha);
    baseline_found found = baseline_find(golden_doubles(file, name), rows, columns, &options);
    snprintf(name, sizeof name, "%s_%d", level, graph);
    const double *edges = golden_doubles(file, name);
    for (size_t i = 0; i < columns; i++)
        for (size_t j = 0; j < columns; j++)
            assert_close((double)zf_graph_gate(found.graph, i, j),
                         edges[i * columns + j] != 0 ? -log10(alpha) : 0, 1e-6);
    baseline_free(&found);
}

static void agrees_with_causal_learn(void **state)
{
    (void)state;
    golden *file = golden_open("pc");
    for (int graph = 0; graph < 10; graph++) {
        assert_skeleton(file, graph, "loose", 0.05);
        assert_skeleton(file, graph, "strict", 0.001);
    }
    golden_close(file);
}

/* The score is that of the strictest alpha which by itself keeps the edge. */
static void scores_are_the_strictest_alpha(void **state)
{
    (void)state;
    enum { ROWS = 120, N = 10 };
    static const double grid[] = {0.2, 1e-6, 0.01, 0.05, 1e-3}; /* in no order */
    static const int by_strictness[] = {1, 4, 2, 3, 0};
    double rows[ROWS * N];
    double expected[N * N] = {0};
    baseline_chain(rows, ROWS, N, 4);
    for (int k = 4; k >= 0; k--) {
        zf_baseline_options options = at_alpha(&grid[by_strictness[k]]);
        baseline_found found = baseline_find(rows, ROWS, N, &options);
        for (size_t i = 0; i < N * N; i++)
            if (zf_graph_gate(found.graph, i / N, i % N) > 0)
                expected[i] = -log10(grid[by_strictness[k]]);
        baseline_free(&found);
    }
    zf_baseline_options options = at_alpha(grid);
    options.n_alphas = 5;
    baseline_found found = baseline_find(rows, ROWS, N, &options);
    bool different = false;
    for (size_t i = 0; i < N * N; i++) {
        assert_close((double)zf_graph_gate(found.graph, i / N, i % N), expected[i], 1e-6);
        different |= expected[i] > 0 && expected[i] < 5.9;
    }
    assert_true(different);
    baseline_free(&found);
}

static void order_of_columns_does_not_matter(void **state)
{
    (void)state;
    enum { ROWS = 150, N = 12 };
    double rows[ROWS * N], turned[ROWS * N];
    baseline_chain(rows, ROWS, N, 9);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < N; j++) turned[i * N + (j * 5 + 3) % N] = rows[i * N + j];
    zf_baseline_options options = zf_baseline_defaults(ZF_BASELINE_PC);
    baseline_found a = baseline_find(rows, ROWS, N, &options);
    baseline_found b = baseline_find(turned, ROWS, N, &options);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++)
            assert_true(zf_graph_gate(a.graph, i, j) ==
                        zf_graph_gate(b.graph, (i * 5 + 3) % N, (j * 5 + 3) % N));
    baseline_free(&a);
    baseline_free(&b);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    static double rows[150 * 20];
    baseline_chain(rows, 150, 20, 10);
    baseline_assert_threads(rows, 150, 20, zf_baseline_defaults(ZF_BASELINE_PC));
}

/* x1 -> x2 -> x3: without conditions the ends are joined, given x2 they are not. */
static void depth_limits_the_conditions(void **state)
{
    (void)state;
    enum { ROWS = 2000, N = 3 };
    static double rows[ROWS * N];
    const double alpha = 0.01;
    baseline_chain(rows, ROWS, N, 12);
    zf_baseline_options options = at_alpha(&alpha);
    options.depth = 0;
    baseline_found flat = baseline_find(rows, ROWS, N, &options);
    assert_true(zf_graph_score(flat.graph, 0, 2) > 0);
    assert_int_equal(flat.details.tests, 6);
    options.depth = -1;
    baseline_found deep = baseline_find(rows, ROWS, N, &options);
    assert_true(zf_graph_score(deep.graph, 0, 2) == 0);
    assert_true(zf_graph_score(deep.graph, 0, 1) > 0);
    assert_true(zf_graph_score(deep.graph, 1, 2) > 0);
    baseline_free(&flat);
    baseline_free(&deep);
}

/* x4 is a copy of x1 and x5 the sum of x1 and x2: their tests are undecided, and
   edges that nothing else speaks against stay. */
static void exact_dependence_keeps_edges(void **state)
{
    (void)state;
    enum { ROWS = 500, N = 5 };
    double rows[ROWS * N];
    char lines[BASELINE_LINES];
    const double alpha = 0.01;
    draw_normals(rows, ROWS * N, 13);
    for (int i = 0; i < ROWS; i++) {
        rows[i * N + 3] = rows[i * N];
        rows[i * N + 4] = rows[i * N] + rows[i * N + 1];
    }
    zf_baseline_options options = at_alpha(&alpha);
    options.report = baseline_listen(lines);
    baseline_found found = baseline_find(rows, ROWS, N, &options);
    assert_true(zf_graph_score(found.graph, 0, 3) > 0);
    assert_true(zf_graph_score(found.graph, 1, 4) > 0);
    assert_true(found.details.undecided > 0 && found.details.undecided < found.details.tests);
    assert_non_null(strstr(lines, "warning: some columns determine others exactly"));
    baseline_free(&found);
}

/* Five rows allow one condition at most, four allow none. */
static void few_rows_allow_few_conditions(void **state)
{
    (void)state;
    static double rows[5 * 30];
    zf_baseline_options options = zf_baseline_defaults(ZF_BASELINE_PC);
    draw_normals(rows, 5 * 30, 14);
    baseline_found five = baseline_find(rows, 5, 30, &options);
    baseline_found four = baseline_find(rows, 4, 30, &options);
    assert_int_equal(four.details.tests, 22 * 30 * 29);
    baseline_free(&five);
    baseline_free(&four);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_causal_learn),
        cmocka_unit_test(scores_are_the_strictest_alpha),
        cmocka_unit_test(order_of_columns_does_not_matter),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(depth_limits_the_conditions),
        cmocka_unit_test(exact_dependence_keeps_edges),
        cmocka_unit_test(few_rows_allow_few_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
