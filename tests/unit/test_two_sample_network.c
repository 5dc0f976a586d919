/* The two-sample test with a network as field: level, power, splits, threads. */
#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "zeroflow/two_sample.h"

static zf_two_sample_result test(const zf_two_samples *samples, uint64_t iterations, int splits,
                                 int threads)
{
    zf_two_sample_options options = zf_two_sample_defaults(ZF_TWO_SAMPLE_NETWORK);
    zf_two_sample_result result;
    options.permutations = 199;
    options.iterations = iterations;
    options.splits = splits;
    options.threads = threads;
    assert_ok(zf_two_sample_test(&result, samples, &options));
    return result;
}

/* 100 null data sets: 5 rejections are expected, more than 12 have a chance of 1 in
   700; the seeds are fixed. A field that hardly learnt is as good as any here. */
static void level_holds(void **state)
{
    (void)state;
    enum { ROWS = 20, SETS = 100 };
    int rejected = 0;
    double sum = 0;
    for (uint32_t set = 0; set < SETS; set++) {
        double values[2 * ROWS * 2];
        draw_normals(values, 2 * ROWS * 2, 1000 + set);
        zf_two_samples samples = {values, values + 2 * ROWS, ROWS, ROWS, 2, NULL};
        zf_two_sample_result result = test(&samples, 5, 1, 1);
        rejected += result.p_value <= 0.05;
        sum += result.p_value;
        zf_two_sample_free(&result);
    }
    assert_true(rejected <= 12);
    assert_close(sum / SETS, 0.5, 0.1); /* uniform: a deviation of 0.029 */
}

static void differences_are_found(void **state)
{
    (void)state;
    enum { FIRST = 200, SECOND = 160, COLUMNS = 3 };
    static double first[FIRST * COLUMNS], second[SECOND * COLUMNS];
    draw_normals(first, FIRST * COLUMNS, 1);
    draw_normals(second, SECOND * COLUMNS, 2);
    for (int i = 0; i < FIRST; i++) first[i * COLUMNS + 2] = 4; /* constant: it has no part */
    for (int i = 0; i < SECOND; i++) {
        second[i * COLUMNS + 1] += 1;
        second[i * COLUMNS + 2] = 4;
    }
    zf_two_samples samples = {first, second, FIRST, SECOND, COLUMNS, NULL};
    zf_two_sample_result one = test(&samples, 150, 1, 1);
    assert_close(one.p_value, 1.0 / 200, 1e-12);
    assert_true(one.statistic > 0 && one.effect > 0.2);
    assert_true(one.share[1] > 0.8 && one.share[2] == 0);
    assert_int_equal(one.rows_used, FIRST + SECOND);
    assert_int_equal(one.n_points, 10);
    for (int threads = 2; threads <= 3; threads++) {
        zf_two_sample_result other = test(&samples, 150, 1, threads);
        assert_memory_equal(&one.statistic, &other.statistic, sizeof one.statistic);
        assert_memory_equal(&one.p_value, &other.p_value, sizeof one.p_value);
        zf_two_sample_free(&other);
    }
    zf_two_sample_free(&one);
    zf_two_sample_result several = test(&samples, 150, 3, 1);
    assert_close(several.p_value, 2.0 / 200, 1e-12);
    zf_two_sample_free(&several);
}

static void too_few_rows_are_refused(void **state)
{
    (void)state;
    double values[40];
    draw_normals(values, 40, 3);
    zf_two_sample_options options = zf_two_sample_defaults(ZF_TWO_SAMPLE_NETWORK);
    zf_two_sample_result result;
    zf_two_samples samples = {values, values, 19, 20, 1, NULL};
    assert_fails(zf_two_sample_test(&result, &samples, &options), ZF_EINPUT,
                 "first sample: expected at least 20 rows, found 19");
    samples.first_rows = 20;
    options.splits = 0;
    assert_fails(zf_two_sample_test(&result, &samples, &options), ZF_EINVAL, "split");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_holds),
        cmocka_unit_test(differences_are_found),
        cmocka_unit_test(too_few_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
