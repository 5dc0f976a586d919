/* The inside of zf_context. */
#ifndef ZF_JOB_CONTEXT_H
#define ZF_JOB_CONTEXT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/crew.h"
#include "zeroflow/job.h"

struct zf_context {
    int threads;
    zf_crews *crews; /* at rest between jobs */
    zf_report report;
    bool quiet;
    atomic_uint cancels; /* how often it was cancelled: a job notes the number that it began with */
};

#endif
