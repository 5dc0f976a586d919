/* Transposed convolutions that double the sides of images, 4x4 taps, stride 2 and padding 1,
   on AMX tiles, with products of 16 to 17 bits (as conv_stack.h has them).

   Letters: x [N, C, H, W], weights [C, O, 4, 4], y [N, O, 2H, 2W].

   The four phases of y (its rows and columns, even or odd) are seen as channels of an image z
   [4 O, H, W]: then z is a 3x3 convolution of x of which a phase has four taps. Sixteen
   images go together: a tile holds 16 channels of one pixel of each, so every pixel
   has tiles of its own, whatever the sides are, and no tap ever straddles a line.

   Rejected: a product for each tap and the sum of what overlaps (conv_product.h), which takes
   three times as long on the same tiles, nearly all of it in laying patches out. */
#ifndef ZF_KERNEL_CONV_DOUBLING_H
#define ZF_KERNEL_CONV_DOUBLING_H

#include "kernel/conv.h"

typedef struct zf_doubling {
    int c, h, w, o; /* of x, and the channels of y */
} zf_doubling;

/* How a transposed convolution looks this way, given as the convolution of which it is the
   gradient (conv.h); false where it does not go this way: 16 bits must do, the form be that
   above, and the processor have tiles. */
bool zf_doubling_of(const zf_conv *conv, zf_doubling *doubling);

/* The weights as both passes want them, made once for many calls; aligned memory. */
size_t zf_doubling_packed_bytes(const zf_doubling *doubling);
void zf_doubling_pack(const zf_doubling *doubling, const float *weights, void *packed);

typedef struct zf_doubling_values {
    int n;
    const void *packed;
    const float *x, *bias; /* bias may be NULL */
    float *y;
} zf_doubling_values;

typedef struct zf_doubling_gradients {
    int n;
    const void *packed;
    const float *x, *dy;
    float *dx, *dw;      /* either may be NULL */
    bool add_dx, add_dw; /* to what is there */
} zf_doubling_gradients;

/* Scratch memory as for conv.h, enough for either. */
size_t zf_doubling_scratch(const zf_doubling *doubling);
void zf_doubling_forward(const zf_doubling *doubling, const zf_doubling_values *job, void *scratch);
void zf_doubling_backward(const zf_doubling *doubling, const zf_doubling_gradients *job,
                          void *scratch);

/* --- between conv_doubling.c and isa/conv_doubling.c ------------------------------- */

typedef struct zf_doubling_kernels {
    size_t (*packed_bytes)(const zf_doubling *doubling);
    void (*pack)(const zf_doubling *doubling, const float *weights, void *packed);
    size_t (*scratch)(const zf_doubling *doubling);
    void (*forward)(const zf_doubling *doubling, const zf_doubling_values *job, void *scratch);
    void (*backward)(const zf_doubling *doubling, const zf_doubling_gradients *job, void *scratch);
} zf_doubling_kernels;

#endif
