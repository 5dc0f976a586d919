#include "model_input.h"

static const char *name(const void *model, int i)
{
    return zf_blanket_name(model, i);
}

static int find(const void *model, const char *wanted)
{
    return zf_blanket_find(model, wanted);
}

cli_names cli_model_names(const zf_blanket *model)
{
    return (cli_names){.of = model,
                       .count = zf_blanket_variables(model),
                       .name = name,
                       .find = find,
                       .owner = "the model",
                       .noun = "variable"};
}

cli_exit cli_find_variables(int32_t **targets, int *n, const zf_blanket *model,
                            const cli_value *names, const char *label)
{
    cli_names variables = cli_model_names(model);
    return cli_find_names(targets, n, &variables, names, label);
}

cli_exit cli_need_evidence(const zf_blanket *model, const cli_value *fdr)
{
    if (!fdr->given || zf_blanket_evidence(model)) return CLI_DONE;
    return cli_fail(CLI_USAGE, "--fdr needs evidence, which this model was fitted without");
}
