#include "job/membership.h"

#include <stdlib.h>

const zf_membership_values zf_membership_defaults = {
    .fdr = 0.1, .threshold = ZF_AUTO, .top = ZF_AUTO};

static const double THRESHOLD = 0.1; /* of models without evidence */

static int compare_gates(const void *a, const void *b)
{
    const zf_member *x = a, *y = b;
    if (x->gate != y->gate) return x->gate > y->gate ? -1 : 1;
    return x->variable - y->variable;
}

zf_status zf_need_evidence(const zf_run *run, const zf_blanket *model, const double *fdr)
{
    if (!zf_gave(run, fdr) || zf_blanket_evidence(model)) return ZF_OK;
    return zf_fail(ZF_EINVAL, "{fdr} needs evidence, which this model was fitted without");
}

static zf_status understand(zf_members *members, const zf_run *run, const zf_blanket *model,
                            const zf_membership_values *values)
{
    bool fdr = zf_gave(run, &values->fdr), threshold = values->threshold != ZF_AUTO;
    bool top = values->top != ZF_AUTO, evidence = zf_blanket_evidence(model);
    if (threshold && top)
        return zf_fail(ZF_EINVAL, "{threshold} and {top} cannot be used together");
    if (fdr && top) return zf_fail(ZF_EINVAL, "{fdr} and {top} cannot be used together");
    if (fdr && threshold)
        return zf_fail(ZF_EINVAL, "{fdr} and {threshold} cannot be used together");
    ZF_TRY(zf_need_evidence(run, model, &values->fdr));
    members->rule = top ? ZF_BY_TOP : threshold || !evidence ? ZF_BY_THRESHOLD : ZF_BY_EVIDENCE;
    members->limit = members->rule == ZF_BY_EVIDENCE ? values->fdr
                     : threshold                     ? values->threshold
                                                     : THRESHOLD;
    return ZF_OK;
}

/* How many of the gates, largest first, are members. */
static int choose(const zf_members *members, int top)
{
    int n = 0;
    if (members->rule == ZF_BY_TOP) return top < members->n_others ? top : members->n_others;
    while (n < members->n_others && members->list[n].gate >= (float)members->limit) n++;
    return n;
}

static zf_status list_gates(zf_member *list, const zf_asked *asked)
{
    int variables = zf_blanket_variables(asked->model), n = 0;
    float *gates = malloc((size_t)variables * sizeof *gates);
    zf_status status = ZF_ENOMEM;
    if (gates) status = zf_blanket_query(asked->model, asked->targets, asked->n_targets, gates);
    /* A target is marked by a gate below every gate. */
    for (int k = 0; status == ZF_OK && k < asked->n_targets; k++) gates[asked->targets[k]] = -1;
    for (int j = 0; status == ZF_OK && j < variables; j++)
        if (gates[j] >= 0) list[n++] = (zf_member){.variable = j, .gate = gates[j], .without = -1};
    free(gates);
    return status;
}

zf_status zf_check_model(zf_status status, const char *path)
{
    if (status != ZF_ENUMERIC) return status;
    return zf_fail(ZF_EINPUT,
                   "%s: %s; the weights of the model, or its input values, are too large", path,
                   zf_error());
}

zf_status zf_ask_blanket(zf_members *out, const zf_run *run, const zf_asked *asked,
                         const zf_membership_values *values)
{
    zf_members members = {0};
    size_t decided = 0, variables = (size_t)zf_blanket_variables(asked->model);
    ZF_TRY(understand(&members, run, asked->model, values));
    members.list = malloc(variables * sizeof *members.list);
    members.n_others = (int)variables - asked->n_targets;
    zf_status status = members.list ? ZF_OK : zf_fail_memory(variables * sizeof *members.list);
    if (status == ZF_OK && zf_blanket_evidence(asked->model))
        status = zf_blanket_decide(members.list, &decided, asked->model, asked->targets,
                                   asked->n_targets, values->fdr);
    else if (status == ZF_OK)
        status = list_gates(members.list, asked);
    if (status != ZF_OK) {
        free(members.list);
        return zf_check_model(status, asked->path);
    }
    members.n = (int)decided;
    if (members.rule != ZF_BY_EVIDENCE) {
        qsort(members.list, (size_t)members.n_others, sizeof *members.list, compare_gates);
        members.n = choose(&members, values->top);
    }
    *out = members;
    return ZF_OK;
}
