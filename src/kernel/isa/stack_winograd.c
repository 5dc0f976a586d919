/* Stacks of convolutions by Winograd's F(4x4, 3x3) (conv_stack.h), for processors with AVX2 or
   AVX-512 and no tiles.

   Images lie as lines, one a pixel, of 8 or 16 channels, whole vectors, so that the
   transforms of a tile are additions and multiplications of whole vectors, with nothing
   moved between lanes. Only what enters and leaves the stack is turned round. A row of
   tiles is gathered, multiplied and settled while it is in the nearest caches, and an image
   goes through all layers before the next. */
#if defined(__AVX2__)

#include "kernel/conv_stack.h"
#include "kernel/isa/lanes.h"
#include "kernel/isa/winograd_narrow.h"
#include "kernel/isa/winograd_row.h"
#include "kernel/pieces.h"

/* --- images in planes ------------------------------------------------------------------ */

/* LANES pixels of a row of planes to a vector of each line. Channels or pixels that are not
   there are zeros. */
static void read_block(const float *planes, size_t plane, int channels, size_t left, vfloat *m)
{
    UNROLL for (int i = 0; i < LANES; i++)
    {
        m[i] = v_set(0.0f);
        if (i < channels) m[i] = v_load_rest(planes + (size_t)i * plane, left);
    }
    transpose(m);
}

static void read_planes(const frame *f, int channels, const float *planes, float *lines)
{
    size_t plane = (size_t)f->h * (size_t)f->w, width = width_of(channels);
    for (int row = 0; row < f->h; row++)
        for (int c = 0; c < channels; c += LANES)
            for (int x = 0; x < f->w; x += LANES) {
                const float *from = planes + (size_t)c * plane + (size_t)(row * f->w + x);
                float *to = lines + line_at(f, channels, row, x) + (size_t)c;
                int left = f->w - x;
                vfloat m[LANES];
                read_block(from, plane, channels - c, (size_t)left, m);
                UNROLL for (int i = 0; i < LANES; i++)
                {
                    if (i >= left) break;
                    v_store(to + (size_t)i * width, m[i]);
                }
            }
}

/* --- one layer, forward or back --------------------------------------------------------------- */

/* What becomes of a sum: behind relu to lines; where `active` is positive to lines, 0 elsewhere,
   and into the sums of its channel; or as it is to planes. */
typedef enum sink_kind { RELU, GATED, PLANES } sink_kind;

typedef struct pass {
    frame frame;
    sink_kind sink;
    int c, o;
    const float *weights;
    const float *bias; /* not of GATED; or NULL */
    const float *from; /* lines */
    bool narrow;       /* are these lines (winograd_narrow.h) */
    float *tiles;      /* of a row */
    float *to;         /* lines; of PLANES those of one row of tiles, without a border */
    const float *active;
    float *sums;   /* are added to */
    float *planes; /* or NULL */
    bool add;      /* to planes */
} pass;

/* Floats from a pixel of `to` to that below. */
static size_t pitch_of(const pass *p)
{
    return width_of(p->o) * (p->sink == PLANES ? (size_t)(SIDE * p->frame.across) : p->frame.pitch);
}

/* Where the pixels of a row of tiles begin in `to` and in `active`. */
static size_t row_at(const pass *p, int tile_row)
{
    return p->sink == PLANES ? 0 : line_at(&p->frame, p->o, SIDE * tile_row, 0);
}

/* A vector of channels of one tile, of which there are so many rows and columns. */
V_INLINE void settle_tile(const pass *p, const sink_kind sink, const size_t width,
                          const float *tile, size_t at, size_t v, int rows, int columns)
{
    vfloat half[SIDE][REACH], total = v_set(0.0f), zero = v_set(0.0f);
    vfloat bias = sink != GATED && p->bias ? v_load(p->bias + v) : zero;
    size_t pitch = pitch_of(p);
    settle_columns(tile + v, half);
    UNROLL for (int i = 0; i < SIDE; i++, at += pitch)
    {
        if (i >= rows) break;
        vfloat y[SIDE];
        four_of_six(half[i], y);
        UNROLL for (int j = 0; j < SIDE; j++)
        {
            if (j >= columns) break;
            size_t pixel = at + (size_t)j * width + v;
            if (sink != GATED) y[j] += bias;
            if (sink == RELU) y[j] = v_max(zero, y[j]);
            if (sink == GATED) y[j] = v_select_less(zero, v_load(p->active + pixel), y[j], zero);
            if (sink == GATED) total += y[j];
            v_store(p->to + pixel, y[j]);
        }
    }
    if (sink == GATED) v_store(p->sums + v, v_load(p->sums + v) + total);
}

