/* Jobs on images, by name and text as bindings use them: what they say about their defaults, a
   whole run, a run that is interrupted; and which images are fitted on and judged on. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "by_name.h"
#include "job/images.h"
#include "job/pretrain.h"
#include "job/probing.h"
#include "scratch.h"

enum { SIDE = 16, PIXELS = SIDE * SIDE };

/* An IDX file of n images whose stripes go the way of their class, with labels. */
static const char *write_set(const char *start, const uint8_t *labels, int n)
{
    char name[64];
    size_t bytes = 16 + (size_t)n * PIXELS;
    uint8_t *file = calloc(1, bytes);
    memcpy(file, "\0\0\10\3\0\0\0\0\0\0\0\20\0\0\0\20", 16);
    file[7] = (uint8_t)n;
    for (int i = 0; i < n * PIXELS; i++) {
        int at = i % PIXELS, along = labels[i / PIXELS] ? at % SIDE : at / SIDE;
        file[16 + i] = (uint8_t)(along / (2 + i / PIXELS % 3) % 2 ? 200 + i % 7 : 20 + i % 5);
    }
    snprintf(name, sizeof name, "%s-images-idx3-ubyte", start);
    const char *path = scratch_write(name, file, bytes);
    memcpy(file, "\0\0\10\1\0\0\0", 7);
    memcpy(file + 8, labels, (size_t)n);
    snprintf(name, sizeof name, "%s-labels-idx1-ubyte", start);
    scratch_write(name, file, 8 + (size_t)n);
    free(file);
    return path;
}

/* Ten images: six of class 0, four of class 1. */
static const uint8_t ten[] = {0, 0, 1, 0, 1, 0, 1, 0, 1, 0};

/* --- options ------------------------------------------------------------------------------- */

static double otherwise(const zf_option *rows, const char *name, const char *before)
{
    int at = zf_option_find(rows, name, strlen(name), 0);
    assert_true(at >= 0);
    assert_non_null(rows[at].otherwise);
    const char *number = strstr(rows[at].otherwise, before);
    assert_non_null(number);
    return strtod(number + strlen(before), NULL);
}

/* What the rows say in words is what the library does. */
static void words_of_defaults_are_true(void **state)
{
    (void)state;
    const zf_option *rows = zf_job_pretrain.options;
    zf_pretrain_options own = zf_pretrain_defaults(ZF_VISION_ZEROFLOW);
    zf_pretrain_options mae = zf_pretrain_defaults(ZF_VISION_MAE);
    assert_close(otherwise(rows, "dim", ""), own.dim, 0);
    assert_close(otherwise(rows, "dim", "for mae "), mae.dim, 0);
    assert_close(otherwise(rows, "batch", ""), own.batch, 0);
    assert_close(otherwise(rows, "batch", "for mae "), mae.batch, 0);
    assert_close(otherwise(rows, "decay", ""), own.decay, 0);
    assert_close(otherwise(rows, "decay", "for mae "), mae.decay, 0);
}

/* --- runs ---------------------------------------------------------------------------------- */

static void trained_by_name(void **state)
{
    (void)state;
    const char *set = write_set("train", ten, 10), *model = scratch_path("m");
    json_t *json = answer_of("pretrain",
                             (const char *[]){"images", set, "output", model, "iterations", "2",
                                              "batch", "4", "dim", "8", "size", "16", NULL},
                             NULL, ZF_OK);
    assert_int_equal(whole(json, "pictures"), 10);
    assert_int_equal(whole(json, "dim"), 8);
    assert_int_equal(whole(json, "refused"), 0);
    assert_string_equal(json_string_value(json_object_get(json, "model")), model);
    json_decref(json);
    assert_true(scratch_exists(model));
    json = answer_of(
        "probe",
        (const char *[]){"model", model, "train", set, "epochs", "2", "floors", "true", NULL}, NULL,
        ZF_OK);
    assert_int_equal(whole(json, "train_rows"), 8);
    assert_int_equal(whole(json, "test_rows"), 2);
    assert_int_equal(whole(json_object_get(json_object_get(json, "floors"), "pixels"), "dim"),
                     3 * PIXELS);
    json_decref(json);
}

static void refused_by_name(void **state)
{
    (void)state;
    const char *set = write_set("train", ten, 10), *model = scratch_path("n");
    refuse("pretrain", (const char *[]){"images", set, NULL}, ZF_EINVAL,
           "option output is missing: name a file for the model, as output MODEL");
    refuse("pretrain", (const char *[]){"images", set, "output", model, "masked", "0.75", NULL},
           ZF_EINVAL, "option masked applies to method mae, this is zeroflow");
    refuse("images", (const char *[]){"source", set, "views", "2", NULL}, ZF_EINVAL,
           "option views applies to the sheet: add sheet FILE");
    assert_false(scratch_exists(model));
}

