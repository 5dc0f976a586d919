/* Layer norm over the last dimension: every group of that length is brought to
   mean 0 and variance 1 by itself, then (or not) scaled and shifted by column. The
   groups' means and deviations are kept for backward. */
#include <string.h>

#include "engine/op.h"
#include "kernel/rows.h"
#include "op/ops.h"

static size_t columns_of(const zf_node *node)
{
    return (size_t)node->shape.dim[node->shape.rank - 1];
}

static size_t groups_of(const zf_call *call)
{
    return (size_t)zf_call_rows(call) * zf_out_row_size(call) / columns_of(call->node);
}

static zf_status infer(zf_node *node)
{
    const zf_node *x = node->input[0];
    float epsilon = *(const float *)(const void *)node->attribute;
    bool fits =
        x->domain && x->type == ZF_F32 && x->shape.rank >= 2 && node->inputs != 2 && epsilon >= 0;
    zf_shape last = zf_shape_of(x->shape.dim[x->shape.rank > 0 ? x->shape.rank - 1 : 0]);
    for (int i = 1; i < node->inputs; i++)
        fits = fits && !node->input[i]->domain && zf_shape_equal(node->input[i]->shape, last);
    if (!fits)
        return zf_op_mismatch(node, "rows of numbers, scale and shift parameters of the length of "
                                    "their last dimension, epsilon not below 0");
    zf_op_rows_like(node, 0, zf_shape_row(x->shape));
    node->saved_bytes_a_row =
        zf_shape_row_size(x->shape) / columns_of(node) * sizeof(zf_row_moments);
    return ZF_OK;
}

static bool is_affine(const zf_call *call)
{
    return call->node->inputs > 1;
}

static void forward(const zf_call *call)
{
    float epsilon = *(const float *)(const void *)call->node->attribute;
    zf_rows()->layer_norm(zf_out(call), zf_saved_row(call, call->begin), zf_in(call, 0),
                          is_affine(call) ? zf_in(call, 1) : NULL,
                          is_affine(call) ? zf_in(call, 2) : NULL, epsilon, groups_of(call),
                          columns_of(call->node));
}

static void backward(const zf_call *call)
{
    size_t columns = columns_of(call->node);
    float *affine[] = {NULL, NULL};
    for (int i = 0; i < 2 && is_affine(call); i++) affine[i] = zf_in_grad(call, 1 + i);
    for (int i = 0; i < 2; i++)
        if (affine[i] && zf_fresh(call, 1 + i)) memset(affine[i], 0, columns * sizeof(float));
    zf_rows()->layer_norm_backward(zf_in_grad(call, 0), affine[0], affine[1], zf_out_grad(call),
                                   zf_in(call, 0), is_affine(call) ? zf_in(call, 1) : NULL,
                                   zf_saved_row(call, call->begin), groups_of(call), columns,
                                   zf_fresh(call, 0));
}

const zf_op zf_op_layer_norm = {
    .name = "layer_norm",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 1,
    .max_inputs = 3,
    .infer = infer,
    .forward = {{forward}},
    .backward = {{backward}},
};

zf_node *zf_layer_norm(zf_node *x, zf_node *scale, zf_node *shift, float epsilon)
{
    zf_node *inputs[] = {x, scale, shift};
    int count = scale || shift ? 3 : 1;
    return zf_op_apply(&zf_op_layer_norm, zf_op_program(inputs, count), inputs, count, &epsilon,
                       sizeof epsilon);
}
