/* Marginals: hand-computed cases, ties, new rows, many values, what a file may hold. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/normal.h"
#include "base/random.h"
#include "data/marginals.h"
#include "scratch.h"

static void standard_has_mean_0_and_variance_1(void **state)
{
    (void)state;
    /* Second column: constant. Third: so far from 0 that float32 would not tell them apart. */
    const double rows[] = {1, 5, 1e9, 3, 5, 1e9 + 1, 8, 5, 1e9 + 2};
    const double spread = sqrt(26.0 / 3), fine = sqrt(2.0 / 3);
    const float expected[] = {(float)(-3 / spread), 0, (float)(-1 / fine),
                              (float)(-1 / spread), 0, 0,
                              (float)(4 / spread),  0, (float)(1 / fine)};
    float got[9];
    zf_marginals marginals;
    assert_ok(zf_marginals_fit(&marginals, ZF_MARGINALS_STANDARD, rows, 3, 3));
    zf_marginals_apply(&marginals, got, rows, 3);
    assert_near(got, expected, 9, 0, 1e-6);
    zf_marginals_free(&marginals);
}

static void ranks_become_quantiles(void **state)
{
    (void)state;
    /* Sorted -2, -0 = 0, 0, 3, 7: mean ranks 1, 2.5, 2.5, 4, 5. */
    const double rows[] = {3, -0.0f, 7, 0, -2};
    const double expected[] = {zf_normal_quantile(0.7), zf_normal_quantile(0.4),
                               zf_normal_quantile(0.9), zf_normal_quantile(0.4),
                               zf_normal_quantile(0.1)};
    double scores[5];
    float got[5];
    assert_ok(zf_normal_scores(scores, rows, 5, 1));
    for (int i = 0; i < 5; i++) assert_close(scores[i], expected[i], 1e-14);
    zf_marginals marginals;
    assert_ok(zf_marginals_fit(&marginals, ZF_MARGINALS_NORMAL_SCORES, rows, 5, 1));
    assert_int_equal(marginals.knots, 4);
    zf_marginals_apply(&marginals, got, rows, 5);
    for (int i = 0; i < 5; i++) assert_close((double)got[i], expected[i], 1e-6);

    /* New rows: halfway between, outside, and next to a knot. */
    const double fresh[] = {5, -9, 99, -1};
    const double between[] = {(expected[0] + expected[2]) / 2, expected[4], expected[2],
                              (expected[4] + expected[1]) / 2};
    zf_marginals_apply(&marginals, got, fresh, 4);
    for (int i = 0; i < 4; i++) assert_close((double)got[i], between[i], 1e-6);
    zf_marginals_free(&marginals);
}

/* Puts a number that cannot be written in the place of one that can, in a file. */
static void forge_number(const char *path, double from, double to)
{
    size_t n;
    char *bytes = scratch_read(path, &n), *at = memmem(bytes, n, &from, sizeof from);
    assert_non_null(at);
    memcpy(at, &to, sizeof to);
    scratch_seal(bytes, n);
    scratch_write("marginals.safetensors", bytes, n);
    free(bytes);
}

enum { STANDS_FOR_NAN = 1234567 };

/* Through a file, where STANDS_FOR_NAN becomes NaN. */
static zf_status restore(zf_marginals *out, zf_marginals_kind kind, size_t columns, size_t knots,
                         const double *first, const double *second)
{
    zf_marginals from = {kind, columns, knots, (double *)first, (double *)second};
    zf_tensor tensors[] = {zf_marginals_tensor(&from, 0), zf_marginals_tensor(&from, 1)};
    zf_safetensors *file = NULL;
    const char *path = scratch_path("marginals.safetensors");
    assert_ok(zf_safetensors_write(path, tensors, 2, NULL, 0));
    for (size_t i = 0; i < columns * knots; i++)
        if (first[i] == STANDS_FOR_NAN) forge_number(path, STANDS_FOR_NAN, NAN);
    assert_ok(zf_safetensors_open(&file, path));
    zf_status status = zf_marginals_read(out, kind, columns, knots, file);
    zf_safetensors_close(file);
    return status;
}

