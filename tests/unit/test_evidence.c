/* Evidence for pairs: level where there is nothing, edges of known graphs and nothing but
   them, forms, the same bits on any number of threads, and what it refuses. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "evidence/discovery.h"
#include "zeroflow/evidence.h"

enum { MOST = 12 };

static const char *const names[MOST] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};

static double draw(uint64_t seed, size_t row, size_t column)
{
    zf_random random = zf_random_at(seed, ZF_FOR_DATA, row, (uint32_t)column);
    return (double)zf_random_normal(&random);
}

static double *noise(uint64_t seed, size_t rows, size_t columns)
{
    double *values = malloc(rows * columns * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) values[i * columns + j] = draw(seed, i, j);
    return values;
}

static zf_evidence *test(const double *values, size_t rows, size_t columns, int threads)
{
    zf_evidence_options options = zf_evidence_defaults();
    zf_evidence *evidence = NULL;
    options.threads = threads;
    assert_ok(zf_evidence_test(&evidence, values, rows, names, columns, &options));
    return evidence;
}

static bool is_edge(const zf_evidence *evidence, int a, int b)
{
    return zf_evidence_pair(evidence, a, b)->q_value <= 0.1;
}

/* scipy.stats.false_discovery_control([0.01, 0.04, 0.03, 0.001, 0.8]), but for the smallest: 0.005
   there; if nothing were true, the smallest of five would be below 0.001 in 0.005 of all cases,
   and the q-value is twice that. */
static void adjusts_as_scipy_does(void **state)
{
    (void)state;
    const double p[] = {0.01, 0.04, 0.03, 0.001, 0.8};
    const double expected[] = {0.025, 0.05, 0.05, 0.01, 0.8};
    double q[5];
    assert_ok(zf_discovery_adjust(q, p, 1, 5));
    for (int i = 0; i < 5; i++) assert_close(q[i], expected[i], 1e-12);
}

/* Six sure discoveries leave room for a seventh at a rate of 0.1 (Benjamini and Hochberg: 0.64
   and 0.79 of it), but one in ten p-values lies below 0.1 by chance: the chance that the seventh
   of ten is false is about 10 * 0.045 or 10 * 0.055. */
static void takes_no_last_one_that_is_likely_false(void **state)
{
    (void)state;
    double p[10] = {1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 0.045, 0.5, 0.7, 0.9}, q[10];
    assert_ok(zf_discovery_adjust(q, p, 1, 10));
    assert_close(q[6], (0.045 - 1e-6) * 10 / 5, 1e-12);
    assert_close(q[5], 2 * 1e-6 * 10, 1e-12);
    p[6] = 0.055;
    assert_ok(zf_discovery_adjust(q, p, 1, 10));
    assert_close(q[6], (0.055 - 1e-6) * 10 / 5, 1e-12);
    assert_true(q[7] >= q[6] && q[9] >= q[8] && q[9] <= 1);
}

/* With 100 rows and a link of correlation 0.6 among 40 columns, where 780 pairs are tested:
   Student's t of such a correlation is 7.4, which is no chance. */
static void finds_strong_links_in_few_rows(void **state)
{
    (void)state;
    enum { ROWS = 100, COLUMNS = 40 };
    double *values = noise(15, ROWS, COLUMNS);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 1; j < 20; j += 2)
            values[i * COLUMNS + j] =
                0.6 * values[i * COLUMNS + j - 1] + 0.8 * values[i * COLUMNS + j];
    zf_evidence_options options = zf_evidence_defaults();
    zf_evidence *evidence = NULL;
    int found = 0;
    assert_ok(zf_evidence_test(&evidence, values, ROWS, NULL, COLUMNS, &options));
    for (int j = 1; j < 20; j += 2) found += is_edge(evidence, j, j - 1);
    assert_true(found >= 9);
    assert_true(zf_evidence_edges(evidence, 0.1) <= (size_t)found + 2);
    zf_evidence_free(evidence);
    free(values);
}

/* 60 tables of independent columns: an edge in any of them is false. At a false discovery rate
   of 0.1 one table in twenty may have one; 9 of 60 or more would have a chance of 0.0028. */
