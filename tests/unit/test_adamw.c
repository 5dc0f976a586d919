/* AdamW and the sum of the shards' gradients, in every instruction set, against
   the same in double precision, and ranges cut anywhere against one range. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "golden.h"
#include "isas.h"
#include "kernel/adamw.h"

ISA_TABLES(zf_adamw_kernels, zf_adamw)

enum { N = 53 };

static const zf_adamw_options options = {
    .rate = 1e-2, .decay = 0.1, .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8};

static void test_hundred_steps(void **state)
{
    (void)state;
    EVERY_ISA(zf_adamw_kernels, zf_adamw, k)
    {
        float w[N], m[N] = {0}, v[N] = {0}, g[N];
        double w2[N], m2[N] = {0}, v2[N] = {0};
        fill_normal(w, N, 1);
        for (int i = 0; i < N; i++) w2[i] = (double)w[i];
        for (int t = 1; t <= 100; t++) {
            fill_normal(g, N, (uint32_t)(10 + t));
            double scale = t % 3 == 0 ? 0.5 : 1;
            zf_adamw_step step = zf_adamw_step_at(&options, (uint64_t)t, scale);
            k->update(w, m, v, g, N, &step);
            for (int i = 0; i < N; i++) {
                double x = (double)g[i] * scale;
                w2[i] -= options.rate * options.decay * w2[i];
                m2[i] = options.beta1 * m2[i] + (1 - options.beta1) * x;
                v2[i] = options.beta2 * v2[i] + (1 - options.beta2) * x * x;
                w2[i] -= options.rate / (1 - pow(options.beta1, t)) * m2[i] /
                         (sqrt(v2[i]) / sqrt(1 - pow(options.beta2, t)) + options.epsilon);
            }
        }
        float expected[N];
        for (int i = 0; i < N; i++) expected[i] = (float)w2[i];
        assert_near(w, expected, N, 2e-6, 0);
        for (int i = 0; i < N; i++) expected[i] = (float)v2[i];
        assert_near(v, expected, N, 2e-6, 0);
    }
}

static void test_against_pytorch(void **state)
{
    (void)state;
    const zf_adamw_options given = {
        .rate = 0.01, .decay = 0.05, .beta1 = 0.9, .beta2 = 0.99, .epsilon = 1e-8};
    golden *file = golden_open("adamw");
    size_t n = golden_size(file, "start"), steps = golden_size(file, "gradients") / n;
    assert_true(n <= N && steps == 100);
    const float *g = golden_array(file, "gradients"), *path = golden_array(file, "path");
    EVERY_ISA(zf_adamw_kernels, zf_adamw, k)
    {
        float w[N], m[N] = {0}, v[N] = {0};
        memcpy(w, golden_array(file, "start"), n * sizeof *w);
        for (size_t t = 0; t < steps; t++) {
            zf_adamw_step step = zf_adamw_step_at(&given, t + 1, 1);
            k->update(w, m, v, g + t * n, n, &step);
            for (size_t i = 0; i < n; i++) assert_near(w + i, path + t * n + i, 1, 1e-5, 1e-6);
        }
        const float *first = golden_array(file, "first_moment");
        const float *second = golden_array(file, "second_moment");
        for (size_t i = 0; i < n; i++) {
            assert_near(m + i, first + i, 1, 1e-5, 1e-12);
            assert_near(v + i, second + i, 1, 1e-5, 0);
        }
    }
    golden_close(file);
}

/* One step by hand: g = 2, t = 1 gives m-hat = 2, v-hat = 4, so w moves by rate. */
static void test_first_step_by_hand(void **state)
{
    (void)state;
    EVERY_ISA(zf_adamw_kernels, zf_adamw, k)
    {
        float w = 1, m = 0, v = 0, g = 2;
        zf_adamw_step step = zf_adamw_step_at(&options, 1, 1);
        k->update(&w, &m, &v, &g, 1, &step);
        assert_true(fabs((double)m - 0.2) < 1e-7 && fabs((double)v - 0.004) < 1e-9);
        assert_true(fabs((double)w - (1 - 0.001 - 0.01)) < 1e-7);
    }
}

static void test_cuts_do_not_matter(void **state)
{
    (void)state;
    EVERY_ISA(zf_adamw_kernels, zf_adamw, k)
    for (size_t cut = 0; cut <= N; cut++) {
        float w[2][N], m[2][N], v[2][N], g[N];
        fill_normal(g, N, 4);
        for (int c = 0; c < 2; c++) {
            fill_normal(w[c], N, 1);
            fill_normal(m[c], N, 2);
            fill_normal(v[c], N, 3);
            for (int i = 0; i < N; i++) v[c][i] *= v[c][i];
        }
        zf_adamw_step step = zf_adamw_step_at(&options, 7, 0.3);
        k->update(w[0], m[0], v[0], g, N, &step);
        k->update(w[1], m[1], v[1], g, cut, &step);
        k->update(w[1] + cut, m[1] + cut, v[1] + cut, g + cut, N - cut, &step);
        assert_memory_equal(w[0], w[1], sizeof w[0]);
        assert_memory_equal(m[0], m[1], sizeof m[0]);
        assert_memory_equal(v[0], v[1], sizeof v[0]);
    }
}

static void test_sum_slots(void **state)
{
    (void)state;
    enum { LONG = 3001, SLOTS = 5 };
    static float slot[SLOTS][LONG], out[LONG], expected[LONG];
    float *slots[SLOTS];
    for (int s = 0; s < SLOTS; s++) fill_normal(slots[s] = slot[s], LONG, (uint32_t)s);
    for (int n_slots = 0; n_slots <= SLOTS; n_slots++) EVERY_ISA(zf_adamw_kernels, zf_adamw, k)
        {
            memset(out, 0x55, sizeof out);
            const size_t begin = 7, n = LONG - 10;
            double squares = 0;
            for (size_t i = 0; i < n; i++) {
                float sum = n_slots ? slot[0][begin + i] : 0;
                for (int s = 1; s < n_slots; s++) sum += slot[s][begin + i];
                expected[begin + i] = sum;
                squares += (double)sum * (double)sum;
            }
            double got = k->sum_slots(out, slots, n_slots, begin, n);
            assert_memory_equal(out + begin, expected + begin, n * sizeof *out);
            assert_true(fabs(got - squares) <= 1e-6 * squares);
            const unsigned char untouched[4] = {0x55, 0x55, 0x55, 0x55};
            assert_memory_equal(out + begin - 1, untouched, 4);
            assert_memory_equal(out + begin + n, untouched, 4);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hundred_steps),      cmocka_unit_test(test_against_pytorch),
        cmocka_unit_test(test_first_step_by_hand), cmocka_unit_test(test_cuts_do_not_matter),
        cmocka_unit_test(test_sum_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
