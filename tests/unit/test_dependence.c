/* Dependence in order and in sizes, and what is chosen by it. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/normal.h"
#include "base/random.h"
#include "zeroflow/blanket.h"

enum { ROWS = 500, D = 6 };

typedef double (*next_value)(double before, zf_random *random);

static double noise(double before, zf_random *random)
{
    (void)before;
    return zf_random_normal(random);
}

static double chain(double before, zf_random *random)
{
    return 0.6f * before + zf_random_normal(random);
}

/* The size of a value is the spread of the next: no correlation at all. */
static double spread(double before, zf_random *random)
{
    return zf_random_normal(random) * sqrtf(0.2f + 0.8f * before * before);
}

static double *table(next_value next, size_t rows, size_t columns)
{
    double *values = malloc(rows * columns * sizeof *values);
    for (size_t i = 0; i < rows; i++) {
        zf_random random = zf_random_at(3, ZF_FOR_TEST, 0, (uint32_t)i);
        for (size_t j = 0; j < columns; j++)
            values[i * columns + j] = next(j ? values[i * columns + j - 1] : 0, &random);
    }
    return values;
}

static zf_marginals_kind choice(double *values, size_t rows, size_t columns)
{
    zf_fit_options options = zf_fit_defaults();
    assert_ok(zf_fit_resolve(&options, values, rows, columns));
    free(values);
    return options.marginals;
}

static void counts_by_hand(void **state)
{
    (void)state;
    /* Ranks 1 2 3 4 against 1 3 2 4: scores -a -b b a and -a b -b a with a = q(7/8),
       b = q(5/8); r = (a^2 - b^2) / (a^2 + b^2). Squares are equal: s = 1. */
    const double values[] = {1, 1, 2, 3, 3, 2, 4, 4};
    double a = zf_normal_quantile(0.875), b = zf_normal_quantile(0.625);
    double r = (a * a - b * b) / (a * a + b * b);
    zf_dependence found;
    assert_ok(zf_dependence_measure(&found, values, 4, 2));
    assert_close(found.order, 4 * r * r - 1, 1e-12);
    assert_close(found.sizes, 4 * (1 - r * r) * (1 - r * r) - 1, 1e-12);
    assert_close(found.chance, 5 * sqrt(2), 1e-12);
}

static void order_is_enough_for_a_copula(void **state)
{
    (void)state;
    assert_int_equal(choice(table(noise, ROWS, D), ROWS, D), ZF_MARGINALS_NORMAL_SCORES);
    assert_int_equal(choice(table(chain, ROWS, D), ROWS, D), ZF_MARGINALS_NORMAL_SCORES);
    /* The heaviest tails change nothing: the scores are the same. */
    double *heavy = table(chain, ROWS, D);
    for (int i = 0; i < ROWS * D; i++) heavy[i] = sinhf(6 * heavy[i]);
    assert_int_equal(choice(heavy, ROWS, D), ZF_MARGINALS_NORMAL_SCORES);
}

static void size_counts_where_it_carries_the_dependence(void **state)
{
    (void)state;
    assert_int_equal(choice(table(spread, ROWS, D), ROWS, D), ZF_MARGINALS_STANDARD);
    /* More than is looked at. */
    assert_int_equal(choice(table(spread, 20000, 4), 20000, 4), ZF_MARGINALS_STANDARD);
    assert_int_equal(choice(table(spread, 60, 700), 60, 700), ZF_MARGINALS_STANDARD);
}

static void small_and_odd_tables_have_an_answer(void **state)
{
    (void)state;
    zf_dependence found;
    double two[] = {0, 1, 1, 0};
    assert_ok(zf_dependence_measure(&found, two, 2, 2));
    assert_true(found.sizes < found.chance);
    double *binary = table(noise, ROWS, D);
    for (int i = 0; i < ROWS * D; i++) binary[i] = binary[i] > 0;
    assert_int_equal(choice(binary, ROWS, D), ZF_MARGINALS_NORMAL_SCORES);
    assert_fails(zf_dependence_measure(&found, two, 1, 4), ZF_EINPUT, "at least two");
}

