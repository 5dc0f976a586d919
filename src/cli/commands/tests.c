/* zeroflow tests: a target against every other column, given the rest. */
#include <stdlib.h>

#include "feature_input.h"
#include "name_input.h"
#include "progress.h"
#include "terminal.h"
#include "text.h"
#include "unit_input.h"
#include "zeroflow/evidence.h"

enum { DATA, TARGET };
enum { LONG_COLUMNS = 60 }; /* with fewer it takes a few seconds, of which nothing is told */
enum {
    FDR,
    CSV,
    OUTPUT,
    GUARD,
    UNITS,
    FEATURES = UNITS + CLI_UNIT_OPTIONS,
    END = FEATURES + CLI_FEATURE_OPTIONS
};

static const cli_option arguments[] = {
    [DATA] = {"DATA", .type = CLI_FILE, .help = CLI_TABLE_ARGUMENT_HELP},
    [TARGET] = {"TARGET...", .type = CLI_LIST,
                .help = "The columns to test, by name; each is tested against all others."},
    {NULL},
};

static const cli_option options[] = {
    [FDR] = {"fdr", .type = CLI_REAL, .placeholder = "Q", .fallback = "0.1", .least = 1e-9,
             .most = 0.999999999,
             .help = "The share of false ones to expect among the columns decided on, of each "
                     "target."},
    [CSV] = {"csv", .help = "CSV instead of text: target,column,p_value,q_value,effect,form,"
                            "decided,alone."},
    [OUTPUT] = {"output", 'o', CLI_OUTPUT, "FILE", .otherwise = "standard output",
                .help = "Where the CSV goes."},
    [GUARD] = CLI_GUARD_OPTION,
    CLI_UNIT_OPTION_LIST(UNITS, ""),
    CLI_FEATURE_OPTION_LIST(FEATURES),
    [END] = {NULL},
};

static const cli_example examples[] = {
    {"zeroflow tests cells.csv PKA", "What has to do with PKA, once all else is known."},
    {"zeroflow tests cells.csv PKA Mek --fdr 0.05 -o tests.csv", "Two targets, as a table."},
    {NULL},
};

typedef struct inquiry {
    const cli_call *call;
    cli_features features;
    int32_t *targets; /* columns of the matrix */
    int n_targets;
    size_t units;          /* rows, groups or blocks that are independent */
    zf_target_test *tests; /* [targets, columns - 1] */
} inquiry;

static size_t others(const inquiry *q)
{
    return q->features.matrix.columns - 1;
}

static double fdr(const inquiry *q)
{
    return q->call->values[FDR].real;
}

/* The place in the matrix of a column of the table. CLI_INPUT: it cannot be used. */
static cli_exit find_place(int32_t *place, const inquiry *q, int32_t column)
{
    const zf_column *target = zf_table_column(q->features.table, (size_t)column);
    *place = 0;
    if (!target->used)
        return cli_fail(CLI_INPUT, "%s: column \"%s\" cannot be a target: %s",
                        q->call->arguments[DATA].text, target->name, target->note);
    for (int32_t i = 0; i < column; i++)
        *place += zf_table_column(q->features.table, (size_t)i)->used;
    return CLI_DONE;
}

static cli_exit find_targets(inquiry *q)
{
    cli_names names = cli_table_names(q->features.table, q->call->arguments[DATA].text);
    CLI_TRY(
        cli_find_names(&q->targets, &q->n_targets, &names, &q->call->arguments[TARGET], "TARGET"));
    for (int k = 0; k < q->n_targets; k++) {
        for (int i = 0; i < k; i++)
            if (q->targets[i] == q->targets[k])
                return cli_fail(CLI_USAGE, "target \"%s\" is named twice",
                                names.name(names.of, q->targets[k]));
    }
    for (int k = 0; k < q->n_targets; k++) CLI_TRY(find_place(&q->targets[k], q, q->targets[k]));
    return CLI_DONE;
}

static const cli_value *units_of(const inquiry *q)
{
    return &q->call->values[UNITS];
}

static zf_evidence_options understand(const inquiry *q)
{
    zf_evidence_options wish = zf_evidence_defaults();
    wish.threads = q->call->threads;
    wish.groups = q->features.matrix.groups;
    wish.block = cli_units_block(units_of(q));
    return wish;
}

