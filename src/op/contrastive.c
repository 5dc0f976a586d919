/* The contrastive loss of SimCLR (Chen et al., 2020): each view is to be told from all
   others as the one most like the other view of its image.

   A meeting point: a row's similarities are with all rows. One task packs the rows once
   for all shards; each shard then multiplies its own with them and keeps the similarities
   and, of each row, what its softmax needs. The gradient of a similarity has two parts,
   of the rows on either side of it, and the matrix is symmetric: so a shard finds both
   from its own rows of the matrix and all rows' softmax, and no one adds into the rows of
   another. */
#include <math.h>

#include "base/arena.h"
#include "engine/op.h"
#include "kernel/panel.h"
#include "kernel/rows.h"
#include "kernel/vector.h"
#include "op/ops.h"
#include "op/partial.h"

typedef struct contrastive {
    float temperature;
    int width; /* of a row */
    int most;  /* rows */
} contrastive;

static const contrastive *attribute(const zf_node *node)
{
    return (const void *)node->attribute;
}

/* Saved: the rows packed, once for either direction; what the softmax of each row needs;
   all similarities, in rows of `rows in use`. */
typedef struct kept {
    float *packed;
    float *largest, *inverse;
    float *similarity;
} kept;

static size_t aligned(size_t bytes)
{
    return (bytes + ZF_ALIGN - 1) / ZF_ALIGN * ZF_ALIGN;
}

static const zf_panel_kernels *panel_of(const zf_node *node)
{
    return zf_panel_for(attribute(node)->width, attribute(node)->most);
}

static size_t packed_bytes(const zf_node *node)
{
    const contrastive *a = attribute(node);
    size_t there = panel_of(node)->bytes(a->width, a->most);
    size_t back = panel_of(node)->bytes(a->most, a->width);
    return aligned(there > back ? there : back);
}

static kept kept_of(const zf_call *call)
{
    size_t most = (size_t)attribute(call->node)->most, column = aligned(most * sizeof(float));
    unsigned char *at = zf_saved(call);
    unsigned char *rows = at + packed_bytes(call->node);
    return (kept){(float *)at, (float *)rows, (float *)(rows + column),
                  (float *)(rows + 2 * column)};
}

static zf_status infer(zf_node *node)
{
    const zf_node *x = node->input[0];
    contrastive *a = (void *)node->attribute;
    if (!x->domain || x->type != ZF_F32 || x->shape.rank != 2 || !(a->temperature > 0))
        return zf_op_mismatch(node, "codes [N, L] and a temperature above 0 (it is %g)",
                              (double)a->temperature);
    zf_partial_infer(node);
    a->width = x->shape.dim[1];
    a->most = x->shape.dim[0];
    size_t most = (size_t)a->most, shard = (size_t)zf_max_shard_rows_in(node);
    node->saved_bytes = packed_bytes(node) + 2 * aligned(most * sizeof(float)) +
                        aligned(most * most * sizeof(float));
    node->scratch_bytes = aligned(shard * sizeof(zf_row_softmax)) +
                          aligned(shard * sizeof(int32_t)) + shard * most * sizeof(float);
    return ZF_OK;
}

/* The other view of a row's image; -1: it has none. */
static int32_t partner(int row, int rows)
{
    int half = rows / 2;
    return row < half ? row + half : row < 2 * half ? row - half : -1;
}

/* --- forward ---------------------------------------------------------------------------- */

static void pack(const zf_call *call)
{
    int rows = zf_partial_rows(call), width = attribute(call->node)->width;
    panel_of(call->node)
        ->pack_transposed(kept_of(call).packed, zf_in_all(call, 0), width, width, rows);
}

static void compare(const zf_call *call)
{
    kept k = kept_of(call);
    int own = zf_call_rows(call), rows = call->rows, width = attribute(call->node)->width;
    zf_row_softmax *softmax = call->scratch;
    int32_t *label = (int32_t *)((char *)call->scratch + aligned((size_t)own * sizeof *softmax));
    float *similarity = k.similarity + (size_t)call->begin * (size_t)rows;
    panel_of(call->node)
        ->multiply(similarity, rows, zf_in(call, 0), width, k.packed, own, rows, width, false);
    zf_vector()->scale(similarity, similarity, 1 / attribute(call->node)->temperature,
                       (size_t)own * (size_t)rows);
    int paired = 0; /* a row without another view can only be the last */
    for (int i = 0; i < own; i++) {
        similarity[(size_t)i * (size_t)rows + (size_t)(call->begin + i)] = -INFINITY;
        label[i] = partner(call->begin + i, rows);
        if (label[i] >= 0) paired++;
    }
    zf_partial_put(
        call, zf_rows()->cross_entropy(softmax, similarity, label, (size_t)paired, (size_t)rows));
    for (int i = 0; i < own; i++) {
        k.largest[call->begin + i] = i < paired ? softmax[i].largest : 0;
        k.inverse[call->begin + i] = i < paired ? softmax[i].inverse_sum : 0;
    }
}

static void finish(const zf_call *call)
{
    zf_partial_finish(call, 0.5 / (double)(zf_partial_rows(call) / 2));
}

/* --- backward ----------------------------------------------------------------------------- */

static void pack_back(const zf_call *call)
{
    int rows = zf_partial_rows(call), width = attribute(call->node)->width;
    panel_of(call->node)->pack(kept_of(call).packed, zf_in_all(call, 0), width, rows, width);
}

static void pull(const zf_call *call)
{
    kept k = kept_of(call);
    int own = zf_call_rows(call), rows = call->rows, width = attribute(call->node)->width;
    float factor =
        *zf_out_grad_all(call) / attribute(call->node)->temperature * 0.5f / (float)(rows / 2);
    float *weight = call->scratch;
    zf_rows()->contrast(weight, factor,
                        &(zf_contrast){k.similarity, k.largest, k.inverse, (size_t)call->begin},
                        (size_t)own, (size_t)rows);
    for (int i = 0; i < own; i++) {
        int32_t other = partner(call->begin + i, rows);
        if (other >= 0) weight[(size_t)i * (size_t)rows + (size_t)other] -= 2 * factor;
    }
    panel_of(call->node)
        ->multiply(zf_in_grad(call, 0), width, weight, rows, k.packed, own, width, rows,
                   !zf_fresh(call, 0));
}

const zf_op zf_op_contrastive = {
    .name = "contrastive",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 1,
    .max_inputs = 1,
    .infer = infer,
    .forward = {{pack, ZF_OVER_OUTPUT, true},
                {compare, ZF_OVER_INPUT, true},
                {finish, ZF_OVER_OUTPUT, true}},
    .backward = {{pack_back, ZF_OVER_OUTPUT, true}, {pull, ZF_OVER_INPUT, true}},
};

zf_node *zf_contrastive(zf_node *codes, float temperature)
{
    contrastive a = {.temperature = temperature};
    return zf_op_apply(&zf_op_contrastive, zf_op_program(&codes, 1), &codes, 1, &a, sizeof a);
}
