/* flow_input.c and conv_stack.c in one: the planes that a velocity is asked with are made a few
   pictures at a time where the convolutions read them, forward and once more backward, and
   never lie in memory as a whole. At 32x32 they would be 40 kB a picture, written once and
   read twice, which takes longer than to make them. */
#include "base/error.h"
#include "kernel/vector.h"
#include "op/flow_point.h"
#include "op/ops.h"
#include "op/stack.h"

enum { PICTURES = 4 /* at a time */ };

typedef struct flow_stack {
    zf_stack stack;
    int t; /* which input that is; -1: none */
} flow_stack;

static const flow_stack *attribute(const zf_node *node)
{
    return (const void *)node->attribute;
}

static const zf_stack_kernels *kernels_of(const zf_call *call)
{
    return zf_stack_kernels_for(&attribute(call->node)->stack);
}

/* Behind the point's inputs are weight and bias of each layer, then t. */
static int weight_of(int layer)
{
    return ZF_FLOW_INPUTS + 2 * layer;
}

static int bias_of(int layer)
{
    return weight_of(layer) + 1;
}

static size_t rounded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static size_t planes_bytes(const zf_stack *stack)
{
    size_t pixels = (size_t)stack->h * (size_t)stack->w;
    return rounded(PICTURES * (size_t)stack->channels[0] * pixels * sizeof(float));
}

/* The constructor has looked at the layers. What is told gets its gradient by way of memory of
   the node's, because it may be any row's. */
static zf_status infer(zf_node *node)
{
    const flow_stack *f = attribute(node);
    const zf_stack *stack = &f->stack;
    const zf_stack_kernels *kernels = zf_stack_kernels_for(stack);
    ZF_TRY(zf_point_check(node, f->t >= 0 ? node->input[f->t] : NULL));
    const zf_shape told = node->input[ZF_FLOW_TOLD]->shape;
    zf_op_rows_like(node, ZF_FLOW_TOLD,
                    zf_shape_of(stack->channels[stack->layers], stack->h, stack->w));
    node->saved_bytes = rounded(kernels->packed_bytes(stack)) + zf_shape_size(told) * sizeof(float);
    node->scratch_bytes = rounded(kernels->scratch_bytes(stack)) + 2 * planes_bytes(stack);
    return ZF_OK;
}

typedef struct work {
    float *planes, *gradients; /* of PICTURES */
    void *scratch;
} work;

static work work_in(const zf_call *call)
{
    size_t planes = planes_bytes(&attribute(call->node)->stack);
    unsigned char *memory = call->scratch;
    return (work){(float *)(void *)memory, (float *)(void *)(memory + planes), memory + 2 * planes};
}

