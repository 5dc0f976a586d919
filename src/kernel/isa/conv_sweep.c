/* A 3x3 convolution of an image's lines on AMX tiles (conv_lines.h).

   Four units of 16 pixels of a row are worked on at once: for each tap their tiles of
   lines are multiplied by one tile of weights (few channels) or two. Meanwhile, between
   the taps, the vector units settle the sums of the last four.

   Where the input comes from planes and has 3 channels or fewer, a line holds the pixels
   to the left and to the right as well, and a product does a whole row of the kernel.
   Where the output goes to planes and has 5 channels or fewer, the three taps of a row
   are side by side among the outputs, and the sums of three neighbours are added up
   afterwards. Both need a third of the products.

   Tried and dropped: to make the lines of planes between the taps as well, or row by row
   just before they are needed, which took 1.5 us longer than making all of them first. */
#include "kernel/isa/conv_lines.h"

#if defined(__AVX512F__)

enum {
    TAPS = 9,
    UNITS = 4,
    PAIR = 2 * TILE * TILE, /* of tiles of weights, elements */
    SUM = TILE * TILE,
    SPREAD = TILE / 3, /* outputs whose taps fit side by side */
    SOME = 8,          /* lines that are settled at a time */
};

/* --- passes ---------------------------------------------------------------------------- */

pass zf_forward_pass(const zf_stack *stack, int layer)
{
    return (pass){.in = stack->channels[layer],
                  .out = stack->channels[layer + 1],
                  .from_planes = layer == 0,
                  .to_planes = layer == stack->layers - 1};
}

pass zf_backward_pass(const zf_stack *stack, int layer)
{
    int first = layer == 0 ? stack->wanted : 0;
    return (pass){.in = stack->channels[layer + 1],
                  .out = stack->channels[layer] - first,
                  .from_planes = layer == stack->layers - 1,
                  .to_planes = layer == 0,
                  .turned = true,
                  .first = first,
                  .channels = stack->channels[layer]};
}

/* Lines hold neighbours. */
static bool is_abreast(const pass *p)
{
    return p->from_planes && p->in <= ZF_STACK_ABREAST;
}

/* Outputs hold the taps of a row. */
static bool is_spread(const pass *p)
{
    return p->to_planes && p->out <= SPREAD && !is_abreast(p);
}

static bool is_few(const pass *p)
{
    return p->in <= FEW;
}

/* Taps of a row that are products of their own. */
static int columns_of(const pass *p)
{
    return is_abreast(p) || is_spread(p) ? 1 : 3;
}

/* --- weights --------------------------------------------------------------------------- */

static float weight_at(const pass *p, const float *weights, int in, int out, int ky, int kx)
{
    if (in >= p->in || out >= p->out) return 0;
    int tap = 3 * ky + kx;
    return p->turned ? weights[(in * p->channels + p->first + out) * TAPS + TAPS - 1 - tap]
                     : weights[(out * p->in + in) * TAPS + tap];
}

/* The weight of a tile's input and output. */
static float weight_of(const pass *p, const float *weights, int i, int j, int ky, int kx)
{
    if (is_abreast(p))
        return i / p->in < 3 ? weight_at(p, weights, i % p->in, j, ky, i / p->in) : 0;
    if (is_spread(p))
        return j / p->out < 3 ? weight_at(p, weights, i, j % p->out, ky, j / p->out) : 0;
    return weight_at(p, weights, i, j, ky, kx);
}

/* Tiles [ky][kx][part][16 inputs][16 outputs], each part twice: for both parts of x. Of few
   channels one tile a tap, the second parts in pairs behind the first. */
