/* Softmax over the last dimension. Its slope can be read off the result, so it
   works in place where it can. */
#include "engine/op.h"
#include "kernel/rows.h"
#include "op/ops.h"

static zf_status infer(zf_node *node)
{
    const zf_node *x = node->input[0];
    if (!x->domain || x->type != ZF_F32 || x->shape.rank < 2)
        return zf_op_mismatch(node, "rows of numbers with at least one dimension");
    zf_op_rows_like(node, 0, zf_shape_row(x->shape));
    return ZF_OK;
}

static size_t columns_of(const zf_call *call)
{
    return (size_t)call->node->shape.dim[call->node->shape.rank - 1];
}

static size_t groups_of(const zf_call *call)
{
    return (size_t)zf_call_rows(call) * zf_out_row_size(call) / columns_of(call);
}

static void forward(const zf_call *call)
{
    zf_rows()->softmax(zf_out(call), zf_in(call, 0), groups_of(call), columns_of(call));
}

static void backward(const zf_call *call)
{
    zf_rows()->softmax_backward(zf_in_grad(call, 0), zf_out_grad(call), zf_out(call),
                                groups_of(call), columns_of(call), zf_fresh(call, 0));
}

const zf_op zf_op_softmax = {
    .name = "softmax",
    .flags = ZF_OP_IN_PLACE | ZF_OP_READS_OUTPUT | ZF_OP_KNOWS_FRESH,
    .min_inputs = 1,
    .max_inputs = 1,
    .infer = infer,
    .forward = {{forward}},
    .backward = {{backward}},
};

zf_node *zf_softmax(zf_node *x)
{
    return zf_op_apply(&zf_op_softmax, zf_op_program(&x, 1), &x, 1, NULL, 0);
}
