/* The same as stretch in views.c, bit for bit, with vectors of 16: what neighbours are between
   is never more than two vectors wide, so one instruction picks it for all. Some rows are
   blended before they are stretched, because a vector that is read while parts of it are
   still being written has to wait. */
#include "image/stretch.h"

#if defined(__AVX512BW__)

#include <immintrin.h>

enum { LANES = 16, ROWS = 8, REACH = 2 * LANES /* is read beyond the last, but not picked */ };

static inline __mmask16 lanes_of(int left)
{
    return (__mmask16)(left < LANES ? (1u << left) - 1 : 0xffffu);
}

static inline __m512 read_bytes(const uint8_t *from, __mmask16 lanes)
{
    return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(lanes, from)));
}

/* Row y of the result, before it is stretched. */
static void blend(float *row, const zf_crop_plane *from, const zf_lerp *down, int y)
{
    const uint8_t *above = from->corner + down->low[y] * from->size;
    const uint8_t *below = from->corner + down->high[y] * from->size;
    float second = down->share[y] / 255, first = 1.0f / 255 - second;
    __m512 lower = _mm512_set1_ps(second), upper = _mm512_set1_ps(first);
    for (int x = 0; x < from->width; x += LANES) {
        __mmask16 lanes = lanes_of(from->width - x);
        _mm512_storeu_ps(row + x, upper * read_bytes(above + x, lanes) +
                                      lower * read_bytes(below + x, lanes));
    }
}

static void stretch_row(float *out, const float *row, const zf_lerp *across, int size)
{
    for (int x = 0; x < size; x += LANES) {
        int last = size - x < LANES ? size - 1 : x + LANES - 1;
        int first = across->low[x] < across->low[last] ? across->low[x] : across->low[last];
        __mmask16 lanes = lanes_of(size - x);
        __m512i base = _mm512_set1_epi32(first);
        __m512i low = _mm512_sub_epi32(_mm512_maskz_loadu_epi32(lanes, across->low + x), base);
        __m512i high = _mm512_sub_epi32(_mm512_maskz_loadu_epi32(lanes, across->high + x), base);
        __m512 near = _mm512_loadu_ps(row + first), far = _mm512_loadu_ps(row + first + LANES);
        __m512 left = _mm512_permutex2var_ps(near, low, far);
        __m512 right = _mm512_permutex2var_ps(near, high, far);
        __m512 share = _mm512_maskz_loadu_ps(lanes, across->share + x);
        _mm512_mask_storeu_ps(out + x, lanes, left + share * (right - left));
    }
}

void zf_stretch_avx512(float *out, const zf_crop_plane *from, const zf_lerp *down,
                       const zf_lerp *across)
{
    float rows[ROWS][ZF_IMAGES_SIDE_MAX + REACH];
    for (int first = 0; first < from->size; first += ROWS) {
        int n = from->size - first < ROWS ? from->size - first : ROWS;
        for (int i = 0; i < n; i++) blend(rows[i], from, down, first + i);
        for (int i = 0; i < n; i++, out += from->size)
            stretch_row(out, rows[i], across, from->size);
    }
}

#else

typedef int zf_no_stretch; /* a file must hold something */

#endif
