#include "kernel/gemm.h"

#include <cblas.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/error.h"
#include "kernel/dispatch.h"

static struct {
    pthread_once_t once;
    void *library;
    __typeof__(cblas_sgemm) *sgemm;
    __typeof__(openblas_set_num_threads) *set_num_threads;
    __typeof__(openblas_get_config) *get_config;
} blas = {.once = PTHREAD_ONCE_INIT};

#if defined(__x86_64__)
/* OpenBLAS's names for the first processors with our instruction sets. */
static const char *const CORES[] = {
    [ZF_BASELINE] = "Prescott", [ZF_AVX2] = "Haswell", [ZF_AVX512] = "SkylakeX"};
#endif

static void load(void)
{
    static const char *const names[] = {"libopenblas.so.0", "libopenblas.so"};
#if defined(__x86_64__)
    bool ours = !getenv("OPENBLAS_CORETYPE");
    if (ours) setenv("OPENBLAS_CORETYPE", CORES[zf_isa_current()], 1);
#endif
    for (size_t i = 0; !blas.library && i < sizeof names / sizeof *names; i++)
        blas.library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
#if defined(__x86_64__)
    if (ours) unsetenv("OPENBLAS_CORETYPE");
#endif
    if (!blas.library) return;
    *(void **)&blas.sgemm = dlsym(blas.library, "cblas_sgemm");
    *(void **)&blas.set_num_threads = dlsym(blas.library, "openblas_set_num_threads");
    *(void **)&blas.get_config = dlsym(blas.library, "openblas_get_config");
    if (blas.set_num_threads) blas.set_num_threads(1);
}

zf_status zf_gemm_open(void)
{
    pthread_once(&blas.once, load);
    if (blas.sgemm && blas.set_num_threads && blas.get_config) return ZF_OK;
    return zf_fail(ZF_EIO, "libopenblas.so.0: cannot be loaded; install OpenBLAS (Debian's "
                           "package is libopenblas0-pthread)");
}

void zf_gemm(bool transpose_a, bool transpose_b, int m, int n, int k, float alpha, const float *a,
             int lda, const float *b, int ldb, float beta, float *c, int ldc)
{
    pthread_once(&blas.once, load); /* for kernels that are used without a graph */
    blas.sgemm(CblasRowMajor, transpose_a ? CblasTrans : CblasNoTrans,
               transpose_b ? CblasTrans : CblasNoTrans, m, n, k, alpha, a, lda, b, ldb, beta, c,
               ldc);
}

const char *zf_gemm_library(void)
{
    return zf_gemm_open() == ZF_OK ? blas.get_config() : "none";
}
