/* Log lines and progress of long work, through callbacks of the caller. A NULL callback is never
   called.

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

/* Progress of long work. The pointers are valid until the callback returns. */
typedef struct zf_progress {
    uint64_t step; /* steps done, out of steps */
    uint64_t steps;
    double seconds;         /* since this run began */
    double rows_per_second; /* 0 if the work has no rows */
    const char *unit;       /* name of these rows; NULL: "rows" */
    double seconds_left;    /* estimate; negative while there is none */
    const zf_measure *measures;
    int n_measures;
    const char *stage; /* name of the work that begins, if steps is 0; NULL: none */
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