/* The gradients of what is told, as the rows that were told it have them. */
static float *sent_back(const zf_call *call)
{
    unsigned char *saved = zf_saved(call);
    return (float *)(void *)(saved + rounded(kernels_of(call)->packed_bytes(
                                         &attribute(call->node)->stack)));
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

static int fill(const zf_call *call, const work *w, int first, bool of_other)
{
    int n = call->end - first < PICTURES ? call->end - first : PICTURES;
    for (int i = 0; i < n; i++)
        zf_point_fill(call, w->planes + (size_t)i * zf_point_planes(call), first + i,
                      attribute(call->node)->t, of_other);
    return n;
}

static void run_forward(const zf_call *call, bool of_other)
{
    work w = work_in(call);
    for (int first = call->begin, n; first < call->end; first += n) {
        n = fill(call, &w, first, of_other);
        kernels_of(call)->forward(&attribute(call->node)->stack, n, zf_saved(call), w.planes,
                                  zf_out_all(call) + (size_t)first * zf_out_row_size(call),
                                  w.scratch);
    }
}

static void forward(const zf_call *call)
{
    run_forward(call, false);
}

static void forward_other(const zf_call *call)
{
    run_forward(call, true);
}

static zf_stack_gradients gradients_of(const zf_call *call, const work *w, int first, bool told)
{
    zf_stack_gradients g = {.x = w->planes,
                            .dy = zf_out_grad(call) +
                                  (size_t)(first - call->begin) * zf_out_row_size(call),
                            .dx = told ? w->gradients : NULL};
    for (int l = 0; l < attribute(call->node)->stack.layers; l++) {
        g.dw[l] = zf_in_grad(call, weight_of(l));
        g.db[l] = zf_in_grad(call, bias_of(l));
        g.add_dw[l] = first > call->begin || !zf_fresh(call, weight_of(l));
        g.add_db[l] = first > call->begin || !zf_fresh(call, bias_of(l));
    }
    return g;
}

/* What is told gets its gradient in `to`, at the first row of the shard, if that is not NULL. */
static void run_backward(const zf_call *call, bool of_other, float *to, bool fresh)
{
    work w = work_in(call);
    size_t size = zf_point_picture(call);
    for (int first = call->begin, n; first < call->end; first += n) {
        n = fill(call, &w, first, of_other);
        zf_stack_gradients g = gradients_of(call, &w, first, to != NULL);
        kernels_of(call)->backward(&attribute(call->node)->stack, n, zf_saved(call), &g, w.scratch);
        for (int i = 0; to && i < n; i++)
            zf_vector()->pass(to + (size_t)(first - call->begin + i) * size,
                              w.gradients + (size_t)i * zf_point_planes(call) +
                                  zf_point_before_told(call),
                              size, fresh);
    }
}

static void backward(const zf_call *call)
{
    run_backward(call, false, zf_in_grad(call, ZF_FLOW_TOLD), zf_fresh(call, ZF_FLOW_TOLD));
}

static bool tells(const zf_call *call)
{
    return call->node->input[ZF_FLOW_TOLD]->wants_grad;
}

static void backward_other(const zf_call *call)
{
    size_t before = (size_t)call->begin * zf_point_picture(call);
    run_backward(call, true, tells(call) ? sent_back(call) + before : NULL, true);
}

static void backward_told(const zf_call *call)
{
    if (tells(call)) zf_point_send_back(call, sent_back(call), zf_point_picture(call));
}

const zf_op zf_op_flow_stack = {
    .name = "flow_stack",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = ZF_FLOW_INPUTS + 2,
    .max_inputs = ZF_MAX_INPUTS,
    .infer = infer,
    .prepare = prepare,
    .forward = {{.run = forward}},
    .backward = {{.run = backward}},
};

const zf_op zf_op_flow_stack_other = {
    .name = "flow_stack_other",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = ZF_FLOW_INPUTS + 2,
    .max_inputs = ZF_MAX_INPUTS,
    .infer = infer,
    .prepare = prepare,
    .forward = {{.run = forward_other, .meets = true}},
    .backward = {{.run = backward_other}, {.run = backward_told, .meets = true}},
};

static zf_node *apply(const zf_op *op, zf_flow_point point, zf_node *told, zf_node *const *weights,
                      zf_node *const *biases, int layers)
{
    flow_stack f = {.t = -1};
    int channels = told && told->shape.rank == 4 ? told->shape.dim[1] : 0, n = ZF_FLOW_INPUTS;
    if (!zf_stack_describe(&f.stack, told, 3 * channels + 1, 2 * channels + 1, weights, biases,
                           layers) ||
        ZF_FLOW_INPUTS + 2 * layers + 1 > ZF_MAX_INPUTS)
        return zf_conv_stack(
            (op == &zf_op_flow_stack ? zf_flow_input : zf_flow_input_other)(point, told), weights,
            biases, layers);
    zf_node *inputs[ZF_MAX_INPUTS] = {told, point.x, point.y, point.other};
    for (int l = 0; l < layers; l++) {
        inputs[n++] = weights[l];
        inputs[n++] = biases[l];
    }
    if (point.t) inputs[f.t = n++] = point.t;
    return zf_op_apply(op, zf_op_graph(inputs, n), inputs, n, &f, sizeof f);
}

zf_node *zf_flow_stack(zf_flow_point point, zf_node *told, zf_node *const *weights,
                       zf_node *const *biases, int layers)
{
    return apply(&zf_op_flow_stack, point, told, weights, biases, layers);
}

zf_node *zf_flow_stack_other(zf_flow_point point, zf_node *told, zf_node *const *weights,
                             zf_node *const *biases, int layers)
{
    return apply(&zf_op_flow_stack_other, point, told, weights, biases, layers);
}
