#include "net/gates.h"

#include <string.h>

#include "op/ops.h"

enum { MLP_WIDTH = 128, EMBEDDING = 16, LSTM_WIDTH = 32, CNN_CHANNELS = 32, KERNEL = 3 };

/* REACH: how far a gate of the CNN sees. There are few patterns, and each shard of
   them reads all places in the backward pass. */
enum { REACH = 3, PATTERN_SHARDS = 4 };

static zf_node *weight(zf_program *program, const char *name, zf_shape shape, int fan_in)
{
    return zf_parameter(program, name, shape, zf_init_fan_in(fan_in));
}

static zf_node *mlp(zf_program *g, zf_domain *masks, zf_gates *out)
{
    int d = out->options.variables, w = MLP_WIDTH;
    zf_shape row = zf_shape_of(out->options.most_targets);
    out->columns = zf_input(g, masks, ZF_I32, row);
    out->ones = zf_input(g, masks, ZF_F32, row);
    zf_node *h = zf_linear_sparse(out->columns, out->ones,
                                  weight(g, "gate.0.weight_in_out", zf_shape_of(d, w), d),
                                  weight(g, "gate.0.bias", zf_shape_of(w), d));
    h = zf_linear(zf_relu(h), weight(g, "gate.1.weight", zf_shape_of(w, w), w),
                  weight(g, "gate.1.bias", zf_shape_of(w), w));
    zf_node *logits = zf_linear(zf_relu(h), weight(g, "gate.2.weight", zf_shape_of(d, w), w),
                                weight(g, "gate.2.bias", zf_shape_of(d), w));
    if (!out->options.pairs) return logits;
    zf_node *pairs = zf_parameter(g, "gate.pairs", zf_shape_of(d, d), ZF_ZEROS);
    return zf_add(logits, zf_pairs(out->columns, pairs));
}

/* PyTorch's initial values, but for a forget-gate bias of 1: memory is what the
   state is for. */
static zf_lstm_weights direction(zf_program *g, const char *input, const char *hidden,
                                 const char *bias)
{
    int h = LSTM_WIDTH;
    return (zf_lstm_weights){weight(g, input, zf_shape_of(4 * h, EMBEDDING), h),
                             weight(g, hidden, zf_shape_of(4 * h, h), h),
                             zf_parameter(g, bias, zf_shape_of(4 * h), ZF_FORGET_BIAS)};
}