void zf_pass_pack(const pass *p, const float *weights, const float *bias, packed_pass *packed)
{
    int columns = columns_of(p), middle = is_spread(p) ? p->out : 0;
    parts *to = packed->weights;
    memset(packed->bias, 0, sizeof packed->bias);
    if (bias) memcpy(packed->bias + middle, bias, (size_t)p->out * sizeof *bias);
    for (int step = 0; step < 3 * columns; step++, to += PAIR) {
        __m512i v[TILE];
        for (int i = 0; i < TILE; i++) {
            float line[TILE];
            for (int j = 0; j < TILE; j++)
                line[j] = weight_of(p, weights, i, j, step / columns, step % columns);
            v[i] = two_parts(_mm512_loadu_ps(line));
            _mm512_store_si512(to + i * TILE, both_below(v[i], v[i]));
            _mm512_store_si512(to + (TILE + i) * TILE, both_above(v[i], v[i]));
        }
        for (int i = 0; i < FEW / 2 && is_few(p); i++)
            _mm512_store_si512(to + (FEW + i) * TILE, both_above(v[2 * i], v[2 * i + 1]));
    }
}

/* --- input ------------------------------------------------------------------------------- */

/* 16 pixels of a row from a column on; each channel once, or with its neighbours. */
V_INLINE void read_block(const field *f, const float *row, int first, const int channels,
                         const bool abreast, parts *to)
{
    size_t plane = (size_t)(f->h * f->w);
    __m512i v[TILE];
    UNROLL_TILE for (int i = 0; i < TILE; i++) v[i] = _mm512_setzero_si512();
    for (int k = 0; k < (abreast ? 3 : 1); k++) {
        int from = first + (abreast ? k - 1 : 0);
        __mmask16 lanes = lanes_between(-from, f->w - from);
        UNROLL_TILE for (int c = 0; c < TILE; c++)
        {
            if (c >= channels) break;
            v[k * channels + c] = two_parts(
                _mm512_maskz_loadu_ps(lanes, row + (ptrdiff_t)((size_t)c * plane) + from));
        }
    }
    if (channels <= FEW)
        UNROLL_TILE for (int i = 0; i < FEW / 2; i++) v[FEW + i] =
            both_below(v[2 * i], v[2 * i + 1]);
    transpose_tile(v);
    int count = f->w - first;
    if (count >= TILE)
        UNROLL_TILE for (int i = 0; i < TILE; i++) _mm512_store_si512(to + i * TILE, v[i]);
    else
        UNROLL_TILE for (int i = 0; i < TILE; i++) if (i < count)
            _mm512_store_si512(to + i * TILE, v[i]);
}

void zf_pass_read(const pass *p, const field *f, const float *planes, parts *lines)
{
    clear_border(f, lines);
    for (int row = 0; row < f->h; row++, planes += f->w)
        for (int first = 0; first < f->w; first += TILE) {
            parts *to = lines + line_at(f, row, first);
            if (!is_abreast(p))
                read_block(f, planes, first, p->in, false, to);
            else if (p->in == 1)
                read_block(f, planes, first, 1, true, to);
            else if (p->in == 2)
                read_block(f, planes, first, 2, true, to);
            else
                read_block(f, planes, first, ZF_STACK_ABREAST, true, to);
        }
}

/* --- output ------------------------------------------------------------------------------ */

typedef struct unit {
    int row, block;
} unit;

V_INLINE void settle_forward(const sweep *s, const float *sums, parts *to, const int count)
{
    const __m512 zero = _mm512_setzero_ps();
    bool few = s->pass.out <= FEW;
    UNROLL_TILE for (int i = 0; i < count; i++)
    {
        /* in this order NaN stays NaN */
        __m512i line = two_parts(_mm512_max_ps(zero, _mm512_load_ps(sums + i * TILE)));
        _mm512_store_si512(to + i * TILE, few ? with_pairs(line) : line);
    }
}

/* Active is what has a first part, be it but for a sign. */
V_INLINE void settle_backward(const sweep *s, const float *sums, const parts *active, parts *to,
                              const int count)
{
    const __m512i first = _mm512_set1_epi32(0x7fff);
    __m512 total = _mm512_load_ps(s->bias_sums);
    bool few = s->pass.out <= FEW;
    UNROLL_TILE for (int i = 0; i < count; i++)
    {
        __mmask16 on = _mm512_test_epi32_mask(_mm512_load_si512(active + i * TILE), first);
        __m512 v = _mm512_maskz_load_ps(on, sums + i * TILE);
        __m512i line = two_parts(v);
        total += v;
        _mm512_store_si512(to + i * TILE, few ? with_pairs(line) : line);
    }
    _mm512_store_ps(s->bias_sums, total);
}

