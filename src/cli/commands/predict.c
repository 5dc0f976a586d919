/* zeroflow predict: how well a blanket predicts its targets, beside all columns and none. */
#include "zeroflow/predict.h"

#include <stdlib.h>
#include <string.h>

#include "blanket_input.h"
#include "feature_input.h"
#include "progress.h"
#include "terminal.h"
#include "text.h"
#include "unit_input.h"
#include "zeroflow/evidence.h"
#include "zeroflow/independence.h"

enum { DATA };
enum {
    TARGET,
    MODEL,
    BLANKET,
    TEST,
    FOLDS,
    RULE,
    UNITS = RULE + CLI_BLANKET_OPTIONS,
    VARIABLES = UNITS + CLI_UNIT_OPTIONS,
    END = VARIABLES + CLI_FEATURE_OPTIONS
};
enum { ALL, OWN, NONE, SETS }; /* what the targets are predicted from */

static const cli_option arguments[] = {
    [DATA] = {"DATA", .type = CLI_FILE, .help = CLI_TABLE_ARGUMENT_HELP},
    {NULL},
};

static const cli_option options[] = {
    [TARGET] = {"target", 't', CLI_LIST, "LIST",
                .help = "The columns to predict, by name, between commas. Needed."},
    [MODEL] = {"model", 'm', CLI_FILE, "MODEL",
               .help =
                   "A model that zeroflow fit has written: its blanket of the targets is tried, "
                   "and its variables are all columns. This or --blanket is needed."},
    [BLANKET] = {"blanket", 'b', CLI_LIST, "LIST", .otherwise = "the model's own",
                 .help = "The blanket to try."},
    [TEST] = {"test", .type = CLI_FILE, .placeholder = "FILE",
              .otherwise = "rows of DATA are held out in turn",
              .help = "Rows to predict, from a regression on all of DATA."},
    [FOLDS] = {"folds", .type = CLI_WHOLE, .placeholder = "N", .fallback = "5", .least = 2,
               .most = 100,
               .help = "Parts of the rows that are held out in turn; with --test, parts of its "
                       "rows, for the errors."},
    CLI_BLANKET_OPTION_LIST(RULE),
    CLI_UNIT_OPTION_LIST(UNITS, ", and each is kept in one fold"),
    CLI_FEATURE_OPTION_LIST(VARIABLES),
    [END] = {NULL},
};

static const cli_example examples[] = {
    {"zeroflow predict cells.csv --target PKA --blanket Raf,Mek",
     "Are Raf and Mek enough for PKA?"},
    {"zeroflow predict cells.csv --model cells.model --target PKA --test fresh.csv --json",
     "The blanket of a model, on rows that it has not seen."},
    {NULL},
};

typedef struct contest {
    const cli_call *call;
    zf_blanket *model; /* NULL: none */
    cli_features variables;
    const char **names; /* all columns that take part */
    size_t columns;
    int32_t *targets, *members, *others; /* places among them */
    int n_targets, n_members, n_others;
    double *values; /* rows of DATA, then those of --test */
    double *groups; /* of the rows; NULL: no groups */
    size_t rows, dropped, tested;
    size_t units;           /* rows, groups or blocks among those that are predicted */
    bool trained;           /* the rows that are predicted are those that the model was fitted to */
    zf_prediction *results; /* [targets, SETS] */
} contest;

static const char *name_at(const void *contest_, int i)
{
    return ((const contest *)contest_)->names[i];
}

static int find_at(const void *contest_, const char *wanted)
{
    const contest *c = contest_;
    for (size_t i = 0; i < c->columns; i++)
        if (strcmp(c->names[i], wanted) == 0) return (int)i;
    return -1;
}

static cli_names names_of(const contest *c)
{
    return (cli_names){.of = c,
                       .count = (int)c->columns,
                       .name = name_at,
                       .find = find_at,
                       .owner = c->model ? "the model" : c->call->arguments[DATA].text,
                       .noun = c->model ? "variable" : "column"};
}

/* --- tables ---------------------------------------------------------------------------- */

/* Makes *list, of n numbers, longer by `added` ones. */
static cli_exit lengthen(double **list, size_t n, const double *more, size_t added)
{
    double *grown = realloc(*list, (n + added) * sizeof *grown);
    if (!grown) return cli_fail(CLI_FAILED, "out of memory");
    memcpy(grown + n, more, added * sizeof *grown);
    *list = grown;
    return CLI_DONE;
}

