/* The flow test: its numbers against NumPy by brute force over pairs
   (bench/peers/two_sample.py), its level exactly by enumeration and by simulation,
   its power where the differences are known, what it must not depend on, bad input. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "known_sample.h"
#include "zeroflow/two_sample.h"

static zf_two_samples samples_of(const double *first, size_t n, const double *second, size_t m,
                                 size_t columns)
{
    return (zf_two_samples){
        .first = first, .second = second, .first_rows = n, .second_rows = m, .columns = columns};
}

static zf_two_sample_result test(const zf_two_samples *samples, size_t permutations, int threads)
{
    zf_two_sample_options options = zf_two_sample_defaults(ZF_TWO_SAMPLE_FLOW);
    zf_two_sample_result result;
    options.permutations = permutations;
    options.threads = threads;
    assert_ok(zf_two_sample_test(&result, samples, &options));
    return result;
}

static double p_of(const zf_two_samples *samples, size_t permutations)
{
    zf_two_sample_result result = test(samples, permutations, 1);
    double p = result.p_value;
    zf_two_sample_free(&result);
    return p;
}

static void statistic_agrees_with_numpy(void **state)
{
    (void)state;
    static const struct {
        int kind;
        const char *scale;
        double statistic;
    } known[] = {
        {SHIFTED, "drift", 1.453956104},
        {SHEARED, "shear", 1.360228294},
    };
    for (int i = 0; i < 2; i++) {
        double first[24], second[18];
        known_sample(first, 12, 0, known[i].kind);
        known_sample(second, 9, 1, known[i].kind);
        zf_two_samples samples = samples_of(first, 12, second, 9, 2);
        zf_two_sample_result result = test(&samples, 999, 1);
        assert_string_equal(result.scale, known[i].scale);
        assert_close(result.statistic, known[i].statistic, 1e-5);
        assert_int_equal(result.rows_used, 21);
        assert_int_equal(result.labellings, 1000);
        assert_close(result.share[0] + result.share[1], 1, 1e-12);
        zf_two_sample_free(&result);
    }
}

/* Every way to tell ten (or eleven) rows into two samples is made the observed one;
   the p-values of all of them must be their ranks: at most a share p at p or below,
   for every p. With five of ten, a labelling and its opposite tie. */
static void check_enumerated(int rows, int first_rows, int expected, double least_p)
{
    double pool[11 * 2], first[22], second[22];
    double *p = malloc((size_t)expected * sizeof *p);
    int n = 0;
    draw_normals(pool, (size_t)rows * 2, 11);
    for (unsigned bits = 0; bits < 1u << rows; bits++) {
        if (__builtin_popcount(bits) != first_rows) continue;
        double *to[2] = {second, first};
        for (int i = 0; i < rows; i++) {
            memcpy(to[bits >> i & 1], pool + 2 * i, 2 * sizeof *pool);
            to[bits >> i & 1] += 2;
        }
        zf_two_samples samples =
            samples_of(first, (size_t)first_rows, second, (size_t)(rows - first_rows), 2);
        zf_two_sample_result result = test(&samples, 1000, 1);
        assert_true(result.enumerated);
        assert_int_equal(result.labellings, expected);
        p[n++] = result.p_value;
        zf_two_sample_free(&result);
    }
    assert_int_equal(n, expected);
    double smallest = 1;
    for (int i = 0; i < n; i++) {
        int below = 0;
        for (int j = 0; j < n; j++) below += p[j] <= p[i] + 1e-12;
        assert_true(below <= p[i] * n + 1e-6);
        smallest = fmin(smallest, p[i]);
    }
    assert_close(smallest, least_p, 1e-12);
    free(p);
}

static void level_is_exact_by_enumeration(void **state)
{
    (void)state;
    check_enumerated(10, 5, 252, 2.0 / 252);
    check_enumerated(11, 5, 462, 1.0 / 462);
}

enum { GAUSSIAN, HEAVY, MIXTURE, FEW_VALUES };

/* A row of d columns under one of four laws. */
static void draw_row(zf_random *random, double *row, size_t columns, int law)
{
    double size = 1, centre = 0, squares = 0;
    if (law == HEAVY) {
        for (int i = 0; i < 3; i++) squares += pow(zf_random_normal(random), 2);
        size = sqrt(3 / squares);
    }
    if (law == MIXTURE) centre = zf_random_below(random, 2) ? 3 : -3;
    for (size_t k = 0; k < columns; k++) row[k] = (float)(size * zf_random_normal(random) + centre);
    for (size_t k = 0; law == FEW_VALUES && k < columns; k++) row[k] = row[k] > 0;
}

