/* Attention with several heads, within each row of a batch.

   Letters: N rows, T queries, S keys, C channels, D = C / heads. q, y [N, T, C],
   k and v [N, S, C]; a head is D neighbouring channels. P = softmax(q k^T /
   sqrt(D)) is [N, heads, T, S]. Tokens of q, and of k and v, may lie further apart
   than C, so that all three can be columns of one matrix; their gradients lie as
   they do.

   Nothing is allocated and nothing is kept; a row's result does not depend on
   the others. */
#ifndef ZF_KERNEL_ATTENTION_H
#define ZF_KERNEL_ATTENTION_H

#include <stdbool.h>
#include <stddef.h>

typedef struct zf_attention_size {
    int queries, keys, channels, heads; /* T, S, C */
    int q_step, k_step;                 /* floats from a token to the next: of q; of k and v */
} zf_attention_size;

typedef struct zf_attention_values {
    const float *q, *k, *v;
} zf_attention_values;

/* Each NULL if no one wants it. They may be the same memory: q's gradient is
   written first, then k's, then v's. */
typedef struct zf_attention_grads {
    float *q, *k, *v;
    bool fresh_q, fresh_k, fresh_v; /* write, do not add */
} zf_attention_grads;

/* y = P v. P is kept for backward, or NULL when none follows. */
void zf_attention_forward(const zf_attention_size *size, int n, const zf_attention_values *in,
                          float *y, float *p, void *scratch);
void zf_attention_backward(const zf_attention_size *size, int n, const zf_attention_values *in,
                           const float *dy, const float *p, const zf_attention_grads *grads,
                           void *scratch);

/* Floats of P a row; and scratch, which does not depend on n. */
size_t zf_attention_p_size(const zf_attention_size *size);
size_t zf_attention_scratch_bytes(const zf_attention_size *size);

#endif
