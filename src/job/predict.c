#include "job/predict.h"

#include <stdlib.h>
#include <string.h>

#include "job/answer.h"
#include "zeroflow/evidence.h"
#include "zeroflow/independence.h"

static const zf_option arguments[] = {
    {"DATA", .type = ZF_OPTION_FILE, ZF_FIELD(zf_predict_values, data), .help = ZF_TABLE_HELP},
    {NULL},
};

static const zf_option options[] = {
    {"target", 't', ZF_OPTION_LIST, "LIST", ZF_FIELD(zf_predict_values, target),
     .help = "Columns to predict: names, separated by commas. Required."},
    {"model", 'm', ZF_OPTION_FILE, "MODEL", ZF_FIELD(zf_predict_values, model),
     .help = "Model written by zeroflow fit: its blanket of the targets is tried, and its "
             "variables are all columns. This or {blanket} is required."},
    {"blanket", 'b', ZF_OPTION_LIST, "LIST", ZF_FIELD(zf_predict_values, blanket),
     .otherwise = "the model's own", .help = "Blanket to try: names, separated by commas."},
    {"test", .type = ZF_OPTION_FILE, .placeholder = "FILE", ZF_FIELD(zf_predict_values, test),
     .otherwise = "rows of DATA are held out in turn",
     .help = "Rows to predict, by a regression on all of DATA."},
    {"folds", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_predict_values, folds),
     .fallback = "5", .least = 2, .most = 100,
     .help = "Number of folds for cross-validation; with {test}, the number of parts of its rows "
             "used to estimate the errors."},
    ZF_MEMBERSHIP_ROWS(zf_predict_values, rule),
    ZF_UNIT_ROWS(zf_predict_values, units, ", and each is kept in one fold"),
    ZF_VARIABLE_ROWS(zf_predict_values, variables),
    {NULL},
};

static void defaults(void *values)
{
    zf_predict_values *v = values;
    v->rule = zf_membership_defaults;
    v->units.blocks = ZF_AUTO;
}

/* One run: what was asked for and what it found. */
typedef struct contest {
    const zf_predict_values *values;
    zf_predict_result *found;
    zf_run *run;
} contest;

static const char *name_at(const void *found, int i)
{
    return ((const zf_predict_result *)found)->names[i];
}

static int find_at(const void *found_, const char *wanted)
{
    const zf_predict_result *found = found_;
    for (size_t i = 0; i < found->columns; i++)
        if (strcmp(found->names[i], wanted) == 0) return (int)i;
    return -1;
}

zf_names zf_predict_names(const zf_predict_result *found, const char *path)
{
    return (zf_names){.of = found,
                      .count = (int)found->columns,
                      .name = name_at,
                      .find = find_at,
                      .owner = found->model ? "the model" : path,
                      .noun = found->model ? "variable" : "column"};
}

int zf_predict_columns(const zf_predict_result *found, int set)
{
    return set == ZF_FROM_ALL ? found->n_others : set == ZF_FROM_BLANKET ? found->n_members : 0;
}

/* --- tables ---------------------------------------------------------------------------- */

/* Makes *list, of n numbers, longer by `added` ones. */
static zf_status lengthen(double **list, size_t n, const double *more, size_t added)
{
    double *grown = realloc(*list, (n + added) * sizeof *grown);
    if (!grown) return zf_fail_memory((n + added) * sizeof *grown);
    memcpy(grown + n, more, added * sizeof *grown);
    *list = grown;
    return ZF_OK;
}

static zf_status append(zf_predict_result *found, const zf_matrix *more)
{
    ZF_TRY(lengthen(&found->values, found->rows * found->columns, more->values,
                    more->rows * found->columns));
    if (more->groups) ZF_TRY(lengthen(&found->groups, found->rows, more->groups, more->rows));
    found->rows += more->rows;
    found->dropped += more->dropped;
    return ZF_OK;
}

static zf_status make_names(zf_predict_result *found, size_t columns)
{
    found->columns = columns;
    found->names = malloc(columns * sizeof *found->names);
    return found->names ? ZF_OK : zf_fail_memory(columns * sizeof *found->names);
}

/* Reads a table's columns by the names that take part. */
static zf_status read_named(const contest *c, const char *path)
{
    zf_table *table = NULL;
    zf_matrix matrix = {0};
    zf_predict_result *found = c->found;
    const zf_named_values *named = &c->values->variables.named;
    ZF_TRY(zf_read_columns(&table, &named->table, NULL, c->values->units.groups, path));
    zf_status status = zf_take_named(&matrix, c->run, table, path, found->names, found->columns,
                                     named->missing_rows);
    if (status == ZF_OK) status = append(found, &matrix);
    zf_matrix_free(&matrix);
    zf_table_free(table);
    return status;
}

