#include "kernel/conv_product.h"

#include "kernel/dispatch.h"
#include "kernel/panel.h"
#include "kernel/pieces.h"

ZF_DISPATCH(zf_product_kernels, zf_product_kernels_of)

enum {
    LEAST_CHANNELS = 16, /* on either side */
    PIECE = 96 * 1024,   /* floats of patches at a time: a share of the second cache */
};

bool zf_product_suits(const zf_conv *conv)
{
    bool small = conv->kh == 3 && conv->kw == 3 && conv->stride_h == 1 && conv->stride_w == 1;
    return conv->c >= LEAST_CHANNELS && conv->o >= LEAST_CHANNELS && !small &&
           conv->kh * conv->kw > 1;
}

typedef struct sizes {
    zf_product_runs runs;
    int outputs;
    size_t in, out; /* pixels of an image on either side */
    int depth;      /* of a patch: taps x C */
    int images;     /* at a time */
    bool quick;
} sizes;

static sizes sizes_of(const zf_conv *conv)
{
    sizes s = {.runs = {.c = conv->c,
                        .h = conv->h,
                        .w = conv->w,
                        .oh = zf_conv_output_h(conv),
                        .ow = zf_conv_output_w(conv),
                        .kh = conv->kh,
                        .kw = conv->kw,
                        .stride_h = conv->stride_h,
                        .stride_w = conv->stride_w,
                        .padding_h = conv->padding_h,
                        .padding_w = conv->padding_w},
               .outputs = conv->o,
               .depth = conv->kh * conv->kw * conv->c,
               .quick = conv->quick};
    s.in = (size_t)conv->h * (size_t)conv->w;
    s.out = (size_t)s.runs.oh * (size_t)s.runs.ow;
    size_t images = PIECE / (s.out * (size_t)s.depth);
    s.images = images < 1 ? 1 : (int)images;
    return s;
}

/* What the passes need in scratch; pointers are NULL while sizes are being added up. */
typedef struct workspace {
    float *weights; /* [O, taps, C]: the kernel, or its gradient */
    float *pixels;  /* of one image on the side of C */
    float *patches; /* of s.images */
    float *outputs; /* [s.images x out, O] */
    float *packed;
    size_t bytes;
} workspace;

static const zf_panel_kernels *panel_for(const sizes *s, int k, int n)
{
    return s->quick ? zf_panel_quick_for(k, n) : zf_panel_for(k, n);
}

static size_t largest_packed(const sizes *s)
{
    int rows = s->images * (int)s->out,
        shapes[][2] = {{s->depth, s->outputs}, {s->outputs, s->depth}, {rows, s->depth}};
    size_t most = 0;
    for (int i = 0; i < 3; i++) {
        size_t bytes = panel_for(s, shapes[i][0], shapes[i][1])->bytes(shapes[i][0], shapes[i][1]);
        if (bytes > most) most = bytes;
    }
    return most;
}

static workspace workspace_in(const sizes *s, void *memory)
{
    workspace work = {0};
    size_t rows = (size_t)s->images * s->out, depth = (size_t)s->depth;
    work.weights = zf_take_piece(memory, &work.bytes, (size_t)s->outputs * depth * sizeof(float));
    work.pixels = zf_take_piece(memory, &work.bytes, s->in * (size_t)s->runs.c * sizeof(float));
    work.patches = zf_take_piece(memory, &work.bytes, rows * depth * sizeof(float));
    work.outputs = zf_take_piece(memory, &work.bytes, rows * (size_t)s->outputs * sizeof(float));
    work.packed = zf_take_piece(memory, &work.bytes, largest_packed(s));
    return work;
}

size_t zf_product_scratch(const zf_conv *conv)
{
    sizes s = sizes_of(conv);
    return workspace_in(&s, NULL).bytes;
}

/* The taps of each output's kernel before its channels. */
static void turn_weights(const sizes *s, float *to, const float *w)
{
    size_t c = (size_t)s->runs.c, taps = (size_t)s->depth / c;
    for (int o = 0; o < s->outputs; o++)
        zf_product_kernels_of()->to_pixels(to + (size_t)o * taps * c, w + (size_t)o * taps * c, c,
                                           taps);
}

