/* Attention by small matrix products (panel.h), head by head: all that a head
   needs, T x S probabilities and one packed factor, stays in the cache.

   Rejected: BLAS, whose overhead for a call exceeds the product itself at 17
   tokens of 64 channels; and never forming P (as is done for long sequences),
   which pays when P does not fit into the cache. */
#include "kernel/attention.h"

#include <math.h>

#include "kernel/panel.h"
#include "kernel/rows.h"
#include "kernel/vector.h"

typedef struct memory {
    float *packed; /* one factor of a product */
    float *p;      /* [T, S]: P, or its gradient */
} memory;

static size_t packed_bytes(const zf_attention_size *size)
{
    int d = size->channels / size->heads;
    int most = size->queries > size->keys ? size->queries : size->keys;
    size_t by_channel = zf_panel()->bytes(d, most), by_token = zf_panel()->bytes(most, d);
    size_t bytes = by_channel > by_token ? by_channel : by_token;
    return (bytes + 63) / 64 * 64;
}

size_t zf_attention_p_size(const zf_attention_size *size)
{
    return (size_t)size->heads * (size_t)size->queries * (size_t)size->keys;
}

size_t zf_attention_scratch_bytes(const zf_attention_size *size)
{
    return packed_bytes(size) + (size_t)size->queries * (size_t)size->keys * sizeof(float);
}

static memory memory_at(const zf_attention_size *size, void *scratch)
{
    return (memory){.packed = scratch,
                    .p = (float *)((unsigned char *)scratch + packed_bytes(size))};
}

/* The same head in all of them. */
typedef struct head {
    const zf_attention_size *size;
    int d;
    float scale;
    memory memory;
} head;

static head head_of(const zf_attention_size *size, void *scratch)
{
    int d = size->channels / size->heads;
    return (head){size, d, 1.0f / sqrtf((float)d), memory_at(size, scratch)};
}

/* c [T, S] = a b^T, for a of queries, `step` apart, and b of keys. */
static void queries_by_keys(const head *h, float *c, const float *a, int step, const float *b)
{
    const zf_panel_kernels *panel = zf_panel();
    int t = h->size->queries, s = h->size->keys;
    panel->pack_transposed(h->memory.packed, b, h->size->k_step, h->d, s);
    panel->multiply(c, s, a, step, h->memory.packed, t, s, h->d, false);
}

/* c of queries, `step` apart, = or += p b, for b of keys. */
static void mix_keys(const head *h, float *c, int step, const float *p, const float *b, bool add)
{
    const zf_panel_kernels *panel = zf_panel();
    int t = h->size->queries, s = h->size->keys;
    panel->pack(h->memory.packed, b, h->size->k_step, s, h->d);
    panel->multiply(c, step, p, s, h->memory.packed, t, h->d, s, add);
}

/* c of keys = or += p^T b, for b of queries, `step` apart. */
static void mix_queries(const head *h, float *c, const float *p, const float *b, int step, bool add)
{
    const zf_panel_kernels *panel = zf_panel();
    int t = h->size->queries, s = h->size->keys;
    panel->pack(h->memory.packed, b, step, t, h->d);
    panel->multiply_transposed(c, h->size->k_step, p, s, h->memory.packed, s, h->d, t, add);
}

static float *offset(float *tensor, size_t by)
{
    return tensor ? tensor + by : NULL;
}

/* Where head i of a row begins in the tensors of q, of k and v, and of y. */
typedef struct place {
    size_t q, k, y;
} place;

static place place_of(const zf_attention_size *size, size_t row, int i)
{
    size_t t = (size_t)size->queries, s = (size_t)size->keys;
    size_t first = (size_t)(i * (size->channels / size->heads));
    return (place){row * t * (size_t)size->q_step + first, row * s * (size_t)size->k_step + first,
                   row * t * (size_t)size->channels + first};
}

void zf_attention_forward(const zf_attention_size *size, int n, const zf_attention_values *in,
                          float *y, float *p, void *scratch)
{
    head h = head_of(size, scratch);
    size_t t = (size_t)size->queries, s = (size_t)size->keys;
    for (size_t row = 0; row < (size_t)n; row++)
        for (int i = 0; i < size->heads; i++) {
            place at = place_of(size, row, i);
            float *own = p ? p + (row * (size_t)size->heads + (size_t)i) * t * s : h.memory.p;
            queries_by_keys(&h, own, in->q + at.q, size->q_step, in->k + at.k);
            zf_vector()->scale(own, own, h.scale, t * s);
            zf_rows()->softmax(own, own, t, s);
            mix_keys(&h, y + at.y, size->channels, own, in->v + at.k, false);
        }
}

void zf_attention_backward(const zf_attention_size *size, int n, const zf_attention_values *in,
                           const float *dy, const float *p, const zf_attention_grads *grads,
                           void *scratch)
{
    head h = head_of(size, scratch);
    size_t t = (size_t)size->queries, s = (size_t)size->keys;
    float *dp = h.memory.p;
    for (size_t row = 0; row < (size_t)n; row++)
        for (int i = 0; i < size->heads; i++) {
            place at = place_of(size, row, i);
            const float *own = p + (row * (size_t)size->heads + (size_t)i) * t * s;
            float *dq = offset(grads->q, at.q), *dk = offset(grads->k, at.k),
                  *dv = offset(grads->v, at.k);
            if (dq || dk) {
                queries_by_keys(&h, dp, dy + at.y, size->channels, in->v + at.k);
                zf_rows()->softmax_backward(dp, dp, own, t, s, true);
                zf_vector()->scale(dp, dp, h.scale, t * s);
            }
            if (dq) mix_keys(&h, dq, size->q_step, dp, in->k + at.k, !grads->fresh_q);
            if (dk) mix_queries(&h, dk, dp, in->q + at.q, size->q_step, !grads->fresh_k);
            if (dv) mix_queries(&h, dv, own, dy + at.y, size->channels, !grads->fresh_v);
        }
}
