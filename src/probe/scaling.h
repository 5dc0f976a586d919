/* Columns brought to mean 0 and deviation 1. */
#ifndef ZF_PROBE_SCALING_H
#define ZF_PROBE_SCALING_H

#include "base/arena.h"

/* (x - mean) factor + shift, by columns; the factor of a constant column is 0, and so
   is every shift. */
typedef struct zf_scaling {
    size_t dim;
    float *mean, *factor, *shift; /* [dim] */
} zf_scaling;

/* Of the columns of features [rows, dim]; lives in the arena. */
zf_status zf_scaling_find(zf_scaling *out, const float *features, size_t rows, size_t dim,
                          zf_arena *arena) ZF_CHECK;

/* Both [rows, dim]; to may be from. */
void zf_scaling_apply(const zf_scaling *scaling, float *to, const float *from, size_t rows);

#endif
