/* MMD by one kernel and several, energy distance and the classifier: statistics against NumPy and
   SciPy (bench/peers/two_sample.py), exactness, what they find. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "known_sample.h"
#include "zeroflow/baseline.h"

static zf_peer_result test(zf_peer method, const zf_two_samples *samples, size_t permutations,
                           int threads)
{
    zf_peer_options options = zf_peer_defaults(method);
    zf_peer_result result;
    options.permutations = permutations;
    options.threads = threads;
    assert_ok(zf_peer_test(&result, samples, &options));
    return result;
}

static void statistics_agree_with_numpy(void **state)
{
    (void)state;
    static const double mmd[] = {0.068254727, 0.290831554, 0.167859868};
    static const double energy[] = {0.153772183, 0.819950864, 0.264058005};
    static const double widths[] = {0.363008713, 1.035592489, 0.737918613};
    for (int kind = EQUAL; kind <= SHEARED; kind++) {
        double first[24], second[18];
        known_sample(first, 12, 0, kind);
        known_sample(second, 9, 1, kind);
        zf_two_samples samples = {first, second, 12, 9, 2, NULL};
        assert_close(test(ZF_PEER_MMD, &samples, 99, 1).statistic, mmd[kind], 1e-6);
        assert_close(test(ZF_PEER_ENERGY, &samples, 99, 1).statistic, energy[kind], 1e-6);
        assert_close(test(ZF_PEER_MMD_WIDTHS, &samples, 99, 1).statistic, widths[kind], 1e-6);
    }
}

/* All ways to tell eleven rows into six and five. */
static void aggregate_agrees_with_numpy(void **state)
{
    (void)state;
    enum { ALL = 462 };
    static const double least[] = {0.783549784, 0.145021645, 0.041125541};
    static const double p[] = {0.922077922, 0.307359307, 0.093073593};
    for (int kind = EQUAL; kind <= SHEARED; kind++) {
        double first[12], second[10];
        known_sample(first, 6, 0, kind);
        known_sample(second, 5, 1, kind);
        zf_two_samples samples = {first, second, 6, 5, 2, NULL};
        zf_peer_result result = test(ZF_PEER_MMDAGG, &samples, ALL, 2);
        assert_int_equal(result.labellings, ALL);
        assert_close(result.statistic, least[kind], 1e-9);
        assert_close(result.p_value, p[kind], 1e-9);
    }
}

/* 0 and -1 against 2, 1 and 4, by hand: distances between 2 1 4 and 3 2 5; within 1, and
   1 2 3, each twice among all pairs. Every row is there two or three times, which
   changes no mean. */
static void energy_by_hand(void **state)
{
    (void)state;
    const double first[] = {0, -1, 0, -1, 0, -1}, second[] = {2, 1, 4, 2, 1, 4};
    zf_two_samples samples = {first, second, 6, 6, 1, NULL};
    double between = (2 + 1 + 4 + 3 + 2 + 5) / 6.0, one = 0.5, other = (1 + 2 + 3) * 2 / 9.0;
    assert_close(test(ZF_PEER_ENERGY, &samples, 99, 1).statistic, 2 * between - one - other, 1e-6);
}

/* All labellings of ten rows: the p-values are ranks. */
static void level_is_exact_by_enumeration(void **state)
{
    (void)state;
    enum { ROWS = 10, ALL = 252 };
    double pool[ROWS];
    draw_normals(pool, ROWS, 5);
    for (int method = ZF_PEER_MMD; method <= ZF_PEER_MMDAGG; method++) {
        double p[ALL];
        int n = 0;
        if (method == ZF_PEER_CLASSIFIER) continue; /* its labellings are those of halves */
        for (unsigned bits = 0; bits < 1u << ROWS; bits++) {
            double rows[2][ROWS];
            int size[2] = {0, 0};
            if (__builtin_popcount(bits) != 5) continue;
            for (int i = 0; i < ROWS; i++) rows[bits >> i & 1][size[bits >> i & 1]++] = pool[i];
            zf_two_samples samples = {rows[0], rows[1], 5, 5, 1, NULL};
            zf_peer_result result = test((zf_peer)method, &samples, 252, 1);
            assert_int_equal(result.labellings, ALL);
            p[n++] = result.p_value;
        }
        for (int i = 0; i < ALL; i++) {
            int below = 0;
            for (int j = 0; j < ALL; j++) below += p[j] <= p[i] + 1e-12;
            assert_true(below <= p[i] * ALL + 1e-6);
        }
    }
}

