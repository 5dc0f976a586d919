/* A table as the evidence works on it: scores and shapes of every variable. */
#ifndef ZF_EVIDENCE_SAMPLE_H
#define ZF_EVIDENCE_SAMPLE_H

#include "criterion/columns.h"

typedef struct zf_sample {
    const double *values; /* [rows, variables] */
    size_t rows, variables;
    zf_columns scores;  /* normal scores, standardised */
    zf_columns shapes;  /* ZF_SHAPES of each variable (zf_columns_bounded_shapes) */
    zf_columns squares; /* of the scores; of no columns where interactions are not looked for */
} zf_sample;

/* ZF_ENOMEM. */
zf_status zf_sample_new(zf_sample *out, zf_arena *arena, const double *values, size_t rows,
                        size_t variables) ZF_CHECK;

/* The shapes of one variable. */
zf_columns zf_sample_shapes(const zf_sample *sample, size_t variable);

/* Are there rows enough to look for slopes that change with a third variable? */
bool zf_sample_sees_interactions(const zf_sample *sample);

#endif
