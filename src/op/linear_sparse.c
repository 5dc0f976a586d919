/* A linear layer whose input rows have a few non-zero columns: a gather of
   weight rows instead of a product with mostly zeros. W is [in, out], so that
   a column's weights are contiguous. The "onto" form adds to what is there
   already (linear.c), which may be one row for all places of a row: as there, a row
   may have several, [N, ..., K].

   Letters: N rows of the shard times places in a row, K columns named in each, O
   outputs. */
#include <string.h>

#include "engine/op.h"
#include "kernel/reduce.h"
#include "kernel/vector.h"
#include "op/columns.h"
#include "op/ops.h"

/* Which input the columns are: 0, or 1 after what is added to; then come values,
   W and b. */
static int first(const zf_node *node)
{
    return *(const int *)(const void *)node->attribute;
}

static zf_status infer(zf_node *node)
{
    int at = first(node);
    const zf_node *columns = node->input[at], *values = node->input[at + 1];
    const zf_node *w = node->input[at + 2];
    const zf_node *b = node->inputs > at + 3 ? node->input[at + 3] : NULL;
    int last = columns->shape.rank - 1;
    bool fits = columns->type == ZF_I32 && last >= 1 && values->type == ZF_F32 &&
                values->domain == columns->domain &&
                zf_shape_equal(values->shape, columns->shape) && !w->domain && w->shape.rank == 2;
    if (!fits || (b && !zf_shape_equal(b->shape, zf_shape_of(w->shape.dim[1]))))
        return zf_op_mismatch(node, "index [N, ..., K], values of that shape, parameter "
                                    "[in, out] and, if any, bias [out]");
    zf_shape row = zf_shape_row(columns->shape);
    row.dim[last - 1] = w->shape.dim[1];
    zf_op_rows_like(node, at, row);
    const zf_node *onto = at ? node->input[0] : NULL;
    if (onto && (onto->domain != node->domain ||
                 !(zf_shape_equal(onto->shape, node->shape) ||
                   zf_shape_equal(zf_shape_row(onto->shape), zf_shape_of(w->shape.dim[1])))))
        return zf_op_mismatch(node,
                              "the first input of the result's shape, [N, ..., %d], or [N, %d]",
                              w->shape.dim[1], w->shape.dim[1]);
    return ZF_OK;
}

/* Columns named at a place, and places in this shard. */
static size_t columns_of(const zf_call *call)
{
    const zf_shape *shape = &call->node->input[first(call->node)]->shape;
    return (size_t)shape->dim[shape->rank - 1];
}

static size_t places_of(const zf_call *call)
{
    size_t row = zf_in_row_size(call, first(call->node));
    return (size_t)zf_call_rows(call) * (row / columns_of(call));
}

/* How many places share a row of what is added to. */
static size_t places_a_row(const zf_call *call)
{
    return zf_out_row_size(call) / zf_in_row_size(call, 0);
}

/* What the columns are added to: the input that is there, the bias, or nothing. */
static void start(const zf_call *call, float *y, size_t out)
{
    int at = first(call->node);
    size_t rows = places_of(call);
    const float *b = call->node->inputs > at + 3 ? zf_in(call, at + 3) : NULL;
    if (at && !call->node->in_place)
        for (size_t n = 0, share = places_a_row(call); n < rows; n++)
            zf_vector()->pass(y + n * out, zf_in(call, 0) + n / share * out, out, true);
    else if (!at && !b)
        memset(y, 0, rows * out * sizeof *y);
    for (size_t n = 0; b && n < rows; n++) memcpy(y + n * out, b, out * sizeof *y);
}

static void forward(const zf_call *call)
{
    int at = first(call->node);
    const zf_shape *w_shape = &call->node->input[at + 2]->shape;
    size_t k_columns = columns_of(call), out = (size_t)w_shape->dim[1];
    const int32_t *column = zf_in_index(call, at);
    const float *value = zf_in(call, at + 1), *w = zf_in(call, at + 2);
    float *y = zf_out(call);
    start(call, y, out);
    for (size_t n = places_of(call); n > 0; n--, y += out)
        for (size_t k = 0; k < k_columns; k++, column++, value++)
            if (zf_column_ok(*column, w_shape->dim[0]))
                zf_vector()->axpy(y, *value, w + (size_t)*column * out, out);
}

static void backward(const zf_call *call)
{
    int at = first(call->node);
    const zf_shape *w_shape = &call->node->input[at + 2]->shape;
    size_t k_columns = columns_of(call), out = (size_t)w_shape->dim[1];
    const int32_t *column = zf_in_index(call, at);
    const float *value = zf_in(call, at + 1), *w = zf_in(call, at + 2), *dy = zf_out_grad(call);
    float *dvalue = zf_in_grad(call, at + 1), *dw = zf_in_grad(call, at + 2);
    float *db = call->node->inputs > at + 3 ? zf_in_grad(call, at + 3) : NULL;
    float *donto = at && !call->node->in_place ? zf_in_grad(call, 0) : NULL;
    size_t rows = places_of(call);
    for (size_t n = 0, share = donto ? places_a_row(call) : 1; donto && n < rows; n++)
        zf_vector()->pass(donto + n / share * out, dy + n * out, out, false);
    if (db) zf_reduce()->column_sums(db, dy, rows, out, false);
    for (size_t i = 0; i < rows * k_columns; i++) {
        if (!zf_column_ok(column[i], w_shape->dim[0])) continue;
        const float *dy_row = dy + i / k_columns * out;
        size_t weights = (size_t)column[i] * out;
        if (dw) zf_vector()->axpy(dw + weights, value[i], dy_row, out);
        if (dvalue) dvalue[i] += (float)zf_reduce()->dot(dy_row, w + weights, out);
    }
}

const zf_op zf_op_linear_sparse = {
    .name = "linear_sparse",
    .min_inputs = 3,
    .max_inputs = 4,
    .infer = infer,
    .forward = {{.run = forward}},
    .backward = {{.run = backward}},
};

const zf_op zf_op_linear_sparse_onto = {
    .name = "linear_sparse_onto",
    .flags = ZF_OP_IN_PLACE,
    .min_inputs = 4,
    .max_inputs = 4,
    .infer = infer,
    .forward = {{.run = forward}},
    .backward = {{.run = backward}},
};

zf_node *zf_linear_sparse(zf_node *columns, zf_node *values, zf_node *w, zf_node *b)
{
    zf_node *inputs[] = {columns, values, w, b};
    return zf_op_apply(&zf_op_linear_sparse, zf_op_program(inputs, 3), inputs, b ? 4 : 3, &(int){0},
                       sizeof(int));
}

zf_node *zf_linear_sparse_onto(zf_node *onto, zf_node *columns, zf_node *values, zf_node *w)
{
    zf_node *inputs[] = {onto, columns, values, w};
    return zf_op_apply(&zf_op_linear_sparse_onto, zf_op_program(inputs, 4), inputs, 4, &(int){1},
                       sizeof(int));
}
