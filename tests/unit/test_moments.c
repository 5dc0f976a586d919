/* Moments: worked by hand, far from 0, near both ends of what a number can be; and what
   float32 keeps of distinct values. */
#include "support.h"

#include <float.h>
#include <math.h>

#include "base/moments.h"
#include "data/distinct.h"

static void moments_by_hand(void **state)
{
    (void)state;
    const double unit[] = {1, 9, 3, 9, 8, 9}; /* 1, 3, 8 at a stride of 2 */
    const double scales[] = {1, 1e-300, 1e299, 0x1p-1070};
    for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
        double values[6];
        for (int i = 0; i < 6; i++) values[i] = unit[i] * scales[s];
        zf_moments found = zf_moments_of(values, 3, 2);
        double tolerance = scales[s] < DBL_MIN ? 0.1 : 1e-14;
        assert_close(found.mean / scales[s], 4, tolerance);
        assert_close(found.deviation / scales[s], sqrt(26.0 / 3), tolerance);
    }
}

static void far_from_0_digits_stay(void **state)
{
    (void)state;
    enum { ROWS = 100001 };
    static double values[ROWS];
    for (int i = 0; i < ROWS; i++) values[i] = 1.7e9 + i % 2; /* one 0 more than ones */
    zf_moments found = zf_moments_of(values, ROWS, 1);
    assert_close(found.mean - 1.7e9, 50000.0 / ROWS, 1e-6);
    assert_close(found.deviation, 0.5, 1e-9);
}

static void only_equal_values_are_constant(void **state)
{
    (void)state;
    const double equal[] = {0.1, 0.1, 0.1}, ends[] = {-1e300, 1e300}, least[] = {0, DBL_TRUE_MIN};
    const double apart[] = {1e15, 1e15, 1e15 + 0.125};
    assert_true(zf_moments_of(equal, 3, 1).deviation == 0);
    assert_true(zf_moments_of(equal, 3, 1).mean == 0.1);
    assert_close(zf_moments_of(ends, 2, 1).deviation / 1e300, 1, 1e-15);
    assert_true(zf_moments_of(least, 2, 1).deviation > 0);
    assert_close(zf_moments_of(apart, 3, 1).deviation, 0.125 * sqrt(2) / 3, 1e-9);
}

/* Of 200 values, the last `same` become one: told from one in a hundred on. */
static void losses_are_counted(void **state)
{
    (void)state;
    static const struct {
        int same;
        size_t lost;
    } cases[] = {{1, 0}, {2, 0}, {3, 2}, {200, 199}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        zf_resolution resolution = {0};
        for (int i = 0; i < 400; i++) { /* each twice, which is no loss */
            int which = i % 200;
            float seen = (float)(which < 200 - cases[c].same ? which : 1000);
            assert_ok(zf_resolution_add(&resolution, 1.7e9 + which, seen));
        }
        assert_int_equal(resolution.values.count, 200);
        assert_int_equal(zf_resolution_lost(&resolution), cases[c].lost);
        zf_resolution_free(&resolution);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_by_hand),
        cmocka_unit_test(far_from_0_digits_stay),
        cmocka_unit_test(only_equal_values_are_constant),
        cmocka_unit_test(losses_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