/* 300 null data sets a law: 15 rejections are expected, and more than 26 or fewer
   than 6 have a chance of about 1 in 300 each; the seeds are fixed. */
static void level_holds_by_simulation(void **state)
{
    (void)state;
    enum { ROWS = 12, COLUMNS = 3, SETS = 300 };
    for (int law = GAUSSIAN; law <= FEW_VALUES; law++) {
        int rejected = 0;
        for (uint32_t set = 0; set < SETS; set++) {
            double values[2 * ROWS * COLUMNS];
            zf_random random = zf_random_at(77, ZF_FOR_TEST, (uint64_t)law, set);
            for (int i = 0; i < 2 * ROWS; i++)
                draw_row(&random, values + i * COLUMNS, COLUMNS, law);
            zf_two_samples samples =
                samples_of(values, ROWS, values + ROWS * COLUMNS, ROWS, COLUMNS);
            rejected += p_of(&samples, 199) <= 0.05;
        }
        assert_true(rejected >= 6 && rejected <= 26);
    }
}

/* Differences of each kind are found, and told as what they are. */
static void power_where_samples_differ(void **state)
{
    (void)state;
    enum { ROWS = 300, COLUMNS = 4 };
    static const struct {
        const char *scale;
        int column; /* with the largest share; -1: not asked */
    } cases[] = {{"drift", 1}, {"stretch", 2}, {"shear", -1}};
    for (int kind = 0; kind < 3; kind++) {
        double values[2 * ROWS * COLUMNS], *second = values + ROWS * COLUMNS;
        zf_random random = zf_random_at(9, ZF_FOR_TEST, 1, (uint32_t)kind);
        for (int i = 0; i < 2 * ROWS; i++)
            draw_row(&random, values + i * COLUMNS, COLUMNS, GAUSSIAN);
        for (int i = 0; i < ROWS; i++) {
            double *row = second + i * COLUMNS;
            if (kind == 0) row[1] += 0.5f;
            if (kind == 1) row[2] *= i % 2 ? 0.7f : 1.0f;
            if (kind == 1) row[0] *= i % 2 ? 1.2f : 1.1f;
            if (kind == 2) row[3] = 0.5f * row[0] + 0.866f * row[3];
        }
        zf_two_samples samples = samples_of(values, ROWS, second, ROWS, COLUMNS);
        zf_two_sample_result result = test(&samples, 999, 2);
        assert_true(result.p_value <= 0.002);
        assert_string_equal(result.scale, cases[kind].scale);
        assert_true(result.effect > 0.1);
        for (int k = 0; k < COLUMNS && cases[kind].column >= 0; k++)
            assert_true(result.share[k] <= result.share[cases[kind].column]);
        if (kind == 2) assert_true(result.share[0] + result.share[3] > 0.8);
        assert_int_equal(result.n_points, 10);
        for (size_t i = 0; i < 10; i++)
            assert_true(result.points[i].second == (i >= 5) &&
                        (result.points[i].witness > 0) == (i >= 5));
        zf_two_sample_free(&result);
    }
}

/* Correlated blobs on a 3x3 grid against round ones: nothing but neighbourhoods sees it. */
static void power_on_blobs(void **state)
{
    (void)state;
    enum { ROWS = 600 };
    static double values[2 * ROWS * 2];
    zf_random random = zf_random_at(3, ZF_FOR_TEST, 2, 0);
    for (int i = 0; i < 2 * ROWS; i++) {
        double x = zf_random_normal(&random), y = zf_random_normal(&random);
        if (i >= ROWS) y = 0.7f * x + 0.714f * y;
        values[2 * i] = x + 10 * (float)zf_random_below(&random, 3);
        values[2 * i + 1] = y + 10 * (float)zf_random_below(&random, 3);
    }
    zf_two_samples samples = samples_of(values, ROWS, values + 2 * ROWS, ROWS, 2);
    zf_two_sample_result result = test(&samples, 999, 1);
    assert_true(result.p_value <= 0.002);
    assert_string_equal(result.scale, "near");
    zf_two_sample_free(&result);
}

/* Two clusters in ten columns, whose weights are 0.5 and 0.5 or 0.34 and 0.66: where they lie
   is one direction of ten. */
