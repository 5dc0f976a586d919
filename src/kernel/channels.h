/* Kernels over the channels of a tensor [rows, channels, space], row-major: what
   batch norm needs. space is 1 for columns of a matrix, H W for images.

   Moments and sums are in double, for they are combined over shards; the
   factors that are applied are float, one a channel. */
#ifndef ZF_KERNEL_CHANNELS_H
#define ZF_KERNEL_CHANNELS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct zf_channels_shape {
    size_t rows, channels, space;
} zf_channels_shape;

typedef struct zf_channels_kernels {
    /* By channel: the mean, and the sum of squared differences from it. */
    void (*moments)(double *mean, double *spread, const float *x, zf_channels_shape shape);
    /* y = (x - mean) factor + shift; y may be x. */
    void (*apply)(float *y, const float *x, const float *mean, const float *factor,
                  const float *shift, zf_channels_shape shape);
    /* By channel: the sums of dy and of dy (x - mean). */
    void (*backward_sums)(double *sums, double *dots, const float *dy, const float *x,
                          const float *mean, zf_channels_shape shape);
    /* dx = (or, unless fresh, +=) factor dy - level - slope (x - mean); dx may be
       dy when fresh. */
    void (*backward_apply)(float *dx, const float *dy, const float *x, const float *mean,
                           const float *factor, const float *level, const float *slope,
                           zf_channels_shape shape, bool fresh);
} zf_channels_kernels;

const zf_channels_kernels *zf_channels(void);

#endif
