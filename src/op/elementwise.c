/* Operations that work element by element: relu, leaky_relu, gelu, sigmoid,
   tanh, exp, scale, and add and mul of two.

   Those whose slope can be read off the result work in place when they can; so does
   gelu, which keeps its slope: forward has most of it at hand. add and mul also take a parameter of
   the shape of a row, used for every row: its gradient is the sum over this shard's rows. */
#include "base/error.h"
#include "engine/op.h"
#include "kernel/reduce.h"
#include "kernel/vector.h"
#include "op/ops.h"

static size_t elements(const zf_call *call)
{
    return (size_t)zf_call_rows(call) * zf_out_row_size(call);
}

static float constant_of(const zf_call *call)
{
    return *(const float *)(const void *)call->node->attribute;
}

/* --- of one -------------------------------------------------------------------- */

static zf_status infer_unary(zf_node *node)
{
    const zf_node *x = node->input[0];
    if (!x->domain || x->type != ZF_F32) return zf_op_mismatch(node, "rows of numbers");
    zf_op_rows_like(node, 0, zf_shape_row(x->shape));
    return ZF_OK;
}

static zf_node *apply_unary(const zf_op *op, zf_node *x, float constant)
{
    return zf_op_apply(op, zf_op_program(&x, 1), &x, 1, &constant, sizeof constant);
}

