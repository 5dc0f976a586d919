/* Convolution around the inner kernels of isa/conv.c: padding, lists of
   positions, packing of weights.

   Images are copied, a small group at a time, into zero-padded planes, so that
   the inner kernels know no borders. A stride is taken out of the copy: the
   padded image is dealt out to stride_h x stride_w planes (phases), after which
   neighbouring outputs read neighbouring inputs for every tap. Backward data
   is the same correlation over the padded dy, once for each phase of dx, with
   the taps that reach that phase. So two inner kernels serve every geometry.

   Rows share their padding: the zeros left of a row are those right of the row
   before it, and the same goes for the images of a group, stacked in a plane.
   Where a row of the output is a whole number of vectors, they are written in
   place ("direct"). Elsewhere a vector runs on over the end of the row into the
   next one, garbage falls into the padding columns, and the good columns are
   copied out ("flat"). */
#include "kernel/conv.h"

#include <string.h>

#include "kernel/dispatch.h"
#include "kernel/reduce.h"

ZF_DISPATCH(zf_conv_kernels, zf_conv_kernels_of)

static const zf_conv_kernels *kernels_of(const zf_conv *conv)
{
    return conv->kernels ? conv->kernels : zf_conv_kernels_of();
}

/* Positions that a group of images has at least, where there are enough. */
enum { GROUP_POSITIONS = 1024 };

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int up_to_multiple(int n, int of)
{
    return (n + of - 1) / of * of;
}

static int output_size(int size, int kernel, int stride, int padding)
{
    int room = size + 2 * padding - kernel;
    return room < 0 ? 0 : room / stride + 1;
}

int zf_conv_output_h(const zf_conv *conv)
{
    return output_size(conv->h, conv->kh, conv->stride_h, conv->padding_h);
}

int zf_conv_output_w(const zf_conv *conv)
{
    return output_size(conv->w, conv->kw, conv->stride_w, conv->padding_w);
}

static bool side_fits(int size, int kernel, int stride, int padding)
{
    const int most = 1 << 28;
    return size > 0 && kernel > 0 && stride > 0 && padding >= 0 && size < most && kernel < most &&
           stride < most && padding < most / 4 && (int64_t)size + 2 * (int64_t)padding >= kernel;
}

bool zf_conv_fits(const zf_conv *conv)
{
    if (conv->c < 1 || conv->o < 1 ||
        !side_fits(conv->h, conv->kh, conv->stride_h, conv->padding_h) ||
        !side_fits(conv->w, conv->kw, conv->stride_w, conv->padding_w))
        return false;
    /* Either side of the convolution is padded by no more than kernel, stride
       and padding together. */
    double more_h = (double)conv->kh + conv->stride_h + 2.0 * conv->padding_h;
    double more_w = (double)conv->kw + conv->stride_w + 2.0 * conv->padding_w;
    double area = (conv->h + more_h) * (conv->w + more_w + 16);
    return area * (conv->c > conv->o ? conv->c : conv->o) < 1 << 28;
}

/* --- padded planes -------------------------------------------------------------

   Element (y, x) of the image lies in phase ((y + top) % phases_h,
   (x + left) % phases_w), at row (y + top) / phases_h and column
   (x + left) / phases_w of that plane. Planes are [channel][phase]. */
typedef struct padded {
    int channels, height, width;
    int top, left;
    int phases_h, phases_w;
    int rows, pitch; /* of one image in a plane */
    int images;      /* in a group, one below the other */
    size_t image;    /* floats from one to the next */
    size_t plane;    /* floats */
} padded;

/* One side: the distance from an image (row) to the next when the inner kernels
   read `reach` places of it. Padding is shared where there is one phase. */
static int padded_side(int before, int size, int phases, int reach)
{
    if (phases == 1) return larger(before + size, reach - before);
    return larger((before + size + phases - 1) / phases, reach);
}

