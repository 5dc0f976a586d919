/* Mean over rows of -log softmax(logits)[label]. Kept of each row are its largest
   logit and the sum of exponentials above it; backward makes the softmax again.
   A label that names no column makes the loss NaN, which training stops at. */
#include "engine/op.h"
#include "kernel/rows.h"
#include "op/ops.h"
#include "op/partial.h"

static zf_status infer(zf_node *node)
{
    const zf_node *x = node->input[0], *label = node->input[1];
    if (!x->domain || x->type != ZF_F32 || x->shape.rank != 2 || label->domain != x->domain ||
        label->type != ZF_I32 || label->shape.rank != 1)
        return zf_op_mismatch(node, "logits [N, C] and an index [N] of the same rows");
    zf_partial_infer(node);
    node->saved_bytes_a_row = sizeof(zf_row_softmax);
    return ZF_OK;
}

static void forward(const zf_call *call)
{
    zf_partial_put(call, zf_rows()->cross_entropy(zf_saved_row(call, call->begin), zf_in(call, 0),
                                                  zf_in_index(call, 1), (size_t)zf_call_rows(call),
                                                  zf_in_row_size(call, 0)));
}

static void finish(const zf_call *call)
{
    zf_partial_finish(call, 1 / (double)zf_partial_rows(call));
}

static void backward(const zf_call *call)
{
    float factor = *zf_out_grad_all(call) / (float)zf_partial_rows(call);
    zf_rows()->cross_entropy_backward(zf_in_grad(call, 0), factor, zf_in(call, 0),
                                      zf_in_index(call, 1), zf_saved_row(call, call->begin),
                                      (size_t)zf_call_rows(call), zf_in_row_size(call, 0),
                                      zf_fresh(call, 0));
}

const zf_op zf_op_cross_entropy = {
    .name = "cross_entropy",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 2,
    .max_inputs = 2,
    .infer = infer,
    .forward = {{forward, ZF_OVER_INPUT, false}, {finish, ZF_OVER_OUTPUT, true}},
    .backward = {{backward, ZF_OVER_INPUT, true}},
};

zf_node *zf_cross_entropy(zf_node *logits, zf_node *label)
{
    zf_node *inputs[] = {logits, label};
    return zf_op_apply(&zf_op_cross_entropy, zf_op_program(inputs, 2), inputs, 2, NULL, 0);
}
