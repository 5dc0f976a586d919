/* The normal quantile against values of SciPy 1.10 (norm.ppf), and against the
   complementary error function of the C library. */
#include "support.h"

#include <math.h>

#include "base/normal.h"

static void quantiles_agree_with_scipy(void **state)
{
    (void)state;
    static const double known[][2] = {
        {1e-300, -37.047096299361201}, {1e-20, -9.2623400897984087},
        {1e-10, -6.3613409024040557},  {1e-05, -4.2648907939228247},
        {0.001, -3.0902323061678132},  {0.0749, -1.4402382675279635},
        {0.075, -1.4395314709384563},  {0.0751, -1.4388253927525403},
        {0.2, -0.84162123357291418},   {0.5, 0},
        {0.6, 0.25334710313579972},    {0.925, 1.4395314709384563},
        {0.9251, 1.4402382675279635},  {0.975, 1.959963984540054},
        {0.9999, 3.7190164854557088},  {0.999999999999, 7.0344869100478356},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_close(zf_normal_quantile(known[i][0]), known[i][1],
                     1e-12 * fmax(1, fabs(known[i][1])));
}

static void quantile_inverts_the_law(void **state)
{
    (void)state;
    for (int i = 1; i < 10000; i++) {
        double p = i / 20000.0, z = zf_normal_quantile(p);
        assert_close(zf_normal_two_sided(z) / (2 * p), 1, 1e-13);
        assert_close(zf_normal_quantile(1 - p), -z, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_agree_with_scipy),
        cmocka_unit_test(quantile_inverts_the_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
