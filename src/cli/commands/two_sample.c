/* zeroflow two-sample: are the rows of two files of one law? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "feature_input.h"
#include "output.h"
#include "progress.h"
#include "terminal.h"
#include "text.h"
#include "zeroflow/baseline.h"
#include "zeroflow/two_sample.h"

enum { FIRST, SECOND };
enum { METHOD, MARGINALS, COLUMNS, PERMUTATIONS, POINTS, SPLITS, ITERATIONS, FEATURES };

static const char *const methods[] = {"flow",       "network",    "mmd",    "energy",
                                      "classifier", "mmd-widths", "mmdagg", NULL};
enum { FIRST_PEER = 2 }; /* those from here on are zf_peer's, in its order */

static const char *const marginals[] = {"standard", "normal-scores", "auto", NULL};

static const cli_option arguments[] = {
    [FIRST] = {"A", .type = CLI_FILE, .help = CLI_TABLE_ARGUMENT_HELP},
    [SECOND] = {"B", .type = CLI_FILE, .help = "Another, with the same columns in any order."},
    {NULL},
};

static const cli_option options[] = {
    [METHOD] =
        {"method", .type = CLI_CHOICE, .placeholder = "NAME", .fallback = "flow",
         .choices = methods,
         .help = "flow: the zero-flow criterion with fields in closed form at several "
                 "scales, on all pairs of rows. network: a trained network as field, on pairs of "
                 "held-out rows. For comparison, on columns as they are: mmd, maximum mean "
                 "discrepancy with a Gaussian kernel and the median as its width; energy, "
                 "energy distance; classifier, a network that is to tell the files apart; "
                 "mmd-widths, the sum of kernels of five widths; mmdagg, twenty kernels "
                 "whose smallest p-value is tested."},
    [MARGINALS] = {"marginals", .type = CLI_CHOICE, .placeholder = "KIND", .fallback = "auto",
                   .choices = marginals,
                   .help = "What becomes of each column of both files together: standard, mean 0 "
                           "and deviation 1; normal-scores, ranks to normal quantiles, better "
                           "where a few values are far out; auto, the former for neighbourhoods, "
                           "the latter for the rest."},
    [COLUMNS] = {"columns", .type = CLI_LIST, .placeholder = "LIST", .otherwise = "all",
                 .help = "The columns to compare, between commas."},
    [PERMUTATIONS] = {"permutations", .type = CLI_WHOLE, .placeholder = "N", .fallback = "10000",
                      .least = 19, .most = 1000000,
                      .help = "Other ways to tell the rows into two files that the observed one is "
                              "compared with. If there are no more than that, all are taken."},
    [POINTS] = {"points", .type = CLI_WHOLE, .placeholder = "N", .fallback = "5", .least = 0,
                .most = 1000,
                .help = "Rows of each file to be named that are most unlike the "
                        "other file."},
    [SPLITS] = {"splits", .type = CLI_WHOLE, .placeholder = "K", .fallback = "1", .least = 1,
                .most = 100,
                .help = "network: ways to halve the files; the p-value of more than one is twice "
                        "the mean of theirs, which is valid however they depend on each other."},
    [ITERATIONS] = {"iterations", .type = CLI_WHOLE, .placeholder = "N", .fallback = "1000",
                    .least = 1, .most = 1000000, .help = "network: training steps a split."},
    CLI_NAMED_OPTION_LIST(FEATURES),
    {NULL},
};

static const cli_example examples[] = {
    {"zeroflow two-sample old.csv new.csv", "Whether the new rows are like the old ones."},
    {"zeroflow two-sample old.csv new.csv --columns x1,x2 --permutations 99 --json > t.json",
     "Two columns only, quickly; as JSON."},
    {NULL},
};

/* One of the two files. */
typedef struct sample {
    const char *path;
    zf_table *table;
    size_t *columns; /* of the table, in the order of the first file */
    zf_matrix matrix;
    size_t *row; /* [matrix.rows]: its row of the table */
} sample;

