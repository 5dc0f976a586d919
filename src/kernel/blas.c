#include "kernel/blas.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "kernel/dispatch.h"

static struct {
    pthread_once_t once;
    void *library;
    const char *lacks; /* a function that is not there */
    zf_blas functions;
    __typeof__(openblas_set_num_threads) *set_num_threads;
    __typeof__(openblas_get_config) *get_config;
} loaded = {.once = PTHREAD_ONCE_INIT};

#if defined(__x86_64__)
/* OpenBLAS's names for the first processors with our instruction sets. */
static const char *const CORES[] = {
    [ZF_BASELINE] = "Prescott", [ZF_AVX2] = "Haswell", [ZF_AVX512] = "SkylakeX"};
#endif

static void open_library(void)
{
    static const char *const names[] = {"libopenblas.so.0", "libopenblas.so"};
#if defined(__x86_64__)
    bool ours = !getenv("OPENBLAS_CORETYPE");
    if (ours) setenv("OPENBLAS_CORETYPE", CORES[zf_isa_current()], 1);
#endif
    for (size_t i = 0; !loaded.library && i < sizeof names / sizeof *names; i++)
        loaded.library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
#if defined(__x86_64__)
    if (ours) unsetenv("OPENBLAS_CORETYPE");
#endif
}

static void load(void)
{
    const struct {
        const char *name;
        void *function; /* where the pointer to it goes */
    } symbols[] = {
        {"cblas_sgemm", &loaded.functions.sgemm},
        {"cblas_dsyrk", &loaded.functions.dsyrk},
        {"cblas_dgemm", &loaded.functions.dgemm},
        {"dpotrf_", &loaded.functions.dpotrf},
        {"dpotri_", &loaded.functions.dpotri},
        {"dgetrf_", &loaded.functions.dgetrf},
        {"dsyevd_", &loaded.functions.dsyevd},
        {"openblas_set_num_threads", &loaded.set_num_threads},
        {"openblas_get_config", &loaded.get_config},
    };
    open_library();
    if (!loaded.library) return;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *found = dlsym(loaded.library, symbols[i].name);
        if (!found) loaded.lacks = symbols[i].name;
        *(void **)symbols[i].function = found;
    }
    if (loaded.set_num_threads) loaded.set_num_threads(1);
    if (loaded.lacks) loaded.functions = (zf_blas){0};
}

zf_status zf_blas_open(void)
{
    pthread_once(&loaded.once, load);
    if (!loaded.library)
        return zf_fail(ZF_EIO, "libopenblas.so.0: cannot be loaded; install OpenBLAS (Debian's "
                               "package is libopenblas0-pthread)");
    if (loaded.lacks)
        return zf_fail(ZF_EIO, "libopenblas.so.0: lacks %s; expected an OpenBLAS built with LAPACK",
                       loaded.lacks);
    return ZF_OK;
}

const zf_blas *zf_blas_functions(void)
{
    pthread_once(&loaded.once, load);
    return &loaded.functions;
}

const char *zf_blas_library(void)
{
    return zf_blas_open() == ZF_OK ? loaded.get_config() : "none";
}
