/* 3x3 convolutions that keep the size of the image, relu between them: one operation where
   the whole stack goes as one (kernel/conv_stack.h), layers as nodes of their own
   where it does not. Both give the same to the rounding of quick products. */
#include "base/error.h"
#include "op/ops.h"
#include "op/stack.h"

static const zf_stack *attribute(const zf_node *node)
{
    return (const void *)node->attribute;
}

/* Inputs are x, then weight and bias of each layer. */
static int weight_of(int layer)
{
    return 1 + 2 * layer;
}

static int bias_of(int layer)
{
    return 2 + 2 * layer;
}

static const zf_stack_kernels *kernels_of(const zf_call *call)
{
    return zf_stack_kernels_for(attribute(call->node));
}

/* The constructor has looked at the inputs. */
static zf_status infer(zf_node *node)
{
    const zf_stack *stack = attribute(node);
    const zf_stack_kernels *kernels = zf_stack_kernels_for(stack);
    zf_op_rows_like(node, 0, zf_shape_of(stack->channels[stack->layers], stack->h, stack->w));
    node->saved_bytes = kernels->packed_bytes(stack);
    node->scratch_bytes = kernels->scratch_bytes(stack);
    return ZF_OK;
}

static void prepare(const zf_call *call)
{
    const zf_stack *stack = attribute(call->node);
    const float *weights[ZF_STACK_MOST], *biases[ZF_STACK_MOST];
    for (int l = 0; l < stack->layers; l++) {
        weights[l] = zf_in(call, weight_of(l));
        biases[l] = zf_in(call, bias_of(l));
    }
    kernels_of(call)->pack(stack, weights, biases, zf_saved(call));
}

static void forward(const zf_call *call)
{
    kernels_of(call)->forward(attribute(call->node), zf_call_rows(call), zf_saved(call),
                              zf_in(call, 0), zf_out(call), call->scratch);
}

static void backward(const zf_call *call)
{
    const zf_stack *stack = attribute(call->node);
    zf_stack_gradients g = {.x = zf_in(call, 0),
                            .dy = zf_out_grad(call),
                            .dx = zf_in_grad(call, 0),
                            .add_dx = !zf_fresh(call, 0)};
    for (int l = 0; l < stack->layers; l++) {
        g.dw[l] = zf_in_grad(call, weight_of(l));
        g.db[l] = zf_in_grad(call, bias_of(l));
        g.add_dw[l] = !zf_fresh(call, weight_of(l));
        g.add_db[l] = !zf_fresh(call, bias_of(l));
    }
    kernels_of(call)->backward(stack, zf_call_rows(call), zf_saved(call), &g, call->scratch);
}

const zf_op zf_op_conv_stack = {
    .name = "conv_stack",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 3,
    .max_inputs = 1 + 2 * ZF_STACK_MOST,
    .infer = infer,
    .prepare = prepare,
    .forward = {{.run = forward}},
    .backward = {{.run = backward}},
};

bool zf_stack_describe(zf_stack *stack, const zf_node *x, int channels, int wanted,
                       zf_node *const *weights, zf_node *const *biases, int layers)
{
    if (!x || !x->domain || x->type != ZF_F32 || x->shape.rank != 4 || layers < 1 ||
        layers > ZF_STACK_MOST || !zf_op_quick(x))
        return false;
    const int *dim = x->shape.dim;
    *stack = (zf_stack){
        .layers = layers, .h = dim[2], .w = dim[3], .channels = {channels}, .wanted = wanted};
    for (int l = 0; l < layers; l++) {
        const zf_node *w = weights[l], *b = biases[l];
        if (!w || !b || w->domain || b->domain || w->shape.rank != 4) return false;
        stack->channels[l + 1] = w->shape.dim[0];
        if (!zf_shape_equal(w->shape, zf_shape_of(w->shape.dim[0], stack->channels[l], 3, 3)) ||
            !zf_shape_equal(b->shape, zf_shape_of(w->shape.dim[0])))
            return false;
    }
    return zf_stack_kernels_for(stack) != NULL;
}

static bool describe(zf_stack *stack, const zf_node *x, zf_node *const *weights,
                     zf_node *const *biases, int layers)
{
    if (!x || x->shape.rank != 4) return false;
    const int *dim = x->shape.dim;
    int wanted = (int)(x->without_gradient / ((size_t)dim[2] * (size_t)dim[3]));
    return zf_stack_describe(stack, x, dim[1], wanted, weights, biases, layers);
}

zf_node *zf_conv_stack(zf_node *x, zf_node *const *weights, zf_node *const *biases, int layers)
{
    zf_stack stack;
    if (!describe(&stack, x, weights, biases, layers)) {
        zf_conv_options same = {.stride_h = 1, .stride_w = 1, .padding_h = 1, .padding_w = 1};
        for (int l = 0; l < layers; l++) {
            x = zf_conv2d(x, weights[l], biases[l], same);
            if (l + 1 < layers) x = zf_relu(x);
        }
        return x;
    }
    zf_node *inputs[1 + 2 * ZF_STACK_MOST] = {x};
    for (int l = 0; l < layers; l++) {
        inputs[weight_of(l)] = weights[l];
        inputs[bias_of(l)] = biases[l];
    }
    return zf_op_apply(&zf_op_conv_stack, x->program, inputs, 1 + 2 * layers, &stack, sizeof stack);
}
