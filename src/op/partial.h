/* Scalars out of all rows: each shard of the input leaves a partial sum in
   double, and a last stage, over the output, adds them in the order of the
   shards. Shared by sums and losses. */
#ifndef ZF_OP_PARTIAL_H
#define ZF_OP_PARTIAL_H

#include "engine/op.h"

/* For infer. */
static inline void zf_partial_infer(zf_node *node)
{
    zf_op_scalar(node);
    node->saved_bytes_a_shard = sizeof(double);
}

/* In the stage over the input: this shard's part. */
static inline void zf_partial_put(const zf_call *call, double part)
{
    *(double *)zf_saved_shard(call, call->shard) = part;
}

/* The rows of the input that are in use, whatever the stage runs over. */
static inline int zf_partial_rows(const zf_call *call)
{
    return call->node->input[0]->domain->rows;
}

/* In the stage over the output: writes the sum of all parts times factor. */
static inline void zf_partial_finish(const zf_call *call, double factor)
{
    const zf_domain *domain = call->node->input[0]->domain;
    int shards = domain->rows < domain->shards ? domain->rows : domain->shards;
    double sum = 0;
    for (int s = 0; s < shards; s++) sum += *(const double *)zf_saved_shard(call, s);
    *zf_out_all(call) = (float)(sum * factor);
}

#endif
