/* y = x W^T + b, and the same with W stored the other way round.

   The "onto" form adds x W^T to what is there already, in the same memory where
   no one else reads that: a first layer in parts costs no additions of its own.

   The "residual" form adds x W^T + b to what stays as it is, for other readers. Rejected:
   to apply a gelu to x within it, and again in backward, so that its result is kept
   nowhere: the memory saved is worth less than the second gelu.
   Nor does it gain to apply a gelu to rows of the result, or to pack x for dW, while tiles
   multiply: more than the parts of the next rows cannot be hidden there.

   x may have dimensions between its rows and its inputs (the steps of a sequence,
   the patches of an image): the layer is applied at each place.

   Letters: N rows of the shard times places in a row. W is packed (panel.h) once
   a run for all shards, twice in training: as the right-hand side of x W^T, and
   of dy W. The right-hand side of dW = dy^T x is x, packed by each shard. */
#include "engine/op.h"
#include "kernel/panel.h"
#include "kernel/reduce.h"
#include "kernel/vector.h"
#include "op/ops.h"

typedef struct linear {
    int in, out;
    int places;           /* in a row */
    int x;                /* which input x is: 0, or 1 after what it is added to; then W, b */
    bool in_out;          /* W is [in, out] */
    bool quick;           /* products of 16 bits will do */
    size_t backward_pack; /* where in the saved memory the second packed form is */
} linear;

static const linear *attribute(const zf_node *node)
{
    return (const void *)node->attribute;
}

static const zf_panel_kernels *panel_of(const linear *a)
{
    return (a->quick ? zf_panel_quick_for : zf_panel_for)(a->in, a->out);
}

static zf_status infer(zf_node *node)
{
    linear *a = (void *)node->attribute;
    const zf_node *x = node->input[a->x], *w = node->input[a->x + 1];
    const zf_node *b = node->inputs > a->x + 2 ? node->input[a->x + 2] : NULL;
    int last = x->shape.rank - 1;
    bool fits = x->domain && x->type == ZF_F32 && last >= 1 && !w->domain && w->shape.rank == 2 &&
                w->shape.dim[a->in_out ? 0 : 1] == x->shape.dim[last];
    a->in = fits ? x->shape.dim[last] : 1;
    a->out = w->shape.dim[a->in_out ? 1 : 0];
    a->places = (int)(zf_shape_row_size(x->shape) / (size_t)a->in);
    if (!fits || (b && !zf_shape_equal(b->shape, zf_shape_of(a->out))))
        return zf_op_mismatch(node, "x [N, ..., in], parameter %s and, if any, bias [out]",
                              a->in_out ? "[in, out]" : "[out, in]");
    zf_shape row = zf_shape_row(x->shape);
    row.dim[row.rank - 1] = a->out;
    zf_op_rows_like(node, a->x, row);
    const zf_node *onto = a->x ? node->input[0] : NULL;
    if (onto && (onto->domain != x->domain || !zf_shape_equal(onto->shape, node->shape)))
        return zf_op_mismatch(node, "the first input of the result's shape, [N, ..., %d]", a->out);
    a->quick = zf_op_quick(node);
    const zf_panel_kernels *panel = panel_of(a);
    a->backward_pack = panel->bytes(a->in, a->out);
    node->saved_bytes = a->backward_pack + panel->bytes(a->out, a->in);
    int most = zf_max_shard_rows(node) * a->places;
    if (most > panel->depth) most = panel->depth;
    node->scratch_bytes = panel->bytes(most, a->in_out ? a->out : a->in);
    return ZF_OK;
}

static float *packed(const zf_call *call, bool for_backward)
{
    char *saved = zf_saved(call);
    return (float *)(void *)(saved + (for_backward ? attribute(call->node)->backward_pack : 0));
}

static void prepare(const zf_call *call)
{
    const linear *a = attribute(call->node);
    const zf_panel_kernels *panel = panel_of(a);
    const float *w = zf_in(call, a->x + 1);
    int ldw = a->in_out ? a->out : a->in;
    (a->in_out ? panel->pack : panel->pack_transposed)(packed(call, false), w, ldw, a->in, a->out);
    if (call->training && call->node->input[a->x]->wants_grad)
        (a->in_out ? panel->pack_transposed : panel->pack)(packed(call, true), w, ldw, a->out,
                                                           a->in);
}

/* x W^T, of all rows. */
static zf_panel_product product_of(const zf_call *call)
{
    const linear *a = attribute(call->node);
    return (zf_panel_product){.c = zf_out(call),
                              .a = zf_in(call, a->x),
                              .packed = packed(call, false),
                              .ldc = a->out,
                              .lda = a->in,
                              .m = zf_call_rows(call) * a->places,
                              .n = a->out,
                              .k = a->in};
}

static const float *bias_of(const zf_call *call)
{
    int b = attribute(call->node)->x + 2;
    return call->node->inputs > b ? zf_in(call, b) : NULL;
}

