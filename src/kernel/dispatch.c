/* Asks the processor once. Threads that race here compute the same answer. */
#include "kernel/dispatch.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

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

#if defined(__x86_64__) && defined(__linux__)
/* AMX-TILE and AMX-BF16, and AVX512-BF16 to make bfloat16. A process must ask the
   system for tiles, because they enlarge what is kept of a thread; it refuses
   where it does not know them, or where a thread's signal stack is too small. */
static bool ask_for_tiles(void)
{
    enum { REQUEST = 0x1023, TILE_DATA = 18 }; /* ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA */
    unsigned a, b, c, d;
    const char *wish = getenv("ZEROFLOW_ISA");
    if (zf_isa_current() != ZF_AVX512 || (wish && strcmp(wish, zf_isa_name(ZF_AVX512)) == 0))
        return false;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(d >> 22 & 1) || !(d >> 24 & 1)) return false;
    if (!__get_cpuid_count(7, 1, &a, &b, &c, &d) || !(a >> 5 & 1)) return false;
    return syscall(SYS_arch_prctl, REQUEST, TILE_DATA) == 0;
}
#else
static bool ask_for_tiles(void)
{
    return false;
}
#endif

bool zf_tiles_usable(void)
{
    static atomic_int known = -1;
    int usable = atomic_load_explicit(&known, memory_order_relaxed);
    if (usable >= 0) return usable;
    usable = ask_for_tiles();
    atomic_store_explicit(&known, usable, memory_order_relaxed);
    return usable;
}

bool zf_products_exact(void)
{
    static atomic_int known = -1;
    int exact = atomic_load_explicit(&known, memory_order_relaxed);
    if (exact >= 0) return exact;
    const char *wish = getenv("ZEROFLOW_PRODUCTS");
    exact = wish && strcmp(wish, "exact") == 0;
    atomic_store_explicit(&known, exact, memory_order_relaxed);
    return exact;
}
