/* The inner kernels of Winograd's convolution (conv_winograd.h says what they
   compute, and the layouts between them).

   A chunk of tiles passes through gather, multiply and settle while it is in
   the nearest caches; only spread and join see whole images. */
#include "kernel/conv_winograd.h"
#include "kernel/isa/lanes.h"
#include "kernel/isa/tile.h"

/* Sums in registers; a sum takes its weight from memory. */
#if defined(__AVX512F__)
enum { MOST_OUTPUTS = 16 };
#define EACH_BLOCK(X)                                                                              \
    X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16)
#else
enum { MOST_OUTPUTS = 8 };
#define EACH_BLOCK(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#endif
enum { PLACES = ZF_WINOGRAD_PLACES };

/* --- lines ------------------------------------------------------------------------ */

static void copy_row(float *to, const float *from, size_t n)
{
    size_t x = 0;
    for (; x + LANES <= n; x += LANES) v_store(to + x, v_load(from + x));
    if (x < n) v_store_part(to + x, v_load_part(from + x, n - x), n - x);
}

static void lines(const zf_winograd_lines *job)
{
    size_t width = (size_t)job->width, area = width * (size_t)job->height;
    for (int i = 0; i < job->rows; i++) {
        int y = job->first + i;
        float *to = job->to + (size_t)(job->slot + i) % (size_t)job->depth * job->pitch;
        if (y >= 0 && y < job->height)
            for (int c = 0; c < job->channels; c++, to += job->channel)
                copy_row(to, job->from + (size_t)c * area + (size_t)y * width, width);
        else
            for (int c = 0; c < job->channels; c++, to += job->channel)
                memset(to, 0, width * sizeof *to);
    }
}

/* --- gather ----------------------------------------------------------------------- */

/* x B for one row of four columns a tile. */
V_INLINE void gather_row(const float *first, const float *second, vfloat x[4])
{
    vfloat a = v_load(first), b = v_load(second);
    vfloat c = v_load(first + 2), d = v_load(second + 2);
    IN_REGISTER(a);
    IN_REGISTER(b);
    IN_REGISTER(c);
    IN_REGISTER(d);
    vfloat x0 = __builtin_shufflevector(a, b, EVENS), x1 = __builtin_shufflevector(a, b, ODDS);
    vfloat x2 = __builtin_shufflevector(c, d, EVENS), x3 = __builtin_shufflevector(c, d, ODDS);
    x[0] = x0 - x2;
    x[1] = x1 + x2;
    x[2] = x2 - x1;
    x[3] = x1 - x3;
}

static void gather(const zf_winograd_gather *job)
{
    const size_t place = job->place;
    const float *from = job->lines;
    float *to = job->tiles;
    for (int c = 0; c < job->channels; c++, from += job->channel, to += LANES) {
        vfloat x[4][4];
        UNROLL for (int r = 0; r < 4; r++)
            gather_row(from + job->row[r], from + job->second[r], x[r]);
        UNROLL for (int s = 0; s < 4; s++)
        {
            v_store(to + (size_t)s * place, x[0][s] - x[2][s]);
            v_store(to + (size_t)(4 + s) * place, x[1][s] + x[2][s]);
            v_store(to + (size_t)(8 + s) * place, x[2][s] - x[1][s]);
            v_store(to + (size_t)(12 + s) * place, x[1][s] - x[3][s]);
        }
    }
}

/* --- multiply --------------------------------------------------------------------- */

V_INLINE void multiply_any(const int outputs, int channels, const float *tiles,
                           const float *weights, float *product)
{
    vfloat sum[MOST_OUTPUTS];
    UNROLL for (int o = 0; o < outputs; o++) sum[o] = v_set(0.0f);
    for (int c = 0; c < channels; c++, tiles += LANES, weights += outputs) {
        vfloat x = v_load(tiles);
        IN_REGISTER(x);
        UNROLL for (int o = 0; o < outputs; o++) sum[o] += weights[o] * x;
    }
    UNROLL for (int o = 0; o < outputs; o++) v_store(product + o * LANES, sum[o]);
}

