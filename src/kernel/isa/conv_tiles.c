/* Values of 3x3 convolutions on AMX tiles (conv_tiles.h).

   Four units of 16 pixels of a row of the output are worked on at once. For each tap
   their tiles of input pixels are multiplied by two tiles of weights. Meanwhile,
   between the taps, the vector units bring the rows that the next four need from
   planes of floats into pixels of parts, and the results of the last four from
   pixels into planes: the tiles' unit takes 133 cycles a tap, and waits for no one.

   Of 10 channels or fewer a pixel holds the first part twice: with the second for the
   first part of the weights, and once more for the second part of the weights. So
   one product a tap does what takes two of 16 channels; only that of both second
   parts, 2^-16 of the whole, is missing.

   Rows go into a ring. Each image brings its zeros above and below it, so the work
   runs on from one image into the next.

   Tried and dropped: tiles of 16 outputs by 16 pixels as they lie in planes, which need no
   turning round, but either straddle cache lines for two taps of three (six times
   as slow) or must be shifted and added afterwards; and, for 5 channels or fewer, the
   taps of a row side by side in one pixel, a third of the products, since turning
   pixels round is then what takes the time. */
#include "kernel/conv_tiles.h"

#include "kernel/isa/tiles.h"

#if defined(__AVX512F__)

enum {
    TAPS = 9,
    UNITS = 4,
    FEW = 10,               /* channels of which a pixel holds three parts */
    PAIR = 2 * TILE * TILE, /* of tiles of weights, elements */
};

typedef uint32_t parts;

typedef struct place {
    int image, row, block;
} place;

typedef struct plan {
    zf_tiles_values job;
    bool few;
    int blocks;    /* of 16 pixels in a row of the output */
    int in_blocks; /* that are converted of a row of the input */
    int pixels;    /* of a row of the ring */
    int slots;     /* rows of the ring, a power of 2 */
    int rows;      /* of an image, with its padding */
    parts *weights, *ring;
    float *sums; /* of the units, tiles */
    const float *zeros;
    place reading; /* what is converted next */
    float bias[TILE];
} plan;

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* --- sizes ------------------------------------------------------------------------- */

static int slots_for(int blocks)
{
    int step = blocks % 4 == 0 ? 4 : blocks % 2 == 0 ? 2 : 1;
    int rows = (blocks - step + 2 * UNITS - 1) / blocks; /* from a unit to that seven later */
    int slots = 8;
    while (slots < rows + 5) slots *= 2; /* two of padding between images, two below */
    return slots;
}

static plan plan_of(const zf_tiles_values *job)
{
    plan p = {.job = *job, .few = job->c <= FEW};
    p.blocks = (job->ow + TILE - 1) / TILE;
    p.in_blocks = (job->w + TILE - 1) / TILE;
    p.pixels = larger(TILE * p.blocks + 2, job->padding_w + TILE * p.in_blocks);
    p.slots = slots_for(p.blocks);
    p.rows = job->oh + 2;
    for (int o = 0; o < job->o && job->bias; o++) p.bias[o] = job->bias[o];
    return p;
}

static size_t place_all(plan *p, unsigned char *memory)
{
    size_t weights = TAPS * PAIR * sizeof(parts);
    size_t ring = (size_t)p->slots * (size_t)p->pixels * TILE_LINE;
    size_t sums = (UNITS + 1) * TILE * TILE * sizeof(float);
    if (memory) {
        p->weights = (parts *)(void *)memory;
        p->ring = (parts *)(void *)(memory + weights);
        p->sums = (float *)(void *)(memory + weights + ring);
        p->zeros = p->sums + (size_t)UNITS * TILE * TILE;
        memset(memory + weights, 0, ring + sums);
    }
    return weights + ring + sums;
}

static size_t scratch_bytes(const zf_tiles_values *job)
{
    plan p = plan_of(job);
    return place_all(&p, NULL);
}

/* --- weights ------------------------------------------------------------------------- */

/* The 16 outputs' weights for each of 16 inputs. */
static void read_weights(const zf_tiles_values *job, int tap, __m512i v[TILE])
{
    size_t to_o = job->turned ? TAPS : (size_t)job->c * TAPS;
    size_t to_c = job->turned ? (size_t)job->o * TAPS : TAPS;
    const float *from = job->weights + (job->turned ? TAPS - 1 - tap : tap);
    for (int c = 0; c < TILE; c++) {
        float line[TILE] = {0};
        for (int o = 0; c < job->c && o < job->o; o++)
            line[o] = from[(size_t)o * to_o + (size_t)c * to_c];
        v[c] = two_parts(_mm512_loadu_ps(line));
    }
}

/* Tiles [tap][part][16 inputs][16 outputs], each part twice: for both parts of x. Of few
   channels one tile a tap, the second parts in pairs behind the first. */
