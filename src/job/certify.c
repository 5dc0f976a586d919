#include "job/certify.h"

#include <stdlib.h>

#include "job/answer.h"
#include "job/outputs.h"

static const zf_option arguments[] = {
    {"MODEL", .type = ZF_OPTION_FILE, ZF_FIELD(zf_certify_values, model), .help = ZF_MODEL_HELP},
    {"DATA", .type = ZF_OPTION_FILE, ZF_FIELD(zf_certify_values, data),
     .help = "Rows with the model's columns that it was not trained on (see zeroflow split): CSV, "
             "TSV or NPY, optionally gzipped; - reads standard input."},
    {NULL},
};

static const zf_option options[] = {
    {"target", 't', ZF_OPTION_LIST, "LIST", ZF_FIELD(zf_certify_values, target),
     .help = "Variables whose blanket is tested: names, separated by commas. Required."},
    {"blanket", 'b', ZF_OPTION_LIST, "LIST", ZF_FIELD(zf_certify_values, blanket),
     .otherwise = "the model's own", .help = "Blanket to test: names, separated by commas."},
    {"add", .type = ZF_OPTION_LIST, .placeholder = "LIST", ZF_FIELD(zf_certify_values, add),
     .help = "Variables to add to the blanket."},
    {"drop", .type = ZF_OPTION_LIST, .placeholder = "LIST", ZF_FIELD(zf_certify_values, drop),
     .help = "Variables to remove from the blanket."},
    ZF_MEMBERSHIP_ROWS(zf_certify_values, rule),
    {"level", .type = ZF_OPTION_REAL, .placeholder = "P", ZF_FIELD(zf_certify_values, level),
     .fallback = "0.05", .least = 1e-9, .most = 0.999999999,
     .help = "Significance level: at a p-value up to P, something is missing, or a member is "
             "needed."},
    {"draws", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_certify_values, draws),
     .fallback = "2000", .least = 99, .most = 10000000, .help = ZF_DRAWS_HELP},
    {"plot", .type = ZF_OPTION_OUTPUT, .placeholder = "FILE", ZF_FIELD(zf_certify_values, plot),
     .help = "Draw the result as .svg or .png: what would help, what is needed, and how the most "
             "missed column depends on its target."},
    ZF_NAMED_ROWS(zf_certify_values, named),
    {NULL},
};

static void defaults(void *values)
{
    ((zf_certify_values *)values)->rule = zf_membership_defaults;
}

/* --- the blanket ---------------------------------------------------------------------- */

static bool is_in(int32_t variable, const int32_t *list, int n)
{
    for (int i = 0; i < n; i++)
        if (list[i] == variable) return true;
    return false;
}

/* The model's blanket, as the rule says. */
static zf_status ask_model(zf_certify_result *found, const zf_certify_values *values,
                           const zf_run *run)
{
    zf_members members = {0};
    zf_asked asked = {found->model, values->model, found->targets, found->n_targets};
    ZF_TRY(zf_ask_blanket(&members, run, &asked, &values->rule));
    for (int i = 0; i < members.n; i++)
        found->blanket[found->n_blanket++] = members.list[i].variable;
    free(members.list);
    return ZF_OK;
}

/* The variables that an option names, none of them a target; *list is for free(). */
static zf_status find_members(int32_t **list, int *n, const zf_certify_result *found,
                              const zf_words *words, const char *option)
{
    zf_names names = zf_model_names(found->model);
    ZF_TRY(zf_find_names(list, n, &names, words, option));
    for (int i = 0; i < *n; i++)
        if (is_in((*list)[i], found->targets, found->n_targets)) {
            zf_status status =
                zf_fail(ZF_EINVAL, "%s%s: \"%s\" is a target and cannot be in its own blanket",
                        zf_option_prefix(), option, zf_blanket_name(found->model, (*list)[i]));
            free(*list);
            return status;
        }
    return ZF_OK;
}

static zf_status add(zf_certify_result *found, int32_t variable)
{
    if (!is_in(variable, found->blanket, found->n_blanket))
        found->blanket[found->n_blanket++] = variable;
    return ZF_OK;
}

static zf_status drop(zf_certify_result *found, int32_t variable)
{
    for (int i = 0; i < found->n_blanket; i++)
        if (found->blanket[i] == variable) {
            found->blanket[i] = found->blanket[--found->n_blanket];
            return ZF_OK;
        }
    return zf_fail(ZF_EINVAL, "{drop}: \"%s\" is not in the blanket",
                   zf_blanket_name(found->model, variable));
}

