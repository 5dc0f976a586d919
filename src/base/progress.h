/* Long work that tells where it stands, about ten times a second, and asks whether to go on. The
   caller's callback is only ever called from the thread that called the library. */
#ifndef ZF_BASE_PROGRESS_H
#define ZF_BASE_PROGRESS_H

#include "base/crew.h"
#include "zeroflow/report.h"

typedef struct zf_pace {
    zf_report report;
    double began;       /* by the clock */
    const char *things; /* what the steps are in a message; NULL: it does not say */
    /* What is told beside steps and seconds; 0 and NULL: nothing. */
    double rows;      /* a step */
    const char *unit; /* of these */
    const zf_measure *measures;
    int n_measures;
    uint64_t resumed; /* steps that an earlier run has done, in none of these seconds */
    /* Above 0: the steps are those of a part of the work, which begins after a share `from` of it
       and is a share `share`; what is told is thousandths of the whole, which never go back. */
    double from, share;
    /* its own */
    double wait, told;
    uint64_t furthest;
} zf_pace;

/* Work begins. Nothing is told in its first `wait` seconds, nor of work that ends in them: a bar
   that is full at once is only noise. Without: the first step is told. The report is copied; NULL
   is silence. */
zf_pace zf_pace_begin(const zf_report *report, double wait);

/* So many steps are done, out of steps; those of the last are always told. pace may be NULL.
   ZF_EINTERRUPT: the caller wants to stop. */
zf_status zf_pace_tell(zf_pace *pace, uint64_t step, uint64_t steps) ZF_CHECK;

/* All is done, and nothing is left to be stopped. */
void zf_pace_end(zf_pace *pace, uint64_t steps);

double zf_pace_seconds(const zf_pace *pace);

/* Runs a job of the crew, and tells and asks in between as well: while it runs, the steps go from
   the first to the last of the span. ZF_EINTERRUPT: some of the tasks were left out. */
typedef struct zf_span {
    uint64_t from, to, steps;
} zf_span;
zf_status zf_pace_run(zf_pace *pace, zf_span span, zf_crew *crew, int tasks, zf_task run,
                      void *context) ZF_CHECK;

#endif