static void sees_nothing_in_noise(void **state)
{
    (void)state;
    int with_edge = 0, small = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        double *values = noise(seed, 100, 8);
        zf_evidence *evidence = test(values, 100, 8, 1);
        bool any = false;
        for (int a = 1; a < 8; a++)
            for (int b = 0; b < a; b++) {
                any |= is_edge(evidence, a, b);
                small += zf_evidence_pair(evidence, a, b)->p_value <= 0.05;
            }
        with_edge += any;
        zf_evidence_free(evidence);
        free(values);
    }
    assert_true(with_edge < 9);
    /* 1,680 pairs; valid p-values give at most 84, with a deviation of about 9. */
    assert_true(small < 84 + 4 * 9);
}

/* A chain a - b - c - d - e in which every link is another form: rising, U-shaped, falling;
   then noise. Given the links between, the ends say nothing about each other. At a false
   discovery rate of 0.1 one pair of those that are no edges may be taken for one. */
static void finds_links_and_no_more(void **state)
{
    (void)state;
    enum { ROWS = 1000, COLUMNS = 7 };
    double *values = noise(5, ROWS, COLUMNS);
    for (size_t i = 0; i < ROWS; i++) {
        double *x = values + i * COLUMNS;
        x[1] = x[0] + 0.7 * x[1];
        x[2] = x[1] * x[1] + 0.7 * x[2];
        x[3] = -x[2] + x[3];
    }
    zf_evidence *evidence = test(values, ROWS, COLUMNS, 0);
    int found = 0;
    for (int a = 1; a < COLUMNS; a++)
        for (int b = 0; b < a; b++) found += is_edge(evidence, a, b);
    assert_true(is_edge(evidence, 0, 1) && is_edge(evidence, 1, 2) && is_edge(evidence, 2, 3));
    assert_true(found <= 4);
    assert_false(is_edge(evidence, 0, 2) || is_edge(evidence, 1, 3) || is_edge(evidence, 0, 3));
    assert_int_equal(zf_evidence_pair(evidence, 0, 1)->form, ZF_FORM_RISING);
    assert_int_equal(zf_evidence_pair(evidence, 3, 2)->form, ZF_FORM_FALLING);
    const zf_pair_evidence *square = zf_evidence_pair(evidence, 1, 2);
    assert_int_equal(square->form, ZF_FORM_VALLEY);
    assert_int_equal(square->curved, 2);
    assert_int_equal(zf_evidence_rows_needed(evidence, 0.1), 0);
    zf_evidence_free(evidence);
    free(values);
}

/* c = sign(a b) |noise| depends on neither a nor b alone; e is as spread as d is large. */
static void finds_products_and_spreads(void **state)
{
    (void)state;
    enum { ROWS = 1000, COLUMNS = 6 };
    double *values = noise(6, ROWS, COLUMNS);
    for (size_t i = 0; i < ROWS; i++) {
        double *x = values + i * COLUMNS;
        x[2] = copysign(fabs(x[2]), x[0] * x[1]);
        x[4] *= sqrt(0.1 + 0.9 * x[3] * x[3]);
    }
    zf_evidence *evidence = test(values, ROWS, COLUMNS, 0);
    assert_true(is_edge(evidence, 0, 2) && is_edge(evidence, 1, 2) && is_edge(evidence, 0, 1));
    assert_int_equal(zf_evidence_pair(evidence, 0, 2)->form, ZF_FORM_INTERACTION);
    assert_int_equal(zf_evidence_pair(evidence, 0, 2)->third, 1);
    assert_true(is_edge(evidence, 3, 4));
    assert_int_equal(zf_evidence_pair(evidence, 3, 4)->form, ZF_FORM_SPREAD);
    assert_false(is_edge(evidence, 2, 4) || is_edge(evidence, 0, 3) || is_edge(evidence, 1, 5));
    zf_evidence_free(evidence);
    free(values);
}

/* Columns a and b set the spread of c. They are independent, and given c uncorrelated in every
   shape on the whole; but given that c is small they are small together, and given that it is
   large one of them is enough. */
