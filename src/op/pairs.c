/* One number for each unordered pair: row n is the sum, over the columns that it
   names, of that column's numbers with every other one. The number of the pair
   (i, j) is w[i, j] + w[j, i], so what is learnt of i from j is learnt of j from i.

   Rejected: one triangle as the parameter (half the memory, but two index
   computations for every number, and a shape that no reader of a model expects).

   Letters: N rows of the shard, K columns named in a row, D variables. */
#include "engine/op.h"
#include "kernel/vector.h"
#include "op/columns.h"
#include "op/ops.h"

static zf_status infer(zf_node *node)
{
    const zf_node *columns = node->input[0], *w = node->input[1];
    if (columns->type != ZF_I32 || columns->shape.rank != 2 || w->domain || w->shape.rank != 2 ||
        w->shape.dim[0] != w->shape.dim[1])
        return zf_op_mismatch(node, "index [N, K] and a square parameter");
    zf_op_rows_like(node, 0, zf_shape_of(w->shape.dim[0]));
    return ZF_OK;
}

static void forward(const zf_call *call)
{
    int variables = call->node->input[1]->shape.dim[0];
    size_t k_columns = zf_in_row_size(call, 0), d = (size_t)variables;
    const int32_t *column = zf_in_index(call, 0);
    const float *w = zf_in(call, 1);
    float *y = zf_out(call);
    for (int n = 0; n < zf_call_rows(call); n++, y += d) {
        for (size_t j = 0; j < d; j++) y[j] = 0.0f;
        for (size_t k = 0; k < k_columns; k++, column++) {
            if (!zf_column_ok(*column, variables)) continue;
            zf_vector()->axpy(y, 1.0f, w + (size_t)*column * d, d);
            for (size_t j = 0; j < d; j++) y[j] += w[j * d + (size_t)*column];
        }
    }
}

static void backward(const zf_call *call)
{
    int variables = call->node->input[1]->shape.dim[0];
    size_t k_columns = zf_in_row_size(call, 0), d = (size_t)variables;
    const int32_t *column = zf_in_index(call, 0);
    const float *dy = zf_out_grad(call);
    float *dw = zf_in_grad(call, 1);
    if (!dw) return;
    for (int n = 0; n < zf_call_rows(call); n++, dy += d) {
        for (size_t k = 0; k < k_columns; k++, column++) {
            if (!zf_column_ok(*column, variables)) continue;
            zf_vector()->axpy(dw + (size_t)*column * d, 1.0f, dy, d);
            for (size_t j = 0; j < d; j++) dw[j * d + (size_t)*column] += dy[j];
        }
    }
}

const zf_op zf_op_pairs = {
    .name = "pairs",
    .min_inputs = 2,
    .max_inputs = 2,
    .infer = infer,
    .forward = {{.run = forward}},
    .backward = {{.run = backward}},
};

zf_node *zf_pairs(zf_node *columns, zf_node *w)
{
    zf_node *inputs[] = {columns, w};
    return zf_op_apply(&zf_op_pairs, zf_op_program(inputs, 2), inputs, 2, NULL, 0);
}
