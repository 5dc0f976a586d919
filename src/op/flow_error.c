/* The squared error of a velocity, from what it is asked to the sum over all rows, as one
   operation: flow_input.c, conv_stack.c and squared_error.c in one.

   The planes that a velocity is asked with are made a few images at a time where the
   convolutions read them, and never lie in memory as a whole: at 32x32 they would be 40 kB an
   image, which takes longer to write and read than to make. And the gradient of a sum of
   squares is known but for a factor as soon as an image's velocity is, so an image goes
   forward and back while the inputs of its layers are at hand; backward has only to multiply.
   Made again in backward, they would take a tenth of a step of zero-flow. */
#include "base/error.h"
#include "kernel/pieces.h"
#include "kernel/reduce.h"
#include "kernel/vector.h"
#include "op/flow_point.h"
#include "op/ops.h"
#include "op/partial.h"
#include "op/stack.h"

enum { IMAGES = 4 /* at a time */ };

typedef struct flow_error {
    zf_stack stack;
    int t, target; /* which inputs these are; -1: none */
} flow_error;

static const flow_error *attribute(const zf_node *node)
{
    return (const void *)node->attribute;
}

static const zf_stack_kernels *kernels_of(const zf_call *call)
{
    return zf_stack_kernels_for(&attribute(call->node)->stack);
}

/* Behind the point's inputs are weight and bias of each layer, then t and target. */
static int weight_of(int layer)
{
    return ZF_FLOW_INPUTS + 2 * layer;
}

static int bias_of(int layer)
{
    return weight_of(layer) + 1;
}

/* --- memory ---------------------------------------------------------------------------- */

static size_t output_floats(const zf_stack *stack)
{
    return (size_t)stack->channels[stack->layers] * (size_t)stack->h * (size_t)stack->w;
}

typedef struct work {
    float *planes, *d_planes; /* of IMAGES */
    float *y, *dy;            /* of one; of IMAGES */
    void *scratch;
} work;

static size_t place(const zf_stack *stack, work *w, void *memory)
{
    size_t input = (size_t)(stack->channels[0] * stack->h * stack->w), used = 0;
    size_t output = output_floats(stack);
    w->planes = zf_take_piece(memory, &used, IMAGES * input * sizeof(float));
    w->d_planes = zf_take_piece(memory, &used, IMAGES * input * sizeof(float));
    w->y = zf_take_piece(memory, &used, output * sizeof(float));
    w->dy = zf_take_piece(memory, &used, IMAGES * output * sizeof(float));
    w->scratch = zf_take_piece(memory, &used, zf_stack_kernels_for(stack)->scratch_bytes(stack));
    return used;
}

/* A shard's gradients of the parameters lie behind its part of the sum, one after another. */
static float *kept_gradient(const zf_call *call, int input)
{
    float *at = (float *)(void *)((unsigned char *)zf_saved_shard(call, call->shard) + 64);
    for (int i = ZF_FLOW_INPUTS; i < input; i++) at += zf_shape_size(call->node->input[i]->shape);
    return at;
}

/* The constructor has looked at the layers. */
static zf_status infer(zf_node *node)
{
    const flow_error *e = attribute(node);
    const zf_node *told = node->input[ZF_FLOW_TOLD];
    ZF_TRY(zf_point_check(node, e->t >= 0 ? node->input[e->t] : NULL));
    if (e->target >= 0) {
        const zf_node *target = node->input[e->target];
        if (target->domain != told->domain || target->type != ZF_F32 || target->op ||
            target->wants_grad || !zf_shape_equal(target->shape, told->shape) ||
            e->stack.channels[e->stack.layers] != told->shape.dim[1])
            return zf_op_mismatch(node, "a target that is an input like what is told, and as many "
                                        "channels behind the last layer");
    }
    zf_partial_infer(node);
    node->saved_bytes_a_shard = 64;
    for (int l = 0; l < e->stack.layers; l++)
        for (int i = weight_of(l); i <= bias_of(l); i++)
            node->saved_bytes_a_shard += zf_shape_size(node->input[i]->shape) * sizeof(float);
    node->saved_bytes_a_row = zf_shape_row_size(told->shape) * sizeof(float);
    node->saved_bytes = zf_stack_kernels_for(&e->stack)->packed_bytes(&e->stack);
    node->scratch_bytes = place(&e->stack, &(work){0}, NULL);
    return ZF_OK;
}

