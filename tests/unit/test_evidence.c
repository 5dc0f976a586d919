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

/* scipy.stats.false_discovery_control([0.01, 0.04, 0.03, 0.005, 0.8]) */
static void adjusts_as_scipy_does(void **state)
{
    (void)state;
    const double p[] = {0.01, 0.04, 0.03, 0.005, 0.8};
    const double expected[] = {0.025, 0.05, 0.05, 0.025, 0.8};
    double q[5];
    assert_ok(zf_discovery_adjust(q, p, 1, 5));
    for (int i = 0; i < 5; i++) assert_close(q[i], expected[i], 1e-12);
}

/* 60 tables of independent columns: an edge in any of them is false. At a false discovery rate
   of 0.1 one table in ten may have one; 14 of 60 or more would have a chance of 0.0015. */
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
    assert_true(with_edge < 14);
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
    zf_evidence_free(evidence);
    free(values);
}

static bool stop(void *context, const zf_progress *progress)
{
    ++*(int *)context;
    assert_true(progress->step <= progress->steps);
    return false;
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
        cmocka_unit_test(sees_nothing_in_noise),
        cmocka_unit_test(finds_links_and_no_more),
        cmocka_unit_test(finds_products_and_spreads),
        cmocka_unit_test(gives_the_same_bits_on_any_number_of_threads),
        cmocka_unit_test(depends_on_order_alone),
        cmocka_unit_test(says_how_many_rows_are_needed),
        cmocka_unit_test(refuses_what_it_cannot_use),
        cmocka_unit_test(lives_with_copies_and_ties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
