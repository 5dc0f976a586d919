/* Elementwise kernels in every instruction set: values against scalar C, tails
   against full vectors to the bit, writing in place, adding and overwriting. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "isas.h"
#include "kernel/vector.h"

ISA_TABLES(zf_vector_kernels, zf_vector)

enum { N = 77 };

typedef struct data {
    float x[N], dy[N], before[N];
} data;

static data some_data(void)
{
    data d;
    fill_normal(d.x, N, 1);
    fill_normal(d.dy, N, 2);
    fill_normal(d.before, N, 3);
    d.x[0] = 0.0f;
    d.x[1] = -0.0f;
    d.x[2] = NAN;
    d.x[3] = INFINITY;
    return d;
}

/* A NaN may have either sign: which one is up to the order of operands. */
static void assert_same_bits(const float *got, const float *expected, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(got + i, expected + i, sizeof *got) != 0 &&
            !(isnan(got[i]) && isnan(expected[i])))
            fail_msg("element %zu of %zu: %.9g, in a full vector %.9g", i, n, (double)got[i],
                     (double)expected[i]);
}

/* A part of the array, wherever it begins and however long, gives the bits that
   the whole gives; nothing around it is touched; in place is the same. */
static void check_map(void (*map)(float *y, const float *x, size_t n))
{
    data d = some_data();
    float whole[N];
    map(whole, d.x, N);
    for (size_t begin = 0; begin < 18; begin++)
        for (size_t n = 0; n <= 35; n++) {
            float y[N];
            memset(y, 0x55, sizeof y);
            map(y + begin, d.x + begin, n);
            assert_same_bits(y + begin, whole + begin, n);
            float guard;
            memset(&guard, 0x55, sizeof guard);
            assert_memory_equal(y + begin + n, &guard, sizeof guard);
            if (begin > 0) assert_memory_equal(y + begin - 1, &guard, sizeof guard);
        }
    map(d.x, d.x, N);
    assert_same_bits(d.x, whole, N);
}

static void test_maps_do_not_depend_on_position(void **state)
{
    (void)state;
    EVERY_ISA(zf_vector_kernels, zf_vector, k)
    {
        check_map(k->relu);
        check_map(k->gelu);
        check_map(k->sigmoid);
        check_map(k->tanh);
        check_map(k->exp);
        check_map(k->erf);
    }
}

static void test_relus(void **state)
{
    (void)state;
    const float x[] = {-2, -0.0f, 0, 3, INFINITY, -INFINITY, NAN}, dy[] = {1, 2, 3, 4, 5, 6, 7};
    EVERY_ISA(zf_vector_kernels, zf_vector, k)
    {
        float y[7], dx[7];
        k->relu(y, x, 7);
        const float relu[] = {0, 0, 0, 3, INFINITY, 0};
        for (int i = 0; i < 6; i++) assert_true(y[i] == relu[i]);
        assert_true(isnan(y[6]));
        k->relu_backward(dx, dy, y, 6, true);
        const float slope[] = {0, 0, 0, 4, 5, 0};
        assert_memory_equal(dx, slope, sizeof slope);

        k->leaky_relu(y, x, 0.25f, 7);
        const float leaky[] = {-0.5f, 0, 0, 3, INFINITY, -INFINITY};
        for (int i = 0; i < 6; i++) assert_true(y[i] == leaky[i]);
        assert_true(isnan(y[6]));
        k->leaky_relu_backward(dx, dy, y, 0.25f, 6, true);
        const float leaky_slope[] = {0.25f, 0.5f, 0.75f, 4, 5, 1.5f};
        assert_memory_equal(dx, leaky_slope, sizeof leaky_slope);
        k->leaky_relu_backward(dx, dy, y, 0.25f, 6, false);
        for (int i = 0; i < 6; i++) assert_true(dx[i] == 2 * leaky_slope[i]);
    }
}

static double gelu_slope(double x)
{
    return 0.5 * erfc(-x * M_SQRT1_2) + x * exp(-x * x / 2) / sqrt(2 * M_PI);
}

static double sigmoid_slope(double y)
{
    return y * (1 - y);
}

static double tanh_slope(double y)
{
    return 1 - y * y;
}

static double itself(double y)
{
    return y;
}

static double step(double y)
{
    return y > 0;
}

