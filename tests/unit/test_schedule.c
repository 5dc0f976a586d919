/* Learning rates by hand. */
#include "support.h"

#include <math.h>

#include "train/schedule.h"

static void assert_rate(const zf_schedule *s, uint64_t step, double expected)
{
    double got = zf_schedule_rate(s, step);
    if (fabs(got - expected) > 1e-12)
        fail_msg("step %d: %g, expected %g", (int)step, got, expected);
}

static void flat(void **state)
{
    (void)state;
    zf_schedule s = {.rate = 0.1};
    assert_rate(&s, 0, 0.1);
    assert_rate(&s, 1000000, 0.1);
}

static void warm_up(void **state)
{
    (void)state;
    zf_schedule s = {.rate = 0.1, .warmup = 4};
    assert_rate(&s, 0, 0.025);
    assert_rate(&s, 1, 0.05);
    assert_rate(&s, 3, 0.1);
    assert_rate(&s, 4, 0.1);
}

static void cosine(void **state)
{
    (void)state;
    zf_schedule s = {.rate = 0.1, .warmup = 10, .decline = ZF_COSINE, .steps = 110, .floor = 0.2};
    assert_rate(&s, 10, 0.1);
    assert_rate(&s, 60, 0.1 * (0.2 + 0.8 * 0.5));
    assert_rate(&s, 35, 0.1 * (0.2 + 0.8 * 0.5 * (1 + sqrt(0.5))));
    assert_rate(&s, 110, 0.02);
    assert_rate(&s, 5000, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat),
        cmocka_unit_test(warm_up),
        cmocka_unit_test(cosine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
