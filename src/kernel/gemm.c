#include "kernel/gemm.h"

#include "kernel/blas.h"

zf_status zf_gemm_open(void)
{
    return zf_blas_open();
}

void zf_gemm(bool transpose_a, bool transpose_b, int m, int n, int k, float alpha, const float *a,
             int lda, const float *b, int ldb, float beta, float *c, int ldc)
{
    zf_blas_enter()->sgemm(CblasRowMajor, transpose_a ? CblasTrans : CblasNoTrans,
                           transpose_b ? CblasTrans : CblasNoTrans, m, n, k, alpha, a, lda, b, ldb,
                           beta, c, ldc);
    zf_blas_leave();
}

const char *zf_gemm_library(void)
{
    return zf_blas_library();
}
