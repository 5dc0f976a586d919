/* The zero-flow phenomenon on generated data: a small network learns the
   velocity of a rectified flow between two independent copies of a Gaussian
   mixture, and its velocity vanishes at t = 0.5 and only there. */
#ifndef ZEROFLOW_DEMO_H
#define ZEROFLOW_DEMO_H

#include "zeroflow/report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zf_demo_options {
    uint64_t seed;
    int threads; /* 0: all processors */
    uint64_t iterations;
    int batch;
    const char *model;      /* where the trained model goes; NULL: nowhere */
    const char *checkpoint; /* written now and then and at the end; NULL: none */
    uint64_t every;         /* iterations between checkpoints */
    bool resume;            /* go on from the checkpoint if there is one */
    zf_report report;
} zf_demo_options;

ZF_API zf_demo_options zf_demo_defaults(void);

enum { ZF_DEMO_TIMES = 5 };

typedef struct zf_demo_result {
    uint64_t iterations;   /* done in all */
    uint64_t resumed_from; /* 0: from the beginning */
    double seconds;
    double loss;                 /* held-out, per coordinate, of the trained network */
    double untrained_loss;       /* the same before training */
    double constant_loss;        /* the same of the best constant velocity */
    double time[ZF_DEMO_TIMES];  /* 0, 0.25, 0.5, 0.75, 1 */
    double speed[ZF_DEMO_TIMES]; /* mean length of the velocity at that time */
} zf_demo_result;

/* ZF_EINTERRUPT: the progress callback asked to stop; the checkpoint is saved
   and result is filled in as far as training came. ZF_ENUMERIC: the loss was
   not finite; the last good checkpoint is kept. */
ZF_API zf_status zf_demo_run(zf_demo_result *result, const zf_demo_options *options) ZF_CHECK;

#ifdef __cplusplus
}
#endif
#endif