static void padded_lay_out(padded *in, int reach_h, int reach_w, int lanes)
{
    in->rows = padded_side(in->top, in->height, in->phases_h, reach_h);
    in->pitch = padded_side(in->left, in->width, in->phases_w, reach_w);
    in->image = (size_t)in->rows * (size_t)in->pitch;
    in->images = larger(1, GROUP_POSITIONS / (in->rows * in->pitch));
    size_t rows = (size_t)(in->images - 1) * (size_t)in->rows + (size_t)larger(in->rows, reach_h);
    in->plane = (rows * (size_t)in->pitch + (size_t)reach_w + (size_t)lanes + 15) / 16 * 16;
}

static size_t padded_floats(const padded *in)
{
    return (size_t)in->channels * (size_t)(in->phases_h * in->phases_w) * in->plane;
}

/* The places of one side that fall into a phase: every phases-th from `first`. */
typedef struct phase_places {
    int first, count, row; /* row: the place of the first one in the phase's plane */
} phase_places;

static phase_places places_of_phase(int before, int size, int phases, int phase)
{
    int first = (phase - before % phases + phases) % phases;
    return (phase_places){.first = first,
                          .count = first < size ? (size - 1 - first) / phases + 1 : 0,
                          .row = (first + before) / phases};
}

/* Copies one image; borders are never written. */
static void padded_fill_one(const zf_conv_kernels *kernels, const padded *in, float *to,
                            const float *image)
{
    size_t area = (size_t)in->height * (size_t)in->width;
    for (int a = 0; a < in->phases_h; a++)
        for (int b = 0; b < in->phases_w; b++) {
            phase_places v = places_of_phase(in->top, in->height, in->phases_h, a);
            phase_places u = places_of_phase(in->left, in->width, in->phases_w, b);
            size_t phase = (size_t)(a * in->phases_w + b);
            size_t phases = (size_t)(in->phases_h * in->phases_w);
            for (int c = 0; c < in->channels; c++)
                kernels->copy(&(zf_conv_copy){
                    .to = to + ((size_t)c * phases + phase) * in->plane +
                          (size_t)(v.row * in->pitch + u.row),
                    .from = image + (size_t)c * area + (size_t)(v.first * in->width + u.first),
                    .to_pitch = (size_t)in->pitch,
                    .to_step = 1,
                    .from_pitch = (size_t)(in->phases_h * in->width),
                    .from_step = (size_t)in->phases_w,
                    .rows = v.count,
                    .cols = u.count,
                });
        }
}

/* Copies n images into planes that were cleared once. */
static void padded_fill(const zf_conv_kernels *kernels, const padded *in, float *to,
                        const float *images, int n)
{
    size_t size = (size_t)in->channels * (size_t)in->height * (size_t)in->width;
    for (int i = 0; i < n; i++)
        padded_fill_one(kernels, in, to + (size_t)i * in->image, images + (size_t)i * size);
}

/* --- where results go ------------------------------------------------------------

   Result (y, x), y < rows, x < cols, is computed at row first_row + y and column
   first_col + x of the padded planes, and belongs to row row0 + y row_step and
   column col0 + x col_step of an image of `channels` planes of height x width. */
typedef struct target {
    int rows, cols, first_row, first_col;
    int row0, row_step, col0, col_step;
    int channels, height, width;
} target;

static bool is_direct(const target *to, int lanes)
{
    return to->cols % lanes == 0 && to->col_step == 1;
}

/* Positions of one image when vectors run over the ends of rows. */
static int flat_length(const target *to, const padded *in, int lanes)
{
    return up_to_multiple((to->rows - 1) * in->pitch + to->cols, lanes);
}

static int vectors_an_image(const target *to, const padded *in, int lanes)
{
    if (is_direct(to, lanes)) return to->rows * (to->cols / lanes);
    return flat_length(to, in, lanes) / lanes;
}

/* Fills in the two lists for a whole group. */
static void list_vectors(const target *to, const padded *in, int lanes, int32_t *in_list,
                         int32_t *out_list)
{
    int n = 0, image = to->channels * to->height * to->width;
    int flat = flat_length(to, in, lanes);
    bool direct = is_direct(to, lanes);
    int runs = direct ? to->rows : 1, run = direct ? to->cols : flat;
    for (int i = 0; i < in->images; i++)
        for (int y = 0; y < runs; y++)
            for (int x = 0; x < run; x += lanes, n++) {
                in_list[n] = (i * in->rows + to->first_row + y) * in->pitch + to->first_col + x;
                out_list[n] =
                    direct ? i * image + (to->row0 + y * to->row_step) * to->width + to->col0 + x
                           : i * flat + x;
            }
}

