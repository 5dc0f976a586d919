/* Second moments of many rows, and rows turned to other axes: what ridge regression
   and principal components share. */
#ifndef ZF_PROBE_COVARIANCE_H
#define ZF_PROBE_COVARIANCE_H

#include "base/crew.h"
#include "zeroflow/probe.h"

/* Rows [n, dim], less the mean of some columns. */
typedef struct zf_centred {
    const float *values;
    const float *mean; /* [dim] */
    size_t rows, dim;
} zf_centred;

/* The first n rows from `first` on into to[n, dim]. */
void zf_centred_take(const zf_centred *rows, float *to, size_t first, size_t n);

/* to[dim, dim] = sum over rows of their outer products, both triangles. Products are
   in float within blocks of rows and added in double. */
zf_status zf_scatter_matrix(double *to, const zf_centred *rows, zf_crew *crew) ZF_CHECK;

/* to[rows, count]: the rows by `count` axes, [count, dim]. */
zf_status zf_turn(float *to, const zf_centred *rows, const float *axes, size_t count,
                  zf_crew *crew) ZF_CHECK;

#endif
