/* Sums in every instruction set against plain double sums, over lengths around
   every boundary (vector, group of four, block). */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "isas.h"
#include "kernel/reduce.h"

ISA_TABLES(zf_reduce_kernels, zf_reduce)

enum { MOST = 5000 };

static float a[MOST], b[MOST], weight[MOST];

static void fill(void)
{
    fill_normal(a, MOST, 1);
    fill_normal(b, MOST, 2);
    fill_normal(weight, MOST, 3);
    for (int i = 0; i < MOST; i++) weight[i] = fabsf(weight[i]);
}

static void assert_sum(double got, double expected, double terms)
{
    if (!(fabs(got - expected) <= 1e-6 * terms))
        fail_msg("got %.12g, expected %.12g", got, expected);
}

static void test_sums(void **state)
{
    (void)state;
    fill();
    const size_t lengths[] = {0,  1,  3,  4,   5,    15,   16,   17,   31,   33,
                              63, 64, 65, 127, 1023, 1024, 1025, 1040, 4095, 5000};
    EVERY_ISA(zf_reduce_kernels, zf_reduce, k)
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        size_t n = lengths[l];
        double sum = 0, dot = 0, squares = 0, gap = 0, heavy = 0, heavy_gap = 0;
        for (size_t i = 0; i < n; i++) {
            double x = (double)a[i], y = (double)b[i], w = (double)weight[i];
            sum += x;
            dot += x * y;
            squares += x * x;
            gap += (x - y) * (x - y);
            heavy += w * x * x;
            heavy_gap += w * (x - y) * (x - y);
        }
        assert_sum(k->sum(a, n), sum, (double)n);
        assert_sum(k->dot(a, b, n), dot, (double)n);
        assert_sum(k->squares(a, n), squares, squares);
        assert_sum(k->squared_difference(a, b, n), gap, gap);
        assert_sum(k->weighted_squares(a, weight, n), heavy, heavy);
        assert_sum(k->weighted_squared_difference(a, b, weight, n), heavy_gap, heavy_gap);
    }
}

/* Ten million ones and a bit: a float sum would stop at 2^24 or drift. */
static void test_long_sum_is_accurate(void **state)
{
    (void)state;
    size_t n = 20000003;
    float *x = malloc(n * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < n; i++) x[i] = 1.1f;
    double expected = (double)n * (double)1.1f;
    double got = zf_reduce()->sum(x, n);
    free(x);
    assert_true(fabs(got / expected - 1) < 1e-6);
}

static void test_columns(void **state)
{
    (void)state;
    fill();
    const size_t shapes[][2] = {{1, 1},   {7, 3},  {65, 17}, {130, 8},  {3, 64},
                                {29, 67}, {5, 16}, {2, 130}, {200, 23}, {0, 5}};
    EVERY_ISA(zf_reduce_kernels, zf_reduce, k)
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        size_t rows = shapes[s][0], columns = shapes[s][1];
        float sums[256], dots[256], got[256];
        for (size_t j = 0; j < columns; j++) {
            double sum = 0, dot = 0;
            for (size_t n = 0; n < rows; n++) {
                sum += (double)a[n * columns + j];
                dot += (double)a[n * columns + j] * (double)b[n * columns + j];
            }
            sums[j] = (float)sum;
            dots[j] = (float)dot;
        }
        k->column_sums(got, a, rows, columns, true);
        assert_near(got, sums, columns, 1e-6, 1e-6);
        k->column_dots(got, a, b, rows, columns, true);
        assert_near(got, dots, columns, 1e-6, 1e-6);
        memcpy(got, weight, sizeof got);
        k->column_sums(got, a, rows, columns, false);
        for (size_t j = 0; j < columns; j++) sums[j] += weight[j];
        assert_near(got, sums, columns, 1e-6, 1e-6);
        memcpy(got, weight, sizeof got);
        k->column_dots(got, a, b, rows, columns, false);
        for (size_t j = 0; j < columns; j++) dots[j] += weight[j];
        assert_near(got, dots, columns, 1e-6, 1e-6);
    }
}

static void test_rows(void **state)
{
    (void)state;
    fill();
    EVERY_ISA(zf_reduce_kernels, zf_reduce, k)
    for (size_t columns = 1; columns < 40; columns++) {
        enum { ROWS = 5 };
        float y[ROWS * 40];
        k->add_row(y, a, b, ROWS, columns);
        for (size_t i = 0; i < ROWS * columns; i++) assert_true(y[i] == a[i] + b[i % columns]);
        k->mul_row(y, a, b, ROWS, columns, true);
        for (size_t i = 0; i < ROWS * columns; i++) assert_true(y[i] == a[i] * b[i % columns]);
        k->mul_row(y, a, b, ROWS, columns, false);
        for (size_t i = 0; i < ROWS * columns; i++)
            assert_true(fabsf(y[i] - 2 * a[i] * b[i % columns]) <= 1e-6f * fabsf(y[i]));
    }
}

static void test_gap(void **state)
{
    (void)state;
    fill();
    EVERY_ISA(zf_reduce_kernels, zf_reduce, k)
    for (int variant = 0; variant < 8; variant++)
        for (size_t n = 0; n < 40; n += 3) {
            bool fresh = variant & 1, with_b = variant & 2, with_weight = variant & 4;
            float got[40], expected[40];
            for (size_t i = 0; i < n; i++) {
                got[i] = a[100 + i];
                expected[i] = 0.7f * (a[i] - (with_b ? b[i] : 0)) * (with_weight ? weight[i] : 1) +
                              (fresh ? 0 : a[100 + i]);
            }
            k->gap(got, 0.7f, a, with_b ? b : NULL, with_weight ? weight : NULL, n, fresh);
            assert_near(got, expected, n, 1e-6, 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums), cmocka_unit_test(test_long_sum_is_accurate),
        cmocka_unit_test(test_gap),  cmocka_unit_test(test_columns),
        cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
