/* Transposed convolutions that double images, on AMX tiles (conv_doubling.h).

   A field of tiles has for each pixel, with a border of zeros, and each block of 16 channels
   a tile: a row an image, a column a channel, each number in two parts. The channels of
   z are [phase][outputs], with room for 4, 8 or a multiple of 16 outputs; a block of them
   has those taps that one of its phases has: 4 of 16 outputs and more, 9 of up to 4.

   Forward and backward data multiply the tiles of four pixels by two tiles of weights, one for
   each part, whose lines hold that part twice: so both parts of a pixel meet it, and the
   products are four, not three. For the gradient of the weights images are what is summed
   over: x has a row a channel and a column an image, and dz takes the weights' place. */
#include "kernel/conv_doubling.h"

#include "kernel/isa/tiles.h"
#include "kernel/pieces.h"

#if defined(__AVX512F__)

enum {
    GROUP = TILE,       /* images */
    AREA = TILE * TILE, /* elements of a tile */
    PAIR = 2 * AREA,    /* of two tiles, one for each part */
    UNITS = 4,          /* tiles of sums at a time */
    FEW = 4,            /* outputs of which all phases are in one block */
    PHASES = 4,
    TAPS = 16,
    MOST_SHIFTS = 9,
    MOST_BLOCKS = PHASES * 256 / TILE,
    MOST_TERMS = 256,
};

typedef uint32_t parts;

/* Which neighbours of a pixel of x a block of z's channels needs, rows outermost. */
typedef struct shifts {
    int n, first; /* first: of all blocks' shifts */
    int dy[MOST_SHIFTS], dx[MOST_SHIFTS];
    int at[3][3]; /* by dy + 1, dx + 1; -1: none */
} shifts;

typedef struct plan {
    zf_doubling d;
    int slot;               /* room for outputs of a phase */
    int x_blocks, z_blocks; /* of 16 channels */
    int pitch, places;      /* pixels of a row of a field with its border, and of all */
    int all_shifts;
    shifts shifts[MOST_BLOCKS];
    /* scratch */
    parts *x, *z;         /* fields; x's tiles are turned where weights are wanted */
    float *sums;          /* a field of the result's */
    parts *pairs;         /* both parts of one block of z, [pixel][PAIR] */
    float *weights;       /* sums of dw: [shift][block of x][AREA] */
    int32_t *x_at, *z_at; /* where pixels of x and of y are in their fields */
    const parts *zeros;   /* a tile */
} plan;

static int blocks_of(int channels)
{
    return (channels + TILE - 1) / TILE;
}

/* The tap of phase 0 or 1 that reads the neighbour `shift`, along one side; may be none. */
static int tap_of(int phase, int shift)
{
    int tap = phase + 1 - 2 * shift;
    return tap >= 0 && tap < 4 ? tap : -1;
}

/* --- sizes ---------------------------------------------------------------------------- */

static bool block_reads(const plan *p, int block, int dy, int dx)
{
    for (int phase = 0; phase < PHASES; phase++) {
        int first = phase * p->slot, last = first + p->slot - 1;
        if (first / TILE <= block && block <= last / TILE && tap_of(phase / 2, dy) >= 0 &&
            tap_of(phase % 2, dx) >= 0)
            return true;
    }
    return false;
}

static void find_shifts(plan *p, int block)
{
    shifts *s = &p->shifts[block];
    *s = (shifts){.first = p->all_shifts};
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            bool reads = block_reads(p, block, dy, dx);
            s->at[dy + 1][dx + 1] = reads ? s->n : -1;
            if (!reads) continue;
            s->dy[s->n] = dy;
            s->dx[s->n++] = dx;
        }
    p->all_shifts += s->n;
}

static void plan_for(plan *p, const zf_doubling *d)
{
    *p = (plan){.d = *d};
    p->slot = d->o <= FEW ? FEW : d->o <= TILE / 2 ? TILE / 2 : blocks_of(d->o) * TILE;
    p->x_blocks = blocks_of(d->c);
    p->z_blocks = blocks_of(PHASES * p->slot);
    p->pitch = d->w + 1; /* a row's right border is the next one's left */
    p->places = (d->h + 2) * p->pitch + 1;
    for (int b = 0; b < p->z_blocks; b++) find_shifts(p, b);
}

