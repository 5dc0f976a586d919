#include "job/two_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "job/answer.h"
#include "zeroflow/baseline.h"

static const char *const methods[] = {"flow",       "network",    "mmd",    "energy",
                                      "classifier", "mmd-widths", "mmdagg", NULL};
enum { FIRST_PEER = 2 }; /* those from here on are zf_peer's, in its order */

/* In the order of zf_marginals_kind. */
static const char *const marginals[] = {"standard", "normal-scores", "auto", NULL};

static const zf_option arguments[] = {
    {"A", .type = ZF_OPTION_FILE, ZF_FIELD(zf_two_sample_values, files[0]), .help = ZF_TABLE_HELP},
    {"B", .type = ZF_OPTION_FILE, ZF_FIELD(zf_two_sample_values, files[1]),
     .help = "Table to compare with, with the same columns in any order."},
    {NULL},
};

static const zf_option options[] = {
    {"method", .type = ZF_OPTION_CHOICE, .placeholder = "NAME",
     ZF_FIELD(zf_two_sample_values, method), .fallback = "flow", .choices = methods,
     .help = "Test to run. flow: the zero-flow criterion with closed-form fields at several "
             "scales, on all pairs of rows. network: a trained network as the field, on pairs of "
             "held-out rows. For comparison, on the columns as they are: mmd, maximum mean "
             "discrepancy with a Gaussian kernel of median width; energy, energy distance; "
             "classifier, a network trained to tell the tables apart; mmd-widths, the sum of "
             "kernels of five widths; mmdagg, the smallest p-value of twenty kernels."},
    {"marginals", .type = ZF_OPTION_CHOICE, .placeholder = "KIND",
     ZF_FIELD(zf_two_sample_values, marginals), .fallback = "auto", .choices = marginals,
     .help = "How each column is transformed, both tables together: standard, to mean 0 and "
             "deviation 1; normal-scores, by ranks to normal quantiles, which is better with "
             "outliers; auto, standard for neighbourhoods and normal-scores for the rest."},
    {"columns", .type = ZF_OPTION_LIST, .placeholder = "LIST",
     ZF_FIELD(zf_two_sample_values, columns), .otherwise = "all",
     .help = "Columns to compare, separated by commas."},
    {"permutations", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_two_sample_values, permutations), .fallback = "10000", .least = 19,
     .most = 1000000,
     .help = "Number of random ways to split the rows into two tables that the observed one is "
             "compared with. If there are no more than that, all are used."},
    {"points", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_two_sample_values, points),
     .fallback = "5", .least = 0, .most = 1000,
     .help = "Number of rows of each table to list that are least like the other table."},
    {"splits", .type = ZF_OPTION_WHOLE, .placeholder = "K", ZF_FIELD(zf_two_sample_values, splits),
     .fallback = "1", .least = 1, .most = 100,
     .help = "Number of random halvings of the tables (network). With more than one, the p-value "
             "is twice their mean, which is valid however they depend on each other."},
    {"iterations", .type = ZF_OPTION_WHOLE, .placeholder = "N",
     ZF_FIELD(zf_two_sample_values, iterations), .fallback = "1000", .least = 1, .most = 1000000,
     .help = "Number of training steps per split (network)."},
    ZF_NAMED_ROWS(zf_two_sample_values, named),
    {NULL},
};

/* A column of one file that the other has not. */
static zf_status check_same(const zf_two_sample_side *here, const zf_two_sample_side *there)
{
    for (size_t i = 0; i < zf_table_columns(here->table); i++) {
        const char *name = zf_table_column(here->table, i)->name;
        if (zf_table_find(there->table, name) < 0)
            return zf_fail(
                ZF_EINPUT,
                "%s: no column \"%s\", which %s has; expected the same columns, or {columns} with "
                "those to compare",
                there->path, name, here->path);
    }
    return ZF_OK;
}

/* Adds a column that both files have, unless neither has numbers in it and it is not wanted by
   name. */
static zf_status add_column(zf_two_sample_found *c, zf_run *run, const char *name, bool wanted)
{
    const zf_column *found[2];
    for (int i = 0; i < 2; i++) {
        long at = zf_table_find(c->side[i].table, name);
        if (at < 0) return zf_fail(ZF_EINPUT, "%s: no column \"%s\"", c->side[i].path, name);
        c->side[i].columns[c->n] = (size_t)at;
        found[i] = zf_table_column(c->side[i].table, (size_t)at);
    }
    if (!found[0]->numeric && !found[1]->numeric && !wanted) {
        zf_warn(run, "column \"%s\" is left out: %s", name, zf_column_type_name(found[0]->type));
        return ZF_OK;
    }
    c->names[c->n++] = found[0]->name;
    return ZF_OK;
}

