/* The two inner kernels of convolution (conv.h says what they compute).

   correlate keeps a tile of (output channels x pixel vectors) in registers
   while it walks over all channels and taps; weights are broadcast. weigh keeps
   a tile of (output channels x taps) while it walks over the pixels, and sums
   lanes at the end. A tile has as many accumulators as the registers allow once
   the operands have theirs; its sides are chosen so that loads stay below one a
   multiplication, which matters because most loads straddle cache lines. */
#include "kernel/conv.h"
#include "kernel/isa/isa.h"
#include "kernel/isa/tile.h"

/* X(outputs, vectors of correlate, taps of weigh). */
#if defined(__AVX512F__)
enum { MOST_OUTPUTS = 8 };
#define EACH_TILE(X)                                                                               \
    X(1, 8, 8) X(2, 8, 8) X(3, 8, 8) X(4, 6, 6) X(5, 5, 5) X(6, 4, 4) X(7, 3, 3) X(8, 3, 3)
#else
enum { MOST_OUTPUTS = 4 };
#define EACH_TILE(X) X(1, 8, 8) X(2, 6, 6) X(3, 4, 4) X(4, 3, 3)
#endif
enum { MOST_SIDE = 8 };

/* Vectors of pixels that all output channels visit before the next ones do, so
   that their part of the input stays in the first-level cache. */
enum { CORRELATE_CHUNK = 24, WEIGH_CHUNK = 1024 / LANES };

/* --- correlate -------------------------------------------------------------- */

typedef struct correlate_tile {
    const float *in[MOST_SIDE];
    float *out[MOST_SIDE];
    const float *weights; /* [taps][outputs of the tile] */
    const float *bias;
} correlate_tile;

V_INLINE void correlate_any(const int outputs, const int vectors, const zf_conv_correlate *job,
                            const correlate_tile *tile)
{
    vfloat sum[MOST_OUTPUTS][MOST_SIDE];
    const float *in[MOST_SIDE];
    const float *weights = tile->weights;
    UNROLL for (int v = 0; v < vectors; v++) in[v] = tile->in[v];
    UNROLL for (int o = 0; o < outputs; o++) UNROLL for (int v = 0; v < vectors; v++)
    {
        sum[o][v] = v_set(tile->bias ? tile->bias[o] : 0.0f);
        if (job->accumulate) sum[o][v] += v_load(tile->out[v] + (size_t)o * job->out_plane);
    }
    for (int k = 0; k < job->taps; k++, weights += outputs) {
        ptrdiff_t offset = job->offset[k];
        vfloat w[MOST_OUTPUTS], x[MOST_SIDE];
        if (outputs < vectors) { /* the shorter side stays in registers */
            UNROLL for (int o = 0; o < outputs; o++) w[o] = v_set(weights[o]);
            UNROLL for (int v = 0; v < vectors; v++)
            {
                x[v] = v_load(in[v] + offset);
                IN_REGISTER(x[v]);
                UNROLL for (int o = 0; o < outputs; o++) sum[o][v] += w[o] * x[v];
            }
        } else {
            UNROLL for (int v = 0; v < vectors; v++) x[v] = v_load(in[v] + offset);
            UNROLL for (int o = 0; o < outputs; o++)
            {
                w[o] = v_set(weights[o]);
                IN_REGISTER(w[o]);
                UNROLL for (int v = 0; v < vectors; v++) sum[o][v] += w[o] * x[v];
            }
        }
    }
    UNROLL for (int o = 0; o < outputs; o++) UNROLL for (int v = 0; v < vectors; v++)
        v_store(tile->out[v] + (size_t)o * job->out_plane, sum[o][v]);
}

/* --- weigh ------------------------------------------------------------------ */

typedef struct weigh_tile {
    zf_conv_pixels pixels;
    const float *in[MOST_SIDE]; /* for each tap, with its offset */
    const float *out;
    float *sum[MOST_SIDE]; /* for each tap, of the first output channel */
    int taps;              /* of the tile that count; the others repeat the last */
} weigh_tile;

V_INLINE void weigh_any(const int outputs, const int taps, const zf_conv_weigh *job,
                        const weigh_tile *tile)
{
    vfloat sum[MOST_OUTPUTS][MOST_SIDE];
    const float *in[MOST_SIDE];
    const size_t plane = job->out_plane;
    UNROLL for (int t = 0; t < taps; t++) in[t] = tile->in[t];
    UNROLL for (int o = 0; o < outputs; o++) UNROLL for (int t = 0; t < taps; t++) sum[o][t] =
        v_set(0.0f);
    for (int v = 0; v < tile->pixels.vectors; v++) {
        ptrdiff_t at = tile->pixels.in[v];
        const float *out = tile->out + tile->pixels.out[v];
        vfloat y[MOST_OUTPUTS], x[MOST_SIDE];
        if (outputs < taps) {
            UNROLL for (int o = 0; o < outputs; o++) y[o] = v_load(out + (size_t)o * plane);
            UNROLL for (int t = 0; t < taps; t++)
            {
                x[t] = v_load(in[t] + at);
                IN_REGISTER(x[t]);
                UNROLL for (int o = 0; o < outputs; o++) sum[o][t] += y[o] * x[t];
            }
        } else {
            UNROLL for (int t = 0; t < taps; t++) x[t] = v_load(in[t] + at);
            UNROLL for (int o = 0; o < outputs; o++)
            {
                y[o] = v_load(out + (size_t)o * plane);
                IN_REGISTER(y[o]);
                UNROLL for (int t = 0; t < taps; t++) sum[o][t] += y[o] * x[t];
            }
        }
    }
    UNROLL for (int o = 0; o < outputs; o++)
        UNROLL for (int t = 0; t < taps; t++) if (t < tile->taps)
            tile->sum[t][(size_t)o * job->taps] += v_sum(sum[o][t]);
}