static float *plane_row(const sweep *s, int o, int row)
{
    const field *f = &s->field;
    return s->planes + ((size_t)(o * f->h) + (size_t)row) * (size_t)f->w;
}

static void write_planes(const sweep *s, float *to, __m512 v, __mmask16 lanes)
{
    if (s->add) v += _mm512_maskz_loadu_ps(lanes, to);
    _mm512_mask_storeu_ps(to, lanes, v);
}

/* Rows of the sums by tap and output, with a zero on either side. */
static size_t row_floats(const field *f)
{
    return (size_t)(f->blocks + 1) * TILE;
}

static void add_spread(const sweep *s, int row)
{
    const field *f = &s->field;
    size_t pitch = row_floats(f), tap = pitch * (size_t)s->pass.out;
    const float *from = s->work + UNITS * SUM;
    for (int o = 0; o < s->pass.out; o++, from += pitch)
        for (int first = 0; first < f->w; first += TILE) {
            __m512 v = _mm512_loadu_ps(from + first) + _mm512_loadu_ps(from + tap + first + 1) +
                       _mm512_loadu_ps(from + 2 * tap + first + 2);
            write_planes(s, plane_row(s, o, row) + first, v, lanes_between(0, f->w - first));
        }
}

static void settle_planes(const sweep *s, unit at, const float *sums)
{
    int first = at.block * TILE, count = is_spread(&s->pass) ? 3 * s->pass.out : s->pass.out;
    __mmask16 lanes = lanes_between(0, s->field.w - first);
    __m512i v[TILE];
    UNROLL_TILE for (int i = 0; i < TILE; i++) v[i] = _mm512_load_si512(sums + i * TILE);
    transpose_tile(v);
    if (is_spread(&s->pass)) {
        float *to = s->work + UNITS * SUM + first + 1;
        size_t pitch = row_floats(&s->field);
        UNROLL_TILE for (int j = 0; j < TILE; j++) if (j < count) _mm512_storeu_ps(
            to + (size_t)j * pitch, _mm512_castsi512_ps(_mm512_maskz_mov_epi32(lanes, v[j])));
        if (at.block == s->field.blocks - 1) add_spread(s, at.row);
        return;
    }
    UNROLL_TILE for (int o = 0; o < TILE; o++) if (o < count)
    {
        write_planes(s, plane_row(s, o, at.row) + first, _mm512_castsi512_ps(v[o]), lanes);
    }
}

/* Some of a unit's lines, or, to planes, all with the first. */
static void settle(const sweep *s, unit at, int first, const float *sums)
{
    const field *f = &s->field;
    size_t place = line_at(f, at.row, at.block * TILE + first);
    int count = pixels_of_block(f, at.block) - first;
    sums += first * TILE;
    if (s->planes) {
        if (first == 0) settle_planes(s, at, sums);
    } else if (s->pass.turned && count >= SOME) {
        settle_backward(s, sums, s->active + place, s->to + place, SOME);
    } else if (s->pass.turned) {
        settle_backward(s, sums, s->active + place, s->to + place, count);
    } else if (count >= SOME) {
        settle_forward(s, sums, s->to + place, SOME);
    } else {
        settle_forward(s, sums, s->to + place, count);
    }
}

/* --- units --------------------------------------------------------------------------- */

/* The units whose sums are not settled yet, and how many lines of them are. */
typedef struct unsettled {
    unit units[UNITS];
    int lines, done;
} unsettled;

static inline void settle_some(const sweep *s, unsettled *u)
{
    if (u->done >= u->lines) return;
    int i = u->done / TILE;
    settle(s, u->units[i], u->done % TILE, s->work + (size_t)i * SUM);
    u->done += SOME;
}

/* One tap of four units. Sums are tiles 0 to 3, pixels 4 and 5, weights 6 and 7. In between
   the last units are settled. */
