/* Convolutions and transposed convolutions. */
#include "gradients.h"

static zf_node *padded_with_bias(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(2, 4, 5));
    return zf_conv2d(x, weigh(b, zf_shape_of(3, 2, 3, 3)), weigh(b, zf_shape_of(3)),
                     (zf_conv_options){1, 1, 1, 1, 0, 0});
}

static zf_node *strided_without_bias(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(1, 5, 7));
    return zf_conv2d(x, weigh(b, zf_shape_of(2, 1, 2, 3)), NULL,
                     (zf_conv_options){2, 3, 0, 1, 0, 0});
}

/* The first input wants no gradient; the second gradient is added to what the
   sum has left there. */
static zf_node *stacked(gradient_bench *b)
{
    zf_node *x = plain(b, b->rows, zf_shape_of(2, 3, 3));
    zf_node *w = weigh(b, zf_shape_of(2, 2, 3, 3));
    zf_conv_options same = {1, 1, 1, 1, 0, 0};
    zf_node *y = zf_conv2d(x, w, NULL, same);
    return zf_add(y, zf_conv2d(y, w, NULL, same));
}

static zf_node *transposed_with_bias(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(3, 2, 3));
    return zf_conv2d_transposed(x, weigh(b, zf_shape_of(3, 2, 3, 2)), weigh(b, zf_shape_of(2)),
                                (zf_conv_options){2, 1, 1, 0, 1, 0});
}

static zf_node *transposed_without_bias(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(1, 3, 2));
    return zf_conv2d_transposed(x, weigh(b, zf_shape_of(1, 2, 3, 3)), NULL,
                                (zf_conv_options){1, 3, 1, 1, 0, 2});
}

/* One layer: behind a relu differences would meet its kinks. On tiles where the machine
   has them. */
static zf_node *stack_of_one(gradient_bench *b)
{
    zf_node *x = learn(b, b->rows, zf_shape_of(2, 4, 13));
    zf_program_allow_quick_products(b->program);
    return zf_conv_stack(x, (zf_node *[]){weigh(b, zf_shape_of(4, 2, 3, 3))},
                         (zf_node *[]){weigh(b, zf_shape_of(4))}, 1);
}

/* The squared error of the same of a flow's planes, told by the own row, or by the other and
   beside a target. */
static zf_node *flow_of_one(gradient_bench *b, bool of_other)
{
    zf_shape image = zf_shape_of(4, 4, 13);
    zf_node *x = plain(b, b->rows, image), *y = plain(b, b->rows, image);
    zf_flow_point point = {x, y, pick(b, b->rows, ZF_SCALAR, 2, true),
                           of_other ? plain(b, b->rows, ZF_SCALAR) : NULL};
    zf_node *told = zf_tanh(learn(b, b->rows, image));
    zf_node *weights[] = {weigh(b, zf_shape_of(4, 13, 3, 3))},
            *biases[] = {weigh(b, zf_shape_of(4))};
    zf_program_allow_quick_products(b->program);
    return of_other ? zf_flow_error_other(point, told, y, weights, biases, 1)
                    : zf_flow_error(point, told, NULL, weights, biases, 1);
}

static zf_node *flow_error_of_own(gradient_bench *b)
{
    return flow_of_one(b, false);
}

static zf_node *flow_error_of_other(gradient_bench *b)
{
    return flow_of_one(b, true);
}

const gradient_case conv_cases[] = {
    {"conv2d", "3x3 with padding and bias", padded_with_bias},
    {"conv2d", "strides, no bias", strided_without_bias},
    {"conv2d", "shared weight", stacked},
    {"conv2d_transposed", "stride, extra row, bias", transposed_with_bias},
    {"conv2d_transposed", "no bias", transposed_without_bias},
    {"conv_stack", "one layer", stack_of_one},
    {"flow_error", "one layer", flow_error_of_own},
    {"flow_error_other", "one layer, with times and a target", flow_error_of_other},
    {0},
};
