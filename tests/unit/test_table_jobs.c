/* Jobs on tables and on models of tables, by name and text as bindings use them: what they find,
   what they keep where no file is named, what they say of options, and what there is of a run that
   is stopped. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "by_name.h"
#include "job/generate.h"
#include "scratch.h"

/* 60 rows of a chain of five, by its file. */
static const char *chain(const char *name, const char *seed)
{
    const char *path = scratch_path(name);
    json_decref(answer_of("generate",
                          (const char *[]){"structure", "chain", "dim", "5", "rows", "60", "seed",
                                           seed, "output", path, NULL},
                          NULL, ZF_OK));
    return path;
}

/* The same text without its first rows, which lack their first cells, and with a last column. */
static const char *holed(const char *name, int holes)
{
    size_t n, used = 0;
    char *text = scratch_read(chain("whole.csv", "1"), &n), *more = malloc(2 * n + 100);
    int row = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), row++) {
        bool hole = row > 0 && row <= holes;
        used += (size_t)sprintf(more + used, "%s,word%d\n", hole ? strchr(line, ',') : line, row);
    }
    const char *path = scratch_text(name, more);
    free(more);
    free(text);
    return path;
}

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void otherwise_is_what_the_library_does(void **state)
{
    (void)state;
    static const char *const names[] = {"dim", "side", "order", "edges"};
    zf_generate_options own = zf_generate_defaults(ZF_CHAIN);
    const int expected[] = {own.variables, own.side, own.order, own.edges};
    for (int i = 0; i < 4; i++) {
        int at = zf_option_find(zf_job_generate.options, names[i], strlen(names[i]), 0);
        assert_int_equal(atoi(zf_job_generate.options[at].otherwise), expected[i]);
    }
}

static void what_has_no_file_is_kept(void **state)
{
    (void)state;
    size_t n;
    const char *pairs[] = {"structure", "chain", "dim", "5", "rows", "60", "seed", "1", NULL};
    char *kept = document_of("generate", pairs), *file = scratch_read(chain("a.csv", "1"), &n);
    assert_string_equal(kept, file);
    json_t *json = answer_of("generate", pairs, NULL, ZF_OK);
    assert_true(json_is_null(json_object_get(json, "data")));
    assert_int_equal(whole(json, "edges"), 9);
    json_decref(json);
    free(file);
    free(kept);
    kept = document_of("baseline",
                       (const char *[]){"method", "rank", "data", chain("a.csv", "1"), NULL});
    assert_int_equal(strncmp(kept, "source,target,score\n", 20), 0);
    free(kept);
    kept = document_of("baseline", (const char *[]){"method", "rank", "data", chain("a.csv", "1"),
                                                    "format", "json", NULL});
    json = json_loads(kept, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(json, "edges")), 10);
    json_decref(json);
    free(kept);
}

static void tables_are_checked_and_split(void **state)
{
    (void)state;
    const char *data = holed("b.csv", 2), *train = scratch_path("t"), *fresh = scratch_path("f");
    json_t *json = answer_of("check", (const char *[]){"data", data, NULL}, NULL, ZF_OK);
    assert_int_equal(whole(json, "rows"), 60);
    assert_int_equal(whole(json, "rows_complete"), 58);
    assert_int_equal(whole(json, "used"), 5);
    json_decref(json);
    json = answer_of(
        "split",
        (const char *[]){"data", data, "output", train, "held-out", fresh, "share", "0.5", NULL},
        NULL, ZF_OK);
    assert_int_equal(whole(json, "rows"), 29);
    assert_int_equal(whole(json, "rows_held_out"), 29);
    /* What to do is said as programs write it. */
    const json_t *warnings = json_object_get(json, "warnings");
    const char *first = json_string_value(json_array_get(warnings, 0));
    assert_non_null(strstr(first, "column \"word0\" is left out"));
    assert_non_null(strstr(first, "name it with missing"));
    json_decref(json);
}

/* By their numbers in the table, also behind rows that are left out. */
static void rows_are_named_as_the_table_has_them(void **state)
{
    (void)state;
    const char *pairs[] = {"a",  holed("b.csv", 7), "b",  chain("a.csv", "2"), "permutations",
                           "99", "points",          "60", "columns",           "x1,x2",
                           NULL};
    json_t *json = answer_of("two-sample", pairs, NULL, ZF_OK);
    const json_t *points = json_object_get(json, "points");
    assert_int_equal(whole(json, "rows_a"), 53);
    assert_int_equal(whole(json, "rows_dropped"), 7);
    int first = 61, last = 0;
    for (size_t i = 0; i < json_array_size(points); i++) {
        const json_t *point = json_array_get(points, i);
        int row = (int)whole(point, "row");
        if (strcmp(text_of(point, "sample"), "A") != 0) continue;
        if (row < first) first = row;
        if (row > last) last = row;
    }
    assert_true(first > 7);
    assert_true(last > 53 && last <= 60);
    json_decref(json);
}

