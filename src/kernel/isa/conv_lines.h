/* For isa/conv_stack*.c: images as lines, one of 64 bytes a pixel.

   A line has 16 elements of 32 bits, one a channel: its two parts (tiles.h). Of 10
   channels or fewer it holds the first parts once more, in pairs, behind the channels: for
   the second part of the weights. So one product a tap does what takes two of more
   channels; only that of both second parts, 2^-16 of the whole, is missing.

   Around an image are lines of zeros: a row above, a row below, and one line between
   two rows, which is to the right of the one and to the left of the other. */
#ifndef ZF_KERNEL_ISA_CONV_LINES_H
#define ZF_KERNEL_ISA_CONV_LINES_H

#include "kernel/conv_stack.h"
#include "kernel/isa/tiles.h"

#if defined(__AVX512F__)

typedef uint32_t parts;

enum { FEW = 10 };

/* How images lie. */
typedef struct field {
    int h, w;
    int pitch;  /* lines from row to row */
    int blocks; /* of 16 pixels in a row */
} field;

static inline field field_of(const zf_stack *stack)
{
    return (field){stack->h, stack->w, stack->w + 1, (stack->w + TILE - 1) / TILE};
}

/* A last block may reach 15 pixels beyond its row. */
static inline size_t lines_of(const field *f)
{
    return (size_t)(f->h + 2) * (size_t)f->pitch + TILE;
}

static inline size_t lines_bytes(const field *f)
{
    return lines_of(f) * TILE_LINE;
}

/* Where the line of a pixel is, counted in elements. */
static inline size_t line_at(const field *f, int row, int column)
{
    return ((size_t)(row + 1) * (size_t)f->pitch + (size_t)(column + 1)) * TILE;
}

static inline int pixels_of_block(const field *f, int block)
{
    int left = f->w - block * TILE;
    return left < TILE ? left : TILE;
}

static inline void clear_border(const field *f, parts *lines)
{
    size_t below = line_at(f, f->h, -1);
    memset(lines, 0, line_at(f, 0, 0) * sizeof *lines);
    for (int row = 0; row < f->h; row++)
        _mm512_store_si512(lines + line_at(f, row, f->w), _mm512_setzero_si512());
    memset(lines + below, 0, (lines_of(f) * TILE - below) * sizeof *lines);
}

/* A line of few channels, whose last element is zero, gets its pairs. */
static inline __m512i with_pairs(__m512i line)
{
    const __m512i order =
        _mm512_set_epi16(31, 31, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0, 19, 18, 17, 16, 15, 14, 13, 12,
                         11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    return _mm512_permutexvar_epi16(order, line);
}

/* --- conv_sweep.c: values ------------------------------------------------------------ */

/* A layer's convolution, forward or backward: of lines, to lines or to planes. */
typedef struct pass {
    int in, out;      /* channels */
    bool from_planes; /* the lines are made of planes */
    bool to_planes;
    bool turned;         /* backward: weights are [in, ., 3, 3], and turned by 180 degrees */
    int first, channels; /* backward: outputs are the weights' channels from the first on */
} pass;

pass zf_forward_pass(const zf_stack *stack, int layer);
pass zf_backward_pass(const zf_stack *stack, int layer);

/* Weights in tiles, as the pass wants them, and what the sums begin with. */
typedef struct packed_pass {
    _Alignas(64) parts weights[9 * 2 * TILE * TILE];
    _Alignas(64) float bias[TILE];
} packed_pass;

/* bias may be NULL. */
void zf_pass_pack(const pass *p, const float *weights, const float *bias, packed_pass *packed);

/* Planes of an image as the lines that the pass takes. */
void zf_pass_read(const pass *p, const field *f, const float *planes, parts *lines);

typedef struct sweep {
    pass pass;
    field field;
    const packed_pass *packed;
    const parts *from;
    parts *to;           /* to lines: behind relu, or, backward, where `active` are not 0 */
    const parts *active; /* lines of what relu gave */
    float *bias_sums;    /* backward to lines: [16] is added to */
    float *planes;       /* to planes */
    bool add;
    float *work; /* sweep_floats */
} sweep;

size_t zf_sweep_floats(const field *f);
/* Tiles must have 16 rows. */
void zf_sweep_run(const sweep *s);

/* --- conv_weigh.c: gradients of weights -------------------------------------------------- */

/* The sum over pixels of dy[o] x[c], x a tap away. One of them is flat: tiles of channels by
   pixels; the other one's lines are taken as they are. */
typedef struct weigh {
    field field;
    int c, o;
    bool x_is_flat;
    const float *planes; /* of the flat side; or */
    const parts *flat;   /* lines */
    const parts *turned; /* lines of the other side */
    float *sums;         /* 9 tiles, added to */
    parts *work;         /* WEIGH_WORK elements */
} weigh;

enum { WEIGH_UNITS = 4, WEIGH_WORK = 2 * WEIGH_UNITS * 2 * TILE * TILE };
void zf_weigh_run(const weigh *job);
/* What many runs have summed up, as dw [o, c, 3, 3]. */
void zf_weigh_finish(const weigh *job, bool add, float *dw);

#endif
#endif