static void prepare(const zf_call *call)
{
    const zf_stack *stack = &attribute(call->node)->stack;
    const float *weights[ZF_STACK_MOST], *biases[ZF_STACK_MOST];
    for (int l = 0; l < stack->layers; l++) {
        weights[l] = zf_in(call, weight_of(l));
        biases[l] = zf_in(call, bias_of(l));
    }
    kernels_of(call)->pack(stack, weights, biases, zf_saved(call));
}

/* --- forward, and the way back up to a factor ---------------------------------------------- */

typedef struct progress {
    const zf_call *call;
    work work;
    int first; /* row of the images at hand */
    double error;
} progress;

/* What image i of those at hand should have come to, or NULL for 0. */
static const float *target_of(const progress *p, int i)
{
    const zf_call *call = p->call;
    int target = attribute(call->node)->target;
    return target < 0 ? NULL
                      : zf_in_all(call, target) +
                            (size_t)(p->first + i) * output_floats(&attribute(call->node)->stack);
}

static void add_error(progress *p, int i, const float *y)
{
    size_t n = output_floats(&attribute(p->call->node)->stack);
    const float *target = target_of(p, i);
    p->error += target ? zf_reduce()->squared_difference(y, target, n) : zf_reduce()->squares(y, n);
}

static void answer(void *context, int i, const float *y)
{
    progress *p = context;
    size_t n = output_floats(&attribute(p->call->node)->stack);
    add_error(p, i, y);
    zf_reduce()->gap(p->work.dy + (size_t)i * n, 2.0f, y, target_of(p, i), NULL, n, true);
}

static bool wants(const zf_call *call, int input)
{
    return call->node->input[input]->wants_grad;
}

static void there_and_back(progress *p, int n)
{
    const zf_call *call = p->call;
    const zf_stack *stack = &attribute(call->node)->stack;
    bool add = p->first > call->begin;
    zf_stack_gradients g = {.x = p->work.planes,
                            .dy = p->work.dy,
                            .dx = wants(call, ZF_FLOW_TOLD) ? p->work.d_planes : NULL,
                            .answer = answer,
                            .context = p,
                            .y = p->work.y};
    for (int l = 0; l < stack->layers; l++) {
        if (wants(call, weight_of(l))) g.dw[l] = kept_gradient(call, weight_of(l));
        if (wants(call, bias_of(l))) g.db[l] = kept_gradient(call, bias_of(l));
        g.add_dw[l] = g.add_db[l] = add;
    }
    kernels_of(call)->backward(stack, n, zf_saved(call), &g, p->work.scratch);
    for (int i = 0; g.dx && i < n; i++)
        zf_vector()->pass(zf_saved_row(call, p->first + i),
                          g.dx + (size_t)i * zf_point_planes(call) + zf_point_before_told(call),
                          zf_point_image(call), true);
}

static void only_there(progress *p, int n)
{
    const zf_call *call = p->call;
    const zf_stack *stack = &attribute(call->node)->stack;
    kernels_of(call)->forward(stack, n, zf_saved(call), p->work.planes, p->work.dy,
                              p->work.scratch);
    for (int i = 0; i < n; i++) add_error(p, i, p->work.dy + (size_t)i * output_floats(stack));
}

static void run_forward(const zf_call *call, bool of_other)
{
    progress p = {.call = call, .first = call->begin};
    place(&attribute(call->node)->stack, &p.work, call->scratch);
    for (int n; p.first < call->end; p.first += n) {
        n = call->end - p.first < IMAGES ? call->end - p.first : IMAGES;
        for (int i = 0; i < n; i++)
            zf_point_fill(call, p.work.planes + (size_t)i * zf_point_planes(call), p.first + i,
                          attribute(call->node)->t, of_other);
        if (zf_backward_follows(call))
            there_and_back(&p, n);
        else
            only_there(&p, n);
    }
    zf_partial_put(call, p.error);
}

static void forward(const zf_call *call)
{
    run_forward(call, false);
}

static void forward_other(const zf_call *call)
{
    run_forward(call, true);
}

static void finish(const zf_call *call)
{
    zf_partial_finish(call, 1);
}

/* --- backward -------------------------------------------------------------------------- */