/* The stages of the operation that is named like its kernel, and its descriptor. */
#define UNARY(kernel)                                                                              \
    static void forward_##kernel(const zf_call *call)                                              \
    {                                                                                              \
        zf_vector()->kernel(zf_out(call), zf_in(call, 0), elements(call));                         \
    }                                                                                              \
    static void backward_##kernel(const zf_call *call)                                             \
    {                                                                                              \
        zf_vector()->kernel##_backward(zf_in_grad(call, 0), zf_out_grad(call), zf_out(call),       \
                                       elements(call), zf_fresh(call, 0));                         \
    }                                                                                              \
    const zf_op zf_op_##kernel = {                                                                 \
        .name = #kernel,                                                                           \
        .flags = ZF_OP_IN_PLACE | ZF_OP_READS_OUTPUT | ZF_OP_KNOWS_FRESH,                          \
        .min_inputs = 1,                                                                           \
        .max_inputs = 1,                                                                           \
        .infer = infer_unary,                                                                      \
        .forward = {{forward_##kernel}},                                                           \
        .backward = {{backward_##kernel}},                                                         \
    }

UNARY(relu);
UNARY(sigmoid);
UNARY(tanh);
UNARY(exp);

zf_node *zf_relu(zf_node *x)
{
    return apply_unary(&zf_op_relu, x, 0);
}

static zf_status infer_gelu(zf_node *node)
{
    ZF_TRY(infer_unary(node));
    node->saved_bytes_a_row = zf_shape_row_size(node->shape) * sizeof(float);
    return ZF_OK;
}

static void forward_gelu(const zf_call *call)
{
    if (zf_backward_follows(call))
        zf_vector()->gelu_and_slope(zf_out(call), zf_saved_row(call, call->begin), zf_in(call, 0),
                                    elements(call));
    else
        zf_vector()->gelu(zf_out(call), zf_in(call, 0), elements(call));
}

/* dx = or += dy * slope */
static void backward_by(const zf_call *call, int i, const float *slope)
{
    float *dx = zf_in_grad(call, i);
    if (!dx) return;
    const zf_vector_kernels *k = zf_vector();
    (zf_fresh(call, i) ? k->mul : k->mul_add)(dx, zf_out_grad(call), slope, elements(call));
}

static void backward_gelu(const zf_call *call)
{
    backward_by(call, 0, zf_saved_row(call, call->begin));
}

const zf_op zf_op_gelu = {
    .name = "gelu",
    .flags = ZF_OP_IN_PLACE | ZF_OP_KNOWS_FRESH | ZF_OP_SAVES_FOR_BACKWARD,
    .min_inputs = 1,
    .max_inputs = 1,
    .infer = infer_gelu,
    .forward = {{forward_gelu}},
    .backward = {{backward_gelu}},
};

zf_node *zf_gelu(zf_node *x)
{
    return apply_unary(&zf_op_gelu, x, 0);
}

zf_node *zf_sigmoid(zf_node *x)
{
    return apply_unary(&zf_op_sigmoid, x, 0);
}

zf_node *zf_tanh(zf_node *x)
{
    return apply_unary(&zf_op_tanh, x, 0);
}

zf_node *zf_exp(zf_node *x)
{
    return apply_unary(&zf_op_exp, x, 0);
}

/* --- of one, with a constant ------------------------------------------------------ */

static zf_status infer_leaky_relu(zf_node *node)
{
    float slope = *(const float *)(const void *)node->attribute;
    if (!(slope > 0)) return zf_op_mismatch(node, "a slope above 0, not %g", (double)slope);
    return infer_unary(node);
}

static void forward_leaky_relu(const zf_call *call)
{
    zf_vector()->leaky_relu(zf_out(call), zf_in(call, 0), constant_of(call), elements(call));
}

static void backward_leaky_relu(const zf_call *call)
{
    zf_vector()->leaky_relu_backward(zf_in_grad(call, 0), zf_out_grad(call), zf_out(call),
                                     constant_of(call), elements(call), zf_fresh(call, 0));
}

const zf_op zf_op_leaky_relu = {
    .name = "leaky_relu",
    .flags = ZF_OP_IN_PLACE | ZF_OP_READS_OUTPUT | ZF_OP_KNOWS_FRESH,
    .min_inputs = 1,
    .max_inputs = 1,
    .infer = infer_leaky_relu,
    .forward = {{forward_leaky_relu}},
    .backward = {{backward_leaky_relu}},
};

zf_node *zf_leaky_relu(zf_node *x, float slope)
{
    return apply_unary(&zf_op_leaky_relu, x, slope);
}

static void forward_scale(const zf_call *call)
{
    zf_vector()->scale(zf_out(call), zf_in(call, 0), constant_of(call), elements(call));
}

static void backward_scale(const zf_call *call)
{
    zf_vector()->pass_scaled(zf_in_grad(call, 0), constant_of(call), zf_out_grad(call),
                             elements(call), zf_fresh(call, 0));
}

const zf_op zf_op_scale = {
    .name = "scale",
    .flags = ZF_OP_IN_PLACE | ZF_OP_KNOWS_FRESH,
    .min_inputs = 1,
    .max_inputs = 1,
    .infer = infer_unary,
    .forward = {{forward_scale}},
    .backward = {{backward_scale}},
};

zf_node *zf_scale(zf_node *x, float factor)
{
    return apply_unary(&zf_op_scale, x, factor);
}

/* --- of two ------------------------------------------------------------------------ */

static zf_status infer_binary(zf_node *node)
{
    const zf_node *a = node->input[0], *b = node->input[1];
    bool same = b->domain && b->domain == a->domain && zf_shape_equal(a->shape, b->shape);
    bool row = a->domain && !b->domain && zf_shape_equal(zf_shape_row(a->shape), b->shape);
    if (a->type != ZF_F32 || b->type != ZF_F32 || !(same || row))
        return zf_op_mismatch(node, "two of the same rows and shape, or rows and a parameter of "
                                    "the shape of one row");
    zf_op_rows_like(node, 0, zf_shape_row(a->shape));
    return ZF_OK;
}

static bool has_row(const zf_call *call)
{
    return !call->node->input[1]->domain;
}

static void forward_add(const zf_call *call)
{
    if (has_row(call))
        zf_reduce()->add_row(zf_out(call), zf_in(call, 0), zf_in(call, 1),
                             (size_t)zf_call_rows(call), zf_out_row_size(call));
    else
        zf_vector()->add(zf_out(call), zf_in(call, 0), zf_in(call, 1), elements(call));
}

static void backward_add(const zf_call *call)
{
    const float *dy = zf_out_grad(call);
    float *da = zf_in_grad(call, 0), *db = zf_in_grad(call, 1);
    if (da) zf_vector()->pass(da, dy, elements(call), zf_fresh(call, 0));
    if (db && has_row(call))
        zf_reduce()->column_sums(db, dy, (size_t)zf_call_rows(call), zf_out_row_size(call),
                                 zf_fresh(call, 1));
    else if (db)
        zf_vector()->pass(db, dy, elements(call), zf_fresh(call, 1));
}

const zf_op zf_op_add = {
    .name = "add",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 2,
    .max_inputs = 2,
    .infer = infer_binary,
    .forward = {{forward_add}},
    .backward = {{backward_add}},
};

zf_node *zf_add(zf_node *a, zf_node *b)
{
    zf_node *inputs[] = {a, b};
    return zf_op_apply(&zf_op_add, zf_op_program(inputs, 2), inputs, 2, NULL, 0);
}

static void forward_mul(const zf_call *call)
{
    if (has_row(call))
        zf_reduce()->mul_row(zf_out(call), zf_in(call, 0), zf_in(call, 1),
                             (size_t)zf_call_rows(call), zf_out_row_size(call), true);
    else
        zf_vector()->mul(zf_out(call), zf_in(call, 0), zf_in(call, 1), elements(call));
}

static void backward_mul(const zf_call *call)
{
    const float *a = zf_in(call, 0), *b = zf_in(call, 1), *dy = zf_out_grad(call);
    if (!has_row(call)) {
        backward_by(call, 0, b);
        backward_by(call, 1, a);
        return;
    }
    size_t rows = (size_t)zf_call_rows(call), columns = zf_out_row_size(call);
    float *da = zf_in_grad(call, 0), *db = zf_in_grad(call, 1);
    if (da) zf_reduce()->mul_row(da, dy, b, rows, columns, zf_fresh(call, 0));
    if (db) zf_reduce()->column_dots(db, dy, a, rows, columns, zf_fresh(call, 1));
}

const zf_op zf_op_mul = {
    .name = "mul",
    .flags = ZF_OP_KNOWS_FRESH,
    .min_inputs = 2,
    .max_inputs = 2,
    .infer = infer_binary,
    .forward = {{forward_mul}},
    .backward = {{backward_mul}},
};

zf_node *zf_mul(zf_node *a, zf_node *b)
{
    zf_node *inputs[] = {a, b};
    return zf_op_apply(&zf_op_mul, zf_op_program(inputs, 2), inputs, 2, NULL, 0);
}
