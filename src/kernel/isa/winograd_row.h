/* For isa/stack_winograd.c: images as lines, and rows of Winograd's tiles of them.

   A line is a pixel: 1 to 16 channels, in whole vectors. Around an image are lines of zeros:
   a column to the left, a row above, and to the right and below as many as the last tiles
   read. */
#ifndef ZF_KERNEL_ISA_WINOGRAD_ROW_H
#define ZF_KERNEL_ISA_WINOGRAD_ROW_H

#include "kernel/conv_stack.h"
#include "kernel/isa/winograd_four.h"

enum { MOST = 16 /* channels */, MOST_VECTORS = MOST / LANES };

/* --- images as lines ------------------------------------------------------------------ */

typedef struct frame {
    int h, w;
    int down, across; /* tiles */
    size_t pitch;     /* lines from row to row */
} frame;

static inline frame frame_of(const zf_stack *stack)
{
    int down = (stack->h + SIDE - 1) / SIDE, across = (stack->w + SIDE - 1) / SIDE;
    return (frame){stack->h, stack->w, down, across, (size_t)(SIDE * across) + 2};
}

/* Floats of a line. */
static inline size_t width_of(int channels)
{
    return (size_t)((channels + LANES - 1) / LANES * LANES);
}

static inline size_t lines_floats(const frame *f, int channels)
{
    return (size_t)(SIDE * f->down + 2) * f->pitch * width_of(channels);
}

static inline size_t line_at(const frame *f, int channels, int row, int column)
{
    return ((size_t)(row + 1) * f->pitch + (size_t)(column + 1)) * width_of(channels);
}

static inline void clear_border(const frame *f, int channels, float *lines)
{
    size_t width = width_of(channels), right = f->pitch - (size_t)f->w;
    size_t below = line_at(f, channels, f->h, -1);
    memset(lines, 0, (f->pitch + 1) * width * sizeof *lines);
    for (int row = 0; row < f->h; row++)
        memset(lines + line_at(f, channels, row, f->w), 0, right * width * sizeof *lines);
    memset(lines + below, 0, (lines_floats(f, channels) - below) * sizeof *lines);
}

/* --- tiles of a row -------------------------------------------------------------------- */

/* Of up to four channels, tiles may stand side by side in a vector (winograd_narrow.h): where
   the first of them has its channels, the others have theirs behind it. */
enum { NARROW = 4, BESIDE = LANES / NARROW };

V_INLINE int tile_at(const bool narrow, int t)
{
    return narrow ? t / BESIDE * BESIDE * TILE_FLOATS + t % BESIDE * NARROW : t * TILE_FLOATS;
}

/* Tiles in whole vectors. */
static inline int padded_across(const frame *f)
{
    return (f->across + BESIDE - 1) / BESIDE * BESIDE;
}

static inline size_t tiles_floats(const frame *f)
{
    return (size_t)padded_across(f) * TILE_FLOATS;
}

V_INLINE void gather_row(const frame *f, const size_t width, const float *lines, float *tiles)
{
    UNROLL for (size_t v = 0; v < width; v += LANES)
    {
        UNROLL for (int pair = 0; pair < PAIRS; pair++)
            gather_pair(pair, f->across, lines + v, width, f->pitch * width, tiles + v);
    }
}

static inline void gather(const frame *f, int channels, const float *lines, int row, float *tiles)
{
    lines += line_at(f, channels, SIDE * row - 1, -1);
    if (channels > LANES)
        gather_row(f, MOST, lines, tiles);
    else
        gather_row(f, LANES, lines, tiles);
}

V_INLINE void disperse_row(const frame *f, const size_t width, const float *lines, float *tiles)
{
    for (int t = 0; t < f->across; t++, lines += SIDE * width, tiles += TILE_FLOATS)
        UNROLL for (size_t v = 0; v < width; v += LANES)
            disperse_tile(lines + v, width, f->pitch * width, tiles + v);
}

static inline void disperse(const frame *f, int channels, const float *lines, int row, float *tiles)
{
    lines += line_at(f, channels, SIDE * row, 0);
    if (channels > LANES)
        disperse_row(f, MOST, lines, tiles);
    else
        disperse_row(f, LANES, lines, tiles);
}

/* --- multiply ------------------------------------------------------------------------------- */

enum { ABREAST = LANES / 2 /* tiles whose sums are in registers */ };

/* Products take the place of the tiles. */
V_INLINE void multiply_any(const int count, const int vectors, const bool narrow, int channels,
                           const float *weights, float *tiles)
{
    vfloat sum[ABREAST * MOST_VECTORS];
    UNROLL for (int i = 0; i < count * vectors; i++) sum[i] = v_set(0.0f);
    for (int c = 0; c < channels; c++, weights += vectors * LANES) {
        vfloat w[MOST_VECTORS];
        UNROLL for (int v = 0; v < vectors; v++)
        {
            w[v] = v_load(weights + v * LANES);
            IN_REGISTER(w[v]);
        }
        UNROLL for (int t = 0; t < count; t++)
        {
            vfloat x = v_set(tiles[tile_at(narrow, t) + c]);
            UNROLL for (int v = 0; v < vectors; v++) sum[t * vectors + v] += x * w[v];
        }
    }
    UNROLL for (int i = 0; i < count * vectors; i++)
        v_store(tiles + i / vectors * TILE_FLOATS + i % vectors * LANES, sum[i]);
}

