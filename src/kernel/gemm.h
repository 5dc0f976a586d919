/* Matrix products over BLAS: the only file that names it. */
#ifndef ZF_KERNEL_GEMM_H
#define ZF_KERNEL_GEMM_H

#include <stdbool.h>

/* C = alpha op(A) op(B) + beta C, all row-major: op(A) is m x k, op(B) k x n,
   C m x n; lda, ldb, ldc are the distances of the stored rows. beta = 0
   overwrites C, whatever it held. Runs on the calling thread alone. */
void zf_gemm(bool transpose_a, bool transpose_b, int m, int n, int k, float alpha, const float *a,
             int lda, const float *b, int ldb, float beta, float *c, int ldc);

/* Makes BLAS run on the calling thread alone, in every later call. Called by
   zf_graph_plan and idempotent. */
void zf_gemm_single_thread(void);

/* "OpenBLAS 0.3.21 SkylakeX": for reports. */
const char *zf_gemm_library(void);

#endif
