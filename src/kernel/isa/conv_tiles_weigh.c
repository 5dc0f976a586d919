/* Gradients of the weights of 3x3 convolutions on AMX tiles (conv_tiles.h).

   A sum over pixels: 32 of a row are the depth of a tile. One side, x or dy, whichever
   has fewer channels, lies flat: its tiles are 16 channels by 32 pixels, as the
   planes are. The other one is turned: tiles are 16 pairs of pixels by 16 channels,
   and a tap is a tile that begins some pixels later or in another row.

   Pairs are of pixels 16 apart, not of neighbours, so that a tap to the side is
   the next row of a tile, not another pairing; the order in which pixels are summed
   is free. Three products of parts are formed; that of the two smaller ones, 2^-16 of
   the whole, is left out.

   A band of rows is worked on at once, tap row by tap row, since there are 9 sums
   and 8 tiles; the vector units bring the next band into tiles meanwhile. */
#include "kernel/conv_tiles.h"

#include "kernel/isa/tiles.h"

#if defined(__AVX512F__)

enum {
    WIDE = 2 * TILE,         /* pixels in the depth of a tile */
    SHIFTED = TILE + 2,      /* pairs that the three taps of a row need */
    FLAT = TILE * TILE,      /* elements of a part of a flat strip, which is a tile */
    TURNED = SHIFTED * TILE, /* and of a turned one */
    SUM = TILE * TILE,
};

typedef uint32_t parts;

/* One of x and dy. */
typedef struct side {
    const float *from;
    int channels, h, w;
} side;

typedef struct plan {
    zf_tiles_weights job;
    side flat, turned;
    bool x_is_flat;
    int lead_h, lead_w; /* the turned side's pixel of the first tap is this much before */
    int strips;         /* of 32 pixels in a row of the flat side */
    int band;           /* rows */
    int blocks;         /* of 16 pixels of the turned side that are converted of a row */
    int pixels;         /* room for a row of it */
    int rows;           /* of its image, with what the taps add */
    int slots;          /* rows of the turned side that are kept */
    parts *flats;       /* [2 band][strips][2 parts] */
    parts *turns;       /* [slots][strips][2 parts] */
    parts *line;        /* pixels of a row of the turned side */
    float *sums;        /* [9] tiles of flat by turned channels */
    int flat_row, flat_strip, flat_image; /* what is brought next */
    int turned_row, turned_block, turned_image;
} plan;

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* --- sizes ------------------------------------------------------------------------- */

static plan plan_of(const zf_tiles_weights *job)
{
    side x = {job->x, job->c, job->h, job->w}, dy = {job->dy, job->o, job->oh, job->ow};
    plan p = {.job = *job, .x_is_flat = job->c <= job->o};
    p.flat = p.x_is_flat ? x : dy;
    p.turned = p.x_is_flat ? dy : x;
    p.lead_h = p.x_is_flat ? 2 - job->padding_h : job->padding_h;
    p.lead_w = p.x_is_flat ? 2 - job->padding_w : job->padding_w;
    p.strips = (p.flat.w + WIDE - 1) / WIDE;
    p.band = p.strips == 1 ? 4 : p.strips == 2 ? 2 : 1;
    p.pixels = WIDE * p.strips + 2 + TILE; /* a last block may reach beyond what is used */
    p.blocks = (smaller(p.turned.w, WIDE * p.strips + 2 - p.lead_w) + TILE - 1) / TILE;
    p.rows = p.flat.h + 2;
    p.slots = 2 * p.band + 4; /* this band and the next, each with what the taps add */
    return p;
}

static size_t place_all(plan *p, unsigned char *memory)
{
    size_t flats = (size_t)(2 * p->band * p->strips) * 2 * FLAT * sizeof(parts);
    size_t turns = (size_t)(p->slots * p->strips) * 2 * TURNED * sizeof(parts);
    size_t line = (size_t)p->pixels * TILE_LINE, sums = 9 * SUM * sizeof(float);
    if (memory) {
        p->flats = (parts *)(void *)memory;
        p->turns = (parts *)(void *)(memory + flats);
        p->line = (parts *)(void *)(memory + flats + turns);
        p->sums = (float *)(void *)(memory + flats + turns + line);
        memset(memory, 0, flats + turns + line + sums);
    }
    return flats + turns + line + sums;
}

static size_t scratch_bytes(const zf_tiles_weights *job)
{
    plan p = plan_of(job);
    return place_all(&p, NULL);
}

/* --- input --------------------------------------------------------------------------- */

static const float *row_of(const side *s, int image, int row)
{
    return s->from + ((size_t)image * (size_t)(s->channels * s->h) + (size_t)row) * (size_t)s->w;
}

static parts *flat_strip(const plan *p, int row, int strip)
{
    int slot = row % (2 * p->band);
    return p->flats + (size_t)(slot * p->strips + strip) * 2 * FLAT;
}

static parts *turned_strip(const plan *p, int row, int strip)
{
    int slot = row % p->slots;
    return p->turns + (size_t)(slot * p->strips + strip) * 2 * TURNED;
}