static void pack_weights(const plan *p)
{
    parts *to = p->weights;
    for (int tap = 0; tap < TAPS; tap++, to += PAIR) {
        __m512i v[TILE];
        read_weights(&p->job, tap, v);
        for (int c = 0; c < TILE; c++) {
            _mm512_store_si512(to + c * TILE, both_below(v[c], v[c]));
            _mm512_store_si512(to + (TILE + c) * TILE, both_above(v[c], v[c]));
        }
        for (int i = 0; i < FEW / 2 && p->few; i++)
            _mm512_store_si512(to + (FEW + i) * TILE, both_above(v[2 * i], v[2 * i + 1]));
    }
}

/* --- input --------------------------------------------------------------------------- */

static parts *ring_row(const plan *p, int row)
{
    return p->ring + (size_t)(row & (p->slots - 1)) * (size_t)p->pixels * TILE;
}

/* Where `reading` is, counted in rows of all images. */
static int row_read(const plan *p)
{
    return p->reading.image * p->rows + p->reading.row;
}

/* 16 pixels from column `first` on. */
V_INLINE void read_pixels(const plan *p, const float *row, int first, const int channels,
                          __m512i v[TILE])
{
    size_t plane = (size_t)(p->job.h * p->job.w);
    __mmask16 lanes = lanes_between(0, p->job.w - first);
    UNROLL_TILE for (int c = 0; c < TILE; c++) v[c] =
        c < channels ? two_parts(_mm512_maskz_loadu_ps(lanes, row + (size_t)c * plane + first))
                     : _mm512_setzero_si512();
}

static void move_on(plan *p)
{
    place *at = &p->reading;
    if (++at->block < p->in_blocks) return;
    at->block = 0;
    if (++at->row < p->rows) return;
    at->row = 0, at->image++;
}

/* Converts the next block, and moves on. */
static void convert(plan *p)
{
    const zf_tiles_values *job = &p->job;
    const place *at = &p->reading;
    int row = at->row - job->padding_h, first = at->block * TILE;
    size_t pixel = (size_t)(first + job->padding_w);
    parts *to = ring_row(p, row_read(p)) + pixel * TILE;
    const float *from = job->x + ((size_t)at->image * (size_t)(job->c * job->h)) * (size_t)job->w;
    __m512i v[TILE];
    move_on(p);
    if (row < 0 || row >= job->h) {
        memset(to, 0, (size_t)TILE * TILE_LINE);
        return;
    }
    from += (size_t)row * (size_t)job->w;
    if (job->c == TILE)
        read_pixels(p, from, first, TILE, v);
    else if (job->c == FEW)
        read_pixels(p, from, first, FEW, v);
    else
        read_pixels(p, from, first, job->c, v);
    if (p->few)
        UNROLL_TILE for (int i = 0; i < FEW / 2; i++) v[FEW + i] =
            both_below(v[2 * i], v[2 * i + 1]);
    transpose_tile(v);
    UNROLL_TILE for (int i = 0; i < TILE; i++) _mm512_store_si512(to + i * TILE, v[i]);
}

/* --- output -------------------------------------------------------------------------- */

/* The sums of a unit to their planes. */
V_INLINE void settle_some(const plan *p, place at, const float *sums, const int outputs,
                          const bool accumulate)
{
    const zf_tiles_values *job = &p->job;
    size_t plane = (size_t)(job->oh * job->ow);
    float *to = job->y + (size_t)at.image * (size_t)job->o * plane +
                (size_t)at.row * (size_t)job->ow + (size_t)(at.block * TILE);
    __mmask16 lanes = lanes_between(0, job->ow - at.block * TILE);
    __m512i v[TILE];
    UNROLL_TILE for (int i = 0; i < TILE; i++) v[i] = _mm512_load_si512(sums + i * TILE);
    transpose_tile(v);
    UNROLL_TILE for (int o = 0; o < TILE; o++)
    {
        if (o >= outputs) break;
        float *line = to + (size_t)o * plane;
        __m512 result = _mm512_castsi512_ps(v[o]) + _mm512_set1_ps(p->bias[o]);
        if (accumulate) result += _mm512_maskz_loadu_ps(lanes, line);
        _mm512_mask_storeu_ps(line, lanes, result);
    }
}

static void settle(const plan *p, place at, const float *sums)
{
    if (p->job.o == TILE && !p->job.accumulate)
        settle_some(p, at, sums, TILE, false);
    else
        settle_some(p, at, sums, p->job.o, p->job.accumulate);
}

/* --- units --------------------------------------------------------------------------- */

static place next_place(const plan *p, place at)
{
    if (++at.block < p->blocks) return at;
    at.block = 0;
    if (++at.row < p->job.oh) return at;
    at.row = 0, at.image++;
    return at;
}

/* One tap of four units. Sums are tiles 0 to 3, pixels 4 and 5, weights 6 and 7. */
static inline void multiply_tap(const parts *const pixels[UNITS], const parts *weights)
{
    TILE_LOAD(6, weights, TILE_LINE);
    TILE_LOAD(7, weights + PAIR / 2, TILE_LINE);
    TILE_LOAD(4, pixels[0], TILE_LINE);
    TILE_MULTIPLY(0, 4, 6);
    TILE_LOAD(5, pixels[1], TILE_LINE);
    TILE_MULTIPLY(1, 5, 6);
    TILE_MULTIPLY(0, 4, 7);
    TILE_LOAD(4, pixels[2], TILE_LINE);
    TILE_MULTIPLY(2, 4, 6);
    TILE_MULTIPLY(1, 5, 7);
    TILE_LOAD(5, pixels[3], TILE_LINE);
    TILE_MULTIPLY(3, 5, 6);
    TILE_MULTIPLY(2, 4, 7);
    TILE_MULTIPLY(3, 5, 7);
}

