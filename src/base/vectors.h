/* Whether the processor has vectors of 16 floats (AVX-512), for the few loops outside of
   the kernels that are worth them. Those have the same bits with and without. */
#ifndef ZF_BASE_VECTORS_H
#define ZF_BASE_VECTORS_H

#include <stdbool.h>

static inline bool zf_has_long_vectors(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
#else
    return false;
#endif
}

#endif
