/* Every option of every job, set by name and on a command line: both take the same values and
   refuse the same, with the same words but for the dashes. */
#include "support.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "job/job.h"
#include "parse.h"

enum { MESSAGE = 2048 };

/* What the command line says of one option with one value; "" if it takes it. */
static void ask_command(char message[MESSAGE], const char *job, const char *option,
                        const char *value)
{
    char name[128], job_word[64], joined[4096];
    snprintf(name, sizeof name, "--%s", option);
    snprintf(job_word, sizeof job_word, "%s", job);
    snprintf(joined, sizeof joined, "%s=%s", name, value);
    char *words[] = {"zeroflow", job_word, joined, NULL};
    cli_call call;
    bool version;
    zf_option_prefix_set("--");
    cli_exit exit = cli_parse(&call, &version, 3, words);
    /* Arguments are missing in any case; that comes after the options. */
    bool refused = exit != CLI_DONE && strncmp(cli_message(), "argument ", 9) != 0;
    snprintf(message, MESSAGE, "%s", refused ? cli_message() : "");
    cli_call_free(&call);
    zf_option_prefix_set("");
}

/* The same of the library. */
static void ask_library(char message[MESSAGE], const char *job, const char *option,
                        const char *value)
{
    zf_options *options;
    assert_int_equal(zf_options_new(&options, job), ZF_OK);
    zf_status status = zf_options_set(options, option, value);
    assert_true(status == ZF_OK || status == ZF_EINVAL);
    snprintf(message, MESSAGE, "%s", status == ZF_OK ? "" : zf_error());
    zf_options_free(options);
}

static void without_dashes(char *text)
{
    char *at;
    while ((at = strstr(text, " --"))) memmove(at + 1, at + 3, strlen(at + 3) + 1);
}

static void check_value(const char *job, const char *option, const char *value, bool good)
{
    char said[MESSAGE], known[MESSAGE];
    ask_library(known, job, option, value);
    ask_command(said, job, option, value);
    without_dashes(said);
    if ((known[0] == '\0') != good) fail_msg("%s: %s = \"%s\": %s", job, option, value, known);
    assert_string_equal(said, known);
}

static void check_number(const char *job, const char *name, const json_t *option)
{
    const json_t *least = json_object_get(option, "minimum");
    const json_t *most = json_object_get(option, "maximum");
    bool whole = strcmp(json_string_value(json_object_get(option, "kind")), "whole") == 0;
    bool between = json_is_true(json_object_get(option, "exclusive"));
    char text[64];
    check_value(job, name, "many", false);
    check_value(job, name, "1e999", false);
    if (json_is_number(least)) {
        snprintf(text, sizeof text, "%.10g", json_number_value(least));
        check_value(job, name, text, !between);
    }
    if (json_is_number(most)) {
        snprintf(text, sizeof text, whole ? "%.0f" : "%.10g", json_number_value(most));
        check_value(job, name, text, !between);
        snprintf(text, sizeof text, "%.0f", 2 * json_number_value(most) + 1);
        check_value(job, name, text, false);
    }
}

static void check_option(const char *job, const json_t *option)
{
    const char *name = json_string_value(json_object_get(option, "name"));
    const char *kind = json_string_value(json_object_get(option, "kind"));
    const json_t *choices = json_object_get(option, "choices"), *choice;
    size_t i;
    assert_non_null(name);
    assert_non_null(json_string_value(json_object_get(option, "help")));
    json_array_foreach(choices, i, choice) check_value(job, name, json_string_value(choice), true);
    if (strcmp(kind, "choice") == 0) check_value(job, name, "nonsense", false);
    if (strcmp(kind, "whole") == 0 || strcmp(kind, "real") == 0) check_number(job, name, option);
    if (strcmp(kind, "text") == 0 || strcmp(kind, "list") == 0) check_value(job, name, "a,b", true);
    if (strcmp(kind, "file") == 0 || strcmp(kind, "output") == 0) check_value(job, name, "", false);
}

static void options_are_the_same_by_name_and_on_a_line(void **state)
{
    (void)state;
    char *json;
    size_t jobs = 0, i, k;
    const json_t *job, *option;
    assert_int_equal(zf_describe(&json, NULL), ZF_OK);
    json_t *root = json_loads(json, 0, NULL);
    assert_non_null(root);
    json_array_foreach(json_object_get(root, "jobs"), i, job)
    {
        const char *name = json_string_value(json_object_get(job, "name"));
        const json_t *options = json_object_get(job, "options");
        assert_non_null(cli_find_command(name));
        json_array_foreach(options, k, option) check_option(name, option);
        jobs++;
    }
    assert_true(jobs >= 20);
    json_decref(root);
    zf_free(json);
}

/* What an option is can be read back as the text that sets it. */
static void values_read_back(void **state)
{
    (void)state;
    zf_options *options;
    char *text;
    assert_int_equal(zf_options_new(&options, "fit"), ZF_OK);
    assert_int_equal(zf_options_set(options, "gate", "lstm"), ZF_OK);
    assert_int_equal(zf_options_set(options, "missing", "-9,none"), ZF_OK);
    assert_int_equal(zf_options_set(options, "missing", "x"), ZF_OK);
    assert_int_equal(zf_options_set(options, "data", "cells.csv"), ZF_OK);
    static const char *const expected[][2] = {{"gate", "lstm"},      {"missing", "-9,none,x"},
                                              {"DATA", "cells.csv"}, {"iterations", ""},
                                              {"fdr", "0.1"},        {"seed", "0"}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(zf_options_get(&text, options, expected[i][0]), ZF_OK);
        assert_string_equal(text, expected[i][1]);
        zf_free(text);
    }
    assert_int_equal(zf_options_set(options, "gat", "lstm"), ZF_EINVAL);
    assert_string_equal(zf_error(), "unknown option gat; did you mean gate?");
    zf_options_free(options);
    assert_int_equal(zf_options_new(&options, "fits"), ZF_EINVAL);
    assert_string_equal(zf_error(), "unknown job \"fits\"; did you mean fit?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_the_same_by_name_and_on_a_line),
        cmocka_unit_test(values_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