static cli_exit append(contest *c, const zf_matrix *more)
{
    CLI_TRY(lengthen(&c->values, c->rows * c->columns, more->values, more->rows * c->columns));
    if (more->groups) CLI_TRY(lengthen(&c->groups, c->rows, more->groups, more->rows));
    c->rows += more->rows;
    c->dropped += more->dropped;
    return CLI_DONE;
}

/* The column of groups; NULL: there is none. */
static const char *groups_of(const contest *c)
{
    return c->call->values[UNITS + CLI_GROUPS].text;
}

/* Reads a table's columns by the names that take part. */
static cli_exit read_named(contest *c, const char *path)
{
    zf_table *table = NULL;
    zf_matrix matrix = {0};
    const cli_value *variables = &c->call->values[VARIABLES];
    CLI_TRY(cli_read_columns(&table, variables + CLI_FEATURE_TABLE, NULL, groups_of(c), path));
    cli_exit exit = cli_take_named(&matrix, c->call, table, path, c->names, c->columns, variables);
    if (exit == CLI_DONE) exit = append(c, &matrix);
    zf_matrix_free(&matrix);
    zf_table_free(table);
    return exit;
}

static cli_exit take_model_names(contest *c)
{
    const cli_value *values = c->call->values;
    for (int i = 0; i < CLI_COLUMN_OPTIONS; i++)
        if (values[VARIABLES + CLI_FEATURE_COLUMNS + i].given)
            return cli_fail(CLI_USAGE,
                            "--%s and --model exclude each other: the model has its columns",
                            options[VARIABLES + CLI_FEATURE_COLUMNS + i].name);
    CLI_TRY(cli_check(zf_blanket_load(&c->model, values[MODEL].text)));
    c->columns = (size_t)zf_blanket_variables(c->model);
    c->names = malloc(c->columns * sizeof *c->names);
    if (!c->names) return cli_fail(CLI_FAILED, "out of memory");
    for (size_t i = 0; i < c->columns; i++) c->names[i] = zf_blanket_name(c->model, (int)i);
    if (groups_of(c) && find_at(c, groups_of(c)) >= 0)
        return cli_fail(CLI_USAGE,
                        "--groups: \"%s\" is a variable of the model, expected a column that "
                        "is none",
                        groups_of(c));
    return CLI_DONE;
}

static cli_exit read_rows(contest *c)
{
    const cli_call *call = c->call;
    const char *path = call->arguments[DATA].text, *test = call->values[TEST].text;
    if (c->model) {
        CLI_TRY(read_named(c, path));
    } else {
        CLI_TRY(
            cli_read_grouped(&c->variables, call, &call->values[VARIABLES], groups_of(c), path));
        c->columns = c->variables.matrix.columns;
        c->names = malloc(c->columns * sizeof *c->names);
        if (!c->names) return cli_fail(CLI_FAILED, "out of memory");
        memcpy(c->names, c->variables.names, c->columns * sizeof *c->names);
        CLI_TRY(append(c, &c->variables.matrix));
    }
    size_t fitted = c->rows;
    if (test) CLI_TRY(read_named(c, test));
    c->tested = c->rows - fitted;
    size_t first = test ? fitted : 0;
    zf_evidence_options units = zf_evidence_defaults();
    units.groups = c->groups ? c->groups + first : NULL;
    units.block = cli_units_block(&call->values[UNITS]);
    CLI_TRY(cli_check(zf_evidence_count(&c->units, c->rows - first, &units)));
    if (!c->model) return CLI_DONE;
    return cli_check(zf_blanket_trained_on(&c->trained, c->model, c->values + first * c->columns,
                                           c->rows - first));
}

/* --- columns --------------------------------------------------------------------------- */

static bool is_in(int32_t column, const int32_t *list, int n)
{
    for (int i = 0; i < n; i++)
        if (list[i] == column) return true;
    return false;
}

static cli_exit find_once(int32_t **found, int *n, const contest *c, int option, const char *label)
{
    cli_names names = names_of(c);
    CLI_TRY(cli_find_names(found, n, &names, &c->call->values[option], label));
    for (int i = 0; i < *n; i++)
        if (is_in((*found)[i], *found, i))
            return cli_fail(CLI_USAGE, "%s: \"%s\" is named twice", label, c->names[(*found)[i]]);
    return CLI_DONE;
}

static cli_exit ask_model(contest *c)
{
    cli_members members = {0};
    cli_asked asked = {c->model, c->call->values[MODEL].text, c->targets, c->n_targets};
    CLI_TRY(cli_ask_blanket(&members, &asked, &c->call->values[RULE]));
    c->members = malloc(((size_t)members.n + 1) * sizeof *c->members);
    for (int i = 0; c->members && i < members.n; i++)
        c->members[c->n_members++] = members.list[i].variable;
    free(members.list);
    return c->members ? CLI_DONE : cli_fail(CLI_FAILED, "out of memory");
}