/* What there is when a run is stopped is a result, and JSON of it. */
static void interrupted_runs_have_results(void **state)
{
    (void)state;
    const char *set = write_set("train", ten, 10), *model = scratch_path("stopped");
    zf_context *context = impatient();
    json_t *json = answer_of("pretrain",
                             (const char *[]){"images", set, "output", model, "iterations", "9999",
                                              "batch", "4", "dim", "8", "size", "16", NULL},
                             context, ZF_EINTERRUPT);
    assert_non_null(strstr(zf_error(), "iterations; saved "));
    assert_true(whole(json, "iterations") < 9999);
    assert_int_equal(whole(json, "pictures"), 10);
    json_decref(json);
    assert_true(scratch_exists(model));
    static const char *const jobs[] = {"probe", "reconstruct", "audit"};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        const char *source = strcmp(jobs[i], "audit") == 0 ? "images" : "train";
        json = answer_of(jobs[i], (const char *[]){"model", model, source, set, NULL}, context,
                         ZF_EINTERRUPT);
        assert_int_equal(whole(json, "refused"), 0);
        json_decref(json);
    }
    zf_context_free(context);
}

/* --- which images ---------------------------------------------------------------------------- */

static zf_run silent_run(void)
{
    zf_run run = {.threads = 1};
    assert_ok(zf_files_new(&run.files));
    return run;
}

/* Of six and four a quarter is two and one; evenly taken: the 3rd and 6th, and the 4th. */
static void a_share_of_each_class_is_held_out(void **state)
{
    (void)state;
    zf_run run = silent_run();
    zf_image_sets_values values = {.held_out = 0.25, .memory = 100};
    zf_image_sets_defaults(&values);
    zf_image_sets_wish wish = {
        .train = write_set("train", ten, 10), .values = &values, .size = SIDE, .labelled = true};
    zf_image_sets sets = {0};
    assert_ok(zf_image_sets_open(&sets, &run, &wish));
    assert_true(sets.split);
    assert_int_equal(sets.classes, 2);
    assert_int_equal(sets.train.count, 7);
    assert_int_equal(sets.test.count, 3);
    assert_memory_equal(sets.test.which, ((const uint32_t[]){3, 8, 9}), 3 * sizeof(uint32_t));
    assert_memory_equal(sets.test.labels, ((const int32_t[]){0, 1, 0}), 3 * sizeof(int32_t));
    assert_close(zf_image_sets_chance(&sets), 2.0 / 3, 1e-15);
    zf_image_sets_free(&sets);

    values.train_rows = 2;
    assert_ok(zf_image_sets_open(&sets, &run, &wish));
    assert_memory_equal(sets.train.which, ((const uint32_t[]){4, 7}), 2 * sizeof(uint32_t));
    zf_image_sets_free(&sets);
    zf_files_free(run.files);
}

static void marks_to_judge_on_are_others(void **state)
{
    (void)state;
    zf_set_views plain = zf_image_sets_views(ZF_WATERMARK_NONE, 5);
    zf_set_views marked = zf_image_sets_views(ZF_WATERMARK_PATCH, 5);
    assert_int_equal(plain.n_tests, 1);
    assert_int_equal(marked.n_tests, 2);
    assert_int_equal(marked.train.watermark, ZF_WATERMARK_PATCH);
    assert_int_equal(marked.test[ZF_CLEAN].watermark, ZF_WATERMARK_NONE);
    assert_int_equal(marked.test[ZF_MARKED].watermark, ZF_WATERMARK_PATCH);
    assert_int_equal(marked.train.seed, 5);
    assert_int_equal(marked.test[ZF_MARKED].seed, 6);
}

static void evenly_is_from_the_middle_of_shares(void **state)
{
    (void)state;
    const size_t expected[] = {1, 5, 8};
    for (size_t k = 0; k < 3; k++) assert_int_equal(zf_evenly(k, 3, 10), expected[k]);
    for (size_t k = 0; k < 4; k++) assert_int_equal(zf_evenly(k, 4, 4), k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_defaults_are_true),
        cmocka_unit_test(trained_by_name),
        cmocka_unit_test(refused_by_name),
        cmocka_unit_test(interrupted_runs_have_results),
        cmocka_unit_test(a_share_of_each_class_is_held_out),
        cmocka_unit_test(marks_to_judge_on_are_others),
        cmocka_unit_test(evenly_is_from_the_middle_of_shares),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
