/* Matrices in double, by BLAS and LAPACK. The symmetric ones are n x n and given
   whole, both triangles, so that row-major and column-major are the same. BLAS
   must be there: ask zf_lapack_open first. Every call runs on the calling
   thread and gives the same bits whoever calls. */
#ifndef ZF_KERNEL_LAPACK_H
#define ZF_KERNEL_LAPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "zeroflow/status.h"

/* ZF_EIO: there is no BLAS with LAPACK on this machine. ZF_ENOMEM: no room for it
   (128 MB of address space at least). */
zf_status zf_lapack_open(void) ZF_CHECK;

/* to = alpha A A^T + beta to, of the row-major n x k matrix A: half of the work of zf_multiply.
   beta = 0 overwrites; else `to` must be symmetric. */
void zf_cross_rows(double *to, const double *a, size_t n, size_t k, double alpha, double beta);

/* to = scale * A^T A of the row-major m x n matrix A. */
void zf_cross_product(double *to, const double *a, size_t m, size_t n, double scale);

/* to = alpha op(A) op(B) + beta to, all row-major and dense: op(A) is m x k, op(B)
   k x n. beta = 0 overwrites, whatever was there. */
typedef struct zf_factor {
    const double *values;
    bool transposed;
} zf_factor;
void zf_multiply(double *to, zf_factor a, zf_factor b, size_t m, size_t n, size_t k, double alpha,
                 double beta);

/* Inverts a symmetric positive definite matrix in place. Returns 0, or k if row
   k - 1 is, to rounding, a linear function of those before it: what they leave
   of a[k - 1][k - 1] is below `least` (0: not positive). Then the contents are
   undefined. */
size_t zf_invert_positive(double *a, size_t n, double least);

/* Logarithm of the determinant; -infinity if that is not positive. Overwrites a
   and pivots[n]. */
double zf_log_determinant(double *a, int *pivots, size_t n);

/* Puts the eigenvectors of a symmetric matrix into its rows, of length 1, and the
   eigenvalues, ascending, into values[n]. ZF_ENOMEM; ZF_ENUMERIC: not found. */
zf_status zf_eigenvectors(double *a, double *values, size_t n) ZF_CHECK;

/* Turns a symmetric matrix a to Q T Q^T, T tridiagonal with `diagonal` [n] and `beside` [n - 1].
   What was in a becomes Q, as reflections, with `scales` [n - 1]. ZF_ENOMEM. */
zf_status zf_tridiagonalise(double *a, double *scales, double *diagonal, double *beside,
                            size_t n) ZF_CHECK;

/* Replaces each of `count` vectors v, [count, n], by Q^T v (back: by Q v) of these reflections.
   ZF_ENOMEM. */
zf_status zf_reflect(double *vectors, size_t count, const double *a, const double *scales, size_t n,
                     bool back) ZF_CHECK;

/* Inverts any symmetric matrix in place on the space where its eigenvalues are
   not zero to rounding (Moore and Penrose). ZF_ENOMEM; ZF_ENUMERIC: the
   eigenvalues were not found. */
zf_status zf_invert_symmetric(double *a, size_t n) ZF_CHECK;

#endif
