/* Winograd's convolution around the inner kernels of isa/conv_winograd.c: which
   passes take this way, scratch memory, weights, and the walk over an image.

   An image is walked through by strips of tiles. Their rows are copied between
   zeros, so that the kernels know no borders; the tiles of one vector are then
   gathered, multiplied and settled while they are in the first-level cache. So
   an image's values depend on nothing but the image.

   Rejected: transforming whole images first, which moves four times the image
   through the second-level cache (with AVX-512 at 16 -> 16 channels, 32x32, 29 us
   an image instead of 23; the direct way takes 32). */
#include "kernel/conv_winograd.h"
#include "kernel/pieces.h"

#include <string.h>

/* --- strips ----------------------------------------------------------------------- */

enum { PLACES = ZF_WINOGRAD_PLACES };

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Images are walked through by strips of one row of tiles, or two where both
   fit into a vector. */
typedef struct strips {
    int tiles_h, tiles_w;
    bool paired;
    int tile_rows; /* of a strip */
    int rows;      /* of the input that a strip reads */
    int vectors;   /* of a strip */
    size_t pitch;  /* of its lines */
    size_t lines;  /* floats */
    size_t place;  /* floats from one to the next, of tiles and of products */
} strips;

static strips strips_of(const zf_winograd *pass)
{
    int lanes = pass->kernels->lanes;
    strips s = {.tiles_h = (pass->oh + 1) / 2, .tiles_w = (pass->ow + 1) / 2};
    s.paired = 2 * s.tiles_w <= lanes;
    s.tile_rows = s.paired ? 2 : 1;
    s.rows = 2 * s.tile_rows + 2;
    s.vectors = s.paired ? 1 : (s.tiles_w + lanes - 1) / lanes;
    s.pitch = (size_t)((pass->w + pass->padding_w + 1 + lanes - 1) / lanes * lanes);
    /* The last run reads on over the end of a line, into lanes that do not count. */
    s.lines = (size_t)lanes + (size_t)pass->c * (size_t)s.rows * s.pitch +
              (size_t)(2 * s.vectors * lanes);
    /* A line more than needed: at a power of two all places would fall into the
       same few sets of the cache. */
    s.place = (size_t)(pass->c > pass->o ? pass->c : pass->o) * (size_t)lanes + 16;
    return s;
}

/* --- the rule ----------------------------------------------------------------------- */

/* Measured, with AVX2 and AVX-512, at widths of 7 to 96 and 3 to 128 channels. What
   is saved grows with from x to, what the transforms cost with from + to: below
   8 and 10 channels the direct way wins. And it is vectors that are worked on, so
   most of their lanes must be tiles: 3 of 4. */
static bool pays(const zf_conv *conv, const zf_winograd *pass)
{
    if (conv->kh != 3 || conv->kw != 3 || conv->stride_h != 1 || conv->stride_w != 1 ||
        conv->padding_h > 2 || conv->padding_w > 2)
        return false;
    strips s = strips_of(pass);
    int tiles = s.tile_rows * s.tiles_w, lanes = s.vectors * pass->kernels->lanes;
    return (int64_t)pass->c * pass->o >= 5 * ((int64_t)pass->c + pass->o) && 4 * tiles >= 3 * lanes;
}

static zf_winograd forward_of(const zf_conv *conv)
{
    const zf_conv_kernels *kernels = conv->kernels ? conv->kernels : zf_conv_kernels_of();
    return (zf_winograd){.c = conv->c,
                         .h = conv->h,
                         .w = conv->w,
                         .o = conv->o,
                         .oh = zf_conv_output_h(conv),
                         .ow = zf_conv_output_w(conv),
                         .padding_h = conv->padding_h,
                         .padding_w = conv->padding_w,
                         .kernels = kernels->winograd};
}

bool zf_winograd_of_forward(const zf_conv *conv, zf_winograd *pass)
{
    *pass = forward_of(conv);
    return pays(conv, pass);
}

bool zf_winograd_of_backward_data(const zf_conv *conv, zf_winograd *pass)
{
    zf_winograd forward = forward_of(conv);
    *pass = (zf_winograd){.c = forward.o,
                          .h = forward.oh,
                          .w = forward.ow,
                          .o = forward.c,
                          .oh = forward.h,
                          .ow = forward.w,
                          .padding_h = 2 - forward.padding_h,
                          .padding_w = 2 - forward.padding_w,
                          .kernels = forward.kernels};
    return pays(conv, pass);
}

