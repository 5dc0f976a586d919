/* Asks the processor once. Threads that race here compute the same answer. */
#include "kernel/dispatch.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

const char *zf_isa_name(zf_isa isa)
{
    static const char *const names[] = {"baseline", "avx2", "avx512"};
    return names[isa];
}

static zf_isa best_of_machine(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        return ZF_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return ZF_AVX2;
#endif
    return ZF_BASELINE;
}

zf_isa zf_isa_current(void)
{
    static atomic_int known = -1;
    int isa = atomic_load_explicit(&known, memory_order_relaxed);
    if (isa >= 0) return (zf_isa)isa;
    isa = (int)best_of_machine();
    const char *wish = getenv("ZEROFLOW_ISA");
    for (int lower = 0; wish && lower < isa; lower++)
        if (strcmp(wish, zf_isa_name((zf_isa)lower)) == 0) isa = lower;
    atomic_store_explicit(&known, isa, memory_order_relaxed);
    return (zf_isa)isa;
}
