/* Softmax regression by Adam: one classifier, one step at a time.

   Classes are read off logits x W + b; a step takes the mean cross-entropy of some
   rows downhill. Written out rather than built as a program, so that several of them
   train side by side, each on one thread: a step is two small products, too little
   work to cut into shards. */
#ifndef ZF_PROBE_SOFTMAX_H
#define ZF_PROBE_SOFTMAX_H

#include "base/arena.h"
#include "kernel/panel.h"
#include "kernel/rows.h"
#include "probe/scaling.h"
#include "zeroflow/probe.h"

/* Letters: D dim, C classes, B batch. */
typedef struct zf_probe_softmax {
    size_t dim, classes, batch;
    const zf_scaling *scaling; /* NULL: columns stay as they are */
    uint64_t steps;            /* done */
    size_t n_weights;
    float *weights; /* [D, C], and the bias [C] behind them; likewise: */
    float *gradient, *first, *second;
    float *rows;           /* [B, D], of the step at hand */
    float *logits, *slope; /* [B, C] */
    int32_t *labels;       /* [B] */
    zf_row_softmax *kept;  /* [B] */
    float *packed_weights; /* for logits */
    float *packed_slope;   /* for the gradient */
    const zf_panel_kernels *forward, *backward;
} zf_probe_softmax;

/* Fills in the rest of one whose dim, classes, batch and scaling are set; weights are
   0. Everything lives in the arena. */
zf_status zf_probe_softmax_new(zf_probe_softmax *s, zf_arena *arena) ZF_CHECK;

/* Weights and bias uniform on +-1 / sqrt(D), as PyTorch draws them. */
void zf_probe_softmax_draw(zf_probe_softmax *s, uint64_t seed, uint64_t number);

/* A step on rows which[0 .. n) of the set, n <= B. */
void zf_probe_softmax_step(zf_probe_softmax *s, const zf_labelled *set, const uint32_t *which,
                           size_t n, double rate);

/* given[set->rows]: the class with the largest logit, the first of equal ones. */
void zf_probe_softmax_classify(zf_probe_softmax *s, int32_t *given, const zf_labelled *set);

#endif
