#include "job/blanket.h"

#include <stdlib.h>

#include "job/answer.h"

static const zf_option arguments[] = {
    {"MODEL", .type = ZF_OPTION_FILE, ZF_FIELD(zf_blanket_values, model), .help = ZF_MODEL_HELP},
    {NULL},
};

static const zf_option options[] = {
    {"target", 't', ZF_OPTION_LIST, "LIST", ZF_FIELD(zf_blanket_values, target),
     .help = "Variables to predict: names, separated by commas. Required."},
    ZF_MEMBERSHIP_ROWS(zf_blanket_values, rule),
    {NULL},
};

static void defaults(void *values)
{
    ((zf_blanket_values *)values)->rule = zf_membership_defaults;
}

const zf_pair_evidence *zf_pair_of(const zf_blanket *model, const zf_member *member)
{
    return zf_evidence_pair(zf_blanket_evidence(model), member->target, member->variable);
}

const char *zf_third_of(const zf_blanket *model, const zf_pair_evidence *pair)
{
    return pair->third >= 0 ? zf_blanket_name(model, (int)pair->third) : NULL;
}

static size_t rows_needed(const zf_blanket_result *found)
{
    const zf_members *m = &found->members;
    if (m->rule != ZF_BY_EVIDENCE || m->n > 0) return 0;
    const zf_evidence *evidence = zf_blanket_evidence(found->model);
    for (int i = 0; i < m->n_others; i++)
        if (m->list[i].verdict == ZF_VERDICT_CHANCE)
            return zf_evidence_rows_for(evidence, zf_pair_of(found->model, &m->list[i])->p_value,
                                        m->limit);
    return 0;
}

static zf_status run(void *result, const void *given, zf_run *run)
{
    const zf_blanket_values *values = given;
    zf_blanket_result *found = result;
    ZF_TRY(zf_blanket_load(&found->model, values->model));
    zf_names names = zf_model_names(found->model);
    ZF_TRY(zf_find_names(&found->targets, &found->n_targets, &names, &values->target, "target"));
    zf_asked asked = {found->model, values->model, found->targets, found->n_targets};
    ZF_TRY(zf_ask_blanket(&found->members, run, &asked, &values->rule));
    found->rows_needed = rows_needed(found);
    return ZF_OK;
}

/* What the p-value of a change is called; NULL: nothing was changed. */
static const char *change_of(const zf_member *m)
{
    if (m->without < 0) return NULL;
    return m->verdict == ZF_VERDICT_STAND_IN ? "stand_in" : "superfluous";
}

static void add_evidence(json_t *json, const zf_blanket_result *found, const zf_member *m)
{
    const zf_pair_evidence *pair = zf_pair_of(found->model, m);
    zf_answer_set(json, "p_value", zf_answer_number(m->p_value));
    zf_answer_set(json, "q_value", zf_answer_number(m->q_value));
    if (found->members.rule == ZF_BY_EVIDENCE)
        zf_answer_set(json, "why", zf_answer_text(zf_verdict_name(m->verdict)));
    zf_answer_set(json, "form", zf_answer_text(zf_form_name(pair->form)));
    zf_answer_set(json, "third", zf_answer_text(zf_third_of(found->model, pair)));
    zf_answer_set(json, "effect", zf_answer_number(pair->effect));
    if (change_of(m)) zf_answer_set(json, change_of(m), zf_answer_number(m->without));
    if (m->stability >= 0) zf_answer_set(json, "stability", zf_answer_number(m->stability));
    if (m->probability >= 0) zf_answer_set(json, "probability", zf_answer_number(m->probability));
}

static json_t *member_json(const zf_blanket_result *found, const zf_member *m)
{
    json_t *json = json_object();
    zf_answer_set(json, "name", zf_answer_text(zf_blanket_name(found->model, (int)m->variable)));
    zf_answer_set(json, "gate", zf_answer_number((double)m->gate));
    if (zf_blanket_evidence(found->model)) add_evidence(json, found, m);
    return json;
}

static json_t *json(const void *result, const void *given)
{
    const zf_blanket_result *found = result;
    const zf_members *m = &found->members;
    json_t *members = json_array(), *left_out = json_array();
    zf_names names = zf_model_names(found->model);
    (void)given;
    for (int i = 0; i < m->n_others; i++)
        zf_answer_add(i < m->n ? members : left_out, member_json(found, &m->list[i]));
    return json_pack("{s:o s:b s:o s:o s:o s:o s:o s:o}", "target",
                     zf_names_json(&names, found->targets, found->n_targets), "decided",
                     m->rule == ZF_BY_EVIDENCE, "fdr",
                     m->rule == ZF_BY_EVIDENCE ? zf_answer_number(m->limit) : json_null(),
                     "threshold",
                     m->rule == ZF_BY_THRESHOLD ? zf_answer_number(m->limit) : json_null(), "top",
                     m->rule == ZF_BY_TOP ? json_integer(m->n) : json_null(), "members", members,
                     "left_out", left_out, "rows_needed",
                     found->rows_needed ? zf_answer_count(found->rows_needed) : json_null());
}

static void release(void *result)
{
    zf_blanket_result *found = result;
    zf_blanket_free(found->model);
    free(found->targets);
    free(found->members.list);
}

const zf_job zf_job_blanket = {
    .name = "blanket",
    .summary = "list the variables needed to predict others",
    .description =
        "Queries a model for the Markov blanket of a target set: the variables that, once "
        "known, make the rest of the table irrelevant to the targets.\n\n"
        "Members are decided by the evidence that zeroflow fit saved in the model: a "
        "variable is a member if it still tells something about a target when the other "
        "relevant variables are known. The p-value is the probability that chance alone "
        "gives as strong a sign. The q-value is the expected share of false members among "
        "this one and all stronger ones; {fdr} limits it.\n\n"
        "A variable that has an edge with a target but adds nothing to the other members is "
        "superfluous and left out. Where several columns carry the same information, each is "
        "superfluous given the others; one of them is then added as a stand-in for all.\n\n"
        "The gate, from 0 (not needed) to 1, is the output of the network; it ranks "
        "variables but does not decide. The probability, shown for sets of targets and with "
        "{threshold} or {top}, is the share of variables with such a gate that are members, "
        "estimated from the tested pairs. A model without evidence has gates only.\n\n"
        "Queries need no training and no data. Gates are best for target sets like those the "
        "model was trained on ({targets} of zeroflow fit); larger sets are refused. To query "
        "sets of variables, fit with {targets} bernoulli:P, for example.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_blanket_values),
    .defaults = defaults,
    .result_size = sizeof(zf_blanket_result),
    .run = run,
    .json = json,
    .release = release,
};
