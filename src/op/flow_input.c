/* What a velocity between images is asked: planes of the point (1 - t) x + t x', of y,
   of t, and of what a code tells, side by side. x' is the row of x that `other` names, and
   what is told is that row's (flow_input_other) or the own one's (flow_input).

   One pass in place of a gather, a sum, a plane of t and a concatenation, each of which
   would go through memory; only what is told gets a gradient. */
#include <string.h>

#include "base/error.h"
#include "kernel/between.h"
#include "op/columns.h"
#include "op/flow_point.h"
#include "op/ops.h"

enum { TOLD = ZF_FLOW_TOLD, X = ZF_FLOW_X, Y = ZF_FLOW_Y, OTHER = ZF_FLOW_OTHER, T };

static bool is_data(const zf_node *node)
{
    return !node->op && node->parameter < 0 && !node->wants_grad;
}

zf_status zf_point_check(const zf_node *node, const zf_node *t)
{
    const zf_node *told = node->input[TOLD], *x = node->input[X], *y = node->input[Y];
    const zf_node *other = node->input[OTHER];
    const zf_domain *domain = told->domain;
    if (!domain || told->type != ZF_F32 || told->shape.rank != 4 || x->domain != domain ||
        y->domain != domain || other->domain != domain || other->type != ZF_I32 ||
        other->shape.rank != 1 || !zf_shape_equal(x->shape, told->shape) ||
        !zf_shape_equal(y->shape, told->shape) || !is_data(x) || !is_data(y) ||
        (t && (t->domain != domain || t->shape.rank != 1 || !is_data(t))))
        return zf_op_mismatch(node, "what is told [N, C, H, W], inputs x and y like it, an index "
                                    "[N] and, if any, an input t [N]");
    return ZF_OK;
}

static zf_status infer(zf_node *node)
{
    ZF_TRY(zf_point_check(node, node->inputs > T ? node->input[T] : NULL));
    const int *dim = node->input[TOLD]->shape.dim;
    zf_op_rows_like(node, TOLD, zf_shape_of(3 * dim[1] + 1, dim[2], dim[3]));
    node->without_gradient = (size_t)(2 * dim[1] + 1) * (size_t)dim[2] * (size_t)dim[3];
    return ZF_OK;
}

size_t zf_point_image(const zf_call *call)
{
    return zf_in_row_size(call, TOLD);
}

static size_t plane(const zf_call *call)
{
    return zf_point_image(call) / (size_t)call->node->input[TOLD]->shape.dim[1];
}

size_t zf_point_planes(const zf_call *call)
{
    return 3 * zf_point_image(call) + plane(call);
}

size_t zf_point_before_told(const zf_call *call)
{
    return 2 * zf_point_image(call) + plane(call);
}

void zf_point_fill(const zf_call *call, float *planes, int n, int t_input, bool of_other)
{
    size_t size = zf_point_image(call), space = plane(call);
    int32_t other = zf_in_index_all(call, OTHER)[n];
    bool there = zf_column_ok(other, call->rows);
    float t = t_input >= 0 ? zf_in_all(call, t_input)[n] : 0.5f;
    const float *x = zf_in_all(call, X), *told = zf_in_all(call, TOLD);
    zf_between_planes(planes, x + (size_t)n * size, there ? x + (size_t)other * size : NULL, t,
                      size);
    memcpy(planes + size, zf_in_all(call, Y) + (size_t)n * size, size * sizeof *planes);
    zf_vector()->fill(planes + 2 * size, t, space);
    float *to = planes + zf_point_before_told(call);
    if (there || !of_other)
        memcpy(to, told + (size_t)(of_other ? other : n) * size, size * sizeof *to);
    else
        memset(to, 0, size * sizeof *to);
}

static void fill_rows(const zf_call *call, bool of_other)
{
    int t = call->node->inputs > T ? T : -1;
    for (int n = call->begin; n < call->end; n++)
        zf_point_fill(call, zf_out_all(call) + (size_t)n * zf_out_row_size(call), n, t, of_other);
}

static void forward(const zf_call *call)
{
    fill_rows(call, false);
}

static void forward_other(const zf_call *call)
{
    fill_rows(call, true);
}

static void backward(const zf_call *call)
{
    size_t size = zf_point_image(call), row = zf_out_row_size(call);
    float *d_told = zf_in_grad(call, TOLD);
    const float *dy = zf_out_grad(call) + zf_point_before_told(call);
    for (int n = 0; d_told && n < zf_call_rows(call); n++, d_told += size, dy += row)
        zf_vector()->pass(d_told, dy, size, zf_fresh(call, TOLD));
}

void zf_point_send_back(const zf_call *call, float factor, const float *dy, size_t stride)
{
    size_t size = zf_point_image(call);
    float *d_told = zf_in_grad_all(call, TOLD);
    const int32_t *other = zf_in_index_all(call, OTHER);
    if (zf_fresh(call, TOLD))
        memset(zf_in_grad(call, TOLD), 0, (size_t)zf_call_rows(call) * size * sizeof *d_told);
    for (int n = 0; n < call->rows; n++)
        if (other[n] >= call->begin && other[n] < call->end)
            zf_vector()->axpy(d_told + (size_t)other[n] * size, factor, dy + (size_t)n * stride,
                              size);
}

static void backward_other(const zf_call *call)
{
    if (!zf_in_grad_all(call, TOLD)) return;
    zf_point_send_back(call, 1.0f, zf_out_grad_all(call) + zf_point_before_told(call),
                       zf_out_row_size(call));
}

const zf_op zf_op_flow_input = {
    .name = "flow_input",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 4,
    .max_inputs = 5,
    .infer = infer,
    .forward = {{.run = forward}},
    .backward = {{.run = backward}},
};

const zf_op zf_op_flow_input_other = {
    .name = "flow_input_other",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 4,
    .max_inputs = 5,
    .infer = infer,
    .forward = {{.run = forward_other, .meets = true}},
    .backward = {{.run = backward_other, .meets = true}},
};

static zf_node *apply(const zf_op *op, zf_flow_point point, zf_node *told)
{
    zf_node *inputs[] = {told, point.x, point.y, point.other, point.t};
    return zf_op_apply(op, zf_op_program(inputs, 4), inputs, point.t ? 5 : 4, NULL, 0);
}

zf_node *zf_flow_input(zf_flow_point point, zf_node *told)
{
    return apply(&zf_op_flow_input, point, told);
}

zf_node *zf_flow_input_other(zf_flow_point point, zf_node *told)
{
    return apply(&zf_op_flow_input_other, point, told);
}
