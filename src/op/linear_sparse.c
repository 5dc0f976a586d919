/* A linear layer whose input rows have a few non-zero columns: a gather of
   weight rows instead of a product with mostly zeros. W is [in, out], so that
   a column's weights are contiguous.

   Letters: N rows of the shard, K columns named in a row, O outputs. */
#include <string.h>

#include "graph/op.h"
#include "kernel/reduce.h"
#include "kernel/vector.h"
#include "op/columns.h"
#include "op/ops.h"

static zf_status infer(zf_node *node)
{
    const zf_node *columns = node->input[0], *values = node->input[1], *w = node->input[2];
    const zf_node *b = node->inputs > 3 ? node->input[3] : NULL;
    bool fits = columns->type == ZF_I32 && columns->shape.rank == 2 && values->type == ZF_F32 &&
                values->domain == columns->domain &&
                zf_shape_equal(values->shape, columns->shape) && !w->domain && w->shape.rank == 2;
    if (!fits || (b && !zf_shape_equal(b->shape, zf_shape_of(w->shape.dim[1]))))
        return zf_op_mismatch(node, "index [N, K], values [N, K], parameter [in, out] and, if "
                                    "any, bias [out]");
    zf_op_rows_like(node, 0, zf_shape_of(w->shape.dim[1]));
    return ZF_OK;
}

static void forward(const zf_call *call)
{
    const zf_shape *w_shape = &call->node->input[2]->shape;
    size_t k_columns = zf_in_row_size(call, 0), out = (size_t)w_shape->dim[1];
    const int32_t *column = zf_in_index(call, 0);
    const float *value = zf_in(call, 1), *w = zf_in(call, 2);
    const float *b = call->node->inputs > 3 ? zf_in(call, 3) : NULL;
    float *y = zf_out(call);
    for (int n = 0; n < zf_call_rows(call); n++, y += out) {
        if (b)
            memcpy(y, b, out * sizeof *y);
        else
            memset(y, 0, out * sizeof *y);
        for (size_t k = 0; k < k_columns; k++, column++, value++)
            if (zf_column_ok(*column, w_shape->dim[0]))
                zf_vector()->axpy(y, *value, w + (size_t)*column * out, out);
    }
}

static void backward(const zf_call *call)
{
    const zf_shape *w_shape = &call->node->input[2]->shape;
    size_t k_columns = zf_in_row_size(call, 0), out = (size_t)w_shape->dim[1];
    const int32_t *column = zf_in_index(call, 0);
    const float *value = zf_in(call, 1), *w = zf_in(call, 2), *dy = zf_out_grad(call);
    float *dvalue = zf_in_grad(call, 1), *dw = zf_in_grad(call, 2);
    float *db = call->node->inputs > 3 ? zf_in_grad(call, 3) : NULL;
    size_t rows = (size_t)zf_call_rows(call);
    if (db) zf_reduce()->column_sums(db, dy, rows, out, false);
    for (size_t i = 0; i < rows * k_columns; i++) {
        if (!zf_column_ok(column[i], w_shape->dim[0])) continue;
        const float *dy_row = dy + i / k_columns * out;
        size_t at = (size_t)column[i] * out;
        if (dw) zf_vector()->axpy(dw + at, value[i], dy_row, out);
        if (dvalue) dvalue[i] += (float)zf_reduce()->dot(dy_row, w + at, out);
    }
}

const zf_op zf_op_linear_sparse = {
    .name = "linear_sparse",
    .min_inputs = 3,
    .max_inputs = 4,
    .infer = infer,
    .forward = {{.run = forward}},
    .backward = {{.run = backward}},
};

zf_node *zf_linear_sparse(zf_node *columns, zf_node *values, zf_node *w, zf_node *b)
{
    zf_node *inputs[] = {columns, values, w, b};
    return zf_op_apply(&zf_op_linear_sparse, zf_op_graph(inputs, 3), inputs, b ? 4 : 3, NULL, 0);
}
