/* Regression on the given variables: least squares by hand, what residuals lose
   against whole projection matrices, laws whose mean must be found. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "criterion/given.h"
#include "kernel/lapack.h"

static void residuals_by_hand(void **state)
{
    (void)state;
    zf_arena arena = {0};
    /* One plain column (-1, 0, 1) / sqrt 2, one ridge column (1, -2, 1) / sqrt 6 whose weight is
       nothing against any penalty but the first. */
    double basis[] = {-1 / sqrt(2), 0, 1 / sqrt(2), 1 / sqrt(6), -2 / sqrt(6), 1 / sqrt(6)};
    double weights[] = {1e-30};
    zf_given given = {.basis = {basis, 2, 3}, .plain = 1, .weights = weights};
    zf_regression taken;
    double values[] = {-3, 2, 1};
    zf_columns response = {values, 1, 3};
    assert_ok(zf_given_residuals(&given, &response, &taken, &arena));
    const double expected[] = {-1, 2, -1}; /* -3 + 2, 2, 1 - 2 */
    for (int i = 0; i < 3; i++) assert_close(values[i], expected[i], 1e-12);
    assert_close(taken.taken.values[0], 1, 0);
    assert_close(taken.taken.values[1], 0, 1e-20);
    /* 1 - 1/3 - the square of the plain column. */
    const double left[] = {1.0 / 6, 2.0 / 3, 1.0 / 6};
    for (int i = 0; i < 3; i++) assert_close(taken.diagonal.values[i], left[i], 1e-12);
    double inflation;
    assert_ok(zf_given_inflation(&inflation, &taken, &taken));
    /* The residual's projection has rank 1; its squared diagonal sums to 1/36 + 4/9 + 1/36. */
    assert_close(inflation, sqrt(1 / 0.5), 1e-12);
    zf_arena_free(&arena);
}

/* Four rows, a part of one column and one of another; only what shows is taken. */
static void parts_are_taken_where_they_show(void **state)
{
    (void)state;
    zf_arena arena = {0};
    double basis[] = {-0.5, -0.5, 0.5, 0.5, -0.5, 0.5, -0.5, 0.5};
    size_t ends[] = {1, 2};
    zf_given given = {.basis = {basis, 2, 4}, .plain = 2, .ends = ends, .parts = 2};
    zf_regression taken;
    /* Products with the columns: 2 and 8, then 2 and 1; what neither explains is (1, -1, -1, 1)
       times 0.5, then times 1.5, of squares 1 and 9, with one degree of freedom. 64 is more than
       1 + 0.5 sqrt 2 times 1; 1 is less than that times 5, or 9. */
    double values[] = {-4.5, 2.5, -3.5, 5.5, 0, -2, -1, 3};
    zf_columns responses = {values, 2, 4};
    assert_ok(zf_given_residuals(&given, &responses, &taken, &arena));
    const double expected[] = {0.5, -0.5, -0.5, 0.5, 1, -1, -2, 2};
    for (int i = 0; i < 8; i++) assert_close(values[i], expected[i], 1e-12);
    const double shares[] = {1, 1, 1, 0};
    for (int i = 0; i < 4; i++) assert_close(taken.taken.values[i], shares[i], 0);
    zf_arena_free(&arena);
}

enum { ROWS = 800, Q = 6 };

/* Share of the variance of h(mean of the variables) that the residuals keep. */
static double kept(double (*h)(double), uint32_t key)
{
    static double values[ROWS * Q];
    zf_arena arena = {0};
    zf_given given;
    zf_regression taken;
    zf_columns response, copy;
    const int32_t which[Q] = {0, 1, 2, 3, 4, 5};
    zf_chosen chosen = {values, ROWS, Q, which, Q};
    draw_normals(values, ROWS * Q, key);
    assert_ok(zf_columns_new(&response, &arena, 1, ROWS));
    assert_ok(zf_columns_new(&copy, &arena, 1, ROWS));
    for (size_t i = 0; i < ROWS; i++) {
        double sum = 0;
        for (size_t j = 0; j < Q; j++) sum += (double)values[i * Q + j];
        response.values[i] = h(sum / sqrt(Q));
    }
    zf_column_standardise(response.values, ROWS);
    memcpy(copy.values, response.values, ROWS * sizeof *copy.values);
    assert_ok(zf_given_build(&given, &arena, &chosen, &copy, NULL, 7));
    assert_ok(zf_given_residuals(&given, &response, &taken, &arena));
    double left = zf_column_dot(response.values, response.values, ROWS) / ROWS;
    zf_arena_free(&arena);
    return left;
}

static double line(double u)
{
    return u;
}

static double square(double u)
{
    return u * u;
}

static double wave(double u)
{
    return cos(2 * u);
}

static void finds_means_of_any_shape(void **state)
{
    (void)state;
    assert_true(kept(line, 1) < 1e-2); /* scores bend what is linear, a little */
    assert_true(kept(square, 2) < 1e-2);
    assert_true(kept(exp, 3) < 1e-2);
    assert_true(kept(wave, 4) < 2e-2);
}

static void needs_rows(void **state)
{
    (void)state;
    assert_int_equal(zf_given_least_rows(1), 50);
    assert_int_equal(zf_given_least_rows(20), 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(residuals_by_hand),
        cmocka_unit_test(parts_are_taken_where_they_show),
        cmocka_unit_test(finds_means_of_any_shape),
        cmocka_unit_test(needs_rows),
    };
    if (zf_lapack_open() != ZF_OK) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