/* From the flat planes [channel][image][length] to n images. */
static void copy_out(const zf_conv_kernels *kernels, const target *to, const padded *in,
                     const float *flat, int n, bool accumulate, float *result)
{
    size_t length = (size_t)flat_length(to, in, kernels->lanes);
    size_t area = (size_t)to->height * (size_t)to->width;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < to->channels; c++)
            kernels->copy(&(zf_conv_copy){
                .to = result + ((size_t)i * to->channels + (size_t)c) * area +
                      (size_t)(to->row0 * to->width + to->col0),
                .from = flat + ((size_t)c * in->images + (size_t)i) * length,
                .to_pitch = (size_t)(to->row_step * to->width),
                .to_step = (size_t)to->col_step,
                .from_pitch = (size_t)in->pitch,
                .from_step = 1,
                .rows = to->rows,
                .cols = to->cols,
                .accumulate = accumulate,
            });
}

/* --- scratch ---------------------------------------------------------------------- */

typedef struct scratch {
    unsigned char *next; /* NULL while sizes are being added up */
    size_t bytes;
} scratch;

/* A piece for n elements of 4 bytes, on its own cache lines. */
static void *take(scratch *from, size_t n)
{
    size_t bytes = (n * 4 + 63) / 64 * 64;
    void *piece = from->next ? from->next + from->bytes : NULL;
    from->bytes += bytes;
    return piece;
}

/* --- correlation over a batch ------------------------------------------------------- */

/* What a correlation needs in scratch, for all targets of one padded input. */
typedef struct workspace {
    float *padded, *flat, *weights;
    int32_t *offset, *in_list, *out_list;
} workspace;

static workspace workspace_take(scratch *from, const padded *in, const target *largest, int taps,
                                int lanes)
{
    size_t vectors = (size_t)in->images * vectors_an_image(largest, in, lanes);
    size_t flat = (size_t)in->images * flat_length(largest, in, lanes);
    return (workspace){
        .padded = take(from, padded_floats(in)),
        .flat = take(from, is_direct(largest, lanes) ? 0 : flat * (size_t)largest->channels),
        .weights = take(from, (size_t)taps * (size_t)largest->channels),
        .offset = take(from, (size_t)taps),
        .in_list = take(from, vectors),
        .out_list = take(from, vectors),
    };
}

typedef struct images {
    int n;
    const float *from;
    float *to;
    const float *bias;
    bool accumulate;
} images;

/* Weights and offsets are in place; pads, correlates and copies out by groups. */
static void correlate_batch(const zf_conv_kernels *kernels, const padded *in, const target *to,
                            int taps, const workspace *work, images batch)
{
    bool direct = is_direct(to, kernels->lanes);
    size_t from_image = (size_t)in->channels * in->height * in->width;
    size_t to_area = (size_t)to->height * to->width, to_image = to_area * to->channels;
    int vectors = vectors_an_image(to, in, kernels->lanes);
    list_vectors(to, in, kernels->lanes, work->in_list, work->out_list);
    for (int i = 0; i < batch.n; i += in->images) {
        int n = smaller(in->images, batch.n - i);
        float *out = batch.to + (size_t)i * to_image;
        padded_fill(kernels, in, work->padded, batch.from + (size_t)i * from_image, n);
        kernels->correlate(&(zf_conv_correlate){
            .in = work->padded,
            .pixels = {work->in_list, work->out_list, n * vectors},
            .offset = work->offset,
            .taps = taps,
            .weights = work->weights,
            .bias = batch.bias,
            .outputs = to->channels,
            .out = direct ? out : work->flat,
            .out_plane =
                direct ? to_area : (size_t)in->images * flat_length(to, in, kernels->lanes),
            .accumulate = direct && batch.accumulate,
        });
        if (!direct) copy_out(kernels, to, in, work->flat, n, batch.accumulate, out);
    }
}

