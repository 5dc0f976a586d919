/* zeroflow tests: a target against every other column, given the rest. */
#include <stdlib.h>

#include "feature_input.h"
#include "finding.h"
#include "gather.h"
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
    PLOT,
    UNITS,
    VARIABLES = UNITS + CLI_UNIT_OPTIONS,
    END = VARIABLES + CLI_FEATURE_OPTIONS
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
    [PLOT] = {"plot", .type = CLI_OUTPUT, .placeholder = "FILE",
              .help = "Draw what was found, as .svg or .png: the columns with their q-values and, "
                      "of up to six that are decided on, what is left of the two once other "
                      "columns are taken away."},
    CLI_UNIT_OPTION_LIST(UNITS, ""),
    CLI_FEATURE_OPTION_LIST(VARIABLES),
    [END] = {NULL},
};

static const cli_example examples[] = {
    {"zeroflow tests cells.csv PKA", "What has to do with PKA, once all else is known."},
    {"zeroflow tests cells.csv PKA Mek --fdr 0.05 -o tests.csv", "Two targets, as a table."},
    {"zeroflow tests cells.csv PKA --plot tests.svg", "What it looks like."},
    {NULL},
};

typedef struct inquiry {
    const cli_call *call;
    cli_features variables;
    int32_t *targets; /* columns of the matrix */
    int n_targets;
    size_t units;          /* rows, groups or blocks that are independent */
    zf_target_test *tests; /* [targets, columns - 1] */
} inquiry;

static size_t others(const inquiry *q)
{
    return q->variables.matrix.columns - 1;
}

static double fdr(const inquiry *q)
{
    return q->call->values[FDR].real;
}

/* The place in the matrix of a column of the table. CLI_INPUT: it cannot be used. */
static cli_exit find_place(int32_t *place, const inquiry *q, int32_t column)
{
    const zf_column *target = zf_table_column(q->variables.table, (size_t)column);
    *place = 0;
    if (!target->used)
        return cli_fail(CLI_INPUT, "%s: column \"%s\" cannot be a target: %s",
                        q->call->arguments[DATA].text, target->name, target->note);
    for (int32_t i = 0; i < column; i++)
        *place += zf_table_column(q->variables.table, (size_t)i)->used;
    return CLI_DONE;
}

static cli_exit find_targets(inquiry *q)
{
    cli_names names = cli_table_names(q->variables.table, q->call->arguments[DATA].text);
    CLI_TRY(
        cli_find_names(&q->targets, &q->n_targets, &names, &q->call->arguments[TARGET], "TARGET"));
    for (int k = 0; k < q->n_targets; k++) {
        for (int i = 0; i < k; i++)
            if (q->targets[i] == q->targets[k])
                return cli_fail(CLI_USAGE, "target \"%s\" is named twice",
                                names.name(names.of, q->targets[k]));
    }
    if (q->call->values[PLOT].text && q->n_targets > ZF_FINDINGS_MOST)
        return cli_fail(CLI_USAGE, "--plot is for up to %d targets, found %d", ZF_FINDINGS_MOST,
                        q->n_targets);
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
    wish.groups = q->variables.matrix.groups;
    wish.block = cli_units_block(units_of(q));
    return wish;
}