static void forward(const zf_call *call)
{
    const linear *a = attribute(call->node);
    zf_panel_product p = product_of(call);
    const float *bias = bias_of(call);
    if (a->quick) p.row = bias;
    if (a->x) p.onto = zf_in(call, 0);
    panel_of(a)->multiply_onto(&p);
    if (bias && !a->quick) zf_reduce()->add_row(p.c, p.c, bias, (size_t)p.m, (size_t)a->out);
}

/* dW [out, in] (+)= dy^T x, or dW [in, out] (+)= x^T dy, of n rows. */
static void weight_gradient(const linear *a, float *dw, const float *dy, const float *x, int n,
                            float *scratch, bool add)
{
    const zf_panel_kernels *panel = panel_of(a);
    int rows = a->in_out ? a->in : a->out, columns = a->in + a->out - rows;
    panel->pack(scratch, a->in_out ? dy : x, columns, n, columns);
    panel->multiply_transposed(dw, columns, a->in_out ? x : dy, rows, scratch, rows, columns, n,
                               add);
}

/* Goes down the rows in steps that both products agree with, so that dy is still in the
   cache for the second. */
static void products_backward(const zf_call *call, float *dx, float *dw)
{
    const linear *a = attribute(call->node);
    const zf_panel_kernels *panel = panel_of(a);
    int n = zf_call_rows(call) * a->places;
    const float *dy = zf_out_grad(call), *x = zf_in(call, a->x);
    for (int first = 0; first < n; first += panel->depth) {
        int count = n - first < panel->depth ? n - first : panel->depth;
        const float *own = dy + (size_t)first * (size_t)a->out;
        size_t in = (size_t)first * (size_t)a->in;
        if (dx)
            panel->multiply(dx + in, a->in, own, a->out, packed(call, true), count, a->in, a->out,
                            !zf_fresh(call, a->x));
        if (dw)
            weight_gradient(a, dw, own, x + in, count, call->scratch,
                            first > 0 || !zf_fresh(call, a->x + 1));
    }
}

static void backward(const zf_call *call)
{
    const linear *a = attribute(call->node);
    int n = zf_call_rows(call) * a->places;
    const float *dy = zf_out_grad(call);
    float *db = call->node->inputs > a->x + 2 ? zf_in_grad(call, a->x + 2) : NULL;
    products_backward(call, zf_in_grad(call, a->x), zf_in_grad(call, a->x + 1));
    if (db) zf_reduce()->column_sums(db, dy, (size_t)n, (size_t)a->out, zf_fresh(call, a->x + 2));
    float *donto = a->x && !call->node->in_place ? zf_in_grad(call, 0) : NULL;
    if (donto) zf_vector()->pass(donto, dy, (size_t)n * (size_t)a->out, zf_fresh(call, 0));
}

/* --- onto a residual ------------------------------------------------------------------- */

static void forward_residual(const zf_call *call)
{
    zf_panel_product p = product_of(call);
    p.onto = zf_in(call, 0);
    p.row = zf_in(call, 3);
    panel_of(attribute(call->node))->multiply_onto(&p);
}

const zf_op zf_op_linear = {
    .name = "linear",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 2,
    .max_inputs = 3,
    .infer = infer,
    .prepare = prepare,
    .forward = {{.run = forward}},
    .backward = {{.run = backward}},
};

const zf_op zf_op_linear_onto = {
    .name = "linear_onto",
    .flags = ZF_OP_KNOWS_FRESH | ZF_OP_IN_PLACE,
    .min_inputs = 3,
    .max_inputs = 3,
    .infer = infer,
    .prepare = prepare,
    .forward = {{.run = forward}},
    .backward = {{.run = backward}},
};

const zf_op zf_op_linear_residual = {
    .name = "linear_residual",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 4,
    .max_inputs = 4,
    .infer = infer,
    .prepare = prepare,
    .forward = {{.run = forward_residual}},
    .backward = {{.run = backward}},
};

static zf_node *apply(zf_node *x, zf_node *w, zf_node *b, bool in_out)
{
    zf_node *inputs[] = {x, w, b};
    linear a = {.in_out = in_out};
    return zf_op_apply(&zf_op_linear, zf_op_program(inputs, 2), inputs, b ? 3 : 2, &a, sizeof a);
}

zf_node *zf_linear(zf_node *x, zf_node *w, zf_node *b)
{
    return apply(x, w, b, false);
}

zf_node *zf_linear_in_out(zf_node *x, zf_node *w, zf_node *b)
{
    return apply(x, w, b, true);
}

zf_node *zf_linear_onto(zf_node *onto, zf_node *x, zf_node *w)
{
    zf_node *inputs[] = {onto, x, w};
    linear a = {.x = 1};
    return zf_op_apply(&zf_op_linear_onto, zf_op_program(inputs, 3), inputs, 3, &a, sizeof a);
}

zf_node *zf_linear_residual(zf_node *onto, zf_node *x, zf_node *w, zf_node *b)
{
    zf_node *inputs[] = {onto, x, w, b};
    linear a = {.x = 1};
    return zf_op_apply(&zf_op_linear_residual, zf_op_program(inputs, 4), inputs, 4, &a, sizeof a);
}