static void joins_what_sets_the_spread_of_a_third(void **state)
{
    (void)state;
    enum { ROWS = 2000, COLUMNS = 5 };
    double *values = noise(21, ROWS, COLUMNS);
    for (size_t i = 0; i < ROWS; i++) {
        double *x = values + i * COLUMNS;
        x[2] *= sqrt(0.15 + 0.425 * (x[0] * x[0] + x[1] * x[1]));
    }
    zf_evidence *evidence = test(values, ROWS, COLUMNS, 0);
    int others = 0; /* one may be there by chance */
    for (int a = 3; a < COLUMNS; a++)
        for (int b = 0; b < a; b++) others += is_edge(evidence, a, b);
    assert_true(is_edge(evidence, 0, 1) && is_edge(evidence, 0, 2) && is_edge(evidence, 1, 2));
    assert_true(others <= 1);
    assert_int_equal(zf_evidence_pair(evidence, 0, 1)->form, ZF_FORM_INTERACTION);
    assert_int_equal(zf_evidence_pair(evidence, 0, 1)->third, 2);
    zf_evidence_free(evidence);
    free(values);
}

/* Columns b to f are one hidden cause, and a follows it loosely: given any four of them, the fifth
   tells next to nothing about a, but each alone tells all that can be known. */
static void lets_one_of_a_bundle_stand_in(void **state)
{
    (void)state;
    enum { ROWS = 300, COLUMNS = 8 };
    double *values = noise(17, ROWS, COLUMNS);
    for (size_t i = 0; i < ROWS; i++) {
        double *x = values + i * COLUMNS, cause = x[7];
        x[0] = cause + 2.5 * x[0];
        for (size_t j = 1; j < 6; j++) x[j] = cause + 0.02 * x[j];
        x[7] = draw(13, i, 7);
    }
    zf_evidence *evidence = test(values, ROWS, COLUMNS, 2);
    const zf_change *list;
    size_t n = zf_evidence_stand_ins(evidence, 0, &list), edges = 0;
    for (int j = 1; j < COLUMNS; j++) edges += is_edge(evidence, 0, j);
    assert_int_equal(edges, 0);
    assert_true(n >= 1 && list[0].variable >= 1 && list[0].variable <= 5);
    assert_true(list[0].p_value < 1e-4);
    for (size_t k = 1; k < n; k++) assert_true(list[k].p_value >= list[k - 1].p_value);
    assert_int_equal(zf_evidence_stand_ins(evidence, 6, &list), 0);
    zf_evidence_free(evidence);
    free(values);
}

/* In noise nothing stands in: a search adds something to one column in ten by chance. 320
   searches; 55 or more would have a chance of 1e-4. */
static void adds_no_stand_ins_to_noise(void **state)
{
    (void)state;
    int added = 0;
    for (uint64_t seed = 100; seed < 140; seed++) {
        double *values = noise(seed, 150, 8);
        zf_evidence *evidence = test(values, 150, 8, 1);
        const zf_change *list;
        for (int j = 0; j < 8; j++) added += zf_evidence_stand_ins(evidence, j, &list) > 0;
        zf_evidence_free(evidence);
        free(values);
    }
    assert_true(added < 55);
}

static void gives_the_same_bits_on_any_number_of_threads(void **state)
{
    (void)state;
    double *values = noise(7, 300, 9);
    for (size_t i = 0; i < 300; i++)
        for (size_t j = 1; j < 9; j++) values[i * 9 + j] += 0.5 * values[i * 9 + j - 1];
    zf_evidence *one = test(values, 300, 9, 1), *three = test(values, 300, 9, 3);
    for (int a = 1; a < 9; a++)
        for (int b = 0; b < a; b++) {
            const zf_pair_evidence *x = zf_evidence_pair(one, a, b),
                                   *y = zf_evidence_pair(three, b, a);
            assert_memory_equal(&x->p_value, &y->p_value, sizeof x->p_value);
            assert_memory_equal(&x->q_value, &y->q_value, sizeof x->q_value);
        }
    zf_evidence_free(one);
    zf_evidence_free(three);
    free(values);
}

