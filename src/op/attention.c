/* Attention with several heads, within each row (kernel/attention.h). */
#include "kernel/attention.h"
#include "graph/op.h"
#include "op/ops.h"

enum { Q, K, V, INPUTS };

static const zf_attention_size *attribute(const zf_node *node)
{
    return (const void *)node->attribute;
}

static zf_status infer(zf_node *node)
{
    zf_attention_size *size = (void *)node->attribute;
    const zf_node *q = node->input[Q], *k = node->input[K], *v = node->input[V];
    bool fits = q->domain && k->domain == q->domain && v->domain == q->domain &&
                q->type == ZF_F32 && k->type == ZF_F32 && v->type == ZF_F32 && q->shape.rank == 3 &&
                k->shape.rank == 3 && zf_shape_equal(k->shape, v->shape) &&
                k->shape.dim[2] == q->shape.dim[2];
    if (!fits)
        return zf_op_mismatch(node, "q [N, T, C], k [N, S, C] and v [N, S, C] of one domain");
    if (size->heads < 1 || q->shape.dim[2] % size->heads != 0)
        return zf_op_mismatch(node, "%d channels to be a multiple of %d heads", q->shape.dim[2],
                              size->heads);
    size->queries = q->shape.dim[1];
    size->keys = k->shape.dim[1];
    size->channels = q->shape.dim[2];
    zf_op_rows_like(node, Q, zf_shape_row(q->shape));
    node->saved_bytes_a_row = zf_attention_p_size(size) * sizeof(float);
    node->scratch_bytes = zf_attention_scratch_bytes(size);
    return ZF_OK;
}

static zf_attention_values values_of(const zf_call *call)
{
    return (zf_attention_values){zf_in(call, Q), zf_in(call, K), zf_in(call, V)};
}

static void forward(const zf_call *call)
{
    zf_attention_values in = values_of(call);
    float *p = call->training ? zf_saved_row(call, call->begin) : NULL;
    zf_attention_forward(attribute(call->node), zf_call_rows(call), &in, zf_out(call), p,
                         call->scratch);
}

static void backward(const zf_call *call)
{
    zf_attention_values in = values_of(call);
    zf_attention_grads grads = {.q = zf_in_grad(call, Q),
                                .k = zf_in_grad(call, K),
                                .v = zf_in_grad(call, V),
                                .fresh_q = zf_fresh(call, Q),
                                .fresh_k = zf_fresh(call, K),
                                .fresh_v = zf_fresh(call, V)};
    zf_attention_backward(attribute(call->node), zf_call_rows(call), &in, zf_out_grad(call),
                          zf_saved_row(call, call->begin), &grads, call->scratch);
}

const zf_op zf_op_attention = {
    .name = "attention",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = INPUTS,
    .max_inputs = INPUTS,
    .infer = infer,
    .forward = {{.run = forward}},
    .backward = {{.run = backward}},
};

zf_node *zf_attention(zf_node *q, zf_node *k, zf_node *v, int heads)
{
    zf_node *inputs[] = {q, k, v};
    zf_attention_size size = {.heads = heads};
    return zf_op_apply(&zf_op_attention, zf_op_graph(inputs, INPUTS), inputs, INPUTS, &size,
                       sizeof size);
}
