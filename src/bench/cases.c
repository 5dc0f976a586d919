/* The cases. Useful work counts multiplications and additions of the products
   that the mathematics needs: twice the forward products again for backward,
   once where the input wants no gradient. */
#include "bench/cases.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "bench/asking.h"
#include "bench/image_steps.h"
#include "bench/steps.h"
#include "net/mlp.h"
#include "op/ops.h"

static zf_node *linear_case(zf_subject *s, int rows, int in, int out)
{
    zf_domain *samples = zf_program_domain(s->program, "samples", rows, 1);
    zf_node *x = zf_input_with_gradient(s->program, samples, zf_shape_of(in));
    zf_init init = zf_init_fan_in(in);
    s->flops = 3 * 2.0 * rows * in * out;
    return zf_linear(x, zf_parameter(s->program, "weight", zf_shape_of(out, in), init),
                     zf_parameter(s->program, "bias", zf_shape_of(out), init));
}

static zf_node *linear_200(zf_subject *s)
{
    return linear_case(s, 400, 200, 256);
}

static zf_node *linear_256(zf_subject *s)
{
    return linear_case(s, 400, 256, 256);
}

/* Images are many times larger than rows of a table, and their weights few:
   shards of 8 keep a layer's images in cache for the next. */
enum { IMAGES = 256, IMAGE_SHARDS = 32 };

/* 3x3 convolutions that keep the size of the image, with the products that networks
   of images are trained with. `learnt`: so is the input. */
static zf_node *convolutions(zf_subject *s, zf_node *x, bool learnt, const int *channels,
                             int layers)
{
    enum { MOST = 3 };
    zf_node *weights[MOST], *biases[MOST];
    zf_shape shape = zf_node_shape(x);
    double pixels = (double)shape.dim[0] * shape.dim[2] * shape.dim[3];
    zf_program_allow_quick_products(s->program);
    for (int i = 0; i < layers; i++) {
        int in = channels[i], out = channels[i + 1];
        char weight[16], bias[16];
        zf_init init = zf_init_fan_in(9 * in);
        snprintf(weight, sizeof weight, "%d.weight", i);
        snprintf(bias, sizeof bias, "%d.bias", i);
        weights[i] = zf_parameter(s->program, weight, zf_shape_of(out, in, 3, 3), init);
        biases[i] = zf_parameter(s->program, bias, zf_shape_of(out), init);
        s->flops += (i == 0 && !learnt ? 2 : 3) * 2.0 * pixels * 9 * in * out;
    }
    return zf_conv_stack(x, weights, biases, layers);
}

static zf_node *conv_16_16(zf_subject *s)
{
    zf_domain *samples = zf_program_domain(s->program, "samples", IMAGES, IMAGE_SHARDS);
    zf_node *x = zf_input_with_gradient(s->program, samples, zf_shape_of(16, 32, 32));
    return convolutions(s, x, true, (int[]){16, 16}, 1);
}

static zf_node *train_mlp(zf_subject *s)
{
    zf_domain *samples = zf_program_domain(s->program, "samples", 400, 0);
    zf_node *x = zf_input(s->program, samples, ZF_F32, zf_shape_of(201));
    zf_node *target = zf_input(s->program, samples, ZF_F32, zf_shape_of(50));
    s->flops = 2.0 * 400 * (2 * 201 * 256 + 3 * 256 * 256 + 3 * 256 * 50);
    zf_node *y = zf_mlp(x, "velocity", (int[]){201, 256, 256, 50}, 3);
    return zf_squared_error(y, target, NULL, ZF_MEAN);
}

static zf_node *train_conv(zf_subject *s)
{
    zf_domain *samples = zf_program_domain(s->program, "samples", IMAGES, IMAGE_SHARDS);
    zf_node *x = zf_input(s->program, samples, ZF_F32, zf_shape_of(10, 32, 32));
    zf_node *target = zf_input(s->program, samples, ZF_F32, zf_shape_of(3, 32, 32));
    x = convolutions(s, x, false, (int[]){10, 16, 16, 3}, 3);
    return zf_squared_error(x, target, NULL, ZF_MEAN);
}

