/* Jobs that test, by name and text as bindings use them: their results as JSON and as a document,
   what they refuse, a run that is interrupted. */
#include "support.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "scratch.h"
#include "zeroflow/job.h"

enum { ROWS = 120, WIDE = 80 };

/* A walk: each column is the one before it and noise. */
static const char *write_walk(int columns)
{
    static char text[ROWS * WIDE * 24];
    uint64_t state = 7;
    size_t used = 0;
    for (int c = 0; c < columns; c++)
        used += (size_t)sprintf(text + used, "%sx%d", c ? "," : "", c);
    for (int r = 0; r < ROWS; r++) {
        double value = 0;
        for (int c = 0; c < columns; c++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
            value += (double)(state >> 11) * 0x1p-53 - 0.5;
            used += (size_t)sprintf(text + used, "%s%.9f", c ? "," : "\n", value);
        }
    }
    return scratch_text("walk.csv", text);
}

static zf_status run(zf_result **result, zf_context *context, const char *job,
                     const char *const *pairs)
{
    zf_options *options;
    assert_ok(zf_options_new(&options, job));
    for (; *pairs; pairs += 2) assert_ok(zf_options_set(options, pairs[0], pairs[1]));
    *result = NULL;
    zf_status status = zf_run_job(result, context, options);
    zf_options_free(options);
    return status;
}

static json_t *json_of(const zf_result *result)
{
    char *text;
    assert_ok(zf_result_json(&text, result));
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    zf_free(text);
    return json;
}

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void columns_are_independent_given_one_between(void **state)
{
    (void)state;
    zf_result *result;
    const char *data = write_walk(3), *plot = scratch_path("found.svg");
    assert_ok(run(&result, NULL, "independent",
                  (const char *[]){"data", data, "x", "x0", "y", "x2", "plot", plot, NULL}));
    json_t *alone = json_of(result);
    assert_true(number(alone, "p_value") < 0.001);
    assert_string_equal(json_string_value(json_object_get(alone, "verdict")), "dependent");
    assert_true(scratch_exists(plot));
    zf_result_free(result);
    json_decref(alone);
    assert_ok(run(&result, NULL, "independent",
                  (const char *[]){"data", data, "x", "x0", "y", "x2", "given", "x1", NULL}));
    json_t *given = json_of(result);
    assert_true(number(given, "p_value") > 0.05);
    assert_true(number(given, "rows_used") == ROWS);
    zf_result_free(result);
    json_decref(given);
}

/* The argument TARGET... is set as target. Without a file the CSV is a document. */
static void targets_are_tested_by_name(void **state)
{
    (void)state;
    size_t n;
    zf_result *result;
    const char *data = write_walk(4);
    assert_ok(run(&result, NULL, "tests",
                  (const char *[]){"data", data, "target", "x0", "target", "x3", "csv", "true",
                                   "missing-rows", "refuse", NULL}));
    const char *csv = zf_result_document(result, &n);
    assert_non_null(csv);
    assert_int_equal(strlen(csv), n);
    assert_non_null(strstr(csv, "target,column,p_value"));
    json_t *json = json_of(result);
    const json_t *targets = json_object_get(json, "targets");
    assert_int_equal(json_array_size(targets), 2);
    const json_t *first = json_array_get(targets, 0);
    assert_true(number(first, "decided") >= 1);
    const json_t *strongest = json_array_get(json_object_get(first, "tests"), 0);
    assert_string_equal(json_string_value(json_object_get(strongest, "column")), "x1");
    zf_result_free(result);
    json_decref(json);
}

static void described_without_dots(void **state)
{
    (void)state;
    char *text;
    assert_ok(zf_describe(&text, "tests"));
    json_t *json = json_loads(text, 0, NULL);
    const json_t *job = json_array_get(json_object_get(json, "jobs"), 0);
    const json_t *target = json_array_get(json_object_get(job, "inputs"), 1);
    assert_string_equal(json_string_value(json_object_get(target, "name")), "TARGET");
    zf_free(text);
    json_decref(json);
}

static void refused_by_name(void **state)
{
    (void)state;
    zf_result *result;
    const char *data = write_walk(4);
    assert_fails(run(&result, NULL, "independent",
                     (const char *[]){"data", data, "x", "x0", "y", "x0", NULL}),
                 ZF_EINVAL, "column \"x0\" is named in x and again in y; name it once");
    assert_fails(
        run(&result, NULL, "tests",
            (const char *[]){"data", data, "target", "x0", "guard-formulas", "true", NULL}),
        ZF_EINVAL, "guard-formulas is for CSV: csv or output FILE");
    assert_fails(run(&result, NULL, "tests", (const char *[]){"data", data, NULL}), ZF_EINVAL,
                 "TARGET is missing: The columns to test, by name; each is tested against all "
                 "others.");
    assert_null(result);
}

static bool stop(void *context, const zf_progress *progress)
{
    (void)context;
    return progress->steps == 0;
}

/* What there is when tests are stopped is the table, and JSON of it. */
static void interrupted_tests_have_a_result(void **state)
{
    (void)state;
    zf_result *result;
    zf_context *context;
    const char *data = write_walk(WIDE);
    assert_ok(zf_context_new(&context, 1));
    zf_context_set_report(context, (zf_report){.progress = stop});
    assert_int_equal(
        run(&result, context, "tests", (const char *[]){"data", data, "target", "x0", NULL}),
        ZF_EINTERRUPT);
    json_t *json = json_of(result);
    assert_true(number(json, "columns_used") == WIDE);
    const json_t *target = json_array_get(json_object_get(json, "targets"), 0);
    assert_int_equal(json_array_size(json_object_get(target, "tests")), 0);
    zf_result_free(result);
    zf_context_free(context);
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_independent_given_one_between),
        cmocka_unit_test(targets_are_tested_by_name),
        cmocka_unit_test(described_without_dots),
        cmocka_unit_test(refused_by_name),
        cmocka_unit_test(interrupted_tests_have_a_result),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
