/* Runs a test on every instruction set of a kernel family that this machine
   has, by its tables directly:

       ISA_TABLES(zf_vector_kernels, zf_vector)
       EVERY_ISA(zf_vector_kernels, zf_vector, kernels) kernels->relu(y, x, n); */
#ifndef ZF_TEST_ISAS_H
#define ZF_TEST_ISAS_H

#include "kernel/dispatch.h"

#if defined(__x86_64__)
#define ISA_TABLES(type, name)                                                                     \
    extern const type name##_baseline, name##_avx2, name##_avx512;                                 \
    static const type *const name##_tables[] = {&name##_baseline, &name##_avx2, &name##_avx512};
#else
#define ISA_TABLES(type, name)                                                                     \
    extern const type name##_baseline;                                                             \
    static const type *const name##_tables[] = {&name##_baseline};
#endif

/* After ISA_TABLES(type, name) at file level; isa numbers the set. */
#define EVERY_ISA(type, name, kernels)                                                             \
    for (int isa = 0; isa <= (int)zf_isa_current(); isa++)                                         \
        for (const type *kernels = name##_tables[isa]; kernels; kernels = NULL)

#endif
