#include "job/reduce.h"

#include <stdlib.h>

#include "job/answer.h"
#include "job/names.h"
#include "job/training.h"

/* In the order of zf_marginals_kind. */
static const char *const marginals[] = {"standard", "normal-scores", NULL};

static const zf_option arguments[] = {
    {"DATA", .type = ZF_OPTION_FILE, ZF_FIELD(zf_reduce_values, data), .help = ZF_TABLE_HELP},
    {NULL},
};

static const zf_option options[] = {
    ZF_MODEL_OUTPUT_ROW(zf_reduce_values, output),
    {"target", 't', ZF_OPTION_LIST, "LIST", ZF_FIELD(zf_reduce_values, target),
     .help = "Columns to preserve all information about: names, separated by commas. Required."},
    {"dim", .type = ZF_OPTION_TEXT, .placeholder = "L", ZF_FIELD(zf_reduce_values, dim),
     .fallback = "1",
     .help = "Number of codes. With a range, such as 1-4, the smallest number is kept that is as "
             "good as more: its held-out rectified loss is within a standard error, or 0.03, of "
             "the best, and its zero loss is at most three times the least. At most the number of "
             "columns to reduce."},
    {"from", .type = ZF_OPTION_LIST, .placeholder = "LIST", ZF_FIELD(zf_reduce_values, from),
     .otherwise = "all but the targets", .help = "Columns to reduce: names, separated by commas."},
    {"marginals", .type = ZF_OPTION_CHOICE, .placeholder = "KIND",
     ZF_FIELD(zf_reduce_values, reduce.marginals), .choices = marginals,
     .help = "How each column is transformed first: standard, to mean 0 and deviation 1; "
             "normal-scores, by its ranks to a normal distribution."},
    {"held-out", .type = ZF_OPTION_REAL, .placeholder = "SHARE",
     ZF_FIELD(zf_reduce_values, reduce.held_out), .least = 0.05, .most = 0.5,
     .help = "Share of the rows kept out of training, for the criterion."},
    {"decay", .type = ZF_OPTION_REAL, .placeholder = "W", ZF_FIELD(zf_reduce_values, reduce.decay),
     .least = 0, .most = 1000, .otherwise = "4800 / rows trained on, at most 30",
     .help = "Weight decay of the velocity field."},
    {"code-decay", .type = ZF_OPTION_REAL, .placeholder = "W",
     ZF_FIELD(zf_reduce_values, reduce.code_decay), .least = 0, .most = 1000,
     .otherwise = "19200 / rows trained on, at most 30",
     .help = "Weight decay of the network that computes the codes. More decay keeps it from "
             "memorising the rows."},
    ZF_TRAINING_ROWS(zf_reduce_values, reduce, NULL, NULL, NULL),
    ZF_SAVING_ROWS(zf_reduce_values, saving),
    ZF_VARIABLE_ROWS(zf_reduce_values, variables),
    {NULL},
};

static void defaults(void *values)
{
    zf_reduce_values *v = values;
    v->reduce = zf_reduce_defaults();
    v->saving.every = v->reduce.every;
}

/* "L" or "A-B". */
static zf_status understand_dim(zf_reduce_options *wish, const char *text)
{
    char *end = NULL;
    long first = strtol(text, &end, 10), last = first;
    bool range = end > text && *end == '-';
    if (range) {
        const char *second = end + 1;
        last = strtol(second, &end, 10);
        if (end == second) first = 0;
    }
    if (end == text || *end || first < 1 || last < first || last > ZF_REDUCE_MOST)
        return zf_fail(ZF_EINVAL,
                       "option {dim}: expected a number from 1 to %d, or two as in 1-4, found "
                       "\"%s\"",
                       ZF_REDUCE_MOST, text);
    wish->dim = (int)last;
    wish->least = range ? (int)first : 0;
    return ZF_OK;
}

/* The places, among the columns used, of those that an option names. A column that is
   there but cannot be used is another mistake than one that is not. */
static zf_status find_columns(int32_t **found, int *n, const zf_table *table, const char *path,
                              const zf_words *list, const char *option)
{
    zf_names names = zf_table_names(table, path);
    ZF_TRY(zf_find_names(found, n, &names, list, option));
    for (int i = 0; i < *n; i++) {
        int32_t wanted = (*found)[i], place = 0;
        const zf_column *column = zf_table_column(table, (size_t)wanted);
        if (!column->used)
            return zf_fail(ZF_EINPUT, "column \"%s\" cannot be used: %s", column->name,
                           column->note);
        for (int32_t j = 0; j < wanted; j++) place += zf_table_column(table, (size_t)j)->used;
        (*found)[i] = place;
    }
    return ZF_OK;
}

static zf_status understand_columns(zf_reduce_result *found, const zf_reduce_values *values)
{
    const zf_table *table = found->variables.table;
    zf_reduce_options *wish = &found->asked;
    ZF_TRY(find_columns(&found->targets, &wish->n_targets, table, values->data, &values->target,
                        "target"));
    wish->targets = found->targets;
    if (values->from.n == 0) return ZF_OK;
    ZF_TRY(
        find_columns(&found->inputs, &wish->n_inputs, table, values->data, &values->from, "from"));
    wish->inputs = found->inputs;
    return ZF_OK;
}

