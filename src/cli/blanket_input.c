#include "blanket_input.h"

#include <stdlib.h>

static int compare_members(const void *a, const void *b)
{
    const cli_member *x = a, *y = b;
    if (x->gate != y->gate) return x->gate > y->gate ? -1 : 1;
    return x->feature - y->feature;
}

static void choose(cli_members *members, const cli_value *first)
{
    const cli_value *top = &first[CLI_TOP];
    if (top->given) {
        members->n = (int)top->whole < members->n_others ? (int)top->whole : members->n_others;
        return;
    }
    float threshold = (float)first[CLI_THRESHOLD].real;
    while (members->n < members->n_others && members->list[members->n].gate >= threshold)
        members->n++;
}

cli_exit cli_ask_blanket(cli_members *out, const cli_asked *asked, const cli_value *first)
{
    if (first[CLI_THRESHOLD].given && first[CLI_TOP].given)
        return cli_fail(CLI_USAGE, "--threshold and --top exclude each other");
    int features = zf_blanket_features(asked->model);
    cli_members members = {.list = malloc((size_t)features * sizeof *members.list)};
    float *gates = malloc((size_t)features * sizeof *gates);
    zf_status status = ZF_ENOMEM;
    if (gates && members.list)
        status = zf_blanket_query(asked->model, asked->targets, asked->n_targets, gates);
    if (status != ZF_OK) {
        free(gates);
        free(members.list);
        return cli_check_model(status, asked->path);
    }
    /* A target is marked by a gate below every gate. */
    for (int k = 0; k < asked->n_targets; k++) gates[asked->targets[k]] = -1;
    for (int j = 0; j < features; j++)
        if (gates[j] >= 0) members.list[members.n_others++] = (cli_member){j, gates[j]};
    free(gates);
    qsort(members.list, (size_t)members.n_others, sizeof *members.list, compare_members);
    choose(&members, first);
    *out = members;
    return CLI_DONE;
}
