#include "net/gates.h"

#include <string.h>

#include "op/ops.h"

enum { MLP_WIDTH = 128, EMBEDDING = 16, LSTM_WIDTH = 32, CNN_CHANNELS = 32, KERNEL = 3 };

static zf_node *weight(zf_graph *graph, const char *name, zf_shape shape, int fan_in)
{
    return zf_parameter(graph, name, shape, zf_init_fan_in(fan_in));
}

static zf_node *mlp(zf_graph *g, zf_domain *masks, zf_gates *out)
{
    int d = out->options.features, w = MLP_WIDTH;
    zf_shape row = zf_shape_of(out->options.most_targets);
    out->columns = zf_input(g, masks, ZF_I32, row);
    out->ones = zf_input(g, masks, ZF_F32, row);
    zf_node *h = zf_linear_sparse(out->columns, out->ones,
                                  weight(g, "gate.0.weight_in_out", zf_shape_of(d, w), d),
                                  weight(g, "gate.0.bias", zf_shape_of(w), d));
    h = zf_linear(zf_relu(h), weight(g, "gate.1.weight", zf_shape_of(w, w), w),
                  weight(g, "gate.1.bias", zf_shape_of(w), w));
    return zf_linear(zf_relu(h), weight(g, "gate.2.weight", zf_shape_of(d, w), w),
                     weight(g, "gate.2.bias", zf_shape_of(d), w));
}

/* PyTorch's initial values, but for a forget-gate bias of 1: memory is what the
   state is for. */
static zf_lstm_weights direction(zf_graph *g, const char *input, const char *hidden,
                                 const char *bias)
{
    int h = LSTM_WIDTH;
    return (zf_lstm_weights){weight(g, input, zf_shape_of(4 * h, EMBEDDING), h),
                             weight(g, hidden, zf_shape_of(4 * h, h), h),
                             zf_parameter(g, bias, zf_shape_of(4 * h), ZF_FORGET_BIAS)};
}

static zf_node *lstm(zf_graph *g, zf_domain *masks, zf_gates *out)
{
    int d = out->options.features, h = LSTM_WIDTH;
    out->bits = zf_input(g, masks, ZF_I32, zf_shape_of(d));
    zf_node *embedding =
        zf_parameter(g, "gate.embedding", zf_shape_of(2, EMBEDDING), ZF_NORMAL(1.0f));
    zf_lstm_weights forward = direction(g, "gate.lstm.input", "gate.lstm.hidden", "gate.lstm.bias");
    zf_lstm_weights backward = direction(g, "gate.lstm.input_reverse", "gate.lstm.hidden_reverse",
                                         "gate.lstm.bias_reverse");
    return zf_lstm_bits(out->bits, embedding, forward, backward,
                        weight(g, "gate.out.weight", zf_shape_of(1, 2 * h), 2 * h),
                        weight(g, "gate.out.bias", zf_shape_of(1), 2 * h));
}

static zf_node *conv(zf_graph *g, zf_node *x, const char *name, const char *bias, int in, int out)
{
    zf_conv_options same = {.stride_h = 1, .stride_w = 1, .padding_h = 1, .padding_w = 1};
    int fan_in = in * KERNEL * KERNEL;
    return zf_conv2d(x, weight(g, name, zf_shape_of(out, in, KERNEL, KERNEL), fan_in),
                     weight(g, bias, zf_shape_of(out), fan_in), same);
}

static zf_node *cnn(zf_graph *g, zf_domain *masks, zf_gates *out)
{
    int side = out->options.side;
    out->picture = zf_input(g, masks, ZF_F32, zf_shape_of(1, side, side));
    zf_node *x = zf_relu(conv(g, out->picture, "gate.0.weight", "gate.0.bias", 1, CNN_CHANNELS));
    x = zf_relu(conv(g, x, "gate.1.weight", "gate.1.bias", CNN_CHANNELS, CNN_CHANNELS));
    x = conv(g, x, "gate.2.weight", "gate.2.bias", CNN_CHANNELS, 1);
    return zf_reshape(x, zf_shape_of(out->options.features));
}

static zf_node *free_gates(zf_graph *g, zf_domain *masks, zf_gates *out)
{
    out->bits = zf_input(g, masks, ZF_I32, ZF_SCALAR); /* row 0 of a table of one */
    return zf_embedding(
        out->bits, zf_parameter(g, "gate.logits", zf_shape_of(1, out->options.features), ZF_ZEROS));
}

zf_gates zf_gates_build(zf_graph *graph, zf_domain *masks, const zf_gate_options *options)
{
    static zf_node *(*const build[])(zf_graph *, zf_domain *, zf_gates *) = {
        [ZF_GATE_MLP] = mlp,
        [ZF_GATE_LSTM] = lstm,
        [ZF_GATE_CNN] = cnn,
        [ZF_GATE_FREE] = free_gates,
    };
    zf_gates out = {.options = *options};
    out.gates = zf_sigmoid(build[options->kind](graph, masks, &out));
    return out;
}

void zf_gates_set_mask(const zf_gates *gates, int row, const int32_t *targets, int n_targets)
{
    int d = gates->options.features, most = gates->options.most_targets;
    switch (gates->options.kind) {
    case ZF_GATE_MLP:
        for (int k = 0; k < most; k++) {
            zf_node_index(gates->columns)[row * most + k] = k < n_targets ? targets[k] : -1;
            zf_node_value(gates->ones)[row * most + k] = 1.0f;
        }
        break;
    case ZF_GATE_LSTM: {
        int32_t *bits = zf_node_index(gates->bits) + (size_t)row * (size_t)d;
        memset(bits, 0, (size_t)d * sizeof *bits);
        for (int k = 0; k < n_targets; k++) bits[targets[k]] = 1;
        break;
    }
    case ZF_GATE_CNN: {
        float *picture = zf_node_value(gates->picture) + (size_t)row * (size_t)d;
        memset(picture, 0, (size_t)d * sizeof *picture);
        for (int k = 0; k < n_targets; k++) picture[targets[k]] = 1.0f;
        break;
    }
    case ZF_GATE_FREE:
        zf_node_index(gates->bits)[row] = 0;
        break;
    }
}