static zf_status take_model_names(const contest *c)
{
    const zf_predict_values *values = c->values;
    const zf_column_values *chosen = &values->variables.chosen;
    zf_predict_result *found = c->found;
    const char *groups = values->units.groups;
    if (chosen->columns.n > 0 || chosen->drop.n > 0)
        return zf_fail(ZF_EINVAL,
                       "%s%s and {model} cannot be used together: the model has its own columns",
                       zf_option_prefix(), chosen->columns.n > 0 ? "columns" : "drop");
    ZF_TRY(zf_blanket_load(&found->model, values->model));
    ZF_TRY(make_names(found, (size_t)zf_blanket_variables(found->model)));
    for (size_t i = 0; i < found->columns; i++)
        found->names[i] = zf_blanket_name(found->model, (int)i);
    if (groups && find_at(found, groups) >= 0)
        return zf_fail(ZF_EINVAL,
                       "{groups}: \"%s\" is a variable of the model, expected a column that is not",
                       groups);
    return ZF_OK;
}

static zf_status read_data(const contest *c)
{
    const zf_predict_values *values = c->values;
    zf_predict_result *found = c->found;
    if (found->model) return read_named(c, values->data);
    ZF_TRY(zf_read_variables(&found->variables, c->run, &values->variables, values->units.groups,
                             values->data));
    ZF_TRY(make_names(found, found->variables.matrix.columns));
    memcpy(found->names, found->variables.names, found->columns * sizeof *found->names);
    return append(found, &found->variables.matrix);
}

static zf_status read_rows(const contest *c)
{
    zf_predict_result *found = c->found;
    ZF_TRY(read_data(c));
    size_t fitted = found->rows;
    if (c->values->test) ZF_TRY(read_named(c, c->values->test));
    found->tested = found->rows - fitted;
    size_t first = c->values->test ? fitted : 0;
    zf_evidence_options units = zf_evidence_defaults();
    units.groups = found->groups ? found->groups + first : NULL;
    units.block = zf_units_block(&c->values->units);
    ZF_TRY(zf_evidence_count(&found->units, found->rows - first, &units));
    if (!found->model) return ZF_OK;
    return zf_blanket_trained_on(&found->trained, found->model,
                                 found->values + first * found->columns, found->rows - first);
}

/* --- columns --------------------------------------------------------------------------- */

static bool is_in(int32_t column, const int32_t *list, int n)
{
    for (int i = 0; i < n; i++)
        if (list[i] == column) return true;
    return false;
}

static zf_status find_once(int32_t **found, int *n, const contest *c, const zf_words *list,
                           const char *option)
{
    zf_names names = zf_predict_names(c->found, c->values->data);
    ZF_TRY(zf_find_names(found, n, &names, list, option));
    for (int i = 0; i < *n; i++)
        if (is_in((*found)[i], *found, i))
            return zf_fail(ZF_EINVAL, "%s%s: \"%s\" is named twice", zf_option_prefix(), option,
                           c->found->names[(*found)[i]]);
    return ZF_OK;
}

static zf_status ask_model(const contest *c)
{
    zf_predict_result *found = c->found;
    zf_members members = {0};
    zf_asked asked = {found->model, c->values->model, found->targets, found->n_targets};
    ZF_TRY(zf_ask_blanket(&members, c->run, &asked, &c->values->rule));
    size_t bytes = ((size_t)members.n + 1) * sizeof *found->members;
    found->members = malloc(bytes);
    for (int i = 0; found->members && i < members.n; i++)
        found->members[found->n_members++] = members.list[i].variable;
    free(members.list);
    return found->members ? ZF_OK : zf_fail_memory(bytes);
}

static zf_status find_columns(const contest *c)
{
    zf_predict_result *found = c->found;
    const zf_words *blanket = &c->values->blanket;
    ZF_TRY(find_once(&found->targets, &found->n_targets, c, &c->values->target, "target"));
    if (blanket->n > 0)
        ZF_TRY(find_once(&found->members, &found->n_members, c, blanket, "blanket"));
    else
        ZF_TRY(ask_model(c));
    for (int i = 0; i < found->n_members; i++)
        if (is_in(found->members[i], found->targets, found->n_targets))
            return zf_fail(ZF_EINVAL, "{blanket}: \"%s\" is a target and cannot predict itself",
                           found->names[found->members[i]]);
    found->others = malloc(found->columns * sizeof *found->others);
    if (!found->others) return zf_fail_memory(found->columns * sizeof *found->others);
    for (size_t j = 0; j < found->columns; j++)
        if (!is_in((int32_t)j, found->targets, found->n_targets))
            found->others[found->n_others++] = (int32_t)j;
    return ZF_OK;
}

static zf_status check_options(const zf_predict_values *values, const zf_run *run)
{
    const zf_membership_values *rule = &values->rule;
    bool ruled = zf_gave(run, &rule->fdr) || rule->threshold != ZF_AUTO || rule->top != ZF_AUTO;
    if (!values->model && values->blanket.n == 0)
        return zf_fail(ZF_EINVAL,
                       "no blanket: name its columns by {blanket}, or a model by {model}");
    if (values->blanket.n > 0 && ruled)
        return zf_fail(
            ZF_EINVAL,
            "{blanket} cannot be used with {fdr}, {threshold} or {top}, which choose the model's "
            "blanket");
    return zf_units_refuse_both(&values->units);
}

