/* Margins: hand-computed cases, ties, new rows, many values, what a file may hold. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/normal.h"
#include "base/random.h"
#include "data/margins.h"

static void standard_has_mean_0_and_variance_1(void **state)
{
    (void)state;
    /* Second column: constant. Third: far from 0, where float is coarse. */
    const float rows[] = {1, 5, 1e6f, 3, 5, 1e6f + 1, 8, 5, 1e6f + 2};
    const double spread = sqrt(26.0 / 3), fine = sqrt(2.0 / 3);
    const float expected[] = {(float)(-3 / spread), 0, (float)(-1 / fine),
                              (float)(-1 / spread), 0, 0,
                              (float)(4 / spread),  0, (float)(1 / fine)};
    float got[9];
    zf_margins margins;
    assert_ok(zf_margins_fit(&margins, ZF_MARGINS_STANDARD, rows, 3, 3));
    zf_margins_apply(&margins, got, rows, 3);
    assert_near(got, expected, 9, 0, 1e-6);
    zf_margins_free(&margins);
}

static void ranks_become_quantiles(void **state)
{
    (void)state;
    /* Sorted -2, -0 = 0, 0, 3, 7: mean ranks 1, 2.5, 2.5, 4, 5. */
    const float rows[] = {3, -0.0f, 7, 0, -2};
    const double expected[] = {zf_normal_quantile(0.7), zf_normal_quantile(0.4),
                               zf_normal_quantile(0.9), zf_normal_quantile(0.4),
                               zf_normal_quantile(0.1)};
    double scores[5];
    float got[5];
    assert_ok(zf_normal_scores(scores, rows, 5, 1));
    for (int i = 0; i < 5; i++) assert_close(scores[i], expected[i], 1e-14);
    zf_margins margins;
    assert_ok(zf_margins_fit(&margins, ZF_MARGINS_NORMAL_SCORES, rows, 5, 1));
    assert_int_equal(margins.knots, 4);
    zf_margins_apply(&margins, got, rows, 5);
    for (int i = 0; i < 5; i++) assert_close((double)got[i], expected[i], 1e-6);

    /* New rows: halfway between, outside, and next to a knot. */
    const float fresh[] = {5, -9, 99, -1};
    const double between[] = {(expected[0] + expected[2]) / 2, expected[4], expected[2],
                              (expected[4] + expected[1]) / 2};
    zf_margins_apply(&margins, got, fresh, 4);
    for (int i = 0; i < 4; i++) assert_close((double)got[i], between[i], 1e-6);
    zf_margins_free(&margins);
}

/* Columns of different numbers of distinct values lie in one table. */
static void columns_do_not_meet(void **state)
{
    (void)state;
    enum { ROWS = 501, COLUMNS = 3 };
    float rows[ROWS * COLUMNS], got[ROWS * COLUMNS];
    double scores[ROWS * COLUMNS];
    fill_normal(rows, ROWS * COLUMNS, 3);
    for (int i = 0; i < ROWS; i++) {
        rows[i * COLUMNS + 1] = (float)(i % 2); /* 251 zeros, 250 ones */
        rows[i * COLUMNS + 2] = floorf(4 * rows[i * COLUMNS + 2]);
    }
    zf_margins margins;
    assert_ok(zf_margins_fit(&margins, ZF_MARGINS_NORMAL_SCORES, rows, ROWS, COLUMNS));
    assert_int_equal(margins.knots, ROWS);
    zf_margins_apply(&margins, got, rows, ROWS);
    for (int j = 0; j < COLUMNS; j++)
        assert_ok(zf_normal_scores(scores + j, rows + j, ROWS, COLUMNS));
    for (int i = 0; i < ROWS * COLUMNS; i++) assert_close((double)got[i], scores[i], 1e-6);
    assert_close(scores[1], zf_normal_quantile(125.5 / 501), 1e-14);
    assert_close(scores[COLUMNS + 1], zf_normal_quantile(376.0 / 501), 1e-14);

    zf_margins restored;
    float again[ROWS * COLUMNS];
    assert_ok(zf_margins_restore(&restored, margins.kind, COLUMNS, margins.knots, margins.values,
                                 margins.scores));
    zf_margins_apply(&restored, again, rows, ROWS);
    assert_memory_equal(again, got, sizeof got);
    zf_margins_free(&restored);
    zf_margins_free(&margins);
}

