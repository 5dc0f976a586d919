/* Kernels that work on each row of a matrix [rows, columns] by itself, row-major
   without gaps: softmax, layer norm, L2 normalisation, cross-entropy. A row's
   result does not depend on the others. Backward kernels write dx when fresh
   and add to it otherwise. */
#ifndef ZF_KERNEL_ROWS_H
#define ZF_KERNEL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What layer norm keeps of a row for backward. */
typedef struct zf_row_moments {
    float mean, inverse_deviation;
} zf_row_moments;

/* What normalisation keeps of a row: y = inverse x; pull is 1, or 0 where the
   norm was below epsilon and the row was only scaled. */
typedef struct zf_row_norm {
    float inverse, pull;
} zf_row_norm;

/* What cross-entropy keeps of a row: softmax = exp(x - largest) inverse_sum. */
typedef struct zf_row_softmax {
    float largest, inverse_sum;
} zf_row_softmax;

/* A symmetric matrix of similarities [columns, columns] (-infinity on the diagonal) with
   the softmax of each row as above, of which the rows from `first` on are looked at. */
typedef struct zf_contrast {
    const float *similarity, *largest, *inverse_sum;
    size_t first;
} zf_contrast;

typedef struct zf_rows_kernels {
    /* y may be x. */
    void (*softmax)(float *y, const float *x, size_t rows, size_t columns);
    /* dx may be dy when fresh. */
    void (*softmax_backward)(float *dx, const float *dy, const float *y, size_t rows,
                             size_t columns, bool fresh);

    /* y = (x - mean) / sqrt(variance + epsilon) scale + shift; NULL for 1 and 0 */
    void (*layer_norm)(float *y, zf_row_moments *moments, const float *x, const float *scale,
                       const float *shift, float epsilon, size_t rows, size_t columns);
    /* dx NULL: only the gradients of scale and shift; these are always added to,
       and either may be NULL. */
    void (*layer_norm_backward)(float *dx, float *d_scale, float *d_shift, const float *dy,
                                const float *x, const float *scale, const zf_row_moments *moments,
                                size_t rows, size_t columns, bool fresh);

    /* y = x / max(|x|, epsilon) */
    void (*normalise)(float *y, zf_row_norm *norms, const float *x, float epsilon, size_t rows,
                      size_t columns);
    void (*normalise_backward)(float *dx, const float *dy, const float *y, const zf_row_norm *norms,
                               size_t rows, size_t columns, bool fresh);

    /* The sum over rows of -log softmax(x)[label]. A label outside the columns
       makes it NaN, and its row's gradient 0. */
    double (*cross_entropy)(zf_row_softmax *kept, const float *x, const int32_t *labels,
                            size_t rows, size_t columns);
    void (*cross_entropy_backward)(float *dx, float factor, const float *x, const int32_t *labels,
                                   const zf_row_softmax *kept, size_t rows, size_t columns,
                                   bool fresh);
    /* weight[i, j] = factor (softmax of row i at j + softmax of row j at i), i counted
       from contrast->first. */
    void (*contrast)(float *weight, float factor, const zf_contrast *contrast, size_t rows,
                     size_t columns);
} zf_rows_kernels;

const zf_rows_kernels *zf_rows(void);

#endif