/* The next 32 pixels of the flat side. */
static void bring_flat(plan *p)
{
    const side *s = &p->flat;
    const float *row = row_of(s, p->flat_image, p->flat_row);
    int first = p->flat_strip * WIDE, bands = (s->h + p->band - 1) / p->band;
    parts *to = flat_strip(p, p->flat_image * bands * p->band + p->flat_row, p->flat_strip);
    size_t plane = (size_t)(s->h * s->w);
    __mmask16 lanes = lanes_between(0, s->w - first);
    __mmask16 more = lanes_between(0, s->w - first - TILE);
    _Pragma("GCC unroll 4") for (int c = 0; c < s->channels; c++, row += plane, to += TILE)
    {
        __m512i a = two_parts(_mm512_maskz_loadu_ps(lanes, row + first));
        __m512i b = two_parts(_mm512_maskz_loadu_ps(more, row + first + TILE));
        _mm512_store_si512(to, both_below(a, b));
        _mm512_store_si512(to + FLAT, both_above(a, b));
    }
    if (++p->flat_strip < p->strips) return;
    p->flat_strip = 0;
    if (++p->flat_row < s->h) return;
    p->flat_row = 0, p->flat_image++;
}

/* A row of pixels becomes pairs. */
static void pair_pixels(const plan *p, int row)
{
    for (int strip = 0; strip < p->strips; strip++) {
        const parts *from = p->line + (size_t)(strip * WIDE) * TILE;
        parts *to = turned_strip(p, row, strip);
        for (int i = 0; i < SHIFTED; i++, from += TILE, to += TILE) {
            __m512i a = _mm512_load_si512(from), b = _mm512_load_si512(from + TILE * TILE);
            _mm512_store_si512(to, both_below(a, b));
            _mm512_store_si512(to + TURNED, both_above(a, b));
        }
    }
}

/* 16 pixels of a row, from column `first` on. */
V_INLINE void turn(const side *s, const float *row, int first, const int channels, parts *to)
{
    size_t plane = (size_t)(s->h * s->w);
    __mmask16 lanes = lanes_between(0, s->w - first);
    __m512i v[TILE];
    UNROLL_TILE for (int c = 0; c < TILE; c++) v[c] =
        c < channels ? two_parts(_mm512_maskz_loadu_ps(lanes, row + (size_t)c * plane + first))
                     : _mm512_setzero_si512();
    transpose_tile(v);
    UNROLL_TILE for (int i = 0; i < TILE; i++) _mm512_store_si512(to + i * TILE, v[i]);
}

/* The next 16 pixels of the turned side; the last of a row turn it into pairs. */
static void bring_turned(plan *p)
{
    const side *s = &p->turned;
    int row = p->turned_row - p->lead_h, first = p->turned_block * TILE;
    int number = p->turned_image * p->rows + p->turned_row;
    parts *to = p->line + (size_t)(p->lead_w + first) * TILE;
    bool there = row >= 0 && row < s->h;
    if (there) {
        const float *from = row_of(s, p->turned_image, row);
        if (s->channels == TILE)
            turn(s, from, first, TILE, to);
        else
            turn(s, from, first, s->channels, to);
    }
    if (++p->turned_block < p->blocks) return;
    p->turned_block = 0;
    if (there)
        pair_pixels(p, number);
    else
        memset(turned_strip(p, number, 0), 0, (size_t)p->strips * 2 * TURNED * sizeof(parts));
    if (++p->turned_row < p->rows) return;
    p->turned_row = 0, p->turned_image++;
}

/* --- sums ------------------------------------------------------------------------------ */

/* A band of rows of an image. */
typedef struct band {
    int image, first, rows;
} band;

static band next_band(const plan *p, band at)
{
    at.first += at.rows;
    if (at.first >= p->flat.h) at.first = 0, at.image++;
    at.rows = smaller(p->band, p->flat.h - at.first);
    return at;
}

/* What must be brought before a band can be summed up. */
static int flats_before(const plan *p, band at)
{
    int rows = (at.image - p->flat_image) * p->flat.h + at.first + at.rows - p->flat_row;
    return rows * p->strips - p->flat_strip;
}

static int turned_before(const plan *p, band at)
{
    int rows = (at.image - p->turned_image) * p->rows + at.first + at.rows + 2 - p->turned_row;
    return rows * p->blocks - p->turned_block;
}

/* One strip, three taps of a row. Sums are tiles 0 to 2 or 3 to 5, the flat side is 6,
   the turned one 7. */
