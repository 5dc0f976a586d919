#include "net/vit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "op/ops.h"

enum { MLP_RATIO = 4, SHARD_ROWS = 32 };

static const float EPSILON = 1e-6f;
#define TOKEN ZF_NORMAL(0.02f)

zf_vit_shape zf_vit_defaults(void)
{
    return (zf_vit_shape){.patch = 4,
                          .dim = 192,
                          .blocks = 12,
                          .heads = 3,
                          .decoder_dim = 128,
                          .decoder_blocks = 2,
                          .decoder_heads = 4};
}

static zf_status check_width(const char *of, int dim, int blocks, int heads)
{
    if (dim < 1 || blocks < 1 || heads < 1 || dim % heads != 0)
        return zf_fail(ZF_EINVAL,
                       "%s: expected at least one block and a width that is a multiple of its "
                       "heads, found %d blocks, width %d and %d heads",
                       of, blocks, dim, heads);
    return ZF_OK;
}

zf_status zf_vit_check(const zf_vit_shape *shape, const zf_image_shape *image)
{
    ZF_TRY(check_width("transformer", shape->dim, shape->blocks, shape->heads));
    ZF_TRY(check_width("transformer's decoder", shape->decoder_dim, shape->decoder_blocks,
                       shape->decoder_heads));
    if (shape->patch < 1 || image->size % shape->patch != 0 || image->size == shape->patch)
        return zf_fail(ZF_EINVAL,
                       "patch: expected two or more in an image of %d pixels, found %d pixels",
                       image->size, shape->patch);
    return ZF_OK;
}

int zf_vit_places(const zf_vit_shape *shape, const zf_image_shape *image)
{
    int side = image->size / shape->patch;
    return side * side;
}

int zf_vit_values(const zf_vit_shape *shape, const zf_image_shape *image)
{
    return image->channels * shape->patch * shape->patch;
}

int zf_vit_shards(int rows)
{
    return rows > SHARD_ROWS ? (rows + SHARD_ROWS - 1) / SHARD_ROWS : rows < 2 ? 1 : 2;
}

void zf_vit_cut(float *patch, const float *image, int place, const zf_vit_shape *shape,
                const zf_image_shape *size)
{
    int side = size->size / shape->patch, p = shape->patch, s = size->size;
    const float *corner = image + place / side * p * s + place % side * p;
    for (int c = 0; c < size->channels; c++)
        for (int row = 0; row < p; row++, patch += p)
            memcpy(patch, corner + (c * s + row) * s, (size_t)p * sizeof *patch);
}

void zf_vit_show(float *patch, const float *image, int place, const zf_vit_shape *shape,
                 const zf_image_shape *size)
{
    zf_vit_cut(patch, image, place, shape, size);
    for (int i = 0; i < zf_vit_values(shape, size); i++) patch[i] = 4 * patch[i] - 2;
}

/* --- layers -------------------------------------------------------------------------------- */

/* Parameters of a part of the network: NAME.WHAT, or NAME.block.I.WHAT. */
typedef struct part {
    zf_program *program;
    const char *name;
    int block; /* -1: none */
} part;

static zf_node *parameter(const part *in, const char *what, zf_shape shape, zf_init init)
{
    char name[64];
    if (in->block < 0)
        snprintf(name, sizeof name, "%s.%s", in->name, what);
    else
        snprintf(name, sizeof name, "%s.block.%d.%s", in->name, in->block, what);
    return zf_parameter(in->program, name, shape, init);
}

static int width_of(zf_node *x)
{
    zf_shape shape = zf_node_shape(x);
    return shape.dim[shape.rank - 1];
}

typedef struct layer {
    zf_node *w, *b;
} layer;

/* Xavier's uniform law, and a bias of 0. The matrix is part of one with `whole` outputs. */
static layer layer_of(const part *in, const char *what, zf_node *x, int out, int whole)
{
    char name[32];
    int width = width_of(x);
    snprintf(name, sizeof name, "%s.weight", what);
    zf_node *w = parameter(in, name, zf_shape_of(out, width),
                           ZF_UNIFORM(sqrtf(6.0f / (float)(width + whole))));
    snprintf(name, sizeof name, "%s.bias", what);
    return (layer){w, parameter(in, name, zf_shape_of(out), ZF_ZEROS)};
}

static zf_node *linear_part(const part *in, const char *what, zf_node *x, int out, int whole)
{
    if (!x) return NULL;
    layer made = layer_of(in, what, x, out, whole);
    return zf_linear(x, made.w, made.b);
}

static zf_node *linear(const part *in, const char *what, zf_node *x, int out)
{
    return linear_part(in, what, x, out, out);
}