typedef struct comparison {
    const cli_call *call;
    sample side[2];
    const char **names; /* [n]; they belong to the first table */
    size_t n;
    zf_two_sample_result result;
} comparison;

static void comparison_free(comparison *c)
{
    for (int i = 0; i < 2; i++) {
        zf_table_free(c->side[i].table);
        zf_matrix_free(&c->side[i].matrix);
        free(c->side[i].columns);
        free(c->side[i].row);
    }
    free(c->names);
    zf_two_sample_free(&c->result);
}

/* A column of one file that the other has not. */
static cli_exit check_same(const sample *here, const sample *there)
{
    for (size_t i = 0; i < zf_table_columns(here->table); i++) {
        const char *name = zf_table_column(here->table, i)->name;
        if (zf_table_find(there->table, name) < 0)
            return cli_fail(CLI_INPUT,
                            "%s: has no column \"%s\", which %s has; expected the same columns, or "
                            "--columns with those to compare",
                            there->path, name, here->path);
    }
    return CLI_DONE;
}

/* Adds a column that both files have, unless neither has numbers in it. */
static cli_exit add_column(comparison *c, const char *name)
{
    const zf_column *found[2];
    for (int i = 0; i < 2; i++) {
        long at = zf_table_find(c->side[i].table, name);
        if (at < 0) return cli_fail(CLI_INPUT, "%s: has no column \"%s\"", c->side[i].path, name);
        c->side[i].columns[c->n] = (size_t)at;
        found[i] = zf_table_column(c->side[i].table, (size_t)at);
    }
    if (!found[0]->numeric && !found[1]->numeric && c->call->values[COLUMNS].n_list == 0) {
        cli_warn(c->call, "column \"%s\" is left out: %s", name,
                 zf_column_type_name(found[0]->type));
        return CLI_DONE;
    }
    c->names[c->n++] = found[0]->name;
    return CLI_DONE;
}

static cli_exit choose_columns(comparison *c)
{
    const cli_value *wish = &c->call->values[COLUMNS];
    size_t most = zf_table_columns(c->side[0].table) + (size_t)wish->n_list + 1;
    c->names = malloc(most * sizeof *c->names);
    for (int i = 0; i < 2; i++) c->side[i].columns = malloc(most * sizeof *c->side[i].columns);
    if (!c->names || !c->side[0].columns || !c->side[1].columns)
        return cli_fail(CLI_FAILED, "out of memory");
    for (int i = 0; i < wish->n_list; i++) CLI_TRY(add_column(c, wish->list[i]));
    if (wish->n_list > 0) return CLI_DONE;
    CLI_TRY(check_same(&c->side[0], &c->side[1]));
    CLI_TRY(check_same(&c->side[1], &c->side[0]));
    for (size_t i = 0; i < zf_table_columns(c->side[0].table); i++)
        CLI_TRY(add_column(c, zf_table_column(c->side[0].table, i)->name));
    if (c->n > 0) return CLI_DONE;
    return cli_fail(CLI_INPUT, "%s: no column holds numbers, expected one at least",
                    c->side[0].path);
}

/* Which rows of the table the matrix holds: those that have all values. */
static cli_exit find_rows(sample *s, size_t n_columns)
{
    size_t found = 0;
    s->row = malloc((s->matrix.rows + 1) * sizeof *s->row);
    if (!s->row) return cli_fail(CLI_FAILED, "out of memory");
    for (size_t i = 0; i < zf_table_rows(s->table) && found < s->matrix.rows; i++) {
        bool whole = true;
        for (size_t j = 0; whole && j < n_columns; j++)
            whole = !isnan(zf_table_value(s->table, i, s->columns[j]));
        if (whole) s->row[found++] = i;
    }
    return CLI_DONE;
}

