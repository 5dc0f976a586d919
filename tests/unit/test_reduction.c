/* Reductions: what is found, saved, refused, and that it is the same on any number of
   threads and after an interruption. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "scratch.h"
#include "zeroflow/reduce.h"

enum { INPUTS = 6, COLUMNS = INPUTS + 1, ROWS = 1000 };

static const char *const NAMES[COLUMNS] = {"a", "b", "x", "c", "d", "e", "f"};
static const int32_t TARGET = 2;

/* x, in the middle of the columns, is the square of an index of a and b; `other` one of c
   and d, and noise. truth [ROWS] is the first index. */
static double *draw(double *inputs, double *truth, double *other)
{
    double *values = malloc(ROWS * COLUMNS * sizeof *values);
    for (int i = 0; i < ROWS; i++) {
        zf_random random = zf_random_at(6, ZF_FOR_TEST, 0, (uint32_t)i);
        double y[INPUTS];
        for (int j = 0; j < INPUTS; j++) y[j] = zf_random_normal(&random);
        truth[i] = 0.6f * y[0] + 0.8f * y[1];
        double x = truth[i] * truth[i] + 0.2f * zf_random_normal(&random);
        if (other) other[i] = 0.8f * y[2] - 0.6f * y[3] + 0.2f * zf_random_normal(&random);
        memcpy(inputs + i * INPUTS, y, sizeof y);
        double row[COLUMNS] = {y[0], y[1], x, y[2], y[3], y[4], y[5]};
        memcpy(values + i * COLUMNS, row, sizeof row);
    }
    return values;
}

static zf_reduce_options quick(int dim, uint64_t iterations)
{
    zf_reduce_options options = zf_reduce_defaults();
    options.targets = &TARGET;
    options.n_targets = 1;
    options.dim = dim;
    options.iterations = iterations;
    options.batch = 128;
    options.threads = 2;
    return options;
}

/* x = (b'y)^2: no correlation tells, and one number, a function of |b'y|, is enough. */
static void finds_a_symmetric_index(void **state)
{
    (void)state;
    static double inputs[ROWS * INPUTS], truth[ROWS], scores[ROWS], wide[ROWS];
    static float codes[ROWS];
    double *values = draw(inputs, truth, NULL), x[ROWS];
    zf_reduce_options options = quick(2, 700);
    options.least = 1;
    zf_reduction *model = NULL;
    zf_reduce_summary summary;
    assert_ok(zf_reduce_fit(&model, &summary, values, ROWS, NAMES, COLUMNS, &options));
    assert_int_equal(zf_reduction_dim(model), 1);
    assert_int_equal(zf_reduction_trained(model), 2);
    assert_int_equal(summary.rows_trained, 800);
    assert_int_equal(summary.rows_held, 200);
    assert_ok(zf_reduction_transform(model, codes, inputs, ROWS));
    double found, classical;
    for (int i = 0; i < ROWS; i++) {
        x[i] = values[i * COLUMNS + 2];
        wide[i] = (double)codes[i];
        truth[i] = fabs(truth[i]);
    }
    assert_ok(zf_distance_correlation(&found, wide, 1, truth, 1, ROWS));
    assert_ok(zf_sliced_inverse(scores, x, inputs, ROWS, INPUTS, 1, 10));
    assert_ok(zf_distance_correlation(&classical, scores, 1, truth, 1, ROWS));
    if (!(found >= 0.95)) fail_msg("distance correlation %g, expected 0.95", found);
    assert_true(classical < 0.5); /* so it was not to be had for less */
    zf_reduction_free(model);
    free(values);
}

/* Two targets with an index each need two numbers; the held-out criterion says so. */
static void finds_how_many_are_needed(void **state)
{
    (void)state;
    static double inputs[ROWS * INPUTS], truth[ROWS], other[ROWS];
    static const int32_t targets[] = {2, 6};
    double *values = draw(inputs, truth, other);
    for (int i = 0; i < ROWS; i++) values[i * COLUMNS + 6] = other[i];
    zf_reduce_options options = quick(3, 700);
    options.targets = targets;
    options.n_targets = 2;
    options.least = 1;
    zf_reduction *model = NULL;
    assert_ok(zf_reduce_fit(&model, NULL, values, ROWS, NAMES, COLUMNS, &options));
    zf_reduce_criterion one = zf_reduction_criterion(model, 1);
    zf_reduce_criterion two = zf_reduction_criterion(model, 2);
    zf_reduce_criterion three = zf_reduction_criterion(model, 3);
    if (zf_reduction_dim(model) != 2)
        fail_msg("%d numbers: %g, %g, %g", zf_reduction_dim(model), one.rectified, two.rectified,
                 three.rectified);
    assert_true(two.rectified < 0.8 * one.rectified);
    assert_true(two.zero < 0.5 * one.zero);
    assert_close(one.excess - two.excess, one.rectified - two.rectified, 1e-6);
    zf_reduction_free(model);
    free(values);
}

