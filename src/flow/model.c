#include "flow/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "net/mlp.h"
#include "op/ops.h"

enum { EVALUATED_ROWS = 256 };

int zf_flow_input_width(const zf_flow_shape *shape)
{
    return 2 * shape->x + 1 + shape->f + shape->y;
}

zf_node *zf_flow_network(zf_node *input, const zf_flow_shape *shape)
{
    int sizes[ZF_MLP_LAYERS + 1] = {zf_flow_input_width(shape)}, layers = shape->layers + 1;
    for (int i = 1; i < layers; i++) sizes[i] = shape->hidden;
    sizes[layers] = shape->x;
    return zf_mlp(input, "flow", sizes, layers);
}

void zf_flow_fill(const zf_flow_shape *shape, float *input, float t, const float *x, const float *f,
                  const float *y)
{
    const float tau = 3.4641016f * (t - 0.5f);
    for (int j = 0; j < shape->x; j++) {
        input[j] = x[j];
        input[shape->x + j] = tau * x[j];
    }
    input += 2 * shape->x;
    *input++ = tau;
    if (shape->f) memcpy(input, f, (size_t)shape->f * sizeof *input);
    if (shape->y) memcpy(input + shape->f, y, (size_t)shape->y * sizeof *input);
}

static zf_status build(zf_flow *flow, const zf_safetensors *from)
{
    size_t width = (size_t)(flow->shape.x + flow->shape.f + flow->shape.y);
    flow->centre = calloc(2 * width, sizeof *flow->centre);
    if (!flow->centre) return zf_fail_memory(2 * width * sizeof *flow->centre);
    flow->spread = flow->centre + width;
    for (size_t j = 0; j < width; j++) flow->spread[j] = 1;
    ZF_TRY(zf_params_new(&flow->params, flow->seed));
    ZF_TRY(zf_crew_new(&flow->crew, 1));
    ZF_TRY(zf_program_new(&flow->program, flow->params));
    flow->rows = zf_program_domain(flow->program, "rows", EVALUATED_ROWS, 1);
    flow->input =
        zf_input(flow->program, flow->rows, ZF_F32, zf_shape_of(zf_flow_input_width(&flow->shape)));
    flow->velocity = zf_flow_network(flow->input, &flow->shape);
    ZF_TRY(zf_model_check(flow->params, from));
    return zf_program_plan(flow->program, NULL, &flow->velocity, 1, 1);
}

zf_status zf_flow_new(zf_flow **out, const zf_flow_shape *shape, uint64_t seed,
                      const zf_safetensors *from)
{
    zf_flow *flow = calloc(1, sizeof *flow);
    if (!flow) return zf_fail_memory(sizeof *flow);
    zf_lock_init(&flow->lock);
    flow->shape = *shape;
    flow->seed = seed;
    flow->history = zf_history_new(ZF_FLOW_MEASURES);
    zf_status status = build(flow, from);
    if (status != ZF_OK) {
        zf_flow_free(flow);
        return status;
    }
    *out = flow;
    return ZF_OK;
}

void zf_flow_free(zf_flow *flow)
{
    if (!flow) return;
    zf_program_free(flow->program);
    zf_params_free(flow->params);
    zf_crew_free(flow->crew);
    free(flow->centre);
    zf_lock_destroy(&flow->lock);
    free(flow);
}

size_t zf_flow_columns(const zf_flow *flow)
{
    return (size_t)flow->shape.x;
}

size_t zf_flow_columns_f(const zf_flow *flow)
{
    return (size_t)flow->shape.f;
}

size_t zf_flow_columns_y(const zf_flow *flow)
{
    return (size_t)flow->shape.y;
}

/* --- evaluation ----------------------------------------------------------------------- */

void zf_flow_standardise(const zf_flow *flow, float *to, const double *from, size_t rows,
                         size_t columns, size_t first)
{
    const double *centre = flow->centre + first, *spread = flow->spread + first;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            to[i * columns + j] = (float)((from[i * columns + j] - centre[j]) / spread[j]);
}

