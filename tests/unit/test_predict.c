/* Prediction on held-out rows: shares of variance that are known, two-valued targets, ridge
   regression by rows and by columns, the same bits on any number of threads. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "criterion/measures.h"
#include "criterion/ridge.h"
#include "kernel/lapack.h"
#include "zeroflow/predict.h"

enum { ROWS = 1000, COLUMNS = 7 };

static double *noise(uint64_t seed, size_t rows, size_t columns)
{
    double *values = malloc(rows * columns * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < rows * columns; i++) {
        zf_random random = zf_random_at(seed, ZF_FOR_TEST, i, 0);
        values[i] = (double)zf_random_normal(&random);
    }
    return values;
}

static const int32_t all[] = {1, 2, 3, 4, 5, 6}, pair[] = {1, 2}, one[] = {1};
static const zf_inputs sets[] = {{all, 6}, {pair, 2}, {one, 1}, {NULL, 0}};

static void predict(zf_prediction out[4], const double *values, size_t held_out)
{
    zf_predict_options options = zf_predict_defaults();
    assert_ok(zf_predict(out, values, ROWS, NULL, COLUMNS, 0, sets, 4, held_out, &options));
}

/* Within four of its standard errors and 0.02. */
static void about(const zf_estimate *measure, double expected)
{
    assert_true(measure->error >= 0 && measure->error < 0.08);
    assert_close(measure->value, expected, 4 * measure->error + 0.02);
}

static void explains_what_there_is(void **state)
{
    (void)state;
    double *values = noise(1, ROWS, COLUMNS);
    zf_prediction found[4];
    for (size_t i = 0; i < ROWS; i++)
        values[i * COLUMNS] += values[i * COLUMNS + 1] + values[i * COLUMNS + 2];
    for (size_t held_out = 0; held_out <= 400; held_out += 400) {
        predict(found, values, held_out);
        about(&found[0].r2, 2.0 / 3);
        about(&found[1].r2, 2.0 / 3);
        about(&found[2].r2, 1.0 / 3);
        assert_close(found[3].r2.value, 0, 1e-12); /* the mean, by what r2 is */
        assert_close(found[0].less.value, 0, 1e-12);
        assert_true(fabs(found[1].less.value) < 0.01);
        assert_true(found[2].less.value > 0.25 && found[2].less.value > 4 * found[2].less.error);
        assert_false(found[0].two_valued);
    }
    free(values);
}

/* A product and a square, which no straight line sees: 1 / 1.25 and 2 / 2.25 of the variance. */
static void sees_products_and_squares(void **state)
{
    (void)state;
    double *values = noise(2, ROWS, COLUMNS);
    zf_prediction found[4];
    for (size_t i = 0; i < ROWS; i++) {
        double *row = values + i * COLUMNS;
        row[0] = 0.5 * row[0] + row[1] * row[2];
    }
    predict(found, values, 0);
    about(&found[0].r2, 0.8);
    about(&found[1].r2, 0.8);
    about(&found[2].r2, 0);
    free(values);
    values = noise(3, ROWS, COLUMNS);
    for (size_t i = 0; i < ROWS; i++) {
        double *row = values + i * COLUMNS;
        row[0] = 0.5 * row[0] + row[1] * row[1];
    }
    predict(found, values, 0);
    assert_true(found[2].r2.value > 0.8); /* tails beyond what a bounded function follows */
    free(values);
}

/* x + e > 0 agrees with x > 0 in 3 of 4 rows. */
static void two_values_have_accuracy_and_auc(void **state)
{
    (void)state;
    double *values = noise(4, ROWS, COLUMNS), above = 0, pairs = 0;
    zf_prediction found[4];
    for (size_t i = 0; i < ROWS; i++) {
        double *row = values + i * COLUMNS;
        row[0] = row[0] + row[1] > 0 ? 7 : 5;
    }
    predict(found, values, 0);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < ROWS; j++) {
            const double *a = values + i * COLUMNS, *b = values + j * COLUMNS;
            if (!(a[0] > b[0])) continue;
            pairs++;
            above += a[1] > b[1];
        }
    assert_true(found[2].two_valued);
    about(&found[2].accuracy, 0.75);
    assert_close(found[2].auc.value, above / pairs, 0.01);
    assert_close(found[3].auc.value, 0.5, 1e-12);
    about(&found[3].accuracy, 0.5);
    free(values);
}

/* By hand: three rows in two folds. */
static void measures_by_hand(void **state)
{
    (void)state;
    const double y[] = {9, 0, 1, 1, 0}, middle[] = {0, 0.5, 0.5, 0.5, 0.5};
    const double predicted[] = {0, 0.25, 0.75, 0.25, 0.25};
    const int32_t fold[] = {-1, 0, 0, 1, 1};
    zf_prediction out;
    zf_told told = {y + 1, middle + 1, predicted + 1, fold + 1, 4, 2};
    assert_ok(zf_measures_take(&out, &told, 1));
    /* squares 4 / 4; errors 3/16 + 9/16 in all: fold 0 leaves 1/8 of 1/2, fold 1 5/8 */
    assert_close(out.r2.value, 0.25, 1e-12);
    assert_close(out.r2.error, sqrt(0.5 * (2 * 0.5 * 0.5)), 1e-12); /* 0.75 and -0.25 */
    assert_close(out.accuracy.value, 0.75, 1e-12);
    assert_close(out.auc.value, 0.75, 1e-12); /* one pair right, one tied */
    told = (zf_told){y, middle, predicted, fold, 5, 2};
    assert_ok(zf_measures_take(&out, &told, 1));
    assert_false(out.two_valued); /* the fitted rows have a third value */
    assert_close(out.r2.value, 0.25, 1e-12);
}