static size_t place_all(plan *p, unsigned char *memory)
{
    size_t used = 0, places = (size_t)p->places, pixels = (size_t)(p->d.h * p->d.w);
    size_t x = places * (size_t)p->x_blocks * AREA, z = places * (size_t)p->z_blocks * AREA;
    p->x = zf_take_piece(memory, &used, x * sizeof(parts));
    p->z = zf_take_piece(memory, &used, z * sizeof(parts));
    /* what is read of a row from the middle of it reaches beyond */
    p->sums = zf_take_piece(memory, &used, ((x > z ? x : z) + TILE) * sizeof(float));
    p->pairs = zf_take_piece(memory, &used, pixels * PAIR * sizeof(parts));
    p->weights =
        zf_take_piece(memory, &used, (size_t)(p->all_shifts * p->x_blocks) * AREA * sizeof(float));
    p->x_at = zf_take_piece(memory, &used, (pixels + TILE) * sizeof(int32_t));
    p->z_at = zf_take_piece(memory, &used, (PHASES * pixels + TILE) * sizeof(int32_t));
    void *zeros = zf_take_piece(memory, &used, AREA * sizeof(parts));
    if (memory) memset(zeros, 0, AREA * sizeof(parts));
    p->zeros = zeros;
    return used;
}

static size_t scratch_bytes(const zf_doubling *d)
{
    plan p;
    plan_for(&p, d);
    return place_all(&p, NULL);
}

/* --- fields ----------------------------------------------------------------------------- */

static int place_of(const plan *p, int y, int x)
{
    return (y + 1) * p->pitch + x + 1;
}

static int channel_of(const plan *p, int phase)
{
    return phase * p->slot;
}

/* Elements before the tile of that channel, and before the channel in a row of it. */
static int element_of(int channel)
{
    return channel / TILE * AREA + channel % TILE;
}

/* Vectors of pixels may reach beyond the last: into the border, with zeros. */
static void list_places(const plan *p)
{
    int h = p->d.h, w = p->d.w;
    memset(p->x_at + h * w, 0, TILE * sizeof *p->x_at);
    memset(p->z_at + PHASES * h * w, 0, TILE * sizeof *p->z_at);
    for (int i = 0; i < h * w; i++) p->x_at[i] = place_of(p, i / w, i % w) * p->x_blocks * AREA;
    for (int y = 0, i = 0; y < 2 * h; y++)
        for (int x = 0; x < 2 * w; x++, i++)
            p->z_at[i] = place_of(p, y / 2, x / 2) * p->z_blocks * AREA +
                         element_of(channel_of(p, y % 2 * 2 + x % 2));
}

/* The border, or all of a field where images are missing. */
static void clear_field(const plan *p, parts *field, int blocks, bool whole)
{
    size_t tile = (size_t)blocks * AREA, pitch = (size_t)p->pitch;
    if (whole) {
        memset(field, 0, (size_t)p->places * tile * sizeof *field);
        return;
    }
    memset(field, 0, pitch * tile * sizeof *field);
    for (int y = 1; y <= p->d.h; y++)
        memset(field + (size_t)y * pitch * tile, 0, tile * sizeof *field);
    memset(field + (size_t)(p->d.h + 1) * pitch * tile, 0, (pitch + 1) * tile * sizeof *field);
}

/* Lines of planes, `stride` apart, and how many numbers of them are left. */
typedef struct lines {
    const float *from;
    size_t stride;
    int n, left;
} lines;

V_INLINE __m512i read_line(const lines *l, int i)
{
    return i < l->n ? two_parts(_mm512_maskz_loadu_ps(lanes_between(0, l->left),
                                                      l->from + (size_t)i * l->stride))
                    : _mm512_setzero_si512();
}

/* 16 lines become rows of tiles, as wide as there is room: that of number i is at[i]. */
static void bring(parts *to, const int32_t *at, __mmask16 room, lines l)
{
    __m512i v[TILE];
    if (l.n >= TILE)
        UNROLL_TILE for (int i = 0; i < TILE; i++) v[i] = two_parts(
            _mm512_maskz_loadu_ps(lanes_between(0, l.left), l.from + (size_t)i * l.stride));
    else
        for (int i = 0; i < TILE; i++) v[i] = read_line(&l, i);
    transpose_tile(v);
    UNROLL_TILE for (int i = 0; i < TILE; i++)
    {
        if (i >= l.left) break;
        _mm512_mask_storeu_epi32(to + at[i], room, v[i]);
    }
}

