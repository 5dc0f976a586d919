/* For kernels on AMX: its instructions, and numbers in two parts for them.

   A tile is 16 rows of 64 bytes. The one product multiplies tiles of bfloat16 in
   pairs: C[m][n] += A[m][2k] B[k][2n] + A[m][2k + 1] B[k][2n + 1], sums in float32.

   Instructions are written out, because compilers offer them only to files that
   are compiled for them as a whole. */
#ifndef ZF_KERNEL_ISA_TILES_H
#define ZF_KERNEL_ISA_TILES_H

#include "kernel/isa/isa.h"

#if defined(__AVX512F__)

enum { TILE = 16, TILE_LINE = 64 /* bytes of a row */ };

/* Of a thread: 8 tiles, all with rows of 64 bytes, and as many rows as these say. */
static inline void tiles_begin(const uint8_t rows[8])
{
    struct {
        uint8_t palette, start, reserved[14];
        uint16_t row_bytes[16];
        uint8_t rows[16];
    } layout = {.palette = 1};
    for (int i = 0; i < 8; i++) {
        layout.row_bytes[i] = TILE_LINE;
        layout.rows[i] = rows[i];
    }
    __asm__ volatile("ldtilecfg %0" ::"m"(layout));
}

static inline void tiles_end(void)
{
    __asm__ volatile("tilerelease");
}

/* A load whose rows straddle cache lines takes six times as long as one whose rows
   do not. Clearing a tile waits until it has been stored: loading zeros does not. */
#define TILE_LOAD(tile, from, stride)                                                              \
    __asm__ volatile("tileloadd (%0,%1,1), %%tmm" #tile ::"r"(from), "r"((size_t)(stride))         \
                     : "memory")
#define TILE_STORE(tile, to, stride)                                                               \
    __asm__ volatile("tilestored %%tmm" #tile ", (%0,%1,1)" ::"r"(to), "r"((size_t)(stride))       \
                     : "memory")
#define TILE_MULTIPLY(sum, a, b)                                                                   \
    __asm__ volatile("tdpbf16ps %%tmm" #b ", %%tmm" #a ", %%tmm" #sum ::)

/* A float as the sum of two bfloat16, in the halves of 32 bits: the nearest one
   below, the nearest to what is left above. */
static inline __m512i two_parts(__m512 v)
{
    const __m512i half = _mm512_set1_epi32(0x8000), above = _mm512_set1_epi32(-65536);
    __m512i first = _mm512_add_epi32(_mm512_castps_si512(v), half);
    __m512 left = v - _mm512_castsi512_ps(_mm512_and_si512(first, above));
    __m512i second = _mm512_add_epi32(_mm512_castps_si512(left), half);
    return _mm512_ternarylogic_epi32(second, above, _mm512_srli_epi32(first, 16), 0xea);
}

/* The halves below of a and b side by side; and those above. */
static inline __m512i both_below(__m512i a, __m512i b)
{
    return _mm512_mask_blend_epi16(0xaaaaaaaa, a, _mm512_slli_epi32(b, 16));
}

static inline __m512i both_above(__m512i a, __m512i b)
{
    return _mm512_mask_blend_epi16(0xaaaaaaaa, _mm512_srli_epi32(a, 16), b);
}

#define UNROLL_TILE _Pragma("GCC unroll 16")

/* Rows become columns. */
V_INLINE void transpose_tile(__m512i v[TILE])
{
    __m512i t[TILE];
    UNROLL_TILE for (int i = 0; i < TILE; i += 2)
    {
        t[i] = _mm512_unpacklo_epi32(v[i], v[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi32(v[i], v[i + 1]);
    }
    UNROLL_TILE for (int i = 0; i < TILE; i += 4) UNROLL_TILE for (int j = 0; j < 2; j++)
    {
        v[i + 2 * j] = _mm512_unpacklo_epi64(t[i + j], t[i + j + 2]);
        v[i + 2 * j + 1] = _mm512_unpackhi_epi64(t[i + j], t[i + j + 2]);
    }
    UNROLL_TILE for (int i = 0; i < 4; i++) UNROLL_TILE for (int j = 0; j < TILE; j += 8)
    {
        t[j + i] = _mm512_shuffle_i32x4(v[j + i], v[j + i + 4], 0x88);
        t[j + i + 4] = _mm512_shuffle_i32x4(v[j + i], v[j + i + 4], 0xdd);
    }
    UNROLL_TILE for (int i = 0; i < 8; i++)
    {
        v[i] = _mm512_shuffle_i32x4(t[i], t[i + 8], 0x88);
        v[i + 8] = _mm512_shuffle_i32x4(t[i], t[i + 8], 0xdd);
    }
}

/* Lanes [first, end) of 16, either of which may lie outside. */
static inline __mmask16 lanes_between(int first, int end)
{
    unsigned from = first > 0 ? 0xffffu << (first < TILE ? first : TILE) : 0xffffu;
    unsigned to = end < TILE ? (end > 0 ? (1u << end) - 1 : 0) : 0xffffu;
    return (__mmask16)(from & to);
}

#endif
#endif