/* A (y - A'b) = penalty b, whichever way it was solved. */
static void ridge_solves_its_equation(void **state)
{
    (void)state;
    for (size_t columns = 20; columns <= 80; columns += 60) {
        enum { FITTED = 50, TOLD = 3 };
        zf_arena arena = {0};
        double *a = noise(5, columns, FITTED), *b = noise(6, columns, TOLD),
               *y = noise(7, 1, FITTED);
        double coefficients[80], mean = 0, penalty = NAN;
        for (size_t i = 0; i < FITTED; i++) mean += y[i] / FITTED;
        for (size_t i = 0; i < FITTED; i++) y[i] += 2 * a[i] - mean;
        mean = 0;
        for (size_t i = 0; i < FITTED; i++) mean += y[i] / FITTED;
        for (size_t i = 0; i < FITTED; i++) y[i] -= mean;
        zf_columns fit = {a, columns, FITTED}, rest = {b, columns, TOLD};
        assert_ok(zf_ridge_fit(coefficients, &fit, &rest, y, columns, 1, &arena));
        assert_true(coefficients[0] > 0.3);
        for (size_t i = 0; i < FITTED; i++)
            for (size_t c = 0; c < columns; c++) y[i] -= coefficients[c] * a[c * FITTED + i];
        for (size_t c = 0; c < columns; c++) {
            double left = zf_column_dot(a + c * FITTED, y, FITTED);
            if (c == 0) penalty = left / coefficients[c];
            assert_close(left, penalty * coefficients[c], 1e-8);
        }
        assert_true(penalty > 0);
        free(a);
        free(b);
        free(y);
        zf_arena_free(&arena);
    }
}

static void same_bits_on_any_threads(void **state)
{
    (void)state;
    double *values = noise(8, ROWS, COLUMNS);
    zf_prediction first[4], other[4];
    zf_predict_options options = zf_predict_defaults();
    options.threads = 1;
    memset(first, 0, sizeof first);
    memset(other, 0, sizeof other);
    assert_ok(zf_predict(first, values, ROWS, NULL, COLUMNS, 0, sets, 4, 0, &options));
    options.threads = 3;
    assert_ok(zf_predict(other, values, ROWS, NULL, COLUMNS, 0, sets, 4, 0, &options));
    for (int s = 0; s < 4; s++) {
        assert_true(first[s].r2.value == other[s].r2.value);
        assert_true(first[s].r2.error == other[s].r2.error);
        assert_true(fabs(first[s].r2.value) < 0.03); /* there is nothing to explain */
    }
    free(values);
}

/* A hundred groups of ten rows that are all but copies of each other, in which nothing predicts
   the target: folds that cut them find it by heart, folds of whole groups do not. */
static void groups_are_not_cut(void **state)
{
    (void)state;
    double *values = noise(12, ROWS, COLUMNS), *of = noise(13, 100, COLUMNS), groups[ROWS];
    zf_prediction cut, grouped, blocks, fresh;
    zf_predict_options options = zf_predict_defaults();
    for (size_t i = 0; i < ROWS; i++) {
        groups[i] = -(double)(i / 10);
        for (size_t j = 0; j < COLUMNS; j++)
            values[i * COLUMNS + j] = of[i / 10 * COLUMNS + j] + 0.05 * values[i * COLUMNS + j];
    }
    assert_ok(zf_predict(&cut, values, ROWS, NULL, COLUMNS, 0, sets, 1, 0, &options));
    assert_true(cut.r2.value > 0.15);
    options.groups = groups;
    assert_ok(zf_predict(&grouped, values, ROWS, NULL, COLUMNS, 0, sets, 1, 0, &options));
    assert_true(grouped.r2.value < 0.1 && grouped.r2.value > -0.15);
    assert_ok(zf_predict(&fresh, values, ROWS, NULL, COLUMNS, 0, sets, 1, 400, &options));
    assert_true(fresh.r2.value < 0.1 && fresh.r2.value > -0.4); /* -2 if rows were counted */
    options.groups = NULL;
    options.block = 10;
    assert_ok(zf_predict(&blocks, values, ROWS, NULL, COLUMNS, 0, sets, 1, 0, &options));
    assert_true(blocks.r2.value == grouped.r2.value); /* they are the same units */
    /* What groups do share with the target is still found: half of its variance. */
    options.groups = groups;
    options.block = 0;
    for (size_t i = 0; i < ROWS; i++) values[i * COLUMNS] += of[i / 10 * COLUMNS + 1];
    assert_ok(zf_predict(&grouped, values, ROWS, NULL, COLUMNS, 0, sets, 1, 0, &options));
    assert_close(grouped.r2.value, 0.5, 0.15);
    assert_fails(zf_predict(&fresh, values, ROWS, NULL, COLUMNS, 0, sets, 1, 405, &options),
                 ZF_EINPUT, "5 of the rows to predict belong to groups that are also fitted on");
    for (size_t i = 0; i < ROWS; i++) groups[i] = i < ROWS - 20 ? 0 : (double)i;
    options.folds = 2;
    assert_fails(zf_predict(&fresh, values, ROWS - 1, NULL, COLUMNS, 0, sets, 1, 0, &options),
                 ZF_EINPUT, " rows to fit on beside the largest fold, expected at least 20");
    options.folds = 11;
    assert_fails(zf_predict(&fresh, values, ROWS, NULL, COLUMNS, 0, sets, 1, 0, &options),
                 ZF_EINVAL, "11 folds of 21 groups, expected at most 10");
    options.block = 2;
    assert_fails(zf_predict(&fresh, values, ROWS, NULL, COLUMNS, 0, sets, 1, 0, &options),
                 ZF_EINVAL, "groups and blocks cannot be used together");
    free(values);
    free(of);
}

