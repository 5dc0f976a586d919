#include "net/image.h"

#include <stdio.h>

#include "base/error.h"
#include "op/ops.h"

enum {
    KERNEL = 3,
    LAYERS = 3,         /* of the encoder's convolutions, and of the velocity's */
    DECODED_DEPTH = 64, /* channels that the decoder begins with */
    FIRST_SIDE = 4,     /* the least side that it begins with */
    LEAST_DEPTH = 4,    /* halving the channels ends here */
    DOUBLING = 4,       /* side of the kernels that double */
    SHARD_PIXELS = 8 * 32 * 32,
    MOST_SHARDS = 64,
    MOST_CODE_SHARDS = 8,
    CODES = 128,  /* of a shard of codes */
    DECODED = 16, /* images of a shard of the decoder: as many as tiles take (conv_doubling.h) */
};

zf_status zf_image_shape_check(const zf_image_shape *shape)
{
    if (shape->size < 4 * FIRST_SIDE || shape->size % 4 != 0)
        return zf_fail(ZF_EINVAL,
                       "images: expected a side of 16 pixels or a larger multiple "
                       "of 4, found %d",
                       shape->size);
    if (shape->channels < 1 || shape->hidden < 1 || shape->dim < 1)
        return zf_fail(ZF_EINVAL,
                       "image networks: expected at least one channel, hidden channel and "
                       "dimension, found %d, %d and %d",
                       shape->channels, shape->hidden, shape->dim);
    return ZF_OK;
}

/* Images are many times larger than rows of a table, and their weights few: shards of
   8 at 32 pixels keep a layer's values in cache for the next. */
int zf_image_shards(int rows, int size)
{
    int images = SHARD_PIXELS / (size * size);
    int shards = images < 2 ? rows : rows / images;
    return shards < 1 ? 1 : shards > MOST_SHARDS ? MOST_SHARDS : shards;
}

/* A shard has a gradient of its own of all weights, of which layers between an image and
   its code have many: few shards, but work for two threads. */
static int code_shards(int rows)
{
    int shards = rows / CODES;
    return shards < 2 ? 2 : shards > MOST_CODE_SHARDS ? MOST_CODE_SHARDS : shards;
}

typedef struct layer {
    const char *name; /* of the network */
    int index;
} layer;

static zf_node *parameter(zf_node *x, layer own, const char *part, zf_shape shape, zf_init init)
{
    char name[256];
    snprintf(name, sizeof name, "%s.%d.%s", own.name, own.index, part);
    return zf_parameter(zf_node_program(x), name, shape, init);
}

static zf_node *buffer(zf_node *x, layer own, const char *part, zf_shape shape, zf_init init)
{
    char name[256];
    snprintf(name, sizeof name, "%s.%d.%s", own.name, own.index, part);
    return zf_buffer(zf_node_program(x), name, shape, init);
}

static zf_node *linear(zf_node *x, layer own, int in, int out)
{
    if (!x) return NULL;
    zf_init init = zf_init_fan_in(in);
    return zf_linear(x, parameter(x, own, "weight", zf_shape_of(out, in), init),
                     parameter(x, own, "bias", zf_shape_of(out), init));
}

/* The weights of LAYERS convolutions, from channels[0] to channels[LAYERS]. */
static void make_layers(zf_node *x, const char *name, const int *channels, zf_node **weights,
                        zf_node **biases)
{
    for (int i = 0; i < LAYERS; i++) {
        int in = channels[i], out = channels[i + 1];
        zf_init init = zf_init_fan_in(KERNEL * KERNEL * in);
        layer own = {name, i};
        weights[i] = parameter(x, own, "weight", zf_shape_of(out, in, KERNEL, KERNEL), init);
        biases[i] = parameter(x, own, "bias", zf_shape_of(out), init);
    }
}

/* --- encoder ---------------------------------------------------------------------- */

zf_node *zf_image_encoder(zf_node *x, const zf_image_shape *shape)
{
    const int channels[LAYERS + 1] = {shape->channels, shape->hidden, shape->hidden, 1};
    int pixels = shape->size * shape->size;
    zf_node *weights[LAYERS], *biases[LAYERS];
    if (!x) return NULL;
    int rows = zf_node_shape(x).dim[0];
    make_layers(x, "encoder", channels, weights, biases);
    x = zf_reshape(zf_conv_stack(x, weights, biases, LAYERS), zf_shape_of(pixels));
    return linear(zf_regroup(x, code_shards(rows)), (layer){"encoder", LAYERS}, pixels, shape->dim);
}

