/* Row and channel kernels in every instruction set against double precision, on
   lengths around the vector's, adding and overwriting. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "isas.h"
#include "kernel/channels.h"
#include "kernel/rows.h"

ISA_TABLES(zf_rows_kernels, zf_rows)
ISA_TABLES(zf_channels_kernels, zf_channels)

enum { ROWS = 3, MOST = 70, SIZE = ROWS * MOST };

static const size_t lengths[] = {1, 2, 4, 5, 8, 15, 16, 17, 31, 33, 64, 65, 70};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static float x[SIZE], dy[SIZE], before[SIZE], scale[MOST], shift[MOST];

static int setup(void **state)
{
    (void)state;
    fill_normal(x, SIZE, 1);
    fill_normal(dy, SIZE, 2);
    fill_normal(before, SIZE, 3);
    fill_normal(scale, MOST, 4);
    fill_normal(shift, MOST, 5);
    return 0;
}

/* Checks got against expected, then what adding to `before` gives. */
#define CHECK_BACKWARD(call, expected, n)                                                          \
    do {                                                                                           \
        float got[SIZE];                                                                           \
        bool fresh = true;                                                                         \
        call;                                                                                      \
        assert_near(got, expected, n, 2e-6, 1e-6);                                                 \
        memcpy(got, before, sizeof got);                                                           \
        fresh = false;                                                                             \
        call;                                                                                      \
        for (size_t at = 0; at < (n); at++) expected[at] += before[at];                            \
        assert_near(got, expected, n, 2e-6, 1e-6);                                                 \
    } while (0)

static void softmax_reference(double *y, const float *row, size_t n)
{
    double largest = -INFINITY, sum = 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, (double)row[i]);
    for (size_t i = 0; i < n; i++) sum += y[i] = exp((double)row[i] - largest);
    for (size_t i = 0; i < n; i++) y[i] /= sum;
}

static void test_softmax(void **state)
{
    (void)state;
    EVERY_ISA(zf_rows_kernels, zf_rows, k)
    for (int l = 0; l < LENGTHS; l++) {
        size_t n = lengths[l];
        float y[SIZE], expected[SIZE], slopes[SIZE];
        for (size_t r = 0; r < ROWS; r++) {
            double reference[MOST], dot = 0;
            softmax_reference(reference, x + r * n, n);
            for (size_t i = 0; i < n; i++) dot += (double)dy[r * n + i] * reference[i];
            for (size_t i = 0; i < n; i++) {
                expected[r * n + i] = (float)reference[i];
                slopes[r * n + i] = (float)(reference[i] * ((double)dy[r * n + i] - dot));
            }
        }
        k->softmax(y, x, ROWS, n);
        assert_near(y, expected, ROWS * n, 1e-6, 0);
        CHECK_BACKWARD(k->softmax_backward(got, dy, y, ROWS, n, fresh), slopes, ROWS * n);
        float in_place[SIZE];
        memcpy(in_place, x, sizeof in_place);
        k->softmax(in_place, in_place, ROWS, n);
        assert_memory_equal(in_place, y, ROWS * n * sizeof *y);
    }
}

static void test_softmax_extremes(void **state)
{
    (void)state;
    EVERY_ISA(zf_rows_kernels, zf_rows, k)
    {
        float row[] = {1e30f, -1e30f, 1e30f, -INFINITY, 0}, y[5];
        k->softmax(y, row, 1, 5);
        const float expected[] = {0.5f, 0, 0.5f, 0, 0};
        assert_memory_equal(y, expected, sizeof y);
        row[4] = NAN;
        k->softmax(y, row, 1, 5);
        for (int i = 0; i < 5; i++) assert_true(isnan(y[i]));
    }
}