/* Overwrites, adds, and overwrites dy itself; also in a tail. */
static void check_backward(zf_map_backward *backward, double (*slope)(double))
{
    data d = some_data();
    float kept[N], expected[N], got[N];
    fill_normal(kept, N, 4);
    for (size_t n = 0; n <= N; n += 11) {
        for (size_t i = 0; i < n; i++)
            expected[i] = (float)((double)d.dy[i] * slope((double)kept[i]));
        backward(got, d.dy, kept, n, true);
        assert_near(got, expected, n, 1e-6, 0);
        for (size_t i = 0; i < n; i++) expected[i] += d.before[i];
        memcpy(got, d.before, sizeof got);
        backward(got, d.dy, kept, n, false);
        assert_near(got, expected, n, 1e-6, 0);
    }
    backward(got, d.dy, kept, N, true);
    for (size_t begin = 0; begin < 18; begin++) { /* position changes no bit */
        float part[N];
        backward(part, d.dy + begin, kept + begin, N - begin - 1, true);
        assert_same_bits(part, got + begin, N - begin - 1);
    }
    backward(d.dy, d.dy, kept, N, true);
    assert_same_bits(d.dy, got, N);
}

static void test_backward(void **state)
{
    (void)state;
    EVERY_ISA(zf_vector_kernels, zf_vector, k)
    {
        check_backward(k->relu_backward, step);
        check_backward(k->sigmoid_backward, sigmoid_slope);
        check_backward(k->tanh_backward, tanh_slope);
        check_backward(k->exp_backward, itself);
    }
}

/* The same value as gelu alone, over the argument too, and its slope, in tails as well. */
static void test_gelu_and_slope(void **state)
{
    (void)state;
    data d = some_data();
    float y[N], slope[N], alone[N], expected[N];
    d.x[2] = -9;
    d.x[3] = 9;
    for (size_t i = 0; i < N; i++) expected[i] = (float)gelu_slope((double)d.x[i]);
    EVERY_ISA(zf_vector_kernels, zf_vector, k)
    for (size_t n = 0; n <= N; n += 11) {
        k->gelu(alone, d.x, n);
        k->gelu_and_slope(y, slope, d.x, n);
        assert_same_bits(y, alone, n);
        assert_near(slope, expected, n, 1e-6, 0);
        memcpy(y, d.x, sizeof y);
        k->gelu_and_slope(y, slope, y, n);
        assert_same_bits(y, alone, n);
    }
}

static void test_sums_and_products(void **state)
{
    (void)state;
    data d = some_data();
    d.x[2] = 1;
    d.x[3] = 2;
    EVERY_ISA(zf_vector_kernels, zf_vector, k)
    for (size_t n = 0; n <= N; n += 7) {
        float y[N], expected[N];
        k->fill(y, 2.5f, n);
        for (size_t i = 0; i < n; i++) assert_true(y[i] == 2.5f);
        k->scale(y, d.x, -1.5f, n);
        for (size_t i = 0; i < n; i++) assert_true(y[i] == -1.5f * d.x[i]);
        k->add(y, d.x, d.dy, n);
        for (size_t i = 0; i < n; i++) assert_true(y[i] == d.x[i] + d.dy[i]);
        k->mul(y, d.x, d.dy, n);
        for (size_t i = 0; i < n; i++) assert_true(y[i] == d.x[i] * d.dy[i]);
        memcpy(y, d.before, sizeof y);
        k->axpy(y, 0.7f, d.x, n);
        for (size_t i = 0; i < n; i++) expected[i] = d.before[i] + 0.7f * d.x[i];
        assert_near(y, expected, n, 1e-6, 0);
        memcpy(y, d.before, sizeof y);
        k->mul_add(y, d.dy, d.x, n);
        for (size_t i = 0; i < n; i++) expected[i] = d.before[i] + d.dy[i] * d.x[i];
        assert_near(y, expected, n, 1e-6, 0);
        k->pass(y, d.x, n, true);
        for (size_t i = 0; i < n; i++) assert_true(y[i] == d.x[i]);
        k->pass(y, d.x, n, false);
        for (size_t i = 0; i < n; i++) assert_true(y[i] == 2 * d.x[i]);
        k->pass_scaled(y, 3, d.x, n, true);
        for (size_t i = 0; i < n; i++) assert_true(y[i] == 3 * d.x[i]);
        k->pass_scaled(y, -3, d.x, n, false);
        for (size_t i = 0; i < n; i++) assert_true(fabsf(y[i]) <= 1e-6f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_maps_do_not_depend_on_position),
        cmocka_unit_test(test_relus),
        cmocka_unit_test(test_backward),
        cmocka_unit_test(test_gelu_and_slope),
        cmocka_unit_test(test_sums_and_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
