/* Each row divided by its L2 norm, or by epsilon if that is larger. */
#include "engine/op.h"
#include "kernel/rows.h"
#include "op/ops.h"

static zf_status infer(zf_node *node)
{
    const zf_node *x = node->input[0];
    float epsilon = *(const float *)(const void *)node->attribute;
    if (!x->domain || x->type != ZF_F32 || !(epsilon > 0))
        return zf_op_mismatch(node, "rows of numbers and an epsilon above 0 (it is %g)",
                              (double)epsilon);
    zf_op_rows_like(node, 0, zf_shape_row(x->shape));
    node->saved_bytes_a_row = sizeof(zf_row_norm);
    return ZF_OK;
}

static void forward(const zf_call *call)
{
    float epsilon = *(const float *)(const void *)call->node->attribute;
    zf_rows()->normalise(zf_out(call), zf_saved_row(call, call->begin), zf_in(call, 0), epsilon,
                         (size_t)zf_call_rows(call), zf_out_row_size(call));
}

static void backward(const zf_call *call)
{
    zf_rows()->normalise_backward(zf_in_grad(call, 0), zf_out_grad(call), zf_out(call),
                                  zf_saved_row(call, call->begin), (size_t)zf_call_rows(call),
                                  zf_out_row_size(call), zf_fresh(call, 0));
}

const zf_op zf_op_normalise_rows = {
    .name = "normalise_rows",
    .flags = ZF_OP_IN_PLACE | ZF_OP_READS_OUTPUT | ZF_OP_KNOWS_FRESH,
    .min_inputs = 1,
    .max_inputs = 1,
    .infer = infer,
    .forward = {{forward}},
    .backward = {{backward}},
};

zf_node *zf_normalise_rows(zf_node *x, float epsilon)
{
    return zf_op_apply(&zf_op_normalise_rows, zf_op_program(&x, 1), &x, 1, &epsilon,
                       sizeof epsilon);
}