static void reduced_and_transformed(void **state)
{
    (void)state;
    const char *data = chain("a.csv", "1"), *model = scratch_path("m");
    json_t *json = answer_of("reduce",
                             (const char *[]){"data", data, "target", "x3", "output", model, "dim",
                                              "2", "iterations", "3", "hidden", "8", NULL},
                             NULL, ZF_OK);
    assert_int_equal(whole(json, "inputs"), 4);
    int dim = (int)whole(json, "dim");
    assert_true(scratch_exists(text_of(json, "checkpoint")));
    json_decref(json);
    char *codes = document_of("transform", (const char *[]){"model", model, "data", data, NULL});
    int lines = 0, commas = 0;
    for (const char *at = codes; *at; at++) {
        lines += *at == '\n';
        commas += *at == ',';
    }
    assert_int_equal(lines, 61);
    assert_int_equal(commas, 61 * (dim - 1));
    free(codes);
}

static void predicted(void **state)
{
    (void)state;
    json_t *json = answer_of(
        "predict",
        (const char *[]){"data", chain("a.csv", "1"), "target", "x3", "blanket", "x2,x4", NULL},
        NULL, ZF_OK);
    assert_int_equal(whole(json, "rows_used"), 60);
    assert_true(json_is_null(json_object_get(json, "trained")));
    const json_t *target = json_array_get(json_object_get(json, "targets"), 0);
    assert_int_equal(whole(json_object_get(target, "all"), "columns"), 4);
    assert_int_equal(whole(json_object_get(target, "blanket"), "columns"), 2);
    assert_int_equal(whole(json_object_get(target, "none"), "columns"), 0);
    json_decref(json);
}

/* In the words of programs: without dashes. */
static void refused_by_name(void **state)
{
    (void)state;
    const char *data = chain("a.csv", "1"), *out = scratch_path("out");
    refuse("split", (const char *[]){"data", data, NULL}, ZF_EINVAL,
           "option output is missing: name a file for the rows to train on, as output FILE");
    refuse("split", (const char *[]){"data", data, "output", out, "held-out", "-", NULL}, ZF_EINVAL,
           "option held-out: expected a file");
    refuse("check", (const char *[]){"data", data, "header", "true", "no-header", "true", NULL},
           ZF_EINVAL, "header and no-header cannot be used together");
    refuse("baseline", (const char *[]){"method", "pc", "data", data, "folds", "3", NULL},
           ZF_EINVAL, "option folds applies to glasso, not to pc");
    refuse(
        "baseline",
        (const char *[]){"method", "rank", "data", data, "format", "dot", "matrix", "true", NULL},
        ZF_EINVAL, "matrix works with csv, json and npy, not with dot");
    refuse("two-sample", (const char *[]){"a", data, "b", data, "splits", "2", NULL}, ZF_EINVAL,
           "option splits applies to the method network, not to flow");
    refuse("generate", (const char *[]){"structure", "chain", "side", "3", NULL}, ZF_EINVAL,
           "structure chain has no side");
    refuse("reduce", (const char *[]){"data", data, "output", out, NULL}, ZF_EINVAL,
           "target is missing: name one column or more, such as target x1");
    refuse("predict", (const char *[]){"data", data, "target", "x1", NULL}, ZF_EINVAL,
           "no blanket: name its columns by blanket, or a model by model");
    assert_false(scratch_exists(out));
}

/* What there is when a run is stopped is a result, and JSON of it. */
static void interrupted_runs_have_results(void **state)
{
    (void)state;
    const char *data = chain("a.csv", "1"), *other = chain("c.csv", "2");
    zf_context *context = impatient();
    json_t *json =
        answer_of("two-sample", (const char *[]){"a", data, "b", other, "method", "network", NULL},
                  context, ZF_EINTERRUPT);
    assert_true(json_is_null(json_object_get(json, "p_value")));
    assert_int_equal(whole(json, "rows_a"), 60);
    json_decref(json);
    json = answer_of("reduce",
                     (const char *[]){"data", data, "target", "x1", "output", scratch_path("m2"),
                                      "iterations", "9999", "hidden", "8", NULL},
                     context, ZF_EINTERRUPT);
    assert_true(whole(json, "iterations") < 9999);
    json_decref(json);
    zf_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(otherwise_is_what_the_library_does),
        cmocka_unit_test(what_has_no_file_is_kept),
        cmocka_unit_test(tables_are_checked_and_split),
        cmocka_unit_test(rows_are_named_as_the_table_has_them),
        cmocka_unit_test(reduced_and_transformed),
        cmocka_unit_test(predicted),
        cmocka_unit_test(refused_by_name),
        cmocka_unit_test(interrupted_runs_have_results),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
