/* y = x W^T + b, and the same with W stored the other way round.

   Letters: N rows of the shard, I inputs, O outputs. */
#include "graph/op.h"
#include "kernel/gemm.h"
#include "kernel/reduce.h"
#include "op/ops.h"

typedef struct linear {
    int in, out;
    bool in_out; /* W is [in, out] */
} linear;

static const linear *attribute(const zf_node *node)
{
    return (const void *)node->attribute;
}

static zf_status infer(zf_node *node)
{
    linear *a = (void *)node->attribute;
    const zf_node *x = node->input[0], *w = node->input[1];
    const zf_node *b = node->inputs > 2 ? node->input[2] : NULL;
    bool fits = x->domain && x->type == ZF_F32 && x->shape.rank == 2 && !w->domain &&
                w->shape.rank == 2 && w->shape.dim[a->in_out ? 0 : 1] == x->shape.dim[1];
    a->in = x->shape.dim[1];
    a->out = w->shape.dim[a->in_out ? 1 : 0];
    if (!fits || (b && !zf_shape_equal(b->shape, zf_shape_of(a->out))))
        return zf_op_mismatch(node, "x [N, in], parameter %s and, if any, bias [out]",
                              a->in_out ? "[in, out]" : "[out, in]");
    zf_op_rows_like(node, 0, zf_shape_of(a->out));
    return ZF_OK;
}

static void forward(const zf_call *call)
{
    const linear *a = attribute(call->node);
    int n = zf_call_rows(call);
    float *y = zf_out(call);
    zf_gemm(false, !a->in_out, n, a->out, a->in, 1, zf_in(call, 0), a->in, zf_in(call, 1),
            a->in_out ? a->out : a->in, 0, y, a->out);
    if (call->node->inputs > 2)
        zf_reduce()->add_row(y, y, zf_in(call, 2), (size_t)n, (size_t)a->out);
}

static void backward(const zf_call *call)
{
    const linear *a = attribute(call->node);
    int n = zf_call_rows(call);
    const float *dy = zf_out_grad(call), *x = zf_in(call, 0), *w = zf_in(call, 1);
    float *dx = zf_in_grad(call, 0), *dw = zf_in_grad(call, 1);
    float *db = call->node->inputs > 2 ? zf_in_grad(call, 2) : NULL;
    if (dx)
        zf_gemm(false, a->in_out, n, a->in, a->out, 1, dy, a->out, w, a->in_out ? a->out : a->in,
                !zf_fresh(call, 0), dx, a->in);
    if (dw && a->in_out)
        zf_gemm(true, false, a->in, a->out, n, 1, x, a->in, dy, a->out, !zf_fresh(call, 1), dw,
                a->out);
    else if (dw)
        zf_gemm(true, false, a->out, a->in, n, 1, dy, a->out, x, a->in, !zf_fresh(call, 1), dw,
                a->in);
    if (db) zf_reduce()->column_sums(db, dy, (size_t)n, (size_t)a->out, zf_fresh(call, 2));
}

const zf_op zf_op_linear = {
    .name = "linear",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 2,
    .max_inputs = 3,
    .infer = infer,
    .forward = {{.run = forward}},
    .backward = {{.run = backward}},
};

static zf_node *apply(zf_node *x, zf_node *w, zf_node *b, bool in_out)
{
    zf_node *inputs[] = {x, w, b};
    linear a = {.in_out = in_out};
    return zf_op_apply(&zf_op_linear, zf_op_graph(inputs, 2), inputs, b ? 3 : 2, &a, sizeof a);
}

zf_node *zf_linear(zf_node *x, zf_node *w, zf_node *b)
{
    return apply(x, w, b, false);
}

zf_node *zf_linear_in_out(zf_node *x, zf_node *w, zf_node *b)
{
    return apply(x, w, b, true);
}