static inline void multiply_tap(const sweep *s, const parts *const pixels[UNITS],
                                const parts *weights, unsettled *last)
{
    TILE_LOAD(6, weights, TILE_LINE);
    TILE_LOAD(7, weights + PAIR / 2, TILE_LINE);
    TILE_LOAD(4, pixels[0], TILE_LINE);
    TILE_MULTIPLY(0, 4, 6);
    TILE_LOAD(5, pixels[1], TILE_LINE);
    TILE_MULTIPLY(1, 5, 6);
    TILE_MULTIPLY(0, 4, 7);
    settle_some(s, last);
    TILE_LOAD(4, pixels[2], TILE_LINE);
    TILE_MULTIPLY(2, 4, 6);
    TILE_MULTIPLY(1, 5, 7);
    TILE_LOAD(5, pixels[3], TILE_LINE);
    TILE_MULTIPLY(3, 5, 6);
    TILE_MULTIPLY(2, 4, 7);
    TILE_MULTIPLY(3, 5, 7);
    settle_some(s, last);
}

/* The same of few channels. */
static inline void multiply_few(const sweep *s, const parts *const pixels[UNITS],
                                const parts *weights, unsettled *last)
{
    TILE_LOAD(6, weights, TILE_LINE);
    TILE_LOAD(4, pixels[0], TILE_LINE);
    TILE_MULTIPLY(0, 4, 6);
    TILE_LOAD(5, pixels[1], TILE_LINE);
    TILE_MULTIPLY(1, 5, 6);
    settle_some(s, last);
    TILE_LOAD(4, pixels[2], TILE_LINE);
    TILE_MULTIPLY(2, 4, 6);
    TILE_LOAD(5, pixels[3], TILE_LINE);
    TILE_MULTIPLY(3, 5, 6);
    settle_some(s, last);
}

/* The last ones are settled when the sums of these units take their place. */
static void multiply_units(const sweep *s, const unit units[UNITS], unsettled *last)
{
    int columns = columns_of(&s->pass);
    bool few = is_few(&s->pass);
    const parts *weights = s->packed->weights;
    float *sums = s->work;
    TILE_LOAD(0, s->packed->bias, 0); /* in every row */
    TILE_LOAD(1, s->packed->bias, 0);
    TILE_LOAD(2, s->packed->bias, 0);
    TILE_LOAD(3, s->packed->bias, 0);
    for (int ky = 0; ky < 3; ky++) {
        const parts *pixels[UNITS];
        for (int u = 0; u < UNITS; u++)
            pixels[u] = s->from + line_at(&s->field, units[u].row + ky - 1,
                                          units[u].block * TILE - columns / 2);
        for (int kx = 0; kx < columns; kx++, weights += PAIR) {
            if (few)
                multiply_few(s, pixels, weights, last);
            else
                multiply_tap(s, pixels, weights, last);
            for (int u = 0; u < UNITS; u++) pixels[u] += TILE;
        }
    }
    while (last->done < last->lines) settle_some(s, last);
    TILE_STORE(0, sums, TILE_LINE);
    TILE_STORE(1, sums + SUM, TILE_LINE);
    TILE_STORE(2, sums + 2 * SUM, TILE_LINE);
    TILE_STORE(3, sums + 3 * SUM, TILE_LINE);
}

size_t zf_sweep_floats(const field *f)
{
    return UNITS * SUM + (size_t)(3 * SPREAD) * row_floats(f);
}

void zf_sweep_run(const sweep *s)
{
    const field *f = &s->field;
    int left = f->h * f->blocks;
    unit next = {0};
    unsettled last = {0};
    if (s->planes)
        memset(s->work + UNITS * SUM, 0, (zf_sweep_floats(f) - UNITS * SUM) * sizeof *s->work);
    else
        clear_border(f, s->to);
    while (left > 0) {
        int count = left < UNITS ? left : UNITS;
        unsettled now = {.lines = count * TILE};
        for (int u = 0; u < UNITS; u++) { /* the last one again where there are no more */
            now.units[u] = u < count ? next : now.units[u - 1];
            if (u < count && ++next.block == f->blocks) next.block = 0, next.row++;
        }
        multiply_units(s, now.units, &last);
        last = now;
        left -= count;
    }
    while (last.done < last.lines) settle_some(s, &last);
}

#else

typedef int zf_no_tiles; /* a file must hold something */

#endif
