/* Which instruction set the kernels use, decided once at run time.

   Everything in src/kernel/isa/ is compiled three times (baseline, AVX2+FMA,
   AVX-512), from the same source, each file ending in one constant table of
   functions. A kernel family declares its table type in its own header and
   gets its accessor from ZF_DISPATCH. ZEROFLOW_ISA=baseline|avx2|avx512 in the
   environment chooses a lower set than the machine has (for tests and
   measurements). AMX is a set that single kernels use on top of AVX-512. */
#ifndef ZF_KERNEL_DISPATCH_H
#define ZF_KERNEL_DISPATCH_H

#include <stdbool.h>

typedef enum zf_isa { ZF_BASELINE, ZF_AVX2, ZF_AVX512 } zf_isa;

zf_isa zf_isa_current(void);
const char *zf_isa_name(zf_isa isa);

/* Whether this process may use AMX's tiles of bfloat16: the machine has them, the
   system grants them, and ZEROFLOW_ISA does not name another set. */
bool zf_tiles_usable(void);

/* Whether ZEROFLOW_PRODUCTS=exact in the environment asks for the 24 bits of float32
   even where products of 16 bits would do. */
bool zf_products_exact(void);

/* Defines `const TYPE *NAME(void)`, which returns the table of the current
   instruction set out of NAME_baseline, NAME_avx2, NAME_avx512. */
#if defined(__x86_64__)
#define ZF_DISPATCH(type, name)                                                                    \
    extern const type name##_baseline, name##_avx2, name##_avx512;                                 \
    const type *name(void)                                                                         \
    {                                                                                              \
        switch (zf_isa_current()) {                                                                \
        case ZF_AVX512:                                                                            \
            return &name##_avx512;                                                                 \
        case ZF_AVX2:                                                                              \
            return &name##_avx2;                                                                   \
        default:                                                                                   \
            return &name##_baseline;                                                               \
        }                                                                                          \
    }
#else
#define ZF_DISPATCH(type, name)                                                                    \
    extern const type name##_baseline;                                                             \
    const type *name(void)                                                                         \
    {                                                                                              \
        return &name##_baseline;                                                                   \
    }
#endif

#endif
