/* Running a job: the same for every front door. Files are checked against each other before
   anything works, warnings are kept, a cancelled context stops progress. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/answer.h"
#include "job/context.h"
#include "job/options.h"

struct zf_result {
    zf_options *options;
    void *found; /* the job's own struct */
    json_t *warnings;
};

/* What stands between the caller's callbacks and the job. */
typedef struct relay {
    zf_context *context;
    unsigned cancels; /* of the context, when the job began */
    zf_report to;
    json_t *warnings;
} relay;

static bool is_cancelled(const relay *r)
{
    return r->context && atomic_load(&r->context->cancels) != r->cancels;
}

static void on_log(void *context, zf_level level, const char *line)
{
    relay *r = context;
    if (level == ZF_WARNING && r->warnings) zf_answer_add(r->warnings, zf_answer_text(line));
    if (r->to.log) r->to.log(r->to.context, level, line);
}

static bool on_progress(void *context, const zf_progress *progress)
{
    relay *r = context;
    bool go_on = !r->to.progress || r->to.progress(r->to.context, progress);
    return go_on && !is_cancelled(r);
}

void zf_warn(zf_run *run, const char *format, ...)
{
    char *line = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = zf_format(&line, format, arguments);
    va_end(arguments);
    if (length >= 0 && run->report.log) run->report.log(run->report.context, ZF_WARNING, line);
    free(line);
}

void zf_stage(const zf_run *run, const char *stage)
{
    zf_progress progress = {.stage = stage, .seconds_left = -1};
    if (run->report.progress) (void)run->report.progress(run->report.context, &progress);
}

static zf_status tell_file(zf_files *files, const zf_option *option, const char *path)
{
    char role[64];
    bool argument = option->name[0] >= 'A' && option->name[0] <= 'Z';
    snprintf(role, sizeof role, "%s%s", argument ? "" : zf_option_prefix(), option->name);
    switch (option->type) {
    case ZF_OPTION_FILE:
        return zf_files_reads(files, role, path);
    case ZF_OPTION_IMAGES:
        return zf_files_reads_all(files, role, path);
    case ZF_OPTION_OUTPUT:
        return zf_files_writes(files, role, path);
    default:
        return ZF_OK;
    }
}

static zf_status tell_files(zf_files *files, const zf_option *rows, const void *values)
{
    for (int i = 0; rows && rows[i].name; i++) {
        const char *path;
        if (rows[i].type != ZF_OPTION_FILE && rows[i].type != ZF_OPTION_IMAGES &&
            rows[i].type != ZF_OPTION_OUTPUT)
            continue;
        memcpy(&path, (const char *)values + rows[i].offset, sizeof path);
        if (path) ZF_TRY(tell_file(files, &rows[i], path));
    }
    return ZF_OK;
}

static zf_status check_arguments(const zf_options *options)
{
    const zf_option *rows = options->job->arguments;
    for (int i = 0; rows && rows[i].name; i++)
        if (!rows[i].optional && !zf_options_is_given(options, &rows[i]))
            return zf_fail(ZF_EINVAL, "%.*s is missing: %s", zf_option_name(&rows[i]), rows[i].name,
                           rows[i].help);
    return ZF_OK;
}

static zf_status run_checked(zf_result *result, zf_run *run)
{
    const zf_options *options = result->options;
    const zf_job *job = options->job;
    ZF_TRY(check_arguments(options));
    ZF_TRY(zf_files_new(&run->files));
    ZF_TRY(tell_files(run->files, job->arguments, options->values));
    ZF_TRY(tell_files(run->files, job->options, options->values));
    ZF_TRY(zf_files_hold(run->files));
    return job->run(result->found, options->values, run);
}

zf_status zf_run_job(zf_result **out, zf_context *context, const zf_options *options)
{
    relay r = {.context = context, .cancels = context ? atomic_load(&context->cancels) : 0};
    zf_result *result = calloc(1, sizeof *result);
    if (!result) return zf_fail_memory(sizeof *result);
    result->options = zf_options_hold(options);
    result->found = calloc(1, options->job->result_size + 1);
    result->warnings = r.warnings = json_array();
    if (context) r.to = context->report;
    zf_run run = {
        .seed = options->common.seed,
        .threads = context ? context->threads : 0,
        .report = {.log = on_log, .progress = on_progress, .context = &r},
        .warnings = r.warnings,
        .quiet = context && context->quiet,
        .options = options,
    };
    zf_crews *before = zf_crews_use(context ? context->crews : NULL);
    zf_status status = result->found && r.warnings ? run_checked(result, &run)
                                                   : zf_fail_memory(options->job->result_size);
    zf_crews_use(before);
    zf_files_free(run.files);
    if (status != ZF_OK && status != ZF_EINTERRUPT) {
        zf_result_free(result);
        return status;
    }
    *out = result;
    return status;
}

zf_status zf_result_json(char **json, const zf_result *result)
{
    const zf_options *options = result->options;
    json_t *object = options->job->json(result->found, options->values);
    if (object && json_array_size(result->warnings) > 0)
        zf_answer_set(object, "warnings", json_incref(result->warnings));
    return zf_answer_end(json, object);
}

const char *zf_result_document(const zf_result *result, size_t *n)
{
    const zf_job *job = result->options->job;
    *n = 0;
    return job->document ? job->document(result->found, n) : NULL;
}

const void *zf_result_of(const zf_result *result)
{
    return result->found;
}

void zf_result_free(zf_result *result)
{
    if (!result) return;
    const zf_job *job = result->options->job;
    if (job->release && result->found) job->release(result->found);
    zf_options_free(result->options);
    json_decref(result->warnings);
    free(result->found);
    free(result);
}
