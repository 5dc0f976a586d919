/* Tails of the chi-square law, against SciPy (bench/peers/two_sample.py) and against
   the closed form that two degrees of freedom have. */
#include "support.h"

#include <math.h>

#include "base/chi_square.h"

static void agrees_with_scipy(void **state)
{
    (void)state;
    assert_close(zf_chi_square_log_tail(0.5, 1), -0.735011129837, 1e-11);
    assert_close(zf_chi_square_log_tail(3.2, 2.5), -1.27398350921, 1e-10);
    assert_close(zf_chi_square_log_tail(60, 11), -18.4962493127, 1e-9);
    assert_close(zf_chi_square_log_tail(30, 200.5), 0, 1e-12);
}

static void reaches_far_out(void **state)
{
    (void)state;
    for (double x = 0.25; x < 1e6; x *= 4)
        assert_close(zf_chi_square_log_tail(x, 2), -x / 2, 1e-12 + 1e-12 * x);
    assert_close(zf_chi_square_log_tail(0, 3), 0, 0);
    assert_close(zf_chi_square_log_tail(-1, 3), 0, 0);
}

static void falls(void **state)
{
    (void)state;
    static const double freedoms[] = {0.1, 1, 7.7, 120};
    for (int i = 0; i < 4; i++)
        for (double x = 0.01; x < 1000; x *= 1.1)
            assert_true(zf_chi_square_log_tail(x * 1.1, freedoms[i]) <=
                        zf_chi_square_log_tail(x, freedoms[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_scipy),
        cmocka_unit_test(reaches_far_out),
        cmocka_unit_test(falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
