/* zeroflow split: a table in two, to train on the one and to test on the other. */
#include "job/split.h"

#include "command.h"
#include "text.h"

static const cli_example examples[] = {
    {"zeroflow split cells.csv -o train.csv --held-out fresh.csv",
     "Seven rows in ten to fit on, three to certify on."},
    {NULL},
};

static void print(const cli_call *call, const void *given, const void *result)
{
    const zf_split_values *values = given;
    const zf_split_result *found = result;
    fprintf(call->out, "%s to ", zf_plural(found->rows, "row").text);
    cli_clean(call->out, values->output);
    fprintf(call->out, ", %s to ", zf_plural(found->held_out, "row").text);
    cli_clean(call->out, values->held_out);
    fputc('\n', call->out);
}

const cli_command cli_command_split = {
    .job = &zf_job_split,
    .print = print,
    .examples = examples,
};
