/* zeroflow transform: the numbers of a reduction for each row of a table. */
#include "job/transform.h"

#include "command.h"
#include "text.h"

static const cli_example examples[] = {
    {"zeroflow transform cells.reduction cells.csv -o codes.csv",
     "One row of numbers for each row of the table."},
    {NULL},
};

static cli_exit check(const cli_call *call, const void *given)
{
    const zf_transform_values *values = given;
    if (!call->json || !zf_document_stays(values->output)) return CLI_DONE;
    return cli_fail(CLI_USAGE, "--json needs --output, as the numbers would be on standard output");
}

static void print(const cli_call *call, const void *given, const void *result)
{
    const zf_transform_values *values = given;
    const zf_transform_result *found = result;
    cli_clean(call->out, values->output);
    fprintf(call->out, ": %s of %s\n", zf_plural(found->rows, "row").text,
            zf_plural(found->dim, "number").text);
}

const cli_command cli_command_transform = {
    .job = &zf_job_transform,
    .check = check,
    .print = print,
    .examples = examples,
};
