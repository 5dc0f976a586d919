/* What a job is: something that a user can ask for, described once for every front door.

   A job is one constant descriptor in its own file, and its line in jobs.def. It has options
   (option.h) whose values lie in a struct of its own, a result struct, a function that turns the
   one into the other, and one that turns the result into JSON. The command line, bindings and
   servers set options by name, run the job and show the result; they hold no statistics.

   run() gets the values as they were set. It reads its inputs, warns by zf_warn(), reports
   progress by run->report and leaves what it found in the result, also when it fails: the result
   begins as zeros and is always released. What was learnt until an interruption is in it too.

   In messages of this room an option is named in braces, as in "{threshold} and {top} exclude
   each other": a front door says how options are written (base/error.h). */
#ifndef ZF_JOB_JOB_H
#define ZF_JOB_JOB_H

#include <jansson.h>

#include "base/error.h"
#include "job/option.h"
#include "zeroflow/files.h"
#include "zeroflow/job.h"
#include "zeroflow/report.h"

/* What a job has while it runs. */
typedef struct zf_run {
    uint64_t seed;
    int threads; /* 0: all processors */
    zf_report report;
    zf_files *files;  /* options that are files are in it already */
    json_t *warnings; /* so far, as texts */
    bool quiet;       /* no advice is wanted beside the result */
    const zf_options *options;
} zf_run;

typedef struct zf_job {
    const char *name;
    const char *summary;     /* one line, lower case, no full stop */
    const char *description; /* paragraphs, with an empty line between */
    const zf_option *arguments;
    const zf_option *options;
    size_t values_size;             /* of the struct that the options lie in */
    void (*defaults)(void *values); /* of what has no fallback; NULL: zeros */
    size_t result_size;
    zf_status (*run)(void *result, const void *values, zf_run *run);
    /* A new object; NULL: memory ran out. What belongs to every result is added to it. */
    json_t *(*json)(const void *result, const void *values);
    /* What the result is where no file was asked for it, such as a table or a page; NULL: none. The
       bytes belong to the result and end with a NUL. */
    const char *(*document)(const void *result, size_t *n);
    void (*release)(void *result); /* what the result holds; NULL: nothing */
} zf_job;

/* Every job, ended by NULL. */
extern const zf_job *const zf_jobs[];

/* NULL: there is none of that name. */
const zf_job *zf_job_find(const char *name);

/* Whether the option of a field of the values was set by name, as where two cannot be used
 * together. */
bool zf_gave(const zf_run *run, const void *field);

/* A warning to the user, kept in the result as well. */
void zf_warn(zf_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What is going on, in a word or two; NULL: nothing that has a name. */
void zf_stage(const zf_run *run, const char *stage);

/* --- for front doors that are part of this project ----------------------------------- */

/* Options of a job that need not be in jobs.def, as those of src/study are not. */
zf_status zf_options_of(zf_options **out, const zf_job *job) ZF_CHECK;

/* zf_describe() of such jobs; ended by NULL. */
zf_status zf_describe_jobs(char **json, const zf_job *const *jobs) ZF_CHECK;

/* The struct of values, and which of the options and arguments were set by name. */
const void *zf_options_values(const zf_options *options);
const zf_job *zf_options_job(const zf_options *options);
bool zf_options_is_given(const zf_options *options, const zf_option *option);

/* The same as zf_options_set for a row of the job's lists; label is what it is called in
   messages. */
zf_status zf_options_put(zf_options *options, const zf_option *option, const char *label,
                         const char *text) ZF_CHECK;

/* The job's own result struct. */
const void *zf_result_of(const zf_result *result);

#endif