static void understand(zf_reduce_result *found, const zf_reduce_values *values, const zf_run *run)
{
    found->asked = values->reduce;
    found->asked.seed = run->seed;
    found->asked.threads = run->threads;
    found->asked.report = run->report;
    found->asked.checkpoint = found->saving.checkpoint;
    found->asked.every = values->saving.every;
    found->asked.resume = values->saving.resume;
}

static zf_status save(void *model, const char *path)
{
    return zf_reduction_save(model, path);
}

static zf_status train(zf_reduce_result *found)
{
    const zf_matrix *matrix = &found->variables.matrix;
    zf_status status = zf_reduce_fit(&found->model, &found->summary, matrix->values, matrix->rows,
                                     found->variables.names, matrix->columns, &found->asked);
    if (status != ZF_OK && status != ZF_EINTERRUPT) return status;
    ZF_TRY(zf_saving_save(&found->saving, save, found->model));
    if (status == ZF_OK) return ZF_OK;
    return zf_saving_stop(&found->saving, found->summary.iterations, found->asked.iterations,
                          found->summary.saved);
}

static zf_status run(void *result, const void *given, zf_run *run)
{
    const zf_reduce_values *values = given;
    zf_reduce_result *found = result;
    understand(found, values, run);
    ZF_TRY(understand_dim(&found->asked, values->dim));
    ZF_TRY(zf_saving_begin(&found->saving, &values->saving, values->output, run));
    ZF_TRY(zf_read_variables(&found->variables, run, &values->variables, NULL, values->data));
    ZF_TRY(understand_columns(found, values));
    return train(found);
}

static json_t *criterion_json(const zf_reduction *model)
{
    json_t *list = json_array();
    for (int l = 1; l <= zf_reduction_trained(model); l++) {
        zf_reduce_criterion c = zf_reduction_criterion(model, l);
        zf_answer_add(list, json_pack("{s:i s:o s:o s:o s:o}", "dim", c.dim, "rectified",
                                      zf_answer_number(c.rectified), "excess",
                                      zf_answer_number(c.excess), "error",
                                      zf_answer_number(c.error), "zero", zf_answer_number(c.zero)));
    }
    return list;
}

static json_t *targets_json(const zf_reduction *model)
{
    json_t *list = json_array();
    for (int k = 0; k < zf_reduction_targets(model); k++)
        zf_answer_add(list, zf_answer_text(zf_reduction_target(model, k)));
    return list;
}

static json_t *json(const void *result, const void *given)
{
    const zf_reduce_values *values = given;
    const zf_reduce_result *found = result;
    const zf_reduce_summary *s = &found->summary;
    const zf_matrix *matrix = &found->variables.matrix;
    return json_pack(
        "{s:o s:o s:o s:o s:o s:o s:o s:i s:i s:o s:o s:i s:o s:o s:o s:o s:o s:s s:s s:o s:o}",
        "model", zf_answer_text(values->output), "iterations", zf_answer_count(s->iterations),
        "seconds", zf_answer_number(s->seconds), "loss", zf_answer_number(s->loss), "rectified",
        zf_answer_number(s->rectified), "zero", zf_answer_number(s->zero), "resumed_from",
        zf_answer_count(s->resumed_from), "dim", zf_reduction_dim(found->model), "chosen",
        s->chosen, "criterion", criterion_json(found->model), "target", targets_json(found->model),
        "inputs", zf_reduction_inputs(found->model), "rows", zf_answer_count(matrix->rows),
        "rows_dropped", zf_answer_count(matrix->dropped), "rows_trained",
        zf_answer_count(s->rows_trained), "rows_held", zf_answer_count(s->rows_held), "dropped",
        zf_variables_dropped(&found->variables), "margins", marginals[s->options.marginals], "form",
        zf_criteria[s->options.criterion], "seed", zf_answer_count(found->asked.seed), "checkpoint",
        zf_answer_text(found->saving.checkpoint));
}

static void release(void *result)
{
    zf_reduce_result *found = result;
    zf_reduction_free(found->model);
    free(found->targets);
    free(found->inputs);
    zf_variables_free(&found->variables);
}

const zf_job zf_job_reduce = {
    .name = "reduce",
    .summary = "learn a few numbers sufficient for some columns",
    .description =
        "Learns a function of the columns, L numbers a row, that is sufficient for the "
        "targets: given these numbers, the columns tell nothing more about the targets. It "
        "may be any function, unlike the directions of classical methods; zeroflow transform "
        "computes it for the rows of a table.\n\n"
        "The numbers are nested: the first is the best single one, the first two the best "
        "two, and so on. A table shows what 1, 2, ... L of them are worth on held-out rows: "
        "choose L where the rectified loss stops falling. Each number has mean 0 and "
        "deviation 1 and is uncorrelated with the others; one that is a function of those "
        "before it is left out. Any invertible map of them is as good, so their signs and "
        "shapes mean nothing.\n\n"
        "Columns that cannot be used and rows that hold a missing value are left out with a "
        "warning, as by zeroflow fit. Ctrl-C saves the checkpoint and the model so far, and "
        "stops; {resume} continues from there.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_reduce_values),
    .defaults = defaults,
    .result_size = sizeof(zf_reduce_result),
    .run = run,
    .json = json,
    .release = release,
};
