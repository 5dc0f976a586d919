/* For random_fill*.c only: many normal values at once. Sixteen blocks of Philox side by
   side, then the method of Box and Muller in single precision, all in loops that the
   compiler turns into vectors. Only additions, products and square roots of floats are
   used, in a fixed order and never fused, so the bits are the same everywhere. */
#ifndef ZF_BASE_RANDOM_FILL_H
#define ZF_BASE_RANDOM_FILL_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/random.h"

/* What zf_random_fill_normal gives, for processors with AVX-512. */
void zf_random_fill_normal_avx512(const zf_random *random, float *values, size_t n);

enum { LANES = 16, WORDS = 4 * LANES };

/* Words in the lower halves of lanes that hold a product of two. */
#if defined(__AVX512F__)
enum { PLACES = 8 };
#else
enum { PLACES = 2 };
#endif
typedef uint64_t wide __attribute__((vector_size(8 * PLACES)));

static inline wide spread(uint32_t word)
{
    return word - (wide){0};
}

/* Of the lower halves. GCC would multiply the upper halves as well, which are of
   no use here and cost twice the time. */
static inline wide product(wide a, uint32_t factor)
{
#if defined(__AVX512F__) && !defined(__clang__)
    typedef int quad __attribute__((vector_size(64)));
    typedef long long both __attribute__((vector_size(64)));
    return (wide)__builtin_ia32_pmuludq512_mask((quad)a, (quad)spread(factor), (both){0}, 0xff);
#elif defined(__SSE2__) && !defined(__AVX512F__) && !defined(__clang__)
    typedef int quad __attribute__((vector_size(16)));
    return (wide)__builtin_ia32_pmuludq128((quad)a, (quad)spread(factor));
#else
    return (a & spread(UINT32_MAX)) * spread(factor);
#endif
}

/* The blocks `first` to `first + LANES - 1` of a stream: word w of block b is
   words[w * LANES + b]. The same as zf_philox4x32 gives one by one. */
static void make_words(uint32_t words[WORDS], const zf_random *random, uint32_t first)
{
    enum { VECTORS = LANES / PLACES };
    wide c0[VECTORS], c1[VECTORS], c2[VECTORS], c3[VECTORS];
    uint32_t k0 = random->key[0], k1 = random->key[1];
    wide places = {0};
    for (uint32_t k = 0; k < PLACES; k++) places[k] = k;
    for (uint32_t i = 0; i < VECTORS; i++) {
        c0[i] = spread(first + PLACES * i) + places;
        c1[i] = spread(random->counter[1]);
        c2[i] = spread(random->counter[2]);
        c3[i] = spread(random->counter[3]);
    }
    for (int round = 0; round < 10; round++, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u)
        for (int i = 0; i < VECTORS; i++) {
            wide p0 = product(c0[i], 0xD2511F53u), p1 = product(c2[i], 0xCD9E8D57u);
            c0[i] = (p1 >> 32) ^ c1[i] ^ spread(k0);
            c2[i] = (p0 >> 32) ^ c3[i] ^ spread(k1);
            c1[i] = p1; /* what is in the upper halves is never looked at */
            c3[i] = p0;
        }
    for (int i = 0; i < LANES; i++) {
        words[i] = (uint32_t)c0[i / PLACES][i % PLACES];
        words[LANES + i] = (uint32_t)c1[i / PLACES][i % PLACES];
        words[2 * LANES + i] = (uint32_t)c2[i / PLACES][i % PLACES];
        words[3 * LANES + i] = (uint32_t)c3[i / PLACES][i % PLACES];
    }
}

static inline float from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t to_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Natural logarithm of a normal number, to 2 units in the last place: the
   polynomial of the Cephes library on a mantissa between 1/sqrt(2) and sqrt(2). */
static inline float logarithm(float x)
{
    int32_t bits = (int32_t)to_bits(x), exponent = (bits - 0x3f3504f3) >> 23;
    float f = from_bits((uint32_t)(bits - exponent * (1 << 23))) - 1.0f, z = f * f;
    float e = (float)exponent;
    float y = 7.0376836292e-2f;
    y = y * f - 1.1514610310e-1f;
    y = y * f + 1.1676998740e-1f;
    y = y * f - 1.2420140846e-1f;
    y = y * f + 1.4249322787e-1f;
    y = y * f - 1.6668057665e-1f;
    y = y * f + 2.0000714765e-1f;
    y = y * f - 2.4999993993e-1f;
    y = y * f + 3.3333331174e-1f;
    y = y * f * z - 2.12194440e-4f * e - 0.5f * z;
    return f + y + 0.693359375f * e;
}

/* The middle of one of 2^23 cells of (0, 1). */
static inline float uniform(uint32_t word)
{
    return ((float)(int32_t)(word >> 9) + 0.5f) * 0x1p-23f;
}

/* From LANES pairs of words as many pairs of normal values. An angle is drawn
   between 0 and 45 degrees, where short polynomials do, and three of the bits that
   the angle leaves mirror it into any of the eight parts of the circle. */
static void pairs(float *x, float *y, const uint32_t *first, const uint32_t *second)
{
    for (int i = 0; i < LANES; i++) {
        float radius = sqrtf(-2.0f * logarithm(uniform(first[i])));
        float t = uniform(second[i]) * 0.785398163f, z = t * t;
        float sine = ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f) * z;
        float cosine = (2.443315711809948e-5f * z - 1.388731625493765e-3f) * z;
        sine = sine * t + t;
        cosine = (cosine + 4.166664568298827e-2f) * z * z - 0.5f * z + 1.0f;
        uint32_t swap = 0u - (second[i] & 1u);
        uint32_t differ = (to_bits(sine) ^ to_bits(cosine)) & swap;
        uint32_t across = to_bits(cosine) ^ differ, up = to_bits(sine) ^ differ;
        x[i] = radius * from_bits(across ^ (second[i] << 30 & 0x80000000u));
        y[i] = radius * from_bits(up ^ (second[i] << 29 & 0x80000000u));
    }
}

static inline void fill_normals(const zf_random *random, float *values, size_t n)
{
    uint32_t words[WORDS], block = random->counter[0];
    float fresh[WORDS] = {0};
    for (size_t done = 0; done < n; done += WORDS, block += LANES) {
        float *out = n - done < WORDS ? fresh : values + done;
        make_words(words, random, block);
        pairs(out, out + LANES, words, words + LANES);
        pairs(out + 2 * LANES, out + 3 * LANES, words + 2 * LANES, words + 3 * LANES);
        if (out == fresh) memcpy(values + done, fresh, (n - done) * sizeof *values);
    }
}

#endif
