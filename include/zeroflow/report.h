/* How the library speaks while it works: log lines and progress, through
   callbacks that the caller owns. A NULL callback is silence.

     static bool show(void *context, const zf_progress *progress)
     {
         fprintf(context, "%.0f s left\n", progress->seconds_left);
         return true; // go on
     }

     options.report = (zf_report){.progress = show, .context = stderr};

   Callbacks are called from the thread that called the library. */
#ifndef ZEROFLOW_REPORT_H
#define ZEROFLOW_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "zeroflow/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum zf_level { ZF_INFO, ZF_WARNING } zf_level;

/* One named number of a progress report, such as {"loss", 0.82}. */
typedef struct zf_measure {
    const char *name;
    double value;
} zf_measure;

/* Where long work stands. The pointers live until the callback returns. */
typedef struct zf_progress {
    uint64_t step; /* steps done, out of steps */
    uint64_t steps;
    double seconds;         /* since this run began */
    double rows_per_second; /* 0 where rows mean nothing */
    const char *unit;       /* what these rows are called; NULL: "rows" */
    double seconds_left;    /* estimate; negative while there is none */
    const zf_measure *measures;
    int n_measures;
    const char *stage; /* what is going on, in a word or two, where steps is 0: work that tells
                          nothing else of itself begins, or NULL, nothing that has a name */
} zf_progress;

typedef struct zf_report {
    /* A line for the user, without newline. */
    void (*log)(void *context, zf_level level, const char *line);
    /* Called about ten times a second at most, and once at the end. Returning
       false asks the work to save what it has and to stop with ZF_EINTERRUPT. */
    bool (*progress)(void *context, const zf_progress *progress);
    void *context;
} zf_report;

#ifdef __cplusplus
}
#endif
#endif