/* Adds or drops all that an option names. */
static zf_status edit(zf_certify_result *found, const zf_words *words, const char *option,
                      zf_status (*change)(zf_certify_result *found, int32_t variable))
{
    int32_t *list = NULL;
    int n = 0;
    zf_status status = ZF_OK;
    if (words->n == 0) return ZF_OK;
    ZF_TRY(find_members(&list, &n, found, words, option));
    for (int i = 0; i < n && status == ZF_OK; i++) status = change(found, list[i]);
    free(list);
    return status;
}

static zf_status find_blanket(zf_certify_result *found, const zf_certify_values *values,
                              const zf_run *run)
{
    const zf_membership_values *rule = &values->rule;
    bool own = values->blanket.n > 0;
    size_t bytes = (size_t)zf_blanket_variables(found->model) * sizeof *found->blanket;
    found->blanket = malloc(bytes);
    if (!found->blanket) return zf_fail_memory(bytes);
    if (own && (rule->threshold != ZF_AUTO || rule->top != ZF_AUTO))
        return zf_fail(
            ZF_EINVAL,
            "{blanket} cannot be used with {threshold} or {top}, which choose from the model's "
            "blanket");
    if (!own) ZF_TRY(ask_model(found, values, run));
    ZF_TRY(edit(found, &values->blanket, "blanket", add));
    ZF_TRY(edit(found, &values->add, "add", add));
    return edit(found, &values->drop, "drop", drop);
}

/* --- the test ------------------------------------------------------------------------- */

/* The rows that it is tested on: the model's variables, in its order. */
typedef struct rows {
    zf_table *table;
    zf_matrix matrix;
    const char **names;
} rows;

static zf_status read_rows(rows *r, const zf_certify_result *found, const zf_certify_values *values,
                           zf_run *run)
{
    size_t n = (size_t)zf_blanket_variables(found->model);
    r->names = malloc(n * sizeof *r->names);
    if (!r->names) return zf_fail_memory(n * sizeof *r->names);
    for (size_t j = 0; j < n; j++) r->names[j] = zf_blanket_name(found->model, (int)j);
    ZF_TRY(zf_read_table(&r->table, &values->named.table, values->data));
    return zf_take_named(&r->matrix, run, r->table, values->data, r->names, n,
                         values->named.missing_rows);
}

static void rows_free(rows *r)
{
    zf_matrix_free(&r->matrix);
    zf_table_free(r->table);
    free(r->names);
}

static zf_status test(zf_certify_result *found, const zf_certify_values *values,
                      const zf_matrix *matrix, zf_run *run)
{
    zf_independence_options wish = zf_independence_wish(values->draws, run);
    zf_status status =
        zf_certify(&found->certificate, found->model, matrix->values, matrix->rows, found->targets,
                   (size_t)found->n_targets, found->blanket, (size_t)found->n_blanket, &wish);
    if (status == ZF_EINPUT) return zf_fail_within(status, "%s: ", values->data);
    if (status == ZF_OK && found->certificate.trained)
        zf_warn(run,
                "%s has the rows that the model was trained on, so the result is too favourable to "
                "the blanket; use held-out rows",
                values->data);
    return status;
}

static zf_status run(void *result, const void *given, zf_run *run)
{
    const zf_certify_values *values = given;
    zf_certify_result *found = result;
    rows r = {0};
    ZF_TRY(zf_output_check_figure(values->plot, "plot"));
    ZF_TRY(zf_blanket_load(&found->model, values->model));
    zf_names names = zf_model_names(found->model);
    ZF_TRY(zf_find_names(&found->targets, &found->n_targets, &names, &values->target, "target"));
    ZF_TRY(find_blanket(found, values, run));
    zf_status status = read_rows(&r, found, values, run);
    if (status == ZF_OK) status = test(found, values, &r.matrix, run);
    if (status == ZF_OK && values->plot)
        status = zf_certify_draw(found, values, &r.matrix, r.names, run);
    found->dropped = r.matrix.dropped;
    rows_free(&r);
    return status;
}

const char *zf_certify_verdict(const zf_certify_result *found, double level)
{
    const zf_independence *test = &found->certificate.test;
    if (test->p_value > level) return "no sign that anything is missing";
    return test->cannot_tell ? "cannot tell whether anything is missing" : "something is missing";
}

const zf_independence_part *zf_certify_missing(int32_t *variable, const zf_certify_result *found,
                                               size_t rank)
{
    const zf_certificate *c = &found->certificate;
    *variable = c->left_out[c->missing[rank]];
    return &c->test.y[c->missing[rank]];
}