/* Patches of n images of x. */
static void gather(const sizes *s, const workspace *work, const float *x, int n)
{
    size_t c = (size_t)s->runs.c;
    for (int i = 0; i < n; i++) {
        zf_product_kernels_of()->to_pixels(work->pixels, x + (size_t)i * s->in * c, c, s->in);
        zf_product_kernels_of()->gather(
            &s->runs, work->patches + (size_t)i * s->out * (size_t)s->depth, work->pixels);
    }
}

/* n images of y, with the outputs of a pixel side by side. */
static void gather_outputs(const sizes *s, const workspace *work, const float *y, int n)
{
    size_t o = (size_t)s->outputs;
    for (int i = 0; i < n; i++)
        zf_product_kernels_of()->to_pixels(work->outputs + (size_t)i * s->out * o,
                                           y + (size_t)i * s->out * o, o, s->out);
}

static int piece_of(const sizes *s, int left)
{
    return left < s->images ? left : s->images;
}

void zf_product_forward(const zf_conv *conv, int n, const float *x, const float *w,
                        const float *bias, bool accumulate, float *y, void *scratch)
{
    sizes s = sizes_of(conv);
    workspace work = workspace_in(&s, scratch);
    const zf_panel_kernels *panel = panel_for(&s, s.depth, s.outputs);
    size_t in = s.in * (size_t)s.runs.c, out = s.out * (size_t)s.outputs;
    turn_weights(&s, work.weights, w);
    panel->pack_transposed(work.packed, work.weights, s.depth, s.depth, s.outputs);
    for (int i = 0, images; i < n; i += images) {
        images = piece_of(&s, n - i);
        gather(&s, &work, x + (size_t)i * in, images);
        panel->multiply(work.outputs, s.outputs, work.patches, s.depth, work.packed,
                        images * (int)s.out, s.outputs, s.depth, false);
        for (int k = 0; k < images; k++)
            zf_product_kernels_of()->to_planes(y + (size_t)(i + k) * out,
                                               work.outputs + (size_t)k * out, bias,
                                               (size_t)s.outputs, s.out, accumulate);
    }
}

void zf_product_backward_data(const zf_conv *conv, int n, const float *dy, const float *w,
                              const float *bias, bool accumulate, float *dx, void *scratch)
{
    sizes s = sizes_of(conv);
    workspace work = workspace_in(&s, scratch);
    const zf_panel_kernels *panel = panel_for(&s, s.outputs, s.depth);
    size_t c = (size_t)s.runs.c, out = s.out * (size_t)s.outputs;
    turn_weights(&s, work.weights, w);
    panel->pack(work.packed, work.weights, s.depth, s.outputs, s.depth);
    for (int i = 0, images; i < n; i += images) {
        images = piece_of(&s, n - i);
        gather_outputs(&s, &work, dy + (size_t)i * out, images);
        panel->multiply(work.patches, s.depth, work.outputs, s.outputs, work.packed,
                        images * (int)s.out, s.depth, s.outputs, false);
        for (int k = 0; k < images; k++) {
            zf_product_kernels_of()->scatter(&s.runs, work.pixels,
                                             work.patches + (size_t)k * s.out * (size_t)s.depth);
            zf_product_kernels_of()->to_planes(dx + (size_t)(i + k) * s.in * c, work.pixels, bias,
                                               c, s.in, accumulate);
        }
    }
}

void zf_product_backward_weights(const zf_conv *conv, int n, const float *x, const float *dy,
                                 bool accumulate, float *dw, void *scratch)
{
    sizes s = sizes_of(conv);
    workspace work = workspace_in(&s, scratch);
    size_t c = (size_t)s.runs.c, taps = (size_t)s.depth / c;
    const zf_panel_kernels *panel = panel_for(&s, s.images * (int)s.out, s.depth);
    for (int i = 0, images; i < n; i += images) {
        images = piece_of(&s, n - i);
        int rows = images * (int)s.out;
        gather(&s, &work, x + (size_t)i * s.in * c, images);
        gather_outputs(&s, &work, dy + (size_t)i * s.out * (size_t)s.outputs, images);
        panel->pack(work.packed, work.patches, s.depth, rows, s.depth);
        panel->multiply_transposed(work.weights, s.depth, work.outputs, s.outputs, work.packed,
                                   s.outputs, s.depth, rows, i > 0);
    }
    for (int o = 0; o < s.outputs; o++)
        zf_product_kernels_of()->to_planes(dw + (size_t)o * taps * c,
                                           work.weights + (size_t)o * taps * c, NULL, c, taps,
                                           accumulate);
}