V_INLINE void settle_row(const pass *p, const sink_kind sink, const size_t width, int tile_row)
{
    const frame *f = &p->frame;
    const float *tile = p->tiles;
    size_t at = row_at(p, tile_row);
    int rows = f->h - SIDE * tile_row, columns = f->w;
    for (int t = 0; t < f->across; t++, tile += TILE_FLOATS, at += SIDE * width, columns -= SIDE)
        UNROLL for (size_t v = 0; v < width; v += LANES)
        {
            if (sink == PLANES || (rows >= SIDE && columns >= SIDE))
                settle_tile(p, sink, width, tile, at, v, SIDE, SIDE);
            else
                settle_tile(p, sink, width, tile, at, v, rows, columns);
        }
}

#define DEFINE_SETTLE(name, sink)                                                                  \
    static void name(const pass *p, int tile_row)                                                  \
    {                                                                                              \
        if (p->o > LANES)                                                                          \
            settle_row(p, sink, MOST, tile_row);                                                   \
        else                                                                                       \
            settle_row(p, sink, LANES, tile_row);                                                  \
    }
DEFINE_SETTLE(settle_relu, RELU)
DEFINE_SETTLE(settle_gated, GATED)
DEFINE_SETTLE(settle_planes, PLANES)

static void (*const settle[])(const pass *, int) = {
    [RELU] = settle_relu, [GATED] = settle_gated, [PLANES] = settle_planes};

/* Lines of a row of tiles to planes. */
static void write_planes(const pass *p, int tile_row)
{
    const frame *f = &p->frame;
    size_t plane = (size_t)f->h * (size_t)f->w, width = width_of(p->o);
    for (int row = SIDE * tile_row; row < f->h && row < SIDE * (tile_row + 1); row++)
        for (int c = 0; c < p->o; c += LANES)
            for (int x = 0; x < f->w; x += LANES) {
                const float *from =
                    p->to + (size_t)(row % SIDE) * pitch_of(p) + (size_t)x * width + (size_t)c;
                float *to = p->planes + (size_t)c * plane + (size_t)(row * f->w + x);
                size_t left = (size_t)(f->w - x);
                vfloat m[LANES];
                UNROLL for (int i = 0; i < LANES; i++) m[i] = v_load(from + (size_t)i * width);
                transpose(m);
                UNROLL for (int i = 0; i < LANES; i++)
                {
                    if (c + i >= p->o) break;
                    if (p->add) m[i] += v_load_rest(to + (size_t)i * plane, left);
                    v_store_rest(to + (size_t)i * plane, m[i], left);
                }
            }
}

/* Of the lines that write_planes reads: a last block may reach beyond its row. */
static size_t row_floats(const frame *f)
{
    return (size_t)(SIDE * SIDE * f->across + LANES) * MOST;
}

static void gather_lines(const frame *f, bool narrow, int channels, const float *lines,
                         int tile_row, float *tiles)
{
    if (narrow)
        gather_narrow(f, lines, tile_row, tiles);
    else
        gather(f, channels, lines, tile_row, tiles);
}

/* Up to NARROW channels to planes. */
static void finish_narrow(const pass *p, int tile_row)
{
    const frame *f = &p->frame;
    multiply_narrow(f, p->c, p->weights, p->tiles);
    settle_narrow(f,
                  &(narrow_planes){.channels = p->o,
                                   .rows = f->h - SIDE * tile_row,
                                   .bias = p->bias,
                                   .planes = p->planes + SIDE * tile_row * f->w,
                                   .add = p->add},
                  p->tiles);
}

static void run(const pass *p)
{
    for (int row = 0; row < p->frame.down; row++) {
        gather_lines(&p->frame, p->narrow, p->c, p->from, row, p->tiles);
        if (p->sink == PLANES && p->o <= NARROW && !p->narrow) {
            finish_narrow(p, row);
            continue;
        }
        multiply(&p->frame, p->narrow, p->c, p->o, p->weights, p->tiles);
        settle[p->sink](p, row);
        if (p->sink == PLANES) write_planes(p, row);
    }
}

/* --- gradients of weights ------------------------------------------------------------------- */

/* Sums [place][n][width]: one side's channels fill vectors, the other's n are taken one by
   one, whichever takes fewer products. Narrow lines are of the latter. */
