/* Convolution of images, and its gradients (kernel/conv.h has the letters). */
#include "graph/op.h"
#include "kernel/conv.h"
#include "op/ops.h"

static const zf_conv *attribute(const zf_node *node)
{
    return (const void *)node->attribute;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static zf_status check(const zf_node *node, const zf_conv *a)
{
    const zf_node *x = node->input[0], *w = node->input[1];
    const zf_node *b = node->inputs > 2 ? node->input[2] : NULL;
    if (!x->domain || x->type != ZF_F32 || x->shape.rank != 4 || w->domain || w->shape.rank != 4 ||
        w->shape.dim[1] != x->shape.dim[1] ||
        (b && !zf_shape_equal(b->shape, zf_shape_of(w->shape.dim[0]))))
        return zf_op_mismatch(node, "x [N, C, H, W], parameter [O, C, KH, KW] and, if any, bias "
                                    "[O]");
    if (a->stride_h < 1 || a->stride_w < 1 || a->padding_h < 0 || a->padding_w < 0)
        return zf_op_mismatch(node,
                              "strides of at least 1 and paddings of at least 0, not "
                              "strides %d, %d and paddings %d, %d",
                              a->stride_h, a->stride_w, a->padding_h, a->padding_w);
    return ZF_OK;
}

static zf_status infer(zf_node *node)
{
    zf_conv *a = (void *)node->attribute;
    const zf_shape x = node->input[0]->shape, w = node->input[1]->shape;
    zf_status status = check(node, a);
    if (status != ZF_OK) return status;
    a->c = x.dim[1], a->h = x.dim[2], a->w = x.dim[3];
    a->o = w.dim[0], a->kh = w.dim[2], a->kw = w.dim[3];
    if (!zf_conv_fits(a))
        return zf_op_mismatch(node,
                              "a kernel no larger than the image with its padding of %d, %d, "
                              "and images of less than 2^28 elements",
                              a->padding_h, a->padding_w);
    zf_op_rows_like(node, 0, zf_shape_of(a->o, zf_conv_output_h(a), zf_conv_output_w(a)));
    node->scratch_bytes =
        larger(zf_conv_forward_scratch(a),
               larger(zf_conv_backward_data_scratch(a), zf_conv_backward_weights_scratch(a)));
    return ZF_OK;
}

static void forward(const zf_call *call)
{
    const float *bias = call->node->inputs > 2 ? zf_in(call, 2) : NULL;
    zf_conv_forward(attribute(call->node), zf_call_rows(call), zf_in(call, 0), zf_in(call, 1), bias,
                    false, zf_out(call), call->scratch);
}

static void backward(const zf_call *call)
{
    const zf_conv *a = attribute(call->node);
    int n = zf_call_rows(call);
    const float *dy = zf_out_grad(call);
    float *dx = zf_in_grad(call, 0), *dw = zf_in_grad(call, 1);
    float *db = call->node->inputs > 2 ? zf_in_grad(call, 2) : NULL;
    if (dx)
        zf_conv_backward_data(a, n, dy, zf_in(call, 1), NULL, !zf_fresh(call, 0), dx,
                              call->scratch);
    if (dw)
        zf_conv_backward_weights(a, n, zf_in(call, 0), dy, !zf_fresh(call, 1), dw, call->scratch);
    if (db)
        zf_conv_backward_bias(n, a->o, (size_t)zf_conv_output_h(a) * (size_t)zf_conv_output_w(a),
                              dy, !zf_fresh(call, 2), db);
}

const zf_op zf_op_conv2d = {
    .name = "conv2d",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 2,
    .max_inputs = 3,
    .infer = infer,
    .forward = {{.run = forward}},
    .backward = {{.run = backward}},
};

zf_node *zf_conv2d(zf_node *x, zf_node *w, zf_node *b, zf_conv_options options)
{
    zf_node *inputs[] = {x, w, b};
    zf_conv a = {.stride_h = options.stride_h,
                 .stride_w = options.stride_w,
                 .padding_h = options.padding_h,
                 .padding_w = options.padding_w};
    return zf_op_apply(&zf_op_conv2d, zf_op_graph(inputs, 2), inputs, b ? 3 : 2, &a, sizeof a);
}