/* A clear difference is found by all, none by none; threads change no bit. */
static void power_and_threads(void **state)
{
    (void)state;
    enum { ROWS = 300 };
    static double values[2 * ROWS * 2], moved[ROWS * 2];
    draw_normals(values, 2 * ROWS * 2, 8);
    for (int i = 0; i < 2 * ROWS; i++) moved[i] = values[2 * ROWS + i] + 0.7f;
    for (int method = ZF_PEER_MMD; method <= ZF_PEER_MMDAGG; method++) {
        zf_two_samples equal = {values, values + 2 * ROWS, ROWS, ROWS, 2, NULL};
        zf_two_samples apart = {values, moved, ROWS, ROWS, 2, NULL};
        assert_true(test((zf_peer)method, &equal, 199, 1).p_value > 0.05);
        zf_peer_result one = test((zf_peer)method, &apart, 199, 1);
        assert_close(one.p_value, 1.0 / 200, 1e-12);
        for (int threads = 2; threads <= 3; threads++) {
            zf_peer_result other = test((zf_peer)method, &apart, 199, threads);
            assert_memory_equal(&one.statistic, &other.statistic, sizeof one.statistic);
            assert_memory_equal(&one.p_value, &other.p_value, sizeof one.p_value);
        }
    }
}

/* Values in other units, near both ends of what a number can be, far from 0, with one row
   that lies far out: the same p-value, and the statistic but for the unit. */
static void units_change_nothing(void **state)
{
    (void)state;
    enum { ROWS = 60 };
    static const double units[] = {1e-299, 1e-30, 1e-25, 1e19, 1e25, 1e30, 1e299};
    static double values[4 * ROWS], scaled[4 * ROWS];
    draw_normals(values, 4 * ROWS, 12);
    for (int i = 0; i < ROWS; i++) values[2 * ROWS + 2 * i] += 0.4f;
    zf_two_samples plain = {values, values + 2 * ROWS, ROWS, ROWS, 2, NULL};
    zf_two_samples other = {scaled, scaled + 2 * ROWS, ROWS, ROWS, 2, NULL};
    for (int method = ZF_PEER_MMD; method <= ZF_PEER_MMDAGG; method++) {
        zf_peer_result expected = test((zf_peer)method, &plain, 499, 1);
        for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
            for (int i = 0; i < 4 * ROWS; i++) scaled[i] = units[u] * values[i];
            zf_peer_result found = test((zf_peer)method, &other, 499, 1);
            double unit = method == ZF_PEER_ENERGY ? units[u] : 1;
            assert_close(found.statistic / unit, expected.statistic, 1e-3);
            assert_close(found.p_value, expected.p_value, 0.005);
        }
    }
}

/* One row far out moves no other row's kernel of MMD: the test still sees the shift. */
static void one_row_far_out(void **state)
{
    (void)state;
    enum { ROWS = 100 };
    double values[2 * ROWS];
    draw_normals(values, 2 * ROWS, 21);
    for (int i = 0; i < ROWS; i++) values[ROWS + i] += 1;
    values[3] = 1e30f;
    zf_two_samples samples = {values, values + ROWS, ROWS, ROWS, 1, NULL};
    assert_close(test(ZF_PEER_MMD, &samples, 199, 1).p_value, 1.0 / 200, 1e-12);
    assert_true(isfinite(test(ZF_PEER_ENERGY, &samples, 199, 1).statistic));
}

/* A sample against itself is never told apart, in any unit. */
static void the_same_rows_twice(void **state)
{
    (void)state;
    double values[30];
    draw_normals(values, 30, 4);
    for (int i = 0; i < 30; i++) values[i] *= 1e37f;
    zf_two_samples samples = {values, values, 15, 15, 2, NULL};
    for (int method = ZF_PEER_MMD; method <= ZF_PEER_MMDAGG; method++)
        if (method != ZF_PEER_CLASSIFIER)
            assert_true(test((zf_peer)method, &samples, 199, 1).p_value > 0.9);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    double values[20] = {0};
    zf_peer_options options = zf_peer_defaults(ZF_PEER_MMD);
    zf_peer_result result;
    zf_two_samples samples = {values, values, 4, 10, 1, NULL};
    assert_fails(zf_peer_test(&result, &samples, &options), ZF_EINPUT,
                 "first sample: expected at least 5 rows, found 4");
    samples.first_rows = ZF_PEER_ROWS_MOST;
    assert_fails(zf_peer_test(&result, &samples, &options), ZF_EINPUT, "expected at most 20000");
    samples.first_rows = 10;
    values[3] = INFINITY;
    assert_fails(zf_peer_test(&result, &samples, &options), ZF_EINPUT, "row 4, column 1");
    values[3] = 0; /* all rows are equal */
    assert_close(test(ZF_PEER_MMD, &samples, 99, 1).p_value, 1, 0);
    assert_close(test(ZF_PEER_ENERGY, &samples, 99, 1).p_value, 1, 0);
    assert_close(test(ZF_PEER_CLASSIFIER, &samples, 99, 1).p_value, 1, 0);
    assert_close(test(ZF_PEER_MMDAGG, &samples, 99, 1).p_value, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_agree_with_numpy),
        cmocka_unit_test(energy_by_hand),
        cmocka_unit_test(aggregate_agrees_with_numpy),
        cmocka_unit_test(level_is_exact_by_enumeration),
        cmocka_unit_test(power_and_threads),
        cmocka_unit_test(units_change_nothing),
        cmocka_unit_test(one_row_far_out),
        cmocka_unit_test(the_same_rows_twice),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
