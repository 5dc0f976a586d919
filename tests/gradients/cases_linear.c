/* Linear layers: dense in both layouts, sparse inputs, selected outputs, pairs. */
#include "gradients.h"

static zf_node *dense(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(5));
    return zf_linear(x, weigh(b, zf_shape_of(3, 5)), weigh(b, zf_shape_of(3)));
}

static zf_node *dense_in_out_without_bias(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(5));
    return zf_linear_in_out(x, weigh(b, zf_shape_of(5, 3)), NULL);
}

static zf_node *at_each_place(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(2, 3, 5));
    return zf_linear(x, weigh(b, zf_shape_of(4, 5)), weigh(b, zf_shape_of(4)));
}

/* The first layer's input wants no gradient; the weight is used twice. */
static zf_node *stacked_with_a_shared_weight(gradient_bench *b)
{
    zf_node *w = weigh(b, zf_shape_of(4, 4));
    zf_node *x = plain(b, b->rows, zf_shape_of(4));
    return zf_linear(zf_linear(x, w, weigh(b, zf_shape_of(4))), w, NULL);
}

static zf_node *sparse(gradient_bench *b)
{
    zf_node *columns = pick(b, b->rows, zf_shape_of(3), 6, true);
    zf_node *values = learn(b, b->rows, zf_shape_of(3));
    return zf_linear_sparse(columns, values, weigh(b, zf_shape_of(6, 5)), weigh(b, zf_shape_of(5)));
}

static zf_node *selected(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(5));
    zf_node *columns = pick(b, b->rows, zf_shape_of(2), 4, true);
    return zf_linear_selected(x, columns, weigh(b, zf_shape_of(4, 5)), weigh(b, zf_shape_of(4)));
}

/* In place on a sum that no one else reads, then beside one that others do. */
static zf_node *onto(gradient_bench *b)
{
    zf_node *start = zf_scale(learn(b, b->rows, zf_shape_of(3)), 2.0f);
    zf_node *x = learn(b, b->rows, zf_shape_of(5));
    zf_node *y = zf_linear_onto(start, x, weigh(b, zf_shape_of(3, 5)));
    return zf_mul(zf_linear_onto(y, x, weigh(b, zf_shape_of(3, 5))), y);
}

/* onto and x have other readers too, behind and before. */
static zf_node *residual(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(2, 5)), *w = weigh(b, zf_shape_of(3, 5));
    zf_node *start = zf_tanh(learn(b, b->rows, zf_shape_of(2, 3)));
    zf_node *bias = weigh(b, zf_shape_of(3)), *y = zf_linear_residual(start, x, w, bias);
    return zf_mul(zf_linear_residual(y, zf_gelu(zf_scale(x, 0.7f)), w, bias), start);
}

static zf_node *sparse_onto(gradient_bench *b)
{
    zf_node *start = zf_scale(learn(b, b->rows, zf_shape_of(5)), 2.0f);
    zf_node *columns = pick(b, b->rows, zf_shape_of(3), 6, true);
    zf_node *values = learn(b, b->rows, zf_shape_of(3));
    zf_node *w = weigh(b, zf_shape_of(6, 5));
    zf_node *y = zf_linear_sparse_onto(start, columns, values, w);
    return zf_mul(zf_linear_sparse_onto(y, columns, values, w), y);
}

static zf_node *pairs(gradient_bench *b)
{
    return zf_pairs(pick(b, b->rows, zf_shape_of(3), 6, true), weigh(b, zf_shape_of(6, 6)));
}

/* One row under two places. */
static zf_node *sparse_onto_shared(gradient_bench *b)
{
    zf_node *start = learn(b, b->rows, zf_shape_of(5));
    zf_node *columns = pick(b, b->rows, zf_shape_of(2, 3), 6, true);
    return zf_linear_sparse_onto(start, columns, learn(b, b->rows, zf_shape_of(2, 3)),
                                 weigh(b, zf_shape_of(6, 5)));
}

static zf_node *selected_at_each_place(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(2, 5));
    zf_node *columns = pick(b, b->rows, zf_shape_of(2, 3), 4, true);
    return zf_linear_selected(x, columns, weigh(b, zf_shape_of(4, 5)), weigh(b, zf_shape_of(4)));
}

const gradient_case linear_cases[] = {
    {"linear", "dense", dense},
    {"linear", "in_out, no bias", dense_in_out_without_bias},
    {"linear", "at each place", at_each_place},
    {"linear", "shared weight", stacked_with_a_shared_weight},
    {"linear_onto", "alone and beside", onto},
    {"linear_residual", "twice, beside others", residual},
    {"linear_sparse", "padded", sparse},
    {"linear_sparse_onto", "alone and beside", sparse_onto},
    {"linear_sparse_onto", "a row under two places", sparse_onto_shared},
    {"linear_selected", "padded", selected},
    {"linear_selected", "at each place", selected_at_each_place},
    {"pairs", "padded", pairs},
    {0},
};
