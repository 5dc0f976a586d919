/* Operations on sequences: LSTM. */
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

const gradient_case sequence_cases[] = {
    {"lstm", "two directions", lstm},
    {"lstm", "shared weights", lstm_shared},
    {0},
};
