/* The parser beyond what the tests of whole commands reach: the descriptors of
   all commands are well formed, and values land where they belong. */
#include "support.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "job/check.h"
#include "parse.h"
#include "study/demo.h"

static void check_options(const zf_option *options)
{
    for (int i = 0; i < zf_option_count(options); i++) {
        const zf_option *option = &options[i];
        assert_non_null(option->help);
        assert_int_equal(option->help[strlen(option->help) - 1], '.');
        for (const char *c = option->name; *c; c++) assert_true(islower(*c) || *c == '-');
        assert_int_equal(option->placeholder == NULL, option->type == ZF_OPTION_FLAG);
        /* What is written is known as such (files.h). */
        if (option->type == ZF_OPTION_FILE) assert_string_not_equal(option->name, "output");
        assert_int_equal(option->choices == NULL, option->type != ZF_OPTION_CHOICE);
        assert_true(option->least <= option->most || option->most == 0);
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(option->name, options[k].name);
            assert_true(!option->letter || option->letter != options[k].letter);
        }
        for (int k = 0; options != cli_global_options && k < CLI_GLOBALS; k++) {
            assert_string_not_equal(option->name, cli_global_options[k].name);
            assert_true(!option->letter || option->letter != cli_global_options[k].letter);
        }
    }
}

static void descriptors_are_well_formed(void **state)
{
    (void)state;
    check_options(cli_global_options);
    for (int i = 0; cli_commands[i]; i++) {
        const cli_command *command = cli_commands[i];
        const zf_option *arguments = cli_arguments_of(command);
        const char *summary = cli_summary_of(command), *text = cli_description_of(command);
        check_options(cli_options_of(command));
        assert_true((command->run != NULL) != (command->job && command->print));
        assert_ptr_equal(cli_find_command(cli_name_of(command)), command);
        assert_true(strlen(summary) <= 72 && islower(summary[0]));
        assert_int_equal(text[strlen(text) - 1], '.');
        assert_non_null(command->examples);
        for (const cli_example *e = command->examples; e->line; e++)
            assert_int_equal(strncmp(e->line, "zeroflow ", 9), 0);
        bool optional = false;
        for (int k = 0; k < zf_option_count(arguments); k++) {
            assert_true(!optional || arguments[k].optional);
            optional = arguments[k].optional;
        }
        cli_defaults defaults;
        assert_int_equal(cli_defaults_begin(&defaults, command), CLI_DONE);
        cli_defaults_free(&defaults);
    }
}

static void values_land_where_they_belong(void **state)
{
    (void)state;
    char *words[] = {"zeroflow", "--threads=3", "check",  "--missing", "a,,b",
                     "-q",       "--missing=c", "--seed", "7",         "--delimiter",
                     "-",        "--",          "--json"};
    cli_call call;
    bool version = true;
    assert_int_equal(cli_parse(&call, &version, sizeof words / sizeof *words, words), CLI_DONE);
    assert_false(version);
    assert_ptr_equal(call.command->job, &zf_job_check);
    assert_int_equal(call.seed, 7);
    assert_int_equal(call.threads, 3);
    assert_true(call.quiet);
    assert_false(call.json); /* after "--" it is an argument */
    const zf_check_values *values = zf_options_values(call.options);
    assert_string_equal(values->data, "--json");
    assert_string_equal(values->table.delimiter, "-");
    assert_int_equal(values->table.missing.n, 4);
    static const char *const expected[] = {"a", "", "b", "c"};
    for (int i = 0; i < 4; i++) assert_string_equal(values->table.missing.items[i], expected[i]);
    cli_call_free(&call);
}

static void letters_may_share_a_word(void **state)
{
    (void)state;
    char *words[] = {"zeroflow", "demo", "-qofolder", "--resume"};
    cli_call call;
    bool version;
    assert_int_equal(cli_parse(&call, &version, 4, words), CLI_DONE);
    assert_true(call.quiet);
    const zf_demo_values *values = zf_options_values(call.options);
    assert_string_equal(values->output, "folder");
    assert_true(values->resume);
    cli_call_free(&call);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors_are_well_formed),
        cmocka_unit_test(values_land_where_they_belong),
        cmocka_unit_test(letters_may_share_a_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
