/* The graphical lasso against scikit-learn, against the conditions of its
   optimum, and on tables that are hard for it. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "baseline.h"
#include "baseline/glasso.h"
#include "golden.h"
#include "kernel/lapack.h"

static void agrees_with_scikit_learn(void **state)
{
    (void)state;
    static const char *const names[] = {"glasso_chain", "glasso_scales", "glasso_wide",
                                        "glasso_sorted"};
    zf_baseline_options options = zf_baseline_defaults(ZF_BASELINE_GLASSO);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        golden *file = golden_open(names[k]);
        size_t rows = (size_t)golden_shape(file, "values").dim[0];
        size_t columns = (size_t)golden_shape(file, "values").dim[1];
        const double *precision = golden_doubles(file, "precision");
        baseline_found found =
            baseline_find(golden_doubles(file, "values"), rows, columns, &options);
        double penalty = (double)golden_doubles(file, "penalty")[0];
        double likelihood = (double)golden_doubles(file, "likelihood")[0];
        assert_close(found.details.penalty, penalty, 1e-6 * penalty);
        assert_close(found.details.likelihood, likelihood, 1e-6 * fabs(likelihood));
        for (size_t i = 0; i < columns; i++)
            for (size_t j = 0; j < columns; j++) {
                double expected = (double)precision[i * columns + j];
                assert_close(found.details.precision[i * columns + j], expected,
                             1e-6 * (1 + fabs(expected)));
                assert_close((double)zf_graph_gate(found.graph, i, j), i == j ? 0 : fabs(expected),
                             1e-5 * (1 + fabs(expected)));
            }
        baseline_free(&found);
        golden_close(file);
    }
}

/* At the optimum the covariance is the inverse of the precision, equals the
   sample's on the diagonal, is off it by the penalty where there is an edge and
   by less where there is none. */
static void solution_is_the_optimum(void **state)
{
    (void)state;
    enum { ROWS = 400, N = 12 };
    static double rows[ROWS * N];
    static double values[ROWS * N], empirical[N * N];
    const double penalty = 0.1;
    baseline_chain(rows, ROWS, N, 5);
    for (int i = 0; i < ROWS * N; i++) values[i] = (double)rows[i];
    zf_cross_product(empirical, values, ROWS, N, 1.0 / ROWS);
    zf_glasso work;
    zf_glasso_end end;
    double gap;
    size_t edges = 0;
    assert_ok(zf_glasso_new(&work, N));
    memcpy(work.covariance, empirical, sizeof empirical);
    assert_ok(zf_glasso_solve(&end, &gap, &work, empirical, penalty, 100));
    assert_int_equal(end, ZF_GLASSO_CONVERGED);
    assert_true(fabs(gap) < 1e-4);
    memcpy(values, work.precision, sizeof empirical);
    assert_int_equal(zf_invert_positive(values, N, 0), 0);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double off = values[i * N + j] - empirical[i * N + j], p = work.precision[i * N + j];
            edges += i < j && p != 0;
            if (i == j)
                assert_close(off, 0, 5e-3);
            else if (p == 0)
                assert_true(fabs(off) < penalty + 5e-3);
            else
                assert_close(off, p > 0 ? penalty : -penalty, 5e-3);
        }
    assert_true(edges >= N - 1 && edges < N * (N - 1) / 2);
    zf_glasso_free(&work);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    static double rows[100 * 15];
    baseline_chain(rows, 100, 15, 6);
    baseline_assert_threads(rows, 100, 15, zf_baseline_defaults(ZF_BASELINE_GLASSO));
}

/* A column twice, and one that is the sum of others: the penalty copes. */
static void collinear_columns_are_fine(void **state)
{
    (void)state;
    enum { ROWS = 200, N = 6 };
    double rows[ROWS * N];
    baseline_chain(rows, ROWS, N, 7);
    for (int i = 0; i < ROWS; i++) {
        rows[i * N + 4] = rows[i * N];
        rows[i * N + 5] = rows[i * N + 1] + rows[i * N + 2];
    }
    zf_baseline_options options = zf_baseline_defaults(ZF_BASELINE_GLASSO);
    baseline_found found = baseline_find(rows, ROWS, N, &options);
    assert_true(zf_graph_score(found.graph, 0, 4) > 10 * zf_graph_score(found.graph, 0, 3));
    baseline_free(&found);
}

/* With standard marginals units do not matter. */
static void standardising_frees_from_units(void **state)
{
    (void)state;
    enum { ROWS = 200, N = 6 };
    double rows[ROWS * N], other[ROWS * N];
    baseline_chain(rows, ROWS, N, 8);
    for (int i = 0; i < ROWS * N; i++) other[i] = 100 + rows[i] * (float)(1 << i % N);
    zf_baseline_options options = zf_baseline_defaults(ZF_BASELINE_GLASSO);
    options.marginals = ZF_BASELINE_STANDARD;
    baseline_found a = baseline_find(rows, ROWS, N, &options);
    baseline_found b = baseline_find(other, ROWS, N, &options);
    for (int i = 0; i < N * N; i++)
        assert_close(a.details.precision[i], b.details.precision[i], 1e-4);
    baseline_free(&a);
    baseline_free(&b);
}

/* Four rows of a design whose columns are exactly uncorrelated. */
static void nothing_correlates(void **state)
{
    (void)state;
    const double rows[] = {1, 2, 1, -2, -1, 2, -1, -2};
    zf_baseline_options options = zf_baseline_defaults(ZF_BASELINE_GLASSO);
    options.folds = 2;
    baseline_found found = baseline_find(rows, 4, 2, &options);
    assert_true(zf_graph_score(found.graph, 0, 1) == 0);
    assert_close(found.details.precision[0], 1, 1e-15);
    assert_close(found.details.precision[1], 0, 0);
    assert_close(found.details.precision[3], 0.25, 1e-15);
    baseline_free(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_scikit_learn),
        cmocka_unit_test(solution_is_the_optimum),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(collinear_columns_are_fine),
        cmocka_unit_test(standardising_frees_from_units),
        cmocka_unit_test(nothing_correlates),
    };
    if (zf_lapack_open() != ZF_OK) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