static cli_exit find_columns(contest *c)
{
    CLI_TRY(find_once(&c->targets, &c->n_targets, c, TARGET, "--target"));
    if (c->call->values[BLANKET].given)
        CLI_TRY(find_once(&c->members, &c->n_members, c, BLANKET, "--blanket"));
    else
        CLI_TRY(ask_model(c));
    for (int i = 0; i < c->n_members; i++)
        if (is_in(c->members[i], c->targets, c->n_targets))
            return cli_fail(CLI_USAGE, "--blanket: \"%s\" is a target and cannot predict itself",
                            c->names[c->members[i]]);
    c->others = malloc(c->columns * sizeof *c->others);
    if (!c->others) return cli_fail(CLI_FAILED, "out of memory");
    for (size_t j = 0; j < c->columns; j++)
        if (!is_in((int32_t)j, c->targets, c->n_targets)) c->others[c->n_others++] = (int32_t)j;
    return CLI_DONE;
}

static cli_exit check_options(const cli_call *call)
{
    const cli_value *values = call->values;
    bool rule = values[RULE + CLI_FDR].given || values[RULE + CLI_THRESHOLD].given ||
                values[RULE + CLI_TOP].given;
    if (!values[MODEL].given && !values[BLANKET].given)
        return cli_fail(CLI_USAGE, "which blanket? Name its columns by --blanket, or a model by "
                                   "--model");
    if (values[BLANKET].given && rule)
        return cli_fail(CLI_USAGE, "--blanket excludes --fdr, --threshold and --top, which choose "
                                   "the model's blanket");
    return CLI_DONE;
}

static cli_exit predict(contest *c)
{
    zf_predict_options wish = zf_predict_defaults();
    const zf_inputs sets[SETS] = {[ALL] = {c->others, (size_t)c->n_others},
                                  [OWN] = {c->members, (size_t)c->n_members},
                                  [NONE] = {NULL, 0}};
    wish.folds = (int)c->call->values[FOLDS].whole;
    wish.seed = c->call->seed;
    wish.threads = c->call->threads;
    wish.groups = c->groups;
    wish.block = cli_units_block(&c->call->values[UNITS]);
    c->results = malloc((size_t)c->n_targets * SETS * sizeof *c->results);
    if (!c->results) return cli_fail(CLI_FAILED, "out of memory");
    for (int k = 0; k < c->n_targets; k++) {
        cli_exit exit =
            cli_check(zf_predict(c->results + k * SETS, c->values, c->rows, c->names, c->columns,
                                 c->targets[k], sets, SETS, c->tested, &wish));
        if (exit == CLI_INPUT) cli_fail(exit, "%s: %s", c->call->arguments[DATA].text, zf_error());
        CLI_TRY(exit);
    }
    return CLI_DONE;
}

/* --- what is said ---------------------------------------------------------------------- */

static json_t *measure_json(const zf_estimate *m)
{
    return json_pack("{s:o s:o}", "value", cli_json_number(m->value), "error",
                     cli_json_number(m->error));
}

static json_t *set_json(const contest *c, int target, int set)
{
    const zf_prediction *r = &c->results[target * SETS + set];
    int columns = set == ALL ? c->n_others : set == OWN ? c->n_members : 0;
    return json_pack("{s:i s:o s:o s:o s:o}", "columns", columns, "r2", measure_json(&r->r2),
                     "less_than_all", measure_json(&r->less), "accuracy",
                     r->two_valued ? measure_json(&r->accuracy) : json_null(), "auc",
                     r->two_valued ? measure_json(&r->auc) : json_null());
}

static json_t *target_json(const contest *c, int target)
{
    return json_pack("{s:o s:o s:o s:o}", "target", cli_json_text(c->names[c->targets[target]]),
                     "all", set_json(c, target, ALL), "blanket", set_json(c, target, OWN), "none",
                     set_json(c, target, NONE));
}

static cli_exit print_json(const contest *c)
{
    json_t *targets = json_array();
    cli_names names = names_of(c);
    for (int k = 0; k < c->n_targets; k++)
        if (json_array_append_new(targets, target_json(c, k)) != 0) {
            json_decref(targets);
            return cli_fail(CLI_FAILED, "out of memory");
        }
    return cli_print_json(
        c->call, json_pack("{s:o s:I s:I s:I s:I s:i s:o s:o}", "blanket",
                           cli_names_json(&names, c->members, c->n_members), "rows_used",
                           (json_int_t)(c->rows - c->tested), "rows_tested",
                           (json_int_t)(c->tested ? c->tested : c->rows), "units",
                           (json_int_t)c->units, "rows_dropped", (json_int_t)c->dropped, "folds",
                           (int)c->call->values[FOLDS].whole, "trained",
                           c->model ? json_boolean(c->trained) : json_null(), "targets", targets));
}