#define DEFINE(outputs)                                                                            \
    static void multiply_##outputs(int channels, const float *tiles, const float *weights,         \
                                   float *product)                                                 \
    {                                                                                              \
        multiply_any(outputs, channels, tiles, weights, product);                                  \
    }
EACH_BLOCK(DEFINE)

#define ENTRY(outputs) [outputs] = multiply_##outputs,
static void (*const multiply_block[MOST_OUTPUTS + 1])(int, const float *, const float *,
                                                      float *) = {EACH_BLOCK(ENTRY)};

/* Sends for the channels place, place + PLACES, ...: a few lines at a time, as
   there are few buffers for lines that are under way. */
V_INLINE void send_for(const zf_winograd_ahead *ahead, int place)
{
    for (int c = place; c < ahead->channels; c += PLACES)
        for (size_t x = 0; x < ahead->floats; x += 16)
            __builtin_prefetch(ahead->from + (size_t)c * ahead->plane + x);
}

static void multiply(const zf_winograd_multiply *job)
{
    const float *weights = job->weights;
    for (int place = 0; place < PLACES; place++) {
        const float *tiles = job->tiles + (size_t)place * job->place;
        float *product = job->product + (size_t)place * job->place;
        send_for(&job->ahead, place);
        for (int o = 0, block; o < job->o; o += block) {
            block = zf_conv_block(job->o, MOST_OUTPUTS, o);
            multiply_block[block](job->c, tiles, weights, product + (size_t)o * LANES);
            weights += (size_t)block * (size_t)job->c;
        }
    }
}

/* --- settle ----------------------------------------------------------------------- */

V_INLINE void store_run(float *to, vfloat v, int columns, bool accumulate)
{
    if (columns <= 0) return;
    size_t left = (size_t)columns;
    if (accumulate) v += v_load_rest(to, left);
    v_store_rest(to, v, left);
}

/* Both runs of a row, from its even and odd columns. */
V_INLINE void settle_row(const zf_winograd_settle *job, int o, int row, vfloat even, vfloat odd)
{
    const zf_winograd_runs *runs = &job->runs;
    float *to = job->to + (size_t)o * runs->plane;
    store_run(to + runs->at[0][row], __builtin_shufflevector(even, odd, LOWER),
              runs->columns[0][row], job->accumulate);
    store_run(to + runs->at[1][row], __builtin_shufflevector(even, odd, UPPER),
              runs->columns[1][row], job->accumulate);
}

static void settle(const zf_winograd_settle *job)
{
    const size_t place = job->place;
    for (int o = 0; o < job->o; o++) {
        const float *from = job->product + (size_t)o * LANES;
        vfloat bias = v_set(job->bias ? job->bias[o] : 0.0f), upper[4], lower[4];
        UNROLL for (int s = 0; s < 4; s++)
        {
            vfloat m0 = v_load(from + (size_t)s * place);
            vfloat m1 = v_load(from + (size_t)(4 + s) * place);
            vfloat m2 = v_load(from + (size_t)(8 + s) * place);
            vfloat m3 = v_load(from + (size_t)(12 + s) * place);
            upper[s] = m0 + m1 + m2;
            lower[s] = m1 - m2 - m3;
        }
        settle_row(job, o, 0, upper[0] + upper[1] + upper[2] + bias,
                   upper[1] - upper[2] - upper[3] + bias);
        settle_row(job, o, 1, lower[0] + lower[1] + lower[2] + bias,
                   lower[1] - lower[2] - lower[3] + bias);
    }
}

/* --- disperse --------------------------------------------------------------------- */

/* A run of a row of LANES channels, to [column][channel]. */
static void turn_run(const float *from, size_t plane, float to[LANES][LANES])
{
    vfloat m[LANES];
    UNROLL for (int i = 0; i < LANES; i++) m[i] = v_load(from + (size_t)i * plane);
    transpose(m);
    UNROLL for (int i = 0; i < LANES; i++) v_store(to[i], m[i]);
}

/* The same where channels or columns are missing: they become zeros. */
static void turn_part(const float *from, size_t plane, int channels, int columns,
                      float to[LANES][LANES])
{
    float whole[LANES][LANES] = {{0}};
    for (int i = 0; i < LANES && i < channels; i++)
        memcpy(whole[i], from + (size_t)i * plane, (size_t)columns * sizeof *from);
    turn_run(whole[0], LANES, to);
}