static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* More values than knots: exact at both ends, everywhere between the scores of
   the nearest knots, which are at most GAP ranks away. Rows are in the order of
   the C library's sort, which gives their true ranks. */
static void many_values_are_thinned(void **state)
{
    (void)state;
    enum { ROWS = 100000, GAP = ROWS / ZF_MARGINS_KNOTS_MAX + 2 };
    float *rows = malloc(ROWS * sizeof *rows), *got = malloc(ROWS * sizeof *got);
    fill_normal(rows, ROWS, 11);
    qsort(rows, ROWS, sizeof *rows, compare);
    zf_margins margins;
    assert_ok(zf_margins_fit(&margins, ZF_MARGINS_NORMAL_SCORES, rows, ROWS, 1));
    assert_int_equal(margins.knots, ZF_MARGINS_KNOTS_MAX);
    zf_margins_apply(&margins, got, rows, ROWS);
    for (int i = 0; i < ROWS; i++) {
        int low = i > GAP ? i - GAP : 0, high = i + GAP < ROWS ? i + GAP : ROWS - 1;
        assert_true((double)got[i] >= zf_normal_quantile((low + 0.5) / ROWS) - 1e-6);
        assert_true((double)got[i] <= zf_normal_quantile((high + 0.5) / ROWS) + 1e-6);
    }
    assert_close((double)got[0], zf_normal_quantile(0.5 / ROWS), 1e-6);
    assert_close((double)got[ROWS - 1], zf_normal_quantile(1 - 0.5 / ROWS), 1e-6);
    zf_margins_free(&margins);
    free(rows);
    free(got);
}

static void files_are_distrusted(void **state)
{
    (void)state;
    zf_margins margins = {0};
    const float rising[] = {1, 2, 3, 1, 5, 5}, falling[] = {1, 2, 3, 1, 0, 5};
    const float unfinite[] = {1, 2, NAN, 1, 2, 3}, negative[] = {1, -1};
    assert_fails(zf_margins_restore(&margins, ZF_MARGINS_NORMAL_SCORES, 2, 3, falling, rising),
                 ZF_EINPUT, "column 2: expected increasing");
    assert_fails(zf_margins_restore(&margins, ZF_MARGINS_NORMAL_SCORES, 2, 3, rising, falling),
                 ZF_EINPUT, "column 2: expected increasing");
    assert_fails(zf_margins_restore(&margins, ZF_MARGINS_NORMAL_SCORES, 2, 3, unfinite, rising),
                 ZF_EINPUT, "column 1: expected finite");
    assert_fails(zf_margins_restore(&margins, ZF_MARGINS_STANDARD, 2, 1, rising, negative),
                 ZF_EINPUT, "column 2: expected finite numbers and a deviation");
    assert_fails(zf_margins_restore(&margins, ZF_MARGINS_STANDARD, 2, 3, rising, rising), ZF_EINPUT,
                 "3 knots, expected 1");
    assert_fails(zf_margins_restore(&margins, ZF_MARGINS_NORMAL_SCORES, 2, 0, rising, rising),
                 ZF_EINPUT, "0 knots");
    assert_null(margins.values);
    assert_null(margins.mean);
    assert_string_equal(zf_margins_name(ZF_MARGINS_STANDARD), "standard");
    assert_string_equal(zf_margins_name(ZF_MARGINS_NORMAL_SCORES), "normal-scores");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standard_has_mean_0_and_variance_1),
        cmocka_unit_test(ranks_become_quantiles),
        cmocka_unit_test(columns_do_not_meet),
        cmocka_unit_test(many_values_are_thinned),
        cmocka_unit_test(files_are_distrusted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
