/* For files in this folder only: the vector type of the instruction set that
   the file is being compiled for, and the name of its table.

   Vectors are GCC's, so the same source gives SSE2, AVX2 and AVX-512 code (or
   whatever another machine has); arithmetic operators work on them directly. */
#ifndef ZF_KERNEL_ISA_H
#define ZF_KERNEL_ISA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX512F__)
enum { LANES = 16 };
#define ZF_TABLE(name) name##_avx512
#elif defined(__AVX2__)
enum { LANES = 8 };
#define ZF_TABLE(name) name##_avx2
#else
enum { LANES = 4 };
#define ZF_TABLE(name) name##_baseline
#endif

typedef float vfloat __attribute__((vector_size(LANES * 4)));
typedef int32_t vint __attribute__((vector_size(LANES * 4)));

/* Unaligned loads and stores; memcpy becomes one instruction. */
static inline vfloat v_load(const float *from)
{
    vfloat v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void v_store(float *to, vfloat v)
{
    memcpy(to, &v, sizeof v);
}

static inline vfloat v_set(float x)
{
    return x - (vfloat){0};
}

/* n < LANES elements; missing lanes are 0. */
static inline vfloat v_load_part(const float *from, size_t n)
{
    vfloat v = {0};
    memcpy(&v, from, n * sizeof *from);
    return v;
}

static inline void v_store_part(float *to, vfloat v, size_t n)
{
    memcpy(to, &v, n * sizeof *to);
}

/* Sum of the lanes, always in the same order. */
static inline float v_sum(vfloat v)
{
    float lane[LANES];
    memcpy(lane, &v, sizeof v);
    for (int width = LANES / 2; width > 0; width /= 2)
        for (int i = 0; i < width; i++) lane[i] += lane[i + width];
    return lane[0];
}

#endif
