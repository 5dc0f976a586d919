/* The root of a small kernel matrix, so that a form x' K^-1 x or x' K x becomes a sum of
   squares: rounding may then not make of equal values unequal ones. */
#ifndef ZF_CRITERION_ROOT_H
#define ZF_CRITERION_ROOT_H

#include <stddef.h>

/* Cholesky: K [n, n], positive definite, becomes the lower triangle R with R R' = K; 0
   above it. */
void zf_root(double *k, size_t n);

/* x becomes R^-1 x. */
void zf_root_solve(const double *root, double *x, size_t n);

#endif
