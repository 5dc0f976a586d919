/* zeroflow report: a model as one page of HTML. */
#include "job/report.h"

#include "output.h"
#include "text.h"

static const cli_example examples[] = {
    {"zeroflow report cells.model -o cells.html", "A page to open in any browser."},
    {"zeroflow report cells.model -o cells.html --title 'Protein signalling' --fdr 0.01",
     "With a title of your own, and fewer false edges."},
    {NULL},
};

static cli_exit check(const cli_call *call, const void *given)
{
    const zf_report_values *values = given;
    return call->json ? cli_need_file(values->output, "--output") : CLI_DONE;
}

static void print(const cli_call *call, const void *given, const void *result)
{
    const zf_report_values *values = given;
    const zf_report_result *found = result;
    cli_clean(call->out, values->output);
    fprintf(call->out, ": %s; open it in a browser\n",
            zf_plural(found->variables, "variable").text);
}

const cli_command cli_command_report = {
    .job = &zf_job_report,
    .check = check,
    .print = print,
    .examples = examples,
};
