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

/* Entry (i, j) of Hadamard's matrix of order 8 by Sylvester, of length 1. */
static double walsh(unsigned i, unsigned j)
{
    return __builtin_parity(i & j) ? -sqrt(0.125) : sqrt(0.125);
}

/* Of a direction's three functions the last one is enough where no tails are heavy. */
static void directions_give_their_smoothest(void **state)
{
    (void)state;
    enum { EIGHT = 8, FITTED = 4 };
    double basis[FITTED * EIGHT], values[EIGHT] = {0};
    size_t ends[] = {1, FITTED};
    /* What explains something, then three columns of noise; each is 1 a degree of freedom. */
    const double along[EIGHT - 1] = {3, 0.1, 0.2, 6, 1, 1, 1};
    for (unsigned j = 0; j < EIGHT - 1; j++)
        for (unsigned i = 0; i < EIGHT; i++) {
            if (j < FITTED) basis[j * EIGHT + i] = walsh(i, j + 1);
            values[i] += along[j] * walsh(i, j + 1);
        }
    for (int light = 0; light < 2; light++) {
        zf_arena arena = {0};
        zf_given given = {.basis = {basis, FITTED, EIGHT}, .plain = FITTED, .ends = ends};
        zf_regression taken;
        double copy[EIGHT];
        given.parts = 2, given.undirected = 1, given.light = light;
        memcpy(copy, values, sizeof copy);
        assert_ok(zf_given_residuals(&given, &(zf_columns){copy, 1, EIGHT}, &taken, &arena));
        const double shares[] = {1, !light, !light, 1};
        for (int j = 0; j < FITTED; j++) assert_close(taken.taken.values[j], shares[j], 0);
        zf_arena_free(&arena);
    }
}

/* A curve in the one group and noise in the other: each has the penalty that it needs. */
static void groups_have_penalties_of_their_own(void **state)
{
    (void)state;
    enum { LONG = 256, RIDGE = 40 };
    static double basis[RIDGE * LONG], values[LONG], weights[RIDGE];
    zf_arena arena = {0};
    zf_regression taken;
    double first = 0, rest = 0;
    for (unsigned j = 0; j < LONG - 1; j++)
        for (unsigned i = 0; i < LONG; i++) {
            double entry = __builtin_parity(i & (j + 1)) ? -1.0 / 16 : 1.0 / 16;
            if (j < RIDGE) basis[j * LONG + i] = entry;
            values[i] += (j < RIDGE / 2 ? 10 : 1) * entry;
        }
    for (int j = 0; j < RIDGE; j++) weights[j] = 1;
    zf_given given = {.basis = {basis, RIDGE, LONG}, .weights = weights, .single = RIDGE / 2};
    assert_ok(zf_given_residuals(&given, &(zf_columns){values, 1, LONG}, &taken, &arena));
    for (int j = 0; j < RIDGE / 2; j++) {
        first += taken.taken.values[j] / (RIDGE / 2);
        rest += taken.taken.values[RIDGE / 2 + j] / (RIDGE / 2);
    }
    assert_true(first > 0.99);
    assert_true(rest < 0.5);
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

/* One column is a sum of curves of all variables, the other a wave of that sum: what explains the
   one tells the other, which is no short sum of simple functions. */
static void follows_what_explains_the_first_shape(void **state)
{
    (void)state;
    enum { TABLES = 3 };
    static double values[ROWS * Q];
    const int32_t which[Q] = {0, 1, 2, 3, 4, 5};
    for (uint32_t table = 0; table < TABLES; table++) {
        zf_arena arena = {0};
        zf_given given;
        zf_regression taken;
        zf_columns response, copy;
        zf_chosen chosen = {values, ROWS, Q, which, Q};
        draw_normals(values, ROWS * Q, 20 + table);
        assert_ok(zf_columns_new(&response, &arena, ZF_SHAPES, ROWS));
        for (size_t i = 0; i < ROWS; i++) {
            const double *z = values + i * Q;
            double sum = z[0] + tanh(2 * z[1]) + sin(2 * z[2]) + fabs(z[3]) + z[4] + tanh(2 * z[5]);
            double *to = response.values + i;
            to[0] = sum / 2;
            for (size_t k = 1; k < ZF_SHAPES; k++) to[k * ROWS] = k % 2 ? sin(sum) : cos(sum);
        }
        for (size_t k = 0; k < ZF_SHAPES; k++)
            zf_column_standardise(zf_column_at(&response, k), ROWS);
        assert_ok(zf_columns_copy(&copy, &arena, &response));
        assert_ok(zf_given_build(&given, &arena, &chosen, &copy, NULL, 7));
        assert_ok(zf_given_residuals(&given, &response, &taken, &arena));
        for (size_t k = 1; k < 3; k++) {
            const double *wave = zf_column_at(&response, k);
            assert_true(zf_column_dot(wave, wave, ROWS) / ROWS < 1e-2);
        }
        zf_arena_free(&arena);
    }
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
        cmocka_unit_test(directions_give_their_smoothest),
        cmocka_unit_test(groups_have_penalties_of_their_own),
        cmocka_unit_test(finds_means_of_any_shape),
        cmocka_unit_test(follows_what_explains_the_first_shape),
        cmocka_unit_test(needs_rows),
    };
    if (zf_lapack_open() != ZF_OK) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