/* --- forward --------------------------------------------------------------------------- */

/* Input planes of forward and backward weights, and where their results lie. */
static void lay_out_input(const zf_conv *conv, int lanes, padded *in, target *to)
{
    int oh = zf_conv_output_h(conv), ow = zf_conv_output_w(conv);
    *in = (padded){.channels = conv->c,
                   .height = conv->h,
                   .width = conv->w,
                   .top = conv->padding_h,
                   .left = conv->padding_w,
                   .phases_h = conv->stride_h,
                   .phases_w = conv->stride_w};
    padded_lay_out(in, oh + (conv->kh - 1) / conv->stride_h, ow + (conv->kw - 1) / conv->stride_w,
                   lanes);
    *to = (target){.rows = oh,
                   .cols = ow,
                   .row_step = 1,
                   .col_step = 1,
                   .channels = conv->o,
                   .height = oh,
                   .width = ow};
}

/* offset[c][ky][kx] of the padded input. */
static void list_offsets(const zf_conv *conv, const padded *in, int32_t *offset)
{
    for (int c = 0; c < conv->c; c++)
        for (int ky = 0; ky < conv->kh; ky++)
            for (int kx = 0; kx < conv->kw; kx++) {
                int phase = ky % in->phases_h * in->phases_w + kx % in->phases_w;
                int plane = c * in->phases_h * in->phases_w + phase;
                *offset++ = (int32_t)((size_t)plane * in->plane) + ky / in->phases_h * in->pitch +
                            kx / in->phases_w;
            }
}

/* w [outputs][taps] to blocks of [taps][block]. */
static void pack_weights(const zf_conv_kernels *kernels, int outputs, int taps, const float *w,
                         float *packed)
{
    for (int o = 0, block; o < outputs; o += block) {
        block = zf_conv_block(outputs, kernels->block, o);
        for (int k = 0; k < taps; k++)
            for (int i = 0; i < block; i++) *packed++ = w[(size_t)(o + i) * taps + k];
    }
}

static int taps_of(const zf_conv *conv)
{
    return conv->c * conv->kh * conv->kw;
}

size_t zf_conv_forward_scratch(const zf_conv *conv)
{
    padded in;
    target to;
    scratch size = {0};
    int lanes = kernels_of(conv)->lanes;
    lay_out_input(conv, lanes, &in, &to);
    workspace_take(&size, &in, &to, taps_of(conv), lanes);
    return size.bytes;
}

void zf_conv_forward(const zf_conv *conv, int n, const float *x, const float *w, const float *bias,
                     bool accumulate, float *y, void *memory)
{
    const zf_conv_kernels *kernels = kernels_of(conv);
    padded in;
    target to;
    scratch from = {memory, 0};
    lay_out_input(conv, kernels->lanes, &in, &to);
    workspace work = workspace_take(&from, &in, &to, taps_of(conv), kernels->lanes);
    list_offsets(conv, &in, work.offset);
    pack_weights(kernels, conv->o, taps_of(conv), w, work.weights);
    memset(work.padded, 0, padded_floats(&in) * sizeof(float));
    correlate_batch(kernels, &in, &to, taps_of(conv), &work, (images){n, x, y, bias, accumulate});
}

/* --- backward data ------------------------------------------------------------------------

   Along one dimension, with q = i + padding for input place i: dy[j] reaches i
   through tap k where q = j stride + k. So the places with q % stride = phase
   are reached by the taps phase, phase + stride, ..., and with m = q / stride
   tap phase + t stride reads dy[m - t]. */

/* Places i = first + y step, y < count, of one phase; m of the first one. */
typedef struct phase_side {
    int first, count, m, taps;
} phase_side;

static phase_side side_of_phase(int size, int kernel, int stride, int padding, int phase)
{
    int m = larger(0, (padding - phase + stride - 1) / stride); /* phase < stride, so >= 0 */
    int first = m * stride + phase - padding;
    return (phase_side){
        .first = first,
        .count = first < size ? (size - 1 - first) / stride + 1 : 0,
        .m = m,
        .taps = phase < kernel ? (kernel - 1 - phase) / stride + 1 : 0,
    };
}

