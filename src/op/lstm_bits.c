/* A bidirectional LSTM that reads bits and gives one number a step: the same as an
   embedding, an LSTM and a linear layer of one output after each other, without the
   work that rows of few ones have in common (kernel/lstm_bits.h). Inputs: bits, the
   embedding, w_input, w_hidden and bias of each direction, readout and its bias. */
#include "kernel/lstm_bits.h"
#include "engine/op.h"
#include "kernel/reduce.h"
#include "kernel/vector.h"
#include "op/ops.h"

enum { BITS, EMBEDDING, FIRST_WEIGHT, WEIGHTS = 3, DIRECTIONS = 2 };
enum { READOUT = FIRST_WEIGHT + DIRECTIONS * WEIGHTS, READOUT_BIAS, INPUTS };

static zf_lstm_bits_size size_of(const zf_node *node, int direction)
{
    const zf_lstm_bits_size *size = (const void *)node->attribute;
    return (zf_lstm_bits_size){size->steps, size->embedding, size->hidden, direction == 1};
}

static bool weights_fit(zf_node *const w[WEIGHTS], int inputs, int hidden)
{
    return zf_shape_equal(w[0]->shape, zf_shape_of(4 * hidden, inputs)) &&
           zf_shape_equal(w[1]->shape, zf_shape_of(4 * hidden, hidden)) &&
           zf_shape_equal(w[2]->shape, zf_shape_of(4 * hidden));
}

static zf_status infer(zf_node *node)
{
    const zf_node *bits = node->input[BITS], *embedding = node->input[EMBEDDING];
    const zf_node *w_hidden = node->input[FIRST_WEIGHT + 1];
    int e = embedding->shape.dim[1], hidden = w_hidden->shape.dim[1];
    bool fits = bits->domain && bits->type == ZF_I32 && bits->shape.rank == 2 &&
                embedding->shape.rank == 2 && embedding->shape.dim[0] == 2 &&
                w_hidden->shape.rank == 2;
    for (int i = EMBEDDING; i < INPUTS; i++) fits &= !node->input[i]->domain;
    for (int d = 0; d < DIRECTIONS; d++)
        fits = fits && weights_fit(&node->input[FIRST_WEIGHT + d * WEIGHTS], e, hidden);
    fits = fits && zf_shape_equal(node->input[READOUT]->shape, zf_shape_of(1, 2 * hidden)) &&
           zf_shape_equal(node->input[READOUT_BIAS]->shape, zf_shape_of(1));
    if (!fits)
        return zf_op_mismatch(node, "index [N, T], parameters [2, E], for each direction [4H, E], "
                                    "[4H, H] and [4H], then [1, 2H] and [1]");
    *(zf_lstm_bits_size *)(void *)node->attribute =
        (zf_lstm_bits_size){.steps = bits->shape.dim[1], .embedding = e, .hidden = hidden};
    zf_op_rows_like(node, BITS, zf_shape_row(bits->shape));
    zf_lstm_bits_size size = size_of(node, 0);
    int rows = zf_max_shard_rows(node);
    node->saved_bytes = DIRECTIONS * zf_lstm_bits_packed_bytes(&size);
    node->saved_bytes_a_shard = DIRECTIONS * zf_lstm_bits_saved_bytes(&size, rows);
    node->scratch_bytes = zf_lstm_bits_scratch_bytes(&size, rows);
    return ZF_OK;
}

static zf_lstm_bits_values values_of(const zf_call *call, int direction)
{
    int first = FIRST_WEIGHT + direction * WEIGHTS;
    return (zf_lstm_bits_values){zf_in(call, EMBEDDING), zf_in(call, first), zf_in(call, first + 1),
                                 zf_in(call, first + 2),
                                 zf_in(call, READOUT) + direction * size_of(call->node, 0).hidden};
}

static float *packed_of(const zf_call *call, int direction)
{
    zf_lstm_bits_size size = size_of(call->node, direction);
    unsigned char *saved = zf_saved(call);
    return (float *)(void *)(saved + (size_t)direction * zf_lstm_bits_packed_bytes(&size));
}

static void *saved_of(const zf_call *call, int direction)
{
    zf_lstm_bits_size size = size_of(call->node, direction);
    size_t bytes = zf_lstm_bits_saved_bytes(&size, zf_max_shard_rows(call->node));
    return (unsigned char *)zf_saved_shard(call, call->shard) + (size_t)direction * bytes;
}

static void prepare(const zf_call *call)
{
    for (int d = 0; d < DIRECTIONS; d++) {
        zf_lstm_bits_size size = size_of(call->node, d);
        zf_lstm_bits_values values = values_of(call, d);
        zf_lstm_bits_pack(&size, &values, packed_of(call, d));
    }
}

static size_t elements(const zf_call *call)
{
    return (size_t)zf_call_rows(call) * zf_out_row_size(call);
}

static void forward(const zf_call *call)
{
    zf_vector()->fill(zf_out(call), *zf_in(call, READOUT_BIAS), elements(call));
    for (int d = 0; d < DIRECTIONS; d++) {
        zf_lstm_bits_size size = size_of(call->node, d);
        zf_lstm_bits_forward(&size, zf_call_rows(call), zf_in_index(call, BITS), packed_of(call, d),
                             zf_out(call), saved_of(call, d));
    }
}

static void backward(const zf_call *call)
{
    const float *dy = zf_out_grad(call);
    float *readout = zf_in_grad(call, READOUT), *readout_bias = zf_in_grad(call, READOUT_BIAS);
    if (readout_bias) *readout_bias += (float)zf_reduce()->sum(dy, elements(call));
    for (int d = 0; d < DIRECTIONS; d++) {
        zf_lstm_bits_size size = size_of(call->node, d);
        zf_lstm_bits_values values = values_of(call, d);
        int first = FIRST_WEIGHT + d * WEIGHTS;
        zf_lstm_bits_grads grads = {.embedding = zf_in_grad(call, EMBEDDING),
                                    .w_input = zf_in_grad(call, first),
                                    .w_hidden = zf_in_grad(call, first + 1),
                                    .bias = zf_in_grad(call, first + 2),
                                    .readout = readout ? readout + d * size.hidden : NULL};
        zf_lstm_bits_backward(&size, zf_call_rows(call), &values, packed_of(call, d), dy,
                              saved_of(call, d), &grads, call->scratch);
    }
}

const zf_op zf_op_lstm_bits = {
    .name = "lstm_bits",
    .min_inputs = INPUTS,
    .max_inputs = INPUTS,
    .infer = infer,
    .prepare = prepare,
    .forward = {{.run = forward}},
    .backward = {{.run = backward}},
};

zf_node *zf_lstm_bits(zf_node *bits, zf_node *embedding, zf_lstm_weights forward_weights,
                      zf_lstm_weights backward_weights, zf_node *readout, zf_node *readout_bias)
{
    zf_node *inputs[INPUTS] = {bits,
                               embedding,
                               forward_weights.w_input,
                               forward_weights.w_hidden,
                               forward_weights.bias,
                               backward_weights.w_input,
                               backward_weights.w_hidden,
                               backward_weights.bias,
                               readout,
                               readout_bias};
    zf_lstm_bits_size size = {0};
    return zf_op_apply(&zf_op_lstm_bits, zf_op_program(inputs, INPUTS), inputs, INPUTS, &size,
                       sizeof size);
}