/* The same of few channels. */
static inline void multiply_few(const parts *const pixels[UNITS], const parts *weights)
{
    TILE_LOAD(6, weights, TILE_LINE);
    TILE_LOAD(4, pixels[0], TILE_LINE);
    TILE_MULTIPLY(0, 4, 6);
    TILE_LOAD(5, pixels[1], TILE_LINE);
    TILE_MULTIPLY(1, 5, 6);
    TILE_LOAD(4, pixels[2], TILE_LINE);
    TILE_MULTIPLY(2, 4, 6);
    TILE_LOAD(5, pixels[3], TILE_LINE);
    TILE_MULTIPLY(3, 5, 6);
}

/* What the vector units do meanwhile: results of the last units, blocks of the next. */
typedef struct chores {
    const place *settling;
    const float *sums;
    int settle, convert; /* left */
    int share;           /* to do after each tap */
} chores;

static void do_some(plan *p, chores *c)
{
    for (int i = 0; i < c->share; i++)
        if (c->settle > 0) {
            settle(p, *c->settling++, c->sums);
            c->sums += TILE * TILE, c->settle--;
        } else if (c->convert > 0) {
            convert(p);
            c->convert--;
        }
}

/* The chores are done when the sums of these units take the place of the last. */
static void multiply_units(plan *p, const place units[UNITS], chores *c)
{
    float *sums = p->sums;
    TILE_LOAD(0, p->zeros, TILE_LINE);
    TILE_LOAD(1, p->zeros, TILE_LINE);
    TILE_LOAD(2, p->zeros, TILE_LINE);
    TILE_LOAD(3, p->zeros, TILE_LINE);
    const parts *weights = p->weights;
    for (int ky = 0; ky < 3; ky++) {
        const parts *pixels[UNITS];
        for (int u = 0; u < UNITS; u++)
            pixels[u] = ring_row(p, units[u].image * p->rows + units[u].row + ky) +
                        (size_t)units[u].block * TILE * TILE;
        for (int kx = 0; kx < 3; kx++, weights += PAIR) {
            if (p->few)
                multiply_few(pixels, weights);
            else
                multiply_tap(pixels, weights);
            for (int u = 0; u < UNITS; u++) pixels[u] += TILE;
            do_some(p, c);
        }
    }
    TILE_STORE(0, sums, TILE_LINE);
    TILE_STORE(1, sums + TILE * TILE, TILE_LINE);
    TILE_STORE(2, sums + 2 * TILE * TILE, TILE_LINE);
    TILE_STORE(3, sums + 3 * TILE * TILE, TILE_LINE);
}

/* The blocks that are still to be read before these units can be worked on. */
static int blocks_before(const plan *p, const place *last)
{
    int rows = last->image * p->rows + last->row + 3 - row_read(p);
    return larger(0, rows * p->in_blocks - p->reading.block);
}

/* The next units, the last one again and again where there are no more; returns how
   many there are. */
static int take_units(const plan *p, place units[UNITS], place *next, int *left)
{
    int n = smaller(UNITS, *left);
    for (int u = 0; u < UNITS; u++)
        if (u < n)
            units[u] = *next, *next = next_place(p, *next);
        else
            units[u] = units[u - 1];
    *left -= n;
    return n;
}

static void correlate(const zf_tiles_values *job, void *scratch)
{
    plan p = plan_of(job);
    place_all(&p, scratch);
    pack_weights(&p);
    if (job->n < 1) return;
    place units[3][UNITS], next = {0};
    int left = job->n * job->oh * p.blocks, ready = 0, before = 0;
    ready = take_units(&p, units[0], &next, &left);
    for (int blocks = blocks_before(&p, &units[0][UNITS - 1]); blocks > 0; blocks--) convert(&p);
    tiles_begin((const uint8_t[8]){16, 16, 16, 16, 16, 16, 16, 16});
    for (int i = 0; ready > 0; i++) {
        place *now = units[i % 3], *later = units[(i + 1) % 3], *earlier = units[(i + 2) % 3];
        int coming = left > 0 ? take_units(&p, later, &next, &left) : 0;
        chores c = {.settling = earlier,
                    .sums = p.sums,
                    .settle = before,
                    .convert = coming ? blocks_before(&p, &later[UNITS - 1]) : 0};
        c.share = (c.settle + c.convert + TAPS - 1) / TAPS;
        multiply_units(&p, now, &c);
        before = ready, ready = coming;
        if (ready == 0)
            for (int u = 0; u < before; u++) settle(&p, now[u], p.sums + (size_t)u * TILE * TILE);
    }
    tiles_end();
}

const zf_tiles_values_kernels zf_tiles_values_amx = {.scratch = scratch_bytes, .run = correlate};

#else

typedef int zf_no_tiles; /* a file must hold something */

#endif