/* --- one function a tile ------------------------------------------------------ */

#define DEFINE(outputs, vectors, taps)                                                             \
    static void correlate_##outputs(const zf_conv_correlate *job, const correlate_tile *tile)      \
    {                                                                                              \
        correlate_any(outputs, vectors, job, tile);                                                \
    }                                                                                              \
    static void weigh_##outputs(const zf_conv_weigh *job, const weigh_tile *tile)                  \
    {                                                                                              \
        weigh_any(outputs, taps, job, tile);                                                       \
    }
EACH_TILE(DEFINE)

typedef struct tile_kind {
    int vectors, taps;
    void (*correlate)(const zf_conv_correlate *job, const correlate_tile *tile);
    void (*weigh)(const zf_conv_weigh *job, const weigh_tile *tile);
} tile_kind;

#define ENTRY(outputs, vectors, taps)                                                              \
    [outputs] = {vectors, taps, correlate_##outputs, weigh_##outputs},
static const tile_kind kinds[MOST_OUTPUTS + 1] = {EACH_TILE(ENTRY)};

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* All output channels at vectors [begin, end) of the list. */
static void correlate_chunk(const zf_conv_correlate *job, int begin, int end)
{
    for (int o = 0, block; o < job->outputs; o += block) {
        block = zf_conv_block(job->outputs, MOST_OUTPUTS, o);
        const tile_kind *kind = &kinds[block];
        correlate_tile tile = {.weights = job->weights + (size_t)o * job->taps,
                               .bias = job->bias ? job->bias + o : NULL};
        float *out = job->out + (size_t)o * job->out_plane;
        for (int v = begin; v < end; v += kind->vectors) {
            /* The last tile repeats its last vector: same reads, same result. */
            for (int i = 0; i < kind->vectors; i++) {
                int at = smaller(v + i, end - 1);
                tile.in[i] = job->in + job->pixels.in[at];
                tile.out[i] = out + job->pixels.out[at];
            }
            kind->correlate(job, &tile);
        }
    }
}

static void correlate(const zf_conv_correlate *job)
{
    for (int v = 0; v < job->pixels.vectors; v += CORRELATE_CHUNK)
        correlate_chunk(job, v, smaller(v + CORRELATE_CHUNK, job->pixels.vectors));
}

static void weigh_chunk(const zf_conv_weigh *job, zf_conv_pixels pixels)
{
    for (int o = 0, block; o < job->outputs; o += block) {
        block = zf_conv_block(job->outputs, MOST_OUTPUTS, o);
        const tile_kind *kind = &kinds[block];
        weigh_tile tile = {.pixels = pixels, .out = job->out + (size_t)o * job->out_plane};
        for (int k = 0; k < job->taps; k += kind->taps) {
            tile.taps = smaller(kind->taps, job->taps - k);
            for (int t = 0; t < kind->taps; t++) {
                int at = smaller(k + t, job->taps - 1);
                tile.in[t] = job->in + job->offset[at];
                tile.sum[t] = job->sum + (size_t)o * job->taps + at;
            }
            kind->weigh(job, &tile);
        }
    }
}

static void weigh(const zf_conv_weigh *job)
{
    for (int v = 0; v < job->pixels.vectors; v += WEIGH_CHUNK) {
        zf_conv_pixels pixels = {job->pixels.in + v, job->pixels.out + v,
                                 smaller(WEIGH_CHUNK, job->pixels.vectors - v)};
        weigh_chunk(job, pixels);
    }
}

/* --- copies -------------------------------------------------------------- */

static void copy_row(float *to, const float *from, size_t n)
{
    size_t x = 0;
    for (; x + LANES <= n; x += LANES) v_store(to + x, v_load(from + x));
    if (x < n) v_store_part(to + x, v_load_part(from + x, n - x), n - x);
}

V_INLINE void copy_row_by_steps(float *to, size_t to_step, const float *from, size_t from_step,
                                size_t n, bool accumulate)
{
    if (accumulate)
        for (size_t x = 0; x < n; x++) to[x * to_step] += from[x * from_step];
    else
        for (size_t x = 0; x < n; x++) to[x * to_step] = from[x * from_step];
}

static void copy(const zf_conv_copy *job)
{
    size_t n = (size_t)job->cols, to_step = job->to_step, from_step = job->from_step;
    for (int y = 0; y < job->rows; y++) {
        float *to = job->to + (size_t)y * job->to_pitch;
        const float *from = job->from + (size_t)y * job->from_pitch;
        /* Steps of 1 and 2 are spelt out so that the compiler makes vectors of them. */
        if (to_step == 1 && from_step == 1 && !job->accumulate)
            copy_row(to, from, n);
        else if (to_step == 1 && from_step == 1)
            copy_row_by_steps(to, 1, from, 1, n, true);
        else if (to_step == 1 && from_step == 2)
            copy_row_by_steps(to, 1, from, 2, n, job->accumulate);
        else
            copy_row_by_steps(to, to_step, from, from_step, n, job->accumulate);
    }
}

extern const zf_winograd_kernels ZF_TABLE(zf_winograd_kernels);

const zf_conv_kernels ZF_TABLE(zf_conv_kernels_of) = {
    .lanes = LANES,
    .block = MOST_OUTPUTS,
    .copy = copy,
    .correlate = correlate,
    .weigh = weigh,
    .winograd = &ZF_TABLE(zf_winograd_kernels),
};
