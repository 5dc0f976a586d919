/* How many numbers are kept, for figures that are given. */
#include "support.h"

#include "reduce/criterion.h"

static void keeps_the_fewest_that_do(void **state)
{
    (void)state;
    static const struct {
        zf_reduce_criterion found[3]; /* dim, rectified, excess, error, zero */
        int least, expected;
    } cases[] = {
        /* more numbers do no better; to the error; to the slack */
        {{{1, 0.50, 0.00, 0.00, 0.01}, {2, 0.51, 0.01, 0.01, 0.01}, {3, 0.52, 0.02, 0, 0.01}},
         1,
         1},
        {{{1, 0.60, 0.10, 0.11, 0.01}, {2, 0.50, 0.00, 0.00, 0.01}, {3, 0.51, 0.01, 0, 0.01}},
         1,
         1},
        {{{1, 0.52, 0.02, 0.00, 0.02}, {2, 0.51, 0.01, 0.00, 0.01}, {3, 0.50, 0.00, 0, 0.01}},
         1,
         1},
        /* the second is worth something */
        {{{1, 0.60, 0.10, 0.01, 0.02}, {2, 0.51, 0.01, 0.00, 0.01}, {3, 0.50, 0.00, 0, 0.01}},
         1,
         2},
        /* the loss hardly says so, but the flow does */
        {{{1, 0.52, 0.02, 0.00, 0.06}, {2, 0.50, 0.00, 0.00, 0.01}, {3, 0.51, 0.01, 0, 0.01}},
         1,
         2},
        /* at least so many */
        {{{1, 0.50, 0.00, 0.00, 0.01}, {2, 0.51, 0.01, 0.01, 0.01}, {3, 0.52, 0.02, 0, 0.01}},
         2,
         2},
        /* all of them */
        {{{1, 0.90, 0.50, 0.01, 0.30}, {2, 0.70, 0.30, 0.01, 0.20}, {3, 0.40, 0.00, 0, 0.01}},
         1,
         3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(zf_reduce_choose(cases[i].found, cases[i].least, 3), cases[i].expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_the_fewest_that_do)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
