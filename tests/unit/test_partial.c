/* Partial correlations: by hand, against regressions, on scores, when there are
   more columns than rows, and when columns are collinear. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "baseline.h"

/* With three columns there is a formula. */
static void three_columns_by_formula(void **state)
{
    (void)state;
    enum { ROWS = 100, N = 3 };
    double rows[ROWS * N];
    double mean[N] = {0}, s[N][N] = {{0}}, r[N][N];
    baseline_chain(rows, ROWS, N, 1);
    for (int i = 0; i < ROWS * N; i++) mean[i % N] += (double)rows[i] / ROWS;
    for (int i = 0; i < ROWS; i++)
        for (int a = 0; a < N; a++)
            for (int b = 0; b < N; b++)
                s[a][b] +=
                    ((double)rows[i * N + a] - mean[a]) * ((double)rows[i * N + b] - mean[b]);
    for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++) r[a][b] = s[a][b] / sqrt(s[a][a] * s[b][b]);
    zf_baseline_options options = zf_baseline_defaults(ZF_BASELINE_PARTIAL);
    baseline_found found = baseline_find(rows, ROWS, N, &options);
    for (int a = 0; a < N; a++) {
        int b = (a + 1) % N, c = (a + 2) % N;
        double expected =
            (r[a][b] - r[a][c] * r[b][c]) / sqrt((1 - r[a][c] * r[a][c]) * (1 - r[b][c] * r[b][c]));
        assert_close((double)zf_graph_gate(found.graph, (size_t)a, (size_t)b), fabs(expected),
                     1e-6);
        /* The precision's diagonal is one over what the others leave. */
        double left =
            (1 - r[b][c] * r[b][c]) / (1 + 2 * r[a][b] * r[b][c] * r[a][c] - r[a][b] * r[a][b] -
                                       r[b][c] * r[b][c] - r[a][c] * r[a][c]);
        assert_close(found.details.precision[a * N + a], left * ROWS / s[a][a], 1e-9);
        assert_true(zf_graph_gate(found.graph, (size_t)a, (size_t)a) == 0);
    }
    assert_close(found.details.shrinkage, 0, 0);
    baseline_free(&found);
}

/* Any monotone transform of a column leaves `rank` as it was, and not `partial`. */
static void ranks_ignore_monotone_transforms(void **state)
{
    (void)state;
    enum { ROWS = 300, N = 5 };
    double rows[ROWS * N], bent[ROWS * N];
    baseline_chain(rows, ROWS, N, 2);
    for (int i = 0; i < ROWS * N; i++)
        bent[i] = i % N % 2 ? expf(rows[i]) : rows[i] * rows[i] * rows[i];
    for (int partial = 0; partial < 2; partial++) {
        zf_baseline_options options =
            zf_baseline_defaults(partial ? ZF_BASELINE_PARTIAL : ZF_BASELINE_RANK);
        baseline_found a = baseline_find(rows, ROWS, N, &options);
        baseline_found b = baseline_find(bent, ROWS, N, &options);
        double worst = 0;
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < N; j++)
                worst = fmax(worst, fabs((double)zf_graph_gate(a.graph, i, j) -
                                         (double)zf_graph_gate(b.graph, i, j)));
        assert_true(partial ? worst > 0.05 : worst < 1e-6);
        baseline_free(&a);
        baseline_free(&b);
    }
}

/* Partial correlation with normal scores and `rank` are the same. */
static void rank_is_partial_on_scores(void **state)
{
    (void)state;
    enum { ROWS = 50, N = 4 };
    double rows[ROWS * N];
    baseline_chain(rows, ROWS, N, 3);
    zf_baseline_options options = zf_baseline_defaults(ZF_BASELINE_RANK);
    baseline_found a = baseline_find(rows, ROWS, N, &options);
    options.method = ZF_BASELINE_PARTIAL;
    baseline_found b = baseline_find(rows, ROWS, N, &options);
    assert_memory_equal(a.details.precision, b.details.precision, N * N * sizeof(double));
    baseline_free(&a);
    baseline_free(&b);
}

/* The estimate of the shrinkage, written out for every pair and row. */
static double shrinkage_by_hand(const double *rows, size_t n_rows, size_t n)
{
    double noise = 0, signal = 0, count = (double)n_rows;
    double *z = malloc(n_rows * n * sizeof *z);
    for (size_t j = 0; j < n; j++) {
        double mean = 0, squares = 0;
        for (size_t i = 0; i < n_rows; i++) mean += (double)rows[i * n + j] / count;
        for (size_t i = 0; i < n_rows; i++) squares += pow((double)rows[i * n + j] - mean, 2);
        for (size_t i = 0; i < n_rows; i++)
            z[i * n + j] = ((double)rows[i * n + j] - mean) / sqrt(squares / (count - 1));
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            double mean = 0, spread = 0;
            if (a == b) continue;
            for (size_t i = 0; i < n_rows; i++) mean += z[i * n + a] * z[i * n + b] / count;
            for (size_t i = 0; i < n_rows; i++)
                spread += pow(z[i * n + a] * z[i * n + b] - mean, 2);
            noise += spread * count / pow(count - 1, 3);
            signal += pow(mean * count / (count - 1), 2);
        }
    free(z);
    return noise / signal;
}