static cli_exit test(inquiry *q)
{
    const zf_matrix *matrix = &q->features.matrix;
    cli_progress progress;
    zf_evidence_options wish = understand(q);
    CLI_TRY(cli_check(zf_evidence_count(&q->units, matrix->rows, &wish)));
    q->tests = malloc((size_t)q->n_targets * others(q) * sizeof *q->tests);
    if (!q->tests) return cli_fail(CLI_FAILED, "out of memory");
    cli_progress_begin(&progress, q->call);
    cli_progress_stage(&progress, "Testing");
    if (matrix->columns > LONG_COLUMNS) wish.report = cli_progress_report(&progress);
    zf_status status =
        zf_evidence_test_targets(q->tests, matrix->values, matrix->rows, q->features.names,
                                 matrix->columns, q->targets, (size_t)q->n_targets, &wish);
    cli_progress_end(&progress);
    cli_exit exit = cli_check(status);
    if (exit == CLI_INPUT) cli_fail(exit, "%s: %s", q->call->arguments[DATA].text, zf_error());
    return exit;
}

/* How many of a target's columns are decided on: they are its first. */
static size_t count_decided(const inquiry *q, int target)
{
    const zf_target_test *tests = q->tests + (size_t)target * others(q);
    size_t n = 0;
    while (n < others(q) && tests[n].found.q_value <= fdr(q)) n++;
    return n;
}

static const char *name(const inquiry *q, int32_t column)
{
    return q->features.names[column];
}

static json_t *test_json(const inquiry *q, const zf_target_test *t)
{
    const zf_pair_evidence *found = &t->found;
    return json_pack("{s:o s:o s:o s:o s:s s:o s:o s:b s:o}", "column",
                     cli_json_text(name(q, t->column)), "p_value", cli_json_number(found->p_value),
                     "q_value", cli_json_number(found->q_value), "effect",
                     cli_json_number(found->effect), "form", zf_form_name(found->form), "third",
                     cli_json_text(found->third >= 0 ? name(q, found->third) : NULL), "bent",
                     cli_json_text(found->curved >= 0 ? name(q, found->curved) : NULL), "decided",
                     found->q_value <= fdr(q), "alone", cli_json_number(t->alone));
}

static json_t *target_json(const inquiry *q, int target)
{
    json_t *tests = json_array();
    for (size_t i = 0; i < others(q); i++)
        if (json_array_append_new(tests, test_json(q, &q->tests[(size_t)target * others(q) + i])) !=
            0) {
            json_decref(tests);
            return NULL;
        }
    return json_pack("{s:o s:I s:o}", "target", cli_json_text(name(q, q->targets[target])),
                     "decided", (json_int_t)count_decided(q, target), "tests", tests);
}

static cli_exit print_json(const inquiry *q)
{
    json_t *targets = json_array();
    for (int k = 0; k < q->n_targets; k++)
        if (json_array_append_new(targets, target_json(q, k)) != 0) {
            json_decref(targets);
            return cli_fail(CLI_FAILED, "out of memory");
        }
    return cli_print_json(q->call, json_pack("{s:I s:I s:I s:I s:o s:o s:o}", "rows_used",
                                             (json_int_t)q->features.matrix.rows, "units",
                                             (json_int_t)q->units, "rows_dropped",
                                             (json_int_t)q->features.matrix.dropped, "columns_used",
                                             (json_int_t)q->features.matrix.columns, "dropped",
                                             cli_features_dropped(&q->features), "fdr",
                                             cli_json_number(fdr(q)), "targets", targets));
}

static void print_row(const inquiry *q, const zf_target_test *t, int width)
{
    FILE *out = q->call->out;
    const zf_pair_evidence *found = &t->found;
    fputs("  ", out);
    cli_fit(out, name(q, t->column), width, false);
    fprintf(out, "  %8.2g  %8.2g  %+6.3f  %+6.3f  ", found->p_value, found->q_value, found->effect,
            t->alone);
    cli_print_form(out, found->form, found->third >= 0 ? name(q, found->third) : NULL);
    if (found->curved == t->column) {
        fputs(", as a function of ", out);
        cli_clean(out, name(q, t->target));
    }
    fputc('\n', out);
}

