/* The principal axes of many rows, and rows turned to other axes: what ridge regression
   and principal components share.

   Axes are the eigenvectors of the scatter matrix X'X, all of which LAPACK finds by divide
   and conquer, in 6 s for the 3,072 columns of an image of 32 pixels; with fewer rows than
   columns, they are found through X X' instead. Rejected: a randomised range finder, which
   needs several passes over the rows, each as dear as a fifth of the matrix, for axes that
   are then approximate. */
#ifndef ZF_PROBE_AXES_H
#define ZF_PROBE_AXES_H

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

/* The `count` axes, [count, dim] of length 1, in which the rows have the most squares, and
   how much each has, descending; count is at most the rows and at most dim. Where there is
   nothing left, axis and squares are 0. Dim is at most ZF_AXES_DIM_MOST. */
enum { ZF_AXES_DIM_MOST = 8192 };
zf_status zf_principal_axes(float *axes, double *squares, size_t count, const zf_centred *rows,
                            zf_crew *crew) ZF_CHECK;

/* to[rows, count]: the rows by `count` axes, [count, dim]. */
zf_status zf_turn(float *to, const zf_centred *rows, const float *axes, size_t count,
                  zf_crew *crew) ZF_CHECK;

#endif
