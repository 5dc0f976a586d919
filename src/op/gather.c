/* Rows of one domain, picked by an index, as rows of another: the gates of each
   sample out of the gates of the distinct masks.

   Backward, each shard of the source's domain looks through the whole index
   for its own rows, so that every sum is made by one task in the order of the
   picking rows. Reading the index once a shard is cheap beside a row; an
   inverse index would have to be built every step. */
#include <string.h>

#include "graph/op.h"
#include "kernel/vector.h"
#include "op/columns.h"
#include "op/ops.h"

static zf_status infer(zf_node *node)
{
    const zf_node *source = node->input[0], *index = node->input[1];
    if (!source->domain || source->type != ZF_F32 || index->type != ZF_I32 ||
        index->shape.rank != 1)
        return zf_op_mismatch(node, "source [M, ...] and index [N]");
    zf_op_rows_like(node, 1, zf_shape_row(source->shape));
    return ZF_OK;
}

static void forward(const zf_call *call)
{
    size_t size = zf_out_row_size(call);
    const float *source = zf_in_all(call, 0);
    const int32_t *index = zf_in_index(call, 1);
    float *y = zf_out(call);
    for (int n = 0; n < zf_call_rows(call); n++, y += size) {
        if (zf_column_ok(index[n], call->node->input[0]->domain->rows))
            memcpy(y, source + (size_t)index[n] * size, size * sizeof *y);
        else
            memset(y, 0, size * sizeof *y);
    }
}

static void backward(const zf_call *call)
{
    float *dsource = zf_in_grad_all(call, 0);
    if (!dsource) return;
    size_t size = zf_out_row_size(call);
    const int32_t *index = zf_in_index_all(call, 1);
    const float *dy = zf_out_grad_all(call);
    for (int n = 0; n < call->node->domain->rows; n++)
        if (index[n] >= call->begin && index[n] < call->end)
            zf_vector()->axpy(dsource + (size_t)index[n] * size, 1.0f, dy + (size_t)n * size, size);
}

const zf_op zf_op_gather = {
    .name = "gather",
    .min_inputs = 2,
    .max_inputs = 2,
    .infer = infer,
    .forward = {{.run = forward, .meets = true}},
    .backward = {{.run = backward, .over = ZF_OVER_INPUT, .meets = true}},
};

zf_node *zf_gather(zf_node *source, zf_node *index)
{
    zf_node *inputs[] = {source, index};
    return zf_op_apply(&zf_op_gather, zf_op_graph(inputs, 2), inputs, 2, NULL, 0);
}
