#include "blanket_input.h"

#include <stdlib.h>

static const double THRESHOLD = 0.1; /* of models without evidence */

static int compare_gates(const void *a, const void *b)
{
    const zf_member *x = a, *y = b;
    if (x->gate != y->gate) return x->gate > y->gate ? -1 : 1;
    return x->variable - y->variable;
}

static cli_exit understand(cli_members *members, const zf_blanket *model, const cli_value *first)
{
    bool fdr = first[CLI_FDR].given, threshold = first[CLI_THRESHOLD].given;
    bool top = first[CLI_TOP].given, evidence = zf_blanket_evidence(model);
    if (threshold && top) return cli_fail(CLI_USAGE, "--threshold and --top exclude each other");
    if (fdr && (threshold || top))
        return cli_fail(CLI_USAGE, "--fdr and --%s exclude each other", top ? "top" : "threshold");
    CLI_TRY(cli_need_evidence(model, &first[CLI_FDR]));
    members->rule = top ? CLI_BY_TOP : threshold || !evidence ? CLI_BY_THRESHOLD : CLI_BY_EVIDENCE;
    members->limit = members->rule == CLI_BY_EVIDENCE ? first[CLI_FDR].real
                     : threshold                      ? first[CLI_THRESHOLD].real
                                                      : THRESHOLD;
    return CLI_DONE;
}

/* How many of the gates, largest first, are members. */
static int choose(const cli_members *members, const cli_value *top)
{
    int n = 0;
    if (members->rule == CLI_BY_TOP)
        return (int)top->whole < members->n_others ? (int)top->whole : members->n_others;
    while (n < members->n_others && members->list[n].gate >= (float)members->limit) n++;
    return n;
}

static zf_status list_gates(zf_member *list, const cli_asked *asked)
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

cli_exit cli_ask_blanket(cli_members *out, const cli_asked *asked, const cli_value *first)
{
    cli_members members = {0};
    size_t decided = 0, variables = (size_t)zf_blanket_variables(asked->model);
    CLI_TRY(understand(&members, asked->model, first));
    members.list = malloc(variables * sizeof *members.list);
    members.n_others = (int)variables - asked->n_targets;
    zf_status status = ZF_ENOMEM;
    if (members.list && zf_blanket_evidence(asked->model))
        status = zf_blanket_decide(members.list, &decided, asked->model, asked->targets,
                                   asked->n_targets, first[CLI_FDR].real);
    else if (members.list)
        status = list_gates(members.list, asked);
    if (status != ZF_OK) {
        free(members.list);
        return cli_check_model(status, asked->path);
    }
    members.n = (int)decided;
    if (members.rule != CLI_BY_EVIDENCE) {
        qsort(members.list, (size_t)members.n_others, sizeof *members.list, compare_gates);
        members.n = choose(&members, &first[CLI_TOP]);
    }
    *out = members;
    return CLI_DONE;
}