static void scale_onto(float *to, const float *from, float factor, size_t n, bool fresh)
{
    if (fresh)
        zf_vector()->scale(to, from, factor, n);
    else
        zf_vector()->axpy(to, factor, from, n);
}

static float scale_parameters(const zf_call *call)
{
    float slope = *zf_out_grad_all(call);
    for (int i = ZF_FLOW_INPUTS; i <= bias_of(attribute(call->node)->stack.layers - 1); i++)
        if (wants(call, i))
            scale_onto(zf_in_grad(call, i), kept_gradient(call, i), slope,
                       zf_shape_size(call->node->input[i]->shape), zf_fresh(call, i));
    return slope;
}

static void backward(const zf_call *call)
{
    float slope = scale_parameters(call);
    if (wants(call, ZF_FLOW_TOLD))
        scale_onto(zf_in_grad(call, ZF_FLOW_TOLD), zf_saved_row(call, call->begin), slope,
                   (size_t)zf_call_rows(call) * zf_point_image(call), zf_fresh(call, ZF_FLOW_TOLD));
}

static void backward_other(const zf_call *call)
{
    float slope = scale_parameters(call);
    if (wants(call, ZF_FLOW_TOLD))
        zf_point_send_back(call, slope, zf_saved_row(call, 0), zf_point_image(call));
}

const zf_op zf_op_flow_error = {
    .name = "flow_error",
    .flags = ZF_OP_KNOWS_FRESH | ZF_OP_SAVES_FOR_BACKWARD,
    .min_inputs = ZF_FLOW_INPUTS + 2,
    .max_inputs = ZF_MAX_INPUTS,
    .infer = infer,
    .prepare = prepare,
    .forward = {{forward, ZF_OVER_INPUT, false}, {finish, ZF_OVER_OUTPUT, true}},
    .backward = {{backward, ZF_OVER_INPUT, true}},
};

const zf_op zf_op_flow_error_other = {
    .name = "flow_error_other",
    .flags = ZF_OP_KNOWS_FRESH | ZF_OP_SAVES_FOR_BACKWARD,
    .min_inputs = ZF_FLOW_INPUTS + 2,
    .max_inputs = ZF_MAX_INPUTS,
    .infer = infer,
    .prepare = prepare,
    .forward = {{forward_other, ZF_OVER_INPUT, true}, {finish, ZF_OVER_OUTPUT, true}},
    .backward = {{backward_other, ZF_OVER_INPUT, true}},
};

static zf_node *apply(const zf_op *op, zf_flow_point point, zf_node *told, zf_node *target,
                      zf_node *const *weights, zf_node *const *biases, int layers)
{
    flow_error e = {.t = -1, .target = -1};
    int channels = told && told->shape.rank == 4 ? told->shape.dim[1] : 0, n = ZF_FLOW_INPUTS;
    if (!zf_stack_describe(&e.stack, told, 3 * channels + 1, 2 * channels + 1, weights, biases,
                           layers) ||
        ZF_FLOW_INPUTS + 2 * layers + 2 > ZF_MAX_INPUTS) {
        zf_node *asked =
            (op == &zf_op_flow_error ? zf_flow_input : zf_flow_input_other)(point, told);
        return zf_squared_error(zf_conv_stack(asked, weights, biases, layers), target, NULL,
                                ZF_SUM);
    }
    zf_node *inputs[ZF_MAX_INPUTS] = {told, point.x, point.y, point.other};
    for (int l = 0; l < layers; l++) {
        inputs[n++] = weights[l];
        inputs[n++] = biases[l];
    }
    if (point.t) inputs[e.t = n++] = point.t;
    if (target) inputs[e.target = n++] = target;
    return zf_op_apply(op, zf_op_program(inputs, n), inputs, n, &e, sizeof e);
}

zf_node *zf_flow_error(zf_flow_point point, zf_node *told, zf_node *target, zf_node *const *weights,
                       zf_node *const *biases, int layers)
{
    return apply(&zf_op_flow_error, point, told, target, weights, biases, layers);
}

zf_node *zf_flow_error_other(zf_flow_point point, zf_node *told, zf_node *target,
                             zf_node *const *weights, zf_node *const *biases, int layers)
{
    return apply(&zf_op_flow_error_other, point, told, target, weights, biases, layers);
}