/* --- JSON ----------------------------------------------------------------------------- */

static json_t *name_json(const zf_certify_result *found, int32_t variable)
{
    return zf_answer_text(zf_blanket_name(found->model, variable));
}

/* Of the targets: which of them the blanket leaves something to say about. */
static json_t *where_json(const zf_certify_result *found)
{
    json_t *list = json_array();
    for (int k = 0; k < found->n_targets; k++)
        zf_answer_add(list,
                      json_pack("{s:o s:o}", "name", name_json(found, found->targets[k]), "share",
                                zf_answer_number(found->certificate.test.x_share[k])));
    return list;
}

static json_t *missing_json(const zf_certify_result *found)
{
    json_t *list = json_array();
    zf_names names = zf_model_names(found->model);
    for (size_t rank = 0; rank < found->certificate.n_left_out; rank++) {
        int32_t variable;
        const zf_independence_part *part = zf_certify_missing(&variable, found, rank);
        zf_answer_add(list, json_pack("{s:o s:o s:o s:o}", "name", name_json(found, variable),
                                      "gain", zf_answer_number(part->gain), "p_value",
                                      zf_answer_number(part->p_value), "found",
                                      zf_finding_json(&part->found, &names)));
    }
    return list;
}

/* Each member given the others; needed: there is a sign that it is. */
static json_t *members_json(const zf_certify_result *found, double level)
{
    json_t *list = json_array();
    zf_names names = zf_model_names(found->model);
    for (size_t i = 0; i < found->certificate.n_members; i++) {
        const zf_member_test *m = &found->certificate.members[i];
        zf_answer_add(list,
                      json_pack("{s:o s:o s:b s:o}", "name", name_json(found, m->variable),
                                "p_value", zf_answer_number(m->p_value), "needed",
                                m->p_value <= level, "found", zf_finding_json(&m->found, &names)));
    }
    return list;
}

/* The names of the members that are not needed. */
static json_t *superfluous_json(const zf_certify_result *found, double level)
{
    json_t *list = json_array();
    for (size_t i = 0; i < found->certificate.n_members; i++) {
        const zf_member_test *m = &found->certificate.members[i];
        if (m->p_value > level) zf_answer_add(list, name_json(found, m->variable));
    }
    return list;
}

static json_t *json(const void *result, const void *given)
{
    const zf_certify_values *values = given;
    const zf_certify_result *found = result;
    const zf_certificate *c = &found->certificate;
    double level = values->level;
    zf_names names = zf_model_names(found->model);
    return json_pack(
        "{s:o s:o s:o s:o s:b s:o s:o s:o s:o s:o s:o s:b s:o s:o s:o s:o s:o}", "target",
        zf_names_json(&names, found->targets, found->n_targets), "blanket",
        zf_names_json(&names, found->blanket, found->n_blanket), "statistic",
        zf_answer_number(c->test.statistic), "p_value", zf_answer_number(c->test.p_value),
        "cannot_tell", c->test.p_value <= level && c->test.cannot_tell, "effect",
        zf_answer_number(c->test.effect), "found", zf_finding_json(&c->test.found, &names), "level",
        zf_answer_number(level), "rows_used", zf_answer_count(c->test.rows), "rows_dropped",
        zf_answer_count(found->dropped), "draws", zf_answer_count(values->draws), "trained",
        c->trained, "where", where_json(found), "missing", missing_json(found), "members",
        members_json(found, level), "superfluous", superfluous_json(found, level), "plot",
        zf_answer_text(values->plot));
}

static void release(void *result)
{
    zf_certify_result *found = result;
    zf_certificate_free(&found->certificate);
    zf_blanket_free(found->model);
    free(found->targets);
    free(found->blanket);
}

const zf_job zf_job_certify = {
    .name = "certify",
    .summary = "test on new rows whether a blanket is sufficient",
    .description =
        "Tests whether the variables outside a blanket still tell something about the "
        "targets, on rows that the model was not trained on. A small p-value means that the "
        "blanket is not sufficient; a large one that these rows show nothing against it.\n\n"
        "The variables left out are ranked by gain: the share of what the blanket leaves "
        "unexplained of a target (its value, spread or another aspect of its shape) that the "
        "variable explains. Their p-values are corrected for their number. Each member is "
        "also tested given the others: a member without a significant p-value is not needed, "
        "as far as these rows show.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_certify_values),
    .defaults = defaults,
    .result_size = sizeof(zf_certify_result),
    .run = run,
    .json = json,
    .release = release,
};
