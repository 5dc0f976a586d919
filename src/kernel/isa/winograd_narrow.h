/* For isa/stack_winograd.c: rows of Winograd's tiles from and to planes of up to four channels.

   One tile's channels would leave most of a vector empty. So tiles stand side by side in it,
   four lanes each.

   From planes: narrow lines. A row of them is four runs, of the first pixels of all tiles, of
   the second, third and fourth, four floats each. So the same pixel of neighbouring tiles is a
   vector, and tiles are gathered as ever, only several at once.

   To planes: a vector of inputs is four channels of each tile, of which every product spreads
   one over its tile's lanes, and weights are repeated for each tile. Settled, the lanes of four
   pixels are turned round within each tile, which makes rows of planes. */
#ifndef ZF_KERNEL_ISA_WINOGRAD_NARROW_H
#define ZF_KERNEL_ISA_WINOGRAD_NARROW_H

#include "kernel/isa/lanes.h"
#include "kernel/isa/winograd_row.h"

/* For __builtin_shufflevector: the same within each four lanes; and blocks of four lanes, of
   the first halves of two vectors by turns, and of the second. */
#if defined(__AVX512F__)
#define IN_FOURS(a, b, c, d)                                                                       \
    a, b, c, d, a + 4, b + 4, c + 4, d + 4, a + 8, b + 8, c + 8, d + 8, a + 12, b + 12, c + 12,    \
        d + 12
#define LOWER_BLOCKS 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23
#define UPPER_BLOCKS 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31
#else
#define IN_FOURS(a, b, c, d) a, b, c, d, a + 4, b + 4, c + 4, d + 4
#define LOWER_BLOCKS         0, 1, 2, 3, 8, 9, 10, 11
#define UPPER_BLOCKS         4, 5, 6, 7, 12, 13, 14, 15
#endif

/* A square of blocks turned, as `transpose` turns one of lanes. */
V_INLINE void transpose_blocks(vfloat m[BESIDE])
{
    UNROLL for (int round = 1; round < BESIDE; round *= 2)
    {
        vfloat zipped[BESIDE];
        UNROLL for (int i = 0; i < BESIDE / 2; i++)
        {
            zipped[2 * i] = __builtin_shufflevector(m[i], m[i + BESIDE / 2], LOWER_BLOCKS);
            zipped[2 * i + 1] = __builtin_shufflevector(m[i], m[i + BESIDE / 2], UPPER_BLOCKS);
        }
        UNROLL for (int i = 0; i < BESIDE; i++) m[i] = zipped[i];
    }
}

/* Within each block, four by four. */
V_INLINE void transpose_in_blocks(vfloat m[NARROW])
{
    vfloat ab = __builtin_shufflevector(m[0], m[1], IN_FOURS(0, LANES, 1, LANES + 1));
    vfloat ba = __builtin_shufflevector(m[0], m[1], IN_FOURS(2, LANES + 2, 3, LANES + 3));
    vfloat cd = __builtin_shufflevector(m[2], m[3], IN_FOURS(0, LANES, 1, LANES + 1));
    vfloat dc = __builtin_shufflevector(m[2], m[3], IN_FOURS(2, LANES + 2, 3, LANES + 3));
    m[0] = __builtin_shufflevector(ab, cd, IN_FOURS(0, 1, LANES, LANES + 1));
    m[1] = __builtin_shufflevector(ab, cd, IN_FOURS(2, 3, LANES + 2, LANES + 3));
    m[2] = __builtin_shufflevector(ba, dc, IN_FOURS(0, 1, LANES, LANES + 1));
    m[3] = __builtin_shufflevector(ba, dc, IN_FOURS(2, 3, LANES + 2, LANES + 3));
}

/* --- from planes ------------------------------------------------------------------- */

/* A run has a tile of zeros before its first and behind its last. */
static inline size_t run_floats(const frame *f)
{
    return (size_t)(padded_across(f) + 2) * NARROW;
}

static inline size_t narrow_floats(const frame *f)
{
    return (size_t)(SIDE * f->down + 2) * SIDE * run_floats(f);
}

/* Pixel `run` of a tile in a row, which may be the one above or below the image. */
static inline size_t narrow_at(const frame *f, int row, int run, int tile)
{
    return (size_t)((row + 1) * SIDE + run) * run_floats(f) + (size_t)((tile + 1) * NARROW);
}

/* Into lines that were zeros, or another image. */
static inline void read_narrow(const frame *f, int channels, const float *planes, float *lines)
{
    size_t plane = (size_t)f->h * (size_t)f->w;
    for (int row = 0; row < f->h; row++)
        for (int x = 0; x < f->w; x += LANES) {
            const float *from = planes + (size_t)(row * f->w + x);
            vfloat m[NARROW];
            UNROLL for (int i = 0; i < NARROW; i++)
            {
                m[i] = v_set(0.0f);
                if (i < channels) m[i] = v_load_rest(from + (size_t)i * plane, (size_t)(f->w - x));
            }
            transpose_in_blocks(m);
            UNROLL for (int i = 0; i < SIDE; i++)
                v_store(lines + narrow_at(f, row, i, x / SIDE), m[i]);
        }
}