static void power_on_weights(void **state)
{
    (void)state;
    enum { ROWS = 400, COLUMNS = 10 };
    static double values[2 * ROWS * COLUMNS];
    zf_random random = zf_random_at(5, ZF_FOR_TEST, 3, 0);
    for (int i = 0; i < 2 * ROWS; i++) {
        draw_row(&random, values + i * COLUMNS, COLUMNS, GAUSSIAN);
        bool far = zf_random_below(&random, 100) < (i < ROWS ? 50 : 66);
        for (int k = 0; far && k < COLUMNS; k++) values[i * COLUMNS + k] += 2;
    }
    zf_two_samples samples = samples_of(values, ROWS, values + ROWS * COLUMNS, ROWS, COLUMNS);
    zf_two_sample_result result = test(&samples, 999, 1);
    assert_true(result.p_value <= 0.002);
    assert_string_equal(result.scale, "drift"); /* of all columns alike */
    for (int k = 0; k < COLUMNS; k++) assert_true(result.share[k] < 0.3);
    assert_true(result.effect > 0.1 && result.effect < 0.5);
    zf_two_sample_free(&result);
}

/* How often, of SETS pairs of samples, clusters on a grid in the plane are found to have other
   shares: of n by n clusters, 6 deviations apart, each is `more` of an even share more frequent
   in the second sample, or less, in turn. */
static int found_shares(uint32_t n, double more)
{
    enum { ROWS = 300, SETS = 40 };
    static double values[2 * ROWS * 2];
    int found = 0;
    for (uint32_t set = 0; set < SETS; set++) {
        zf_random random = zf_random_at(8, ZF_FOR_TEST, n, set);
        for (int i = 0; i < 2 * ROWS; i++) {
            uint32_t cluster;
            double share;
            do {
                cluster = zf_random_below(&random, n * n);
                share = 1 + (i < ROWS ? 0 : cluster % 2 ? -more : more);
            } while (zf_random_below(&random, 1000) >= 500 * share);
            values[2 * i] = zf_random_normal(&random) + 6.0 * (cluster % n);
            values[2 * i + 1] = zf_random_normal(&random) + 6.0 * (cluster / n);
        }
        zf_two_samples samples = samples_of(values, ROWS, values + 2 * ROWS, ROWS, 2);
        found += p_of(&samples, 199) <= 0.05;
    }
    return found;
}

/* Few clusters and many. An oracle that is told each row's cluster would find about 34 (four
   clusters) and 39 (nine) of 40, by a chi-square test. */
static void power_on_shares_of_clusters(void **state)
{
    (void)state;
    assert_true(found_shares(2, 0.28) >= 27);
    assert_true(found_shares(3, 0.45) >= 22);
}

/* Four columns of few values, of which the second sample's depend on each other or have other
   frequencies in ways that no mean, spread or correlation sees. */
static void power_on_few_values(void **state)
{
    (void)state;
    enum { ROWS = 300, COLUMNS = 4 };
    static const char *const scales[] = {"levels", "tables", "rows"};
    for (int kind = 0; kind < 3; kind++) {
        int levels = kind < 2 ? 4 : 2;
        static double values[2 * ROWS * COLUMNS];
        zf_random random = zf_random_at(6, ZF_FOR_TEST, 4, (uint32_t)kind);
        for (int i = 0; i < 2 * ROWS; i++) {
            double *row = values + i * COLUMNS;
            for (int k = 0; k < COLUMNS; k++) row[k] = zf_random_below(&random, (uint32_t)levels);
            if (i < ROWS || zf_random_below(&random, 10) >= 5) continue;
            static const int outwards[] = {0, 0, 3, 3}, mapped[] = {1, 3, 0, 2};
            if (kind == 0) row[1] = outwards[(int)row[1]];
            if (kind == 1) row[1] = mapped[(int)row[0]];
            if (kind == 2) row[2] = (int)(row[0] + row[1]) % 2;
        }
        zf_two_samples samples = samples_of(values, ROWS, values + ROWS * COLUMNS, ROWS, COLUMNS);
        zf_two_sample_result result = test(&samples, 999, 1);
        assert_true(result.p_value <= 0.005);
        assert_string_equal(result.scale, scales[kind]);
        if (kind == 0) assert_true(result.share[1] > 0.5);
        if (kind == 1) assert_true(result.share[0] + result.share[1] > 0.5);
        zf_two_sample_free(&result);
    }
}

static void same_result(const zf_two_sample_result *a, const zf_two_sample_result *b,
                        size_t columns)
{
    assert_memory_equal(&a->statistic, &b->statistic, sizeof a->statistic);
    assert_memory_equal(&a->p_value, &b->p_value, sizeof a->p_value);
    assert_memory_equal(&a->effect, &b->effect, sizeof a->effect);
    assert_memory_equal(a->share, b->share, columns * sizeof *a->share);
    assert_int_equal(a->n_points, b->n_points);
}