/* What is left open becomes a number; what was said stays. */
static void the_rest_is_resolved_too(void **state)
{
    (void)state;
    double *values = table(chain, ROWS, D);
    zf_fit_options options = zf_fit_defaults();
    assert_ok(zf_fit_resolve(&options, values, ROWS, D));
    assert_int_equal(options.marginals, ZF_MARGINALS_NORMAL_SCORES);
    assert_int_equal(options.pairs, ZF_PAIRS_ON);
    assert_true(options.gate_rate == 0.3 && options.decay == ZF_FIELD_DECAY / ROWS);
    assert_true(options.pruning == 0.03);
    assert_true(options.exploration == 0); /* few columns */
    assert_true(options.iterations == 2500 && options.hidden == ZF_FIT_HIDDEN);
    assert_int_equal(options.open_gates, 250);
    assert_true(options.last_time == 0.6);
    assert_float_equal(options.rate, 2e-3 * sqrt(2), 1e-12); /* half of 5,000 */

    options = zf_fit_defaults();
    options.iterations = 20000, options.hidden = 77, options.last_time = 1;
    assert_ok(zf_fit_resolve(&options, values, ROWS, D));
    assert_true(options.iterations == 20000 && options.hidden == 77 && options.last_time == 1);
    assert_true(options.rate == 2e-3);
    options.last_time = 0.4;
    assert_fails(zf_fit_resolve(&options, values, ROWS, D), ZF_EINVAL, "0.5 to 1");

    /* Other times of the zero-flow term need a flow that was trained there. */
    options = zf_fit_defaults();
    options.criterion = ZF_CRITERION_ANTISYMMETRY;
    assert_ok(zf_fit_resolve(&options, values, ROWS, D));
    assert_true(options.last_time == 1);

    options = zf_fit_defaults();
    options.targets = ZF_TARGET_WINDOW;
    assert_ok(zf_fit_resolve(&options, values, ROWS, D));
    assert_true(options.iterations == 5000);

    options = zf_fit_defaults();
    options.targets = ZF_TARGET_NEIGHBOURS;
    options.marginals = ZF_MARGINALS_STANDARD;
    options.decay = 0;
    assert_ok(zf_fit_resolve(&options, values, 10, D));
    assert_int_equal(options.marginals, ZF_MARGINALS_STANDARD);
    assert_int_equal(options.pairs, ZF_PAIRS_OFF);
    assert_true(options.gate_rate == 1 && options.decay == 0 && options.pruning == 0.01);

    options = zf_fit_defaults();
    assert_ok(zf_fit_resolve(&options, values, 10, D));
    assert_true(options.decay == ZF_FIELD_DECAY_MOST);
    options = zf_fit_defaults();
    options.gate = ZF_GATE_LSTM;
    assert_ok(zf_fit_resolve(&options, values, ROWS, D));
    assert_int_equal(options.pairs, ZF_PAIRS_OFF);
    assert_true(options.pruning == 0 && options.exploration == 0);
    assert_int_equal(options.open_gates, 0);
    assert_true(options.iterations == 1000 && options.last_time == 1 && options.rate == 4e-3);
    options.pairs = ZF_PAIRS_ON;
    assert_fails(zf_fit_resolve(&options, values, ROWS, D), ZF_EINVAL, "gate mlp");
    free(values);

    /* Sizes lead: found late, so not pruned. */
    values = table(spread, ROWS, D);
    options = zf_fit_defaults();
    assert_ok(zf_fit_resolve(&options, values, ROWS, D));
    assert_true(options.pairs == ZF_PAIRS_ON && options.gate_rate == 0.3 && options.pruning == 0);
    assert_true(options.iterations == 2500 && options.last_time == 1);
    free(values);
}

/* Real tables have sizes that tell a little: as long as order tells more, nothing is switched
   off. Here the half of the columns is a chain and one sets the spread of another. */
static void sizes_that_do_not_lead_change_nothing(void **state)
{
    (void)state;
    double *values = table(chain, ROWS, D);
    for (size_t i = 0; i < ROWS; i++) values[i * D + D - 1] *= fabs(values[i * D]);
    zf_dependence found;
    assert_ok(zf_dependence_measure(&found, values, ROWS, D));
    assert_true(found.sizes > found.chance && found.order > found.sizes);
    zf_fit_options options = zf_fit_defaults();
    assert_ok(zf_fit_resolve(&options, values, ROWS, D));
    assert_int_equal(options.marginals, ZF_MARGINALS_NORMAL_SCORES);
    assert_true(options.pairs == ZF_PAIRS_ON && options.pruning == 0.03);
    free(values);
}

/* Of what was left open, and of nothing else. */
static void says_what_it_chose_and_why(void **state)
{
    (void)state;
    zf_fit_choice choices[ZF_FIT_CHOICES];
    zf_fit_options asked = zf_fit_defaults();
    double *values = table(spread, ROWS, D);
    zf_fit_summary summary = {.struct_size = sizeof summary, .options = asked, .columns = D};
    asked.held_out = summary.options.held_out = -1;
    assert_ok(zf_dependence_measure(&summary.dependence, values, ROWS, D));
    assert_ok(zf_fit_resolve(&summary.options, values, ROWS, D));
    free(values);
    assert_int_equal(zf_fit_explain(choices, &asked, &summary), ZF_FIT_CHOICES);
    assert_string_equal(choices[0].option, "marginals");
    assert_string_equal(choices[0].value, "standard");
    assert_non_null(strstr(choices[0].reason, "the sizes of values say more than their order"));
    assert_string_equal(choices[3].option, "pruning");
    assert_string_equal(choices[3].value, "0");
    assert_non_null(strstr(choices[3].reason, "before dependence in sizes is learnt"));
    asked.marginals = ZF_MARGINALS_STANDARD;
    asked.pruning = asked.decay = asked.sparsity = asked.held_out = 0, asked.open_gates = 0;
    assert_int_equal(zf_fit_explain(choices, &asked, &summary), 7);
    assert_string_equal(choices[3].option, "iterations");
    assert_string_equal(choices[3].value, "2500");
    assert_string_equal(choices[3].reason, "dependence shows in the sizes of values; few columns");
    assert_string_equal(choices[6].option, "last-time");
    assert_string_equal(choices[6].reason, "dependence in sizes shows at all times");
    asked.iterations = 1, asked.hidden = 1, asked.rate = asked.last_time = 1;
    assert_int_equal(zf_fit_explain(choices, &asked, &summary), 3);
    assert_string_equal(choices[0].option, "pairs");
    assert_string_equal(choices[0].value, "on");
    assert_string_equal(choices[1].option, "gate-rate");
    assert_string_equal(choices[2].option, "exploration");
    assert_string_equal(choices[2].reason, "fewer than 20 columns");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_by_hand),
        cmocka_unit_test(order_is_enough_for_a_copula),
        cmocka_unit_test(size_counts_where_it_carries_the_dependence),
        cmocka_unit_test(small_and_odd_tables_have_an_answer),
        cmocka_unit_test(the_rest_is_resolved_too),
        cmocka_unit_test(sizes_that_do_not_lead_change_nothing),
        cmocka_unit_test(says_what_it_chose_and_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
