/* Moving elements without changing them: concat and slice along a dimension of
   the rows, reshape.

   Along dimension `axis` a row is [outer, length, inner]: a run of length *
   inner elements, outer times. A part of the dimension is a part of each run. */
#include <string.h>

#include "engine/op.h"
#include "kernel/vector.h"
#include "op/ops.h"

static size_t product(const zf_shape *shape, int from, int to)
{
    size_t size = 1;
    for (int i = from; i < to; i++) size *= (size_t)shape->dim[i];
    return size;
}

/* --- concat ------------------------------------------------------------------------ */

static zf_status infer_concat(zf_node *node)
{
    int axis = *(const int *)(const void *)node->attribute;
    const zf_node *first = node->input[0];
    bool fits = first->domain && axis >= 1 && axis < first->shape.rank;
    zf_shape shape = first->shape;
    for (int i = 0; i < node->inputs && fits; i++) {
        const zf_node *part = node->input[i];
        fits =
            part->domain == first->domain && part->type == ZF_F32 && part->shape.rank == shape.rank;
        for (int d = 1; d < shape.rank; d++)
            fits &= d == axis || part->shape.dim[d] == shape.dim[d];
        if (i > 0) shape.dim[axis] += part->shape.dim[axis];
    }
    if (!fits)
        return zf_op_mismatch(node, "parts of one domain that differ in dimension %d (from 1) only",
                              axis);
    zf_op_rows_like(node, 0, zf_shape_row(shape));
    return ZF_OK;
}

/* Runs of the result and of the parts side by side: forward copies a part's runs
   in, backward passes its gradient out. */
static void each_part(const zf_call *call, bool forward)
{
    int axis = *(const int *)(const void *)call->node->attribute;
    size_t runs = (size_t)zf_call_rows(call) * product(&call->node->shape, 1, axis);
    size_t whole = product(&call->node->shape, axis, call->node->shape.rank), offset = 0;
    for (int i = 0; i < call->node->inputs; i++) {
        const zf_shape *shape = &call->node->input[i]->shape;
        size_t run = product(shape, axis, shape->rank);
        float *dx = forward ? NULL : zf_in_grad(call, i);
        for (size_t r = 0; r < runs && forward; r++)
            memcpy(zf_out(call) + r * whole + offset, zf_in(call, i) + r * run,
                   run * sizeof(float));
        for (size_t r = 0; r < runs && dx; r++)
            zf_vector()->pass(dx + r * run, zf_out_grad(call) + r * whole + offset, run,
                              zf_fresh(call, i));
        offset += run;
    }
}

static void forward_concat(const zf_call *call)
{
    each_part(call, true);
}

static void backward_concat(const zf_call *call)
{
    each_part(call, false);
}

const zf_op zf_op_concat = {
    .name = "concat",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 1,
    .max_inputs = ZF_MAX_INPUTS,
    .infer = infer_concat,
    .forward = {{forward_concat}},
    .backward = {{backward_concat}},
};

zf_node *zf_concat(zf_node *const *parts, int n_parts, int axis)
{
    return zf_op_apply(&zf_op_concat, zf_op_program(parts, n_parts), parts, n_parts, &axis,
                       sizeof axis);
}

/* --- slice -------------------------------------------------------------------------- */

typedef struct slice {
    int axis, begin, length;
} slice;

static zf_status infer_slice(zf_node *node)
{
    const slice *s = (const void *)node->attribute;
    const zf_node *x = node->input[0];
    if (!x->domain || x->type != ZF_F32 || s->axis < 1 || s->axis >= x->shape.rank ||
        s->begin < 0 || s->length < 1 || s->begin > x->shape.dim[s->axis] - s->length)
        return zf_op_mismatch(node, "%d elements from %d on in dimension %d (from 1)", s->length,
                              s->begin, s->axis);
    zf_shape shape = x->shape;
    shape.dim[s->axis] = s->length;
    zf_op_rows_like(node, 0, zf_shape_row(shape));
    return ZF_OK;
}

typedef struct slice_runs {
    size_t runs, whole, offset, part;
} slice_runs;

static slice_runs runs_of(const zf_call *call)
{
    const slice *s = (const void *)call->node->attribute;
    const zf_shape *x = &call->node->input[0]->shape;
    size_t inner = product(x, s->axis + 1, x->rank);
    return (slice_runs){
        .runs = (size_t)zf_call_rows(call) * product(x, 1, s->axis),
        .whole = (size_t)x->dim[s->axis] * inner,
        .offset = (size_t)s->begin * inner,
        .part = (size_t)s->length * inner,
    };
}

static void forward_slice(const zf_call *call)
{
    slice_runs s = runs_of(call);
    for (size_t r = 0; r < s.runs; r++)
        memcpy(zf_out(call) + r * s.part, zf_in(call, 0) + r * s.whole + s.offset,
               s.part * sizeof(float));
}

static void backward_slice(const zf_call *call)
{
    slice_runs s = runs_of(call);
    float *dx = zf_in_grad(call, 0);
    bool fresh = zf_fresh(call, 0);
    if (fresh) memset(dx, 0, s.runs * s.whole * sizeof *dx);
    for (size_t r = 0; r < s.runs; r++)
        zf_vector()->pass(dx + r * s.whole + s.offset, zf_out_grad(call) + r * s.part, s.part,
                          fresh);
}

const zf_op zf_op_slice = {
    .name = "slice",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 1,
    .max_inputs = 1,
    .infer = infer_slice,
    .forward = {{forward_slice}},
    .backward = {{backward_slice}},
};

zf_node *zf_slice(zf_node *x, int axis, int begin, int length)
{
    slice s = {axis, begin, length};
    return zf_op_apply(&zf_op_slice, zf_op_program(&x, 1), &x, 1, &s, sizeof s);
}

/* --- reshape -------------------------------------------------------------------------- */

static zf_status infer_reshape(zf_node *node)
{
    const zf_shape *row = (const void *)node->attribute;
    const zf_node *x = node->input[0];
    char text[ZF_SHAPE_TEXT];
    bool fits = x->domain && row->rank >= 0 && row->rank < ZF_MAX_RANK;
    for (int i = 0; fits && i < row->rank; i++) fits = row->dim[i] >= 1;
    if (!fits || zf_shape_size(*row) != zf_shape_row_size(x->shape))
        return zf_op_mismatch(node, "rows with as many elements as %s",
                              row->rank < ZF_MAX_RANK ? zf_shape_text(*row, text) : "asked for");
    node->type = x->type;
    zf_op_rows_like(node, 0, *row);
    return ZF_OK;
}

static size_t elements(const zf_call *call)
{
    return (size_t)zf_call_rows(call) * zf_out_row_size(call);
}

static void forward_reshape(const zf_call *call)
{
    if (!call->node->in_place) memcpy(zf_out(call), zf_in(call, 0), elements(call) * sizeof(float));
}

static void backward_reshape(const zf_call *call)
{
    if (!call->node->in_place)
        zf_vector()->pass(zf_in_grad(call, 0), zf_out_grad(call), elements(call),
                          zf_fresh(call, 0));
}

const zf_op zf_op_reshape = {
    .name = "reshape",
    .flags = ZF_OP_VIEW | ZF_OP_KNOWS_FRESH,
    .min_inputs = 1,
    .max_inputs = 1,
    .infer = infer_reshape,
    .forward = {{forward_reshape}},
    .backward = {{backward_reshape}},
};

zf_node *zf_reshape(zf_node *x, zf_shape row)
{
    return zf_op_apply(&zf_op_reshape, zf_op_program(&x, 1), &x, 1, &row, sizeof row);
}