typedef struct weigh {
    frame frame;
    int c, o;
    const float *x, *dy; /* lines */
    bool narrow_x, narrow_dy;
    float *x_tiles, *dy_tiles;
    float *sums;
} weigh;

static bool inputs_fill_vectors(int c, int o)
{
    return (size_t)o * width_of(c) < (size_t)c * width_of(o);
}

static void weigh_image(const weigh *job)
{
    const frame *f = &job->frame;
    bool turned = inputs_fill_vectors(job->c, job->o);
    size_t width = width_of(turned ? job->c : job->o);
    weigh_row tiles = {.tiles = f->across,
                       .singles = turned ? job->o : job->c,
                       .single = turned ? job->dy_tiles : job->x_tiles,
                       .vector = turned ? job->x_tiles : job->dy_tiles};
    for (int row = 0; row < f->down; row++) {
        gather_lines(f, job->narrow_x, job->c, job->x, row, job->x_tiles);
        if (job->narrow_dy)
            disperse_narrow(f, job->dy, row, job->dy_tiles);
        else
            disperse(f, job->o, job->dy, row, job->dy_tiles);
        if (job->narrow_x || job->narrow_dy)
            weigh_places(true, tiles, width, job->sums);
        else
            weigh_places(false, tiles, width, job->sums);
    }
}

static void finish_weights(int c, int o, const float *sums, bool add, float *dw)
{
    double g[REACH][3], kernel[9];
    bool turned = inputs_fill_vectors(c, o);
    size_t width = width_of(turned ? c : o), place = (size_t)(turned ? o : c) * width;
    evaluation(g);
    for (int i = 0; i < o; i++)
        for (int k = 0; k < c; k++, dw += 9) {
            size_t at = turned ? (size_t)i * width + (size_t)k : (size_t)k * width + (size_t)i;
            restore_kernel(g, sums + at, place, kernel);
            for (int j = 0; j < 9; j++) dw[j] = (float)kernel[j] + (add ? dw[j] : 0.0f);
        }
}

/* --- weights ---------------------------------------------------------------------------------- */

enum { LAYER_SUMS = PLACES * MOST * MOST };

/* Of a layer, in memory of the caller: weights [place][c][width of o], and backward, turned
   by 180 degrees, [place][o][width of c]. Up to NARROW outputs are repeated side by side. */
typedef struct packed_layer {
    float bias[MOST], forward[LAYER_SUMS], backward[LAYER_SUMS];
} packed_layer;

static size_t packed_bytes(const zf_stack *stack)
{
    return (size_t)stack->layers * sizeof(packed_layer);
}

/* Whether the input, or the gradient of the output, goes as narrow lines. What it meets in the
   same layer must fill vectors. */
static bool narrow_input(const zf_stack *stack)
{
    return stack->channels[0] <= NARROW && stack->channels[1] > NARROW;
}

static bool narrow_output(const zf_stack *stack)
{
    return stack->channels[stack->layers] <= NARROW && stack->channels[stack->layers - 1] > NARROW;
}

/* The first of the inputs that gets a gradient. */
static int wanted_of(const zf_stack *stack, int l)
{
    return l == 0 ? stack->wanted : 0;
}

/* The weights of one input and output, to [place][inputs][width of outputs]. */
static void pack_kernel(double g[REACH][3], const float w[9], int inputs, int outputs, int input,
                        int output, float *to)
{
    size_t width = width_of(outputs), place = (size_t)inputs * width;
    int again = outputs <= NARROW ? BESIDE : 1;
    to += (size_t)input * width + (size_t)output;
    for (int i = 0; i < again; i++) transform_kernel(g, w, to + i * NARROW, place);
}

static void pack_layer(int c, int o, int wanted, const float *w, packed_layer *to)
{
    double g[REACH][3];
    evaluation(g);
    memset(to, 0, sizeof *to);
    for (int i = 0; i < o; i++)
        for (int k = 0; k < c; k++, w += 9) {
            float turned[9];
            for (int j = 0; j < 9; j++) turned[j] = w[8 - j];
            pack_kernel(g, w, c, o, k, i, to->forward);
            if (k >= wanted) pack_kernel(g, turned, o, c - wanted, i, k - wanted, to->backward);
        }
}

static void pack(const zf_stack *stack, const float *const *weights, const float *const *biases,
                 void *packed)
{
    packed_layer *to = packed;
    for (int l = 0; l < stack->layers; l++, to++) {
        int c = stack->channels[l], o = stack->channels[l + 1];
        pack_layer(c, o, wanted_of(stack, l), weights[l], to);
        if (biases[l]) memcpy(to->bias, biases[l], (size_t)o * sizeof(float));
    }
}

