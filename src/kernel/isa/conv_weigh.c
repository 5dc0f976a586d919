/* Gradients of the weights of a 3x3 convolution on AMX tiles (conv_lines.h).

   A sum over pixels, of which 16 are the depth of a tile. One side, x or dy, is flat: a
   tile of channels by pixels of the first parts, each twice, and one of the second
   parts. The other side's lines are tiles as they are, pixels by channels in two
   parts; a tap is a tile that begins a line later or in another row.

   Of 5 channels or fewer that come from planes the flat tile holds three copies, moved by a
   pixel each: a row of taps in one product. There are 9 sums otherwise, and 8 tiles, so
   a few units are worked on tap row by tap row. The vector units bring the next few into
   flat tiles meanwhile.

   Tried and dropped: 32 pixels in the depth for what meets the second parts, three products
   in place of four, but lines must be paired for it, which hides less well than it
   saves; and five taps at a time, then four, with fewer sums to load and more lines. */
#include "kernel/isa/conv_lines.h"

#if defined(__AVX512F__)

enum {
    UNITS = WEIGH_UNITS,
    FLAT = TILE * TILE, /* elements of a part of a unit's flat tile */
    SUM = TILE * TILE,
    ABREAST = TILE / 3, /* channels of which three copies fit */
};

static int flat_channels(const weigh *job)
{
    return job->x_is_flat ? job->c : job->o;
}

static bool is_abreast(const weigh *job)
{
    return job->planes && flat_channels(job) <= ABREAST;
}

typedef struct unit {
    int row, block;
} unit;

static unit next_unit(const field *f, unit at)
{
    if (++at.block == f->blocks) at.block = 0, at.row++;
    return at;
}

/* --- flat tiles ---------------------------------------------------------------------- */

static inline void store_flat(parts *to, int row, __m512i v)
{
    _mm512_store_si512(to + row * TILE, both_below(v, v));
    _mm512_store_si512(to + FLAT + row * TILE, both_above(v, v));
}

/* Channels of planes, each moved by `by` pixels, as rows from `first` on. */
static void flatten_planes(const weigh *job, unit at, int by, int first, parts *to)
{
    const field *f = &job->field;
    int channels = flat_channels(job), column = at.block * TILE, from = column + by;
    size_t plane = (size_t)(f->h * f->w);
    const float *row = job->planes + (size_t)at.row * (size_t)f->w;
    __mmask16 lanes = lanes_between(0, f->w - column) & lanes_between(-from, f->w - from);
    for (int c = 0; c < channels; c++, row += plane)
        store_flat(to, first + c, two_parts(_mm512_maskz_loadu_ps(lanes, row + from)));
}

static void flatten_lines(const weigh *job, unit at, parts *to)
{
    const field *f = &job->field;
    const parts *from = job->flat + line_at(f, at.row, at.block * TILE);
    __mmask16 lanes = lanes_between(0, f->w - at.block * TILE);
    __m512i v[TILE];
    UNROLL_TILE for (int i = 0; i < TILE; i++) v[i] = _mm512_load_si512(from + i * TILE);
    transpose_tile(v);
    UNROLL_TILE for (int i = 0; i < TILE; i++)
        store_flat(to, i, _mm512_maskz_mov_epi32(lanes, v[i]));
}

static void flatten(const weigh *job, unit at, parts *to)
{
    int channels = flat_channels(job);
    if (job->flat)
        flatten_lines(job, at, to);
    else if (is_abreast(job))
        for (int k = 0; k < 3; k++) flatten_planes(job, at, 1 - k, k * channels, to);
    else
        flatten_planes(job, at, 0, 0, to);
}

/* --- sums ---------------------------------------------------------------------------- */

/* A unit and three of its taps. Sums are tiles 0 to 2, the flat side's parts are 3 and 4,
   lines 5 to 7. */