static void more_columns_than_rows_are_shrunk(void **state)
{
    (void)state;
    enum { ROWS = 30, N = 40 };
    double rows[ROWS * N];
    char lines[BASELINE_LINES];
    baseline_chain(rows, ROWS, N, 4);
    zf_baseline_options options = zf_baseline_defaults(ZF_BASELINE_PARTIAL);
    options.report = baseline_listen(lines);
    baseline_found found = baseline_find(rows, ROWS, N, &options);
    assert_close(found.details.shrinkage, shrinkage_by_hand(rows, ROWS, N), 1e-9);
    assert_true(found.details.shrinkage > 0.05 && found.details.shrinkage < 0.95);
    assert_non_null(strstr(lines, "warning: 30 rows for 40 columns: correlations are shrunk by"));
    /* The chain still shows. */
    double neighbours = 0, others = 0;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < i; j++)
            if (i == j + 1)
                neighbours += (double)zf_graph_score(found.graph, i, j) / (N - 1);
            else
                others += (double)zf_graph_score(found.graph, i, j) / ((N - 1) * (N - 2) / 2);
    assert_true(neighbours > 2 * others);
    baseline_free(&found);
}

static void collinear_columns_are_named(void **state)
{
    (void)state;
    enum { ROWS = 100, N = 6 };
    double rows[ROWS * N];
    baseline_chain(rows, ROWS, N, 5);
    for (int i = 0; i < ROWS; i++)
        rows[i * N + 4] = 2 * rows[i * N] - rows[i * N + 2] + 1000; /* rounded to double */
    zf_baseline_options options = zf_baseline_defaults(ZF_BASELINE_PARTIAL);
    baseline_found found;
    assert_fails(baseline_try(&found, rows, ROWS, N, &options), ZF_EINPUT,
                 "column \"x5\": a linear function of the columns before it");
}

/* Fisher's z by its formula, and the chain's edges with nearly nothing beside them. */
static void decides_by_fishers_z(void **state)
{
    (void)state;
    enum { ROWS = 300, N = 10 };
    double rows[ROWS * N];
    baseline_chain(rows, ROWS, N, 6);
    zf_baseline_options options = zf_baseline_defaults(ZF_BASELINE_PARTIAL);
    options.fdr = 0.05;
    baseline_found found = baseline_find(rows, ROWS, N, &options);
    size_t wrong = 0;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < i; j++) {
            const zf_edge_evidence *pair = zf_graph_evidence(found.graph, i, j);
            double r = (double)zf_graph_score(found.graph, i, j);
            double p = erfc(0.5 * log((1 + r) / (1 - r)) * sqrt(ROWS - (N - 2) - 3) / sqrt(2));
            assert_true(fabs(pair->p_value - p) <= 1e-4 * p + 1e-12);
            assert_true(pair->q_value >= pair->p_value);
            assert_true(pair->decided == (pair->q_value <= 0.05));
            if (i == j + 1)
                assert_true(pair->decided);
            else
                wrong += pair->decided;
        }
    assert_true(wrong <= 2);
    baseline_free(&found);
    options.method = ZF_BASELINE_GLASSO;
    assert_fails(baseline_try(&found, rows, ROWS, N, &options), ZF_EINVAL,
                 "glasso has no p-values");
    options.fdr = 1;
    assert_fails(baseline_try(&found, rows, ROWS, N, &options), ZF_EINVAL, "rate 1, expected");
}

/* Where correlations are shrunk, half of the p-values are below a half by construction, and
   what is decided is mostly the chain. */
static void decides_when_shrunk(void **state)
{
    (void)state;
    enum { ROWS = 60, N = 80, PAIRS = N * (N - 1) / 2 };
    static double rows[ROWS * N];
    baseline_chain(rows, ROWS, N, 7);
    zf_baseline_options options = zf_baseline_defaults(ZF_BASELINE_RANK);
    options.fdr = 0.05;
    baseline_found found = baseline_find(rows, ROWS, N, &options);
    size_t below = 0, right = 0, wrong = 0;
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < i; j++) {
            const zf_edge_evidence *pair = zf_graph_evidence(found.graph, i, j);
            below += pair->p_value < 0.5;
            if (i == j + 1)
                right += pair->decided;
            else
                wrong += pair->decided;
        }
    assert_true(below >= PAIRS / 2 - 1 && below <= PAIRS / 2 + 1);
    assert_true(right > N / 3 && wrong < right / 5);
    baseline_free(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_columns_by_formula),
        cmocka_unit_test(ranks_ignore_monotone_transforms),
        cmocka_unit_test(rank_is_partial_on_scores),
        cmocka_unit_test(more_columns_than_rows_are_shrunk),
        cmocka_unit_test(collinear_columns_are_named),
        cmocka_unit_test(decides_by_fishers_z),
        cmocka_unit_test(decides_when_shrunk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
