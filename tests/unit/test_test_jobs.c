/* Jobs that test, by name and text as bindings use them: their results as JSON and as a document,
   what they refuse, a run that is interrupted. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "by_name.h"
#include "scratch.h"

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

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static void columns_are_independent_given_one_between(void **state)
{
    (void)state;
    const char *data = write_walk(3), *plot = scratch_path("found.svg");
    json_t *alone = answer_of(
        "independent", (const char *[]){"data", data, "x", "x0", "y", "x2", "plot", plot, NULL},
        NULL, ZF_OK);
    assert_true(number(alone, "p_value") < 0.001);
    assert_string_equal(text_of(alone, "verdict"), "dependent");
    assert_true(scratch_exists(plot));
    json_decref(alone);
    json_t *given = answer_of(
        "independent", (const char *[]){"data", data, "x", "x0", "y", "x2", "given", "x1", NULL},
        NULL, ZF_OK);
    assert_true(number(given, "p_value") > 0.05);
    assert_int_equal(whole(given, "rows_used"), ROWS);
    json_decref(given);
}

/* The argument TARGET... is set as target. Without a file the CSV is a document. */
static void targets_are_tested_by_name(void **state)
{
    (void)state;
    const char *pairs[] = {"data", write_walk(4), "target", "x0", "target",
                           "x3",   "csv",         "true",   NULL};
    char *csv = document_of("tests", pairs);
    assert_int_equal(strncmp(csv, "target,column,p_value,", 22), 0);
    free(csv);
    json_t *json = answer_of("tests", pairs, NULL, ZF_OK);
    const json_t *targets = json_object_get(json, "targets");
    assert_int_equal(json_array_size(targets), 2);
    const json_t *first = json_array_get(targets, 0);
    assert_true(whole(first, "decided") >= 1);
    assert_string_equal(text_of(json_array_get(json_object_get(first, "tests"), 0), "column"),
                        "x1");
    json_decref(json);
}

/* A walk's blanket is its neighbours: x1 lacks x2 without it. */
static void blankets_are_certified(void **state)
{
    (void)state;
    const char *data = write_walk(4), *model = scratch_path("walk.model");
    json_decref(answer_of("fit",
                          (const char *[]){"data", data, "output", model, "iterations", "20",
                                           "evidence", "none", NULL},
                          NULL, ZF_OK));
    json_t *json = answer_of("certify",
                             (const char *[]){"model", model, "data", data, "target", "x1",
                                              "blanket", "x0,x2,x3", "drop", "x2,x3", NULL},
                             NULL, ZF_OK);
    assert_true(number(json, "p_value") < 0.05);
    assert_true(json_is_true(json_object_get(json, "trained")));
    assert_int_equal(json_array_size(json_object_get(json, "warnings")), 1);
    assert_string_equal(text_of(json_array_get(json_object_get(json, "missing"), 0), "name"), "x2");
    assert_int_equal(json_array_size(json_object_get(json, "members")), 1);
    json_decref(json);
    refuse("certify",
           (const char *[]){"model", model, "data", data, "target", "x1", "blanket", "x0", "top",
                            "2", NULL},
           ZF_EINVAL,
           "blanket cannot be used with threshold or top, which choose from the model's blanket");
    refuse("certify",
           (const char *[]){"model", model, "data", data, "target", "x1", "add", "x1", NULL},
           ZF_EINVAL, "add: \"x1\" is a target and cannot be in its own blanket");
}

static void described_without_dots(void **state)
{
    (void)state;
    char *text;
    assert_ok(zf_describe(&text, "tests"));
    json_t *json = json_loads(text, 0, NULL);
    const json_t *job = json_array_get(json_object_get(json, "jobs"), 0);
    assert_string_equal(text_of(json_array_get(json_object_get(job, "inputs"), 1), "name"),
                        "TARGET");
    zf_free(text);
    json_decref(json);
}

static void refused_by_name(void **state)
{
    (void)state;
    const char *data = write_walk(4);
    refuse("independent", (const char *[]){"data", data, "x", "x0", "y", "x0", NULL}, ZF_EINVAL,
           "column \"x0\" is named in x and again in y; name it once");
    refuse("tests", (const char *[]){"data", data, "target", "x0", "guard-formulas", "true", NULL},
           ZF_EINVAL, "guard-formulas applies to CSV: add csv or output FILE");
    refuse("tests", (const char *[]){"data", data, NULL}, ZF_EINVAL, "TARGET is missing: ");
}

/* What there is when tests are stopped is the table, and JSON of it. */
static void interrupted_tests_have_a_result(void **state)
{
    (void)state;
    zf_context *context = impatient();
    json_t *json =
        answer_of("tests", (const char *[]){"data", write_walk(WIDE), "target", "x0", NULL},
                  context, ZF_EINTERRUPT);
    assert_int_equal(whole(json, "columns_used"), WIDE);
    const json_t *target = json_array_get(json_object_get(json, "targets"), 0);
    assert_int_equal(json_array_size(json_object_get(target, "tests")), 0);
    zf_context_free(context);
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_independent_given_one_between),
        cmocka_unit_test(targets_are_tested_by_name),
        cmocka_unit_test(blankets_are_certified),
        cmocka_unit_test(described_without_dots),
        cmocka_unit_test(refused_by_name),
        cmocka_unit_test(interrupted_tests_have_a_result),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
