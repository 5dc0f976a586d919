/* Functions of an index in double precision, for regressions along directions: bumps spread
   over it, and cosines. Errors are a few units of the last place. */
#ifndef ZF_KERNEL_INDEX_H
#define ZF_KERNEL_INDEX_H

#include <stdbool.h>
#include <stddef.h>

typedef struct zf_index_kernels {
    /* y[i] = asinh(scale x[i]) and its slope in x. */
    void (*squeeze)(double *y, double *slope, const double *x, double scale, size_t n);

    /* Bump b of `count` at x[i] is exp(-(t - b)^2 / 2), t = (x[i] - first) / width; its derivative
       is multiplied by slope[i]. bump, derivative: [count, n]; count up to 32. */
    void (*bumps)(double *bump, double *derivative, const double *x, const double *slope, size_t n,
                  size_t count, double first, double width);

    /* x -= its mean, for each of `count` rows of n. */
    void (*centre)(double *x, size_t count, size_t n);

    /* Gives x mean 0 and mean square 1. One that is constant to rounding becomes 0: false. */
    bool (*standardise)(double *x, size_t n);

    /* y[i] = cos(scale x[i] + phase); good up to arguments of about 1e6. y may be x. */
    void (*cosine)(double *y, const double *x, double scale, double phase, size_t n);
} zf_index_kernels;

const zf_index_kernels *zf_index(void);

#endif