/* 16 numbers of each of four lines become four of each number, in quarters of vectors:
   number 4 l + k is in quarter l of v[k]. */
V_INLINE void turn_quarters(__m512i v[FEW])
{
    __m512i a = _mm512_unpacklo_epi32(v[0], v[1]), b = _mm512_unpackhi_epi32(v[0], v[1]);
    __m512i c = _mm512_unpacklo_epi32(v[2], v[3]), d = _mm512_unpackhi_epi32(v[2], v[3]);
    v[0] = _mm512_unpacklo_epi64(a, c);
    v[1] = _mm512_unpackhi_epi64(a, c);
    v[2] = _mm512_unpacklo_epi64(b, d);
    v[3] = _mm512_unpackhi_epi64(b, d);
}

#define PUT_QUARTER(l, k)                                                                          \
    _mm_storeu_si128((__m128i *)(void *)(to + at[4 * (l) + (k)]),                                  \
                     _mm512_extracti32x4_epi32(v[k], l))

/* The same of up to four lines. */
static void bring_few(parts *to, const int32_t *at, lines l)
{
    __m512i v[FEW];
    for (int i = 0; i < FEW; i++) v[i] = read_line(&l, i);
    turn_quarters(v);
    UNROLL_TILE for (int k = 0; k < FEW; k++)
    {
        PUT_QUARTER(0, k);
        PUT_QUARTER(1, k);
        PUT_QUARTER(2, k);
        PUT_QUARTER(3, k);
    }
}

/* x as [image][channel] in each tile. */
static void bring_x(const plan *p, const float *x, int images)
{
    int pixels = p->d.h * p->d.w;
    clear_field(p, p->x, p->x_blocks, images < GROUP);
    for (int n = 0; n < images; n++)
        for (int c = 0; c < p->d.c; c += TILE)
            for (int i = 0; i < pixels; i += TILE)
                bring(p->x + c * TILE + n * TILE, p->x_at + i, 0xffff,
                      (lines){x + (size_t)(n * p->d.c + c) * (size_t)pixels + i, (size_t)pixels,
                              p->d.c - c, pixels - i});
}

/* x as [channel][image]. */
static void bring_x_turned(const plan *p, const float *x, int images)
{
    int pixels = p->d.h * p->d.w;
    clear_field(p, p->x, p->x_blocks, p->d.c % TILE != 0);
    for (int c = 0; c < p->d.c; c++)
        for (int i = 0; i < pixels; i += TILE)
            bring(p->x + c * TILE, p->x_at + i, 0xffff,
                  (lines){x + (size_t)c * (size_t)pixels + i, (size_t)(p->d.c * pixels), images,
                          pixels - i});
}

static void bring_z(const plan *p, const float *dy, int images)
{
    int pixels = PHASES * p->d.h * p->d.w;
    __mmask16 room = lanes_between(0, p->slot);
    clear_field(p, p->z, p->z_blocks, images < GROUP);
    for (int n = 0; n < images; n++)
        for (int o = 0; o < p->d.o; o += TILE)
            for (int i = 0; i < pixels; i += TILE) {
                parts *to = p->z + o * TILE + n * TILE;
                lines from = {dy + (size_t)(n * p->d.o + o) * (size_t)pixels + i, (size_t)pixels,
                              p->d.o - o, pixels - i};
                if (p->slot == FEW)
                    bring_few(to, p->z_at + i, from);
                else
                    bring(to, p->z_at + i, room, from);
            }
}

/* --- from fields of sums to planes ----------------------------------------------------- */

typedef struct target {
    float *to;
    size_t stride;
    int n, left; /* lines, and numbers of them */
    const float *bias;
    bool add;
} target;