/* Units, signs and monotone transforms of a column change nothing but a sign. */
static void depends_on_order_alone(void **state)
{
    (void)state;
    double *values = noise(8, 200, 4);
    for (size_t i = 0; i < 200; i++) values[i * 4 + 1] += values[i * 4];
    zf_evidence *plain = test(values, 200, 4, 1);
    for (size_t i = 0; i < 200; i++) values[i * 4] = 1e6 + 0.5 * values[i * 4];
    zf_evidence *moved = test(values, 200, 4, 1);
    assert_close(zf_evidence_pair(plain, 0, 1)->effect, zf_evidence_pair(moved, 0, 1)->effect,
                 1e-6);
    assert_true(is_edge(plain, 0, 1) && is_edge(moved, 0, 1));
    zf_evidence_free(plain);
    zf_evidence_free(moved);
    free(values);
}

static void says_how_many_rows_are_needed(void **state)
{
    (void)state;
    double *values = noise(9, 40, 6);
    zf_evidence *evidence = test(values, 40, 6, 1);
    assert_true(zf_evidence_rows_needed(evidence, 0.1) > 40);
    assert_int_equal(zf_evidence_rows(evidence), 40);
    assert_int_equal(zf_evidence_columns(evidence), 6);
    /* 15 pairs: (2.7131 / 1.9600)^2 and (2.7131 / 0.6745)^2 times as many rows, where these are the
       normal law's quantiles of 0.1 / 15, 0.05 and 0.5, both sides. */
    assert_int_equal(zf_evidence_edges(evidence, 0.1), 0);
    assert_int_equal(zf_evidence_rows_for(evidence, 0.05, 0.1), 77);
    assert_int_equal(zf_evidence_rows_for(evidence, 0.5, 0.1), 648);
    assert_int_equal(zf_evidence_rows_for(evidence, 0.1 / 15, 0.1), 0);
    zf_evidence_free(evidence);
    free(values);
}

static bool stop(void *context, const zf_progress *progress)
{
    ++*(int *)context;
    assert_true(progress->step <= progress->steps);
    return false;
}

/* Some targets alone get the p-values that the test of all pairs gives, sorted, adjusted for
   their own number; the correlation alone is that of normal scores. */
static void tests_targets_as_all_pairs(void **state)
{
    (void)state;
    enum { ROWS = 300, COLUMNS = 7 };
    const int32_t targets[] = {3, 0};
    double *values = noise(12, ROWS, COLUMNS);
    for (size_t i = 0; i < ROWS; i++) {
        double *row = values + i * COLUMNS;
        row[3] += row[0] * row[1];
        row[4] += 0.8 * row[3];
        row[5] -= 0.8 * row[4];
    }
    zf_evidence *all = test(values, ROWS, COLUMNS, 1);
    zf_evidence_options options = zf_evidence_defaults();
    zf_target_test found[2 * (COLUMNS - 1)];
    assert_ok(zf_evidence_test_targets(found, values, ROWS, NULL, COLUMNS, targets, 2, &options));
    for (size_t i = 0; i < 2 * (COLUMNS - 1); i++) {
        const zf_target_test *t = &found[i];
        size_t first = i / (COLUMNS - 1) * (COLUMNS - 1), below = 0;
        double least = 2 * (COLUMNS - 1) * found[first].found.p_value;
        assert_int_equal(t->target, targets[i / (COLUMNS - 1)]);
        const zf_pair_evidence *pair = zf_evidence_pair(all, t->target, t->column);
        assert_true(t->found.p_value == pair->p_value && t->found.effect == pair->effect);
        assert_true(t->found.form == pair->form && t->found.third == pair->third);
        if (i > first) assert_true(t->found.p_value >= found[i - 1].found.p_value);
        for (size_t k = first; k < first + COLUMNS - 1; k++)
            below += found[k].found.p_value <= t->found.p_value;
        double step_up = t->found.p_value * (COLUMNS - 1) / (double)below;
        assert_true(t->found.q_value <= fmax(least, step_up) + 1e-12);
    }
    assert_int_equal(found[0].column, 4);
    assert_int_equal(found[0].found.form, ZF_FORM_RISING);
    assert_true(found[0].alone > 0.5 && found[0].alone < 1);
    const zf_target_test *product = &found[1];
    assert_true(product->column <= 1 && product->found.form == ZF_FORM_INTERACTION);
    assert_int_equal(product->found.third, 1 - product->column);
    assert_true(found[COLUMNS - 1].found.q_value <= 0.01); /* 0 with 1, or with 3 */
    char *text;
    size_t length;
    assert_ok(zf_target_tests_encode(&text, &length, found, 2, names, 0.1, false));
    assert_int_equal(strlen(text), length);
    assert_non_null(strstr(text, "target,column,p_value,q_value,effect,form,decided,alone\nd,e,"));
    assert_non_null(strstr(text, ",interaction with "));
    free(text);
    assert_fails(zf_evidence_test_targets(found, values, ROWS, NULL, COLUMNS, (int32_t[]){1, 1}, 2,
                                          &options),
                 ZF_EINVAL, "target 1 is named twice");
    assert_fails(
        zf_evidence_test_targets(found, values, ROWS, NULL, COLUMNS, (int32_t[]){7}, 1, &options),
        ZF_EINVAL, "target 7 of a table of 7 columns");
    assert_fails(zf_evidence_test_targets(found, values, ROWS, NULL, COLUMNS, NULL, 0, &options),
                 ZF_EINVAL, "no target");
    zf_evidence_free(all);
    free(values);
}

