/* Shrunk partial correlations: the share of shrinkage and the empirical null, against NumPy; and
   how a second voice changes a pair's p-value. */
#include "support.h"

#include <math.h>

#include "base/normal.h"
#include "evidence/shrunk.h"
#include "evidence/signs.h"
#include "kernel/lapack.h"

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
    zf_sign_hear_shrunk(&agreeing, 3, 0.5);
    assert_close(agreeing.p_value, zf_normal_two_sided(6 / sqrt(3)) / 0.4, 1e-12);
    assert_close(agreeing.correlation, 0.3, 0);
    zf_sign_hear_shrunk(&shouting, 30, 0.5);
    assert_close(shouting.p_value, zf_normal_two_sided(3) / 30 / 0.4, 1e-12);
    silent.p_value = 0.01;
    silent.x_shape = 2;
    zf_sign_hear_shrunk(&silent, -3, 0.5);
    assert_close(silent.p_value, 0.01, 0);
    assert_int_equal(silent.x_shape, 2);
}

/* The parts of a pair's chance add up to one, with and without the second voice. */
static void shares_add_up(void **state)
{
    (void)state;
    double shapes = 0, beside = 0;
    for (size_t k = 0; k < ZF_SHAPES; k++)
        for (size_t l = 0; l < ZF_SHAPES; l++) {
            shapes += zf_sign_share(k, l);
            beside += zf_sign_share_beside_shrunk(k, l);
        }
    assert_close(shapes + ZF_INTERACTIONS * zf_sign_interaction_share(1), 1, 1e-12);
    assert_close(beside + 0.4, 1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(share_as_published), cmocka_unit_test(deviations_as_numpy_has_them),
        cmocka_unit_test(null_by_the_median), cmocka_unit_test(two_voices),
        cmocka_unit_test(shares_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