V_INLINE void put_line(const target *t, int i, __m512i v)
{
    float *to = t->to + (size_t)i * t->stride;
    __mmask16 lanes = lanes_between(0, t->left);
    __m512 result = _mm512_castsi512_ps(v);
    if (t->bias) result += _mm512_set1_ps(t->bias[i]);
    if (t->add) result += _mm512_maskz_loadu_ps(lanes, to);
    _mm512_mask_storeu_ps(to, lanes, result);
}

/* Numbers whose rows of channels are at `at` become up to 16 lines. */
static void settle(const float *from, const int32_t *at, target t)
{
    __m512i v[TILE];
    UNROLL_TILE for (int i = 0; i < TILE; i++) v[i] = _mm512_loadu_si512(from + at[i]);
    transpose_tile(v);
    UNROLL_TILE for (int i = 0; i < TILE; i++)
    {
        if (i >= t.n) break;
        put_line(&t, i, v[i]);
    }
}

#define QUARTER(i) _mm_loadu_si128((const __m128i *)(const void *)(from + at[i]))

static void settle_few(const float *from, const int32_t *at, target t)
{
    __m512i v[FEW];
    UNROLL_TILE for (int k = 0; k < FEW; k++)
    {
        v[k] = _mm512_castsi128_si512(QUARTER(k));
        v[k] = _mm512_inserti32x4(v[k], QUARTER(4 + k), 1);
        v[k] = _mm512_inserti32x4(v[k], QUARTER(8 + k), 2);
        v[k] = _mm512_inserti32x4(v[k], QUARTER(12 + k), 3);
    }
    turn_quarters(v);
    for (int i = 0; i < t.n; i++) put_line(&t, i, v[i]);
}

static void settle_y(const plan *p, const zf_doubling_values *job, float *y, int images)
{
    int pixels = PHASES * p->d.h * p->d.w;
    for (int n = 0; n < images; n++)
        for (int o = 0; o < p->d.o; o += TILE)
            for (int i = 0; i < pixels; i += TILE)
                (p->slot == FEW ? settle_few : settle)(
                    p->sums + o * TILE + n * TILE, p->z_at + i,
                    (target){y + (size_t)(n * p->d.o + o) * (size_t)pixels + i, (size_t)pixels,
                             p->d.o - o, pixels - i, job->bias ? job->bias + o : NULL, false});
}

static void settle_dx(const plan *p, float *dx, int images, bool add)
{
    int pixels = p->d.h * p->d.w;
    for (int n = 0; n < images; n++)
        for (int c = 0; c < p->d.c; c += TILE)
            for (int i = 0; i < pixels; i += TILE)
                settle(p->sums + c * TILE + n * TILE, p->x_at + i,
                       (target){dx + (size_t)(n * p->d.c + c) * (size_t)pixels + i, (size_t)pixels,
                                p->d.c - c, pixels - i, NULL, add});
}

/* --- products --------------------------------------------------------------------------- */

/* A pair of tiles of weights, and where the tile that it meets is, seen from a pixel's. */
typedef struct term {
    ptrdiff_t from;
    int dy; /* rows from the pixel to that tile */
    const parts *weights;
} term;

/* Sums are tiles 0 to 3, of which three or all four are wanted; pixels 4 and 5, weights 6
   and 7. */
V_INLINE void multiply_pair(const parts *const a[UNITS], ptrdiff_t from, const parts *b,
                            const int units)
{
    TILE_LOAD(6, b, TILE_LINE);
    TILE_LOAD(7, b + AREA, TILE_LINE);
    TILE_LOAD(4, a[0] + from, TILE_LINE);
    TILE_MULTIPLY(0, 4, 6);
    TILE_LOAD(5, a[1] + from, TILE_LINE);
    TILE_MULTIPLY(1, 5, 6);
    TILE_MULTIPLY(0, 4, 7);
    TILE_LOAD(4, a[2] + from, TILE_LINE);
    TILE_MULTIPLY(2, 4, 6);
    TILE_MULTIPLY(1, 5, 7);
    if (units == UNITS) {
        TILE_LOAD(5, a[3] + from, TILE_LINE);
        TILE_MULTIPLY(3, 5, 6);
    }
    TILE_MULTIPLY(2, 4, 7);
    if (units == UNITS) TILE_MULTIPLY(3, 5, 7);
}

