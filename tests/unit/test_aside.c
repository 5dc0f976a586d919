/* Jobs beside the caller: each runs once, and what it wrote is seen. */
#include "support.h"

#include "base/aside.h"

static void add(void *context)
{
    int *sum = context;
    sum[0] += sum[1];
}

static void runs_one_after_the_other(void **state)
{
    (void)state;
    zf_aside *aside;
    int sum[2] = {0, 0};
    assert_ok(zf_aside_new(&aside));
    zf_aside_wait(aside); /* nothing to wait for */
    for (int i = 1; i <= 1000; i++) {
        sum[1] = i;
        zf_aside_start(aside, add, sum);
        zf_aside_wait(aside);
        assert_int_equal(sum[0], i * (i + 1) / 2);
    }
    sum[1] = 1;
    zf_aside_start(aside, add, sum);
    zf_aside_free(aside); /* finishes what has begun */
    assert_int_equal(sum[0], 500501);
    zf_aside_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_one_after_the_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