zf_status zf_flow_standardised(float **out, const zf_flow *flow, const double *values, size_t rows,
                               size_t columns, size_t first)
{
    if (columns == 0 || rows == 0) return ZF_OK;
    size_t bytes = rows * columns * sizeof **out;
    if (rows > SIZE_MAX / sizeof **out / columns) return zf_fail_memory(SIZE_MAX);
    float *copy = malloc(bytes);
    if (!copy) return zf_fail_memory(bytes);
    zf_flow_standardise(flow, copy, values, rows, columns, first);
    *out = copy;
    return ZF_OK;
}

/* Row i of rows that may not be there. */
static const float *row_of(const float *values, size_t i, int columns)
{
    return columns ? values + i * (size_t)columns : NULL;
}

void zf_flow_evaluate(const zf_flow *flow, float t, const float *x, const float *f, const float *y,
                      size_t rows, float *out)
{
    zf_flow *own = (zf_flow *)flow; /* the lock guards what changes */
    const zf_flow_shape *s = &flow->shape;
    size_t width = (size_t)zf_flow_input_width(s), d = (size_t)s->x;
    zf_lock_take(&own->lock);
    for (size_t first = 0; first < rows; first += EVALUATED_ROWS) {
        size_t count = rows - first < EVALUATED_ROWS ? rows - first : EVALUATED_ROWS;
        zf_status status = zf_domain_set_rows(flow->rows, (int)count);
        (void)status; /* 1 .. EVALUATED_ROWS */
        float *input = zf_node_value(flow->input);
        for (size_t i = first; i < first + count; i++, input += width)
            zf_flow_fill(s, input, t, row_of(x, i, s->x), row_of(f, i, s->f), row_of(y, i, s->y));
        zf_program_forward(flow->program, flow->crew, ZF_EVALUATE);
        memcpy(out + first * d, zf_node_value(flow->velocity), count * d * sizeof *out);
    }
    zf_lock_give(&own->lock);
}

zf_status zf_flow_check_points(const zf_flow *flow, const double *x, const double *f,
                               const double *y, size_t rows)
{
    const zf_flow_shape *s = &flow->shape;
    if (rows == 0) return ZF_OK;
    if (!x) return zf_fail(ZF_EINVAL, "a flow of %d columns: expected points x, found none", s->x);
    if (s->f && !f)
        return zf_fail(ZF_EINVAL, "a flow given f of %d columns: expected f, found none", s->f);
    if (s->y && !y)
        return zf_fail(ZF_EINVAL, "a flow given y of %d columns: expected y, found none", s->y);
    return ZF_OK;
}

/* What the caller gave, standardised, and the velocity there. */
typedef struct points {
    float *x, *f, *y, *velocity;
} points;

static zf_status standardise_all(points *p, const zf_flow *flow, const double *x, const double *f,
                                 const double *y, size_t rows)
{
    size_t d = zf_flow_columns(flow), l = zf_flow_columns_f(flow), q = zf_flow_columns_y(flow);
    ZF_TRY(zf_flow_standardised(&p->x, flow, x, rows, d, 0));
    ZF_TRY(zf_flow_standardised(&p->f, flow, f, rows, l, d));
    ZF_TRY(zf_flow_standardised(&p->y, flow, y, rows, q, d + l));
    p->velocity = malloc((rows * d + 1) * sizeof *p->velocity);
    return p->velocity ? ZF_OK : zf_fail_memory(rows * d * sizeof *p->velocity);
}

zf_status zf_flow_velocity(const zf_flow *flow, double t, const double *x, const double *f,
                           const double *y, size_t rows, double *out)
{
    size_t d = zf_flow_columns(flow);
    if (!(t >= 0 && t <= 1)) return zf_fail(ZF_EINVAL, "time: expected 0 to 1, found %g", t);
    ZF_TRY(zf_flow_check_points(flow, x, f, y, rows));
    points p = {0};
    zf_status status = standardise_all(&p, flow, x, f, y, rows);
    if (status == ZF_OK && rows > 0) {
        zf_flow_evaluate(flow, (float)t, p.x, p.f, p.y, rows, p.velocity);
        for (size_t i = 0; i < rows * d; i++) out[i] = (double)p.velocity[i] * flow->spread[i % d];
    }
    free(p.x);
    free(p.f);
    free(p.y);
    free(p.velocity);
    return status;
}