static zf_node *norm(const part *in, const char *what, zf_node *x)
{
    if (!x) return NULL;
    char name[32];
    zf_shape shape = zf_shape_of(width_of(x));
    snprintf(name, sizeof name, "%s.scale", what);
    zf_node *scale = parameter(in, name, shape, ZF_CONSTANT(1.0f));
    snprintf(name, sizeof name, "%s.shift", what);
    return zf_layer_norm(x, scale, parameter(in, name, shape, ZF_ZEROS), EPSILON);
}

/* Tokens from `from` on. */
static zf_node *tokens_from(zf_node *x, int from)
{
    if (!x || from == 0) return x;
    return zf_slice(x, 1, from, zf_node_shape(x).dim[1] - from);
}

/* A block, of which only the tokens from `from` on come out: the others are keys and
   values alone. */
static zf_node *block(const part *in, zf_node *x, int heads, int from)
{
    if (!x) return NULL;
    int width = width_of(x);
    zf_node *normed = norm(in, "norm_1", x), *mixed;
    if (from == 0)
        mixed = zf_attention_qkv(linear(in, "qkv", normed, 3 * width), heads);
    else
        mixed = zf_attention_kv(linear_part(in, "q", tokens_from(normed, from), width, 3 * width),
                                linear_part(in, "kv", normed, 2 * width, 3 * width), heads);
    if (!mixed) return NULL;
    layer out = layer_of(in, "out", mixed, width, width);
    x = zf_linear_residual(tokens_from(x, from), mixed, out.w, out.b);
    zf_node *inner = zf_gelu(linear(in, "mlp_1", norm(in, "norm_2", x), MLP_RATIO * width));
    if (!inner) return NULL;
    layer last = layer_of(in, "mlp_2", inner, width, width);
    return zf_linear_residual(x, inner, last.w, last.b);
}

/* All blocks and a norm; `from` as above, of the last one. */
static zf_node *blocks(const part *in, zf_node *x, int count, int heads, int from)
{
    for (int i = 0; i < count; i++) {
        part inside = {in->program, in->name, i};
        x = block(&inside, x, heads, i == count - 1 ? from : 0);
    }
    return norm(in, "norm", x);
}

/* One learnt token, in `count` places of each row of x: row 0 of a table of one, by an
   input that no one writes. */
static zf_node *token(const part *in, const char *what, zf_node *x, int count, int width)
{
    zf_node *zeros = zf_input(in->program, zf_node_domain(x), ZF_I32, zf_shape_of(count));
    return zf_embedding(zeros, parameter(in, what, zf_shape_of(1, width), TOKEN));
}

/* --- the network ----------------------------------------------------------------------------- */

zf_node *zf_vit_encoder(zf_node *patches, zf_node *places, const zf_vit_shape *shape,
                        const zf_image_shape *image)
{
    if (!patches || !places) return NULL;
    part in = {.program = zf_node_program(patches), .name = "encoder", .block = -1};
    int width = shape->dim, all = zf_vit_places(shape, image);
    zf_node *positions = parameter(&in, "positions", zf_shape_of(all, width), TOKEN);
    zf_node *seen = zf_add(linear(&in, "patch", patches, width), zf_embedding(places, positions));
    zf_node *tokens[] = {zf_add(token(&in, "class", patches, 1, width),
                                token(&in, "class_position", patches, 1, width)),
                         seen};
    return blocks(&in, zf_concat(tokens, 2, 1), shape->blocks, shape->heads, 1);
}

zf_node *zf_vit_features(zf_node *encoded)
{
    return zf_layer_norm(zf_mean_axis(encoded, 1), NULL, NULL, EPSILON);
}

zf_node *zf_vit_decoder(zf_node *encoded, zf_node *places, const zf_vit_shape *shape,
                        const zf_image_shape *image)
{
    if (!encoded || !places) return NULL;
    part in = {.program = zf_node_program(encoded), .name = "decoder", .block = -1};
    int width = shape->decoder_dim, all = zf_vit_places(shape, image);
    int seen = zf_node_shape(encoded).dim[1], masked = zf_node_shape(places).dim[1] - seen;
    zf_node *positions = parameter(&in, "positions", zf_shape_of(all, width), TOKEN);
    zf_node *tokens[] = {linear(&in, "narrow", encoded, width),
                         token(&in, "mask", encoded, masked, width)};
    zf_node *x = zf_add(zf_concat(tokens, 2, 1), zf_embedding(places, positions));
    x = blocks(&in, x, shape->decoder_blocks, shape->decoder_heads, seen);
    return linear(&in, "head", x, zf_vit_values(shape, image));
}