/* Zeros that dy needs in front of it. */
static int before_dy(int kernel, int stride, int padding)
{
    return larger(0, (kernel - 1) / stride - padding / stride);
}

static padded lay_out_gradient(const zf_conv *conv, int lanes)
{
    padded in = {.channels = conv->o,
                 .height = zf_conv_output_h(conv),
                 .width = zf_conv_output_w(conv),
                 .top = before_dy(conv->kh, conv->stride_h, conv->padding_h),
                 .left = before_dy(conv->kw, conv->stride_w, conv->padding_w),
                 .phases_h = 1,
                 .phases_w = 1};
    padded_lay_out(&in, (conv->padding_h + conv->h - 1) / conv->stride_h + 1 + in.top,
                   (conv->padding_w + conv->w - 1) / conv->stride_w + 1 + in.left, lanes);
    return in;
}

static target target_of_phase(const zf_conv *conv, const padded *in, phase_side v, phase_side u)
{
    return (target){.rows = v.count,
                    .cols = u.count,
                    .first_row = v.m + in->top,
                    .first_col = u.m + in->left,
                    .row0 = v.first,
                    .row_step = conv->stride_h,
                    .col0 = u.first,
                    .col_step = conv->stride_w,
                    .channels = conv->c,
                    .height = conv->h,
                    .width = conv->w};
}

/* The phase with the most places and the most taps of each dimension bounds
   what any phase needs. */
static workspace gradient_workspace(scratch *from, const zf_conv *conv, const padded *in, int lanes)
{
    phase_side v = {.count = (conv->h - 1) / conv->stride_h + 1};
    phase_side u = {.count = (conv->w - 1) / conv->stride_w + 1};
    target most = target_of_phase(conv, in, v, u);
    int taps =
        conv->o * ((conv->kh - 1) / conv->stride_h + 1) * ((conv->kw - 1) / conv->stride_w + 1);
    return workspace_take(from, in, &most, taps, lanes);
}

size_t zf_conv_backward_data_scratch(const zf_conv *conv)
{
    scratch size = {0};
    int lanes = kernels_of(conv)->lanes;
    padded in = lay_out_gradient(conv, lanes);
    gradient_workspace(&size, conv, &in, lanes);
    return size.bytes;
}

/* Offsets [o][t][s] of the taps of a phase. */
static void list_gradient_offsets(const zf_conv *conv, const padded *in, phase_side v, phase_side u,
                                  int32_t *offset)
{
    for (int o = 0; o < conv->o; o++)
        for (int t = 0; t < v.taps; t++)
            for (int s = 0; s < u.taps; s++)
                *offset++ = (int32_t)((size_t)o * in->plane) - t * in->pitch - s;
}

/* Blocks of channels c, each [o][t][s][block]. */
static void pack_gradient_weights(const zf_conv *conv, const zf_conv_kernels *kernels, int phase_h,
                                  int phase_w, const float *w, float *packed)
{
    size_t area = (size_t)conv->kh * conv->kw;
    for (int c = 0, block; c < conv->c; c += block) {
        block = zf_conv_block(conv->c, kernels->block, c);
        for (int o = 0; o < conv->o; o++)
            for (int ky = phase_h; ky < conv->kh; ky += conv->stride_h)
                for (int kx = phase_w; kx < conv->kw; kx += conv->stride_w)
                    for (int i = 0; i < block; i++)
                        *packed++ = w[((size_t)o * conv->c + (size_t)(c + i)) * area +
                                      (size_t)ky * conv->kw + (size_t)kx];
    }
}

