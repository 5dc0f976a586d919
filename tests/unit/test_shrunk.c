/* Shrunk partial correlations: the share of shrinkage and the empirical null, against NumPy; and
   how a second voice changes a pair's p-value. */
#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "base/normal.h"
#include "evidence/shrunk.h"
#include "evidence/signs.h"
#include "kernel/lapack.h"
#include "zeroflow/generate.h"

enum { ROWS = 40, COLUMNS = 6 };

/* Columns of waves, standardised; the first three share one. [COLUMNS, ROWS] */
static void waves(double *columns)
{
    for (int j = 0; j < COLUMNS; j++) {
        double mean = 0, square = 0, *column = columns + (ptrdiff_t)j * ROWS;
        for (int i = 0; i < ROWS; i++) {
            column[i] = sin(1.7 * (i + 1) * (j + 1)) + (j < 3 ? 0.9 * sin(2.3 * (i + 1)) : 0);
            mean += column[i] / ROWS;
        }
        for (int i = 0; i < ROWS; i++) square += (column[i] - mean) * (column[i] - mean) / ROWS;
        for (int i = 0; i < ROWS; i++) column[i] = (column[i] - mean) / sqrt(square);
    }
}

static void mean_products(double *to, const double *columns)
{
    for (int a = 0; a < COLUMNS; a++)
        for (int b = 0; b < COLUMNS; b++) {
            double sum = 0;
            for (int i = 0; i < ROWS; i++) sum += columns[a * ROWS + i] * columns[b * ROWS + i];
            to[a * COLUMNS + b] = sum / ROWS;
        }
}

static void share_as_published(void **state)
{
    (void)state;
    double columns[COLUMNS * ROWS], correlation[COLUMNS * COLUMNS], fourth[COLUMNS * COLUMNS];
    waves(columns);
    mean_products(correlation, columns);
    for (int i = 0; i < COLUMNS * ROWS; i++) columns[i] *= columns[i];
    mean_products(fourth, columns);
    assert_close(zf_shrinkage_share(correlation, fourth, COLUMNS, ROWS), 0.528013917336387, 1e-12);
}

static void deviations_as_numpy_has_them(void **state)
{
    (void)state;
    static const double wanted[] = {10.29081994, 8.34623171,  9.84471452,  -0.50092375, -0.21644833,
                                    -0.67448975, -0.16082151, -2.00819361, -0.49214859, 0.04604006,
                                    -2.48851435, -0.32038176, -2.15972853, -0.02820069, 0.74521396};
    double columns[COLUMNS * ROWS], got[COLUMNS * (COLUMNS - 1) / 2];
    waves(columns);
    assert_ok(zf_lapack_open());
    zf_sample sample = {.rows = ROWS, .variables = COLUMNS};
    sample.scores = (zf_columns){.values = columns, .count = COLUMNS, .rows = ROWS};
    assert_ok(zf_shrunk_deviations(got, &sample));
    for (size_t i = 0; i < sizeof got / sizeof *got; i++) assert_close(got[i], wanted[i], 1e-7);
}

static void null_by_the_median(void **state)
{
    (void)state;
    double odd[] = {3, 1, 2}, even[] = {4, 100, 1, 2};
    assert_close(zf_null_deviation(odd, 3), 2 / 0.6744897501960817, 1e-12);
    assert_close(zf_null_deviation(even, 4), 3 / 0.6744897501960817, 1e-12);
}

/* Both together are surer than one alone, but never by more than the bound, and never less sure
   than what was found before. */
