/* The same rows in another number of shards. A meeting point both ways, because shards
   overlap; nothing is moved where the memory can be shared. */
#include <string.h>

#include "engine/op.h"
#include "kernel/vector.h"
#include "op/ops.h"

static zf_status infer(zf_node *node)
{
    zf_node *x = node->input[0];
    int shards = *(const int *)(const void *)node->attribute;
    if (!x->domain || x->type != ZF_F32 || shards < 0)
        return zf_op_mismatch(node, "rows of numbers and 0 or more shards, not %d", shards);
    zf_op_rows_like(node, 0, zf_shape_row(x->shape));
    node->domain = zf_domain_regrouped(x->domain, shards);
    return node->domain ? ZF_OK : ZF_ENOMEM;
}

static size_t elements(const zf_call *call)
{
    return (size_t)zf_call_rows(call) * zf_out_row_size(call);
}

static void forward(const zf_call *call)
{
    if (!call->node->in_place) memcpy(zf_out(call), zf_in(call, 0), elements(call) * sizeof(float));
}

static void backward(const zf_call *call)
{
    if (!call->node->in_place)
        zf_vector()->pass(zf_in_grad(call, 0), zf_out_grad(call), elements(call),
                          zf_fresh(call, 0));
}

const zf_op zf_op_regroup = {
    .name = "regroup",
    .flags = ZF_OP_VIEW | ZF_OP_KNOWS_FRESH,
    .min_inputs = 1,
    .max_inputs = 1,
    .infer = infer,
    .forward = {{forward, ZF_OVER_OUTPUT, true}},
    .backward = {{backward, ZF_OVER_INPUT, true}},
};

zf_node *zf_regroup(zf_node *x, int shards)
{
    bool rows = x && x->domain && x->type == ZF_F32 && shards >= 0;
    if (rows && zf_domain_regrouped(x->domain, shards) == x->domain) return x;
    return zf_op_apply(&zf_op_regroup, zf_op_program(&x, 1), &x, 1, &shards, sizeof shards);
}