#define MULTIPLY_STRIP(flat, turned, a, b, c)                                                      \
    do {                                                                                           \
        TILE_LOAD(6, flat, TILE_LINE);                                                             \
        TILE_LOAD(7, turned, TILE_LINE);                                                           \
        TILE_MULTIPLY(a, 6, 7);                                                                    \
        TILE_LOAD(7, (turned) + TILE, TILE_LINE);                                                  \
        TILE_MULTIPLY(b, 6, 7);                                                                    \
        TILE_LOAD(7, (turned) + 2 * TILE, TILE_LINE);                                              \
        TILE_MULTIPLY(c, 6, 7);                                                                    \
        TILE_LOAD(7, (turned) + TURNED, TILE_LINE);                                                \
        TILE_MULTIPLY(a, 6, 7);                                                                    \
        TILE_LOAD(7, (turned) + TURNED + TILE, TILE_LINE);                                         \
        TILE_MULTIPLY(b, 6, 7);                                                                    \
        TILE_LOAD(7, (turned) + TURNED + 2 * TILE, TILE_LINE);                                     \
        TILE_MULTIPLY(c, 6, 7);                                                                    \
        TILE_LOAD(6, (flat) + FLAT, TILE_LINE);                                                    \
        TILE_LOAD(7, turned, TILE_LINE);                                                           \
        TILE_MULTIPLY(a, 6, 7);                                                                    \
        TILE_LOAD(7, (turned) + TILE, TILE_LINE);                                                  \
        TILE_MULTIPLY(b, 6, 7);                                                                    \
        TILE_LOAD(7, (turned) + 2 * TILE, TILE_LINE);                                              \
        TILE_MULTIPLY(c, 6, 7);                                                                    \
    } while (0)

#define SUMS(what, sums, a, b, c)                                                                  \
    do {                                                                                           \
        what(a, sums, TILE_LINE);                                                                  \
        what(b, (sums) + SUM, TILE_LINE);                                                          \
        what(c, (sums) + 2 * SUM, TILE_LINE);                                                      \
    } while (0)

typedef struct chores {
    int flats, turned; /* left to bring */
    int share;         /* to do after each strip */
} chores;

static void do_some(plan *p, chores *c)
{
    for (int i = 0; i < c->share; i++)
        if (c->turned > 0) {
            bring_turned(p);
            c->turned--;
        } else if (c->flats > 0) {
            bring_flat(p);
            c->flats--;
        }
}

static void sum_band(plan *p, band at, chores *c)
{
    int bands = (p->flat.h + p->band - 1) / p->band;
    for (int ky = 0; ky < 3; ky++) {
        float *sums = p->sums + (size_t)(3 * ky) * SUM;
        if (ky == 1)
            SUMS(TILE_LOAD, sums, 3, 4, 5);
        else
            SUMS(TILE_LOAD, sums, 0, 1, 2);
        for (int row = at.first; row < at.first + at.rows; row++)
            for (int strip = 0; strip < p->strips; strip++) {
                const parts *flat = flat_strip(p, at.image * bands * p->band + row, strip);
                const parts *turned = turned_strip(p, at.image * p->rows + row + ky, strip);
                if (ky == 1)
                    MULTIPLY_STRIP(flat, turned, 3, 4, 5);
                else
                    MULTIPLY_STRIP(flat, turned, 0, 1, 2);
                do_some(p, c);
            }
        if (ky == 1)
            SUMS(TILE_STORE, sums, 3, 4, 5);
        else
            SUMS(TILE_STORE, sums, 0, 1, 2);
    }
}

/* The sums go to dw, where they belong to other taps if dy was turned. */
static void finish(const plan *p)
{
    const zf_tiles_weights *job = &p->job;
    float *dw = job->dw;
    for (int o = 0; o < job->o; o++)
        for (int c = 0; c < job->c; c++)
            for (int tap = 0; tap < 9; tap++, dw++) {
                int flat = p->x_is_flat ? c : o, turned = p->x_is_flat ? o : c;
                float sum = p->sums[(p->x_is_flat ? 8 - tap : tap) * SUM + flat * TILE + turned];
                *dw = sum + (job->accumulate ? *dw : 0.0f);
            }
}

static void weigh(const zf_tiles_weights *job, void *scratch)
{
    plan p = plan_of(job);
    place_all(&p, scratch);
    band at = next_band(&p, (band){.image = -1, .first = p.flat.h});
    for (int i = job->n > 0 ? turned_before(&p, at) : 0; i > 0; i--) bring_turned(&p);
    for (int i = job->n > 0 ? flats_before(&p, at) : 0; i > 0; i--) bring_flat(&p);
    uint8_t rows = (uint8_t)p.flat.channels;
    tiles_begin((const uint8_t[8]){rows, rows, rows, rows, rows, rows, rows, TILE});
    while (at.image < job->n) {
        band later = next_band(&p, at);
        bool more = later.image < job->n;
        chores c = {.flats = more ? flats_before(&p, later) : 0,
                    .turned = more ? turned_before(&p, later) : 0};
        int turns = 3 * at.rows * p.strips;
        c.share = (c.flats + c.turned + turns - 1) / turns;
        sum_band(&p, at, &c);
        at = later;
    }
    tiles_end();
    finish(&p);
}

const zf_tiles_weights_kernels zf_tiles_weights_amx = {.scratch = scratch_bytes, .run = weigh};

#else

typedef int zf_no_tiles; /* a file must hold something */

#endif
