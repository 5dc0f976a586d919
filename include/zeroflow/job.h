/* Jobs: everything that zeroflow does, by name, for programs that are not written in C.

   A job has options, which are set by name and text as on the command line, and a result, which
   is JSON with the fields of the command's --json:

     zf_options *options;
     zf_result *result;
     char *json;
     zf_options_new(&options, "fit");
     zf_options_set(options, "data", "cells.csv");
     zf_options_set(options, "output", "cells.model");
     zf_options_set(options, "gate", "mlp");
     zf_run_job(&result, NULL, options);
     zf_result_json(&json, result);

   zf_describe lists every job with its options. Options and results are opaque, so a newer library
   works with programs compiled for an older one.

   Different threads may use different handles at the same time, and one context; a handle of
   options or of a result is for one thread at a time. */
#ifndef ZEROFLOW_JOB_H
#define ZEROFLOW_JOB_H

#include <stddef.h>

#include "zeroflow/memory.h"
#include "zeroflow/report.h"
#include "zeroflow/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zf_context zf_context;
typedef struct zf_options zf_options;
typedef struct zf_result zf_result;

/* --- a context: what jobs share ------------------------------------------------------ */

/* Threads, log and progress for the jobs that are run in it. threads 0: all processors. Threads
   that a job has started sleep until the next one. */
ZF_API zf_status zf_context_new(zf_context **out, int threads) ZF_CHECK;
ZF_API void zf_context_free(zf_context *context); /* NULL is allowed */

/* Callbacks for log lines and progress, called from the thread that runs the job. */
ZF_API void zf_context_set_report(zf_context *context, zf_report report);

/* Whether to omit advice beside results, such as what to do next. */
ZF_API void zf_context_set_quiet(zf_context *context, int quiet);

/* Asks the jobs that run in it to stop with ZF_EINTERRUPT, from any thread or a signal handler.
   Jobs that are started later are not affected. */
ZF_API void zf_context_cancel(zf_context *context);

/* --- a job ---------------------------------------------------------------------------- */

/* JSON of every job and its options, or of one; free *json with zf_free. ZF_EINVAL: no such
   job. */
ZF_API zf_status zf_describe(char **json, const char *job) ZF_CHECK;

/* Options of a job, with their defaults. ZF_EINVAL: no such job. */
ZF_API zf_status zf_options_new(zf_options **out, const char *job) ZF_CHECK;

/* Sets an option by name. A list takes texts separated by commas and grows with each call; a flag
   takes true and false. ZF_EINVAL: no such option, or an invalid value; nothing is changed. */
ZF_API zf_status zf_options_set(zf_options *options, const char *name, const char *value) ZF_CHECK;

/* Its current value as text, "" for none; free *value with zf_free. */
ZF_API zf_status zf_options_get(char **value, const zf_options *options, const char *name) ZF_CHECK;

ZF_API void zf_options_free(zf_options *options); /* NULL is allowed; results keep what they need */

/* Runs the job. context NULL: all processors, no callbacks. On failure there is no result, except
   with ZF_EINTERRUPT: then it holds what was found so far. */
ZF_API zf_status zf_run_job(zf_result **out, zf_context *context,
                            const zf_options *options) ZF_CHECK;

/* The result as one JSON object; free *json with zf_free. ZF_ENUMERIC: it has a number that is not
   finite. */
ZF_API zf_status zf_result_json(char **json, const zf_result *result) ZF_CHECK;

/* What the job would have written to a file that was not named, such as a table or a page: *n bytes
   and a NUL, which belong to the result. NULL: there is none. */
ZF_API const char *zf_result_document(const zf_result *result, size_t *n);

ZF_API void zf_result_free(zf_result *result); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