/* Here the outputs fill vectors, too. */
bool zf_winograd_of_backward_weights(const zf_conv *conv, zf_winograd *pass)
{
    *pass = forward_of(conv);
    int lanes = pass->kernels->lanes, across = (conv->o + lanes - 1) / lanes * lanes;
    return pays(conv, pass) && 4 * conv->o >= 3 * across;
}

/* --- scratch and lines --------------------------------------------------------------- */

typedef struct workspace {
    float *weights, *lines, *tiles, *product;
    size_t bytes;
} workspace;

static float *take(workspace *work, void *memory, size_t floats)
{
    return zf_take_piece(memory, &work->bytes, floats * sizeof(float));
}

static workspace workspace_of(const zf_winograd *pass, const strips *s, void *memory)
{
    workspace work = {0};
    work.weights = take(&work, memory, PLACES * (size_t)pass->c * (size_t)pass->o);
    work.lines = take(&work, memory, s->lines);
    work.tiles = take(&work, memory, PLACES * s->place);
    work.product =
        pass->o <= pass->kernels->block ? work.tiles : take(&work, memory, PLACES * s->place);
    return work;
}

/* Copies the lines that a strip needs and the one before it did not. The columns
   beside them were cleared before the first. */
static void copy_lines(const zf_winograd *pass, const strips *s, const float *image, int tile_row,
                       float *lines)
{
    int slot = 2 * tile_row, rows = s->rows;
    if (tile_row >= s->tiles_h) return;
    if (tile_row > 0) slot += 2, rows -= 2;
    pass->kernels->lines(&(zf_winograd_lines){.from = image,
                                              .channels = pass->c,
                                              .height = pass->h,
                                              .width = pass->w,
                                              .first = slot - pass->padding_h,
                                              .rows = rows,
                                              .slot = slot,
                                              .depth = s->rows,
                                              .pitch = s->pitch,
                                              .channel = (size_t)s->rows * s->pitch,
                                              .to = lines + pass->kernels->lanes});
}

/* The rows that the strip after the next adds to it, or the next image, of which
   the first rows are worth it. Beyond the last image nothing is read. */
static zf_winograd_ahead rows_ahead(const float *image, int channels, int height, int width,
                                    int row, int rows)
{
    size_t plane = (size_t)height * (size_t)width;
    bool next = row + rows > height;
    return (zf_winograd_ahead){.from = next ? image + (size_t)channels * plane
                                            : image + (size_t)row * (size_t)width,
                               .channels = channels,
                               .plane = plane,
                               .floats = (size_t)(rows < height ? rows : height) * (size_t)width};
}

static void gather_tiles(const zf_winograd *pass, const strips *s, int tile_row, int vector,
                         const workspace *work)
{
    size_t lanes = (size_t)pass->kernels->lanes, depth = (size_t)s->rows;
    zf_winograd_gather job = {.lines = work->lines,
                              .channel = depth * s->pitch,
                              .channels = pass->c,
                              .tiles = work->tiles,
                              .place = s->place};
    for (int r = 0; r < 4; r++) {
        size_t slot = (size_t)(2 * tile_row + r), left = lanes - (size_t)pass->padding_w;
        size_t column = left + (size_t)vector * 2 * lanes;
        job.row[r] = slot % depth * s->pitch + column;
        job.second[r] = s->paired ? (slot + 2) % depth * s->pitch + left : job.row[r] + lanes;
    }
    pass->kernels->gather(&job);
}

/* --- weights ------------------------------------------------------------------------ */

/* to[i] = G from, for three elements at a distance. */
static void widen(const float *from, int step, float *to, int to_step)
{
    float a = from[0], b = from[step], c = from[2 * step];
    to[0] = a;
    to[to_step] = 0.5f * (a + b + c);
    to[2 * to_step] = 0.5f * (a - b + c);
    to[3 * to_step] = c;
}

/* G w G' of one kernel. */
static void transform_kernel(const float *w, bool turned, float *place)
{
    float kernel[9], half[12];
    for (int i = 0; i < 9; i++) kernel[i] = w[turned ? 8 - i : i];
    for (int x = 0; x < 3; x++) widen(kernel + x, 3, half + x, 3);
    for (int y = 0; y < 4; y++) widen(half + 3 * y, 1, place + 4 * y, 1);
}