void zf_conv_backward_data(const zf_conv *conv, int n, const float *dy, const float *w,
                           const float *bias, bool accumulate, float *dx, void *memory)
{
    const zf_conv_kernels *kernels = kernels_of(conv);
    padded in = lay_out_gradient(conv, kernels->lanes);
    scratch from = {memory, 0};
    workspace work = gradient_workspace(&from, conv, &in, kernels->lanes);
    memset(work.padded, 0, padded_floats(&in) * sizeof(float));
    for (int a = 0; a < conv->stride_h; a++)
        for (int b = 0; b < conv->stride_w; b++) {
            phase_side v = side_of_phase(conv->h, conv->kh, conv->stride_h, conv->padding_h, a);
            phase_side u = side_of_phase(conv->w, conv->kw, conv->stride_w, conv->padding_w, b);
            if (v.count == 0 || u.count == 0) continue;
            target to = target_of_phase(conv, &in, v, u);
            list_gradient_offsets(conv, &in, v, u, work.offset);
            pack_gradient_weights(conv, kernels, a, b, w, work.weights);
            correlate_batch(kernels, &in, &to, conv->o * v.taps * u.taps, &work,
                            (images){n, dy, dx, bias, accumulate});
        }
}

/* --- backward weights ------------------------------------------------------------------------ */

/* dy with the pitch of the padded input and zeros wherever there is no output,
   for widths that are not whole vectors. */
static padded lay_out_flat(const padded *in, const target *to, int lanes)
{
    size_t length = (size_t)flat_length(to, in, lanes);
    return (padded){.channels = to->channels,
                    .height = to->rows,
                    .width = to->cols,
                    .phases_h = 1,
                    .phases_w = 1,
                    .pitch = in->pitch,
                    .images = in->images,
                    .image = length,
                    .plane = (size_t)in->images * length};
}

size_t zf_conv_backward_weights_scratch(const zf_conv *conv)
{
    return zf_conv_forward_scratch(conv);
}

void zf_conv_backward_weights(const zf_conv *conv, int n, const float *x, const float *dy,
                              bool accumulate, float *dw, void *memory)
{
    const zf_conv_kernels *kernels = kernels_of(conv);
    padded in;
    target to;
    scratch from = {memory, 0};
    lay_out_input(conv, kernels->lanes, &in, &to);
    workspace work = workspace_take(&from, &in, &to, taps_of(conv), kernels->lanes);
    padded flat = lay_out_flat(&in, &to, kernels->lanes);
    bool direct = is_direct(&to, kernels->lanes);
    size_t x_image = (size_t)in.channels * in.height * in.width;
    size_t y_area = (size_t)to.height * to.width, y_image = y_area * to.channels;
    int vectors = vectors_an_image(&to, &in, kernels->lanes);

    if (!accumulate) memset(dw, 0, (size_t)conv->o * taps_of(conv) * sizeof *dw);
    memset(work.padded, 0, padded_floats(&in) * sizeof(float));
    if (!direct) memset(work.flat, 0, padded_floats(&flat) * sizeof(float));
    list_offsets(conv, &in, work.offset);
    list_vectors(&to, &in, kernels->lanes, work.in_list, work.out_list);
    for (int i = 0; i < n; i += in.images) {
        int group = smaller(in.images, n - i);
        const float *out = dy + (size_t)i * y_image;
        padded_fill(kernels, &in, work.padded, x + (size_t)i * x_image, group);
        if (!direct) padded_fill(kernels, &flat, work.flat, out, group);
        kernels->weigh(&(zf_conv_weigh){
            .in = work.padded,
            .pixels = {work.in_list, work.out_list, group * vectors},
            .offset = work.offset,
            .taps = taps_of(conv),
            .out = direct ? out : work.flat,
            .out_plane = direct ? y_area : flat.plane,
            .outputs = conv->o,
            .sum = dw,
        });
    }
}

void zf_conv_backward_bias(int n, int channels, size_t pixels, const float *dy, bool accumulate,
                           float *db)
{
    const zf_reduce_kernels *reduce = zf_reduce();
    for (int c = 0; c < channels; c++) {
        double sum = accumulate ? (double)db[c] : 0.0;
        for (int i = 0; i < n; i++)
            sum += reduce->sum(dy + ((size_t)i * (size_t)channels + (size_t)c) * pixels, pixels);
        db[c] = (float)sum;
    }
}
