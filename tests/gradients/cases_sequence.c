/* Operations on sequences: LSTM, attention. */
#include "gradients.h"

static zf_lstm_weights lstm_weights(gradient_bench *b, int inputs, int hidden)
{
    return (zf_lstm_weights){weigh(b, zf_shape_of(4 * hidden, inputs)),
                             weigh(b, zf_shape_of(4 * hidden, hidden)),
                             weigh(b, zf_shape_of(4 * hidden))};
}

static zf_node *lstm(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(3, 2));
    zf_lstm_weights forward = lstm_weights(b, 2, 3), backward = lstm_weights(b, 2, 3);
    return zf_lstm(x, forward, backward);
}

/* One set of weights for both directions; x wants no gradient. */
static zf_node *lstm_shared(gradient_bench *b)
{
    zf_node *x = plain(b, b->rows, zf_shape_of(3, 1));
    zf_lstm_weights both = lstm_weights(b, 1, 2);
    return zf_lstm(x, both, both);
}

static zf_node *lstm_bits(gradient_bench *b)
{
    zf_node *bits = pick(b, b->rows, zf_shape_of(5), 2, false);
    zf_node *embedding = weigh(b, zf_shape_of(2, 3));
    zf_lstm_weights forward = lstm_weights(b, 3, 2), backward = lstm_weights(b, 3, 2);
    return zf_lstm_bits(bits, embedding, forward, backward, weigh(b, zf_shape_of(1, 4)),
                        weigh(b, zf_shape_of(1)));
}

static zf_node *attention(gradient_bench *b)
{
    zf_node *q = learn(b, b->rows, zf_shape_of(2, 4)), *k = learn(b, b->rows, zf_shape_of(3, 4));
    return zf_attention(q, k, learn(b, b->rows, zf_shape_of(3, 4)), 2);
}

/* One tensor in all three places, whose gradient is a sum of three. */
static zf_node *self_attention(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(3, 2));
    return zf_attention(x, x, x, 1);
}

static zf_node *attention_to_fixed_keys(gradient_bench *b)
{
    zf_node *q = plain(b, b->rows, zf_shape_of(2, 3)), *k = plain(b, b->rows, zf_shape_of(2, 3));
    return zf_attention(q, k, learn(b, b->rows, zf_shape_of(2, 3)), 3);
}

static zf_node *attention_qkv(gradient_bench *b)
{
    return zf_attention_qkv(learn(b, b->rows, zf_shape_of(3, 12)), 2);
}

/* Keys and values are of more tokens, and add to a gradient that is there. */
static zf_node *attention_kv(gradient_bench *b)
{
    zf_node *q = learn(b, b->rows, zf_shape_of(2, 4)), *kv = learn(b, b->rows, zf_shape_of(3, 8));
    zf_node *y = zf_attention_kv(q, kv, 1);
    return zf_add(y, zf_reshape(zf_slice(zf_tanh(kv), 1, 1, 1), zf_shape_of(2, 4)));
}

const gradient_case sequence_cases[] = {
    {"attention", "two heads", attention},
    {"attention", "of one tensor", self_attention},
    {"attention", "only values are learnt", attention_to_fixed_keys},
    {"attention_joined", "queries, keys and values", attention_qkv},
    {"attention_joined", "keys and values, beside another", attention_kv},
    {"lstm", "two directions", lstm},
    {"lstm", "shared weights", lstm_shared},
    {"lstm_bits", "two directions", lstm_bits},
    {0},
};
