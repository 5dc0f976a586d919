#include "reduce/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/finite.h"
#include "data/values.h"
#include "net/mlp.h"
#include "reduce/step.h"

enum { BLOCK = 256, FIGURES = 4 }; /* rows at once; figures of a criterion */

static zf_status copy_names(zf_arena *arena, const char ***out, const char *const *names, int n)
{
    *out = zf_arena_get(arena, (size_t)n * sizeof **out);
    if (!*out) return ZF_ENOMEM;
    for (int i = 0; i < n; i++) {
        (*out)[i] = zf_arena_string(arena, names[i]);
        if (!(*out)[i]) return ZF_ENOMEM;
    }
    return ZF_OK;
}

zf_status zf_reduction_new(zf_reduction **out, const zf_reduce_shape *shape, uint64_t seed,
                           const char *const *inputs, const char *const *targets)
{
    zf_reduction *model = calloc(1, sizeof *model);
    if (!model) return zf_fail_memory(sizeof *model);
    zf_lock_init(&model->lock);
    model->shape = *shape;
    model->seed = seed;
    model->history = zf_history_new(ZF_REDUCE_MEASURES);
    zf_status status = copy_names(&model->arena, &model->inputs, inputs, shape->inputs);
    if (status == ZF_OK)
        status = copy_names(&model->arena, &model->targets, targets, shape->targets);
    if (status == ZF_OK) status = zf_params_new(&model->params, seed);
    if (status == ZF_OK) status = zf_crew_new(&model->crew, 1);
    if (status != ZF_OK) {
        zf_reduction_free(model);
        return status;
    }
    *out = model;
    return ZF_OK;
}

void zf_reduction_free(zf_reduction *model)
{
    if (!model) return;
    zf_program_free(model->program);
    zf_params_free(model->params);
    zf_crew_free(model->crew);
    zf_marginals_free(&model->marginals);
    zf_arena_free(&model->arena);
    zf_lock_destroy(&model->lock);
    free(model);
}

zf_status zf_reduction_prepare(zf_reduction *model, const zf_safetensors *from)
{
    const zf_reduce_shape *s = &model->shape;
    int code[ZF_REDUCE_LAYERS + 1], field[ZF_REDUCE_LAYERS + 1];
    zf_reduce_code_sizes(code, s->inputs, s->dim, s->hidden);
    zf_reduce_field_sizes(field, s->inputs, s->targets, s->dim, s->hidden);
    ZF_TRY(zf_program_new(&model->program, model->params));
    zf_program *g = model->program;
    model->rows = zf_program_domain(g, "rows", BLOCK, 1);
    model->y = zf_input(g, model->rows, ZF_F32, zf_shape_of(s->inputs));
    model->code = zf_mlp(model->y, "code", code, ZF_REDUCE_LAYERS);
    zf_mlp_declare(g, "field", field, ZF_REDUCE_LAYERS);
    zf_buffer(g, "code.mean", zf_shape_of(s->dim), ZF_ZEROS);
    zf_buffer(g, "code.deviation", zf_shape_of(s->dim), ZF_ZEROS);
    model->mapped = !from || zf_safetensors_find(from, "code.map");
    if (model->mapped) zf_buffer(g, "code.map", zf_shape_of(s->dim, s->dim), ZF_ZEROS);
    zf_buffer(g, "criterion", zf_shape_of(s->dim, FIGURES), ZF_ZEROS);
    ZF_TRY(zf_model_check(model->params, from));
    return zf_program_plan(g, NULL, &model->code, model->code ? 1 : 0, 1);
}

float *zf_reduction_buffer(const zf_reduction *model, const char *name)
{
    return zf_params_data(model->params, zf_params_find(model->params, name));
}

int zf_reduction_inputs(const zf_reduction *model)
{
    return model->shape.inputs;
}

const char *zf_reduction_input(const zf_reduction *model, int input)
{
    return input >= 0 && input < model->shape.inputs ? model->inputs[input] : NULL;
}

int zf_reduction_targets(const zf_reduction *model)
{
    return model->shape.targets;
}

const char *zf_reduction_target(const zf_reduction *model, int target)
{
    return target >= 0 && target < model->shape.targets ? model->targets[target] : NULL;
}

int zf_reduction_dim(const zf_reduction *model)
{
    return model->shape.kept;
}

int zf_reduction_trained(const zf_reduction *model)
{
    return model->shape.dim;
}

zf_reduce_criterion zf_reduction_criterion(const zf_reduction *model, int dim)
{
    if (dim < 1 || dim > model->shape.dim) return (zf_reduce_criterion){0};
    const float *figures = zf_reduction_buffer(model, "criterion") + (dim - 1) * FIGURES;
    return (zf_reduce_criterion){.dim = dim,
                                 .rectified = (double)figures[0],
                                 .excess = (double)figures[1],
                                 .error = (double)figures[2],
                                 .zero = (double)figures[3]};
}

