/* zeroflow generate: a sample whose graph is known, and that graph. */
#include "job/generate.h"

#include "command.h"
#include "text.h"

static const cli_example examples[] = {
    {"zeroflow generate chain --law nonparanormal -o chain.csv --truth chain-edges.csv",
     "The sample of the paper's first table, and its edges."},
    {"zeroflow generate lattice --side 5 --rows 500 -o lattice.npy --truth lattice.json",
     "A grid of 25 variables as NPY; the truth as JSON, with all its nodes."},
    {"zeroflow generate random --dim 20 --edges 30 --precision precision.npy > random.csv",
     "The sample on standard output, and its precision matrix."},
    {"zeroflow generate sem --mechanism additive -o curves.csv --truth curves.json",
     "Variables that are sums of curves of others, and the resulting graph."},
    {NULL},
};

static cli_exit check(const cli_call *call, const void *given)
{
    const zf_generate_values *values = given;
    if (!call->json || !zf_document_stays(values->output)) return CLI_DONE;
    return cli_fail(CLI_USAGE, "--json needs --output, as the data would be on standard output");
}

static void print(const cli_call *call, const void *given, const void *result)
{
    FILE *out = call->out;
    const zf_generate_values *values = given;
    const zf_generate_result *found = result;
    const char *law = found->law ? found->law : found->mechanism;
    cli_clean(out, values->output);
    fprintf(out, ": %s of %s, %s", zf_plural(found->rows, "row").text,
            zf_plural(found->columns, "variable").text, found->structure);
    if (law) fprintf(out, ", %s", law);
    fprintf(out, "; %s", zf_plural(found->edges, "edge").text);
    if (values->truth) {
        fputs(" in ", out);
        cli_clean(out, values->truth);
    }
    fputc('\n', out);
}

const cli_command cli_command_generate = {
    .job = &zf_job_generate,
    .check = check,
    .print = print,
    .examples = examples,
};
