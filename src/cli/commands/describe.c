/* zeroflow describe: every job with its options, for programs. */
#include <string.h>

#include "parse.h"
#include "text.h"

enum { JOB };
enum { JOBS_MOST = 64 };

static const zf_option arguments[] = {
    [JOB] = {"JOB", .type = ZF_OPTION_COMMAND, .optional = true,
             .help = "Job to describe; without it, all of them."},
    {NULL},
};

static const cli_example examples[] = {
    {"zeroflow describe --json", "Every job with its inputs and options, as JSON."},
    {"zeroflow describe score", "One of them, as text."},
    {NULL},
};

static void print_rows(FILE *out, const zf_option *rows, const void *values)
{
    for (int i = 0; i < zf_option_count(rows); i++) {
        char text[64];
        zf_option_text(text, sizeof text, &rows[i], values);
        fprintf(out, "  %-16s %-8s %s\n", rows[i].name, zf_option_kind(&rows[i]),
                rows[i].otherwise ? rows[i].otherwise : text);
    }
}

static cli_exit print_job(FILE *out, const zf_job *job)
{
    zf_options *options;
    CLI_TRY(cli_check(zf_options_of(&options, job)));
    fprintf(out, "%s: %s\n", job->name, job->summary);
    print_rows(out, job->arguments, zf_options_values(options));
    print_rows(out, job->options, zf_options_values(options));
    fputc('\n', out);
    zf_options_free(options);
    return CLI_DONE;
}

/* The jobs of all commands, or the one of that name: more than the library's, as studies are jobs
   as well. */
static cli_exit find_jobs(const zf_job *jobs[JOBS_MOST + 1], const char *wanted)
{
    int n = 0;
    for (int i = 0; cli_commands[i] && n < JOBS_MOST; i++) {
        const zf_job *job = cli_commands[i]->job;
        if (job && (!wanted || strcmp(job->name, wanted) == 0)) jobs[n++] = job;
    }
    jobs[n] = NULL;
    if (n > 0 || !wanted) return CLI_DONE;
    zf_options *none = NULL;
    cli_exit exit = cli_check(zf_options_new(&none, wanted));
    if (exit == CLI_DONE) jobs[0] = zf_options_job(none), jobs[1] = NULL;
    zf_options_free(none);
    return exit;
}

static cli_exit run(const cli_call *call)
{
    char *json;
    const zf_job *jobs[JOBS_MOST + 1];
    CLI_TRY(find_jobs(jobs, call->arguments[JOB].text));
    if (call->json) {
        CLI_TRY(cli_check(zf_describe_jobs(&json, jobs)));
        cli_clean_json(call->out, json);
        fputc('\n', call->out);
        zf_free(json);
    }
    for (int i = 0; jobs[i] && !call->json; i++) CLI_TRY(print_job(call->out, jobs[i]));
    return CLI_DONE;
}

const cli_command cli_command_describe = {
    .name = "describe",
    .summary = "list every job with its options, for programs",
    .description =
        "A job is what zeroflow can be asked to do. With --json each job has its name, its "
        "inputs and its options with type, default, choices and limits: what a program needs "
        "to set options by name, through the library or on a command line.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};
