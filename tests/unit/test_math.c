/* The vector maths of src/kernel/isa/math.h against the C library in double
   precision, over a grid of all of float and at the edges, in every instruction
   set. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "isas.h"
#include "kernel/vector.h"

ISA_TABLES(zf_vector_kernels, zf_vector)

typedef void map(float *y, const float *x, size_t n);

static double sigmoid_double(double x)
{
    return 1 / (1 + exp(-x));
}

static double gelu_double(double x)
{
    return 0.5 * x * erfc(-x * M_SQRT1_2);
}

static float from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* |got - expected| in units of the last place of a float near expected. */
static double ulps(float got, double expected)
{
    float nearest = (float)expected;
    if (isinf(nearest) || isinf(got)) return got == nearest ? 0 : INFINITY;
    int exponent;
    (void)frexp(expected, &exponent);
    int last = exponent - 24 < -149 ? -149 : exponent - 24;
    return fabs((double)got - expected) / ldexp(1, last);
}

enum { BLOCK = 4099 };

/* The worst error over every stride-th float whose magnitude is within bounds. */
static double worst_error(map *of, double (*truth)(double), float below)
{
    static float x[BLOCK], y[BLOCK];
    const uint32_t stride = 2003;
    double worst = 0;
    float where = 0;
    for (uint64_t bits = 0; bits <= UINT32_MAX;) {
        size_t n = 0;
        for (; n < BLOCK && bits <= UINT32_MAX; bits += stride) {
            float candidate = from_bits((uint32_t)bits);
            if (fabsf(candidate) < below) x[n++] = candidate;
        }
        of(y, x, n);
        for (size_t i = 0; i < n; i++) {
            double error = ulps(y[i], truth((double)x[i]));
            if (!(error <= worst)) {
                worst = error;
                where = x[i];
            }
        }
    }
    print_message("    worst %.3f ulp at %.9g\n", worst, (double)where);
    return worst;
}

static void test_exp_error(void **state)
{
    (void)state;
    EVERY_ISA(zf_vector_kernels, zf_vector, k)
    assert_true(worst_error(k->exp, exp, INFINITY) < 1.5);
}

static void test_tanh_error(void **state)
{
    (void)state;
    EVERY_ISA(zf_vector_kernels, zf_vector, k)
    assert_true(worst_error(k->tanh, tanh, INFINITY) < 2.0);
}

static void test_sigmoid_error(void **state)
{
    (void)state;
    EVERY_ISA(zf_vector_kernels, zf_vector, k)
    assert_true(worst_error(k->sigmoid, sigmoid_double, INFINITY) < 2.5);
}

static void test_erf_error(void **state)
{
    (void)state;
    EVERY_ISA(zf_vector_kernels, zf_vector, k)
    assert_true(worst_error(k->erf, erf, INFINITY) < 2.0);
}

/* gelu's lower tail is exp of a number near -10, whose own rounding shows: the
   error is bounded relatively, and where the value no longer matters, absolutely. */
static void test_gelu_error(void **state)
{
    (void)state;
    EVERY_ISA(zf_vector_kernels, zf_vector, k)
    {
        assert_true(worst_error(k->gelu, gelu_double, 1.0f) < 4);
        for (int i = -30000; i <= 30000; i++) {
            float x = (float)i * 1e-3f, y;
            k->gelu(&y, &x, 1);
            double expected = gelu_double((double)x);
            double allowed = fabs(x) < 6.5 ? 8e-6 * fabs(expected) : 1e-9 + 2e-7 * fabs(expected);
            if (fabs((double)y - expected) > allowed)
                fail_msg("gelu(%g) = %.9g, expected %.9g", (double)x, (double)y, expected);
        }
    }
}

/* Same bits, or both NaN. */
static void assert_same(float got, float expected)
{
    if (isnan(expected) && isnan(got)) return;
    if (memcmp(&got, &expected, sizeof got) != 0)
        fail_msg("got %.9g, expected %.9g", (double)got, (double)expected);
}

static void test_edges(void **state)
{
    (void)state;
    const float inf = INFINITY, tiny = 1e-45f;
    const struct {
        float x, exp, tanh, sigmoid, erf;
    } cases[] = {
        {0.0f, 1, 0.0f, 0.5f, 0.0f}, {-0.0f, 1, -0.0f, 0.5f, -0.0f}, {inf, inf, 1, 1, 1},
        {-inf, 0, -1, 0, -1},        {NAN, NAN, NAN, NAN, NAN},      {3e38f, inf, 1, 1, 1},
        {-3e38f, 0, -1, 0, -1},      {tiny, 1, tiny, 0.5f, tiny},    {-tiny, 1, -tiny, 0.5f, -tiny},
        {88.73f, inf, 1, 1, 1},      {-103.98f, 0, -1, 0, -1},       {-103.9f, tiny, -1, tiny, -1},
    };
    EVERY_ISA(zf_vector_kernels, zf_vector, k)
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float y, x = cases[i].x;
        k->exp(&y, &x, 1);
        assert_same(y, cases[i].exp);
        k->tanh(&y, &x, 1);
        assert_same(y, cases[i].tanh);
        k->sigmoid(&y, &x, 1);
        assert_same(y, cases[i].sigmoid);
        k->erf(&y, &x, 1);
        assert_same(y, cases[i].erf);
    }
}

static void test_gelu_edges(void **state)
{
    (void)state;
    EVERY_ISA(zf_vector_kernels, zf_vector, k)
    {
        float x[] = {0.0f, -0.0f, INFINITY, 1e30f, -1e30f, NAN}, y[6];
        k->gelu(y, x, 6);
        assert_same(y[0], 0.0f);
        assert_same(y[1], -0.0f);
        assert_same(y[2], INFINITY);
        assert_same(y[3], 1e30f);
        assert_same(y[4], -0.0f);
        assert_true(isnan(y[5]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exp_error),     cmocka_unit_test(test_tanh_error),
        cmocka_unit_test(test_sigmoid_error), cmocka_unit_test(test_erf_error),
        cmocka_unit_test(test_gelu_error),    cmocka_unit_test(test_edges),
        cmocka_unit_test(test_gelu_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