static void print_measure(FILE *out, const zf_estimate *m)
{
    fprintf(out, "  %6.3f +- %5.3f", m->value, m->error);
}

static void print_target(const contest *c, int target)
{
    static const char *const labels[SETS] = {"all columns", "blanket", "none"};
    FILE *out = c->call->out;
    const zf_prediction *r = &c->results[target * SETS];
    const zf_estimate *less = &r[OWN].less;
    fputs(cli_bold(), out);
    cli_clean(out, c->names[c->targets[target]]);
    fprintf(out, "%s\n  %-11s  columns   R2", cli_plain(), "");
    if (r->two_valued) fprintf(out, "               AUC              accuracy");
    fputc('\n', out);
    for (int set = 0; set < SETS; set++) {
        int columns = set == ALL ? c->n_others : set == OWN ? c->n_members : 0;
        fprintf(out, "  %-11s  %7d", labels[set], columns);
        print_measure(out, &r[set].r2);
        if (r->two_valued) print_measure(out, &r[set].auc);
        if (r->two_valued) print_measure(out, &r[set].accuracy);
        fputc('\n', out);
    }
    fprintf(out, "  all columns explain %.3f +- %.3f more than the blanket: %s\n", less->value,
            less->error,
            less->value > 2 * less->error ? "it is not enough" : "no sign that it is not enough");
}

static void print_text(const contest *c)
{
    FILE *out = c->call->out;
    cli_names names = names_of(c);
    fprintf(out, "%sBlanket%s  ", cli_bold(), cli_plain());
    if (c->n_members == 0) fputs("empty", out);
    cli_print_names(out, &names, c->members, c->n_members);
    fprintf(out, "\n%sRows%s     ", cli_bold(), cli_plain());
    if (c->tested)
        fprintf(out, "%s fitted, %s predicted", cli_count(c->rows - c->tested).text,
                cli_count(c->tested).text);
    else
        fprintf(out, "%s, each predicted from %d of %d folds", cli_count(c->rows).text,
                (int)c->call->values[FOLDS].whole - 1, (int)c->call->values[FOLDS].whole);
    if (c->units != (c->tested ? c->tested : c->rows))
        fprintf(out, "; %s, none of them cut",
                cli_units_text(&c->call->values[UNITS], c->units).text);
    fputs("\n\n", out);
    for (int k = 0; k < c->n_targets; k++) {
        if (k) fputc('\n', out);
        print_target(c, k);
    }
    fputs("\nR2: share of the variance that is explained, +- its standard error; by ridge\n"
          "regression on normal scores, functions of these and products, the same for all.\n",
          out);
}

static cli_exit work(contest *c)
{
    CLI_TRY(check_options(c->call));
    CLI_TRY(cli_units_check(&c->call->values[UNITS]));
    if (c->call->values[MODEL].given) CLI_TRY(take_model_names(c));
    CLI_TRY(read_rows(c));
    CLI_TRY(find_columns(c));
    CLI_TRY(predict(c));
    if (c->trained && !c->call->values[BLANKET].given)
        cli_warn(c->call,
                 "these are the rows by which the model's blanket was chosen, so that it looks "
                 "better than it is; use rows that were held out, by --test");
    if (c->call->json) return print_json(c);
    print_text(c);
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    contest c = {.call = call};
    cli_exit exit = work(&c);
    free(c.results);
    free(c.values);
    free(c.groups);
    free(c.others);
    free(c.members);
    free(c.targets);
    free(c.names);
    cli_features_free(&c.variables);
    zf_blanket_free(c.model);
    return exit;
}

const cli_command cli_command_predict = {
    .name = "predict",
    .summary = "how well a blanket predicts its targets, beside all columns and none",
    .description =
        "Predicts each target on rows that were held out, from a blanket, from all columns but the "
        "targets, and from none (the mean). If all columns explain more than the blanket, beyond "
        "the error, it is not enough.\n\n"
        "The regression is a plain one and the same for all three: ridge regression on normal "
        "scores, functions of these and products, as far as the rows allow. It says what the "
        "columns tell, not what the best predictor would reach. A blanket that was chosen by the "
        "rows on which it is tried looks better than it is: hold rows out by --test (zeroflow "
        "split makes them).",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