static zf_node *lstm(zf_program *g, zf_domain *masks, zf_gates *out)
{
    int d = out->options.variables, h = LSTM_WIDTH;
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

static zf_node *conv(zf_node *x, zf_node *w, zf_node *b, int padding)
{
    zf_conv_options options = {
        .stride_h = 1, .stride_w = 1, .padding_h = padding, .padding_w = padding};
    return zf_conv2d(x, w, b, options);
}

/* The gates of an image and of `margin` nodes around it. All padding is done to
   the image, where zeros mean "no target". */
static zf_node *convolve(zf_program *g, zf_node *image, int margin)
{
    int c = CNN_CHANNELS, k = KERNEL, area = KERNEL * KERNEL;
    zf_node *x = zf_relu(conv(image, weight(g, "gate.0.weight", zf_shape_of(c, 1, k, k), area),
                              weight(g, "gate.0.bias", zf_shape_of(c), area), REACH + margin));
    x = zf_relu(conv(x, weight(g, "gate.1.weight", zf_shape_of(c, c, k, k), c * area),
                     weight(g, "gate.1.bias", zf_shape_of(c), c * area), 0));
    return conv(x, weight(g, "gate.2.weight", zf_shape_of(1, c, k, k), c * area),
                weight(g, "gate.2.bias", zf_shape_of(1), c * area), 0);
}

/* Gates one step further from the window than the layers see are those of every
   node beyond. */
static int patch_side(const zf_gates *gates)
{
    return gates->options.window + 2 * (REACH + 1);
}

static zf_node *cnn(zf_program *g, zf_domain *masks, zf_gates *out)
{
    int side = out->options.side, window = out->options.window;
    if (window == 0) {
        out->image = zf_input(g, masks, ZF_F32, zf_shape_of(1, side, side));
        return zf_reshape(convolve(g, out->image, 0), zf_shape_of(out->options.variables));
    }
    out->patterns = zf_program_domain(g, "patterns", zf_domain_rows(masks), PATTERN_SHARDS);
    out->image = zf_input(g, out->patterns, ZF_F32, zf_shape_of(1, window, window));
    out->places = zf_input(g, masks, ZF_I32, zf_shape_of(out->options.variables));
    return zf_gather(convolve(g, out->image, REACH + 1), out->places);
}

static zf_node *free_gates(zf_program *g, zf_domain *masks, zf_gates *out)
{
    out->bits = zf_input(g, masks, ZF_I32, ZF_SCALAR); /* row 0 of a table of one */
    return zf_embedding(out->bits, zf_parameter(g, "gate.logits",
                                                zf_shape_of(1, out->options.variables), ZF_ZEROS));
}

/* The row of the pattern, which is new unless it was met before. */
static int find_pattern(zf_gates *gates, const int32_t *targets, int n_targets, int top, int left)
{
    int side = gates->options.side, window = gates->options.window, area = window * window;
    float *images = zf_node_value(gates->image), *mine = images + gates->n_patterns * area;
    memset(mine, 0, (size_t)area * sizeof *mine);
    for (int k = 0; k < n_targets; k++)
        mine[(targets[k] / side - top) * window + targets[k] % side - left] = 1.0f;
    int row = 0;
    while (memcmp(images + row * area, mine, (size_t)area * sizeof *mine) != 0) row++;
    if (row < gates->n_patterns) return row;
    gates->n_patterns++;
    zf_status status = zf_domain_set_rows(gates->patterns, gates->n_patterns);
    (void)status; /* no more patterns than masks */
    return row;
}

static void set_pattern(zf_gates *gates, int row, const int32_t *targets, int n_targets)
{
    int side = gates->options.side, patch = patch_side(gates), top = side, left = side;
    for (int k = 0; k < n_targets; k++) {
        int r = targets[k] / side, c = targets[k] % side;
        top = r < top ? r : top;
        left = c < left ? c : left;
    }
    if (row == 0) gates->n_patterns = 0;
    int first = find_pattern(gates, targets, n_targets, top, left) * patch * patch;
    int32_t *place = zf_node_index(gates->places) + row * side * side;
    for (int r = REACH + 1 - top; r < side + REACH + 1 - top; r++)
        for (int c = REACH + 1 - left; c < side + REACH + 1 - left; c++) {
            bool near = r >= 0 && c >= 0 && r < patch && c < patch;
            *place++ = near ? first + r * patch + c : first;
        }
}

static void set_list(zf_gates *gates, int row, const int32_t *targets, int n_targets)
{
    int most = gates->options.most_targets;
    for (int k = 0; k < most; k++) {
        zf_node_index(gates->columns)[row * most + k] = k < n_targets ? targets[k] : -1;
        zf_node_value(gates->ones)[row * most + k] = 1.0f;
    }
}

static void set_bits(zf_gates *gates, int row, const int32_t *targets, int n_targets)
{
    size_t d = (size_t)gates->options.variables;
    int32_t *bits = zf_node_index(gates->bits) + (size_t)row * d;
    memset(bits, 0, d * sizeof *bits);
    for (int k = 0; k < n_targets; k++) bits[targets[k]] = 1;
}

static void set_image(zf_gates *gates, int row, const int32_t *targets, int n_targets)
{
    if (gates->options.window > 0) {
        set_pattern(gates, row, targets, n_targets);
        return;
    }
    size_t d = (size_t)gates->options.variables;
    float *image = zf_node_value(gates->image) + (size_t)row * d;
    memset(image, 0, d * sizeof *image);
    for (int k = 0; k < n_targets; k++) image[targets[k]] = 1.0f;
}

static void set_nothing(zf_gates *gates, int row, const int32_t *targets, int n_targets)
{
    (void)targets, (void)n_targets;
    zf_node_index(gates->bits)[row] = 0;
}

/* --- the kinds ---------------------------------------------------------------------------- */

static const char ONE_RULE[] = "these gates learn one rule for all places";
static const char UNPRUNED[] = "only for gates mlp and cnn";
static const char IDLE[] = "closes idle gates";

static const zf_gate_about kinds[] = {
    [ZF_GATE_MLP] =
        {
            .name = "mlp",
            .listed = true,
            .sparsity = 1e-9,
            .why_sparsity = IDLE,
            .build = mlp,
            .set_mask = set_list,
        },
    [ZF_GATE_LSTM] =
        {
            .name = "lstm",
            .columns = ZF_COLUMNS_IN_ORDER,
            .iterations = 1000,
            .why_iterations = ONE_RULE,
            .why_pruning = UNPRUNED,
            .sparsity = 1e-9,
            .why_sparsity = IDLE,
            .build = lstm,
            .set_mask = set_bits,
        },
    /* Gates of all places are one, and bear most pruning; in a short run they have no time to
       recover. The optimiser makes much of the slightest pressure while the field knows nothing:
       gates that close then are all alike, and leave pruning no choice. */
    [ZF_GATE_CNN] =
        {
            .name = "cnn",
            .columns = ZF_COLUMNS_ON_GRID,
            .iterations = 1000,
            .why_iterations = ONE_RULE,
            .pruning = 0.12,
            .why_pruning = "gate cnn; less in a short run",
            .why_sparsity = "gate cnn: pruning is enough",
            .build = cnn,
            .set_mask = set_image,
        },
    [ZF_GATE_FREE] =
        {
            .name = "free",
            .one_set = true,
            .iterations = 2500,
            .why_iterations = "one target set",
            .why_pruning = UNPRUNED,
            .sparsity = 1e-9,
            .why_sparsity = IDLE,
            .build = free_gates,
            .set_mask = set_nothing,
        },
};

const zf_gate_about *zf_gate_about_of(zf_gate_kind kind)
{
    return &kinds[kind];
}

int zf_gate_kind_of(const char *name)
{
    for (int kind = 0; kind < (int)(sizeof kinds / sizeof *kinds); kind++)
        if (strcmp(kinds[kind].name, name) == 0) return kind;
    return -1;
}

zf_gates zf_gates_build(zf_program *program, zf_domain *masks, const zf_gate_options *options)
{
    zf_gates out = {.options = *options};
    out.gates = zf_sigmoid(kinds[options->kind].build(program, masks, &out));
    return out;
}

void zf_gates_set_mask(zf_gates *gates, int row, const int32_t *targets, int n_targets)
{
    kinds[gates->options.kind].set_mask(gates, row, targets, n_targets);
}
