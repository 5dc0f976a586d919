/* For conv.c only: convolutions as products of packed matrices (panel.h), where images are
   small and channels many, so that the products are worth what it costs to lay them out.

   With all channels of a pixel side by side, a row of a kernel's taps is one run of memory.
   An image's patches [OH OW, taps C] are gathered run by run, and

       y = patches W'      dpatches = dy W      dW = dy' patches

   with W [O, taps C]; what dpatches holds is added back to the pixels run by run. */
#ifndef ZF_KERNEL_CONV_PRODUCT_H
#define ZF_KERNEL_CONV_PRODUCT_H

#include "kernel/conv.h"

/* Whether a convolution is done this way: the same for all three passes. */
bool zf_product_suits(const zf_conv *conv);

/* As in conv.h. */
void zf_product_forward(const zf_conv *conv, int n, const float *x, const float *w,
                        const float *bias, bool accumulate, float *y, void *scratch);
void zf_product_backward_data(const zf_conv *conv, int n, const float *dy, const float *w,
                              const float *bias, bool accumulate, float *dx, void *scratch);
void zf_product_backward_weights(const zf_conv *conv, int n, const float *x, const float *dy,
                                 bool accumulate, float *dw, void *scratch);
/* Enough for any of them. */
size_t zf_product_scratch(const zf_conv *conv);

/* --- between conv_product.c and isa/conv_product.c ------------------------------- */

/* The runs of an image's patches: pixels [h, w, c], patches [oh, ow, kh, kw, c]. */
typedef struct zf_product_runs {
    int c, h, w, oh, ow, kh, kw;
    int stride_h, stride_w, padding_h, padding_w;
} zf_product_runs;

typedef struct zf_product_kernels {
    /* pixels [n, channels] from planes [channels, n], and back: planes = (accumulate ?
       planes : 0) + bias + pixels; bias [channels] or NULL. */
    void (*to_pixels)(float *pixels, const float *planes, size_t channels, size_t n);
    void (*to_planes)(float *planes, const float *pixels, const float *bias, size_t channels,
                      size_t n, bool accumulate);
    /* Patches from pixels, zeros where a tap is outside; and pixels as the sum of what
       their patches hold. */
    void (*gather)(const zf_product_runs *runs, float *patches, const float *pixels);
    void (*scatter)(const zf_product_runs *runs, float *pixels, const float *patches);
} zf_product_kernels;

const zf_product_kernels *zf_product_kernels_of(void);

#endif