/* To [place][blocks of o][c][block]. */
static void transform_weights(const zf_winograd *pass, const float *w, bool turned, float *to)
{
    size_t place = (size_t)pass->c * (size_t)pass->o;
    for (int first = 0, block; first < pass->o; first += block) {
        block = zf_conv_block(pass->o, pass->kernels->block, first);
        for (int c = 0; c < pass->c; c++)
            for (int o = first; o < first + block; o++, to++) {
                float kernel[PLACES];
                size_t at = turned ? (size_t)c * (size_t)pass->o + (size_t)o
                                   : (size_t)o * (size_t)pass->c + (size_t)c;
                transform_kernel(w + at * 9, turned, kernel);
                for (int i = 0; i < PLACES; i++) to[(size_t)i * place] = kernel[i];
            }
    }
}

/* --- values ------------------------------------------------------------------------- */

static zf_winograd_runs runs_of(const zf_winograd *pass, const strips *s, int tile_row, int vector)
{
    int lanes = pass->kernels->lanes;
    zf_winograd_runs runs = {.plane = (size_t)pass->oh * (size_t)pass->ow};
    for (int run = 0; run < 2; run++)
        for (int i = 0; i < 2; i++) {
            int row = 2 * tile_row + (s->paired ? 2 * run : 0) + i;
            int column = s->paired ? 0 : (2 * vector + run) * lanes;
            if (row >= pass->oh || column >= pass->ow) continue;
            runs.at[run][i] = (size_t)row * (size_t)pass->ow + (size_t)column;
            runs.columns[run][i] = smaller(lanes, pass->ow - column);
        }
    return runs;
}

static void correlate_image(const zf_winograd *pass, const strips *s, const workspace *work,
                            const zf_winograd_values *job, const float *x, float *y)
{
    const zf_winograd_kernels *kernels = pass->kernels;
    zf_winograd_multiply product = {.tiles = work->tiles,
                                    .weights = work->weights,
                                    .c = pass->c,
                                    .o = pass->o,
                                    .product = work->product,
                                    .place = s->place};
    zf_winograd_settle to = {.product = work->product,
                             .place = s->place,
                             .bias = job->bias,
                             .o = pass->o,
                             .to = y,
                             .accumulate = job->accumulate};
    copy_lines(pass, s, x, 0, work->lines);
    for (int row = 0; row < s->tiles_h; row += s->tile_rows) {
        int later = 2 * (row + s->tile_rows) - pass->padding_h + s->rows, rows = s->rows - 2;
        product.ahead = rows_ahead(x, pass->c, pass->h, pass->w, later, rows);
        for (int v = 0; v < s->vectors; v++) {
            gather_tiles(pass, s, row, v, work);
            if (v + 1 == s->vectors) copy_lines(pass, s, x, row + s->tile_rows, work->lines);
            to.runs = runs_of(pass, s, row, v);
            kernels->multiply(&product);
            product.ahead.channels = 0;
            kernels->settle(&to);
        }
    }
}

size_t zf_winograd_correlate_scratch(const zf_winograd *pass)
{
    strips s = strips_of(pass);
    return workspace_of(pass, &s, NULL).bytes;
}

void zf_winograd_correlate(const zf_winograd *pass, const zf_winograd_values *job, void *scratch)
{
    strips s = strips_of(pass);
    workspace work = workspace_of(pass, &s, scratch);
    size_t x_image = (size_t)pass->c * (size_t)pass->h * (size_t)pass->w;
    size_t y_image = (size_t)pass->o * (size_t)pass->oh * (size_t)pass->ow;
    transform_weights(pass, job->w, job->turned, work.weights);
    memset(work.lines, 0, s.lines * sizeof(float));
    for (int i = 0; i < job->n; i++)
        correlate_image(pass, &s, &work, job, job->x + (size_t)i * x_image,
                        job->y + (size_t)i * y_image);
}

/* --- gradient of the weights ---------------------------------------------------------- */

typedef struct weighing {
    strips s;
    workspace work; /* weights are the sums [place][c][across], product the tiles of dy */
    size_t across;  /* outputs, in whole vectors */
    size_t dy_place;
} weighing;

