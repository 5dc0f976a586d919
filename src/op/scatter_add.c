/* Rows of one domain added up into rows of another: the reverse of gather.
   Forward, each shard of the result looks through the index for its own rows,
   in order (gather.c says why). */
#include <string.h>

#include "engine/op.h"
#include "kernel/vector.h"
#include "op/columns.h"
#include "op/ops.h"

typedef struct scatter {
    zf_domain *into;
} scatter;

static zf_status infer(zf_node *node)
{
    const zf_node *source = node->input[0], *index = node->input[1];
    zf_domain *into = ((const scatter *)(const void *)node->attribute)->into;
    if (!source->domain || source->type != ZF_F32 || index->type != ZF_I32 ||
        index->shape.rank != 1 || index->domain != source->domain || !into)
        return zf_op_mismatch(node, "source [N, ...], index [N] and a domain to add into");
    node->domain = into;
    node->shape = zf_shape_with_rows(into->max_rows, zf_shape_row(source->shape));
    return ZF_OK;
}

static void forward(const zf_call *call)
{
    size_t size = zf_out_row_size(call);
    const float *source = zf_in_all(call, 0);
    const int32_t *index = zf_in_index_all(call, 1);
    float *y = zf_out_all(call);
    memset(zf_out(call), 0, (size_t)zf_call_rows(call) * size * sizeof *y);
    for (int n = 0; n < call->node->input[0]->domain->rows; n++)
        if (index[n] >= call->begin && index[n] < call->end)
            zf_vector()->axpy(y + (size_t)index[n] * size, 1.0f, source + (size_t)n * size, size);
}

static void backward(const zf_call *call)
{
    float *dsource = zf_in_grad(call, 0);
    if (!dsource) return;
    size_t size = zf_out_row_size(call);
    const int32_t *index = zf_in_index(call, 1);
    const float *dy = zf_out_grad_all(call);
    for (int n = 0; n < zf_call_rows(call); n++, dsource += size)
        if (zf_column_ok(index[n], call->node->domain->rows))
            zf_vector()->axpy(dsource, 1.0f, dy + (size_t)index[n] * size, size);
}

const zf_op zf_op_scatter_add = {
    .name = "scatter_add",
    .min_inputs = 2,
    .max_inputs = 2,
    .infer = infer,
    .forward = {{.run = forward, .meets = true}},
    .backward = {{.run = backward, .over = ZF_OVER_INPUT, .meets = true}},
};

zf_node *zf_scatter_add(zf_node *source, zf_node *index, zf_domain *into)
{
    zf_node *inputs[] = {source, index};
    scatter a = {into};
    return zf_op_apply(&zf_op_scatter_add, zf_op_program(inputs, 2), inputs, 2, &a, sizeof a);
}
