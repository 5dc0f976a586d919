/* weight (a - b)^2 summed or averaged over all elements, without a matrix of
   differences in memory: forward leaves one number a shard, backward computes
   the differences again. */
#include "engine/op.h"
#include "kernel/reduce.h"
#include "kernel/vector.h"
#include "op/ops.h"
#include "op/partial.h"

typedef struct squared_error {
    int other, weight;  /* which inputs these are; 0 for none */
    bool weight_by_row; /* one weight a row */
    zf_total total;
} squared_error;

static const squared_error *attribute(const zf_call *call)
{
    return (const void *)call->node->attribute;
}

static zf_status infer(zf_node *node)
{
    squared_error *e = (void *)node->attribute;
    const zf_node *a = node->input[0];
    bool fits = a->domain && a->type == ZF_F32;
    for (int i = 1; i < node->inputs; i++)
        fits &= node->input[i]->domain == a->domain && node->input[i]->type == ZF_F32;
    if (e->other) fits &= zf_shape_equal(node->input[e->other]->shape, a->shape);
    if (e->weight) {
        e->weight_by_row = a->shape.rank > 1 && node->input[e->weight]->shape.rank == 1; /* [N] */
        fits &= e->weight_by_row || zf_shape_equal(node->input[e->weight]->shape, a->shape);
    }
    if (!fits)
        return zf_op_mismatch(node, "rows of numbers, all of one domain and shape; the weight may "
                                    "be one a row");
    zf_partial_infer(node);
    return ZF_OK;
}

static double error_of(const float *a, const float *b, const float *weight, size_t n)
{
    const zf_reduce_kernels *k = zf_reduce();
    if (b && weight) return k->weighted_squared_difference(a, b, weight, n);
    if (weight) return k->weighted_squares(a, weight, n);
    return b ? k->squared_difference(a, b, n) : k->squares(a, n);
}

static void forward(const zf_call *call)
{
    const squared_error *e = attribute(call);
    size_t rows = (size_t)zf_call_rows(call), size = zf_in_row_size(call, 0);
    const float *a = zf_in(call, 0), *b = e->other ? zf_in(call, e->other) : NULL;
    const float *weight = e->weight ? zf_in(call, e->weight) : NULL;
    double error = 0;
    if (!e->weight_by_row) error = error_of(a, b, weight, rows * size);
    for (size_t n = 0; e->weight_by_row && n < rows; n++)
        error += (double)weight[n] * error_of(a + n * size, b ? b + n * size : NULL, NULL, size);
    zf_partial_put(call, error);
}

static double factor(const zf_call *call)
{
    if (attribute(call)->total == ZF_SUM) return 1;
    return 1 / ((double)zf_partial_rows(call) * (double)zf_in_row_size(call, 0));
}

static void finish(const zf_call *call)
{
    zf_partial_finish(call, factor(call));
}

/* dx = or += slope weight (a - b) */
static void backward_into(const zf_call *call, int i, float slope)
{
    float *dx = zf_in_grad(call, i);
    if (!dx) return;
    const squared_error *e = attribute(call);
    bool fresh = zf_fresh(call, i);
    size_t rows = (size_t)zf_call_rows(call), size = zf_in_row_size(call, 0);
    const float *a = zf_in(call, 0), *b = e->other ? zf_in(call, e->other) : NULL;
    const float *weight = e->weight ? zf_in(call, e->weight) : NULL;
    if (!e->weight_by_row) zf_reduce()->gap(dx, slope, a, b, weight, rows * size, fresh);
    for (size_t n = 0; e->weight_by_row && n < rows; n++)
        zf_reduce()->gap(dx + n * size, slope * weight[n], a + n * size, b ? b + n * size : NULL,
                         NULL, size, fresh);
}

static void backward(const zf_call *call)
{
    const squared_error *e = attribute(call);
    float slope = (float)(2 * factor(call) * (double)*zf_out_grad_all(call));
    backward_into(call, 0, slope);
    if (e->other) backward_into(call, e->other, -slope);
    /* A weight is taken as given: what it may be computed from learns nothing here. */
    float *none = e->weight && zf_fresh(call, e->weight) ? zf_in_grad(call, e->weight) : NULL;
    if (none)
        zf_vector()->fill(none, 0, (size_t)zf_call_rows(call) * zf_in_row_size(call, e->weight));
}

const zf_op zf_op_squared_error = {
    .name = "squared_error",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 1,
    .max_inputs = 3,
    .infer = infer,
    .forward = {{forward, ZF_OVER_INPUT, false}, {finish, ZF_OVER_OUTPUT, true}},
    .backward = {{backward, ZF_OVER_INPUT, true}},
};

zf_node *zf_squared_error(zf_node *a, zf_node *b, zf_node *weight, zf_total total)
{
    zf_node *inputs[3] = {a};
    int n = 1;
    squared_error e = {.total = total};
    if (b) inputs[e.other = n++] = b;
    if (weight) inputs[e.weight = n++] = weight;
    return zf_op_apply(&zf_op_squared_error, zf_op_program(inputs, n), inputs, n, &e, sizeof e);
}
