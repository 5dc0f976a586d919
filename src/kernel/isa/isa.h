/* For files in this folder only: the vector type of the instruction set that
   the file is being compiled for, and the name of its table.

   Vectors are GCC's, so the same source gives SSE2, AVX2 and AVX-512 code (or
   whatever another machine has); arithmetic operators work on them directly.
   Intrinsics stand only where the extension has no good word: a choice by
   lane, the smaller of two, a square root, a part of a vector. */
#ifndef ZF_KERNEL_ISA_H
#define ZF_KERNEL_ISA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

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

/* For loops whose body is a constant function that must be put into them. */
#define V_INLINE static inline __attribute__((always_inline))

typedef float vfloat __attribute__((vector_size(LANES * 4)));
typedef int32_t vint __attribute__((vector_size(LANES * 4)));
typedef uint32_t vuint __attribute__((vector_size(LANES * 4)));

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

static inline vint v_bits(vfloat v)
{
    return (vint)v;
}

static inline vfloat v_from_bits(vint bits)
{
    return (vfloat)bits;
}

#if defined(__AVX2__) && !defined(__AVX512F__)
/* All ones in the first n lanes. */
static inline __m256i v_first_lanes(size_t n)
{
    static const int32_t ones_then_zeros[2 * LANES] = {-1, -1, -1, -1, -1, -1, -1, -1};
    return _mm256_loadu_si256((const __m256i *)(ones_then_zeros + LANES - n));
}
#endif

/* n < LANES elements; missing lanes are 0. */
static inline vfloat v_load_part(const float *from, size_t n)
{
#if defined(__AVX512F__)
    return _mm512_maskz_loadu_ps((__mmask16)((1u << n) - 1), from);
#elif defined(__AVX2__)
    return _mm256_maskload_ps(from, v_first_lanes(n));
#else
    vfloat v = {0};
    memcpy(&v, from, n * sizeof *from);
    return v;
#endif
}

static inline void v_store_part(float *to, vfloat v, size_t n)
{
#if defined(__AVX512F__)
    _mm512_mask_storeu_ps(to, (__mmask16)((1u << n) - 1), v);
#elif defined(__AVX2__)
    _mm256_maskstore_ps(to, v_first_lanes(n), v);
#else
    memcpy(to, &v, n * sizeof *to);
#endif
}

/* A whole vector, or as much of it as is left: for loops that are not worth a
   tail of their own. */
static inline vfloat v_load_rest(const float *from, size_t left)
{
    return left >= LANES ? v_load(from) : v_load_part(from, left);
}

static inline void v_store_rest(float *to, vfloat v, size_t left)
{
    if (left >= LANES)
        v_store(to, v);
    else
        v_store_part(to, v, left);
}

/* a < b ? yes : no, lane by lane; a NaN gives no. */
static inline vfloat v_select_less(vfloat a, vfloat b, vfloat yes, vfloat no)
{
#if defined(__AVX512F__)
    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), no, yes);
#elif defined(__AVX2__)
    return _mm256_blendv_ps(no, yes, _mm256_cmp_ps(a, b, _CMP_LT_OQ));
#else
    vint mask = a < b;
    return v_from_bits((mask & v_bits(yes)) | (~mask & v_bits(no)));
#endif
}

/* The larger and the smaller of two; b where either is NaN. */
static inline vfloat v_max(vfloat a, vfloat b)
{
#if defined(__AVX512F__)
    return _mm512_max_ps(a, b);
#elif defined(__AVX2__)
    return _mm256_max_ps(a, b);
#else
    return v_select_less(b, a, a, b);
#endif
}

static inline vfloat v_min(vfloat a, vfloat b)
{
#if defined(__AVX512F__)
    return _mm512_min_ps(a, b);
#elif defined(__AVX2__)
    return _mm256_min_ps(a, b);
#else
    return v_select_less(a, b, a, b);
#endif
}

static inline vfloat v_sqrt(vfloat v)
{
#if defined(__AVX512F__)
    return _mm512_sqrt_ps(v);
#elif defined(__AVX2__)
    return _mm256_sqrt_ps(v);
#else
    for (int i = 0; i < LANES; i++) v[i] = __builtin_sqrtf(v[i]);
    return v;
#endif
}

static inline vfloat v_abs(vfloat v)
{
    return v_from_bits(v_bits(v) & INT32_MAX);
}

/* The magnitude of v with the sign of sign. */
static inline vfloat v_copy_sign(vfloat v, vfloat sign)
{
    return v_from_bits((v_bits(v) & INT32_MAX) | (v_bits(sign) & INT32_MIN));
}

/* The first n lanes of v, the others replaced by fill. */
static inline vfloat v_keep_first(vfloat v, size_t n, float fill)
{
    vfloat lane;
    for (int i = 0; i < LANES; i++) lane[i] = (float)i;
    return v_select_less(lane, v_set((float)n), v, v_set(fill));
}

/* Sum of the lanes, always in the same order: the halves added, then their
   halves. */
static inline float v_sum(vfloat v)
{
#if defined(__AVX512F__)
    __m256 eight = _mm512_castps512_ps256(v) + _mm512_extractf32x8_ps(v, 1);
#elif defined(__AVX2__)
    __m256 eight = v;
#endif
#if defined(__AVX2__)
    __m128 four = _mm256_castps256_ps128(eight) + _mm256_extractf128_ps(eight, 1);
    four = four + _mm_movehl_ps(four, four);
    return four[0] + four[1];
#else
    return (v[0] + v[2]) + (v[1] + v[3]);
#endif
}

/* The same in double precision. */
static inline double v_sum_double(vfloat v)
{
    double lane[LANES];
    for (int i = 0; i < LANES; i++) lane[i] = (double)v[i];
    for (int width = LANES / 2; width > 0; width /= 2)
        for (int i = 0; i < width; i++) lane[i] += lane[i + width];
    return lane[0];
}

/* The largest lane; where there are NaNs, any lane. */
static inline float v_largest(vfloat v)
{
#if defined(__AVX512F__)
    __m256 eight = _mm256_max_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
#elif defined(__AVX2__)
    __m256 eight = v;
#endif
#if defined(__AVX2__)
    __m128 four = _mm_max_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    four = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return four[0] > four[1] ? four[0] : four[1];
#else
    float a = v[0] > v[2] ? v[0] : v[2], b = v[1] > v[3] ? v[1] : v[3];
    return a > b ? a : b;
#endif
}

#endif
