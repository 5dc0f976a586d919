/* Elementwise operations. */
#include "gradients.h"

static zf_node *some(gradient_bench *b)
{
    return learn(b, b->rows, zf_shape_of(3, 7));
}

static zf_node *relu(gradient_bench *b)
{
    return zf_relu(some(b));
}

static zf_node *leaky_relu(gradient_bench *b)
{
    return zf_leaky_relu(some(b), 0.3f);
}

static zf_node *gelu(gradient_bench *b)
{
    return zf_gelu(some(b));
}

static zf_node *sigmoid(gradient_bench *b)
{
    return zf_sigmoid(some(b));
}

static zf_node *tanh_of(gradient_bench *b)
{
    return zf_tanh(some(b));
}

static zf_node *exp_of(gradient_bench *b)
{
    return zf_exp(zf_scale(some(b), 0.5f));
}

static zf_node *scale(gradient_bench *b)
{
    return zf_scale(some(b), -1.7f);
}

/* All of them work in place, one after another, but for gelu and the first. */
static zf_node *chain(gradient_bench *b)
{
    zf_node *x = zf_leaky_relu(zf_scale(some(b), 1.5f), 0.5f);
    return zf_exp(zf_scale(zf_tanh(zf_scale(zf_sigmoid(zf_gelu(x)), 0.7f)), -0.4f));
}

/* x is read by three: none may work in place on it, and its gradient adds up. */
static zf_node *shared(gradient_bench *b)
{
    zf_node *x = zf_scale(some(b), 0.6f);
    return zf_add(zf_mul(zf_sigmoid(x), zf_tanh(x)), x);
}

static zf_node *add(gradient_bench *b)
{
    zf_node *x = some(b);
    return zf_add(x, learn(b, b->rows, zf_shape_of(3, 7)));
}

static zf_node *add_row(gradient_bench *b)
{
    zf_node *x = some(b);
    return zf_add(x, weigh(b, zf_shape_of(3, 7)));
}

static zf_node *add_itself(gradient_bench *b)
{
    zf_node *x = some(b);
    return zf_add(x, x);
}

static zf_node *mul(gradient_bench *b)
{
    zf_node *x = some(b);
    return zf_mul(x, learn(b, b->rows, zf_shape_of(3, 7)));
}

static zf_node *mul_row(gradient_bench *b)
{
    zf_node *x = some(b);
    return zf_mul(x, weigh(b, zf_shape_of(3, 7)));
}

/* Only the row learns, and twice. */
static zf_node *mul_row_of_data(gradient_bench *b)
{
    zf_node *x = plain(b, b->rows, zf_shape_of(5)), *row = weigh(b, zf_shape_of(5));
    return zf_mul(zf_add(zf_mul(x, row), row), row);
}

static zf_node *square(gradient_bench *b)
{
    zf_node *x = some(b);
    return zf_mul(x, x);
}

const gradient_case elementwise_cases[] = {
    {"relu", "plain", relu},
    {"leaky_relu", "plain", leaky_relu},
    {"gelu", "plain", gelu},
    {"sigmoid", "plain", sigmoid},
    {"tanh", "plain", tanh_of},
    {"exp", "plain", exp_of},
    {"scale", "plain", scale},
    {"scale", "a chain in place", chain},
    {"mul", "a value with three readers", shared},
    {"add", "two", add},
    {"add", "a row", add_row},
    {"add", "itself", add_itself},
    {"mul", "two", mul},
    {"mul", "a row", mul_row},
    {"mul", "a row, of data", mul_row_of_data},
    {"mul", "itself", square},
    {0},
};
