/* Functions of an index (kernel/index.h) against the C library, in every instruction set. */
#include "support.h"

#include <math.h>

#include "isas.h"
#include "kernel/index.h"

ISA_TABLES(zf_index_kernels, zf_index)

enum { N = 1003, BUMPS = 10 };

static double x[N], slope[N], y[N], bump[BUMPS * N], derivative[BUMPS * N];

static void spread(double from, double to)
{
    for (int i = 0; i < N; i++) x[i] = from + (to - from) * (double)i / (N - 1);
}

static void squeezes(void **state)
{
    (void)state;
    const double ends[] = {0.01, 3, 1e3, 1e12};
    EVERY_ISA(zf_index_kernels, zf_index, k)
    for (size_t e = 0; e < 4; e++) {
        spread(-ends[e], ends[e] * 0.9);
        k->squeeze(y, slope, x, 1.5, N);
        for (int i = 0; i < N; i++) {
            double u = 1.5 * x[i], root = sqrt(1 + u * u);
            assert_close(y[i], asinh(u), 1e-15 * fmax(1, fabs(asinh(u))));
            assert_close(slope[i], 1.5 / root, 1e-15 * slope[i]);
        }
    }
}

static void spreads_bumps(void **state)
{
    (void)state;
    const double reach[] = {2, 12, 1e6};
    EVERY_ISA(zf_index_kernels, zf_index, k)
    for (size_t e = 0; e < 3; e++)
        for (size_t count = 1; count <= BUMPS; count += 3) {
            spread(-reach[e], reach[e]);
            for (int i = 0; i < N; i++) slope[i] = 0.5 + 0.001 * i;
            k->bumps(bump, derivative, x, slope, N, count, -1.1, 0.4);
            for (size_t b = 0; b < count; b++)
                for (int i = 0; i < N; i++) {
                    double t = (x[i] + 1.1) / 0.4 - (double)b, expected = exp(-0.5 * t * t);
                    double rise = -t / 0.4 * expected * slope[i];
                    assert_close(bump[b * N + (size_t)i], expected, 2e-13 * expected + 1e-100);
                    assert_close(derivative[b * N + (size_t)i], rise, 2e-13 * fabs(rise) + 1e-100);
                }
        }
}

static void centres(void **state)
{
    (void)state;
    EVERY_ISA(zf_index_kernels, zf_index, k)
    {
        for (int i = 0; i < BUMPS * N; i++) bump[i] = 3 + sin(i);
        k->centre(bump, BUMPS, N);
        for (int b = 0; b < BUMPS; b++) {
            double mean = 0, before = 0;
            for (int i = 0; i < N; i++) mean += bump[b * N + i] / N;
            for (int i = 0; i < N; i++) before += (3 + sin(b * N + i)) / N;
            assert_close(mean, 0, 1e-14);
            assert_close(bump[b * N + 7], 3 + sin(b * N + 7) - before, 1e-13);
        }
    }
}

static void takes_cosines(void **state)
{
    (void)state;
    EVERY_ISA(zf_index_kernels, zf_index, k)
    for (double end = 1; end < 1e6; end *= 50) {
        spread(-end, end);
        k->cosine(y, x, 0.7, 1.3, N);
        for (int i = 0; i < N; i++)
            assert_close(y[i], cos(0.7 * x[i] + 1.3), 1e-15 * fmax(1, 0.7 * end));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squeezes),
        cmocka_unit_test(spreads_bumps),
        cmocka_unit_test(centres),
        cmocka_unit_test(takes_cosines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