V_INLINE void load_sums(const void *const from[UNITS])
{
    TILE_LOAD(0, from[0], TILE_LINE);
    TILE_LOAD(1, from[1], TILE_LINE);
    TILE_LOAD(2, from[2], TILE_LINE);
    TILE_LOAD(3, from[3], TILE_LINE);
}

V_INLINE void store_sums(float *const to[UNITS], const int units)
{
    TILE_STORE(0, to[0], TILE_LINE);
    TILE_STORE(1, to[1], TILE_LINE);
    TILE_STORE(2, to[2], TILE_LINE);
    if (units == UNITS) TILE_STORE(3, to[3], TILE_LINE);
}

static bool row_is_there(const plan *p, int y)
{
    return y >= 0 && y < p->d.h;
}

/* All pixels of one block of the result, four columns at a time: what these read of three
   rows stays in the first cache. The last column again where four are too many. */
static void multiply_block(const plan *p, const parts *in, int in_blocks, float *out,
                           int out_blocks, const term *terms, int n)
{
    const void *zeros[UNITS] = {p->zeros, p->zeros, p->zeros, p->zeros};
    for (int x = 0; x < p->d.w; x += UNITS)
        for (int y = 0; y < p->d.h; y++) {
            const parts *a[UNITS];
            float *c[UNITS];
            for (int u = 0; u < UNITS; u++) {
                int place = place_of(p, y, x + u < p->d.w ? x + u : p->d.w - 1);
                a[u] = in + (ptrdiff_t)place * in_blocks * AREA;
                c[u] = out + (ptrdiff_t)place * out_blocks * AREA;
            }
            load_sums(zeros);
            for (int i = 0; i < n; i++)
                if (row_is_there(p, y + terms[i].dy))
                    multiply_pair(a, terms[i].from, terms[i].weights, UNITS);
            store_sums(c, UNITS);
        }
}

static void multiply_forward(const plan *p, const parts *packed)
{
    term terms[MOST_TERMS];
    for (int b = 0; b < p->z_blocks; b++) {
        const shifts *s = &p->shifts[b];
        int n = 0;
        for (int i = 0; i < s->n; i++)
            for (int k = 0; k < p->x_blocks; k++)
                terms[n++] =
                    (term){(ptrdiff_t)((s->dy[i] * p->pitch + s->dx[i]) * p->x_blocks + k) * AREA,
                           s->dy[i], packed + (size_t)((s->first + i) * p->x_blocks + k) * PAIR};
        multiply_block(p, p->x, p->x_blocks, p->sums + b * AREA, p->z_blocks, terms, n);
    }
}

static void multiply_data(const plan *p, const parts *packed)
{
    term terms[MOST_TERMS];
    for (int k = 0; k < p->x_blocks; k++, packed += (size_t)p->all_shifts * PAIR) {
        int n = 0;
        for (int b = 0; b < p->z_blocks; b++) {
            const shifts *s = &p->shifts[b];
            for (int i = 0; i < s->n; i++)
                terms[n++] =
                    (term){(ptrdiff_t)(-(s->dy[i] * p->pitch + s->dx[i]) * p->z_blocks + b) * AREA,
                           -s->dy[i], packed + (size_t)(s->first + i) * PAIR};
        }
        multiply_block(p, p->z, p->z_blocks, p->sums + k * AREA, p->x_blocks, terms, n);
    }
}

/* --- weights -------------------------------------------------------------------------- */

/* The tap ky, kx belongs to one phase and reads one neighbour. */
typedef struct tap {
    int phase, dy, dx;
} tap;

static tap tap_at(int i)
{
    int y = i / 4, x = i % 4, down = (y + 1) % 2, right = (x + 1) % 2;
    return (tap){down * 2 + right, (down + 1 - y) / 2, (right + 1 - x) / 2};
}

/* Which of all shifts that is for the block of channel z. */
static int shift_of(const plan *p, int z, tap t)
{
    const shifts *s = &p->shifts[z / TILE];
    return s->first + s->at[t.dy + 1][t.dx + 1];
}

static void put_pair(parts *to, __mmask16 room, __m512i v)
{
    _mm512_mask_storeu_epi32(to, room, both_below(v, v));
    _mm512_mask_storeu_epi32(to + AREA, room, both_above(v, v));
}

