/* Attention with several heads, within each row (kernel/attention.h). q, k and v are
   three tensors, or columns of one or two that came out of one product. */
#include "kernel/attention.h"
#include "engine/op.h"
#include "op/ops.h"

enum { Q, K, V, INPUTS };

static const zf_attention_size *attribute(const zf_node *node)
{
    return (const void *)node->attribute;
}

/* The rest of the sizes, where the steps are known. */
static zf_status take_sizes(zf_node *node, int channels)
{
    zf_attention_size *size = (void *)node->attribute;
    if (size->heads < 1 || channels % size->heads != 0)
        return zf_op_mismatch(node, "%d channels to be a multiple of %d heads", channels,
                              size->heads);
    size->queries = node->input[0]->shape.dim[1];
    size->keys = node->input[node->inputs - 1]->shape.dim[1];
    size->channels = channels;
    zf_op_rows_like(node, 0, zf_shape_of(size->queries, channels));
    node->saved_bytes_a_row = zf_attention_p_size(size) * sizeof(float);
    node->scratch_bytes = zf_attention_scratch_bytes(size);
    return ZF_OK;
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
    size->q_step = size->k_step = q->shape.dim[2];
    return take_sizes(node, size->q_step);
}

static zf_status infer_joined(zf_node *node)
{
    const zf_node *q = node->input[0], *kv = node->input[node->inputs - 1];
    zf_attention_size *size = (void *)node->attribute;
    int parts = node->inputs == 1 ? 3 : 2;
    bool fits = q->domain && kv->domain == q->domain && q->type == ZF_F32 && kv->type == ZF_F32 &&
                q->shape.rank == 3 && kv->shape.rank == 3 && kv->shape.dim[2] % parts == 0 &&
                (parts == 3 || kv->shape.dim[2] == 2 * q->shape.dim[2]);
    if (!fits)
        return zf_op_mismatch(node, "qkv [N, T, 3C], or q [N, T, C] and kv [N, S, 2C], "
                                    "of one domain");
    size->q_step = q->shape.dim[2];
    size->k_step = kv->shape.dim[2];
    return take_sizes(node, size->k_step / parts);
}

/* Which input holds q, k or v, and from which column on. */
typedef struct column {
    int input;
    size_t from;
} column;

static column column_of(const zf_node *node, int which)
{
    size_t channels = (size_t)attribute(node)->channels;
    switch (node->inputs) {
    case 1:
        return (column){0, (size_t)which * channels};
    case 2:
        return which == Q ? (column){0, 0} : (column){1, (size_t)(which - K) * channels};
    default:
        return (column){which, 0};
    }
}

static const float *value_of(const zf_call *call, int which)
{
    column at = column_of(call->node, which);
    return zf_in(call, at.input) + at.from;
}

static float *grad_of(const zf_call *call, int which)
{
    column at = column_of(call->node, which);
    float *grad = zf_in_grad(call, at.input);
    return grad ? grad + at.from : NULL;
}

static bool fresh_of(const zf_call *call, int which)
{
    return zf_fresh(call, column_of(call->node, which).input);
}

static zf_attention_values values_of(const zf_call *call)
{
    return (zf_attention_values){value_of(call, Q), value_of(call, K), value_of(call, V)};
}

static void forward(const zf_call *call)
{
    zf_attention_values in = values_of(call);
    float *p = zf_backward_follows(call) ? zf_saved_row(call, call->begin) : NULL;
    zf_attention_forward(attribute(call->node), zf_call_rows(call), &in, zf_out(call), p,
                         call->scratch);
}

static void backward(const zf_call *call)
{
    zf_attention_values in = values_of(call);
    zf_attention_grads grads = {.q = grad_of(call, Q),
                                .k = grad_of(call, K),
                                .v = grad_of(call, V),
                                .fresh_q = fresh_of(call, Q),
                                .fresh_k = fresh_of(call, K),
                                .fresh_v = fresh_of(call, V)};
    zf_attention_backward(attribute(call->node), zf_call_rows(call), &in, zf_out_grad(call),
                          zf_saved_row(call, call->begin), &grads, call->scratch);
}

const zf_op zf_op_attention = {
    .name = "attention",
    .flags = ZF_OP_KNOWS_FRESH | ZF_OP_SAVES_FOR_BACKWARD,
    .min_inputs = INPUTS,
    .max_inputs = INPUTS,
    .infer = infer,
    .forward = {{.run = forward}},
    .backward = {{.run = backward}},
};

const zf_op zf_op_attention_joined = {
    .name = "attention_joined",
    .flags = ZF_OP_KNOWS_FRESH | ZF_OP_SAVES_FOR_BACKWARD,
    .min_inputs = 1,
    .max_inputs = 2,
    .infer = infer_joined,
    .forward = {{.run = forward}},
    .backward = {{.run = backward}},
};

zf_node *zf_attention(zf_node *q, zf_node *k, zf_node *v, int heads)
{
    zf_node *inputs[] = {q, k, v};
    zf_attention_size size = {.heads = heads};
    return zf_op_apply(&zf_op_attention, zf_op_program(inputs, INPUTS), inputs, INPUTS, &size,
                       sizeof size);
}

zf_node *zf_attention_qkv(zf_node *qkv, int heads)
{
    zf_attention_size size = {.heads = heads};
    return zf_op_apply(&zf_op_attention_joined, zf_op_program(&qkv, 1), &qkv, 1, &size,
                       sizeof size);
}

zf_node *zf_attention_kv(zf_node *q, zf_node *kv, int heads)
{
    zf_node *inputs[] = {q, kv};
    zf_attention_size size = {.heads = heads};
    return zf_op_apply(&zf_op_attention_joined, zf_op_program(inputs, 2), inputs, 2, &size,
                       sizeof size);
}
