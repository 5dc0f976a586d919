/* Convolution around the inner kernels of isa/conv.c: the three passes. 3x3
   convolutions with channels enough go another way (conv_winograd.h), and so do some
   of strides (conv_product.h). Stacks of 3x3 convolutions of images do not come
   here where they are one operation (conv_stack.h).

   Images are copied into zero-padded planes from which a stride has been taken
   out (conv_layout.h), so that the inner kernels know neither borders nor
   strides. Backward data is the same correlation as forward, over the padded
   dy, once for each phase of dx, with the taps that reach that phase. So two
   inner kernels serve every geometry.

   Rejected: oneDNN 2.6 (bench/conv_onednn.c measures both in one run). In plain
   NCHW, which the rest of the engine wants, forward and backward together, in
   GFLOP/s of one thread with AVX2: 16 -> 16 channels at 32x32, ours 79, oneDNN
   68; 10 -> 16, 78 and 43; 16 -> 3, 69 and 21; 32 -> 32 at 16x16, 81 and 82;
   64 -> 64 at 8x8, 79 and 92. With AVX-512: 142 and 115, 135 and 69, 105 and 23,
   153 and 155, 118 and 174. It wins where channels are many and images small,
   by what its blocked layout saves, and loses by more where channels are few.
   Rejected too, where channels are few: im2col with gemm, which writes and reads nine
   times the input. */
#include "kernel/conv.h"

#include <string.h>

#include "kernel/conv_layout.h"
#include "kernel/conv_product.h"
#include "kernel/conv_winograd.h"
#include "kernel/dispatch.h"
#include "kernel/pieces.h"
#include "kernel/reduce.h"

ZF_DISPATCH(zf_conv_kernels, zf_conv_kernels_of)

