/* Sums in a fixed order: over arrays, and over the columns of a matrix.

   Sums over arrays are added in float within blocks and in double between them
   (isa/fold.h), so that a sum over millions keeps about seven digits. */
#ifndef ZF_KERNEL_REDUCE_H
#define ZF_KERNEL_REDUCE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct zf_reduce_kernels {
    double (*sum)(const float *x, size_t n);
    double (*dot)(const float *a, const float *b, size_t n);
    double (*squares)(const float *x, size_t n);
    /* Sum of (a - b)^2; and with weights. */
    double (*squared_difference)(const float *a, const float *b, size_t n);
    double (*weighted_squares)(const float *x, const float *weight, size_t n);
    double (*weighted_squared_difference)(const float *a, const float *b, const float *weight,
                                          size_t n);

    /* The slope of the squared error: dx = (or, unless fresh, +=)
       factor weight (a - b), where b NULL stands for 0 and weight NULL for 1. */
    void (*gap)(float *dx, float factor, const float *a, const float *b, const float *weight,
                size_t n, bool fresh);

    /* Matrices [rows, columns], row-major without gaps. */

    /* out[j] = (or, unless fresh, +=) sum over rows of x[n, j]: a bias gradient. */
    void (*column_sums)(float *out, const float *x, size_t rows, size_t columns, bool fresh);
    /* The same for a[n, j] b[n, j]. */
    void (*column_dots)(float *out, const float *a, const float *b, size_t rows, size_t columns,
                        bool fresh);
    /* y[n, j] = x[n, j] + row[j]; y may be x. */
    void (*add_row)(float *y, const float *x, const float *row, size_t rows, size_t columns);
    /* y[n, j] = (or, unless fresh, +=) x[n, j] row[j]; y may be x when fresh. */
    void (*mul_row)(float *y, const float *x, const float *row, size_t rows, size_t columns,
                    bool fresh);
} zf_reduce_kernels;

const zf_reduce_kernels *zf_reduce(void);

#endif