V_INLINE void extend(vfloat a, vfloat b, vfloat to[4])
{
    to[0] = a;
    to[1] = a + b;
    to[2] = a - b;
    to[3] = -b;
}

static void disperse(const zf_winograd_disperse *job)
{
    const zf_winograd_runs *runs = &job->runs;
    const size_t across = ((size_t)job->o + LANES - 1) / LANES * LANES, place = job->place;
    float column[2][2][LANES][LANES]; /* row, run */
    for (int o = 0; o < job->o; o += LANES) {
        const float *from = job->from + (size_t)o * runs->plane;
        for (int i = 0; i < 4; i++) {
            const float *run = from + runs->at[i % 2][i / 2];
            int columns = runs->columns[i % 2][i / 2];
            if (columns == LANES && o + LANES <= job->o)
                turn_run(run, runs->plane, column[i / 2][i % 2]);
            else
                turn_part(run, runs->plane, job->o - o, columns, column[i / 2][i % 2]);
        }
        for (int t = 0; t < LANES; t++) {
            int run = t / (LANES / 2), x = t % (LANES / 2) * 2;
            float *to = job->tiles + (size_t)t * across + (size_t)o;
            vfloat upper[4], lower[4];
            extend(v_load(column[0][run][x]), v_load(column[0][run][x + 1]), upper);
            extend(v_load(column[1][run][x]), v_load(column[1][run][x + 1]), lower);
            UNROLL for (int s = 0; s < 4; s++)
            {
                vfloat y[4];
                extend(upper[s], lower[s], y);
                UNROLL for (int r = 0; r < 4; r++) v_store(to + (size_t)(4 * r + s) * place, y[r]);
            }
        }
    }
}

/* --- weigh ------------------------------------------------------------------------ */

V_INLINE void weigh_any(const int channels, const float *x, const float *dy, size_t across,
                        float *sum)
{
    vfloat more[MOST_OUTPUTS];
    UNROLL for (int c = 0; c < channels; c++) more[c] = v_set(0.0f);
    for (int t = 0; t < LANES; t++, x++, dy += across) {
        vfloat y = v_load(dy);
        IN_REGISTER(y);
        UNROLL for (int c = 0; c < channels; c++) more[c] += x[c * LANES] * y;
    }
    /* Apart from the sum until here, which costs fewer digits. */
    UNROLL for (int c = 0; c < channels; c++)
        v_store(sum + (size_t)c * across, v_load(sum + (size_t)c * across) + more[c]);
}

#define DEFINE_WEIGH(channels)                                                                     \
    static void weigh_##channels(const float *x, const float *dy, size_t across, float *sum)       \
    {                                                                                              \
        weigh_any(channels, x, dy, across, sum);                                                   \
    }
EACH_BLOCK(DEFINE_WEIGH)

#define WEIGH_ENTRY(channels) [channels] = weigh_##channels,
static void (*const weigh_block[MOST_OUTPUTS + 1])(const float *, const float *, size_t,
                                                   float *) = {EACH_BLOCK(WEIGH_ENTRY)};

static void weigh(const zf_winograd_weigh_job *job)
{
    size_t across = ((size_t)job->o + LANES - 1) / LANES * LANES;
    float *sum = job->sum;
    for (int place = 0; place < PLACES; place++) {
        const float *x = job->x + (size_t)place * job->x_place;
        const float *dy = job->dy + (size_t)place * job->dy_place;
        send_for(&job->ahead_x, place);
        send_for(&job->ahead_dy, place);
        for (int c = 0, block; c < job->c; c += block, sum += (size_t)block * across) {
            block = zf_conv_block(job->c, MOST_OUTPUTS, c);
            for (size_t o = 0; o < across; o += LANES)
                weigh_block[block](x + (size_t)c * LANES, dy + o, across, sum + o);
        }
    }
}

const zf_winograd_kernels ZF_TABLE(zf_winograd_kernels) = {
    .lanes = LANES,
    .block = MOST_OUTPUTS,
    .lines = lines,
    .gather = gather,
    .multiply = multiply,
    .settle = settle,
    .disperse = disperse,
    .weigh = weigh,
};