/* For forward, a row a channel of x: [shift][block of x][PAIR]. */
static void pack_forward(const plan *p, const float *w, parts *to)
{
    __mmask16 room = lanes_between(0, p->slot);
    for (int c = 0; c < p->d.c; c++)
        for (int o = 0; o < p->d.o; o += TILE) {
            __m512i v[TILE];
            lines l = {w + (size_t)(c * p->d.o + o) * TAPS, TAPS, p->d.o - o, TAPS};
            for (int i = 0; i < TILE; i++) v[i] = read_line(&l, i);
            transpose_tile(v);
            for (int i = 0; i < TAPS; i++) {
                tap t = tap_at(i);
                int z = channel_of(p, t.phase) + o;
                int tile = shift_of(p, z, t) * p->x_blocks + c / TILE;
                put_pair(to + (size_t)tile * PAIR + c % TILE * TILE + z % TILE, room, v[i]);
            }
        }
}

/* For backward data, a row a channel of z: [block of x][shift][PAIR]. */
static void pack_data(const plan *p, const float *w, parts *to)
{
    for (int o = 0; o < p->d.o; o++)
        for (int c = 0; c < p->d.c; c += TILE) {
            __m512i v[TILE];
            lines l = {w + (size_t)(c * p->d.o + o) * TAPS, (size_t)p->d.o * TAPS, p->d.c - c,
                       TAPS};
            for (int i = 0; i < TILE; i++) v[i] = read_line(&l, i);
            transpose_tile(v);
            for (int i = 0; i < TAPS; i++) {
                tap t = tap_at(i);
                int z = channel_of(p, t.phase) + o;
                int tile = c / TILE * p->all_shifts + shift_of(p, z, t);
                put_pair(to + (size_t)tile * PAIR + z % TILE * TILE, 0xffff, v[i]);
            }
        }
}

static size_t packed_half(const plan *p)
{
    return (size_t)(p->all_shifts * p->x_blocks) * PAIR;
}

static size_t packed_bytes(const zf_doubling *d)
{
    plan p;
    plan_for(&p, d);
    return 2 * packed_half(&p) * sizeof(parts);
}

static void pack(const zf_doubling *d, const float *weights, void *packed)
{
    plan p;
    plan_for(&p, d);
    memset(packed, 0, 2 * packed_half(&p) * sizeof(parts));
    pack_forward(&p, weights, packed);
    pack_data(&p, weights, (parts *)packed + packed_half(&p));
}

/* --- the gradient of the weights ------------------------------------------------------- */

/* A block of z with its parts apart. */
static void split_block(const plan *p, int block)
{
    parts *to = p->pairs;
    for (int i = 0; i < p->d.h * p->d.w; i++, to += PAIR) {
        int place = place_of(p, i / p->d.w, i % p->d.w);
        const parts *from = p->z + ((ptrdiff_t)place * p->z_blocks + block) * AREA;
        UNROLL_TILE for (int n = 0; n < TILE; n++)
        {
            __m512i v = _mm512_load_si512(from + n * TILE);
            _mm512_store_si512(to + n * TILE, both_below(v, v));
            _mm512_store_si512(to + AREA + n * TILE, both_above(v, v));
        }
    }
}

/* Three or four of a block's sums, [shift][block of x] from `first` on; the last again where
   there are fewer. */
V_INLINE void multiply_weights(const plan *p, const shifts *s, int first, const int units)
{
    float *sums[UNITS];
    const void *before[UNITS];
    ptrdiff_t from[UNITS];
    int begin = p->d.h, end = 0, most = s->n * p->x_blocks - 1;
    for (int u = 0; u < UNITS; u++) {
        int i = u < units ? first + u : first;
        if (i > most) i = most;
        int shift = i / p->x_blocks, block = i % p->x_blocks, dy = s->dy[shift];
        int above = dy < 0 ? -dy : 0, below = dy > 0 ? dy : 0;
        before[u] = sums[u] = p->weights + ((size_t)(s->first * p->x_blocks) + (size_t)i) * AREA;
        from[u] = (ptrdiff_t)((dy * p->pitch + s->dx[shift]) * p->x_blocks + block) * AREA;
        if (above < begin) begin = above;
        if (p->d.h - below > end) end = p->d.h - below;
    }
    load_sums(before);
    for (int y = begin; y < end; y++)
        for (int x = 0; x < p->d.w; x++) {
            const parts *base = p->x + (ptrdiff_t)place_of(p, y, x) * p->x_blocks * AREA;
            const parts *a[UNITS] = {base + from[0], base + from[1], base + from[2],
                                     base + from[3]};
            multiply_pair(a, 0, p->pairs + (size_t)(y * p->d.w + x) * PAIR, units);
        }
    store_sums(sums, units);
}