static zf_status choose_columns(zf_two_sample_found *c, zf_run *run, const zf_words *wish)
{
    size_t most = zf_table_columns(c->side[0].table) + (size_t)wish->n + 1;
    c->names = malloc(most * sizeof *c->names);
    for (int i = 0; i < 2; i++) c->side[i].columns = malloc(most * sizeof *c->side[i].columns);
    if (!c->names || !c->side[0].columns || !c->side[1].columns)
        return zf_fail_memory(most * sizeof *c->names);
    for (int i = 0; i < wish->n; i++) ZF_TRY(add_column(c, run, wish->items[i], true));
    if (wish->n > 0) return ZF_OK;
    ZF_TRY(check_same(&c->side[0], &c->side[1]));
    ZF_TRY(check_same(&c->side[1], &c->side[0]));
    for (size_t i = 0; i < zf_table_columns(c->side[0].table); i++)
        ZF_TRY(add_column(c, run, zf_table_column(c->side[0].table, i)->name, false));
    if (c->n > 0) return ZF_OK;
    return zf_fail(ZF_EINPUT, "%s: no numeric column, expected at least one", c->side[0].path);
}

static zf_status read_samples(zf_two_sample_found *c, zf_run *run,
                              const zf_two_sample_values *values)
{
    for (int i = 0; i < 2; i++) {
        c->side[i].path = values->files[i];
        ZF_TRY(zf_read_table(&c->side[i].table, &values->named.table, c->side[i].path));
    }
    ZF_TRY(choose_columns(c, run, &values->columns));
    for (int i = 0; i < 2; i++) {
        zf_two_sample_side *s = &c->side[i];
        ZF_TRY(zf_table_matrix(&s->matrix, s->table, s->columns, c->n, values->named.missing_rows));
        if (s->matrix.dropped > 0)
            zf_warn(run, "%s: %s of %s left out for missing values", s->path,
                    zf_count(s->matrix.dropped).text,
                    zf_plural(zf_table_rows(s->table), "row").text);
        if (s->matrix.rows < ZF_TWO_SAMPLE_LEAST)
            return zf_fail(ZF_EINPUT, "%s: expected at least %d rows with all values, found %zu",
                           s->path, ZF_TWO_SAMPLE_LEAST, s->matrix.rows);
    }
    return ZF_OK;
}

/* The columns by their share, largest first. A peer has no shares. */
static zf_status sort_by_share(zf_two_sample_found *c)
{
    const double *share = c->result.share;
    if (!share) return ZF_OK;
    size_t *order = c->order = malloc(c->n * sizeof *order);
    if (!order) return zf_fail_memory(c->n * sizeof *order);
    for (size_t i = 0; i < c->n; i++) {
        size_t at = i;
        for (; at > 0 && share[order[at - 1]] < share[i]; at--) order[at] = order[at - 1];
        order[at] = i;
    }
    return ZF_OK;
}

static zf_status compare_by_flow(zf_two_sample_found *c, const zf_two_samples *samples,
                                 const zf_two_sample_values *values, const zf_run *run)
{
    zf_two_sample_options wish = zf_two_sample_defaults((zf_two_sample_method)values->method);
    wish.marginals = values->marginals;
    wish.permutations = values->permutations;
    wish.points = values->points;
    wish.splits = values->splits;
    wish.iterations = values->iterations;
    wish.seed = run->seed;
    wish.threads = run->threads;
    wish.report = run->report;
    return zf_two_sample_test(&c->result, samples, &wish);
}

