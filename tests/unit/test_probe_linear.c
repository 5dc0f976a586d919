/* The linear probe: what it reads off features, how it summarises seeds, and that
   neither threads nor neighbours change it. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "zeroflow/probe.h"

enum { TRAIN = 240, TEST = 90, DIM = 19, CLASSES = 3 };

typedef struct sample {
    float train[TRAIN * DIM], test[TEST * DIM];
    int32_t train_labels[TRAIN], test_labels[TEST];
    zf_labelled sets[2];
    zf_probe_data data;
} sample;

/* Normal rows; column c of class c is moved by `far` and scaled by `scale`. */
static void draw(sample *s, float far, float scale)
{
    fill_normal(s->train, TRAIN * DIM, 1);
    fill_normal(s->test, TEST * DIM, 2);
    for (int i = 0; i < TRAIN + TEST; i++) {
        float *row = i < TRAIN ? s->train + i * DIM : s->test + (i - TRAIN) * DIM;
        int32_t *label = i < TRAIN ? s->train_labels + i : s->test_labels + i - TRAIN;
        *label = i % CLASSES;
        row[*label] += far;
        for (int c = 0; c < CLASSES; c++) row[c] = 7 + scale * row[c];
    }
    s->sets[0] = (zf_labelled){s->test, s->test_labels, TEST};
    s->sets[1] = (zf_labelled){s->train, s->train_labels, 3};
    s->data = (zf_probe_data){.dim = DIM,
                              .classes = CLASSES,
                              .train = {s->train, s->train_labels, TRAIN},
                              .tests = s->sets,
                              .n_tests = 2};
}

/* Columns that tell all, but vary by 1e-4: steps of one length do not reach the weights
   that they need, unless they are standardised. */
static void standardising_tells_small_columns(void **state)
{
    (void)state;
    static sample s;
    draw(&s, 12, 1e-4f);
    zf_probe_accuracy plain[2], standardised[2], alone[2];
    zf_linear_options options = zf_linear_defaults();
    options.batch = 64, options.epochs = 60, options.rate = 1e-2;
    assert_ok(zf_probe_linear(plain, standardised, &s.data, &options));
    assert_close(standardised[0].mean, 1, 0);
    assert_close(standardised[0].spread, 0, 0);
    assert_close(standardised[1].mean, 1, 0);
    assert_true(plain[0].mean < 0.6);
    assert_ok(zf_probe_linear(NULL, alone, &s.data, &options));
    assert_memory_equal(alone, standardised, sizeof alone);
    assert_ok(zf_probe_linear(alone, NULL, &s.data, &options));
    assert_memory_equal(alone, plain, sizeof alone);
}

/* The mean and deviation over seeds are those of the seeds one by one: the first of two
   is the only one of one. */
static void summarises_seeds(void **state)
{
    (void)state;
    static sample s;
    draw(&s, 0.5f, 1);
    zf_probe_accuracy one[2], two[2];
    zf_linear_options options = {.struct_size = sizeof options,
                                 .rate = 1e-3,
                                 .batch = 50,
                                 .epochs = 2,
                                 .seeds = 1,
                                 .threads = 1};
    assert_ok(zf_probe_linear(one, NULL, &s.data, &options));
    options.seeds = 2;
    assert_ok(zf_probe_linear(two, NULL, &s.data, &options));
    double second = 2 * two[0].mean - one[0].mean;
    assert_true(fabs(second - one[0].mean) > 1e-6); /* or the case shows nothing */
    assert_close(two[0].spread, fabs(second - one[0].mean) / sqrt(2), 1e-9);
    assert_close(second * TEST, round(second * TEST), 1e-9);
    assert_close(one[0].spread, 0, 0);
}

static void does_not_depend_on_threads(void **state)
{
    (void)state;
    static sample s;
    draw(&s, 1, 1);
    zf_probe_accuracy plain[3][2], standardised[3][2];
    for (int threads = 1; threads <= 3; threads++) {
        zf_linear_options options = {.struct_size = sizeof options,
                                     .rate = 1e-2,
                                     .batch = 33,
                                     .epochs = 3,
                                     .seeds = 3,
                                     .seed = 8,
                                     .threads = threads};
        assert_ok(
            zf_probe_linear(plain[threads - 1], standardised[threads - 1], &s.data, &options));
    }
    for (int k = 1; k < 3; k++) {
        assert_memory_equal(plain[k], plain[0], sizeof plain[0]);
        assert_memory_equal(standardised[k], standardised[0], sizeof plain[0]);
    }
}

/* A constant column says nothing, however large. */
static void leaves_constant_columns_out(void **state)
{
    (void)state;
    static sample s;
    draw(&s, 5, 1);
    zf_probe_accuracy accuracy[2];
    zf_linear_options options = {
        .struct_size = sizeof options, .rate = 1e-2, .batch = 64, .epochs = 30, .seeds = 2};
    for (int i = 0; i < TRAIN; i++) s.train[i * DIM + 9] = 1e6f;
    for (int i = 0; i < TEST; i++) s.test[i * DIM + 9] = -1e6f;
    assert_ok(zf_probe_linear(NULL, accuracy, &s.data, &options));
    assert_true(accuracy[0].mean > 0.95);
}

static bool stop(void *context, const zf_progress *progress)
{
    (void)progress;
    ++*(int *)context;
    return false;
}

static void refuses_and_stops(void **state)
{
    (void)state;
    static sample s;
    draw(&s, 1, 1);
    zf_probe_accuracy plain[2];
    zf_linear_options options = zf_linear_defaults();
    options.seeds = 0;
    assert_fails(zf_probe_linear(plain, NULL, &s.data, &options), ZF_EINVAL, "seeds: expected 1");
    options = zf_linear_defaults(), options.batch = 0;
    assert_fails(zf_probe_linear(plain, NULL, &s.data, &options), ZF_EINVAL, "batch: expected 1");
    options = zf_linear_defaults(), options.epochs = 0;
    assert_fails(zf_probe_linear(plain, NULL, &s.data, &options), ZF_EINVAL, "epochs: expected 1");
    options = zf_linear_defaults(), options.rate = (double)NAN;
    assert_fails(zf_probe_linear(plain, NULL, &s.data, &options), ZF_EINVAL, "rate: expected");
    s.train_labels[4] = CLASSES;
    assert_fails(zf_probe_linear(plain, NULL, &s.data, NULL), ZF_EINPUT, "training set, row 5");
    s.train_labels[4] = 0;
    int asked = 0;
    options = (zf_linear_options){.struct_size = sizeof(zf_linear_options),
                                  .rate = 1e-3,
                                  .batch = 64,
                                  .epochs = 1,
                                  .seeds = 1};
    options.report = (zf_report){.progress = stop, .context = &asked};
    assert_fails(zf_probe_linear(plain, NULL, &s.data, &options), ZF_EINTERRUPT, "interrupted");
    assert_int_equal(asked, 1);
    options = (zf_linear_options){.struct_size = sizeof(zf_linear_options),
                                  .rate = 1e38,
                                  .batch = 64,
                                  .epochs = 2,
                                  .seeds = 1};
    assert_fails(zf_probe_linear(plain, NULL, &s.data, &options), ZF_ENUMERIC,
                 "weights are not finite");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standardising_tells_small_columns),
        cmocka_unit_test(summarises_seeds),
        cmocka_unit_test(does_not_depend_on_threads),
        cmocka_unit_test(leaves_constant_columns_out),
        cmocka_unit_test(refuses_and_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