/* Of tiles side by side, those that fill the last vector are multiplied too. */
V_INLINE void multiply_row(const int vectors, const bool narrow, int tiles, int channels,
                           const float *weights, float *at)
{
    const int rest = narrow ? BESIDE : 1;
    for (; tiles >= ABREAST; tiles -= ABREAST, at += ABREAST * TILE_FLOATS)
        multiply_any(ABREAST, vectors, narrow, channels, weights, at);
    for (; tiles > 0; tiles -= rest, at += rest * TILE_FLOATS)
        multiply_any(rest, vectors, narrow, channels, weights, at);
}

V_INLINE void multiply_places(const frame *f, const bool narrow, int channels, int outputs,
                              const float *weights, float *tiles)
{
    size_t width = width_of(outputs);
    for (int i = 0; i < PLACES; i++, weights += (size_t)channels * width, tiles += TILE_LINE)
        if (width > LANES)
            multiply_row(MOST_VECTORS, narrow, f->across, channels, weights, tiles);
        else
            multiply_row(1, narrow, f->across, channels, weights, tiles);
}

static inline void multiply(const frame *f, bool narrow, int channels, int outputs,
                            const float *weights, float *tiles)
{
    if (narrow)
        multiply_places(f, true, channels, outputs, weights, tiles);
    else
        multiply_places(f, false, channels, outputs, weights, tiles);
}

/* --- weigh ---------------------------------------------------------------------------------- */

enum { SINGLES = LANES == 16 ? 8 : 6 /* whose sums are in registers */ };

/* Of `single` each channel by itself is multiplied with all of `vector`; the former may have
   tiles side by side. */
typedef struct weigh_row {
    int tiles, singles;
    const float *single, *vector;
} weigh_row;

V_INLINE void weigh_any(const int count, const int vectors, const bool narrow, const weigh_row *row,
                        int first, float *sums)
{
    const float *vector = row->vector;
    vfloat more[SINGLES * MOST_VECTORS];
    UNROLL for (int i = 0; i < count * vectors; i++) more[i] = v_load(sums + i * LANES);
    for (int t = 0; t < row->tiles; t++, vector += TILE_FLOATS) {
        const float *single = row->single + tile_at(narrow, t) + first;
        vfloat y[MOST_VECTORS];
        UNROLL for (int v = 0; v < vectors; v++)
        {
            y[v] = v_load(vector + v * LANES);
            IN_REGISTER(y[v]);
        }
        UNROLL for (int i = 0; i < count; i++)
        {
            vfloat x = v_set(single[i]);
            UNROLL for (int v = 0; v < vectors; v++) more[i * vectors + v] += x * y[v];
        }
    }
    UNROLL for (int i = 0; i < count * vectors; i++) v_store(sums + i * LANES, more[i]);
}

V_INLINE void weigh_block(int count, const int vectors, const bool narrow, const weigh_row *row,
                          int first, float *sums)
{
#define BLOCK_OF(count)                                                                            \
    case count:                                                                                    \
        if (count <= (narrow ? (int)NARROW : (int)SINGLES))                                        \
            weigh_any(count, vectors, narrow, row, first, sums);                                   \
        break;
    switch (count) {
        BLOCK_OF(1)
        BLOCK_OF(2)
        BLOCK_OF(3)
        BLOCK_OF(4)
        BLOCK_OF(5)
        BLOCK_OF(6)
        BLOCK_OF(7)
        BLOCK_OF(8)
    }
#undef BLOCK_OF
}

/* Singles are cut into as few blocks as possible, as even as possible. */
V_INLINE void weigh_place(const int vectors, const bool narrow, const weigh_row *row, float *sums)
{
    int left = row->singles, first = 0;
    for (int blocks = (left + SINGLES - 1) / SINGLES; blocks > 0; blocks--) {
        int count = (left + blocks - 1) / blocks;
        weigh_block(count, vectors, narrow, row, first, sums);
        left -= count, first += count, sums += count * vectors * LANES;
    }
}

/* All places; width is that of the vectors. */
V_INLINE void weigh_places(const bool narrow, weigh_row row, size_t width, float *sums)
{
    for (int i = 0; i < PLACES; i++, sums += (size_t)row.singles * width) {
        if (width > LANES)
            weigh_place(MOST_VECTORS, narrow, &row, sums);
        else
            weigh_place(1, narrow, &row, sums);
        row.single += TILE_LINE, row.vector += TILE_LINE;
    }
}

#endif
