/* Convolution of images and transposed convolution, with their gradients
   (kernel/conv.h has the letters).

   The transposed one is the other run backwards: its forward is the gradient of
   a convolution's input and its input's gradient that convolution's forward. So
   both hold a convolution, `conv`. A transposed one's input is that convolution's
   output, and its weights [C, O, KH, KW] are the convolution's as they are
   stored. Those that double an image go a way of their own (kernel/conv_doubling.h). */
#include "base/error.h"
#include "engine/op.h"
#include "kernel/conv.h"
#include "kernel/conv_doubling.h"
#include "op/ops.h"

typedef struct convolution {
    zf_conv conv;
    int extra_h, extra_w; /* of a transposed one: rows and columns more than needed */
    bool transposed;
} convolution;

static const convolution *attribute(const zf_node *node)
{
    return (const void *)node->attribute;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static zf_status check_inputs(const zf_node *node, bool transposed)
{
    const zf_node *x = node->input[0], *w = node->input[1];
    const zf_node *b = node->inputs > 2 ? node->input[2] : NULL;
    int in = transposed ? 0 : 1, out = 1 - in; /* the weights' dimensions of channels */
    if (!x->domain || x->type != ZF_F32 || x->shape.rank != 4 || w->domain || w->shape.rank != 4 ||
        w->shape.dim[in] != x->shape.dim[1] ||
        (b && !zf_shape_equal(b->shape, zf_shape_of(w->shape.dim[out]))))
        return zf_op_mismatch(node, "x [N, C, H, W], parameter [%s, KH, KW] and, if any, bias [O]",
                              transposed ? "C, O" : "O, C");
    return ZF_OK;
}

static zf_status check(const zf_node *node, const convolution *a)
{
    const zf_conv *conv = &a->conv;
    ZF_TRY(check_inputs(node, a->transposed));
    if (conv->stride_h < 1 || conv->stride_w < 1 || conv->padding_h < 0 || conv->padding_w < 0)
        return zf_op_mismatch(node,
                              "strides of at least 1 and paddings of at least 0, not "
                              "strides %d, %d and paddings %d, %d",
                              conv->stride_h, conv->stride_w, conv->padding_h, conv->padding_w);
    if (a->transposed && (a->extra_h < 0 || a->extra_w < 0 || a->extra_h >= conv->stride_h ||
                          a->extra_w >= conv->stride_w))
        return zf_op_mismatch(node,
                              "extra rows and columns from 0 to below the strides %d, %d, "
                              "not %d, %d",
                              conv->stride_h, conv->stride_w, a->extra_h, a->extra_w);
    return ZF_OK;
}

/* The way of transposed ones that double an image, where there is one. */
static bool doubles(const zf_node *node, zf_doubling *doubling)
{
    const convolution *a = attribute(node);
    return a->transposed && zf_doubling_of(&a->conv, doubling);
}

static void reserve(zf_node *node)
{
    const zf_conv *conv = &attribute(node)->conv;
    zf_doubling doubling;
    if (doubles(node, &doubling)) {
        node->saved_bytes = zf_doubling_packed_bytes(&doubling);
        node->scratch_bytes = zf_doubling_scratch(&doubling);
        return;
    }
    node->scratch_bytes =
        larger(zf_conv_forward_scratch(conv),
               larger(zf_conv_backward_data_scratch(conv), zf_conv_backward_weights_scratch(conv)));
}

static zf_status infer(zf_node *node)
{
    convolution *a = (void *)node->attribute;
    zf_conv *conv = &a->conv;
    const zf_shape x = node->input[0]->shape, w = node->input[1]->shape;
    ZF_TRY(check(node, a));
    conv->o = w.dim[0], conv->c = w.dim[1], conv->kh = w.dim[2], conv->kw = w.dim[3];
    conv->h = x.dim[2], conv->w = x.dim[3];
    conv->quick = zf_op_quick(node);
    if (a->transposed) {
        conv->h = (x.dim[2] - 1) * conv->stride_h - 2 * conv->padding_h + conv->kh + a->extra_h;
        conv->w = (x.dim[3] - 1) * conv->stride_w - 2 * conv->padding_w + conv->kw + a->extra_w;
    }
    if (!zf_conv_fits(conv))
        return zf_op_mismatch(node,
                              a->transposed ? "a padding below %d, %d that leaves an image, and "
                                              "images of less than 2^28 elements"
                                            : "a kernel no larger than the image with its padding "
                                              "of %d, %d, and images of less than 2^28 elements",
                              conv->padding_h, conv->padding_w);
    zf_op_rows_like(node, 0,
                    a->transposed
                        ? zf_shape_of(conv->c, conv->h, conv->w)
                        : zf_shape_of(conv->o, zf_conv_output_h(conv), zf_conv_output_w(conv)));
    reserve(node);
    return ZF_OK;
}

static void prepare(const zf_call *call)
{
    zf_doubling doubling;
    if (doubles(call->node, &doubling)) zf_doubling_pack(&doubling, zf_in(call, 1), zf_saved(call));
}

static void forward(const zf_call *call)
{
    const convolution *a = attribute(call->node);
    const float *bias = call->node->inputs > 2 ? zf_in(call, 2) : NULL;
    zf_doubling doubling;
    if (doubles(call->node, &doubling)) {
        const zf_doubling_values job = {zf_call_rows(call), zf_saved(call), zf_in(call, 0), bias,
                                        zf_out(call)};
        zf_doubling_forward(&doubling, &job, call->scratch);
        return;
    }
    (a->transposed ? zf_conv_backward_data : zf_conv_forward)(&a->conv, zf_call_rows(call),
                                                              zf_in(call, 0), zf_in(call, 1), bias,
                                                              false, zf_out(call), call->scratch);
}

static void backward_either(const zf_call *call, float *dx, float *dw)
{
    const convolution *a = attribute(call->node);
    int n = zf_call_rows(call);
    const float *x = zf_in(call, 0), *dy = zf_out_grad(call);
    if (dx)
        (a->transposed ? zf_conv_forward : zf_conv_backward_data)(
            &a->conv, n, dy, zf_in(call, 1), NULL, !zf_fresh(call, 0), dx, call->scratch);
    if (dw)
        zf_conv_backward_weights(&a->conv, n, a->transposed ? dy : x, a->transposed ? x : dy,
                                 !zf_fresh(call, 1), dw, call->scratch);
}

static void backward(const zf_call *call)
{
    const int *shape = call->node->shape.dim;
    float *dx = zf_in_grad(call, 0), *dw = zf_in_grad(call, 1);
    float *db = call->node->inputs > 2 ? zf_in_grad(call, 2) : NULL;
    zf_doubling doubling;
    if (doubles(call->node, &doubling)) {
        const zf_doubling_gradients job = {.n = zf_call_rows(call),
                                           .packed = zf_saved(call),
                                           .x = zf_in(call, 0),
                                           .dy = zf_out_grad(call),
                                           .dx = dx,
                                           .dw = dw,
                                           .add_dx = !zf_fresh(call, 0),
                                           .add_dw = !zf_fresh(call, 1)};
        if (dx || dw) zf_doubling_backward(&doubling, &job, call->scratch);
    } else {
        backward_either(call, dx, dw);
    }
    if (db)
        zf_conv_backward_bias(zf_call_rows(call), shape[1], (size_t)shape[2] * (size_t)shape[3],
                              zf_out_grad(call), !zf_fresh(call, 2), db);
}

#define CONVOLUTION(id, ...)                                                                       \
    const zf_op zf_op_##id = {.name = #id,                                                         \
                              .flags = ZF_OP_KNOWS_FRESH,                                          \
                              .min_inputs = 2,                                                     \
                              .max_inputs = 3,                                                     \
                              .infer = infer,                                                      \
                              .forward = {{.run = forward}},                                       \
                              .backward = {{.run = backward}},                                     \
                              __VA_ARGS__}

CONVOLUTION(conv2d, );
CONVOLUTION(conv2d_transposed, .prepare = prepare);

static zf_node *apply(const zf_op *op, zf_node *inputs[3], zf_conv_options options)
{
    convolution a = {.conv = {.stride_h = options.stride_h,
                              .stride_w = options.stride_w,
                              .padding_h = options.padding_h,
                              .padding_w = options.padding_w},
                     .extra_h = options.extra_h,
                     .extra_w = options.extra_w,
                     .transposed = op == &zf_op_conv2d_transposed};
    return zf_op_apply(op, zf_op_program(inputs, 2), inputs, inputs[2] ? 3 : 2, &a, sizeof a);
}

zf_node *zf_conv2d(zf_node *x, zf_node *w, zf_node *b, zf_conv_options options)
{
    return apply(&zf_op_conv2d, (zf_node *[]){x, w, b}, options);
}

zf_node *zf_conv2d_transposed(zf_node *x, zf_node *w, zf_node *b, zf_conv_options options)
{
    return apply(&zf_op_conv2d_transposed, (zf_node *[]){x, w, b}, options);
}
