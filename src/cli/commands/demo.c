/* zeroflow demo: the main job on built-in data. Generates a chain, fits blankets,
   scores them against the truth and the classical methods, and leaves everything,
   with a page to look at, in a folder. */
#include "study/demo.h"

#include <stdlib.h>

#include "gather.h"
#include "page.h"
#include "progress.h"

static const cli_example examples[] = {
    {"zeroflow demo",
     "The whole demo, in less than a minute; then open zeroflow-demo/report.html in a "
     "browser."},
    {"zeroflow demo --iterations 200 --seed 1 -o trial --json",
     "A shorter run with other random numbers, as JSON."},
    {"zeroflow demo --iterations 200 --seed 1 -o trial --resume",
     "Continue that run after Ctrl-C."},
    {NULL},
};

static const char *const files[] = {
    "zeroflow-demo/report.html",
    "The results of demo as one page, which lists the other files of the folder.",
    "zeroflow-demo/lstm.model.checkpoint, zeroflow-demo/mlp.model.checkpoint",
    "Checkpoints of demo, for --resume.",
    NULL,
};

static void print(const cli_call *call, const void *values, const void *result)
{
    study_page page = cli_page(call);
    (void)values;
    zf_demo_print(result, &page);
}

/* What was saved and how to go on, in one line. */
static cli_exit interrupted(const cli_call *call, const void *values, const void *result)
{
    const zf_demo_result *found = result;
    const zf_study *study = &found->study;
    cli_gathered resume;
    (void)values;
    if (!found->saved)
        return cli_fail(CLI_INTERRUPTED, "interrupted; the checkpoint could not be saved in %s",
                        study->folder);
    if (cli_gather(&resume)) cli_print_resume(resume.out, call);
    if (cli_gather_end(&resume))
        cli_fail(CLI_INTERRUPTED,
                 "interrupted after %s of %s iterations; saved in %s; continue with: %s",
                 zf_count(study->iterations_done + found->stopped_at).text,
                 zf_count(study->iterations).text, study->folder, resume.text);
    else
        cli_fail(CLI_INTERRUPTED, "interrupted; saved in %s", study->folder);
    free(resume.text);
    return CLI_INTERRUPTED;
}

const cli_command cli_command_demo = {
    .job = &zf_job_demo,
    .print = print,
    .interrupted = interrupted,
    .examples = examples,
    .files = files,
};
