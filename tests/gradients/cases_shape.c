/* Concat, slice, reshape; sums and means; losses. */
#include "gradients.h"

static zf_node *concat(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(3, 2)), *y = learn(b, b->rows, zf_shape_of(1, 2));
    zf_node *parts[] = {x, y, plain(b, b->rows, zf_shape_of(2, 2)), x};
    return zf_concat(parts, 4, 1);
}

static zf_node *concat_last(gradient_bench *b)
{
    zf_node *parts[] = {learn(b, b->rows, zf_shape_of(3, 2)), learn(b, b->rows, zf_shape_of(3, 5))};
    return zf_concat(parts, 2, 2);
}

static zf_node *slice_middle(gradient_bench *b)
{
    return zf_slice(learn(b, b->rows, zf_shape_of(5, 3)), 1, 1, 3);
}

/* Two slices of one value, and the value itself: the gradient adds up. */
static zf_node *slices(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(3, 5));
    zf_node *parts[] = {zf_slice(x, 2, 3, 2), zf_slice(x, 2, 2, 3), x};
    return zf_concat(parts, 3, 2);
}

/* A sum over all rows on the far side, and weights on both. */
static zf_node *regroup(gradient_bench *b)
{
    zf_node *w = weigh(b, zf_shape_of(3, 3));
    zf_node *x = zf_linear(learn(b, b->rows, zf_shape_of(3)), w, NULL);
    zf_node *far = zf_tanh(zf_linear(zf_regroup(x, 1), w, NULL));
    return zf_add(zf_mean(far), zf_sum(zf_exp(zf_regroup(far, 7))));
}

/* Of data, of a value with another reader, and back to where it came from. */
static zf_node *regroup_kept(gradient_bench *b)
{
    zf_node *x = zf_sigmoid(learn(b, b->rows, zf_shape_of(5)));
    zf_node *far = zf_mul(zf_regroup(x, 2), zf_regroup(plain(b, b->rows, zf_shape_of(5)), 2));
    return zf_mul(zf_regroup(far, 7), zf_regroup(x, 7));
}

static zf_node *reshape_input(gradient_bench *b)
{
    return zf_tanh(zf_reshape(learn(b, b->rows, zf_shape_of(3, 4)), zf_shape_of(2, 6)));
}

/* A view of a value that must be kept; and one whose input has another reader. */
static zf_node *reshape_kept(gradient_bench *b)
{
    zf_node *x = zf_sigmoid(zf_scale(learn(b, b->rows, zf_shape_of(3, 4)), 0.5f));
    zf_node *flat = zf_reshape(x, zf_shape_of(12));
    return zf_mul(zf_exp(flat), zf_reshape(zf_tanh(x), zf_shape_of(12)));
}

static zf_node *sum(gradient_bench *b)
{
    return zf_sum(learn(b, b->rows, zf_shape_of(3, 4)));
}

static zf_node *mean(gradient_bench *b)
{
    return zf_mean(learn(b, b->rows, zf_shape_of(3, 4)));
}

/* A scalar out of two, one of them used again. */
static zf_node *means(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(5));
    return zf_add(zf_scale(zf_mean(zf_mul(x, x)), 0.7f), zf_sum(zf_sum(x)));
}

static zf_node *sum_axis(gradient_bench *b)
{
    return zf_sum_axis(learn(b, b->rows, zf_shape_of(3, 4)), 1);
}

static zf_node *sum_axis_to_scalars(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(5));
    return zf_mul(zf_sum_axis(x, 1), zf_sum_axis(x, 1));
}

static zf_node *mean_axis(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(3, 4));
    return zf_add(zf_mean_axis(x, 2), zf_sum_axis(x, 2));
}

static zf_node *mean_axis_middle(gradient_bench *b)
{
    return zf_mean_axis(learn(b, b->rows, zf_shape_of(2, 3, 4)), 2);
}

static zf_node *error_of_two(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(5)), *y = learn(b, b->rows, zf_shape_of(5));
    return zf_squared_error(x, y, NULL, ZF_MEAN);
}

static zf_node *error_of_one(gradient_bench *b)
{
    return zf_squared_error(learn(b, b->rows, zf_shape_of(5)), NULL, NULL, ZF_SUM);
}

static zf_node *error_weighted(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(3, 2)), *y = learn(b, b->rows, zf_shape_of(3, 2));
    return zf_squared_error(x, y, plain(b, b->rows, zf_shape_of(3, 2)), ZF_SUM);
}

static zf_node *error_weighted_by_row(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(3, 2)), *y = learn(b, b->rows, zf_shape_of(3, 2));
    return zf_squared_error(zf_add(x, y), x, plain(b, b->rows, ZF_SCALAR), ZF_MEAN);
}

static zf_node *error_of_one_weighted(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(3));
    zf_node *by_row = zf_squared_error(x, NULL, plain(b, b->rows, ZF_SCALAR), ZF_MEAN);
    zf_node *by_element = zf_squared_error(x, NULL, plain(b, b->rows, zf_shape_of(3)), ZF_SUM);
    return zf_add(by_row, by_element);
}

const gradient_case shape_cases[] = {
    {"concat", "first dimension", concat},
    {"concat", "last dimension", concat_last},
    {"slice", "middle", slice_middle},
    {"slice", "overlapping", slices},
    {"regroup", "with sums", regroup},
    {"regroup", "there and back", regroup_kept},
    {"reshape", "of an input", reshape_input},
    {"reshape", "of a value that is kept", reshape_kept},
    {"sum", "plain", sum},
    {"mean", "plain", mean},
    {"mean", "scalars joined", means},
    {"sum_axis", "first", sum_axis},
    {"sum_axis", "to scalars", sum_axis_to_scalars},
    {"mean_axis", "last", mean_axis},
    {"mean_axis", "middle", mean_axis_middle},
    {"squared_error", "of two", error_of_two},
    {"squared_error", "of one", error_of_one},
    {"squared_error", "weighted", error_weighted},
    {"squared_error", "weighted by row", error_weighted_by_row},
    {"squared_error", "of one, weighted", error_of_one_weighted},
    {0},
};