/* --- memory ---------------------------------------------------------------------- */

typedef struct scratch {
    float *inputs[ZF_STACK_MOST]; /* lines that the layers read */
    float *dy[2];                 /* lines, by turns */
    float *narrow_dy;             /* lines of the output's gradient, or NULL */
    float *tiles[2], *row;
    float *weight_sums; /* [layers][LAYER_SUMS] */
    float *bias_sums;   /* [layers][MOST] */
} scratch;

static float *take(void *memory, size_t *used, size_t floats)
{
    return zf_take_piece(memory, used, floats * sizeof(float));
}

static size_t place_all(const zf_stack *stack, scratch *s, void *memory)
{
    frame f = frame_of(stack);
    size_t used = 0, layers = (size_t)stack->layers;
    for (int l = 0; l < stack->layers; l++)
        s->inputs[l] = take(memory, &used,
                            l == 0 && narrow_input(stack) ? narrow_floats(&f)
                                                          : lines_floats(&f, stack->channels[l]));
    s->narrow_dy = narrow_output(stack) ? take(memory, &used, narrow_floats(&f)) : NULL;
    for (int i = 0; i < 2; i++) {
        s->dy[i] = take(memory, &used, lines_floats(&f, MOST));
        s->tiles[i] = take(memory, &used, tiles_floats(&f));
    }
    s->row = take(memory, &used, row_floats(&f));
    s->weight_sums = take(memory, &used, layers * LAYER_SUMS);
    s->bias_sums = take(memory, &used, layers * MOST);
    return used;
}

static size_t scratch_bytes(const zf_stack *stack)
{
    scratch none;
    return place_all(stack, &none, NULL);
}

/* --- forward ---------------------------------------------------------------------- */

static void clear_borders(const zf_stack *stack, const scratch *work)
{
    frame f = frame_of(stack);
    for (int l = narrow_input(stack) ? 1 : 0; l < stack->layers; l++)
        clear_border(&f, stack->channels[l], work->inputs[l]);
    if (narrow_input(stack)) memset(work->inputs[0], 0, narrow_floats(&f) * sizeof(float));
}

static void read_input(const zf_stack *stack, const float *x, float *lines)
{
    frame f = frame_of(stack);
    if (narrow_input(stack))
        read_narrow(&f, stack->channels[0], x, lines);
    else
        read_planes(&f, stack->channels[0], x, lines);
}

/* The inputs of all layers and, if wanted, y. */
static void forward_image(const zf_stack *stack, const packed_layer *layers, const float *x,
                          float *y, const scratch *work)
{
    int last = stack->layers - 1;
    frame f = frame_of(stack);
    read_input(stack, x, work->inputs[0]);
    for (int l = 0; l <= (y ? last : last - 1); l++)
        run(&(pass){.frame = f,
                    .sink = l == last ? PLANES : RELU,
                    .c = stack->channels[l],
                    .o = stack->channels[l + 1],
                    .weights = layers[l].forward,
                    .bias = layers[l].bias,
                    .from = work->inputs[l],
                    .narrow = l == 0 && narrow_input(stack),
                    .tiles = work->tiles[0],
                    .to = l == last ? work->row : work->inputs[l + 1],
                    .planes = y});
}

static void forward(const zf_stack *stack, int n, const void *packed, const float *x, float *y,
                    void *memory)
{
    size_t pixels = (size_t)stack->h * (size_t)stack->w;
    scratch work;
    place_all(stack, &work, memory);
    clear_borders(stack, &work);
    for (int i = 0; i < n; i++) {
        forward_image(stack, packed, x, y, &work);
        x += (size_t)stack->channels[0] * pixels;
        y += (size_t)stack->channels[stack->layers] * pixels;
    }
}

/* --- backward ---------------------------------------------------------------------- */

/* dy of layer l, lines, to the gradient of its input: lines, or planes in the first layer. */
static void send_back(const zf_stack *stack, const packed_layer *layers, const scratch *work, int l,
                      const float *dy, float *lines, float *dx, bool add)
{
    int wanted = wanted_of(stack, l);
    size_t skipped = (size_t)wanted * (size_t)stack->h * (size_t)stack->w;
    pass p = {.frame = frame_of(stack),
              .c = stack->channels[l + 1],
              .o = stack->channels[l] - wanted,
              .weights = layers[l].backward,
              .from = dy,
              .narrow = dy == work->narrow_dy,
              .tiles = work->tiles[0]};
    if (l == 0) {
        p.sink = PLANES;
        p.to = work->row;
        p.planes = dx + skipped;
        p.add = add;
    } else {
        p.sink = GATED;
        p.to = lines;
        p.active = work->inputs[l];
        p.sums = work->bias_sums + (size_t)(l - 1) * MOST;
        clear_border(&p.frame, p.o, lines);
    }
    run(&p);
}