/* Columns of different numbers of distinct values lie in one table. */
static void columns_do_not_meet(void **state)
{
    (void)state;
    enum { ROWS = 501, COLUMNS = 3 };
    double rows[ROWS * COLUMNS];
    float got[ROWS * COLUMNS];
    double scores[ROWS * COLUMNS];
    draw_normals(rows, ROWS * COLUMNS, 3);
    for (int i = 0; i < ROWS; i++) {
        rows[i * COLUMNS + 1] = i % 2; /* 251 zeros, 250 ones */
        rows[i * COLUMNS + 2] = floor(4 * rows[i * COLUMNS + 2]);
    }
    zf_marginals marginals;
    assert_ok(zf_marginals_fit(&marginals, ZF_MARGINALS_NORMAL_SCORES, rows, ROWS, COLUMNS));
    assert_int_equal(marginals.knots, ROWS);
    zf_marginals_apply(&marginals, got, rows, ROWS);
    for (int j = 0; j < COLUMNS; j++)
        assert_ok(zf_normal_scores(scores + j, rows + j, ROWS, COLUMNS));
    for (int i = 0; i < ROWS * COLUMNS; i++) assert_close((double)got[i], scores[i], 1e-6);
    assert_close(scores[1], zf_normal_quantile(125.5 / 501), 1e-14);
    assert_close(scores[COLUMNS + 1], zf_normal_quantile(376.0 / 501), 1e-14);

    zf_marginals restored;
    float again[ROWS * COLUMNS];
    assert_ok(restore(&restored, marginals.kind, COLUMNS, marginals.knots, marginals.first,
                      marginals.second));
    zf_marginals_apply(&restored, again, rows, ROWS);
    assert_memory_equal(again, got, sizeof got);
    zf_marginals_free(&restored);
    zf_marginals_free(&marginals);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* More values than knots: exact at both ends, everywhere between the scores of
   the nearest knots, which are at most GAP ranks away. Rows are in the order of
   the C library's sort, which gives their true ranks. */
static void many_values_are_thinned(void **state)
{
    (void)state;
    enum { ROWS = 100000, GAP = ROWS / ZF_MARGINALS_KNOTS_MAX + 2 };
    double *rows = malloc(ROWS * sizeof *rows);
    float *got = malloc(ROWS * sizeof *got);
    draw_normals(rows, ROWS, 11);
    qsort(rows, ROWS, sizeof *rows, compare);
    zf_marginals marginals;
    assert_ok(zf_marginals_fit(&marginals, ZF_MARGINALS_NORMAL_SCORES, rows, ROWS, 1));
    assert_int_equal(marginals.knots, ZF_MARGINALS_KNOTS_MAX);
    zf_marginals_apply(&marginals, got, rows, ROWS);
    for (int i = 0; i < ROWS; i++) {
        int low = i > GAP ? i - GAP : 0, high = i + GAP < ROWS ? i + GAP : ROWS - 1;
        assert_true((double)got[i] >= zf_normal_quantile((low + 0.5) / ROWS) - 1e-6);
        assert_true((double)got[i] <= zf_normal_quantile((high + 0.5) / ROWS) + 1e-6);
    }
    assert_close((double)got[0], zf_normal_quantile(0.5 / ROWS), 1e-6);
    assert_close((double)got[ROWS - 1], zf_normal_quantile(1 - 0.5 / ROWS), 1e-6);
    zf_marginals_free(&marginals);
    free(rows);
    free(got);
}

static void files_are_distrusted(void **state)
{
    (void)state;
    zf_marginals marginals = {0};
    const double rising[] = {1, 2, 3, 1, 5, 5}, falling[] = {1, 2, 3, 1, 0, 5};
    const double unfinite[] = {1, 2, STANDS_FOR_NAN, 1, 2, 3}, negative[] = {1, -1};
    const double large[] = {1, 2, 3, 1, 2, 1e301};
    assert_fails(restore(&marginals, ZF_MARGINALS_NORMAL_SCORES, 2, 3, falling, rising), ZF_EINPUT,
                 "column 2: expected increasing");
    assert_fails(restore(&marginals, ZF_MARGINALS_NORMAL_SCORES, 2, 3, rising, falling), ZF_EINPUT,
                 "column 2: expected increasing");
    assert_fails(restore(&marginals, ZF_MARGINALS_NORMAL_SCORES, 2, 3, unfinite, rising), ZF_EINPUT,
                 "\"margin.first\": element 2 is nan, expected a finite number");
    assert_fails(restore(&marginals, ZF_MARGINALS_NORMAL_SCORES, 2, 3, large, rising), ZF_EINPUT,
                 "column 2: expected finite");
    assert_fails(restore(&marginals, ZF_MARGINALS_STANDARD, 2, 1, rising, negative), ZF_EINPUT,
                 "column 2: expected finite numbers and a deviation");
    assert_fails(restore(&marginals, ZF_MARGINALS_STANDARD, 2, 3, rising, rising), ZF_EINPUT,
                 "3 knots, expected 1");
    assert_fails(restore(&marginals, ZF_MARGINALS_NORMAL_SCORES, 2, 0, rising, rising), ZF_EINPUT,
                 "0 knots");
    assert_null(marginals.first);
    assert_string_equal(zf_marginals_name(ZF_MARGINALS_STANDARD), "standard");
    assert_string_equal(zf_marginals_name(ZF_MARGINALS_NORMAL_SCORES), "normal-scores");
}

/* A file with float32 marginals, as earlier ones are, gives those numbers. */
static void narrow_files_are_read(void **state)
{
    (void)state;
    const float mean[] = {0.1f, 1e6f}, deviation[] = {0.5f, 3};
    const double rows[] = {0.6, 1e6 + 6};
    float got[2];
    const zf_tensor tensors[] = {
        {.name = "margin.first", .rank = 2, .dim = {2, 1}, .data = mean},
        {.name = "margin.second", .rank = 2, .dim = {2, 1}, .data = deviation}};
    zf_safetensors *file = NULL;
    zf_marginals marginals;
    const char *path = scratch_path("narrow.safetensors");
    assert_ok(zf_safetensors_write(path, tensors, 2, NULL, 0));
    assert_ok(zf_safetensors_open(&file, path));
    assert_fails(zf_marginals_read(&marginals, ZF_MARGINALS_STANDARD, 3, 1, file), ZF_EINPUT,
                 "\"margin.first\": expected a tensor of 3 x 1");
    assert_ok(zf_marginals_read(&marginals, ZF_MARGINALS_STANDARD, 2, 1, file));
    assert_true(zf_marginals_are_narrow(&marginals));
    assert_true(marginals.first[0] == (double)0.1f);
    zf_marginals_apply(&marginals, got, rows, 1);
    assert_close((double)got[0], 1, 1e-6);
    assert_close((double)got[1], 2, 1e-6);
    zf_safetensors_close(file);
    zf_marginals_free(&marginals);
}

/* Both kinds give the same for a column wherever it lies and whatever its unit is, up to
   the rounding of the moved column itself. */
static void any_place_and_scale_is_taken(void **state)
{
    (void)state;
    enum { ROWS = 400 };
    static const struct {
        double shift, scale, tolerance;
    } moves[] = {{2e7, 1, 1e-6},   {1e8, 1, 1e-6},    {1.7e9, 1, 1e-6},    {1e15, 1e4, 1e-4},
                 {0, 1e299, 1e-6}, {0, 1e-300, 1e-6}, {0, 0x1p-1060, 1e-3}};
    double rows[ROWS], moved[ROWS];
    float plain[ROWS], got[ROWS];
    draw_normals(rows, ROWS, 3);
    for (size_t m = 0; m < sizeof moves / sizeof *moves; m++) {
        for (int i = 0; i < ROWS; i++) moved[i] = moves[m].shift + moves[m].scale * rows[i];
        for (int kind = ZF_MARGINALS_STANDARD; kind <= ZF_MARGINALS_NORMAL_SCORES; kind++) {
            zf_marginals marginals;
            assert_ok(zf_marginals_fit(&marginals, (zf_marginals_kind)kind, rows, ROWS, 1));
            zf_marginals_apply(&marginals, plain, rows, ROWS);
            zf_marginals_free(&marginals);
            assert_ok(zf_marginals_fit(&marginals, (zf_marginals_kind)kind, moved, ROWS, 1));
            zf_marginals_apply(&marginals, got, moved, ROWS);
            zf_marginals_free(&marginals);
            assert_near(got, plain, ROWS, 0, moves[m].tolerance);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standard_has_mean_0_and_variance_1),
        cmocka_unit_test(ranks_become_quantiles),
        cmocka_unit_test(columns_do_not_meet),
        cmocka_unit_test(many_values_are_thinned),
        cmocka_unit_test(files_are_distrusted),
        cmocka_unit_test(narrow_files_are_read),
        cmocka_unit_test(any_place_and_scale_is_taken),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