static void test_layer_norm(void **state)
{
    (void)state;
    EVERY_ISA(zf_rows_kernels, zf_rows, k)
    for (int l = 0; l < LENGTHS; l++) {
        size_t n = lengths[l];
        float y[SIZE], expected[SIZE], slopes[SIZE], d_scale[MOST] = {0}, d_shift[MOST] = {0};
        double by_scale[MOST] = {0}, by_shift[MOST] = {0};
        zf_row_moments kept[ROWS];
        for (size_t r = 0; r < ROWS; r++) {
            const float *row = x + r * n, *g = dy + r * n;
            double mean = 0, variance = 0, sum = 0, dot = 0;
            for (size_t i = 0; i < n; i++) mean += (double)row[i] / (double)n;
            for (size_t i = 0; i < n; i++) variance += pow((double)row[i] - mean, 2) / (double)n;
            double inverse = 1 / sqrt(variance + 0.1), s[MOST];
            for (size_t i = 0; i < n; i++) {
                s[i] = ((double)row[i] - mean) * inverse;
                expected[r * n + i] = (float)(s[i] * (double)scale[i] + (double)shift[i]);
                sum += (double)g[i] * (double)scale[i] / (double)n;
                dot += (double)g[i] * (double)scale[i] * s[i] / (double)n;
                by_scale[i] += (double)g[i] * s[i];
                by_shift[i] += (double)g[i];
            }
            for (size_t i = 0; i < n; i++)
                slopes[r * n + i] =
                    (float)(inverse * ((double)g[i] * (double)scale[i] - sum - s[i] * dot));
        }
        k->layer_norm(y, kept, x, scale, shift, 0.1f, ROWS, n);
        assert_near(y, expected, ROWS * n, 2e-6, 0);
        k->layer_norm_backward(NULL, d_scale, d_shift, dy, x, scale, kept, ROWS, n, true);
        float expected_scale[MOST], expected_shift[MOST];
        for (size_t i = 0; i < n; i++) expected_scale[i] = (float)by_scale[i];
        for (size_t i = 0; i < n; i++) expected_shift[i] = (float)by_shift[i];
        assert_near(d_scale, expected_scale, n, 2e-6, 1e-6);
        assert_near(d_shift, expected_shift, n, 2e-6, 1e-6);
        CHECK_BACKWARD(k->layer_norm_backward(got, NULL, NULL, dy, x, scale, kept, ROWS, n, fresh),
                       slopes, ROWS * n);
    }
}

static void test_normalise(void **state)
{
    (void)state;
    EVERY_ISA(zf_rows_kernels, zf_rows, k)
    for (int l = 0; l < LENGTHS; l++) {
        size_t n = lengths[l];
        float y[SIZE], expected[SIZE], slopes[SIZE];
        zf_row_norm kept[ROWS];
        for (size_t r = 0; r < ROWS; r++) {
            double norm = 0, dot = 0;
            for (size_t i = 0; i < n; i++) norm += pow((double)x[r * n + i], 2);
            norm = sqrt(norm);
            for (size_t i = 0; i < n; i++) dot += (double)dy[r * n + i] * (double)x[r * n + i];
            for (size_t i = 0; i < n; i++) {
                double unit = (double)x[r * n + i] / norm;
                expected[r * n + i] = (float)unit;
                slopes[r * n + i] = (float)(((double)dy[r * n + i] - unit * dot / norm) / norm);
            }
        }
        k->normalise(y, kept, x, 1e-6f, ROWS, n);
        assert_near(y, expected, ROWS * n, 1e-6, 0);
        if (n > 1) /* of one number it is 0 but for rounding */
            CHECK_BACKWARD(k->normalise_backward(got, dy, y, kept, ROWS, n, fresh), slopes,
                           ROWS * n);
    }
}