static void refuses_what_it_cannot_use(void **state)
{
    (void)state;
    zf_evidence_options options = zf_evidence_defaults();
    zf_evidence *evidence = NULL;
    int asked = 0;
    double *values = noise(10, 60, 4);
    assert_int_equal(zf_evidence_test(&evidence, values, 29, names, 4, &options), ZF_EINPUT);
    assert_non_null(strstr(zf_error(), "30"));
    options.report = (zf_report){.progress = stop, .context = &asked};
    assert_int_equal(zf_evidence_test(&evidence, values, 60, names, 4, &options), ZF_EINTERRUPT);
    assert_int_equal(asked, 1);
    options.report = (zf_report){0};
    values[5] = NAN;
    assert_int_equal(zf_evidence_test(&evidence, values, 60, names, 4, &options), ZF_EINPUT);
    for (size_t i = 0; i < 60; i++) values[i * 4 + 1] = 3;
    assert_int_equal(zf_evidence_test(&evidence, values, 60, names, 4, &options), ZF_EINPUT);
    assert_null(evidence);
    free(values);
}

/* A copy of a column explains all of it; nothing is left, and nothing is invented. */
static void lives_with_copies_and_ties(void **state)
{
    (void)state;
    double *values = noise(11, 200, 5);
    for (size_t i = 0; i < 200; i++) {
        values[i * 5 + 1] = values[i * 5];
        values[i * 5 + 2] = values[i * 5 + 2] > 0;
    }
    zf_evidence *evidence = test(values, 200, 5, 1);
    assert_true(is_edge(evidence, 0, 1));
    for (int a = 1; a < 5; a++)
        for (int b = 0; b < a; b++)
            assert_true(isfinite(zf_evidence_pair(evidence, a, b)->p_value) &&
                        isfinite(zf_evidence_pair(evidence, a, b)->effect));
    assert_false(is_edge(evidence, 2, 3) || is_edge(evidence, 0, 3));
    zf_evidence_free(evidence);
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adjusts_as_scipy_does),
        cmocka_unit_test(takes_no_last_one_that_is_likely_false),
        cmocka_unit_test(sees_nothing_in_noise),
        cmocka_unit_test(finds_strong_links_in_few_rows),
        cmocka_unit_test(finds_links_and_no_more),
        cmocka_unit_test(finds_products_and_spreads),
        cmocka_unit_test(joins_what_sets_the_spread_of_a_third),
        cmocka_unit_test(lets_one_of_a_bundle_stand_in),
        cmocka_unit_test(adds_no_stand_ins_to_noise),
        cmocka_unit_test(gives_the_same_bits_on_any_number_of_threads),
        cmocka_unit_test(depends_on_order_alone),
        cmocka_unit_test(says_how_many_rows_are_needed),
        cmocka_unit_test(tests_targets_as_all_pairs),
        cmocka_unit_test(refuses_what_it_cannot_use),
        cmocka_unit_test(lives_with_copies_and_ties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
