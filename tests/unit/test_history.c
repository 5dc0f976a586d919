/* The table stays bounded, and its means stay true. */
#include "support.h"

#include <math.h>

#include "train/history.h"

static void keeps_every_step_while_it_can(void **state)
{
    (void)state;
    zf_history h = zf_history_new(2);
    assert_true(isnan(zf_history_latest(&h, 0)));
    for (int i = 0; i < 10; i++) zf_history_add(&h, (double[]){i, -i});
    assert_int_equal(h.rows, 10);
    assert_true(h.mean[7][0] == 7 && h.mean[7][1] == -7);
    assert_true(zf_history_latest(&h, 1) == -9);
}

static void merges_when_full(void **state)
{
    (void)state;
    zf_history h = zf_history_new(1);
    int steps = 5 * ZF_HISTORY_ROWS + 3;
    for (int i = 0; i < steps; i++) zf_history_add(&h, (double[]){i});
    assert_true(h.rows <= ZF_HISTORY_ROWS);
    assert_int_equal(h.span, 8);
    assert_int_equal((uint64_t)h.rows * h.span + h.pending, steps);
    for (int row = 0; row < h.rows; row++)
        assert_true(fabs(h.mean[row][0] - (row * 8 + 3.5)) < 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_every_step_while_it_can),
        cmocka_unit_test(merges_when_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