V_INLINE void gather_beside(const int pair, const frame *f, const float *lines, int row, int tile,
                            float *to)
{
    vfloat half[2][REACH];
    UNROLL for (int s = 0; s < REACH; s++)
    {
        int run = (s + SIDE - 1) % SIDE, beside = s == 0 ? -1 : s > SIDE ? 1 : 0;
        const float *x = lines + narrow_at(f, row - 1, run, tile + beside);
        gather_column(pair, x, SIDE * run_floats(f), s, half);
    }
    store_pair(pair, half, to);
}

static inline void gather_narrow(const frame *f, const float *lines, int tile_row, float *tiles)
{
    for (int t = 0; t < f->across; t += BESIDE, tiles += BESIDE * TILE_FLOATS)
        UNROLL for (int pair = 0; pair < PAIRS; pair++)
            gather_beside(pair, f, lines, SIDE * tile_row, t, tiles);
}

static inline void disperse_narrow(const frame *f, const float *lines, int tile_row, float *tiles)
{
    size_t run = run_floats(f);
    for (int t = 0; t < f->across; t += BESIDE, tiles += BESIDE * TILE_FLOATS)
        disperse_tile(lines + narrow_at(f, SIDE * tile_row, 0, t), run, SIDE * run, tiles);
}

/* --- to planes --------------------------------------------------------------------- */

/* Of up to four channels; two sums, because one would wait for itself. */
V_INLINE void add_products(vfloat x, int channels, const float *weights, vfloat sum[2])
{
    sum[0] += __builtin_shufflevector(x, x, IN_FOURS(0, 0, 0, 0)) * v_load(weights);
    if (channels < 2) return;
    sum[1] += __builtin_shufflevector(x, x, IN_FOURS(1, 1, 1, 1)) * v_load(weights + LANES);
    if (channels < 3) return;
    sum[0] += __builtin_shufflevector(x, x, IN_FOURS(2, 2, 2, 2)) * v_load(weights + 2 * LANES);
    if (channels < 4) return;
    sum[1] += __builtin_shufflevector(x, x, IN_FOURS(3, 3, 3, 3)) * v_load(weights + 3 * LANES);
}

/* BESIDE tiles in one place; the products take that of the first. */
V_INLINE void multiply_beside(int channels, const float *weights, float *tiles)
{
    vfloat sum[2] = {v_set(0.0f), v_set(0.0f)};
    UNROLL for (int c = 0; c < MOST; c += LANES)
    {
        vfloat m[BESIDE];
        if (c >= channels) break;
        UNROLL for (int t = 0; t < BESIDE; t++) m[t] = v_load(tiles + t * TILE_FLOATS + c);
        transpose_blocks(m);
        UNROLL for (int i = 0; i < BESIDE; i++, weights += NARROW * LANES)
        {
            int left = channels - c - NARROW * i;
            if (left >= NARROW)
                add_products(m[i], NARROW, weights, sum);
            else if (left > 0)
                add_products(m[i], left, weights, sum);
        }
    }
    v_store(tiles, sum[0] + sum[1]);
}

/* Weights [place][c][LANES]. */
static inline void multiply_narrow(const frame *f, int channels, const float *weights, float *tiles)
{
    for (int i = 0; i < PLACES; i++, weights += channels * LANES, tiles += TILE_LINE)
        for (int t = 0; t < f->across; t += BESIDE)
            multiply_beside(channels, weights, tiles + t * TILE_FLOATS);
}

/* Planes from the first pixel of a row of tiles on. */
typedef struct narrow_planes {
    int channels, rows; /* rows of pixels that there are */
    const float *bias;  /* or NULL */
    float *planes;
    bool add;
} narrow_planes;

V_INLINE void settle_beside(const frame *f, const narrow_planes *to, const float *tiles, int x)
{
    size_t plane = (size_t)f->h * (size_t)f->w, left = (size_t)(f->w - x);
    vfloat half[SIDE][REACH];
    settle_columns(tiles, half);
    UNROLL for (int i = 0; i < SIDE; i++)
    {
        if (i >= to->rows) break;
        vfloat y[SIDE];
        four_of_six(half[i], y);
        transpose_in_blocks(y);
        float *at = to->planes + i * f->w + x;
        UNROLL for (int o = 0; o < NARROW; o++, at += plane)
        {
            if (o >= to->channels) break;
            if (to->bias) y[o] += v_set(to->bias[o]);
            if (to->add) y[o] += v_load_rest(at, left);
            v_store_rest(at, y[o], left);
        }
    }
}

static inline void settle_narrow(const frame *f, const narrow_planes *to, const float *tiles)
{
    for (int t = 0; t < f->across; t += BESIDE)
        settle_beside(f, to, tiles + t * TILE_FLOATS, SIDE * t);
}

#endif
