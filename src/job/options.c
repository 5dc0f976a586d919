/* Options of a job: its struct of values, set by name, and what was set. */
#include "job/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job/value.h"
#include "zeroflow/nearest.h"

const zf_option zf_common_options[] = {
    {"seed", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(zf_common, seed),
     .most = (double)(UINT64_C(1) << 53),
     .help = "Seed of all random numbers: the same seed gives the same result, bit for bit, with "
             "any number of threads."},
    {NULL},
};

static zf_status no_such_job(const char *name)
{
    const char *names[64];
    size_t n = 0;
    for (; n < sizeof names / sizeof *names && zf_jobs[n]; n++) names[n] = zf_jobs[n]->name;
    const char *near = zf_nearest(name, names, n);
    return zf_fail(ZF_EINVAL, "unknown job \"%s\"%s%s%s", name, near ? "; did you mean " : "",
                   near ? near : "", near ? "?" : "");
}

zf_status zf_options_new(zf_options **out, const char *name)
{
    const zf_job *job = zf_job_find(name);
    if (!job) return no_such_job(name);
    return zf_options_of(out, job);
}

zf_status zf_options_of(zf_options **out, const zf_job *job)
{
    zf_options *options = calloc(1, sizeof *options);
    size_t rows = (size_t)zf_option_count(job->options) + (size_t)zf_option_count(job->arguments);
    if (options) {
        atomic_init(&options->held, 1);
        options->job = job;
        options->values = calloc(1, job->values_size + 1);
        options->given = calloc(rows + 1, sizeof *options->given);
    }
    zf_status status = ZF_OK;
    if (!options || !options->values || !options->given)
        status = zf_fail_memory(job->values_size + rows);
    if (status == ZF_OK && job->defaults) job->defaults(options->values);
    if (status == ZF_OK)
        status = zf_value_fall_back(options->values, &options->texts, job->options);
    if (status != ZF_OK) {
        zf_options_free(options);
        return status;
    }
    *out = options;
    return ZF_OK;
}

zf_options *zf_options_hold(const zf_options *options)
{
    zf_options *held = (zf_options *)options;
    atomic_fetch_add(&held->held, 1);
    return held;
}

void zf_options_free(zf_options *options)
{
    if (!options || atomic_fetch_sub(&options->held, 1) > 1) return;
    zf_texts_free(&options->texts);
    free(options->values);
    free(options->given);
    free(options);
}

/* Where a row is noted as given; NULL: it is one of every job. */
static bool *note_of(const zf_options *options, const zf_option *option)
{
    const zf_job *job = options->job;
    int n = zf_option_count(job->options);
    if (job->options && option >= job->options && option < job->options + n)
        return &options->given[option - job->options];
    if (option >= zf_common_options && option < zf_common_options + ZF_COMMON_OPTIONS) return NULL;
    return &options->given[n + (option - job->arguments)];
}

zf_status zf_options_put(zf_options *options, const zf_option *option, const char *label,
                         const char *text)
{
    bool *note = note_of(options, option);
    void *values = note ? options->values : &options->common;
    ZF_TRY(zf_value_set(values, &options->texts, option, label, text));
    if (note) *note = true;
    return ZF_OK;
}

bool zf_options_is_given(const zf_options *options, const zf_option *option)
{
    const bool *note = note_of(options, option);
    return note && *note;
}

bool zf_gave(const zf_run *run, const void *field)
{
    const zf_options *options = run->options;
    size_t offset = (size_t)((const char *)field - (const char *)options->values);
    const zf_option *rows = options->job->options;
    for (int i = 0; rows && rows[i].name; i++)
        if (rows[i].offset == offset && options->given[i]) return true;
    return false;
}

static const zf_option *find_in(const zf_option *rows, const char *name)
{
    int at = zf_option_find(rows, name, strlen(name), 0);
    return at < 0 ? NULL : &rows[at];
}

static const zf_option *find(const zf_options *options, const char *name)
{
    const zf_option *found = find_in(options->job->options, name);
    if (!found) found = find_in(options->job->arguments, name);
    return found ? found : find_in(zf_common_options, name);
}

static zf_status no_such_option(const zf_options *options, const char *name)
{
    const char *names[128];
    size_t n = 0;
    const zf_option *const lists[] = {options->job->options, options->job->arguments,
                                      zf_common_options};
    for (int k = 0; k < 3; k++)
        for (int i = 0; lists[k] && lists[k][i].name && n < sizeof names / sizeof *names; i++)
            names[n++] = lists[k][i].name;
    const char *near = zf_nearest(name, names, n);
    return zf_fail(ZF_EINVAL, "unknown option %s%s%s%s", name, near ? "; did you mean " : "",
                   near ? near : "", near ? "?" : "");
}

void zf_option_label(char *label, size_t size, const zf_option *option)
{
    bool argument = option->name[0] >= 'A' && option->name[0] <= 'Z';
    snprintf(label, size, "%s%s%s", argument ? "" : "option ", argument ? "" : zf_option_prefix(),
             option->name);
}

zf_status zf_options_set(zf_options *options, const char *name, const char *value)
{
    char label[96];
    const zf_option *option = find(options, name);
    if (!option) return no_such_option(options, name);
    zf_option_label(label, sizeof label, option);
    return zf_options_put(options, option, label, value);
}

zf_status zf_options_get(char **value, const zf_options *options, const char *name)
{
    enum { LONGEST = 1 << 16 };
    const zf_option *option = find(options, name);
    if (!option) return no_such_option(options, name);
    char *text = malloc(LONGEST);
    if (!text) return zf_fail_memory(LONGEST);
    zf_option_text(text, LONGEST, option,
                   note_of(options, option) ? options->values : (const void *)&options->common);
    *value = text;
    return ZF_OK;
}

const void *zf_options_values(const zf_options *options)
{
    return options->values;
}

const zf_job *zf_options_job(const zf_options *options)
{
    return options->job;
}