/* --- codes ------------------------------------------------------------------------- */

static zf_status encode_block(zf_reduction *m, float *codes, const float *y, int rows)
{
    ZF_TRY(zf_domain_set_rows(m->rows, rows));
    memcpy(zf_node_value(m->y), y, (size_t)rows * (size_t)m->shape.inputs * sizeof *y);
    zf_program_forward(m->program, m->crew, ZF_EVALUATE);
    memcpy(codes, zf_node_value(m->code), (size_t)rows * (size_t)m->shape.dim * sizeof *codes);
    return ZF_OK;
}

zf_status zf_reduction_encode(zf_reduction *model, float *codes, const float *y, size_t rows)
{
    size_t inputs = (size_t)model->shape.inputs, dim = (size_t)model->shape.dim;
    for (size_t first = 0; first < rows; first += BLOCK) {
        size_t count = rows - first < BLOCK ? rows - first : BLOCK;
        ZF_TRY(encode_block(model, codes + first * dim, y + first * inputs, (int)count));
    }
    return ZF_OK;
}

/* The numbers that are given of one row's code. */
static void finish_code(const zf_reduction *m, float *to, const float *code)
{
    const float *mean = zf_reduction_buffer(m, "code.mean");
    int dim = m->shape.dim;
    if (m->mapped) {
        const float *map = zf_reduction_buffer(m, "code.map");
        for (int l = 0; l < m->shape.kept; l++, map += dim) {
            double sum = 0;
            for (int k = 0; k < dim; k++)
                if (map[k] != 0) sum += (double)map[k] * ((double)code[k] - (double)mean[k]);
            to[l] = (float)sum;
        }
        return;
    }
    /* Of a file without a map: centred and scaled; one that never varied is 0. */
    const float *deviation = zf_reduction_buffer(m, "code.deviation");
    for (int l = 0; l < m->shape.kept; l++)
        to[l] = deviation[l] > 0 ? (code[l] - mean[l]) / deviation[l] : 0.0f;
}

static zf_status check_values(const zf_reduction *model, const double *values, size_t rows)
{
    size_t inputs = (size_t)model->shape.inputs;
    for (size_t i = 0; i < rows * inputs; i++) {
        const char *expected = zf_value_expected(values[i]);
        if (expected)
            return zf_fail(ZF_EINPUT, "column \"%s\", row %zu: expected %s, found %g",
                           model->inputs[i % inputs], i / inputs + 1, expected, values[i]);
    }
    return ZF_OK;
}

/* y[count, inputs]: rows from `first` on as the marginals scaled them. */
static zf_status check_scaled(const zf_reduction *m, const float *y, const double *values,
                              size_t first, size_t count)
{
    size_t inputs = (size_t)m->shape.inputs, n = count * inputs, at = zf_finite_floats(y, n);
    if (at == n) return ZF_OK;
    return zf_fail(ZF_EINPUT, "column \"%s\", row %zu: %g is too large for the model's scale",
                   m->inputs[at % inputs], first + at / inputs + 1, values[first * inputs + at]);
}

zf_status zf_reduction_transform(const zf_reduction *model, float *codes, const double *values,
                                 size_t rows)
{
    zf_reduction *m = (zf_reduction *)model; /* the lock guards what changes */
    size_t inputs = (size_t)m->shape.inputs, dim = (size_t)m->shape.dim;
    size_t kept = (size_t)m->shape.kept, room = BLOCK * (inputs + dim);
    ZF_TRY(check_values(model, values, rows));
    float *y = malloc(room * sizeof *y);
    if (!y) return zf_fail_memory(room * sizeof *y);
    float *raw = y + BLOCK * inputs;
    zf_status status = ZF_OK;
    zf_lock_take(&m->lock);
    for (size_t first = 0; first < rows && status == ZF_OK; first += BLOCK) {
        size_t count = rows - first < BLOCK ? rows - first : BLOCK;
        zf_marginals_apply(&m->marginals, y, values + first * inputs, count);
        status = check_scaled(m, y, values, first, count);
        if (status == ZF_OK) status = encode_block(m, raw, y, (int)count);
        for (size_t i = 0; i < count && status == ZF_OK; i++)
            finish_code(m, codes + (first + i) * kept, raw + i * dim);
        if (status == ZF_OK)
            status = zf_finite_check(NULL, &(zf_grid){.floats = codes + first * kept,
                                                      .rows = count,
                                                      .columns = kept,
                                                      .column = "number",
                                                      .before = first});
    }
    zf_lock_give(&m->lock);
    free(y);
    return status;
}