static cli_exit read_samples(comparison *c)
{
    const cli_value *values = c->call->values;
    int rule = cli_place_of(values[FEATURES + CLI_MISSING_ROWS].text, cli_missing_rules);
    for (int i = 0; i < 2; i++) {
        c->side[i].path = c->call->arguments[i].text;
        CLI_TRY(cli_read_table(&c->side[i].table, &values[FEATURES + CLI_FEATURE_TABLE],
                               c->side[i].path));
    }
    CLI_TRY(choose_columns(c));
    for (int i = 0; i < 2; i++) {
        sample *s = &c->side[i];
        CLI_TRY(cli_check(
            zf_table_matrix(&s->matrix, s->table, s->columns, c->n, (zf_missing_rule)rule)));
        if (s->matrix.dropped > 0)
            cli_warn(c->call, "%s: %s of %s left out for missing values", s->path,
                     cli_count(s->matrix.dropped).text,
                     cli_plural(zf_table_rows(s->table), "row").text);
        if (s->matrix.rows < ZF_TWO_SAMPLE_LEAST)
            return cli_fail(CLI_INPUT, "%s: expected at least %d rows with all values, found %zu",
                            s->path, ZF_TWO_SAMPLE_LEAST, s->matrix.rows);
        CLI_TRY(find_rows(s, c->n));
    }
    return CLI_DONE;
}

/* The columns by their share, largest first: places in *out, for free(). A peer has no
   shares: *out stays as it is. */
