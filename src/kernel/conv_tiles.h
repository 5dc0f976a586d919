/* For conv.c only: 3x3 convolutions of stride 1 with 8 to 16 channels on either side, on
   AMX tiles, with products of 16 to 17 bits.

   Every number is the sum of two bfloat16; sums are float32. What is lost is what two
   bfloat16 cannot hold: with normal x and w, 16 -> 16 channels at 32x32, values are
   off by 3.5e-6 of their scale (root mean square; 1.7e-5 at worst), gradients of
   weights by 4.5e-6 (1.9e-5). The ways with 24 bits are off by 2e-7 to 5e-7; the TF32
   of graphics processors, with which networks of pictures are trained by default,
   by some 3e-4. What is not finite gives NaN.

   Rejected: three parts and six products, which would be as exact as float32 and, at
   twice the products, no faster than Winograd's way. With data that are not zero a
   product of tiles takes 7 ns, not the 5.5 of its documentation, and one
   convolution of 16 -> 16 channels needs 1,152 of them. */
#ifndef ZF_KERNEL_CONV_TILES_H
#define ZF_KERNEL_CONV_TILES_H

#include "kernel/conv.h"

/* A convolution x [c, h, w] -> y [o, oh, ow] of n images. For backward data it is the
   one that leads from dy to dx. */
typedef struct zf_tiles_values {
    int c, h, w, o, oh, ow;
    int padding_h, padding_w; /* 0, 1 or 2 */
    bool turned;              /* weights are [c, o, 3, 3], and turned by 180 degrees */
    int n;
    const float *x, *weights, *bias; /* bias may be NULL */
    bool accumulate;
    float *y;
} zf_tiles_values;

/* dw [o, c, 3, 3] of n images. */
typedef struct zf_tiles_weights {
    int c, h, w, o, oh, ow;
    int padding_h, padding_w;
    int n;
    const float *x, *dy;
    bool accumulate;
    float *dw;
} zf_tiles_weights;

/* How a pass of a convolution looks this way, but for its images; false where it does
   not go this way: it must allow that (conv->quick), have the form and the size, and
   the processor must have tiles. ZEROFLOW_PRODUCTS=exact forbids it everywhere. */
bool zf_tiles_of_forward(const zf_conv *conv, zf_tiles_values *job);
bool zf_tiles_of_backward_data(const zf_conv *conv, zf_tiles_values *job);
bool zf_tiles_of_backward_weights(const zf_conv *conv, zf_tiles_weights *job);

/* Scratch memory as for conv.h. */
size_t zf_tiles_values_scratch(const zf_tiles_values *job);
void zf_tiles_values_run(const zf_tiles_values *job, void *scratch);
size_t zf_tiles_weights_scratch(const zf_tiles_weights *job);
void zf_tiles_weights_run(const zf_tiles_weights *job, void *scratch);

/* --- between conv_tiles.c and isa/conv_tiles*.c ------------------------------- */

typedef struct zf_tiles_values_kernels {
    size_t (*scratch)(const zf_tiles_values *job);
    void (*run)(const zf_tiles_values *job, void *scratch);
} zf_tiles_values_kernels;

typedef struct zf_tiles_weights_kernels {
    size_t (*scratch)(const zf_tiles_weights *job);
    void (*run)(const zf_tiles_weights *job, void *scratch);
} zf_tiles_weights_kernels;

#endif
