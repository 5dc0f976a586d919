/* Sums and means: of everything into a scalar (sum, mean), and over one
   dimension of each row (sum_axis, mean_axis).

   A mean over everything divides by the rows in use, not by the largest number. */
#include "kernel/reduce.h"
#include "engine/op.h"
#include "kernel/vector.h"
#include "op/ops.h"
#include "op/partial.h"

/* y[i] = or += value */
static void spread(float *y, float value, size_t n, bool fresh)
{
    if (fresh)
        zf_vector()->fill(y, value, n);
    else
        for (size_t i = 0; i < n; i++) y[i] += value;
}

/* --- of everything --------------------------------------------------------------- */

static zf_status infer_all(zf_node *node)
{
    const zf_node *x = node->input[0];
    if (!x->domain || x->type != ZF_F32) return zf_op_mismatch(node, "rows of numbers");
    zf_partial_infer(node);
    return ZF_OK;
}

static void forward_part(const zf_call *call)
{
    size_t n = (size_t)zf_call_rows(call) * zf_in_row_size(call, 0);
    zf_partial_put(call, zf_reduce()->sum(zf_in(call, 0), n));
}

static void finish_sum(const zf_call *call)
{
    zf_partial_finish(call, 1);
}

static double one_in_all(const zf_call *call)
{
    return 1 / ((double)zf_partial_rows(call) * (double)zf_in_row_size(call, 0));
}

static void finish_mean(const zf_call *call)
{
    zf_partial_finish(call, one_in_all(call));
}

static void backward_all(const zf_call *call, double factor)
{
    size_t n = (size_t)zf_call_rows(call) * zf_in_row_size(call, 0);
    float gradient = (float)((double)*zf_out_grad_all(call) * factor);
    spread(zf_in_grad(call, 0), gradient, n, zf_fresh(call, 0));
}

static void backward_sum(const zf_call *call)
{
    backward_all(call, 1);
}

static void backward_mean(const zf_call *call)
{
    backward_all(call, one_in_all(call));
}

const zf_op zf_op_sum = {
    .name = "sum",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 1,
    .max_inputs = 1,
    .infer = infer_all,
    .forward = {{forward_part, ZF_OVER_INPUT, false}, {finish_sum, ZF_OVER_OUTPUT, true}},
    .backward = {{backward_sum, ZF_OVER_INPUT, true}},
};

const zf_op zf_op_mean = {
    .name = "mean",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 1,
    .max_inputs = 1,
    .infer = infer_all,
    .forward = {{forward_part, ZF_OVER_INPUT, false}, {finish_mean, ZF_OVER_OUTPUT, true}},
    .backward = {{backward_mean, ZF_OVER_INPUT, true}},
};

zf_node *zf_sum(zf_node *x)
{
    return zf_op_apply(&zf_op_sum, zf_op_program(&x, 1), &x, 1, NULL, 0);
}

zf_node *zf_mean(zf_node *x)
{
    return zf_op_apply(&zf_op_mean, zf_op_program(&x, 1), &x, 1, NULL, 0);
}

/* --- over one dimension ------------------------------------------------------------- */

/* A row is [outer, length, inner]; length goes away. */
typedef struct axis {
    int axis;
    size_t outer, length, inner;
} axis;

static const axis *axis_of(const zf_call *call)
{
    return (const void *)call->node->attribute;
}

static zf_status infer_axis(zf_node *node)
{
    axis *a = (void *)node->attribute;
    const zf_node *x = node->input[0];
    if (!x->domain || x->type != ZF_F32 || a->axis < 1 || a->axis >= x->shape.rank)
        return zf_op_mismatch(node, "rows of numbers that have a dimension %d, counted from 1",
                              a->axis);
    a->outer = a->inner = 1;
    a->length = (size_t)x->shape.dim[a->axis];
    zf_shape row = {0};
    for (int i = 1; i < x->shape.rank; i++) {
        if (i < a->axis) a->outer *= (size_t)x->shape.dim[i];
        if (i > a->axis) a->inner *= (size_t)x->shape.dim[i];
        if (i != a->axis) row.dim[row.rank++] = x->shape.dim[i];
    }
    zf_op_rows_like(node, 0, row);
    return ZF_OK;
}

static void forward_sum_axis(const zf_call *call)
{
    const axis *a = axis_of(call);
    const float *x = zf_in(call, 0);
    float *y = zf_out(call);
    size_t blocks = (size_t)zf_call_rows(call) * a->outer;
    for (size_t i = 0; i < blocks; i++, x += a->length * a->inner, y += a->inner) {
        if (a->inner == 1)
            *y = (float)zf_reduce()->sum(x, a->length);
        else
            zf_reduce()->column_sums(y, x, a->length, a->inner, true);
    }
}

static void forward_mean_axis(const zf_call *call)
{
    forward_sum_axis(call);
    float *y = zf_out(call);
    zf_vector()->scale(y, y, 1.0f / (float)axis_of(call)->length,
                       (size_t)zf_call_rows(call) * zf_out_row_size(call));
}

static void backward_axis(const zf_call *call, float factor)
{
    const axis *a = axis_of(call);
    const float *dy = zf_out_grad(call);
    float *dx = zf_in_grad(call, 0);
    bool fresh = zf_fresh(call, 0);
    size_t blocks = (size_t)zf_call_rows(call) * a->outer;
    for (size_t i = 0; i < blocks; i++, dx += a->length * a->inner, dy += a->inner) {
        if (a->inner == 1)
            spread(dx, factor * *dy, a->length, fresh);
        else
            for (size_t k = 0; k < a->length; k++)
                zf_vector()->pass_scaled(dx + k * a->inner, factor, dy, a->inner, fresh);
    }
}

static void backward_sum_axis(const zf_call *call)
{
    backward_axis(call, 1.0f);
}

static void backward_mean_axis(const zf_call *call)
{
    backward_axis(call, 1.0f / (float)axis_of(call)->length);
}

const zf_op zf_op_sum_axis = {
    .name = "sum_axis",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 1,
    .max_inputs = 1,
    .infer = infer_axis,
    .forward = {{forward_sum_axis}},
    .backward = {{backward_sum_axis}},
};

const zf_op zf_op_mean_axis = {
    .name = "mean_axis",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 1,
    .max_inputs = 1,
    .infer = infer_axis,
    .forward = {{forward_mean_axis}},
    .backward = {{backward_mean_axis}},
};

zf_node *zf_sum_axis(zf_node *x, int dimension)
{
    axis a = {.axis = dimension};
    return zf_op_apply(&zf_op_sum_axis, zf_op_program(&x, 1), &x, 1, &a, sizeof a);
}

zf_node *zf_mean_axis(zf_node *x, int dimension)
{
    axis a = {.axis = dimension};
    return zf_op_apply(&zf_op_mean_axis, zf_op_program(&x, 1), &x, 1, &a, sizeof a);
}