/* More than one chunk of rows, unequal sizes; threads and the order of the rows must
   not change a bit, and names of the rows follow their order. */
static void result_depends_on_rows_alone(void **state)
{
    (void)state;
    enum { FIRST = 700, SECOND = 500, COLUMNS = 3 };
    static double first[FIRST * COLUMNS], second[SECOND * COLUMNS], turned[FIRST * COLUMNS];
    draw_normals(first, FIRST * COLUMNS, 1);
    draw_normals(second, SECOND * COLUMNS, 2);
    for (int i = 0; i < FIRST; i++)
        memcpy(turned + i * COLUMNS, first + (FIRST - 1 - i) * COLUMNS, COLUMNS * sizeof *first);
    zf_two_samples samples = samples_of(first, FIRST, second, SECOND, COLUMNS);
    zf_two_sample_result one = test(&samples, 300, 1);
    for (int threads = 2; threads <= 3; threads++) {
        zf_two_sample_result other = test(&samples, 300, threads);
        same_result(&one, &other, COLUMNS);
        for (size_t i = 0; i < one.n_points; i++)
            assert_int_equal(one.points[i].row, other.points[i].row);
        zf_two_sample_free(&other);
    }
    samples.first = turned;
    zf_two_sample_result other = test(&samples, 300, 2);
    same_result(&one, &other, COLUMNS);
    for (size_t i = 0; i < one.n_points; i++)
        assert_int_equal(one.points[i].second ? one.points[i].row : FIRST - 1 - one.points[i].row,
                         other.points[i].row);
    zf_two_sample_free(&other);
    zf_two_sample_free(&one);
}

static void identical_and_constant_samples(void **state)
{
    (void)state;
    double values[20 * 2];
    draw_normals(values, 40, 4);
    zf_two_samples same = samples_of(values, 20, values, 20, 2);
    zf_two_sample_result result = test(&same, 199, 1);
    assert_close(result.p_value, 1, 0);
    assert_close(result.statistic, 0, 0);
    assert_close(result.effect, 0, 0);
    assert_int_equal(result.n_points, 0);
    zf_two_sample_free(&result);

    /* One column is constant, the other two-valued. */
    for (int i = 0; i < 20; i++) {
        values[2 * i] = 7;
        values[2 * i + 1] = (float)(i % 2);
    }
    result = test(&same, 199, 1);
    assert_close(result.p_value, 1, 0);
    zf_two_sample_free(&result);

    /* Each sample is constant, at another value: as different as can be. */
    double other[20 * 2];
    for (int i = 0; i < 40; i++) {
        values[i] = 1;
        other[i] = 2;
    }
    zf_two_samples apart = samples_of(values, 20, other, 20, 2);
    result = test(&apart, 199, 1);
    assert_close(result.p_value, 1.0 / 200, 1e-12);
    zf_two_sample_free(&result);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    double values[20] = {0};
    zf_two_sample_options options = zf_two_sample_defaults(ZF_TWO_SAMPLE_FLOW);
    zf_two_sample_result result = {.p_value = 0.123};
    const char *names[] = {"height", "weight"};
    zf_two_samples samples = samples_of(values, 10, values, 4, 2);
    samples.names = names;
    assert_fails(zf_two_sample_test(&result, &samples, &options), ZF_EINPUT,
                 "second sample: expected at least 5 rows, found 4");
    samples.second_rows = 10;
    assert_fails(zf_two_sample_test(&result, &samples, &options), ZF_EINPUT, "no column varies");
    values[7] = NAN;
    assert_fails(zf_two_sample_test(&result, &samples, &options), ZF_EINPUT,
                 "row 4, column 2 \"weight\": expected a finite number");
    values[7] = 1;
    options.permutations = 18;
    assert_fails(zf_two_sample_test(&result, &samples, &options), ZF_EINVAL, "18 permutations");
    samples.columns = 0;
    options.permutations = 100;
    assert_fails(zf_two_sample_test(&result, &samples, &options), ZF_EINPUT, "one column");
    assert_close(result.p_value, 0.123, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistic_agrees_with_numpy),
        cmocka_unit_test(level_is_exact_by_enumeration),
        cmocka_unit_test(level_holds_by_simulation),
        cmocka_unit_test(power_where_samples_differ),
        cmocka_unit_test(power_on_blobs),
        cmocka_unit_test(power_on_weights),
        cmocka_unit_test(power_on_shares_of_clusters),
        cmocka_unit_test(power_on_few_values),
        cmocka_unit_test(result_depends_on_rows_alone),
        cmocka_unit_test(identical_and_constant_samples),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
