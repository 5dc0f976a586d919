#include "kernel/blas.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/lock.h"
#include "kernel/blas_room.h"
#include "kernel/dispatch.h"

static struct {
    zf_lock lock;
    bool ready; /* all of what follows is there, and a buffer */
    void *library;
    zf_blas functions;
    zf_blas_buffers buffers;
    __typeof__(openblas_set_num_threads) *set_num_threads;
    __typeof__(openblas_get_config) *get_config;
} loaded = {.lock = PTHREAD_MUTEX_INITIALIZER};

#if defined(__x86_64__)
/* OpenBLAS's names for the first processors with our instruction sets. */
static const char *const CORES[] = {
    [ZF_BASELINE] = "Prescott", [ZF_AVX2] = "Haswell", [ZF_AVX512] = "SkylakeX"};
#endif

/* False: no name could be opened; whether that was for lack of memory is in *starved. */
static bool open_either(bool *starved)
{
    static const char *const names[] = {"libopenblas.so.0", "libopenblas.so"};
    for (size_t i = 0; !loaded.library && i < sizeof names / sizeof *names; i++) {
        loaded.library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        const char *why = loaded.library ? NULL : dlerror();
        /* The loader tells by its text alone, which itself needs memory. */
        if (!loaded.library && (!why || strstr(why, "memory"))) *starved = true;
    }
    return loaded.library != NULL;
}

/* The variables are read while the library is being loaded; with one thread it
   starts none of its own. Loaded without them it might give other bits: rather not at all. */
static zf_status open_library(void)
{
    const char *set = getenv("OPENBLAS_NUM_THREADS");
    char *threads = set ? strdup(set) : NULL;
    bool starved = set && !threads;
    if (!starved) starved = setenv("OPENBLAS_NUM_THREADS", "1", 1) != 0;
#if defined(__x86_64__)
    bool ours = !getenv("OPENBLAS_CORETYPE");
    if (ours && !starved) starved = setenv("OPENBLAS_CORETYPE", CORES[zf_isa_current()], 1) != 0;
#endif
    bool opened = !starved && open_either(&starved);
#if defined(__x86_64__)
    if (ours) unsetenv("OPENBLAS_CORETYPE");
#endif
    if (!set || threads) unsetenv("OPENBLAS_NUM_THREADS");
    if (threads) setenv("OPENBLAS_NUM_THREADS", threads, 1);
    free(threads);
    if (opened) return ZF_OK;
    if (starved) return zf_fail(ZF_ENOMEM, "out of memory to load libopenblas.so.0");
    return zf_fail(ZF_EIO, "libopenblas.so.0: cannot be loaded; install OpenBLAS (Debian's "
                           "package is libopenblas0-pthread)");
}

/* Takes a buffer whatever the kernels are: no factorisation does without. */
static void warm_up(void)
{
    double a = 1;
    int order = 1, info = 0;
    loaded.functions.dpotrf("L", &order, &a, &order, &info, 1);
}

static zf_status find_functions(void)
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
        {"dsytrd_", &loaded.functions.dsytrd},
        {"dormtr_", &loaded.functions.dormtr},
        {"openblas_set_num_threads", &loaded.set_num_threads},
        {"openblas_get_config", &loaded.get_config},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *found = dlsym(loaded.library, symbols[i].name);
        if (!found)
            return zf_fail(ZF_EIO,
                           "libopenblas.so.0: lacks %s; expected an OpenBLAS built with LAPACK",
                           symbols[i].name);
        *(void **)symbols[i].function = found;
    }
    *(void **)&loaded.buffers.take = dlsym(loaded.library, "blas_memory_alloc");
    *(void **)&loaded.buffers.give = dlsym(loaded.library, "blas_memory_free");
    loaded.buffers.warm = warm_up;
    return ZF_OK;
}

static zf_status load(void)
{
    if (!loaded.library) {
        ZF_TRY(zf_blas_room_probe());
        ZF_TRY(open_library());
    }
    ZF_TRY(find_functions());
    loaded.set_num_threads(1);
    return zf_blas_room_open(&loaded.buffers);
}

zf_status zf_blas_open(void)
{
    zf_lock_take(&loaded.lock);
    zf_status status = loaded.ready ? ZF_OK : load();
    loaded.ready = status == ZF_OK;
    zf_lock_give(&loaded.lock);
    return status;
}

const zf_blas *zf_blas_enter(void)
{
    zf_blas_room_enter();
    return &loaded.functions;
}

void zf_blas_leave(void)
{
    zf_blas_room_leave();
}

const char *zf_blas_library(void)
{
    return zf_blas_open() == ZF_OK ? loaded.get_config() : "none";
}