static void print_target(const inquiry *q, int target)
{
    enum { NAME_LEAST = 6, NAME_MOST = 32, SHOWN_MOST = 60 };
    FILE *out = q->call->out;
    const zf_target_test *tests = q->tests + (size_t)target * others(q);
    size_t decided = count_decided(q, target), shown = others(q);
    if (shown > SHOWN_MOST) shown = decided + 10 < SHOWN_MOST ? SHOWN_MOST : decided + 10;
    if (shown > others(q)) shown = others(q);
    int width = NAME_LEAST;
    for (size_t i = 0; i < shown; i++) {
        int w = cli_width(name(q, tests[i].column));
        width = w > width ? w : width;
    }
    width = width < NAME_MOST ? width : NAME_MOST;
    fputs(cli_bold(), out);
    cli_clean(out, name(q, q->targets[target]));
    fprintf(out, "%s: %s of %s tell something about it, given the rest\n", cli_plain(),
            cli_count(decided).text, cli_plural(others(q), "other column").text);
    fprintf(out, "(%s", cli_plural(q->features.matrix.rows, "row").text);
    if (q->units != q->features.matrix.rows)
        fprintf(out, " in %s", cli_units_text(units_of(q), q->units).text);
    fprintf(out, ", at a false discovery rate of %g)\n\n", fdr(q));
    fprintf(out, "  %-*s  %8s  %8s  %6s  %6s  form\n", width, "column", "p-value", "q-value",
            "effect", "alone");
    for (size_t i = 0; i < shown; i++) {
        if (i == decided) fprintf(out, "  left out, as it may be chance:\n");
        print_row(q, &tests[i], width);
    }
    if (shown < others(q)) fprintf(out, "  and %s\n", cli_plural(others(q) - shown, "other").text);
}

static cli_exit show(const inquiry *q)
{
    const cli_call *call = q->call;
    const char *path = call->values[OUTPUT].text;
    size_t n = (size_t)q->n_targets * others(q), length;
    bool guard = call->values[GUARD].flag, file = path && !cli_is_standard_output(path);
    if (file)
        CLI_TRY(
            cli_check(zf_target_tests_write(path, q->tests, n, q->features.names, fdr(q), guard)));
    if (call->json) return print_json(q);
    if (!file && (call->values[CSV].flag || path)) {
        char *text;
        CLI_TRY(cli_check(
            zf_target_tests_encode(&text, &length, q->tests, n, q->features.names, fdr(q), guard)));
        cli_print_data(call, text, length);
        free(text);
        return CLI_DONE;
    }
    for (int k = 0; k < q->n_targets; k++) {
        if (k) fputc('\n', call->out);
        print_target(q, k);
    }
    return CLI_DONE;
}

static cli_exit check_options(const cli_call *call)
{
    const cli_value *values = call->values;
    const char *path = values[OUTPUT].text;
    bool csv = values[CSV].flag || path;
    if (call->json && csv && (!path || cli_is_standard_output(path)))
        return cli_fail(CLI_USAGE, "--json and --csv exclude each other without -o FILE");
    if (values[GUARD].flag && !csv)
        return cli_fail(CLI_USAGE, "--guard-formulas is for CSV: --csv or -o FILE");
    if (path && cli_is_figure_name(path))
        return cli_fail(CLI_USAGE, "option --output: expected a name for CSV, found \"%s\"", path);
    return CLI_DONE;
}

static cli_exit inquire(inquiry *q)
{
    const cli_call *call = q->call;
    CLI_TRY(check_options(call));
    CLI_TRY(cli_units_check(units_of(q)));
    CLI_TRY(cli_read_grouped(&q->features, call, &call->values[FEATURES],
                             units_of(q)[CLI_GROUPS].text, call->arguments[DATA].text));
    CLI_TRY(find_targets(q));
    cli_features_doubt(&q->features, call);
    CLI_TRY(cli_units_doubt(call, units_of(q), &q->features.matrix));
    CLI_TRY(test(q));
    return show(q);
}

static cli_exit run(const cli_call *call)
{
    inquiry q = {.call = call};
    cli_exit exit = inquire(&q);
    cli_features_free(&q.features);
    free(q.targets);
    free(q.tests);
    return exit;
}

const cli_command cli_command_tests = {
    .name = "tests",
    .summary = "test a column against each other one, given the rest",
    .description =
        "For each target: does another column still tell something about it, once everything "
        "else that matters is known? The columns are listed by their p-values, with the q-value "
        "(the share of false ones to expect among those as strong, of this target), the "
        "correlation behind the strongest sign of dependence, and what it looks like: rising, "
        "falling, U-shaped, hill, spread, curved, or an interaction with a third column. \"alone\" "
        "is "
        "the correlation of the two by themselves: where it is large and so is the p-value, other "
        "columns tell the same.\n\n"
        "These are the tests by which zeroflow fit decides on edges; no model is needed.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