/* What is summed together is of one row of shifts where that can be, of which there are two
   or three: neighbours meet the same tiles, which are in the first cache then. */
static void multiply_block_weights(const plan *p, const shifts *s)
{
    int n = s->n * p->x_blocks;
    bool threes = p->x_blocks == 1 && s->n % 3 == 0;
    for (int i = 0; i < n && threes; i += UNITS - 1) multiply_weights(p, s, i, UNITS - 1);
    for (int i = 0; i < n && !threes; i += UNITS) multiply_weights(p, s, i, UNITS);
}

static void settle_weights(const plan *p, float *dw, bool add)
{
    for (int c = 0; c < p->d.c; c++)
        for (int o = 0; o < p->d.o; o += TILE) {
            int32_t at[TAPS];
            for (int i = 0; i < TAPS; i++) {
                tap t = tap_at(i);
                int z = channel_of(p, t.phase) + o;
                at[i] = (shift_of(p, z, t) * p->x_blocks + c / TILE) * AREA + c % TILE * TILE +
                        z % TILE;
            }
            settle(
                p->weights, at,
                (target){dw + (size_t)(c * p->d.o + o) * TAPS, TAPS, p->d.o - o, TAPS, NULL, add});
        }
}

/* --- the passes ------------------------------------------------------------------------- */

static void begin(void)
{
    tiles_begin((const uint8_t[8]){16, 16, 16, 16, 16, 16, 16, 16});
}

static int group_of(int left)
{
    return left < GROUP ? left : GROUP;
}

static void forward(const zf_doubling *d, const zf_doubling_values *job, void *scratch)
{
    plan p;
    plan_for(&p, d);
    place_all(&p, scratch);
    list_places(&p);
    size_t x = (size_t)(d->c * d->h * d->w), y = (size_t)(PHASES * d->o * d->h * d->w);
    begin();
    for (int i = 0; i < job->n; i += GROUP) {
        int images = group_of(job->n - i);
        bring_x(&p, job->x + (size_t)i * x, images);
        multiply_forward(&p, job->packed);
        settle_y(&p, job, job->y + (size_t)i * y, images);
    }
    tiles_end();
}

static void backward_weights(const plan *p, const float *x, int images)
{
    bring_x_turned(p, x, images);
    for (int b = 0; b < p->z_blocks; b++) {
        split_block(p, b);
        multiply_block_weights(p, &p->shifts[b]);
    }
}

static void backward(const zf_doubling *d, const zf_doubling_gradients *job, void *scratch)
{
    plan p;
    plan_for(&p, d);
    place_all(&p, scratch);
    list_places(&p);
    size_t x = (size_t)(d->c * d->h * d->w), y = (size_t)(PHASES * d->o * d->h * d->w);
    memset(p.weights, 0, (size_t)(p.all_shifts * p.x_blocks) * AREA * sizeof(float));
    begin();
    for (int i = 0; i < job->n; i += GROUP) {
        int images = group_of(job->n - i);
        bring_z(&p, job->dy + (size_t)i * y, images);
        if (job->dx) {
            multiply_data(&p, (const parts *)job->packed + packed_half(&p));
            settle_dx(&p, job->dx + (size_t)i * x, images, job->add_dx);
        }
        if (job->dw) backward_weights(&p, job->x + (size_t)i * x, images);
    }
    tiles_end();
    if (job->dw) settle_weights(&p, job->dw, job->add_dw);
}

const zf_doubling_kernels zf_doubling_amx = {
    .packed_bytes = packed_bytes,
    .pack = pack,
    .scratch = scratch_bytes,
    .forward = forward,
    .backward = backward,
};

#else

typedef int zf_no_tiles; /* a file must hold something */

#endif
