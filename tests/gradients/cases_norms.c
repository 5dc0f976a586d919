/* Norms, softmax, cross-entropy, the contrastive loss. */
#include "gradients.h"

static zf_node *softmax(gradient_bench *b)
{
    return zf_softmax(learn(b, b->rows, zf_shape_of(2, 19)));
}

/* In place on the scaled value. */
static zf_node *softmax_in_place(gradient_bench *b)
{
    return zf_softmax(zf_scale(learn(b, b->rows, zf_shape_of(5)), 0.5f));
}

static zf_node *normalise(gradient_bench *b)
{
    return zf_normalise_rows(learn(b, b->rows, zf_shape_of(3, 6)), 1e-6f);
}

static zf_node *normalise_in_place(gradient_bench *b)
{
    return zf_normalise_rows(zf_scale(learn(b, b->rows, zf_shape_of(17)), 0.5f), 1e-6f);
}

/* Rows shorter than epsilon are only scaled. */
static zf_node *normalise_below_epsilon(gradient_bench *b)
{
    return zf_normalise_rows(learn(b, b->rows, zf_shape_of(3)), 100.0f);
}

static zf_node *layer_norm(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(2, 19)), *scale = weigh(b, zf_shape_of(19));
    return zf_layer_norm(x, scale, weigh(b, zf_shape_of(19)), 1e-5f);
}

/* One pair of scale and shift for two norms; the first one's input does not learn. */
static zf_node *layer_norm_shared(gradient_bench *b)
{
    zf_node *x = plain(b, b->rows, zf_shape_of(5)), *scale = weigh(b, zf_shape_of(5));
    zf_node *shift = weigh(b, zf_shape_of(5));
    return zf_layer_norm(zf_layer_norm(x, scale, shift, 0.1f), scale, shift, 0.1f);
}

static zf_node *layer_norm_plain(gradient_bench *b)
{
    return zf_layer_norm(learn(b, b->rows, zf_shape_of(2, 19)), NULL, NULL, 0.1f);
}

static zf_node *cross_entropy(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(19));
    return zf_cross_entropy(x, pick(b, b->rows, ZF_SCALAR, 19, false));
}

static zf_node *cross_entropy_twice(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(3));
    zf_node *first = zf_cross_entropy(x, pick(b, b->rows, ZF_SCALAR, 3, false));
    return zf_add(first, zf_cross_entropy(x, pick(b, b->rows, ZF_SCALAR, 3, false)));
}

static zf_node *contrastive(gradient_bench *b)
{
    return zf_contrastive(zf_normalise_rows(learn(b, b->rows, zf_shape_of(19)), 1e-6f), 0.5f);
}

/* Rows of any length, whose gradient adds up. */
static zf_node *contrastive_twice(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(3));
    return zf_add(zf_contrastive(x, 2.0f), zf_contrastive(x, 3.0f));
}

static zf_node *norm_of(gradient_bench *b, zf_node *x, int channels)
{
    zf_node *scale = weigh(b, zf_shape_of(channels)), *shift = weigh(b, zf_shape_of(channels));
    zf_node *mean = zf_buffer(b->program, "mean", zf_shape_of(channels), ZF_ZEROS);
    zf_node *variance = zf_buffer(b->program, "variance", zf_shape_of(channels), ZF_CONSTANT(1));
    return zf_batch_norm(x, scale, shift, mean, variance, 0.1f, 0.5f);
}

static zf_node *batch_norm_columns(gradient_bench *b)
{
    return norm_of(b, learn(b, b->rows, zf_shape_of(19)), 19);
}

static zf_node *batch_norm_images(gradient_bench *b)
{
    return norm_of(b, learn(b, b->rows, zf_shape_of(3, 2, 5)), 3);
}

static zf_node *batch_norm_of_data(gradient_bench *b)
{
    return norm_of(b, plain(b, b->rows, zf_shape_of(3)), 3);
}

/* x is also used by another, so that its gradient adds up. */
static zf_node *batch_norm_beside(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(3, 2, 2));
    return zf_add(norm_of(b, x, 3), zf_tanh(x));
}

const gradient_case norm_cases[] = {
    {"softmax", "of groups", softmax},
    {"softmax", "in place", softmax_in_place},
    {"normalise_rows", "plain", normalise},
    {"normalise_rows", "in place", normalise_in_place},
    {"normalise_rows", "below epsilon", normalise_below_epsilon},
    {"layer_norm", "of groups", layer_norm},
    {"layer_norm", "shared parameters", layer_norm_shared},
    {"layer_norm", "without scale and shift", layer_norm_plain},
    {"cross_entropy", "plain", cross_entropy},
    {"cross_entropy", "twice", cross_entropy_twice},
    {"contrastive", "of directions", contrastive},
    {"contrastive", "twice", contrastive_twice},
    {"batch_norm", "columns", batch_norm_columns},
    {"batch_norm", "images", batch_norm_images},
    {"batch_norm", "of data", batch_norm_of_data},
    {"batch_norm", "beside another", batch_norm_beside},
    {0},
};