static void two_voices(void **state)
{
    (void)state;
    zf_sign sign = ZF_SIGN_NONE;
    sign.linear = 3;
    sign.linear_correlation = 0.3;
    zf_sign agreeing = sign, shouting = sign, silent = sign;
    zf_sign_hear_shrunk(&agreeing, 3, 0.5, ZF_HEAR_WITH_CARE);
    assert_close(agreeing.p_value, zf_normal_two_sided(6 / sqrt(3)) / 0.4, 1e-12);
    assert_close(agreeing.correlation, 0.3, 0);
    zf_sign_hear_shrunk(&shouting, 30, 0.5, ZF_HEAR_WITH_CARE);
    assert_close(shouting.p_value, zf_normal_two_sided(3) / 30 / 0.4, 1e-12);
    silent.p_value = 0.01;
    silent.x_shape = 2;
    zf_sign_hear_shrunk(&silent, -3, 0.5, ZF_HEAR_WITH_CARE);
    assert_close(silent.p_value, 0.01, 0);
    assert_int_equal(silent.x_shape, 2);
}

/* Heard fully, it is believed as far as the other, and a curve needs more to be seen. */
static void heard_fully(void **state)
{
    (void)state;
    zf_sign sign = ZF_SIGN_NONE;
    sign.linear = 3;
    zf_sign_hear_shrunk(&sign, 30, 0.5, ZF_HEAR_FULLY);
    assert_close(sign.p_value / (zf_normal_two_sided(33 / sqrt(3)) / 0.9), 1, 1e-12);
}

/* The parts of a pair's chance add up to one, with and without the second voice. */
static void shares_add_up(void **state)
{
    (void)state;
    for (zf_hearing h = ZF_HEAR_NOTHING; h <= ZF_HEAR_FULLY; h++) {
        double all = zf_sign_share_together(h);
        if (h == ZF_HEAR_NOTHING) all += ZF_INTERACTIONS * zf_sign_interaction_share(1);
        for (size_t k = 0; k < ZF_SHAPES; k++)
            for (size_t l = 0; l < ZF_SHAPES; l++) all += zf_sign_share(k, l, h);
        assert_close(all, 1, 1e-12);
    }
}

static zf_hearing hearing_of(zf_generate_options options, int features, size_t rows)
{
    zf_arena arena = {0};
    zf_sample sample;
    double *values;
    zf_network *truth;
    options.features = features;
    options.rows = rows;
    options.edges = features;
    assert_ok(zf_generate(&values, &truth, NULL, &options));
    zf_rows from = zf_rows_of(values, rows, (size_t)features);
    assert_ok(zf_sample_new(&sample, &arena, &from));
    zf_hearing hearing = sample.hearing;
    zf_arena_free(&arena);
    zf_network_free(truth);
    free(values);
    return hearing;
}

/* Lines are told from curves and from spreads, whatever the margins; noise is a line. */
static void tells_lines_from_curves(void **state)
{
    (void)state;
    zf_generate_options lines = zf_generate_defaults(ZF_RANDOM), sem = zf_generate_defaults(ZF_SEM),
                        none = zf_generate_defaults(ZF_INDEPENDENT);
    for (lines.seed = 0; lines.seed < 3; lines.seed++) {
        sem.seed = none.seed = lines.seed;
        lines.law = lines.seed == 1 ? ZF_NONPARANORMAL : ZF_GAUSSIAN;
        assert_int_equal(hearing_of(lines, 60, 100), ZF_HEAR_FULLY);
        assert_int_equal(hearing_of(none, 60, 100), ZF_HEAR_FULLY);
        sem.mechanism = ZF_SEM_ADDITIVE;
        assert_int_equal(hearing_of(sem, 60, 150), ZF_HEAR_WITH_CARE);
        sem.mechanism = ZF_SEM_SPREAD;
        assert_int_equal(hearing_of(sem, 60, 150), ZF_HEAR_WITH_CARE);
        assert_int_equal(hearing_of(lines, 20, 100), ZF_HEAR_NOTHING);
        assert_int_equal(hearing_of(lines, 40, 300), ZF_HEAR_NOTHING);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(share_as_published),
        cmocka_unit_test(deviations_as_numpy_has_them),
        cmocka_unit_test(null_by_the_median),
        cmocka_unit_test(two_voices),
        cmocka_unit_test(heard_fully),
        cmocka_unit_test(shares_add_up),
        cmocka_unit_test(tells_lines_from_curves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