/* The last layer's dy is in planes. */
static void sum_planes(const zf_stack *stack, const float *dy, float *sums)
{
    size_t pixels = (size_t)stack->h * (size_t)stack->w;
    for (int o = 0; o < stack->channels[stack->layers]; o++, dy += pixels) {
        vfloat sum = v_set(0.0f);
        for (size_t k = 0; k < pixels; k += LANES) sum += v_load_rest(dy + k, pixels - k);
        sums[o] += v_sum(sum);
    }
}

/* The last layer's dy as lines. */
static const float *read_gradient(const zf_stack *stack, const float *gradient, const scratch *work)
{
    frame f = frame_of(stack);
    int channels = stack->channels[stack->layers];
    if (work->narrow_dy) {
        read_narrow(&f, channels, gradient, work->narrow_dy);
        return work->narrow_dy;
    }
    clear_border(&f, channels, work->dy[0]);
    read_planes(&f, channels, gradient, work->dy[0]);
    return work->dy[0];
}

static void backward_image(const zf_stack *stack, const packed_layer *layers,
                           const zf_stack_gradients *g, int i, const scratch *work)
{
    int last = stack->layers - 1;
    frame f = frame_of(stack);
    size_t pixels = (size_t)stack->h * (size_t)stack->w, n = (size_t)i;
    size_t input = n * (size_t)stack->channels[0] * pixels;
    const float *gradient = g->dy + n * (size_t)stack->channels[stack->layers] * pixels;
    forward_image(stack, layers, g->x + input, g->answer ? g->y : NULL, work);
    if (g->answer) g->answer(g->context, i, g->y);
    const float *dy = read_gradient(stack, gradient, work);
    sum_planes(stack, gradient, work->bias_sums + (size_t)last * MOST);
    for (int l = last; l >= 0; l--) {
        float *to = work->dy[(last - l + 1) % 2];
        if (g->dw[l])
            weigh_image(&(weigh){.frame = f,
                                 .c = stack->channels[l],
                                 .o = stack->channels[l + 1],
                                 .x = work->inputs[l],
                                 .dy = dy,
                                 .narrow_x = l == 0 && narrow_input(stack),
                                 .narrow_dy = dy == work->narrow_dy,
                                 .x_tiles = work->tiles[0],
                                 .dy_tiles = work->tiles[1],
                                 .sums = work->weight_sums + (size_t)l * LAYER_SUMS});
        if (l > 0 || g->dx)
            send_back(stack, layers, work, l, dy, to, g->dx ? g->dx + input : NULL, g->add_dx);
        dy = to;
    }
}

static void backward(const zf_stack *stack, int n, const void *packed, const zf_stack_gradients *g,
                     void *memory)
{
    scratch work;
    place_all(stack, &work, memory);
    clear_borders(stack, &work);
    if (work.narrow_dy) {
        frame f = frame_of(stack);
        memset(work.narrow_dy, 0, narrow_floats(&f) * sizeof(float));
    }
    memset(work.weight_sums, 0, (size_t)stack->layers * LAYER_SUMS * sizeof(float));
    memset(work.bias_sums, 0, (size_t)stack->layers * MOST * sizeof(float));
    for (int i = 0; i < n; i++) backward_image(stack, packed, g, i, &work);
    for (int l = 0; l < stack->layers; l++) {
        int c = stack->channels[l], o = stack->channels[l + 1];
        const float *sums = work.bias_sums + (size_t)l * MOST;
        if (g->dw[l])
            finish_weights(c, o, work.weight_sums + (size_t)l * LAYER_SUMS, g->add_dw[l], g->dw[l]);
        for (int i = 0; i < o && g->db[l]; i++)
            g->db[l][i] = sums[i] + (g->add_db[l] ? g->db[l][i] : 0.0f);
    }
}

const zf_stack_kernels ZF_TABLE(zf_stack_winograd) = {
    .packed_bytes = packed_bytes,
    .scratch_bytes = scratch_bytes,
    .pack = pack,
    .forward = forward,
    .backward = backward,
};

#else

typedef int zf_no_vectors; /* a file must hold something */

#endif