static weighing weighing_of(const zf_winograd *pass, void *memory)
{
    size_t lanes = (size_t)pass->kernels->lanes;
    weighing w = {.s = strips_of(pass)};
    w.across = ((size_t)pass->o + lanes - 1) / lanes * lanes;
    w.dy_place = w.across * lanes + 16;
    w.work.weights = take(&w.work, memory, PLACES * (size_t)pass->c * w.across);
    w.work.lines = take(&w.work, memory, w.s.lines);
    w.work.tiles = take(&w.work, memory, PLACES * w.s.place);
    w.work.product = take(&w.work, memory, PLACES * w.dy_place);
    return w;
}

static void weigh_image(const zf_winograd *pass, const weighing *w, const float *x, const float *dy)
{
    const zf_winograd_kernels *kernels = pass->kernels;
    zf_winograd_disperse from = {
        .from = dy, .o = pass->o, .tiles = w->work.product, .place = w->dy_place};
    zf_winograd_weigh_job job = {.x = w->work.tiles,
                                 .dy = w->work.product,
                                 .x_place = w->s.place,
                                 .dy_place = w->dy_place,
                                 .c = pass->c,
                                 .o = pass->o,
                                 .sum = w->work.weights};
    const strips *s = &w->s;
    copy_lines(pass, s, x, 0, w->work.lines);
    for (int row = 0; row < s->tiles_h; row += s->tile_rows) {
        int next = row + s->tile_rows, rows = s->rows - 2;
        int later = 2 * next - pass->padding_h + s->rows;
        job.ahead_x = rows_ahead(x, pass->c, pass->h, pass->w, later, rows);
        job.ahead_dy = rows_ahead(dy, pass->o, pass->oh, pass->ow, 2 * next, rows);
        for (int v = 0; v < s->vectors; v++) {
            gather_tiles(pass, s, row, v, &w->work);
            if (v + 1 == s->vectors) copy_lines(pass, s, x, next, w->work.lines);
            from.runs = runs_of(pass, s, row, v);
            kernels->disperse(&from);
            kernels->weigh(&job);
            job.ahead_x.channels = job.ahead_dy.channels = 0;
        }
    }
}

/* to[i] = G' from, for four elements at a distance. */
static void narrow(const float *from, int step, float *to, int to_step)
{
    float even = 0.5f * (from[step] + from[2 * step]), odd = 0.5f * (from[step] - from[2 * step]);
    to[0] = from[0] + even;
    to[to_step] = odd;
    to[2 * to_step] = even + from[3 * step];
}

/* dw [o][c][3][3] = (accumulate ? dw : 0) + G' sum G. */
static void finish_weights(const zf_winograd *pass, const weighing *w, bool accumulate, float *dw)
{
    size_t place = (size_t)pass->c * w->across;
    for (int o = 0; o < pass->o; o++)
        for (int c = 0; c < pass->c; c++, dw += 9) {
            float sum[PLACES], half[12], kernel[9];
            for (int i = 0; i < PLACES; i++)
                sum[i] = w->work.weights[(size_t)i * place + (size_t)c * w->across + (size_t)o];
            for (int i = 0; i < 4; i++) narrow(sum + i, 4, half + i, 4);
            for (int i = 0; i < 3; i++) narrow(half + 4 * i, 1, kernel + 3 * i, 1);
            for (int i = 0; i < 9; i++) dw[i] = kernel[i] + (accumulate ? dw[i] : 0.0f);
        }
}

size_t zf_winograd_weigh_scratch(const zf_winograd *pass)
{
    return weighing_of(pass, NULL).work.bytes;
}

void zf_winograd_weigh(const zf_winograd *pass, int n, const float *x, const float *dy,
                       bool accumulate, float *dw, void *scratch)
{
    weighing w = weighing_of(pass, scratch);
    size_t x_image = (size_t)pass->c * (size_t)pass->h * (size_t)pass->w;
    size_t y_image = (size_t)pass->o * (size_t)pass->oh * (size_t)pass->ow;
    memset(w.work.weights, 0, PLACES * (size_t)pass->c * w.across * sizeof(float));
    memset(w.work.lines, 0, w.s.lines * sizeof(float));
    for (int i = 0; i < n; i++)
        weigh_image(pass, &w, x + (size_t)i * x_image, dy + (size_t)i * y_image);
    finish_weights(pass, &w, accumulate, dw);
}