static void codes_are_centred_and_scaled(void **state)
{
    (void)state;
    static double inputs[ROWS * INPUTS], truth[ROWS];
    static float codes[ROWS * 2];
    double *values = draw(inputs, truth, NULL);
    zf_reduce_options options = quick(2, 60);
    options.held_out = 0.05;
    zf_reduction *model = NULL;
    assert_ok(zf_reduce_fit(&model, NULL, values, ROWS, NAMES, COLUMNS, &options));
    assert_ok(zf_reduction_transform(model, codes, inputs, ROWS));
    for (int l = 0; l < 2; l++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < ROWS; i++) sum += (double)codes[2 * i + l];
        for (int i = 0; i < ROWS; i++)
            squares +=
                ((double)codes[2 * i + l] - sum / ROWS) * ((double)codes[2 * i + l] - sum / ROWS);
        assert_close(sum / ROWS, 0, 0.05); /* 5 % of the rows were not among those it is for */
        assert_close(sqrt(squares / ROWS), 1, 0.05);
    }
    zf_reduction_free(model);
    free(values);
}

static float *codes_of(const zf_reduce_options *options, const double *values, const double *inputs)
{
    zf_reduction *model = NULL;
    assert_ok(zf_reduce_fit(&model, NULL, values, ROWS, NAMES, COLUMNS, options));
    float *codes = calloc(ROWS * (size_t)options->dim, sizeof *codes); /* copies may go */
    assert_ok(zf_reduction_transform(model, codes, inputs, ROWS));
    zf_reduction_free(model);
    return codes;
}

static void is_the_same_on_any_threads(void **state)
{
    (void)state;
    static double inputs[ROWS * INPUTS], truth[ROWS];
    double *values = draw(inputs, truth, NULL);
    float *first = NULL;
    for (int threads = 1; threads <= 3; threads++) {
        zf_reduce_options options = quick(2, 40);
        options.threads = threads;
        options.criterion = ZF_CRITERION_ANTISYMMETRY;
        float *codes = codes_of(&options, values, inputs);
        if (first) assert_memory_equal(codes, first, ROWS * 2 * sizeof *codes);
        if (first) free(codes);
        if (!first) first = codes;
    }
    free(first);
    free(values);
}

/* Says stop at a step, once there has been one. */
static bool stop_at(void *context, const zf_progress *progress)
{
    return progress->step < *(uint64_t *)context;
}

static void resumes_as_if_never_stopped(void **state)
{
    (void)state;
    static double inputs[ROWS * INPUTS], truth[ROWS];
    double *values = draw(inputs, truth, NULL);
    const char *path = scratch_path("reduction.checkpoint");
    zf_reduce_options options = quick(2, 3000);
    options.hidden = 8;
    float *whole = codes_of(&options, values, inputs);
    uint64_t stop = 1;
    options.checkpoint = path;
    options.report = (zf_report){.progress = stop_at, .context = &stop};
    zf_reduction *model = NULL;
    zf_reduce_summary summary;
    zf_status status = zf_reduce_fit(&model, &summary, values, ROWS, NAMES, COLUMNS, &options);
    assert_int_equal(status, ZF_EINTERRUPT);
    assert_true(summary.iterations > 0 && summary.iterations < 3000);
    zf_reduction_free(model);
    options.report = (zf_report){0};
    options.resume = true;
    options.rate *= 2;
    assert_fails(zf_reduce_fit(&model, NULL, values, ROWS, NAMES, COLUMNS, &options), ZF_EINPUT,
                 "\"options\" is");
    options.rate /= 2;
    float *resumed = codes_of(&options, values, inputs);
    assert_memory_equal(resumed, whole, ROWS * 2 * sizeof *whole);
    free(whole);
    free(resumed);
    free(values);
}

static void is_saved_and_loaded(void **state)
{
    (void)state;
    static double inputs[ROWS * INPUTS], truth[ROWS], broken[2 * INPUTS] = {[3] = NAN};
    static float before[ROWS * 2], after[ROWS * 2];
    double *values = draw(inputs, truth, NULL);
    const char *path = scratch_path("reduction.model");
    for (int kind = ZF_MARGINALS_STANDARD; kind <= ZF_MARGINALS_NORMAL_SCORES; kind++) {
        zf_reduce_options options = quick(2, 20);
        options.marginals = (zf_marginals_kind)kind;
        zf_reduction *model = NULL, *loaded = NULL;
        assert_ok(zf_reduce_fit(&model, NULL, values, ROWS, NAMES, COLUMNS, &options));
        assert_ok(zf_reduction_transform(model, before, inputs, ROWS));
        assert_ok(zf_reduction_save(model, path));
        assert_ok(zf_reduction_load(&loaded, path));
        assert_ok(zf_reduction_transform(loaded, after, inputs, ROWS));
        assert_memory_equal(before, after, sizeof before);
        assert_int_equal(zf_reduction_inputs(loaded), INPUTS);
        assert_string_equal(zf_reduction_input(loaded, 2), "c");
        assert_string_equal(zf_reduction_target(loaded, 0), "x");
        assert_null(zf_reduction_input(loaded, INPUTS));
        assert_close(zf_reduction_criterion(loaded, 2).rectified,
                     zf_reduction_criterion(model, 2).rectified, 0);
        assert_fails(zf_reduction_transform(loaded, before, broken, 2), ZF_EINPUT,
                     "column \"d\", row 1: expected a finite number");
        zf_blanket *blanket = NULL;
        assert_fails(zf_blanket_load(&blanket, path), ZF_EINPUT,
                     "this is a reduction, expected a model of blankets");
        zf_reduction_free(model);
        zf_reduction_free(loaded);
    }
    free(values);
}

