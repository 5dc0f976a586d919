/* For conv.c only: 3x3 convolutions of stride 1 by Winograd's minimal filtering,
   F(2x2, 3x3) for values and F(3x3, 2x2) for the gradient of the weights.

   The output is cut into tiles of 2x2, which read 4x4 of the input, overlapping
   by 2. Both are brought into a domain of 16 places in which a tile costs one
   product a pair of channels and place: 16 instead of 36.

       y = A' [(G w G') . (B' x B)] A        dw = G' [(B' x B) . (A dy A')] G

   The matrices hold nothing but 0, +-1 and +-1/2, and sums are shorter, so no
   digits are lost: with normal x and w, 16 -> 16 channels at 32x32, values are off
   by at most 2e-7 of the largest (4e-7 the direct way), weight gradients of 8
   images by 5e-7 (2e-7). F(4x4, 3x3), which saves another factor of 1.78 in products
   and rounds more of them away, is for stacks (isa/stack_winograd.c). */
#ifndef ZF_KERNEL_CONV_WINOGRAD_H
#define ZF_KERNEL_CONV_WINOGRAD_H

#include "kernel/conv.h"

enum { ZF_WINOGRAD_PLACES = 16 };

/* A convolution x [c, h, w] -> y [o, oh, ow]. For backward data it is the one
   that leads from dy to dx. */
typedef struct zf_winograd {
    int c, h, w, o, oh, ow;
    int padding_h, padding_w; /* 0, 1 or 2 */
    const zf_winograd_kernels *kernels;
} zf_winograd;

/* Whether a pass of a convolution is done this way, and how it then looks. The
   rule is in conv_winograd.c. */
bool zf_winograd_of_forward(const zf_conv *conv, zf_winograd *pass);
bool zf_winograd_of_backward_data(const zf_conv *conv, zf_winograd *pass);
bool zf_winograd_of_backward_weights(const zf_conv *conv, zf_winograd *pass);

/* Weights are [o, c, 3, 3], or, turned, [c, o, 3, 3] and turned by 180 degrees:
   what backward data wants. */
typedef struct zf_winograd_values {
    int n;
    const float *x, *w, *bias; /* bias may be NULL */
    bool turned, accumulate;
    float *y;
} zf_winograd_values;

void zf_winograd_correlate(const zf_winograd *pass, const zf_winograd_values *job, void *scratch);
size_t zf_winograd_correlate_scratch(const zf_winograd *pass);

void zf_winograd_weigh(const zf_winograd *pass, int n, const float *x, const float *dy,
                       bool accumulate, float *dw, void *scratch);
size_t zf_winograd_weigh_scratch(const zf_winograd *pass);

/* --- between conv_winograd.c and isa/conv_winograd.c --------------------------

   One vector of tiles is worked on at a time: `lanes` neighbours in a row, or,
   where a row has no more than half as many, those of two rows, one in each half
   of the vector. Either way its pixels are two runs of `lanes` columns: the
   second is right of the first, or two rows below it. */

/* Rows of all channels, copied between zeros into `depth` slots a channel, round
   and round. Rows outside the image are zeros; columns beyond `width` are left
   alone. */
typedef struct zf_winograd_lines {
    const float *from; /* [channels][height][width] */
    int channels, height, width;
    int first, rows; /* the first row may be negative */
    int slot, depth; /* slot of the first row, not yet wrapped */
    size_t pitch, channel;
    float *to;
} zf_winograd_lines;

/* tiles [place][channel][lanes] = B' x B. */
typedef struct zf_winograd_gather {
    const float *lines;
    size_t row[4], second[4]; /* where the two runs of each row are */
    size_t channel;           /* floats to the next */
    int channels;
    float *tiles;
    size_t place; /* floats to the next */
} zf_winograd_gather;

/* Memory that will be needed next, and is sent for while there is other work:
   `floats` from each of `channels` planes. */
typedef struct zf_winograd_ahead {
    const float *from;
    int channels;
    size_t plane, floats;
} zf_winograd_ahead;

/* product [place][o][lanes] = weights [place][blocks of o][c][block] x tiles. The
   product of one block of outputs may take the place of the tiles. Both have the
   same distance of places. */
typedef struct zf_winograd_multiply {
    const float *tiles, *weights;
    int c, o;
    float *product;
    size_t place;
    zf_winograd_ahead ahead;
} zf_winograd_multiply;

/* Where the 2x2 pixels of a vector's tiles are in an image: run, row. At the right
   and lower edges there are fewer columns than lanes, or none. */
typedef struct zf_winograd_runs {
    size_t at[2][2];   /* in the first channel */
    int columns[2][2]; /* of a run */
    size_t plane;      /* to the next channel */
} zf_winograd_runs;

/* A' product A to pixels. */
typedef struct zf_winograd_settle {
    const float *product, *bias;
    size_t place;
    int o;
    zf_winograd_runs runs;
    float *to; /* the image */
    bool accumulate;
} zf_winograd_settle;

/* tiles [place][lanes][o of whole vectors] = A dy A': channels side by side, since
   weigh sums over tiles. Pixels are placed as for settle, and zero where there are
   none. */
typedef struct zf_winograd_disperse {
    zf_winograd_runs runs;
    const float *from; /* the image */
    int o;
    float *tiles;
    size_t place;
} zf_winograd_disperse;

/* sum [place][c][o of whole vectors] += x tiles times dy tiles. */
typedef struct zf_winograd_weigh_job {
    const float *x, *dy;
    size_t x_place, dy_place;
    int c, o;
    float *sum;
    zf_winograd_ahead ahead_x, ahead_dy;
} zf_winograd_weigh_job;

struct zf_winograd_kernels {
    int lanes, block;
    void (*lines)(const zf_winograd_lines *job);
    void (*gather)(const zf_winograd_gather *job);
    void (*multiply)(const zf_winograd_multiply *job);
    void (*settle)(const zf_winograd_settle *job);
    void (*disperse)(const zf_winograd_disperse *job);
    void (*weigh)(const zf_winograd_weigh_job *job);
};

#endif