static cli_exit by_share(size_t **out, const comparison *c)
{
    if (!c->result.share) return CLI_DONE;
    size_t *order = malloc(c->n * sizeof *order);
    if (!order) return cli_fail(CLI_FAILED, "out of memory");
    for (size_t i = 0; i < c->n; i++) {
        size_t at = i;
        for (; at > 0 && c->result.share[order[at - 1]] < c->result.share[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    *out = order;
    return CLI_DONE;
}

static json_t *where_json(const comparison *c, const size_t *order)
{
    json_t *list = json_array();
    for (size_t i = 0; order && i < c->n; i++)
        json_array_append_new(list,
                              json_pack("{s:o s:o}", "name", cli_json_text(c->names[order[i]]),
                                        "share", cli_json_number(c->result.share[order[i]])));
    return list;
}

static json_t *points_json(const comparison *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->result.n_points; i++) {
        const zf_two_sample_point *point = &c->result.points[i];
        const sample *s = &c->side[point->second];
        json_array_append_new(
            list, json_pack("{s:s s:o s:I s:o}", "sample", point->second ? "B" : "A", "file",
                            cli_json_text(s->path), "row", (json_int_t)s->row[point->row] + 1,
                            "witness", cli_json_number(point->witness)));
    }
    return list;
}

static cli_exit print_json(const comparison *c, const size_t *order)
{
    const zf_two_sample_result *r = &c->result;
    json_t *json = json_pack(
        "{s:o s:o s:o s:I s:o s:o s:s s:s s:s s:I s:b s:I s:I s:I s:o}", "statistic",
        cli_json_number(r->statistic), "p_value", cli_json_number(r->p_value), "effect",
        cli_json_optional(r->effect), "rows_used", (json_int_t)r->rows_used, "where",
        where_json(c, order), "points", points_json(c), "method", c->call->values[METHOD].text,
        "marginals", c->call->values[MARGINALS].text, "scale", r->scale, "permutations",
        (json_int_t)r->labellings, "enumerated", r->enumerated, "rows_a",
        (json_int_t)c->side[0].matrix.rows, "rows_b", (json_int_t)c->side[1].matrix.rows,
        "rows_dropped", (json_int_t)(c->side[0].matrix.dropped + c->side[1].matrix.dropped),
        "seconds", cli_json_number(r->seconds));
    return cli_print_json(c->call, json);
}

static void print_where(const comparison *c, const size_t *order)
{
    enum { MOST = 10, NAME = 24, BAR = 30 };
    FILE *out = c->call->out;
    fprintf(out, "\n%sWhere%s: each column's share of the flow\n", cli_bold(), cli_plain());
    for (size_t i = 0; i < c->n && i < MOST; i++) {
        double share = c->result.share[order[i]];
        fputs("  ", out);
        cli_fit(out, c->names[order[i]], NAME, false);
        fprintf(out, " %5.1f%%  ", 100 * share);
        for (int j = 0; j < (int)(share * BAR + 0.5); j++) fputs(cli_utf8() ? "█" : "#", out);
        fputc('\n', out);
    }
    if (c->n > MOST) fprintf(out, "  and %s more\n", cli_plural(c->n - MOST, "column").text);
}

static void print_points(const comparison *c)
{
    const zf_two_sample_result *r = &c->result;
    FILE *out = c->call->out;
    if (r->n_points > 0)
        fprintf(out, "\n%sRows%s that are most unlike the other file\n", cli_bold(), cli_plain());
    for (size_t i = 0; i < r->n_points; i++) {
        const sample *s = &c->side[r->points[i].second];
        fputs("  ", out);
        cli_fit(out, s->path, 24, false);
        fprintf(out, " row %-8zu %+.2f\n", s->row[r->points[i].row] + 1, r->points[i].witness);
    }
}

static void print_text(const comparison *c, const size_t *order)
{
    const zf_two_sample_result *r = &c->result;
    FILE *out = c->call->out;
    cli_clean(out, c->side[0].path);
    fprintf(out, " (%s) and ", cli_plural(c->side[0].matrix.rows, "row").text);
    cli_clean(out, c->side[1].path);
    fprintf(out, " (%s), %s\n\n", cli_plural(c->side[1].matrix.rows, "row").text,
            cli_plural(c->n, "column").text);
    fprintf(out, "  p-value    %-9.4g %s (%s%s labellings of the rows)\n", r->p_value,
            r->p_value <= 0.05 ? "one law is hard to believe" : "no sign of a difference",
            r->enumerated ? "all " : "", cli_count(r->labellings).text);
    fprintf(out, "  statistic  %-9.4g%s%s%s\n", r->statistic,
            order ? " mean flow over the pairs" : "", *r->scale ? ", at its loudest scale: " : "",
            r->scale);
    if (!order) return;
    fprintf(out, "  effect     %-9.3g standard deviations between the samples\n", r->effect);
    print_where(c, order);
    print_points(c);
}

static zf_status compare_by_flow(comparison *c, const zf_two_samples *samples, int method,
                                 zf_report report)
{
    const cli_value *values = c->call->values;
    zf_two_sample_options wish = zf_two_sample_defaults((zf_two_sample_method)method);
    wish.marginals = (zf_marginals_kind)cli_place_of(values[MARGINALS].text, marginals);
    wish.permutations = (size_t)values[PERMUTATIONS].whole;
    wish.points = (size_t)values[POINTS].whole;
    wish.splits = (int)values[SPLITS].whole;
    wish.iterations = values[ITERATIONS].whole;
    wish.seed = c->call->seed;
    wish.threads = c->call->threads;
    wish.report = report;
    return zf_two_sample_test(&c->result, samples, &wish);
}

static zf_status compare_by_peer(comparison *c, const zf_two_samples *samples, int method,
                                 zf_report report)
{
    zf_peer_options wish = zf_peer_defaults((zf_peer)(method - FIRST_PEER));
    zf_peer_result result = {0};
    wish.permutations = (size_t)c->call->values[PERMUTATIONS].whole;
    wish.seed = c->call->seed;
    wish.threads = c->call->threads;
    wish.report = report;
    zf_status status = zf_peer_test(&result, samples, &wish);
    c->result = (zf_two_sample_result){
        .statistic = result.statistic,
        .p_value = result.p_value,
        .effect = NAN,
        .rows_used = result.rows_used,
        .labellings = result.labellings,
        .scale = "",
        .seconds = result.seconds,
    };
    return status;
}

static cli_exit compare(comparison *c)
{
    int method = cli_place_of(c->call->values[METHOD].text, methods);
    zf_two_samples samples = {
        .first = c->side[0].matrix.values,
        .second = c->side[1].matrix.values,
        .first_rows = c->side[0].matrix.rows,
        .second_rows = c->side[1].matrix.rows,
        .columns = c->n,
        .names = c->names,
    };
    cli_progress progress;
    zf_report report = cli_progress_report(&progress);
    cli_progress_begin(&progress, c->call);
    zf_status status = method < FIRST_PEER ? compare_by_flow(c, &samples, method, report)
                                           : compare_by_peer(c, &samples, method, report);
    cli_progress_end(&progress);
    cli_exit exit = cli_check(status);
    if (exit == CLI_INPUT)
        cli_fail(exit, "%s, %s: %s", c->side[0].path, c->side[1].path, zf_error());
    return exit;
}

/* An option of one method, given with another, is a mistake. */
static cli_exit check_method(const cli_call *call)
{
    static const int own[] = {SPLITS, ITERATIONS};
    int method = cli_place_of(call->values[METHOD].text, methods);
    for (int i = 0; i < 2; i++)
        if (call->values[own[i]].given && method != ZF_TWO_SAMPLE_NETWORK)
            return cli_fail(CLI_USAGE, "option --%s is for the method network, not for %s",
                            options[own[i]].name, methods[method]);
    if (call->values[MARGINALS].given && method >= FIRST_PEER)
        return cli_fail(CLI_USAGE, "option --marginals: %s takes columns as they are",
                        methods[method]);
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    comparison c = {.call = call};
    size_t *order = NULL;
    if (strcmp(call->arguments[FIRST].text, "-") == 0 &&
        strcmp(call->arguments[SECOND].text, "-") == 0)
        return cli_fail(CLI_USAGE, "A and B cannot both be standard input");
    CLI_TRY(check_method(call));
    cli_exit exit = read_samples(&c);
    if (exit == CLI_DONE) exit = compare(&c);
    if (exit == CLI_DONE) exit = by_share(&order, &c);
    if (exit == CLI_DONE && call->json)
        exit = print_json(&c, order);
    else if (exit == CLI_DONE)
        print_text(&c, order);
    free(order);
    comparison_free(&c);
    return exit;
}

const cli_command cli_command_two_sample = {
    .name = "two-sample",
    .summary = "whether the rows of two files are of one law, and where they differ",
    .description =
        "Tests whether two tables of the same columns are samples of one law. Of every pair of "
        "rows, one from each file, the flow at the middle of the pair is asked which way the "
        "second lies from the first; if the laws are equal the answers cancel. The p-value is the "
        "share of ways to tell the rows into two files of these sizes whose flow is as strong: it "
        "is exact at any number of rows, if rows are independent of each other.\n\n"
        "The flow is looked at on ten scales: drift (means), wide, halves, quarters and eighths "
        "(where rows lie: means, and what share of them is in which cluster), spread (of all "
        "columns together), stretch (the spread of each column), shear (dependence between "
        "columns), near and nearest (whatever differs within small neighbourhoods); and, if "
        "columns have up to ten values, levels (how frequent each is), tables (pairs of columns) "
        "and rows (three columns and more together). The one that speaks loudest is named; that "
        "there are so many is in the p-value.\n\n"
        "statistic is the mean over all pairs of what the fitted field says there. effect is its "
        "root, what chance alone gives taken off: the distance between the samples in standard "
        "deviations along the field. Then each column's share of it, and the rows of each file "
        "that are most unlike the other file, by their number without the header.\n\n"
        "Columns must have the same names in both files, in any order. Columns without numbers in "
        "both are left out with a warning, and so are rows that lack a value.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
