/* For isa/stack_winograd.c: pictures as lines, and rows of Winograd's tiles of them.

   A line is a pixel: 1 to 16 channels, in whole vectors. Around a picture are lines of zeros:
   a column to the left, a row above, and to the right and below as many as the last tiles
   read. */
#ifndef ZF_KERNEL_ISA_WINOGRAD_ROW_H
#define ZF_KERNEL_ISA_WINOGRAD_ROW_H

#include "kernel/conv_stack.h"
#include "kernel/isa/winograd_four.h"

enum { MOST = 16 /* channels */, MOST_VECTORS = MOST / LANES };

/* --- pictures as lines ------------------------------------------------------------------ */

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

/* Whole vectors of tiles, where these stand side by side. */
static inline size_t tiles_floats(const frame *f)
{
    return (size_t)((f->across + LANES - 1) / LANES * LANES) * TILE_FLOATS;
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
V_INLINE void multiply_any(const int count, const int vectors, int channels, const float *weights,
                           float *tiles)
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
            vfloat x = v_set(tiles[t * TILE_FLOATS + c]);
            UNROLL for (int v = 0; v < vectors; v++) sum[t * vectors + v] += x * w[v];
        }
    }
    UNROLL for (int i = 0; i < count * vectors; i++)
        v_store(tiles + i / vectors * TILE_FLOATS + i % vectors * LANES, sum[i]);
}

V_INLINE void multiply_row(const int vectors, int tiles, int channels, const float *weights,
                           float *at)
{
    for (; tiles >= ABREAST; tiles -= ABREAST, at += ABREAST * TILE_FLOATS)
        multiply_any(ABREAST, vectors, channels, weights, at);
    for (; tiles > 0; tiles--, at += TILE_FLOATS) multiply_any(1, vectors, channels, weights, at);
}

static inline void multiply(const frame *f, int channels, int outputs, const float *weights,
                            float *tiles)
{
    size_t width = width_of(outputs);
    for (int i = 0; i < PLACES; i++, weights += (size_t)channels * width, tiles += TILE_LINE)
        if (width > LANES)
            multiply_row(MOST_VECTORS, f->across, channels, weights, tiles);
        else
            multiply_row(1, f->across, channels, weights, tiles);
}

/* --- weigh ---------------------------------------------------------------------------------- */

enum { SINGLES = LANES == 16 ? 8 : 6 /* whose sums are in registers */ };

V_INLINE void weigh_any(const int count, const int vectors, int tiles, const float *single,
                        const float *vector, float *sums)
{
    vfloat more[SINGLES * MOST_VECTORS];
    UNROLL for (int i = 0; i < count * vectors; i++) more[i] = v_load(sums + i * LANES);
    for (int t = 0; t < tiles; t++, single += TILE_FLOATS, vector += TILE_FLOATS) {
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

V_INLINE void weigh_block(int count, const int vectors, int tiles, const float *single,
                          const float *vector, float *sums)
{
#define BLOCK_OF(count)                                                                            \
    case count:                                                                                    \
        if (count <= SINGLES) weigh_any(count, vectors, tiles, single, vector, sums);              \
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
V_INLINE void weigh_place(const int vectors, int singles, int tiles, const float *single,
                          const float *vector, float *sums)
{
    for (int blocks = (singles + SINGLES - 1) / SINGLES; blocks > 0; blocks--) {
        int count = (singles + blocks - 1) / blocks;
        weigh_block(count, vectors, tiles, single, vector, sums);
        singles -= count, single += count, sums += count * vectors * LANES;
    }
}

#endif
