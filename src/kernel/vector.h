/* Elementwise kernels: one pass over contiguous floats, at the speed of memory
   or of the vector maths (isa/math.h).

   An element's result depends on that element alone, not on its position or on
   n. The result may be written over an input (y == x, dx == dy), but must not
   overlap one in any other way. Backward kernels write dx when fresh and add
   to it otherwise; with dx == dy only fresh makes sense. */
#ifndef ZF_KERNEL_VECTOR_H
#define ZF_KERNEL_VECTOR_H

#include <stdbool.h>
#include <stddef.h>

/* dx = or += dy f'; kept is the forward result. */
typedef void zf_map_backward(float *dx, const float *dy, const float *kept, size_t n, bool fresh);

typedef struct zf_vector_kernels {
    void (*relu)(float *y, const float *x, size_t n);
    void (*leaky_relu)(float *y, const float *x, float slope, size_t n);
    void (*gelu)(float *y, const float *x, size_t n);
    void (*gelu_and_slope)(float *y, float *slope, const float *x, size_t n);
    void (*sigmoid)(float *y, const float *x, size_t n);
    void (*tanh)(float *y, const float *x, size_t n);
    void (*exp)(float *y, const float *x, size_t n);
    void (*erf)(float *y, const float *x, size_t n);

    zf_map_backward *relu_backward;
    void (*leaky_relu_backward)(float *dx, const float *dy, const float *y, float slope, size_t n,
                                bool fresh);
    zf_map_backward *sigmoid_backward;
    zf_map_backward *tanh_backward;
    zf_map_backward *exp_backward;

    void (*fill)(float *y, float value, size_t n);
    void (*scale)(float *y, const float *x, float a, size_t n);          /* y = a x */
    void (*axpy)(float *y, float a, const float *x, size_t n);           /* y += a x */
    void (*add)(float *y, const float *a, const float *b, size_t n);     /* y = a + b */
    void (*mul)(float *y, const float *a, const float *b, size_t n);     /* y = a b */
    void (*mul_add)(float *y, const float *a, const float *b, size_t n); /* y += a b */
    /* y = x when fresh (nothing where they are the same memory), else y += x:
       what a gradient that is passed on needs. */
    void (*pass)(float *y, const float *x, size_t n, bool fresh);
    /* y = a x when fresh, else y += a x. */
    void (*pass_scaled)(float *y, float a, const float *x, size_t n, bool fresh);
} zf_vector_kernels;

const zf_vector_kernels *zf_vector(void);

#endif
