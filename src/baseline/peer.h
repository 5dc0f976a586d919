/* What the peers of the two-sample test get. */
#ifndef ZF_BASELINE_PEER_H
#define ZF_BASELINE_PEER_H

#include "base/labels.h"
#include "base/progress.h"
#include "zeroflow/baseline.h"

/* Letters: N rows of both samples, the first sample's first; D columns. */
typedef struct zf_peer_call {
    /* [N, D], over a power of two, which changes no digit: rows are a few units apart at most,
       so that squares neither overflow nor vanish. One unit for all columns where distances
       between rows count, its own for each where they do not. A constant column is 0. */
    const double *values;
    double unit; /* the largest */
    size_t first_rows, second_rows, rows, columns;
    const char *const *names; /* may be NULL */
    const zf_peer_options *options;
    zf_crew *crew;
    zf_pace *pace;
} zf_peer_call;

zf_status zf_kernel_test(zf_peer_result *out, const zf_peer_call *call) ZF_CHECK;
zf_status zf_classifier_test(zf_peer_result *out, const zf_peer_call *call) ZF_CHECK;

/* The p-value of kernels * count statistics of labellings, labelling 0 the observed one;
   out->statistic is the smallest p-value of a kernel. ZF_ENOMEM. */
zf_status zf_peer_aggregate(zf_peer_result *out, const double *values, int kernels,
                            size_t count) ZF_CHECK;

#endif
