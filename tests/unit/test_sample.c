/* Through what straight lines are drawn: columns that may be normal as they are, others by their
   scores. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "evidence/sample.h"
#include "kernel/lapack.h"

enum { COLUMNS = 50 };

typedef double (*law)(double normal);

static double itself(double normal)
{
    return 1e6 + 3 * normal;
}
static double cube(double normal)
{
    return normal * normal * normal;
}
static double even(double normal) /* uniform */
{
    return erfc(-normal / sqrt(2));
}
static double skew(double normal) /* log-normal, deviation 0.5 */
{
    return exp(0.5 * normal);
}
static double nothing(double normal)
{
    (void)normal;
    return 7;
}

/* How many of the columns of so many tables are taken as they are. */
static int count_normal(law of, size_t rows, uint64_t tables)
{
    double *values = malloc(rows * COLUMNS * sizeof *values);
    int normal = 0;
    assert_non_null(values);
    for (uint64_t t = 0; t < tables; t++) {
        zf_arena arena = {0};
        zf_sample sample;
        zf_random random = zf_random_at(t, ZF_FOR_DATA, rows, 0);
        for (size_t i = 0; i < rows * COLUMNS; i++)
            values[i] = of((double)zf_random_normal(&random));
        zf_unit_rows all = zf_unit_rows_of(values, rows, COLUMNS);
        assert_ok(zf_sample_new(&sample, &arena, &all));
        for (size_t j = 0; j < COLUMNS; j++) {
            const double *line = zf_column_at(&sample.lines, j);
            bool raw = memcmp(line, zf_column_at(&sample.raw, j), rows * sizeof *line) == 0;
            bool score = memcmp(line, zf_column_at(&sample.scores, j), rows * sizeof *line) == 0;
            assert_true(raw || score);
            normal += raw && !score;
        }
        zf_arena_free(&arena);
    }
    free(values);
    return normal;
}

/* At a level of 0.05, of 1,000 columns 50 are called something else, 30 to 70 with a chance of
   0.996; the scores are not Shapiro and Francia's to the last, which costs a little. */
static void normal_columns_are_themselves(void **state)
{
    (void)state;
    static const size_t rows[] = {30, 100, 1000};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        int others = 1000 - count_normal(itself, rows[k], 20);
        if (others < 20 || others > 80) fail_msg("%zu rows: %d of 1,000", rows[k], others);
    }
}

static void other_columns_are_scores(void **state)
{
    (void)state;
    assert_int_equal(count_normal(cube, 100, 2), 0);
    assert_true(count_normal(skew, 100, 4) <= 10); /* of 200 */
    assert_true(count_normal(even, 200, 4) <= 10);
    assert_int_equal(count_normal(nothing, 100, 1), 0);
}

static void many_rows_are_scores(void **state)
{
    (void)state;
    assert_int_equal(count_normal(itself, 5001, 1), 0);
    assert_true(count_normal(itself, 5000, 1) > 30);
}

static int open_lapack(void **state)
{
    (void)state;
    return zf_lapack_open() == ZF_OK ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_columns_are_themselves),
        cmocka_unit_test(other_columns_are_scores),
        cmocka_unit_test(many_rows_are_scores),
    };
    return cmocka_run_group_tests(tests, open_lapack, NULL);
}
