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

/* c [T, S] = a b^T, for a of queries and b of keys. */
static void queries_by_keys(const head *h, float *c, const float *a, const float *b)
{
    const zf_panel_kernels *panel = zf_panel();
    int t = h->size->queries, s = h->size->keys, channels = h->size->channels;
    panel->pack_transposed(h->memory.packed, b, channels, h->d, s);
    panel->multiply(c, s, a, channels, h->memory.packed, t, s, h->d, false);
}

/* c of queries = or += p b, for b of keys. */
static void mix_keys(const head *h, float *c, const float *p, const float *b, bool add)
{
    const zf_panel_kernels *panel = zf_panel();
    int t = h->size->queries, s = h->size->keys, channels = h->size->channels;
    panel->pack(h->memory.packed, b, channels, s, h->d);
    panel->multiply(c, channels, p, s, h->memory.packed, t, h->d, s, add);
}

/* c of keys = or += p^T b, for b of queries. */
static void mix_queries(const head *h, float *c, const float *p, const float *b, bool add)
{
    const zf_panel_kernels *panel = zf_panel();
    int t = h->size->queries, s = h->size->keys, channels = h->size->channels;
    panel->pack(h->memory.packed, b, channels, t, h->d);
    panel->multiply_transposed(c, channels, p, s, h->memory.packed, s, h->d, t, add);
}

static float *at(float *tensor, size_t offset)
{
    return tensor ? tensor + offset : NULL;
}

void zf_attention_forward(const zf_attention_size *size, int n, const zf_attention_values *in,
                          float *y, float *p, void *scratch)
{
    head h = head_of(size, scratch);
    size_t t = (size_t)size->queries, s = (size_t)size->keys, c = (size_t)size->channels;
    for (size_t row = 0; row < (size_t)n; row++)
        for (int i = 0; i < size->heads; i++) {
            size_t from_q = row * t * c + (size_t)(i * h.d),
                   from_k = row * s * c + (size_t)(i * h.d);
            float *own = p ? p + (row * (size_t)size->heads + (size_t)i) * t * s : h.memory.p;
            queries_by_keys(&h, own, in->q + from_q, in->k + from_k);
            zf_vector()->scale(own, own, h.scale, t * s);
            zf_rows()->softmax(own, own, t, s);
            mix_keys(&h, y + from_q, own, in->v + from_k, false);
        }
}

void zf_attention_backward(const zf_attention_size *size, int n, const zf_attention_values *in,
                           const float *dy, const float *p, const zf_attention_grads *grads,
                           void *scratch)
{
    head h = head_of(size, scratch);
    size_t t = (size_t)size->queries, s = (size_t)size->keys, c = (size_t)size->channels;
    float *dp = h.memory.p;
    for (size_t row = 0; row < (size_t)n; row++)
        for (int i = 0; i < size->heads; i++) {
            size_t from_q = row * t * c + (size_t)(i * h.d),
                   from_k = row * s * c + (size_t)(i * h.d);
            const float *own = p + (row * (size_t)size->heads + (size_t)i) * t * s;
            float *dq = at(grads->q, from_q), *dk = at(grads->k, from_k),
                  *dv = at(grads->v, from_k);
            if (dq || dk) {
                queries_by_keys(&h, dp, dy + from_q, in->v + from_k);
                zf_rows()->softmax_backward(dp, dp, own, t, s, true);
                zf_vector()->scale(dp, dp, h.scale, t * s);
            }
            if (dq) mix_keys(&h, dq, dp, in->k + from_k, !grads->fresh_q);
            if (dk) mix_queries(&h, dk, dp, in->q + from_q, !grads->fresh_k);
            if (dv) mix_queries(&h, dv, own, dy + from_q, !grads->fresh_v);
        }
}