static void test_cross_entropy(void **state)
{
    (void)state;
    EVERY_ISA(zf_rows_kernels, zf_rows, k)
    for (int l = 0; l < LENGTHS; l++) {
        size_t n = lengths[l];
        float slopes[SIZE];
        zf_row_softmax kept[ROWS];
        int32_t labels[ROWS] = {0, (int32_t)(n / 2), (int32_t)n - 1};
        double loss = 0;
        for (size_t r = 0; r < ROWS; r++) {
            double reference[MOST] = {0};
            softmax_reference(reference, x + r * n, n);
            loss -= log(reference[labels[r]]);
            for (size_t i = 0; i < n; i++)
                slopes[r * n + i] = (float)(0.3 * (reference[i] - ((size_t)labels[r] == i)));
        }
        assert_true(fabs(k->cross_entropy(kept, x, labels, ROWS, n) - loss) <= 1e-6 * (1 + loss));
        CHECK_BACKWARD(k->cross_entropy_backward(got, 0.3f, x, labels, kept, ROWS, n, fresh),
                       slopes, ROWS * n);
    }
}

/* --- channels ---------------------------------------------------------------------- */

static size_t place(zf_channels_shape s, size_t n, size_t c, size_t i)
{
    return (n * s.channels + c) * s.space + i;
}

static void check_channels(const zf_channels_kernels *k, zf_channels_shape s)
{
    double mean[MOST], spread[MOST], sums[MOST], dots[MOST];
    float centre[MOST], y[SIZE], expected[SIZE], slopes[SIZE];
    size_t size = s.rows * s.channels * s.space;
    double points = (double)(s.rows * s.space);
    k->moments(mean, spread, x, s);
    for (size_t c = 0; c < s.channels; c++) centre[c] = (float)mean[c];
    k->backward_sums(sums, dots, dy, x, centre, s);
    for (size_t c = 0; c < s.channels; c++) {
        double m = 0, v = 0, sum = 0, dot = 0;
        for (size_t n = 0; n < s.rows; n++)
            for (size_t i = 0; i < s.space; i++) m += (double)x[place(s, n, c, i)] / points;
        for (size_t n = 0; n < s.rows; n++)
            for (size_t i = 0; i < s.space; i++) {
                double off = (double)x[place(s, n, c, i)] - m, g = (double)dy[place(s, n, c, i)];
                v += off * off;
                sum += g;
                dot += g * off;
                expected[place(s, n, c, i)] = (float)(off * (double)scale[c] + (double)shift[c]);
                slopes[place(s, n, c, i)] =
                    (float)((double)scale[c] * g - (double)shift[c] - (double)before[c] * off);
            }
        assert_true(fabs(mean[c] - m) < 1e-6 && fabs(spread[c] - v) < 1e-5 * (v + 0.1));
        assert_true(fabs(sums[c] - sum) < 1e-5 && fabs(dots[c] - dot) < 1e-4);
    }
    k->apply(y, x, centre, scale, shift, s);
    assert_near(y, expected, size, 2e-6, 0);
    float level[MOST], slope[MOST];
    memcpy(level, shift, sizeof level);
    memcpy(slope, before, sizeof slope);
    CHECK_BACKWARD(k->backward_apply(got, dy, x, centre, scale, level, slope, s, fresh), slopes,
                   size);
}

static void test_channels(void **state)
{
    (void)state;
    EVERY_ISA(zf_channels_kernels, zf_channels, k)
    {
        for (int l = 0; l < LENGTHS; l++) {
            check_channels(k, (zf_channels_shape){ROWS, lengths[l], 1});
            check_channels(k, (zf_channels_shape){ROWS, 1, lengths[l]});
        }
        check_channels(k, (zf_channels_shape){2, 3, 19});
        check_channels(k, (zf_channels_shape){2, 5, 2});
        check_channels(k, (zf_channels_shape){66, 3, 1}); /* more than a block of rows */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_softmax),       cmocka_unit_test(test_softmax_extremes),
        cmocka_unit_test(test_layer_norm),    cmocka_unit_test(test_normalise),
        cmocka_unit_test(test_cross_entropy), cmocka_unit_test(test_channels),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