static cli_exit test(inquiry *q)
{
    const zf_matrix *matrix = &q->variables.matrix;
    cli_progress progress;
    zf_evidence_options wish = understand(q);
    CLI_TRY(cli_check(zf_evidence_count(&q->units, matrix->rows, &wish)));
    q->tests = malloc((size_t)q->n_targets * others(q) * sizeof *q->tests);
    if (!q->tests) return cli_fail(CLI_FAILED, "out of memory");
    cli_progress_begin(&progress, q->call);
    cli_progress_stage(&progress, "Testing");
    if (matrix->columns > LONG_COLUMNS) wish.report = cli_progress_report(&progress);
    zf_status status =
        zf_evidence_test_targets(q->tests, matrix->values, matrix->rows, q->variables.names,
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
    return q->variables.names[column];
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
    return cli_print_json(
        q->call, json_pack("{s:I s:I s:I s:I s:o s:o s:o s:o}", "rows_used",
                           (json_int_t)q->variables.matrix.rows, "units", (json_int_t)q->units,
                           "rows_dropped", (json_int_t)q->variables.matrix.dropped, "columns_used",
                           (json_int_t)q->variables.matrix.columns, "dropped",
                           cli_features_dropped(&q->variables), "fdr", cli_json_number(fdr(q)),
                           "plot", cli_json_text(q->call->values[PLOT].text), "targets", targets));
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
    fprintf(out, "(%s", cli_plural(q->variables.matrix.rows, "row").text);
    if (q->units != q->variables.matrix.rows)
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

/* --- the figure ------------------------------------------------------------------------- */

enum { BARS_SHOWN = 30, PANELS = 6 };

/* What is drawn of one target. */
typedef struct sheet {
    zf_bar list[BARS_SHOWN];
    zf_bars bars;
    cli_gathered title;
    zf_portrait_panel panels[PANELS];
    size_t n_panels;
} sheet;

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

static cli_exit set_out(sheet *s, const inquiry *q, int target)
{
    static const double CUT = 15; /* zeros: smaller p-values are beyond doubt anyway */
    const zf_target_test *tests = q->tests + (size_t)target * others(q);
    size_t decided = count_decided(q, target), n = least_of(others(q), BARS_SHOWN);
    for (size_t i = 0; i < n; i++) {
        const zf_pair_evidence *found = &tests[i].found;
        s->list[i] = (zf_bar){.name = name(q, tests[i].column),
                              .length = cli_zeros(found->q_value),
                              .strong = i < decided,
                              .p_value = found->p_value,
                              .form = i < decided ? found->form : ZF_FORM_NONE,
                              .third = found->third >= 0 ? name(q, found->third) : NULL};
    }
    if (cli_gather(&s->title)) {
        fprintf(s->title.out, "%s: %s of %s tell something about it, given the rest",
                name(q, q->targets[target]), cli_count(decided).text,
                cli_plural(others(q), "other column").text);
        if (n < others(q)) fprintf(s->title.out, " (%zu are shown)", n);
    }
    if (!cli_gather_end(&s->title)) return cli_fail(CLI_FAILED, "out of memory");
    s->bars = (zf_bars){.title = s->title.text,
                        .label = "-log10 of the q-value (1 is 0.1, 2 is 0.01)",
                        .bars = s->list,
                        .n = n,
                        .mark = cli_zeros(fdr(q)),
                        .mark_name = "decided from here on",
                        .most = CUT};
    return CLI_DONE;
}

/* The portraits of a target's strongest columns. */
static void hang(sheet *s, const inquiry *q, int target, const zf_portrait *portraits)
{
    const zf_target_test *tests = q->tests + (size_t)target * others(q);
    for (size_t i = 0; i < s->n_panels; i++) {
        zf_portrait_panel panel = {&portraits[i], tests[i].found.p_value, q->variables.names,
                                   "the rest"};
        s->panels[i] = panel;
    }
}

static cli_exit paint(const inquiry *q, sheet *sheets, zf_target_test *chosen,
                      zf_portrait *portraits, zf_findings *findings)
{
    const zf_matrix *matrix = &q->variables.matrix;
    zf_evidence_options wish = understand(q);
    zf_figure figure = {0};
    size_t n = 0;
    for (int k = 0; k < q->n_targets; k++) {
        sheets[k].n_panels = least_of(count_decided(q, k), PANELS);
        CLI_TRY(set_out(&sheets[k], q, k));
        for (size_t i = 0; i < sheets[k].n_panels; i++)
            chosen[n++] = q->tests[(size_t)k * others(q) + i];
    }
    CLI_TRY(cli_check(zf_target_portraits(portraits, matrix->values, matrix->rows,
                                          q->variables.names, matrix->columns, chosen, n, &wish)));
    for (int k = 0; k < q->n_targets; k++) {
        hang(&sheets[k], q, k, portraits);
        portraits += sheets[k].n_panels;
        findings[k] = (zf_findings){&sheets[k].bars, 1, sheets[k].panels, sheets[k].n_panels};
    }
    return cli_check(
        zf_plot_findings(q->call->values[PLOT].text, &figure, findings, (size_t)q->n_targets));
}

static cli_exit draw(const inquiry *q)
{
    sheet *sheets;
    zf_findings findings[ZF_FINDINGS_MOST];
    zf_portrait portraits[ZF_FINDINGS_MOST * PANELS] = {0};
    zf_target_test chosen[ZF_FINDINGS_MOST * PANELS];
    if (!q->call->values[PLOT].text) return CLI_DONE;
    sheets = calloc((size_t)q->n_targets, sizeof *sheets);
    if (!sheets) return cli_fail(CLI_FAILED, "out of memory");
    cli_exit exit = paint(q, sheets, chosen, portraits, findings);
    for (int k = 0; k < q->n_targets; k++) free(sheets[k].title.text);
    for (size_t i = 0; i < ZF_FINDINGS_MOST * PANELS; i++) zf_portrait_free(&portraits[i]);
    free(sheets);
    return exit;
}

static cli_exit show(const inquiry *q)
{
    const cli_call *call = q->call;
    const char *path = call->values[OUTPUT].text;
    size_t n = (size_t)q->n_targets * others(q), length;
    bool guard = call->values[GUARD].flag, file = path && !cli_is_standard_output(path);
    if (file)
        CLI_TRY(
            cli_check(zf_target_tests_write(path, q->tests, n, q->variables.names, fdr(q), guard)));
    if (call->json) return print_json(q);
    if (!file && (call->values[CSV].flag || path)) {
        char *text;
        CLI_TRY(cli_check(zf_target_tests_encode(&text, &length, q->tests, n, q->variables.names,
                                                 fdr(q), guard)));
        cli_print_data(call, text, length);
        free(text);
        return CLI_DONE;
    }
    for (int k = 0; k < q->n_targets; k++) {
        if (k) fputc('\n', call->out);
        print_target(q, k);
    }
    cli_tell_figure(call, call->values[PLOT].text);
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
    CLI_TRY(cli_check_figure_name(call->values[PLOT].text, "--plot"));
    CLI_TRY(cli_units_check(units_of(q)));
    CLI_TRY(cli_read_grouped(&q->variables, call, &call->values[VARIABLES],
                             units_of(q)[CLI_GROUPS].text, call->arguments[DATA].text));
    CLI_TRY(find_targets(q));
    cli_features_doubt(&q->variables, call);
    CLI_TRY(cli_units_doubt(call, units_of(q), &q->variables.matrix, true));
    CLI_TRY(test(q));
    CLI_TRY(draw(q));
    return show(q);
}

static cli_exit run(const cli_call *call)
{
    inquiry q = {.call = call};
    cli_exit exit = inquire(&q);
    cli_features_free(&q.variables);
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
