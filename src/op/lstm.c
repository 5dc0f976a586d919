/* Bidirectional LSTM over a sequence: two runs of kernel/lstm.h, side by side in
   the output. Inputs: x, then w_input, w_hidden and bias of each direction. */
#include "kernel/lstm.h"
#include "engine/op.h"
#include "op/ops.h"

enum { X, FIRST_WEIGHT, WEIGHTS = 3, DIRECTIONS = 2 };

static const zf_lstm_size *attribute(const zf_node *node)
{
    return (const void *)node->attribute;
}

/* The size as one direction sees it. */
static zf_lstm_size direction_of(const zf_node *node, int direction)
{
    zf_lstm_size size = *attribute(node);
    size.reverse = direction == 1;
    return size;
}

static bool weights_fit(zf_node *const w[WEIGHTS], int inputs, int hidden)
{
    return !w[0]->domain && !w[1]->domain && !w[2]->domain &&
           zf_shape_equal(w[0]->shape, zf_shape_of(4 * hidden, inputs)) &&
           zf_shape_equal(w[1]->shape, zf_shape_of(4 * hidden, hidden)) &&
           zf_shape_equal(w[2]->shape, zf_shape_of(4 * hidden));
}

static zf_status infer(zf_node *node)
{
    zf_lstm_size *size = (void *)node->attribute;
    const zf_node *x = node->input[X], *w_hidden = node->input[FIRST_WEIGHT + 1];
    if (!x->domain || x->type != ZF_F32 || x->shape.rank != 3 || w_hidden->shape.rank != 2)
        return zf_op_mismatch(node, "x [N, T, I] and, for each direction, parameters [4H, I], "
                                    "[4H, H] and [4H]");
    int steps = x->shape.dim[1], inputs = x->shape.dim[2], hidden = w_hidden->shape.dim[1];
    for (int d = 0; d < DIRECTIONS; d++)
        if (!weights_fit(&node->input[FIRST_WEIGHT + d * WEIGHTS], inputs, hidden))
            return zf_op_mismatch(node,
                                  "parameters [%d, %d], [%d, %d] and [%d] for the %s "
                                  "direction",
                                  4 * hidden, inputs, 4 * hidden, hidden, 4 * hidden,
                                  d ? "backward" : "forward");
    *size = (zf_lstm_size){
        .steps = steps, .inputs = inputs, .hidden = hidden, .outputs = DIRECTIONS * hidden};
    zf_op_rows_like(node, X, zf_shape_of(steps, DIRECTIONS * hidden));
    int rows = zf_max_shard_rows(node);
    node->saved_bytes_a_shard = DIRECTIONS * zf_lstm_saved_bytes(size, rows);
    node->scratch_bytes = zf_lstm_scratch_bytes(size, rows);
    return ZF_OK;
}

static zf_lstm_values values_of(const zf_call *call, int direction)
{
    int first = FIRST_WEIGHT + direction * WEIGHTS;
    return (zf_lstm_values){zf_in(call, first), zf_in(call, first + 1), zf_in(call, first + 2)};
}

static float *saved_of(const zf_call *call, int direction)
{
    size_t bytes = zf_lstm_saved_bytes(attribute(call->node), zf_max_shard_rows(call->node));
    return (float *)((unsigned char *)zf_saved_shard(call, call->shard) +
                     (size_t)direction * bytes);
}

static void forward(const zf_call *call)
{
    for (int d = 0; d < DIRECTIONS; d++) {
        zf_lstm_size size = direction_of(call->node, d);
        zf_lstm_values values = values_of(call, d);
        zf_lstm_forward(&size, zf_call_rows(call), zf_in(call, X), &values,
                        zf_out(call) + d * size.hidden, call->training ? saved_of(call, d) : NULL,
                        call->scratch);
    }
}

static void backward(const zf_call *call)
{
    for (int d = 0; d < DIRECTIONS; d++) {
        zf_lstm_size size = direction_of(call->node, d);
        zf_lstm_values values = values_of(call, d);
        int first = FIRST_WEIGHT + d * WEIGHTS;
        zf_lstm_grads grads = {.x = zf_in_grad(call, X),
                               .w_input = zf_in_grad(call, first),
                               .w_hidden = zf_in_grad(call, first + 1),
                               .bias = zf_in_grad(call, first + 2),
                               /* The second direction adds to the first's. */
                               .fresh_x = d == 0 && zf_fresh(call, X),
                               .fresh_w_input = zf_fresh(call, first),
                               .fresh_w_hidden = zf_fresh(call, first + 1),
                               .fresh_bias = zf_fresh(call, first + 2)};
        zf_lstm_backward(&size, zf_call_rows(call), zf_in(call, X), &values,
                         zf_out(call) + d * size.hidden, zf_out_grad(call) + d * size.hidden,
                         saved_of(call, d), &grads, call->scratch);
    }
}

const zf_op zf_op_lstm = {
    .name = "lstm",
    .flags = ZF_OP_KNOWS_FRESH | ZF_OP_READS_OUTPUT,
    .min_inputs = FIRST_WEIGHT + DIRECTIONS * WEIGHTS,
    .max_inputs = FIRST_WEIGHT + DIRECTIONS * WEIGHTS,
    .infer = infer,
    .forward = {{.run = forward}},
    .backward = {{.run = backward}},
};

zf_node *zf_lstm(zf_node *x, zf_lstm_weights forward_weights, zf_lstm_weights backward_weights)
{
    zf_node *inputs[] = {x,
                         forward_weights.w_input,
                         forward_weights.w_hidden,
                         forward_weights.bias,
                         backward_weights.w_input,
                         backward_weights.w_hidden,
                         backward_weights.bias};
    enum { COUNT = sizeof inputs / sizeof *inputs };
    zf_lstm_size size = {0};
    return zf_op_apply(&zf_op_lstm, zf_op_program(inputs, COUNT), inputs, COUNT, &size,
                       sizeof size);
}
