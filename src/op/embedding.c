/* Rows of a table that is learnt, picked by an index a row or a sequence of
   them. -1 picks nothing: zeros, and no gradient. */
#include <string.h>

#include "engine/op.h"
#include "kernel/vector.h"
#include "op/columns.h"
#include "op/ops.h"

static zf_status infer(zf_node *node)
{
    const zf_node *index = node->input[0], *table = node->input[1];
    int rank = index->shape.rank;
    if (index->type != ZF_I32 || rank < 1 || rank > 2 || table->domain || table->shape.rank != 2)
        return zf_op_mismatch(node, "index [N] or [N, T] and parameter [V, C]");
    int width = table->shape.dim[1];
    zf_op_rows_like(node, 0,
                    rank == 1 ? zf_shape_of(width) : zf_shape_of(index->shape.dim[1], width));
    return ZF_OK;
}

static size_t picks(const zf_call *call)
{
    return (size_t)zf_call_rows(call) * zf_in_row_size(call, 0);
}

static void forward(const zf_call *call)
{
    const zf_shape *table_shape = &call->node->input[1]->shape;
    size_t width = (size_t)table_shape->dim[1], count = picks(call);
    const int32_t *index = zf_in_index(call, 0);
    const float *table = zf_in(call, 1);
    float *y = zf_out(call);
    for (size_t i = 0; i < count; i++, y += width) {
        if (zf_column_ok(index[i], table_shape->dim[0]))
            memcpy(y, table + (size_t)index[i] * width, width * sizeof *y);
        else
            memset(y, 0, width * sizeof *y);
    }
}

static void backward(const zf_call *call)
{
    float *dtable = zf_in_grad(call, 1);
    if (!dtable) return;
    const zf_shape *table_shape = &call->node->input[1]->shape;
    size_t width = (size_t)table_shape->dim[1], count = picks(call);
    const int32_t *index = zf_in_index(call, 0);
    const float *dy = zf_out_grad(call);
    for (size_t i = 0; i < count; i++, dy += width)
        if (zf_column_ok(index[i], table_shape->dim[0]))
            zf_vector()->axpy(dtable + (size_t)index[i] * width, 1.0f, dy, width);
}

const zf_op zf_op_embedding = {
    .name = "embedding",
    .min_inputs = 2,
    .max_inputs = 2,
    .infer = infer,
    .forward = {{.run = forward}},
    .backward = {{.run = backward}},
};

zf_node *zf_embedding(zf_node *index, zf_node *table)
{
    zf_node *inputs[] = {index, table};
    return zf_op_apply(&zf_op_embedding, zf_op_program(inputs, 2), inputs, 2, NULL, 0);
}
