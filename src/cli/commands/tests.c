/* zeroflow tests: a target against every other column, given the rest. */
#include "job/tests.h"

#include "command.h"
#include "forms.h"
#include "output.h"
#include "terminal.h"
#include "text.h"

static const cli_example examples[] = {
    {"zeroflow tests cells.csv PKA",
     "Which columns still tell something about PKA, given everything else."},
    {"zeroflow tests cells.csv PKA Mek --fdr 0.05 -o tests.csv", "Two targets, as a table."},
    {"zeroflow tests cells.csv PKA --plot tests.svg", "The same as a figure."},
    {NULL},
};

static cli_exit check(const cli_call *call, const void *given)
{
    const zf_tests_values *values = given;
    if (call->json && (values->csv || values->output) && zf_document_stays(values->output))
        return cli_fail(CLI_USAGE, "--json and --csv cannot be used together without -o FILE");
    return CLI_DONE;
}

static void print_row(FILE *out, const zf_tests_result *all, const zf_target_test *t, int width)
{
    const zf_pair_evidence *found = &t->found;
    fputs("  ", out);
    cli_fit(out, zf_tests_name(all, t->column), width, false);
    fprintf(out, "  %8.2g  %8.2g  %+6.3f  %+6.3f  ", found->p_value, found->q_value, found->effect,
            t->alone);
    cli_print_form(out, found->form, zf_tests_name(all, found->third));
    if (found->curved == t->column) {
        fputs(", as a function of ", out);
        cli_clean(out, zf_tests_name(all, t->target));
    }
    fputc('\n', out);
}

/* "x4: 2 of 9 other columns tell something about it, ..." */
static void print_heading(FILE *out, const zf_tests_result *found, const zf_tests_values *values,
                          int target)
{
    size_t rows = found->variables.matrix.rows;
    fputs(cli_bold(), out);
    cli_clean(out, zf_tests_name(found, found->targets[target]));
    fprintf(out, "%s: %s of %s tell something about it, given the rest\n", cli_plain(),
            zf_count(found->decided[target]).text, zf_plural(found->others, "other column").text);
    fprintf(out, "(%s", zf_plural(rows, "row").text);
    if (found->units != rows)
        fprintf(out, " in %s", zf_units_text(&values->units, found->units).text);
    fprintf(out, ", at a false discovery rate of %g)\n\n", values->fdr);
}

static void print_target(FILE *out, const zf_tests_result *found, const zf_tests_values *values,
                         int target)
{
    enum { NAME_LEAST = 6, NAME_MOST = 32, SHOWN_MOST = 60 };
    const zf_target_test *tests = zf_tests_of(found, target);
    size_t decided = found->decided[target], others = found->others, shown = others;
    if (shown > SHOWN_MOST) shown = decided + 10 < SHOWN_MOST ? SHOWN_MOST : decided + 10;
    if (shown > others) shown = others;
    int width = NAME_LEAST;
    for (size_t i = 0; i < shown; i++) {
        int w = cli_width(zf_tests_name(found, tests[i].column));
        width = w > width ? w : width;
    }
    width = width < NAME_MOST ? width : NAME_MOST;
    print_heading(out, found, values, target);
    fprintf(out, "  %-*s  %8s  %8s  %6s  %6s  form\n", width, "column", "p-value", "q-value",
            "effect", "alone");
    for (size_t i = 0; i < shown; i++) {
        if (i == decided) fprintf(out, "  left out, may be due to chance:\n");
        print_row(out, found, &tests[i], width);
    }
    if (shown < others) fprintf(out, "  and %s\n", zf_plural(others - shown, "other").text);
}

static void print(const cli_call *call, const void *given, const void *result)
{
    const zf_tests_values *values = given;
    const zf_tests_result *found = result;
    for (int k = 0; k < found->n_targets; k++) {
        if (k) fputc('\n', call->out);
        print_target(call->out, found, values, k);
    }
    cli_tell_figure(call, values->plot);
}

const cli_command cli_command_tests = {
    .job = &zf_job_tests,
    .check = check,
    .print = print,
    .examples = examples,
};
