/* Symmetric matrices in double, by BLAS and LAPACK. All are n x n and given
   whole, both triangles, so that row-major and column-major are the same. BLAS
   must be there: ask zf_lapack_open first. Every call runs on the calling
   thread and gives the same bits whoever calls. */
#ifndef ZF_KERNEL_LAPACK_H
#define ZF_KERNEL_LAPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "zeroflow/status.h"

/* ZF_EIO: there is no BLAS with LAPACK on this machine. */
zf_status zf_lapack_open(void) ZF_CHECK;

/* to = scale * A^T A of the row-major m x n matrix A. */
void zf_cross_product(double *to, const double *a, size_t m, size_t n, double scale);

/* Inverts a symmetric positive definite matrix in place. Returns 0, or k if row
   k - 1 is, to rounding, a linear function of those before it: what they leave
   of a[k - 1][k - 1] is below `least` (0: not positive). Then the contents are
   undefined. */
size_t zf_invert_positive(double *a, size_t n, double least);

/* Logarithm of the determinant; -infinity if that is not positive. Overwrites a
   and pivots[n]. */
double zf_log_determinant(double *a, int *pivots, size_t n);

/* Inverts any symmetric matrix in place on the space where its eigenvalues are
   not zero to rounding (Moore and Penrose). ZF_ENOMEM; ZF_ENUMERIC: the
   eigenvalues were not found. */
zf_status zf_invert_symmetric(double *a, size_t n) ZF_CHECK;

#endif
