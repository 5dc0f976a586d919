/* p-values by rank: ties, the least there is, what is no rank. */
#include "support.h"

#include <math.h>

#include "base/p_value.h"

static double rank(const double *values, size_t count)
{
    double p = -1;
    assert_ok(zf_p_value_rank(&p, values, count));
    return p;
}

static void rank_counts_ties(void **state)
{
    (void)state;
    const double values[] = {2, 1, 3, 2, 2 + 1e-9, 2 - 1e-9, 0, -5, 1, 1};
    assert_close(rank(values, 10), 0.5, 0);
    const double least[] = {-1, 0, 1, 2};
    assert_close(rank(least, 4), 1, 0);
    const double zeros[] = {0, 0, 0};
    assert_close(rank(zeros, 3), 1, 0);
}

static void never_below_one_in_all(void **state)
{
    (void)state;
    const double most[] = {9, 0, 1, 2}, extreme[] = {1e308, -1e308, 0, 2};
    assert_close(rank(most, 4), 0.25, 0);
    assert_close(rank(extreme, 4), 0.25, 0);
    assert_close(rank(most, 1), 1, 0);
    assert_close(zf_p_value(0, 99), 0.01, 0);
    assert_close(zf_p_value(99, 99), 1, 0);
}

static void what_is_not_finite_has_no_rank(void **state)
{
    (void)state;
    double p = -1;
    const double unknown[] = {-NAN, 1, 2}, far[] = {INFINITY, 1}, other[] = {0, 1, NAN};
    assert_fails(zf_p_value_rank(&p, unknown, 3), ZF_ENUMERIC, "the statistic of the data is");
    assert_fails(zf_p_value_rank(&p, far, 2), ZF_ENUMERIC, "is inf, expected a finite number");
    assert_fails(zf_p_value_rank(&p, other, 3), ZF_ENUMERIC, "of the permuted data");
    assert_close(p, -1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rank_counts_ties),
        cmocka_unit_test(never_below_one_in_all),
        cmocka_unit_test(what_is_not_finite_has_no_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