static zf_status predict(const contest *c)
{
    zf_predict_result *found = c->found;
    zf_predict_options wish = zf_predict_defaults();
    const zf_inputs sets[ZF_FROM_SETS] = {
        [ZF_FROM_ALL] = {found->others, (size_t)found->n_others},
        [ZF_FROM_BLANKET] = {found->members, (size_t)found->n_members},
        [ZF_FROM_NONE] = {NULL, 0}};
    wish.folds = c->values->folds;
    wish.seed = c->run->seed;
    wish.threads = c->run->threads;
    wish.report = c->run->report;
    wish.groups = found->groups;
    wish.block = zf_units_block(&c->values->units);
    size_t bytes = (size_t)found->n_targets * ZF_FROM_SETS * sizeof *found->predictions;
    found->predictions = malloc(bytes);
    if (!found->predictions) return zf_fail_memory(bytes);
    for (int k = 0; k < found->n_targets; k++) {
        zf_status status = zf_predict(found->predictions + k * ZF_FROM_SETS, found->values,
                                      found->rows, found->names, found->columns, found->targets[k],
                                      sets, ZF_FROM_SETS, found->tested, &wish);
        if (status == ZF_EINPUT) zf_fail_within(status, "%s: ", c->values->data);
        ZF_TRY(status);
    }
    return ZF_OK;
}

static zf_status run(void *result, const void *given, zf_run *run)
{
    const zf_predict_values *values = given;
    zf_predict_result *found = result;
    contest c = {values, found, run};
    ZF_TRY(check_options(values, run));
    if (values->model) ZF_TRY(take_model_names(&c));
    ZF_TRY(read_rows(&c));
    ZF_TRY(find_columns(&c));
    ZF_TRY(predict(&c));
    if (found->trained && values->blanket.n == 0)
        zf_warn(
            run,
            "the model's blanket was chosen on these rows, so its result is too favourable; use "
            "held-out rows with {test}");
    return ZF_OK;
}

/* --- JSON ------------------------------------------------------------------------------ */

static json_t *measure_json(const zf_estimate *m)
{
    return json_pack("{s:o s:o}", "value", zf_answer_number(m->value), "error",
                     zf_answer_number(m->error));
}

static json_t *set_json(const zf_predict_result *found, int target, int set)
{
    const zf_prediction *p = &found->predictions[target * ZF_FROM_SETS + set];
    return json_pack("{s:i s:o s:o s:o s:o}", "columns", zf_predict_columns(found, set), "r2",
                     measure_json(&p->r2), "less_than_all", measure_json(&p->less), "accuracy",
                     p->two_valued ? measure_json(&p->accuracy) : json_null(), "auc",
                     p->two_valued ? measure_json(&p->auc) : json_null());
}

static json_t *target_json(const zf_predict_result *found, int target)
{
    return json_pack(
        "{s:o s:o s:o s:o}", "target", zf_answer_text(found->names[found->targets[target]]), "all",
        set_json(found, target, ZF_FROM_ALL), "blanket", set_json(found, target, ZF_FROM_BLANKET),
        "none", set_json(found, target, ZF_FROM_NONE));
}

static json_t *json(const void *result, const void *given)
{
    const zf_predict_values *values = given;
    const zf_predict_result *found = result;
    json_t *targets = json_array();
    zf_names names = zf_predict_names(found, values->data);
    for (int k = 0; k < found->n_targets; k++) zf_answer_add(targets, target_json(found, k));
    return json_pack("{s:o s:o s:o s:o s:o s:i s:o s:o}", "blanket",
                     zf_names_json(&names, found->members, found->n_members), "rows_used",
                     zf_answer_count(found->rows - found->tested), "rows_tested",
                     zf_answer_count(found->tested ? found->tested : found->rows), "units",
                     zf_answer_count(found->units), "rows_dropped", zf_answer_count(found->dropped),
                     "folds", values->folds, "trained",
                     found->model ? json_boolean(found->trained) : json_null(), "targets", targets);
}

static void release(void *result)
{
    zf_predict_result *found = result;
    free(found->predictions);
    free(found->values);
    free(found->groups);
    free(found->others);
    free(found->members);
    free(found->targets);
    free(found->names);
    zf_variables_free(&found->variables);
    zf_blanket_free(found->model);
}

const zf_job zf_job_predict = {
    .name = "predict",
    .summary = "compare predictions by a blanket, all columns, none",
    .description =
        "Predicts each target on held-out rows from a blanket, from all columns but the "
        "targets, and from none (the mean). If all columns explain more than the blanket, "
        "beyond the error, the blanket is not sufficient.\n\n"
        "The regression is the same simple one for all three: ridge regression on normal "
        "scores, functions of these and their products, as far as the number of rows allows. "
        "It shows what the columns tell, not what the best predictor would reach. The result "
        "is too favourable to a blanket that was chosen on the same rows: hold rows out with "
        "{test} (zeroflow split makes them).",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_predict_values),
    .defaults = defaults,
    .result_size = sizeof(zf_predict_result),
    .run = run,
    .json = json,
    .release = release,
};
