/* Whole steps of training on images, as pretrain takes them: the views of every
   image, forward, backward, AdamW. The paper's networks at 32 x 32 pixels. */
#include "bench/image_steps.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"

enum { SIZE = 32, HIDDEN = 16, DIM = 512, IMAGES = 256, DEPTH = 64, MASKED_IMAGES = 128 };

static const double PIXELS = SIZE * SIZE;

/* Twice the products of a forward run: of 3x3 convolutions an image, of a linear layer. */
static double conv_flops(int in, int out)
{
    return 2 * PIXELS * 9 * in * out;
}

static double linear_flops(double in, double out)
{
    return 2 * in * out;
}

/* Forward and twice as much again backward, but for what the data themselves would get. */
static double encoder_flops(void)
{
    return 2 * conv_flops(3, HIDDEN) + 3 * conv_flops(HIDDEN, HIDDEN) + 3 * conv_flops(HIDDEN, 1) +
           3 * linear_flops(PIXELS, DIM);
}

/* A 4x4 kernel at each pixel that goes in, of which a doubling has a quarter. */
static double decoder_flops(void)
{
    double flops = 3 * linear_flops(DIM, DEPTH * 4 * 4);
    int depth = DEPTH;
    for (int side = 4; side < SIZE; side *= 2, depth /= 2)
        flops += 3 * 2.0 * side * side * 16 * depth * (2 * side == SIZE ? 3 : depth / 2);
    return flops;
}

/* In the first layer x_t and t have a part of their own in each term; y's part is the same
   in both, and so is the decoded image's but for the row. Only the latter wants a
   gradient. */
static double velocity_flops(void)
{
    double first =
        2 * 2 * conv_flops(4, HIDDEN) + 2 * conv_flops(3, HIDDEN) + 3 * conv_flops(3, HIDDEN);
    return first + 2 * 3 * (conv_flops(HIDDEN, HIDDEN) + conv_flops(HIDDEN, 3));
}

/* A transformer's block for tokens of which `asking` have a result that is used. */
static double block_flops(int width, int tokens, int asking)
{
    double keys = linear_flops(width, 2.0 * width), mlp = 2 * linear_flops(width, 4.0 * width);
    double rest = 2 * linear_flops(width, width) + mlp + 2 * linear_flops(width, tokens);
    return 3 * (tokens * keys + asking * rest);
}

/* A quarter of 64 patches is seen, with the class token. */
static double masked_flops(const zf_vit_shape *vit)
{
    enum { PLACES = 64, SEEN = PLACES / 4, HIDDEN_PLACES = PLACES - SEEN, VALUES = 48 };
    int width = vit->dim, narrow = vit->decoder_dim;
    return 2 * SEEN * linear_flops(VALUES, width) +
           (vit->blocks - 1) * block_flops(width, SEEN + 1, SEEN + 1) +
           block_flops(width, SEEN + 1, SEEN) + 3 * SEEN * linear_flops(width, narrow) +
           (vit->decoder_blocks - 1) * block_flops(narrow, PLACES, PLACES) +
           block_flops(narrow, PLACES, HIDDEN_PLACES) +
           3 * HIDDEN_PLACES * linear_flops(narrow, VALUES);
}

static zf_status make_images(zf_subject *s)
{
    size_t bytes = (size_t)IMAGES * 3 * SIZE * SIZE;
    s->pixels = malloc(bytes);
    s->images = malloc(IMAGES * sizeof *s->images);
    s->which = malloc(IMAGES * sizeof *s->which);
    if (!s->pixels || !s->images || !s->which) return zf_fail_memory(bytes);
    zf_random random = zf_random_at(1, ZF_FOR_TEST, bytes, 0);
    for (size_t i = 0; i < bytes; i++) s->pixels[i] = (uint8_t)zf_random_word(&random);
    for (uint32_t i = 0; i < IMAGES; i++) {
        s->images[i] = s->pixels + (size_t)i * 3 * SIZE * SIZE;
        s->which[i] = i;
    }
    return ZF_OK;
}

static zf_status make(zf_subject *s, zf_vision_method method, int batch)
{
    zf_vision_step_options options = {
        .method = method,
        .image = {.channels = 3, .size = SIZE, .hidden = HIDDEN, .dim = DIM},
        .batch = batch,
        .zero_weight = 0.1,
        .temperature = 0.1,
        .vit = zf_vit_defaults(),
        .masked = 0.75,
        .views = zf_view_defaults(),
        .seed = 1,
    };
    ZF_TRY(make_images(s));
    ZF_TRY(zf_vision_step_new(&s->vision, s->params, &options, zf_crew_size(s->crew)));
    s->vision.images = s->images;
    s->vision.which = s->which;
    return ZF_OK;
}

zf_status zf_bench_image_zeroflow(zf_subject *s)
{
    s->flops = IMAGES * (encoder_flops() + decoder_flops() + velocity_flops());
    return make(s, ZF_VISION_ZEROFLOW, IMAGES);
}

zf_status zf_bench_image_simclr(zf_subject *s)
{
    double similarities = 2 * linear_flops(DIM, 2 * IMAGES);
    s->flops = 2 * IMAGES * (encoder_flops() + similarities);
    return make(s, ZF_VISION_SIMCLR, IMAGES);
}

zf_status zf_bench_image_mae(zf_subject *s)
{
    zf_vit_shape vit = zf_vit_defaults();
    s->flops = MASKED_IMAGES * masked_flops(&vit);
    return make(s, ZF_VISION_MAE, MASKED_IMAGES);
}
