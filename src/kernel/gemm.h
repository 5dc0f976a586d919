/* Products of float matrices, by BLAS: the yardstick of `zeroflow bench`. The
   engine itself multiplies by panels (panel.h), which win on its shapes. */
#ifndef ZF_KERNEL_GEMM_H
#define ZF_KERNEL_GEMM_H

#include <stdbool.h>

#include "zeroflow/status.h"

/* Makes sure that there is BLAS (blas.h). Idempotent, from any
   thread. ZF_EIO: there is none on this machine. ZF_ENOMEM: no room for it. */
zf_status zf_gemm_open(void) ZF_CHECK;

/* C = alpha op(A) op(B) + beta C, all row-major: op(A) is m x k, op(B) k x n,
   C m x n; lda, ldb, ldc are the distances of the stored rows. beta = 0
   overwrites C, whatever it held. BLAS must be there: ask zf_gemm_open first. */
void zf_gemm(bool transpose_a, bool transpose_b, int m, int n, int k, float alpha, const float *a,
             int lda, const float *b, int ldb, float beta, float *c, int ldc);

/* "OpenBLAS 0.3.21 ... SkylakeX ...": for reports. */
const char *zf_gemm_library(void);

#endif
