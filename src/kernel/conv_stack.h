/* A stack of 3x3 convolutions as one thing: stride 1, a padding of 1, relu between the
   layers, 1 to 16 channels everywhere, with products of 16 bits or more.

   The layers are one thing, not one after the other, because an image lies better as
   lines, one a pixel, than as planes of channels. A layer's sums come out as such lines, so
   only what enters and leaves the stack is turned round, and relu is part of writing a
   line. An image goes through all layers before the next, and stays in cache. There are
   two ways.

   On AMX tiles (isa/conv_stack.c) every number is the sum of two bfloat16; sums are
   float32. What is lost is what two bfloat16 cannot hold: with normal x and w, 16 -> 16
   channels at 32x32, values are off by 3.5e-6 of their scale (root mean square; 1.7e-5 at
   worst), gradients of weights by 4.5e-6 (1.9e-5). What is not finite gives NaN.

   With AVX2 or AVX-512 (isa/stack_winograd.c) numbers are float32, and Winograd's
   F(4x4, 3x3) forms a quarter of the products: values are off by 5e-7 (3.5e-6), gradients of
   weights by 8e-7 (5e-6).

   The ways with 24 bits (conv.h) are off by 2e-7 to 5e-7; the TF32 of graphics processors,
   with which networks of images are trained by default, by some 3e-4.

   Nothing is kept for backward: it makes the inputs of the later layers again. That takes
   15 us an image of 10-16-16-3 channels at 32x32 on tiles, where writing them to memory that
   a batch fills and reading them again took 27. Where an image's dy follows from its output
   alone, one call goes forward and back, and makes them once.

   Rejected, on tiles: three parts and six products, which would be as exact as float32
   and, at twice the products, no faster than Winograd's way; and layers by themselves, from
   planes to planes, where turning took as long as the products.

   Nothing is allocated: the caller brings memory, aligned to 64 bytes, of the sizes
   below. An image's result does not depend on the others of a call. */
#ifndef ZF_KERNEL_CONV_STACK_H
#define ZF_KERNEL_CONV_STACK_H

#include <stdbool.h>
#include <stddef.h>

enum { ZF_STACK_MOST = 4 /* layers */ };

typedef struct zf_stack {
    int layers, h, w;
    int channels[ZF_STACK_MOST + 1]; /* of the input and behind each layer */
    int wanted; /* the input's channels from this one on get a gradient, those before it none */
} zf_stack;

/* The gradients of n images. dw and db are of the layers; any pointer may be NULL. */
typedef struct zf_stack_gradients {
    const float *x, *dy; /* planes */
    float *dx;           /* all channels' planes, of which those that are wanted are written */
    float *dw[ZF_STACK_MOST], *db[ZF_STACK_MOST];
    bool add_dx, add_dw[ZF_STACK_MOST], add_db[ZF_STACK_MOST]; /* or overwrite */
    /* If not NULL, writes image i's part of dy as soon as the image's output is known,
       which is then made, in y: memory for one. */
    void (*answer)(void *context, int i, const float *y);
    void *context;
    float *y;
} zf_stack_gradients;

/* Up to so many channels, a line of the stack's input holds a pixel's neighbours to the left
   and to the right as well, as does, backward, a line of the output's gradient. */
enum { ZF_STACK_ABREAST = 3 };

typedef struct zf_stack_kernels {
    /* Bytes of packed weights; of scratch memory. */
    size_t (*packed_bytes)(const zf_stack *stack);
    size_t (*scratch_bytes)(const zf_stack *stack);
    /* Weights [O, C, 3, 3] and biases [O] (or NULL) of the layers as all passes want them. */
    void (*pack)(const zf_stack *stack, const float *const *weights, const float *const *biases,
                 void *packed);
    /* y [n, O, H, W] of x [n, C, H, W]. */
    void (*forward)(const zf_stack *stack, int n, const void *packed, const float *x, float *y,
                    void *scratch);
    void (*backward)(const zf_stack *stack, int n, const void *packed,
                     const zf_stack_gradients *gradients, void *scratch);
} zf_stack_kernels;

/* The better of both ways, or NULL where the stack goes neither: it must have the form and
   the size, the processor must have tiles, AVX-512 or AVX2, and ZEROFLOW_PRODUCTS=exact
   forbids it everywhere. The caller must be content with 16 bits. */
const zf_stack_kernels *zf_stack_kernels_for(const zf_stack *stack);

#endif
