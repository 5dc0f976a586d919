/* Transposed convolution: the backward-data run of a convolution as forward,
   its forward run as the gradient of the input. `conv` below is that
   convolution: its input is our output (O channels), its output our input (C),
   and its weights [C, O, KH, KW] are ours as they are stored. */
#include "graph/op.h"
#include "kernel/conv.h"
#include "op/ops.h"

typedef struct transposed {
    zf_conv conv;
    int extra_h, extra_w;
} transposed;

static const zf_conv *attribute(const zf_node *node)
{
    return &((const transposed *)(const void *)node->attribute)->conv;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static zf_status check(const zf_node *node, const transposed *a)
{
    const zf_node *x = node->input[0], *w = node->input[1];
    const zf_node *b = node->inputs > 2 ? node->input[2] : NULL;
    const zf_conv *conv = &a->conv;
    if (!x->domain || x->type != ZF_F32 || x->shape.rank != 4 || w->domain || w->shape.rank != 4 ||
        w->shape.dim[0] != x->shape.dim[1] ||
        (b && !zf_shape_equal(b->shape, zf_shape_of(w->shape.dim[1]))))
        return zf_op_mismatch(node, "x [N, C, H, W], parameter [C, O, KH, KW] and, if any, bias "
                                    "[O]");
    if (conv->stride_h < 1 || conv->stride_w < 1 || conv->padding_h < 0 || conv->padding_w < 0)
        return zf_op_mismatch(node,
                              "strides of at least 1 and paddings of at least 0, not "
                              "strides %d, %d and paddings %d, %d",
                              conv->stride_h, conv->stride_w, conv->padding_h, conv->padding_w);
    if (a->extra_h < 0 || a->extra_w < 0 || a->extra_h >= conv->stride_h ||
        a->extra_w >= conv->stride_w)
        return zf_op_mismatch(node,
                              "extra rows and columns from 0 to below the strides %d, %d, "
                              "not %d, %d",
                              conv->stride_h, conv->stride_w, a->extra_h, a->extra_w);
    return ZF_OK;
}

static zf_status infer(zf_node *node)
{
    transposed *a = (void *)node->attribute;
    zf_conv *conv = &a->conv;
    const zf_shape x = node->input[0]->shape, w = node->input[1]->shape;
    zf_status status = check(node, a);
    if (status != ZF_OK) return status;
    conv->o = x.dim[1], conv->c = w.dim[1], conv->kh = w.dim[2], conv->kw = w.dim[3];
    conv->h = (x.dim[2] - 1) * conv->stride_h - 2 * conv->padding_h + conv->kh + a->extra_h;
    conv->w = (x.dim[3] - 1) * conv->stride_w - 2 * conv->padding_w + conv->kw + a->extra_w;
    if (!zf_conv_fits(conv))
        return zf_op_mismatch(node,
                              "a padding below %d, %d that leaves an image, and images of "
                              "less than 2^28 elements",
                              conv->padding_h, conv->padding_w);
    zf_op_rows_like(node, 0, zf_shape_of(conv->c, conv->h, conv->w));
    node->scratch_bytes =
        larger(zf_conv_forward_scratch(conv),
               larger(zf_conv_backward_data_scratch(conv), zf_conv_backward_weights_scratch(conv)));
    return ZF_OK;
}

static void forward(const zf_call *call)
{
    const float *bias = call->node->inputs > 2 ? zf_in(call, 2) : NULL;
    zf_conv_backward_data(attribute(call->node), zf_call_rows(call), zf_in(call, 0), zf_in(call, 1),
                          bias, false, zf_out(call), call->scratch);
}

static void backward(const zf_call *call)
{
    const zf_conv *conv = attribute(call->node);
    int n = zf_call_rows(call);
    const float *dy = zf_out_grad(call);
    float *dx = zf_in_grad(call, 0), *dw = zf_in_grad(call, 1);
    float *db = call->node->inputs > 2 ? zf_in_grad(call, 2) : NULL;
    if (dx)
        zf_conv_forward(conv, n, dy, zf_in(call, 1), NULL, !zf_fresh(call, 0), dx, call->scratch);
    if (dw)
        zf_conv_backward_weights(conv, n, dy, zf_in(call, 0), !zf_fresh(call, 1), dw,
                                 call->scratch);
    if (db)
        zf_conv_backward_bias(n, conv->c, (size_t)conv->h * (size_t)conv->w, dy, !zf_fresh(call, 2),
                              db);
}

const zf_op zf_op_conv2d_transposed = {
    .name = "conv2d_transposed",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 2,
    .max_inputs = 3,
    .infer = infer,
    .forward = {{.run = forward}},
    .backward = {{.run = backward}},
};

zf_node *zf_conv2d_transposed(zf_node *x, zf_node *w, zf_node *b, zf_conv_options options)
{
    zf_node *inputs[] = {x, w, b};
    transposed a = {.conv = {.stride_h = options.stride_h,
                             .stride_w = options.stride_w,
                             .padding_h = options.padding_h,
                             .padding_w = options.padding_w},
                    .extra_h = options.extra_h,
                    .extra_w = options.extra_w};
    return zf_op_apply(&zf_op_conv2d_transposed, zf_op_graph(inputs, 2), inputs, b ? 3 : 2, &a,
                       sizeof a);
}
