/* Convolution of images, float32: forward, backward data, backward weights.

   Letters: N images of C x H x W, O output channels of OH x OW, kernels of
   KH x KW; everything row-major, images [N, C, H, W], weights [O, C, KH, KW].

   Nothing is allocated and nothing is kept: the caller brings scratch memory of
   the size that the _scratch functions give, aligned to 64 bytes. A result of
   one image does not depend on which other images are in the call. */
#ifndef ZF_KERNEL_CONV_H
#define ZF_KERNEL_CONV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct zf_conv_kernels zf_conv_kernels;
typedef struct zf_winograd_kernels zf_winograd_kernels;

typedef struct zf_conv {
    int c, h, w;                    /* of an input image */
    int o, kh, kw;                  /* output channels, kernel */
    int stride_h, stride_w;         /* >= 1 */
    int padding_h, padding_w;       /* >= 0 */
    const zf_conv_kernels *kernels; /* NULL: the best that the machine has */
    bool quick;                     /* 16 bits will do, where that is faster: conv_product.h */
} zf_conv;

/* Output size along one dimension; 0 where the kernel does not fit. */
int zf_conv_output_h(const zf_conv *conv);
int zf_conv_output_w(const zf_conv *conv);

/* Whether all sizes are positive, the kernel fits into the padded image, and
   padded input and output of an image have less than 2^28 elements, which the
   other functions take for granted. */
bool zf_conv_fits(const zf_conv *conv);

/* y [n, O, OH, OW] = (accumulate ? y : 0) + bias + x * w. bias [O] or NULL. */
void zf_conv_forward(const zf_conv *conv, int n, const float *x, const float *w, const float *bias,
                     bool accumulate, float *y, void *scratch);
size_t zf_conv_forward_scratch(const zf_conv *conv);

/* The gradient of x: dx [n, C, H, W] = (accumulate ? dx : 0) + bias + what dy
   [n, O, OH, OW] sends back through w. This is also the forward run of a
   transposed convolution, which is why there is a bias [C] (or NULL). */
void zf_conv_backward_data(const zf_conv *conv, int n, const float *dy, const float *w,
                           const float *bias, bool accumulate, float *dx, void *scratch);
size_t zf_conv_backward_data_scratch(const zf_conv *conv);

/* The gradient of w, summed over the n images: dw [O, C, KH, KW] is added to,
   or overwritten. */
void zf_conv_backward_weights(const zf_conv *conv, int n, const float *x, const float *dy,
                              bool accumulate, float *dw, void *scratch);
size_t zf_conv_backward_weights_scratch(const zf_conv *conv);

/* The gradient of a bias: db [channels] gets the sums of dy [n, channels, pixels]. */
void zf_conv_backward_bias(int n, int channels, size_t pixels, const float *dy, bool accumulate,
                           float *db);

/* --- between conv.c and isa/conv.c ----------------------------------------

   Both inner kernels see a convolution as a matrix product whose one factor is
   never formed: element (k, p) of it is in[position[p] + offset[k]], where k
   runs over (channel, tap) and p over pixels. Pixels come in vectors of `lanes`
   neighbours; a list gives each vector's position in the padded input (in) and
   in the output planes (out). */
typedef struct zf_conv_pixels {
    const int32_t *in, *out;
    int vectors;
} zf_conv_pixels;

/* out[o][p] = start + sum over k of weights[o][k] in[p + offset[k]]. */
typedef struct zf_conv_correlate {
    const float *in;
    zf_conv_pixels pixels;
    const int32_t *offset; /* [taps] */
    int taps;              /* channels x taps: the length of k */
    const float *weights;  /* in blocks of output channels, each [taps][block] */
    const float *bias;     /* or NULL */
    int outputs;
    float *out;
    size_t out_plane; /* distance of output channels */
    bool accumulate;
} zf_conv_correlate;

/* sum[o][k] += sum over p of out[o][p] in[p + offset[k]]. */
typedef struct zf_conv_weigh {
    const float *in;
    zf_conv_pixels pixels;
    const int32_t *offset;
    int taps;
    const float *out;
    size_t out_plane;
    int outputs;
    float *sum; /* [outputs][taps] */
} zf_conv_weigh;

/* to[y to_pitch + x to_step] = from[y from_pitch + x from_step], or += . */
typedef struct zf_conv_copy {
    float *to;
    const float *from;
    size_t to_pitch, to_step, from_pitch, from_step;
    int rows, cols;
    bool accumulate;
} zf_conv_copy;

struct zf_conv_kernels {
    int lanes;
    int block; /* the most output channels that correlate takes at once */
    void (*copy)(const zf_conv_copy *job);
    void (*correlate)(const zf_conv_correlate *job);
    void (*weigh)(const zf_conv_weigh *job);
    const zf_winograd_kernels *winograd; /* of the same instruction set */
};

const zf_conv_kernels *zf_conv_kernels_of(void);

/* Output channels are cut into as few blocks as possible, as even as possible.
   Returns the number of channels in the block that begins at `first`. */
static inline int zf_conv_block(int outputs, int most, int first)
{
    int left = outputs - first, blocks = (left + most - 1) / most;
    return (left + blocks - 1) / blocks;
}

#endif