static zf_status compare_by_peer(zf_two_sample_found *c, const zf_two_samples *samples,
                                 const zf_two_sample_values *values, const zf_run *run)
{
    zf_peer_options wish = zf_peer_defaults((zf_peer)(values->method - FIRST_PEER));
    zf_peer_result result = {0};
    wish.permutations = values->permutations;
    wish.seed = run->seed;
    wish.threads = run->threads;
    wish.report = run->report;
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

static zf_status compare(zf_two_sample_found *c, const zf_two_sample_values *values,
                         const zf_run *run)
{
    zf_two_samples samples = {
        .first = c->side[0].matrix.values,
        .second = c->side[1].matrix.values,
        .first_rows = c->side[0].matrix.rows,
        .second_rows = c->side[1].matrix.rows,
        .columns = c->n,
        .names = c->names,
    };
    zf_status status = values->method < FIRST_PEER ? compare_by_flow(c, &samples, values, run)
                                                   : compare_by_peer(c, &samples, values, run);
    if (status == ZF_EINPUT)
        return zf_fail_within(status, "%s, %s: ", c->side[0].path, c->side[1].path);
    return status;
}

/* An option of one method, given with another, is a mistake. */
static zf_status check_method(const zf_two_sample_values *values, const zf_run *run)
{
    static const char wrong[] = "option %s%s applies to the method network, not to %s";
    const char *method = methods[values->method];
    if (values->method != ZF_TWO_SAMPLE_NETWORK && zf_gave(run, &values->splits))
        return zf_fail(ZF_EINVAL, wrong, zf_option_prefix(), "splits", method);
    if (values->method != ZF_TWO_SAMPLE_NETWORK && zf_gave(run, &values->iterations))
        return zf_fail(ZF_EINVAL, wrong, zf_option_prefix(), "iterations", method);
    if (values->method >= FIRST_PEER && zf_gave(run, &values->marginals))
        return zf_fail(ZF_EINVAL, "option {marginals}: %s uses the columns as they are", method);
    return ZF_OK;
}

static zf_status run(void *result, const void *given, zf_run *run)
{
    const zf_two_sample_values *values = given;
    zf_two_sample_found *found = result;
    if (strcmp(values->files[0], "-") == 0 && strcmp(values->files[1], "-") == 0)
        return zf_fail(ZF_EINVAL, "A and B cannot both be standard input");
    ZF_TRY(check_method(values, run));
    ZF_TRY(read_samples(found, run, values));
    ZF_TRY(compare(found, values, run));
    return sort_by_share(found);
}

static json_t *where_json(const zf_two_sample_found *c)
{
    json_t *list = json_array();
    for (size_t i = 0; c->order && i < c->n; i++)
        zf_answer_add(list, json_pack("{s:o s:o}", "name", zf_answer_text(c->names[c->order[i]]),
                                      "share", zf_answer_number(c->result.share[c->order[i]])));
    return list;
}

static json_t *points_json(const zf_two_sample_found *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->result.n_points; i++) {
        const zf_two_sample_point *point = &c->result.points[i];
        const zf_two_sample_side *s = &c->side[point->second];
        zf_answer_add(list, json_pack("{s:s s:o s:o s:o}", "sample", point->second ? "B" : "A",
                                      "file", zf_answer_text(s->path), "row",
                                      zf_answer_count(s->matrix.row[point->row] + 1), "witness",
                                      zf_answer_number(point->witness)));
    }
    return list;
}

static json_t *json(const void *result, const void *given)
{
    const zf_two_sample_values *values = given;
    const zf_two_sample_found *c = result;
    const zf_two_sample_result *r = &c->result;
    const zf_matrix *first = &c->side[0].matrix, *second = &c->side[1].matrix;
    bool tested = r->labellings > 0; /* not where it was interrupted */
    return json_pack(
        "{s:o s:o s:o s:o s:o s:o s:s s:s s:o s:o s:b s:o s:o s:o s:o}", "statistic",
        tested ? zf_answer_number(r->statistic) : json_null(), "p_value",
        tested ? zf_answer_number(r->p_value) : json_null(), "effect",
        tested ? zf_answer_optional(r->effect) : json_null(), "rows_used",
        zf_answer_count(r->rows_used), "where", where_json(c), "points", points_json(c), "method",
        methods[values->method], "marginals", marginals[values->marginals], "scale",
        zf_answer_text(r->scale), "permutations", zf_answer_count(r->labellings), "enumerated",
        r->enumerated, "rows_a", zf_answer_count(first->rows), "rows_b",
        zf_answer_count(second->rows), "rows_dropped",
        zf_answer_count(first->dropped + second->dropped), "seconds", zf_answer_number(r->seconds));
}

static void release(void *result)
{
    zf_two_sample_found *c = result;
    for (int i = 0; i < 2; i++) {
        zf_table_free(c->side[i].table);
        zf_matrix_free(&c->side[i].matrix);
        free(c->side[i].columns);
    }
    free(c->names);
    free(c->order);
    zf_two_sample_free(&c->result);
}

const zf_job zf_job_two_sample = {
    .name = "two-sample",
    .summary = "test whether two tables come from the same distribution",
    .description =
        "Tests whether two tables with the same columns are samples of one distribution. For "
        "every pair of rows, one from each table, the flow at the middle of the pair "
        "estimates in which direction the second row lies from the first; if the "
        "distributions are equal, these estimates cancel. The p-value is the share of ways "
        "to split all rows into two tables of these sizes whose flow is as strong. It is "
        "exact at any number of rows, if rows are independent of each other.\n\n"
        "The flow is tested on ten scales: drift (means), wide, halves, quarters and eighths "
        "(where rows lie: means, and the share of rows in each cluster), spread (of all "
        "columns together), stretch (the spread of each column), shear (dependence between "
        "columns), near and nearest (any difference within small neighbourhoods). Columns "
        "with up to ten values add levels (the frequency of each value), tables (pairs of "
        "columns) and rows (three or more columns together). The scale with the strongest "
        "sign is named; the p-value accounts for the number of scales.\n\n"
        "statistic is the mean of the fitted field over all pairs. effect is its square "
        "root, corrected for chance: the distance between the samples in standard deviations "
        "along the field. The output also lists each column's share of it, and the rows of "
        "each table that are least like the other table, numbered without the header.\n\n"
        "Columns must have the same names in both tables, in any order. Columns that are not "
        "numeric in both, and rows that hold a missing value, are left out with a warning.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_two_sample_values),
    .result_size = sizeof(zf_two_sample_found),
    .run = run,
    .json = json,
    .release = release,
};