static const zf_conv_kernels *kernels_of(const zf_conv *conv)
{
    return conv->kernels ? conv->kernels : zf_conv_kernels_of();
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
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

/* --- scratch ---------------------------------------------------------------------- */

typedef struct scratch {
    void *memory; /* NULL while sizes are being added up */
    size_t bytes;
} scratch;

/* A piece for n elements of 4 bytes. */
static void *take(scratch *from, size_t n)
{
    return zf_take_piece(from->memory, &from->bytes, n * 4);
}

/* --- correlation over a batch ------------------------------------------------------- */

/* What a correlation needs in scratch, for all targets of one padded input. */
typedef struct workspace {
    float *padded, *flat, *weights;
    int32_t *offset, *in_list, *out_list;
} workspace;

static workspace workspace_take(scratch *from, const zf_conv_planes *in,
                                const zf_conv_target *largest, int taps)
{
    size_t vectors = (size_t)in->images * zf_conv_vectors(largest, in);
    size_t flat = (size_t)in->images * zf_conv_flat_length(largest, in);
    return (workspace){
        .padded = take(from, zf_conv_planes_size(in)),
        .flat = take(from, in->direct ? 0 : flat * (size_t)largest->channels),
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
static void correlate_batch(const zf_conv_kernels *kernels, const zf_conv_planes *in,
                            const zf_conv_target *to, int taps, const workspace *work, images batch)
{
    bool direct = in->direct;
    size_t from_image = (size_t)in->channels * in->height * in->width;
    size_t to_area = (size_t)to->height * to->width, to_image = to_area * to->channels;
    int vectors = zf_conv_vectors(to, in);
    zf_conv_list_vectors(to, in, work->in_list, work->out_list);
    for (int i = 0; i < batch.n; i += in->images) {
        int n = smaller(in->images, batch.n - i);
        float *out = batch.to + (size_t)i * to_image;
        zf_conv_fill(kernels, in, work->padded, batch.from + (size_t)i * from_image, n);
        kernels->correlate(&(zf_conv_correlate){
            .in = work->padded,
            .pixels = {work->in_list, work->out_list, n * vectors},
            .offset = work->offset,
            .taps = taps,
            .weights = work->weights,
            .bias = batch.bias,
            .outputs = to->channels,
            .out = direct ? out : work->flat,
            .out_plane = direct ? to_area : (size_t)in->images * zf_conv_flat_length(to, in),
            .accumulate = direct && batch.accumulate,
        });
        if (!direct) zf_conv_copy_out(kernels, to, in, work->flat, n, batch.accumulate, out);
    }
}

/* --- forward --------------------------------------------------------------------------- */

/* Input planes of forward and backward weights, and where their results lie. */
static void lay_out_input(const zf_conv *conv, zf_conv_planes *in, zf_conv_target *to)
{
    int oh = zf_conv_output_h(conv), ow = zf_conv_output_w(conv), lanes = kernels_of(conv)->lanes;
    *in = (zf_conv_planes){.channels = conv->c,
                           .height = conv->h,
                           .width = conv->w,
                           .top = conv->padding_h,
                           .left = conv->padding_w,
                           .phases_h = conv->stride_h,
                           .phases_w = conv->stride_w,
                           .reach_h = oh + (conv->kh - 1) / conv->stride_h,
                           .reach_w = ow + (conv->kw - 1) / conv->stride_w,
                           .direct = ow % lanes == 0};
    zf_conv_lay_out(in, lanes);
    *to = (zf_conv_target){.rows = oh,
                           .cols = ow,
                           .row_step = 1,
                           .col_step = 1,
                           .channels = conv->o,
                           .height = oh,
                           .width = ow};
}

/* offset[c][ky][kx] of the padded input. */
static void list_offsets(const zf_conv *conv, const zf_conv_planes *in, int32_t *offset)
{
    for (int c = 0; c < conv->c; c++)
        for (int ky = 0; ky < conv->kh; ky++)
            for (int kx = 0; kx < conv->kw; kx++) {
                int phase = ky % in->phases_h * in->phases_w + kx % in->phases_w;
                *offset++ = (int32_t)zf_conv_plane_at(in, c, phase) +
                            ky / in->phases_h * in->pitch + kx / in->phases_w;
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

static size_t direct_scratch(const zf_conv *conv)
{
    zf_conv_planes in;
    zf_conv_target to;
    scratch size = {0};
    lay_out_input(conv, &in, &to);
    workspace_take(&size, &in, &to, taps_of(conv));
    return size.bytes;
}

size_t zf_conv_forward_scratch(const zf_conv *conv)
{
    if (zf_product_suits(conv)) return zf_product_scratch(conv);
    zf_winograd pass;
    return zf_winograd_of_forward(conv, &pass) ? zf_winograd_correlate_scratch(&pass)
                                               : direct_scratch(conv);
}

void zf_conv_forward(const zf_conv *conv, int n, const float *x, const float *w, const float *bias,
                     bool accumulate, float *y, void *memory)
{
    if (zf_product_suits(conv)) {
        zf_product_forward(conv, n, x, w, bias, accumulate, y, memory);
        return;
    }
    zf_winograd pass;
    if (zf_winograd_of_forward(conv, &pass)) {
        zf_winograd_values job = {n, x, w, bias, false, accumulate, y};
        zf_winograd_correlate(&pass, &job, memory);
        return;
    }
    const zf_conv_kernels *kernels = kernels_of(conv);
    zf_conv_planes in;
    zf_conv_target to;
    scratch from = {memory, 0};
    lay_out_input(conv, &in, &to);
    workspace work = workspace_take(&from, &in, &to, taps_of(conv));
    list_offsets(conv, &in, work.offset);
    pack_weights(kernels, conv->o, taps_of(conv), w, work.weights);
    memset(work.padded, 0, zf_conv_planes_size(&in) * sizeof(float));
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

static zf_conv_planes lay_out_gradient(const zf_conv *conv)
{
    int lanes = kernels_of(conv)->lanes;
    zf_conv_planes in = {.channels = conv->o,
                         .height = zf_conv_output_h(conv),
                         .width = zf_conv_output_w(conv),
                         .top = before_dy(conv->kh, conv->stride_h, conv->padding_h),
                         .left = before_dy(conv->kw, conv->stride_w, conv->padding_w),
                         .phases_h = 1,
                         .phases_w = 1,
                         .direct = conv->stride_w == 1 && conv->w % lanes == 0};
    in.reach_h = (conv->padding_h + conv->h - 1) / conv->stride_h + 1 + in.top;
    in.reach_w = (conv->padding_w + conv->w - 1) / conv->stride_w + 1 + in.left;
    zf_conv_lay_out(&in, lanes);
    return in;
}

static zf_conv_target target_of_phase(const zf_conv *conv, const zf_conv_planes *in, phase_side v,
                                      phase_side u)
{
    return (zf_conv_target){.rows = v.count,
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
static workspace gradient_workspace(scratch *from, const zf_conv *conv, const zf_conv_planes *in)
{
    phase_side v = {.count = (conv->h - 1) / conv->stride_h + 1};
    phase_side u = {.count = (conv->w - 1) / conv->stride_w + 1};
    zf_conv_target most = target_of_phase(conv, in, v, u);
    int taps =
        conv->o * ((conv->kh - 1) / conv->stride_h + 1) * ((conv->kw - 1) / conv->stride_w + 1);
    return workspace_take(from, in, &most, taps);
}

size_t zf_conv_backward_data_scratch(const zf_conv *conv)
{
    if (zf_product_suits(conv)) return zf_product_scratch(conv);
    zf_winograd pass;
    if (zf_winograd_of_backward_data(conv, &pass)) return zf_winograd_correlate_scratch(&pass);
    scratch size = {0};
    zf_conv_planes in = lay_out_gradient(conv);
    gradient_workspace(&size, conv, &in);
    return size.bytes;
}

/* Offsets [o][t][s] of the taps of a phase. */
static void list_gradient_offsets(const zf_conv *conv, const zf_conv_planes *in, phase_side v,
                                  phase_side u, int32_t *offset)
{
    for (int o = 0; o < conv->o; o++)
        for (int t = 0; t < v.taps; t++)
            for (int s = 0; s < u.taps; s++)
                *offset++ = (int32_t)zf_conv_plane_at(in, o, 0) - t * in->pitch - s;
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
    if (zf_product_suits(conv)) {
        zf_product_backward_data(conv, n, dy, w, bias, accumulate, dx, memory);
        return;
    }
    zf_winograd pass;
    if (zf_winograd_of_backward_data(conv, &pass)) {
        zf_winograd_values job = {n, dy, w, bias, true, accumulate, dx};
        zf_winograd_correlate(&pass, &job, memory);
        return;
    }
    const zf_conv_kernels *kernels = kernels_of(conv);
    zf_conv_planes in = lay_out_gradient(conv);
    scratch from = {memory, 0};
    workspace work = gradient_workspace(&from, conv, &in);
    memset(work.padded, 0, zf_conv_planes_size(&in) * sizeof(float));
    for (int a = 0; a < conv->stride_h; a++)
        for (int b = 0; b < conv->stride_w; b++) {
            phase_side v = side_of_phase(conv->h, conv->kh, conv->stride_h, conv->padding_h, a);
            phase_side u = side_of_phase(conv->w, conv->kw, conv->stride_w, conv->padding_w, b);
            if (v.count == 0 || u.count == 0) continue;
            zf_conv_target to = target_of_phase(conv, &in, v, u);
            list_gradient_offsets(conv, &in, v, u, work.offset);
            pack_gradient_weights(conv, kernels, a, b, w, work.weights);
            correlate_batch(kernels, &in, &to, conv->o * v.taps * u.taps, &work,
                            (images){n, dy, dx, bias, accumulate});
        }
}

/* --- backward weights ------------------------------------------------------------------------ */

/* dy with the pitch of the padded input and zeros wherever there is no output,
   for widths that are not whole vectors. */
static zf_conv_planes lay_out_flat(const zf_conv_planes *in, const zf_conv_target *to)
{
    size_t length = (size_t)zf_conv_flat_length(to, in);
    return (zf_conv_planes){.channels = to->channels,
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
    if (zf_product_suits(conv)) return zf_product_scratch(conv);
    zf_winograd pass;
    return zf_winograd_of_backward_weights(conv, &pass) ? zf_winograd_weigh_scratch(&pass)
                                                        : direct_scratch(conv);
}

void zf_conv_backward_weights(const zf_conv *conv, int n, const float *x, const float *dy,
                              bool accumulate, float *dw, void *memory)
{
    if (zf_product_suits(conv)) {
        zf_product_backward_weights(conv, n, x, dy, accumulate, dw, memory);
        return;
    }
    zf_winograd pass;
    if (zf_winograd_of_backward_weights(conv, &pass)) {
        zf_winograd_weigh(&pass, n, x, dy, accumulate, dw, memory);
        return;
    }
    const zf_conv_kernels *kernels = kernels_of(conv);
    zf_conv_planes in;
    zf_conv_target to;
    scratch from = {memory, 0};
    lay_out_input(conv, &in, &to);
    workspace work = workspace_take(&from, &in, &to, taps_of(conv));
    zf_conv_planes flat = lay_out_flat(&in, &to);
    bool direct = in.direct;
    size_t x_image = (size_t)in.channels * in.height * in.width;
    size_t y_area = (size_t)to.height * to.width, y_image = y_area * to.channels;
    int vectors = zf_conv_vectors(&to, &in);

    if (!accumulate) memset(dw, 0, (size_t)conv->o * taps_of(conv) * sizeof *dw);
    memset(work.padded, 0, zf_conv_planes_size(&in) * sizeof(float));
    if (!direct) memset(work.flat, 0, zf_conv_planes_size(&flat) * sizeof(float));
    list_offsets(conv, &in, work.offset);
    zf_conv_list_vectors(&to, &in, work.in_list, work.out_list);
    for (int i = 0; i < n; i += in.images) {
        int group = smaller(in.images, n - i);
        const float *out = dy + (size_t)i * y_image;
        zf_conv_fill(kernels, &in, work.padded, x + (size_t)i * x_image, group);
        if (!direct) zf_conv_fill(kernels, &flat, work.flat, out, group);
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
