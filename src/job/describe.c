/* The list of jobs, and what they can be told, as JSON. */
#include <string.h>

#include "job/answer.h"
#include "job/options.h"

#define ZF_JOB(name) extern const zf_job zf_job_##name;
#include "job/jobs.def"
#undef ZF_JOB

#define ZF_JOB(name) &zf_job_##name,
const zf_job *const zf_jobs[] = {
#include "job/jobs.def"
    NULL,
};
#undef ZF_JOB

const zf_job *zf_job_find(const char *name)
{
    for (int i = 0; zf_jobs[i]; i++)
        if (strcmp(zf_jobs[i]->name, name) == 0) return zf_jobs[i];
    return NULL;
}

static json_t *default_json(const zf_option *option, const void *values)
{
    char text[512];
    if (option->type == ZF_OPTION_FLAG) return json_false();
    if (zf_option_is_left(option, values)) return json_null();
    zf_option_text(text, sizeof text, option, values);
    return zf_answer_text(text);
}

static bool is_number(const zf_option *option)
{
    return option->type == ZF_OPTION_WHOLE || option->type == ZF_OPTION_REAL;
}

/* With options in braces written out. */
static json_t *help_json(const char *help)
{
    char written[4096];
    if (!help) return json_null();
    zf_write_options(written, sizeof written, help);
    return zf_answer_text(written);
}

static json_t *option_json(const zf_option *option, const void *values)
{
    json_t *json = json_object();
    bool limited = is_number(option) && (option->least != 0 || option->most != 0);
    zf_answer_set(json, "name", json_stringn(option->name, (size_t)zf_option_name(option)));
    zf_answer_set(json, "kind", zf_answer_text(zf_option_kind(option)));
    zf_answer_set(json, "default", default_json(option, values));
    zf_answer_set(json, "otherwise", help_json(option->otherwise));
    if (option->choices) {
        size_t n = 0;
        while (option->choices[n]) n++;
        zf_answer_set(json, "choices", zf_answer_texts(option->choices, n));
    }
    zf_answer_set(json, "minimum", limited ? zf_answer_number(option->least) : json_null());
    zf_answer_set(json, "maximum",
                  limited && option->most > 0 ? zf_answer_number(option->most) : json_null());
    if (option->between) zf_answer_set(json, "exclusive", json_true());
    zf_answer_set(json, "help", help_json(option->help));
    return json;
}

static json_t *rows_json(const zf_option *rows, const void *values, bool arguments)
{
    json_t *list = json_array();
    for (int i = 0; rows && rows[i].name; i++) {
        json_t *json = option_json(&rows[i], values);
        if (arguments) zf_answer_set(json, "required", json_boolean(!rows[i].optional));
        if (arguments && !rows[i].optional) zf_answer_set(json, "default", json_null());
        zf_answer_add(list, json);
    }
    return list;
}

static json_t *job_json(const zf_job *job)
{
    zf_options *options = NULL;
    if (zf_options_of(&options, job) != ZF_OK) return NULL;
    json_t *json = json_object(), *rows = rows_json(job->options, options->values, false);
    json_t *common = rows_json(zf_common_options, &options->common, false);
    if (json_array_extend(rows, common) != 0) zf_answer_add(NULL, NULL);
    json_decref(common);
    zf_answer_set(json, "name", zf_answer_text(job->name));
    zf_answer_set(json, "summary", zf_answer_text(job->summary));
    zf_answer_set(json, "inputs", rows_json(job->arguments, options->values, true));
    zf_answer_set(json, "options", rows);
    zf_options_free(options);
    return json;
}

zf_status zf_describe_jobs(char **json, const zf_job *const *jobs)
{
    json_t *list = json_array(), *object = json_object();
    for (int i = 0; jobs[i]; i++) zf_answer_add(list, job_json(jobs[i]));
    zf_answer_set(object, "jobs", list);
    return zf_answer_end(json, object);
}

zf_status zf_describe(char **json, const char *name)
{
    if (!name) return zf_describe_jobs(json, zf_jobs);
    zf_options *known;
    ZF_TRY(zf_options_new(&known, name));
    const zf_job *jobs[] = {zf_options_job(known), NULL};
    zf_options_free(known);
    return zf_describe_jobs(json, jobs);
}
