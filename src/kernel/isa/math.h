/* exp, tanh, sigmoid, erf and gelu of a vector, for the kernels of this folder
   to inline.

   All follow one pattern: bring the argument to an interval where a short
   polynomial is exact to a fraction of an ulp, and put the result together so
   that the roundings stay few. Every branch is taken and the right one chosen
   by lane. The largest errors, over all of float, are about 1 ulp for exp, 2
   for sigmoid and tanh, 1.5 for erf (tests/unit/test_math.c holds them to it);
   infinities, zeros with their sign, results that are denormal, overflow and
   NaN come out as the C library has them. A lane's result does not depend on
   the others.

   The coefficients are minimax fits (iteratively reweighted least squares in
   double, then rounded). Rejected: SLEEF, which has no inlinable C form that
   GCC vectors can use, and rational approximations of tanh, which are one
   division as well and lose two more ulps. */
#ifndef ZF_KERNEL_ISA_MATH_H
#define ZF_KERNEL_ISA_MATH_H

#include "kernel/isa/isa.h"

/* Adding it rounds a small float to an integer, which is then in its low bits. */
#define V_ROUNDER 12582912.0f /* 1.5 * 2^23 */

/* p * 2^k for k = rounded - V_ROUNDER in -160 .. 128, rounded once. */
static inline vfloat v_times_power(vfloat p, vfloat rounded)
{
#if defined(__AVX512F__)
    return _mm512_scalef_ps(p, rounded - V_ROUNDER);
#else
    /* Two factors, because 2^k itself may be outside of float. */
    vint k = v_bits(rounded) - v_bits(v_set(V_ROUNDER));
    vint half = k >> 1;
    vuint first = (vuint)(half + 127) << 23, second = (vuint)(k - half + 127) << 23;
    return p * v_from_bits((vint)first) * v_from_bits((vint)second);
#endif
}

static inline vfloat v_exp(vfloat x)
{
    /* exp(89) is infinite and exp(-104.5) is 0 already. */
    x = v_min(v_set(89.0f), v_max(v_set(-104.5f), x));
    vfloat rounded = x * 1.44269504f + V_ROUNDER;
    vfloat k = rounded - V_ROUNDER;
    /* ln 2 in two parts: k times the first is exact. */
    vfloat r = x - k * 0.693359375f;
    r = r + k * 2.12194440e-4f;
    vfloat p = r * 1.99178918e-4f + 1.39461330e-3f;
    p = p * r + 8.33326485e-3f;
    p = p * r + 4.16662693e-2f;
    p = p * r + 1.66666672e-1f;
    p = p * r + 0.5f;
    p = p * (r * r) + r;
    return v_times_power(p + 1.0f, rounded);
}

static inline vfloat v_tanh(vfloat x)
{
    vfloat size = v_abs(x), square = size * size;
    vfloat p = square * -5.71703631e-3f + 2.06505787e-2f;
    p = p * square + -5.37434965e-2f;
    p = p * square + 1.33314908e-1f;
    p = p * square + -3.33332837e-1f;
    vfloat small = (p * square) * size + size;
    /* From 0.625 on 1 - 2 / (exp + 1) cancels nothing; tanh(10) rounds to 1. */
    vfloat large = 1.0f - 2.0f / (v_exp(v_min(v_set(20.0f), size + size)) + 1.0f);
    return v_copy_sign(v_select_less(size, v_set(0.625f), small, large), x);
}

/* 1 / (1 + exp(-x)), without losing the small results of very negative x. */
static inline vfloat v_sigmoid(vfloat x)
{
    vfloat e = v_exp(-v_abs(x));
    vfloat above = v_select_less(x, v_set(0.0f), e, v_set(1.0f));
    return above / (1.0f + e);
}

/* erf(size) / size - 1 for size < 0.93, from its square. */
static inline vfloat v_erf_small(vfloat square)
{
    vfloat p = square * 8.34522507e-5f + -8.13743740e-4f;
    p = p * square + 5.20063424e-3f;
    p = p * square + -2.68592704e-2f;
    p = p * square + 1.12836942e-1f;
    p = p * square + -3.76126349e-1f;
    return p * square + 1.28379166e-1f;
}

/* 1 - erf(size) for size > 0.92, with a small relative error up to 5 and still
   falling to 0 after it: exp of a polynomial. */
static inline vfloat v_erfc_large(vfloat size)
{
    vfloat t = v_min(v_set(12.0f), size);
    vfloat p = t * -1.02097815e-7f + 3.88263197e-6f;
    p = p * t + -6.74211624e-5f;
    p = p * t + 7.11938541e-4f;
    p = p * t + -5.14605781e-3f;
    p = p * t + 2.72571053e-2f;
    p = p * t + -1.11242957e-1f;
    p = p * t + -6.30824804e-1f;
    /* 1.1307 is 1 + 0.1307, so that the largest term enters without rounding. */
    p = p * t + -1.30717039e-1f;
    return v_exp((p * t - t) + 4.19881631e-4f);
}

static inline vfloat v_erf(vfloat x)
{
    vfloat size = v_abs(x);
    vfloat small = v_erf_small(size * size) * size + size;
    vfloat large = 1.0f - v_erfc_large(size);
    return v_copy_sign(v_select_less(size, v_set(0.925f), small, large), x);
}

/* The normal distribution function. Its lower tail keeps its relative accuracy,
   which 0.5 (1 + erf) would not. */
static inline vfloat v_normal_cdf(vfloat x)
{
    vfloat scaled = x * 0.707106781f, size = v_abs(scaled);
    vfloat small = (v_erf_small(scaled * scaled) * scaled + scaled) * 0.5f + 0.5f;
    vfloat tail = 0.5f * v_erfc_large(size);
    vfloat large = v_select_less(x, v_set(0.0f), tail, 1.0f - tail);
    return v_select_less(size, v_set(0.925f), small, large);
}

/* The exact one: x times the normal distribution function. */
static inline vfloat v_gelu(vfloat x)
{
    return x * v_normal_cdf(x);
}

static inline vfloat v_normal_density(vfloat x)
{
    return 0.398942280f * v_exp(x * x * -0.5f);
}

#endif