static inline void multiply_unit(const parts *flat, const parts *lines, size_t step)
{
    TILE_LOAD(3, flat, TILE_LINE);
    TILE_LOAD(5, lines, TILE_LINE);
    TILE_MULTIPLY(0, 3, 5);
    TILE_LOAD(6, lines + step, TILE_LINE);
    TILE_MULTIPLY(1, 3, 6);
    TILE_LOAD(7, lines + 2 * step, TILE_LINE);
    TILE_MULTIPLY(2, 3, 7);
    TILE_LOAD(4, flat + FLAT, TILE_LINE);
    TILE_MULTIPLY(0, 4, 5);
    TILE_MULTIPLY(1, 4, 6);
    TILE_MULTIPLY(2, 4, 7);
}

#define SUMS(what, sums)                                                                           \
    do {                                                                                           \
        what(0, sums, TILE_LINE);                                                                  \
        what(1, (sums) + SUM, TILE_LINE);                                                          \
        what(2, (sums) + 2 * SUM, TILE_LINE);                                                      \
    } while (0)

/* Some units in flat tiles. */
typedef struct batch {
    unit units[UNITS];
    int count, done;
    parts *tiles;
} batch;

static batch next_batch(const field *f, unit *next, parts *tiles)
{
    batch b = {.tiles = tiles};
    while (b.count < UNITS && next->row < f->h) {
        b.units[b.count++] = *next;
        *next = next_unit(f, *next);
    }
    return b;
}

static void flatten_one(const weigh *job, batch *b)
{
    if (b->done == b->count) return;
    flatten(job, b->units[b->done], b->tiles + (size_t)b->done * 2 * FLAT);
    b->done++;
}

static void sum_batch(const weigh *job, const batch *now, batch *later)
{
    const field *f = &job->field;
    bool abreast = is_abreast(job);
    for (int ky = 0; ky < (abreast ? 1 : 3); ky++) {
        float *sums = job->sums + (size_t)(3 * ky) * SUM;
        SUMS(TILE_LOAD, sums);
        for (int u = 0; u < now->count; u++) {
            unit at = now->units[u];
            const parts *lines =
                job->turned + line_at(f, at.row + ky - 1, at.block * TILE - (abreast ? 0 : 1));
            multiply_unit(now->tiles + (size_t)u * 2 * FLAT, lines,
                          (size_t)(abreast ? f->pitch : 1) * TILE);
            if (abreast || (ky + u) % 3 == 0) flatten_one(job, later);
        }
        SUMS(TILE_STORE, sums);
    }
    while (later->done < later->count) flatten_one(job, later);
}

void zf_weigh_run(const weigh *job)
{
    const field *f = &job->field;
    uint8_t rows = (uint8_t)(flat_channels(job) * (is_abreast(job) ? 3 : 1));
    unit next = {0};
    batch now = next_batch(f, &next, job->work);
    while (now.done < now.count) flatten_one(job, &now);
    tiles_begin((const uint8_t[8]){rows, rows, rows, rows, rows, TILE, TILE, TILE});
    for (int i = 1; now.count > 0; i++) {
        batch later = next_batch(f, &next, job->work + (size_t)(i % 2) * UNITS * 2 * FLAT);
        sum_batch(job, &now, &later);
        now = later;
    }
}

/* Where x is flat the sums belong to the taps in the opposite order. */
void zf_weigh_finish(const weigh *job, bool add, float *dw)
{
    int channels = flat_channels(job);
    for (int o = 0; o < job->o; o++)
        for (int c = 0; c < job->c; c++)
            for (int k = 0; k < 9; k++, dw++) {
                int tap = job->x_is_flat ? 8 - k : k;
                int flat = job->x_is_flat ? c : o, turned = job->x_is_flat ? o : c;
                int tile = is_abreast(job) ? tap / 3 : tap;
                int row = is_abreast(job) ? tap % 3 * channels + flat : flat;
                *dw = job->sums[tile * SUM + row * TILE + turned] + (add ? *dw : 0.0f);
            }
}

#else

typedef int zf_no_tiles; /* a file must hold something */

#endif
