/* How well a graph's scores find the true edges. */
#ifndef ZF_JOB_SCORE_H
#define ZF_JOB_SCORE_H

#include "job/job.h"
#include "zeroflow/graph.h"

typedef struct zf_score_values {
    const char *graph, *truth, *nodes;
} zf_score_values;

typedef struct zf_score_result {
    zf_accuracy accuracy;
    bool directed;
} zf_score_result;

extern const zf_job zf_job_score;

#endif