/* Numbers of the description that the tensors contradict; the texts are of one length, so
   that the file stays a file. */
static void refuses_files_that_lie(void **state)
{
    (void)state;
    static double inputs[ROWS * INPUTS], truth[ROWS];
    static const struct {
        const char *from, *to, *message;
    } lies[] = {
        {"\"hidden\":\"128\"", "\"hidden\":\"999\"", "expected a tensor of 999x6"},
        {"\"inputs\":\"6\"", "\"inputs\":\"5\"", "expected a tensor of 128x5"},
        {"\"kept\":\"2\"", "\"kept\":\"3\"", "expected a number from 1 to 2"},
        {"\"dim\":\"2\"", "\"dim\":\"0\"", "expected a number from 1 to 64"},
        {"\"target.0\"", "\"target.9\"", "the name of target 1 is missing"},
        {"normal-scores\"", "abnormal-scor\"", "unknown marginals"},
    };
    double *values = draw(inputs, truth, NULL);
    zf_reduce_options options = quick(2, 5);
    zf_reduction *model = NULL, *loaded = NULL;
    assert_ok(zf_reduce_fit(&model, NULL, values, ROWS, NAMES, COLUMNS, &options));
    assert_ok(zf_reduction_save(model, scratch_path("lie.model")));
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        const char *path = scratch_forge("lie.model", lies[i].from, lies[i].to);
        assert_fails(zf_reduction_load(&loaded, path), ZF_EINPUT, lies[i].message);
        assert_null(loaded);
    }
    zf_reduction_free(model);
    free(values);
}

static zf_status try(const double *values, size_t rows, const zf_reduce_options *options)
{
    zf_reduction *model = NULL;
    zf_status status = zf_reduce_fit(&model, NULL, values, rows, NAMES, COLUMNS, options);
    assert_null(model);
    return status;
}

static void refuses_what_makes_no_sense(void **state)
{
    (void)state;
    static double inputs[ROWS * INPUTS], truth[ROWS];
    static const int32_t all[] = {0, 1, 2, 3, 4, 5, 6}, twice[] = {3, 2};
    double *values = draw(inputs, truth, NULL);
    zf_reduce_options o = quick(1, 10);
    o.n_targets = 0;
    assert_fails(try(values, ROWS, &o), ZF_EINVAL, "at least one target");
    o = quick(1, 10);
    o.targets = all;
    o.n_targets = COLUMNS;
    assert_fails(try(values, ROWS, &o), ZF_EINVAL,
                 "7 targets of 7 columns leave nothing to reduce");
    o = quick(1, 10);
    o.inputs = twice;
    o.n_inputs = 2;
    assert_fails(try(values, ROWS, &o), ZF_EINVAL, "column \"x\" is named twice");
    o = quick(INPUTS + 1, 10);
    assert_fails(try(values, ROWS, &o), ZF_EINVAL, "1 to 6 numbers for 6 inputs, found 7");
    o = quick(1, 10);
    o.held_out = 0;
    assert_fails(try(values, ROWS, &o), ZF_EINVAL, "share held out: expected 0.05 to 0.5, found 0");
    o = quick(1, 10);
    assert_fails(try(values, 9, &o), ZF_EINPUT, "9 rows: expected at least 10");
    values[2 * COLUMNS + 4] = NAN;
    assert_fails(try(values, ROWS, &o), ZF_EINPUT, "column \"d\", row 3: expected a finite number");
    for (int i = 0; i < ROWS; i++) values[i * COLUMNS + 4] = 1;
    assert_fails(try(values, ROWS, &o), ZF_EINPUT, "column \"d\" is constant");
    o.inputs = all; /* a, b: what is not used may be as it likes */
    o.n_inputs = 2;
    zf_reduction *model = NULL;
    assert_ok(zf_reduce_fit(&model, NULL, values, ROWS, NAMES, COLUMNS, &o));
    assert_int_equal(zf_reduction_inputs(model), 2);
    zf_reduction_free(model);
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_a_symmetric_index),
        cmocka_unit_test(finds_how_many_are_needed),
        cmocka_unit_test(codes_are_centred_and_scaled),
        cmocka_unit_test(is_the_same_on_any_threads),
        cmocka_unit_test(resumes_as_if_never_stopped),
        cmocka_unit_test(is_saved_and_loaded),
        cmocka_unit_test(refuses_files_that_lie),
        cmocka_unit_test(refuses_what_makes_no_sense),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
