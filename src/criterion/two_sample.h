/* What the methods of the two-sample test share. */
#ifndef ZF_CRITERION_TWO_SAMPLE_H
#define ZF_CRITERION_TWO_SAMPLE_H

#include "base/progress.h"
#include "criterion/pool.h"

typedef struct zf_two_sample_call {
    const zf_pool *pool;
    const zf_two_sample_options *options;
    zf_crew *crew;
    zf_pace *pace;
} zf_two_sample_call;

zf_status zf_two_sample_flow(zf_two_sample_result *out, const zf_two_sample_call *call) ZF_CHECK;
zf_status zf_two_sample_network(zf_two_sample_result *out, const zf_two_sample_call *call) ZF_CHECK;

/* From witness[N], a value a row of the pool: the rows of each sample that lie
   farthest on its own side. part[D], each coordinate's part of the statistic,
   becomes the shares. ZF_ENOMEM: out is as it was. */
zf_status zf_two_sample_explain(zf_two_sample_result *out, const zf_two_sample_call *call,
                                const double *witness, const double *part) ZF_CHECK;

#endif
