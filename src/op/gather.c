/* Rows of one domain, picked by an index, as rows of another: the gates of each
   sample out of the gates of the distinct masks. With an index of more than one
   entry a row, single elements: the gates of each mask out of those of the
   patterns that masks are made of.

   Backward, each shard of the source's domain looks through the whole index
   for its own rows, so that every sum is made by one task in the order of the
   picking rows. Reading the index once a shard is cheap beside a row; an
   inverse index would have to be built every step. */
#include <string.h>

#include "engine/op.h"
#include "kernel/vector.h"
#include "op/columns.h"
#include "op/ops.h"

static bool by_element(const zf_node *node)
{
    return node->input[1]->shape.rank > 1;
}

static zf_status infer(zf_node *node)
{
    const zf_node *source = node->input[0], *index = node->input[1];
    if (!source->domain || source->type != ZF_F32 || index->type != ZF_I32 || index->shape.rank > 2)
        return zf_op_mismatch(node, "source [M, ...] and index [N] or [N, K]");
    zf_op_rows_like(node, 1, zf_shape_row(by_element(node) ? index->shape : source->shape));
    return ZF_OK;
}

static size_t source_row_size(const zf_call *call)
{
    return zf_shape_row_size(call->node->input[0]->shape);
}

static void pick_elements(const zf_call *call)
{
    const float *source = zf_in_all(call, 0);
    const int32_t *index = zf_in_index(call, 1);
    float *y = zf_out(call);
    size_t n = (size_t)zf_call_rows(call) * zf_out_row_size(call);
    int count = call->node->input[0]->domain->rows * (int)source_row_size(call);
    for (size_t i = 0; i < n; i++) y[i] = zf_column_ok(index[i], count) ? source[index[i]] : 0.0f;
}

static void return_elements(const zf_call *call, float *dsource)
{
    size_t size = source_row_size(call);
    const int32_t *index = zf_in_index_all(call, 1);
    const float *dy = zf_out_grad_all(call);
    size_t n = (size_t)call->node->domain->rows * zf_out_row_size(call);
    int32_t begin = call->begin * (int32_t)size, end = call->end * (int32_t)size;
    for (size_t i = 0; i < n; i++)
        if (index[i] >= begin && index[i] < end) dsource[index[i]] += dy[i];
}

static void forward(const zf_call *call)
{
    if (by_element(call->node)) {
        pick_elements(call);
        return;
    }
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
    if (by_element(call->node)) {
        return_elements(call, dsource);
        return;
    }
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
    return zf_op_apply(&zf_op_gather, zf_op_program(inputs, 2), inputs, 2, NULL, 0);
}
