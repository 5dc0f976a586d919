/* A linear layer of which each row needs a few outputs only: dot products with
   these rows of W [out, in] instead of the whole product. A row may have several
   places, [N, ..., in] and [N, ..., K].

   Letters: N rows of the shard times places, K outputs named in each, I inputs. */
#include "engine/op.h"
#include "kernel/reduce.h"
#include "kernel/vector.h"
#include "op/columns.h"
#include "op/ops.h"

static zf_status infer(zf_node *node)
{
    const zf_node *x = node->input[0], *columns = node->input[1], *w = node->input[2];
    const zf_node *b = node->inputs > 3 ? node->input[3] : NULL;
    int last = x->shape.rank - 1;
    bool fits = x->type == ZF_F32 && x->domain && last >= 1 && columns->type == ZF_I32 &&
                columns->domain == x->domain && columns->shape.rank == last + 1 && !w->domain &&
                w->shape.rank == 2 && w->shape.dim[1] == x->shape.dim[last];
    for (int i = 1; i < last && fits; i++) fits = columns->shape.dim[i] == x->shape.dim[i];
    if (!fits || (b && !zf_shape_equal(b->shape, zf_shape_of(w->shape.dim[0]))))
        return zf_op_mismatch(node, "x [N, ..., in], index [N, ..., K], parameter [out, in] "
                                    "and, if any, bias [out]");
    zf_op_rows_like(node, 0, zf_shape_row(columns->shape));
    return ZF_OK;
}

static void forward(const zf_call *call)
{
    const zf_shape *w_shape = &call->node->input[2]->shape, *picked = &call->node->input[1]->shape;
    size_t k_columns = (size_t)picked->dim[picked->rank - 1], in = (size_t)w_shape->dim[1];
    int out = w_shape->dim[0];
    const int32_t *column = zf_in_index(call, 1);
    const float *x = zf_in(call, 0), *w = zf_in(call, 2);
    const float *b = call->node->inputs > 3 ? zf_in(call, 3) : NULL;
    float *y = zf_out(call);
    size_t count = (size_t)zf_call_rows(call) * zf_in_row_size(call, 1);
    for (size_t i = 0; i < count; i++) {
        y[i] = 0.0f;
        if (!zf_column_ok(column[i], out)) continue;
        y[i] = (float)zf_reduce()->dot(x + i / k_columns * in, w + (size_t)column[i] * in, in);
        if (b) y[i] += b[column[i]];
    }
}

static void backward(const zf_call *call)
{
    const zf_shape *w_shape = &call->node->input[2]->shape, *picked = &call->node->input[1]->shape;
    size_t k_columns = (size_t)picked->dim[picked->rank - 1], in = (size_t)w_shape->dim[1];
    int out = w_shape->dim[0];
    const int32_t *column = zf_in_index(call, 1);
    const float *x = zf_in(call, 0), *w = zf_in(call, 2), *dy = zf_out_grad(call);
    float *dx = zf_in_grad(call, 0), *dw = zf_in_grad(call, 2);
    float *db = call->node->inputs > 3 ? zf_in_grad(call, 3) : NULL;
    size_t count = (size_t)zf_call_rows(call) * zf_in_row_size(call, 1);
    for (size_t i = 0; i < count; i++) {
        if (!zf_column_ok(column[i], out)) continue;
        size_t row = i / k_columns * in, at = (size_t)column[i] * in;
        if (dx) zf_vector()->axpy(dx + row, dy[i], w + at, in);
        if (dw) zf_vector()->axpy(dw + at, dy[i], x + row, in);
        if (db) db[column[i]] += dy[i];
    }
}

const zf_op zf_op_linear_selected = {
    .name = "linear_selected",
    .min_inputs = 3,
    .max_inputs = 4,
    .infer = infer,
    .forward = {{.run = forward}},
    .backward = {{.run = backward}},
};

zf_node *zf_linear_selected(zf_node *x, zf_node *columns, zf_node *w, zf_node *b)
{
    zf_node *inputs[] = {x, columns, w, b};
    return zf_op_apply(&zf_op_linear_selected, zf_op_program(inputs, 3), inputs, b ? 4 : 3, NULL,
                       0);
}