/* --- decoder ----------------------------------------------------------------------- */

static zf_node *norm(zf_node *x, layer own, int channels)
{
    if (!x) return NULL;
    zf_shape shape = zf_shape_of(channels);
    return zf_batch_norm(x, parameter(x, own, "norm.weight", shape, ZF_CONSTANT(1)),
                         parameter(x, own, "norm.bias", shape, ZF_ZEROS),
                         buffer(x, own, "norm.running_mean", shape, ZF_ZEROS),
                         buffer(x, own, "norm.running_var", shape, ZF_CONSTANT(1)), 0.1f, 1e-5f);
}

static zf_node *doubled(zf_node *x, layer own, int in, int out, bool last)
{
    if (!x) return NULL;
    zf_init init = zf_init_fan_in(DOUBLING * DOUBLING * out); /* by the outputs: PyTorch's rule */
    zf_conv_options half = {.stride_h = 2, .stride_w = 2, .padding_h = 1, .padding_w = 1};
    zf_node *weight = parameter(x, own, "weight", zf_shape_of(in, out, DOUBLING, DOUBLING), init);
    zf_node *bias = last ? parameter(x, own, "bias", zf_shape_of(out), init) : NULL;
    x = zf_conv2d_transposed(x, weight, bias, half);
    return last ? zf_sigmoid(x) : zf_relu(norm(x, own, out));
}

static int decoder_shards(int rows)
{
    int shards = rows / DECODED;
    return shards < 1 ? 1 : shards > MOST_SHARDS ? MOST_SHARDS : shards;
}

static int first_side(int size)
{
    while (size % 2 == 0 && size / 2 >= FIRST_SIDE) size /= 2;
    return size;
}

zf_node *zf_image_decoder(zf_node *code, const char *name, const zf_image_shape *shape)
{
    int side = first_side(shape->size), depth = DECODED_DEPTH;
    int rows = code ? zf_node_shape(code).dim[0] : 1;
    code = zf_regroup(code, code_shards(rows));
    zf_node *x = linear(code, (layer){name, 0}, shape->dim, depth * side * side);
    x = zf_regroup(x, decoder_shards(rows));
    x = zf_reshape(x, zf_shape_of(depth, side, side));
    for (int i = 1; side < shape->size; i++, side *= 2) {
        bool last = 2 * side == shape->size;
        int next = depth / 2 < LEAST_DEPTH ? LEAST_DEPTH : depth / 2;
        x = doubled(x, (layer){name, i}, depth, last ? shape->channels : next, last);
        depth = next;
    }
    return zf_regroup(x, zf_image_shards(rows, shape->size));
}

/* --- velocity ---------------------------------------------------------------------- */

static void make_velocity(zf_node *told, const zf_image_shape *shape, zf_node **weights,
                          zf_node **biases)
{
    const int channels[LAYERS + 1] = {3 * shape->channels + 1, shape->hidden, shape->hidden,
                                      shape->channels};
    make_layers(told, "velocity", channels, weights, biases);
}

zf_node *zf_image_velocity(zf_flow_point point, zf_node *told, bool of_other,
                           const zf_image_shape *shape)
{
    zf_node *weights[LAYERS], *biases[LAYERS];
    if (!told) return NULL;
    make_velocity(told, shape, weights, biases);
    return zf_conv_stack((of_other ? zf_flow_input_other : zf_flow_input)(point, told), weights,
                         biases, LAYERS);
}

zf_node *zf_image_velocity_error(zf_flow_point point, zf_node *told, bool of_other, zf_node *target,
                                 const zf_image_shape *shape)
{
    zf_node *weights[LAYERS], *biases[LAYERS];
    if (!told) return NULL;
    make_velocity(told, shape, weights, biases);
    return (of_other ? zf_flow_error_other : zf_flow_error)(point, told, target, weights, biases,
                                                            LAYERS);
}
