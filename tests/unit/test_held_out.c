/* Rows held out of training: which they are, and what is measured on them. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "blanket/held_out.h"
#include "zeroflow/blanket.h"

enum { D = 4, ROWS = 800 };
static const char *const NAMES[D] = {"a", "b", "c", "d"};
static const double HALF_PI = 1.5707963267948966;

/* A chain with this correlation between neighbours; 0: independent columns. */
static double *chain(double r)
{
    double *values = malloc(ROWS * D * sizeof *values);
    for (int i = 0; i < ROWS; i++) {
        zf_random random = zf_random_at(8, ZF_FOR_TEST, 0, (uint32_t)i);
        for (int j = 0; j < D; j++)
            values[i * D + j] = (j ? r * values[i * D + j - 1] : 0) +
                                (j ? sqrt(1 - r * r) : 1) * (double)zf_random_normal(&random);
    }
    return values;
}

static zf_fit_options quick(void)
{
    zf_fit_options options = zf_fit_defaults();
    options.iterations = 600;
    options.batch = 128;
    options.hidden = 64;
    options.threads = 1;
    options.held_out = 0.25;
    return options;
}

static zf_fit_summary fit(double *values, const zf_fit_options *options)
{
    zf_blanket *model = NULL;
    zf_fit_summary summary;
    assert_ok(zf_blanket_fit(&model, &summary, values, ROWS, NAMES, D, options));
    zf_blanket_free(model);
    return summary;
}

static void a_share_is_so_many_rows(void **state)
{
    (void)state;
    assert_int_equal(zf_held_out_rows(1000, 0.1), 100);
    assert_int_equal(zf_held_out_rows(1000, 0), 0);
    assert_int_equal(zf_held_out_rows(1000, -1), 0);
    assert_int_equal(zf_held_out_rows(10, 0.01), 2); /* a pair, */
    assert_int_equal(zf_held_out_rows(10, 0.99), 8); /* and one to train on */
    assert_int_equal(zf_held_out_rows(4, 0.9), 2);
    assert_int_equal(zf_held_out_rows(3, 0.5), 0);
}

/* Every row is there once, those to train on in their order; the seed says which. */
static void splits_by_seed(void **state)
{
    (void)state;
    enum { N = 50, HELD = 12 };
    float rows[3][N * 2];
    int seen[N] = {0}, last = -1;
    for (int s = 0; s < 3; s++) {
        for (int i = 0; i < N; i++) rows[s][2 * i] = (float)i, rows[s][2 * i + 1] = (float)-i;
        size_t held = HELD;
        assert_ok(zf_held_out_split(rows[s], N, 2, &held, s == 2 ? 5 : 4, (zf_together){0}));
        assert_int_equal(held, HELD);
    }
    for (int i = 0; i < N; i++) {
        int row = (int)rows[0][2 * i];
        assert_true(rows[0][2 * i + 1] == (float)-row);
        seen[row]++;
        if (i < N - HELD) assert_true(row > last);
        last = row;
    }
    for (int i = 0; i < N; i++) assert_int_equal(seen[i], 1);
    assert_memory_equal(rows[0], rows[1], sizeof rows[0]);
    assert_memory_not_equal(rows[0], rows[2], sizeof rows[0]);
}

/* Rows of a group, or of a stretch, are held out together or not at all. */
static void keeps_together_what_belongs_together(void **state)
{
    (void)state;
    enum { N = 60 };
    float rows[N];
    double groups[N];
    for (int way = 0; way < 2; way++) {
        size_t held = 12;
        int out[N] = {0};
        for (int i = 0; i < N; i++) rows[i] = (float)i, groups[i] = i % 15 * 0.5;
        assert_ok(zf_held_out_split(rows, N, 1, &held, 3,
                                    way ? (zf_together){.block = 4} : (zf_together){groups, 0}));
        assert_int_equal(held, 12);
        for (size_t i = N - held; i < N; i++) out[(int)rows[i]] = 1;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < i; j++)
                if (way ? i / 4 == j / 4 : groups[i] == groups[j]) assert_int_equal(out[i], out[j]);
    }
    /* One large group: there is nothing to hold out. */
    size_t held = 6;
    for (int i = 0; i < N; i++) groups[i] = 1;
    assert_ok(zf_held_out_split(rows, N, 1, &held, 3, (zf_together){groups, 0}));
    assert_int_equal(held, 0);
}

/* Between two independent normal values the best guess from the point has a squared error of
   2 / (1 + (2t - 1)^2), pi / 2 in the mean over t; one column in D is a target. */
static void a_guess_without_columns_has_its_textbook_loss(void **state)
{
    (void)state;
    zf_fit_options options = quick();
    double *values = chain(0);
    zf_fit_summary summary = fit(values, &options);
    assert_int_equal(summary.held_out, ROWS / 4);
    assert_close(summary.constant_loss, HALF_PI / D, 0.1 * HALF_PI / D);
    /* There is nothing to learn, so nothing is predicted better. */
    assert_true(summary.held_out_loss > 0.99 * summary.constant_loss);
    free(values);
}

static void what_can_be_predicted_is_predicted_better(void **state)
{
    (void)state;
    zf_fit_options options = quick();
    double *values = chain(0.9);
    zf_fit_summary first = fit(values, &options);
    assert_true(first.held_out_loss < 0.8 * first.constant_loss);
    options.threads = 2;
    zf_fit_summary second = fit(values, &options);
    assert_true(first.held_out_loss == second.held_out_loss);
    assert_true(first.constant_loss == second.constant_loss);
    options.held_out = 0;
    options.iterations = 5;
    zf_fit_summary none = fit(values, &options);
    assert_int_equal(none.held_out, 0);
    assert_true(isnan(none.held_out_loss) && isnan(none.constant_loss));
    free(values);
}

/* Of two values, the point between them tells the way almost surely: a guess that only knew
   straight lines would call any model good. */
static void the_guess_knows_laws_that_are_not_normal(void **state)
{
    (void)state;
    zf_fit_options options = quick();
    options.marginals = ZF_MARGINALS_STANDARD;
    options.iterations = 5;
    double *values = chain(0);
    for (int i = 0; i < ROWS * D; i++) values[i] = values[i] > 0;
    zf_fit_summary summary = fit(values, &options);
    assert_true(summary.constant_loss < 0.5 * HALF_PI / D);
    free(values);
}

static void left_to_the_library_it_goes_by_rows(void **state)
{
    (void)state;
    zf_fit_options options = zf_fit_defaults();
    assert_true(options.held_out == 0);
    double *values = chain(0.5);
    options.held_out = -1;
    assert_ok(zf_fit_resolve(&options, values, ZF_HELD_OUT_ROWS, D));
    assert_true(options.held_out == ZF_HELD_OUT_SHARE);
    options.held_out = -1;
    assert_ok(zf_fit_resolve(&options, values, ZF_HELD_OUT_ROWS - 1, D));
    assert_true(options.held_out == 0);
    options.held_out = 1;
    assert_fails(zf_fit_resolve(&options, values, ROWS, D), ZF_EINVAL, "rows held out");
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_share_is_so_many_rows),
        cmocka_unit_test(splits_by_seed),
        cmocka_unit_test(keeps_together_what_belongs_together),
        cmocka_unit_test(a_guess_without_columns_has_its_textbook_loss),
        cmocka_unit_test(what_can_be_predicted_is_predicted_better),
        cmocka_unit_test(the_guess_knows_laws_that_are_not_normal),
        cmocka_unit_test(left_to_the_library_it_goes_by_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
