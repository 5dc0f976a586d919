/* zeroflow reproduce: one table or figure of the paper, run anew, with the
   paper's numbers beside it. What each of them does is in src/study/. */
#include "study/reproduce.h"

#include "command.h"
#include "page.h"

static const cli_example examples[] = {
    {"zeroflow reproduce lattice --scale 0.002",
     "The lattice figure after very little training, in zeroflow-reproduce/lattice/."},
    {"zeroflow reproduce table1 --scale 0.0005 -o table1 --json",
     "Very little training, to see the form of the result; without --scale it takes "
     "minutes."},
    {"zeroflow reproduce sp500 --data sp500.csv --scale 0.01", "From a file of daily prices."},
    {"zeroflow reproduce shortcut --data cifar10 --scale 0.0004",
     "From a folder with CIFAR-10, after very little training."},
    {NULL},
};

static const char *const files[] = {
    "zeroflow-reproduce/NAME/runs.csv",
    "One row for each run of reproduce NAME. The figure is beside it as SVG and PNG.",
    NULL,
};

static void print(const cli_call *call, const void *values, const void *result)
{
    study_page page = cli_page(call);
    (void)values;
    zf_reproduce_print(result, &page);
}

static cli_exit interrupted(const cli_call *call, const void *values, const void *result)
{
    const zf_reproduce_result *found = result;
    char text[1024];
    (void)call, (void)values;
    study_stopped(text, sizeof text, &found->study);
    return cli_fail(CLI_INTERRUPTED, "%s", text);
}

const cli_command cli_command_reproduce = {
    .job = &zf_job_reproduce,
    .print = print,
    .interrupted = interrupted,
    .examples = examples,
    .files = files,
};