/* Groups of one row are rows, to the last bit. */
static void groups_of_one_are_rows(void **state)
{
    (void)state;
    double *values = noise(14, ROWS, COLUMNS), groups[ROWS];
    zf_prediction plain[4], alone[4];
    zf_predict_options options = zf_predict_defaults();
    for (size_t held_out = 0; held_out <= 400; held_out += 400) {
        options.groups = NULL;
        assert_ok(zf_predict(plain, values, ROWS, NULL, COLUMNS, 0, sets, 4, held_out, &options));
        for (size_t i = 0; i < ROWS; i++) groups[i] = 3 - 2 * (double)i;
        options.groups = groups;
        assert_ok(zf_predict(alone, values, ROWS, NULL, COLUMNS, 0, sets, 4, held_out, &options));
        for (int s = 0; s < 4; s++) {
            assert_true(plain[s].r2.value == alone[s].r2.value);
            assert_true(plain[s].r2.error == alone[s].r2.error);
        }
    }
    free(values);
}

static void refuses(void **state)
{
    (void)state;
    double *values = noise(9, ROWS, COLUMNS);
    zf_prediction out[4];
    zf_predict_options options = zf_predict_defaults();
    assert_fails(zf_predict(out, values, 19, NULL, COLUMNS, 0, sets, 4, 0, &options), ZF_EINPUT,
                 "19 rows to predict, expected at least 20");
    assert_fails(zf_predict(out, values, 50, NULL, COLUMNS, 0, sets, 4, 40, &options), ZF_EINPUT,
                 "10 rows to fit on, expected at least 20");
    assert_fails(zf_predict(out, values, 50, NULL, COLUMNS, 1, sets, 4, 0, &options), ZF_EINVAL,
                 "column 2 is the target and cannot predict itself");
    const int32_t twice[] = {3, 3}, far[] = {7};
    assert_fails(
        zf_predict(out, values, 50, NULL, COLUMNS, 0, &(zf_inputs){twice, 2}, 1, 0, &options),
        ZF_EINVAL, "column 4 is named twice");
    assert_fails(
        zf_predict(out, values, 50, NULL, COLUMNS, 0, &(zf_inputs){far, 1}, 1, 0, &options),
        ZF_EINVAL, "column 7 of a table of 7");
    options.folds = 1;
    assert_fails(zf_predict(out, values, 50, NULL, COLUMNS, 0, sets, 4, 0, &options), ZF_EINVAL,
                 "1 folds, expected 2 to 100");
    options.folds = 26;
    assert_fails(zf_predict(out, values, 50, NULL, COLUMNS, 0, sets, 4, 0, &options), ZF_EINVAL,
                 "26 folds of 50 rows, expected at most 25");
    options.folds = 5;
    for (size_t i = 0; i < 50; i++) values[i * COLUMNS + 3] = 1;
    assert_fails(zf_predict(out, values, 50, NULL, COLUMNS, 0, sets, 4, 0, &options), ZF_EINPUT,
                 "column 4 is constant");
    values[4 * COLUMNS] = NAN;
    assert_fails(zf_predict(out, values, 50, NULL, COLUMNS, 0, sets, 4, 0, &options), ZF_EINPUT,
                 "column 1, row 5: expected a finite number");
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explains_what_there_is),
        cmocka_unit_test(sees_products_and_squares),
        cmocka_unit_test(two_values_have_accuracy_and_auc),
        cmocka_unit_test(measures_by_hand),
        cmocka_unit_test(ridge_solves_its_equation),
        cmocka_unit_test(same_bits_on_any_threads),
        cmocka_unit_test(groups_are_not_cut),
        cmocka_unit_test(groups_of_one_are_rows),
        cmocka_unit_test(refuses),
    };
    if (zf_lapack_open() != ZF_OK) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
