/* Stability: edges of known graphs stand in nearly all half samples, pairs of noise in few; the
   same on any number of threads; the bounds on false edges; what is refused. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "evidence/stability.h"

enum { COLUMNS = 6, PAIRS = COLUMNS * (COLUMNS - 1) / 2 };

/* A chain a - b - c, a pair d - e that is weak, and f, which has nothing to do with them. */
static double *law(uint64_t seed, size_t rows)
{
    double *values = malloc(rows * COLUMNS * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < rows; i++) {
        double *x = values + i * COLUMNS;
        for (size_t j = 0; j < COLUMNS; j++) {
            zf_random random = zf_random_at(seed, ZF_FOR_DATA, i, (uint32_t)j);
            x[j] = (double)zf_random_normal(&random);
        }
        x[1] += x[0];
        x[2] += x[1];
        x[4] += 0.2 * x[3];
    }
    return values;
}

static zf_evidence *measure(const double *values, size_t rows, int threads, int halves,
                            uint64_t seed)
{
    zf_evidence_options options = zf_evidence_defaults();
    zf_evidence *evidence = NULL;
    options.threads = threads;
    options.half_samples = halves;
    options.seed = seed;
    assert_ok(zf_evidence_test(&evidence, values, rows, NULL, COLUMNS, &options));
    return evidence;
}

static double stability(const zf_evidence *evidence, int a, int b)
{
    return zf_evidence_pair(evidence, a, b)->stability;
}

static void tells_strong_edges_from_weak_ones(void **state)
{
    (void)state;
    double *values = law(1, 300);
    zf_evidence *evidence = measure(values, 300, 0, 20, 3);
    assert_true(stability(evidence, 0, 1) == 1 && stability(evidence, 1, 2) == 1);
    assert_true(stability(evidence, 3, 4) > 0.1 && stability(evidence, 3, 4) < 1);
    assert_true(stability(evidence, 0, 5) < 0.3 && stability(evidence, 0, 2) < 0.3);
    zf_stability found;
    assert_true(zf_evidence_stability(&found, evidence, 0.9));
    assert_int_equal(found.half_samples, 20);
    assert_close(found.fdr, 0.1, 1e-15);
    assert_int_equal(found.edges, 2);
    double chosen = 0;
    for (int a = 1; a < COLUMNS; a++)
        for (int b = 0; b < a; b++) chosen += stability(evidence, a, b);
    assert_close(found.chosen, chosen, 1e-12);
    /* q^2 / ((2 share - 1) p), theorem 1 of Shah and Samworth with theta = q / p */
    assert_close(found.false_worst, chosen * chosen / (0.8 * PAIRS), 1e-9);
    assert_true(found.false_concave > 0 && found.false_concave <= found.false_worst);
    zf_evidence_free(evidence);
    free(values);
}

static void gives_the_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    double *values = law(2, 121);
    zf_evidence *one = measure(values, 121, 1, 10, 5), *three = measure(values, 121, 3, 10, 5);
    zf_evidence *other = measure(values, 121, 1, 10, 6), *none = measure(values, 121, 1, 0, 5);
    bool differs = false;
    for (int a = 1; a < COLUMNS; a++)
        for (int b = 0; b < a; b++) {
            assert_true(stability(one, a, b) == stability(three, a, b));
            assert_true(stability(none, a, b) == -1);
            /* Half samples are beside the test of the table, and do not touch it. */
            assert_true(zf_evidence_pair(one, a, b)->p_value ==
                        zf_evidence_pair(none, a, b)->p_value);
            differs |= stability(one, a, b) != stability(other, a, b);
        }
    assert_true(differs);
    zf_stability found = {.half_samples = 7};
    assert_false(zf_evidence_stability(&found, none, 0.9));
    assert_int_equal(found.half_samples, 7);
    zf_evidence_free(one);
    zf_evidence_free(three);
    zf_evidence_free(other);
    zf_evidence_free(none);
    free(values);
}

/* A flag that is set in one row is constant in one of two halves. */
static void lives_with_columns_that_a_half_makes_constant(void **state)
{
    (void)state;
    double *values = law(3, 100);
    for (size_t i = 0; i < 100; i++) values[i * COLUMNS + 5] = i == 17;
    zf_evidence *evidence = measure(values, 100, 0, 6, 1);
    for (int a = 1; a < COLUMNS; a++)
        for (int b = 0; b < a; b++)
            assert_true(stability(evidence, a, b) >= 0 && stability(evidence, a, b) <= 1);
    assert_true(stability(evidence, 1, 2) == 1);
    zf_evidence_free(evidence);
    free(values);
}

static void refuses_what_it_cannot_halve(void **state)
{
    (void)state;
    double *values = law(4, 60);
    zf_evidence_options options = zf_evidence_defaults();
    zf_evidence *evidence = NULL;
    options.half_samples = 10;
    assert_int_equal(zf_evidence_test(&evidence, values, 59, NULL, COLUMNS, &options), ZF_EINPUT);
    assert_non_null(strstr(zf_error(), "60"));
    options.half_samples = 5;
    assert_int_equal(zf_evidence_test(&evidence, values, 60, NULL, COLUMNS, &options), ZF_EINVAL);
    options.half_samples = 4;
    options.fdr = 1;
    assert_int_equal(zf_evidence_test(&evidence, values, 60, NULL, COLUMNS, &options), ZF_EINVAL);
    options.fdr = 0;
    assert_int_equal(zf_evidence_test(&evidence, values, 60, NULL, COLUMNS, &options), ZF_EINVAL);
    assert_null(evidence);
    free(values);
}

/* Against scipy: the mean by brentq, the tail by minimize_scalar, as the paper's appendix says. */
static void bounds_tails_as_scipy_does(void **state)
{
    (void)state;
    static const struct {
        double theta;
        int t, steps;
        double r, expected;
    } cases[] = {
        {0.01, 20, 25, -0.5, 9.484015092884324e-4},   {0.1, 45, 50, -0.25, 2.448170694773766e-3},
        {0.04, 10, 25, -0.5, 2.4034908061348115e-2},  {0.05, 30, 50, -0.25, 3.6054710783517407e-3},
        {0.001, 25, 25, -0.5, 1.1132592126150698e-5}, {0.2, 40, 50, -0.25, 2.6806417816545358e-2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_close(zf_concave_tail(cases[i].theta * cases[i].steps, cases[i].t, cases[i].steps,
                                     cases[i].r),
                     cases[i].expected, 1e-4 * cases[i].expected);
    /* Where it says nothing, and where nothing is ever chosen. */
    assert_true(zf_concave_tail(10, 15, 25, -0.5) == 1);
    assert_true(zf_concave_tail(0, 15, 25, -0.5) == 0);
    /* Thinner than Markov's inequality, and falling. */
    double last = 1;
    for (int t = 3; t <= 25; t++) {
        double tail = zf_concave_tail(0.25, t, 25, -0.5);
        assert_true(tail < 0.25 / t && tail < last);
        last = tail;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_strong_edges_from_weak_ones),
        cmocka_unit_test(gives_the_same_bits_on_any_number_of_threads),
        cmocka_unit_test(lives_with_columns_that_a_half_makes_constant),
        cmocka_unit_test(refuses_what_it_cannot_halve),
        cmocka_unit_test(bounds_tails_as_scipy_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