static zf_lstm_weights lstm_weights(zf_subject *s, const char *input, const char *hidden,
                                    const char *bias, int in, int size)
{
    zf_init init = zf_init_fan_in(size);
    return (zf_lstm_weights){
        zf_parameter(s->program, input, zf_shape_of(4 * size, in), init),
        zf_parameter(s->program, hidden, zf_shape_of(4 * size, size), init),
        zf_parameter(s->program, bias, zf_shape_of(4 * size), init),
    };
}

static zf_node *train_lstm(zf_subject *s)
{
    enum { ROWS = 400, LENGTH = 50, IN = 16, SIZE = 32 };
    zf_domain *samples = zf_program_domain(s->program, "samples", ROWS, 0);
    zf_node *x = zf_input(s->program, samples, ZF_F32, zf_shape_of(LENGTH, IN));
    s->flops = 2.0 * 2 * ROWS * LENGTH * 4 * SIZE * (2 * IN + 3 * SIZE);
    zf_lstm_weights forward = lstm_weights(s, "input", "hidden", "bias", IN, SIZE);
    zf_lstm_weights backward =
        lstm_weights(s, "input_reverse", "hidden_reverse", "bias_reverse", IN, SIZE);
    return zf_squared_error(zf_lstm(x, forward, backward), NULL, NULL, ZF_MEAN);
}

/* One block's attention of a small vision transformer, 17 of 65 tokens seen. */
static zf_node *attention(zf_subject *s)
{
    enum { ROWS = 128, TOKENS = 17, WIDTH = 192, HEADS = 3 };
    zf_domain *samples = zf_program_domain(s->program, "samples", ROWS, 0);
    zf_node *qkv[3];
    for (int i = 0; i < 3; i++)
        qkv[i] = zf_input_with_gradient(s->program, samples, zf_shape_of(TOKENS, WIDTH));
    s->flops = 3 * 2.0 * 2 * ROWS * TOKENS * TOKENS * WIDTH;
    return zf_attention(qkv[0], qkv[1], qkv[2], HEADS);
}

const zf_bench_plan zf_bench_plans[] = {
    {.name = "linear-400x200x256", .build = linear_200, .shape = {400, 256, 200}},
    {.name = "linear-400x256x256", .build = linear_256, .shape = {400, 256, 256}},
    {.name = "conv-3x3-16-16-32x32-b256", .build = conv_16_16},
    {.name = "attention-17x192-b128", .build = attention},
    {.name = "train-mlp-201-256-256-50", .build = train_mlp, .trains = true, .uses_crew = true},
    {.name = "train-conv-10-16-16-3", .build = train_conv, .trains = true, .uses_crew = true},
    {.name = "train-lstm-32x50", .build = train_lstm, .trains = true, .uses_crew = true},
    {.name = "step-blanket-mlp", .step = zf_bench_step_mlp, .trains = true, .uses_crew = true},
    {.name = "step-blanket-lstm", .step = zf_bench_step_lstm, .trains = true, .uses_crew = true},
    {.name = "step-blanket-cnn", .step = zf_bench_step_cnn, .trains = true, .uses_crew = true},
    {.name = "step-blanket-d50", .step = zf_bench_step_50, .trains = true},
    {.name = "step-blanket-d200", .step = zf_bench_step_200, .trains = true},
    {.name = "step-blanket-d1000", .step = zf_bench_step_1000, .trains = true},
    {.name = "step-blanket-d5000", .step = zf_bench_step_5000, .trains = true},
    {.name = "step-blanket-d10000", .step = zf_bench_step_10000, .trains = true},
    {.name = "step-image-zeroflow",
     .step = zf_bench_image_zeroflow,
     .trains = true,
     .uses_crew = true},
    {.name = "step-image-simclr", .step = zf_bench_image_simclr, .trains = true, .uses_crew = true},
    {.name = "step-mae", .step = zf_bench_image_mae, .trains = true, .uses_crew = true},
    {.name = "query-mlp-50", .ask = zf_bench_query_mlp},
    {.name = "query-mlp-50-shared", .ask = zf_bench_query_shared},
    {.name = "query-lstm-50", .ask = zf_bench_query_lstm},
    {.name = "encode-image", .ask = zf_bench_encode},
    {.name = "encode-image-shared", .ask = zf_bench_encode_shared},
};
const int zf_bench_n_plans = sizeof zf_bench_plans / sizeof *zf_bench_plans;
