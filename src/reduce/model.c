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

/* A program that one thread at a time runs, with room for a block of rows. */
typedef struct coder {
    zf_spare spare;
    zf_program *program;
    zf_domain *rows;
    zf_node *y, *code;   /* [N, inputs], [N, dim] before they are centred and scaled */
    float *inputs, *raw; /* [BLOCK, inputs], [BLOCK, dim] */
} coder;

static void coder_free(void *thing)
{
    coder *c = thing;
    if (!c) return;
    zf_program_free(c->program);
    free(c->inputs);
    free(c);
}

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
    zf_spares_init(&model->coders);
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
    zf_spares_destroy(&model->coders, coder_free);
    zf_params_free(model->params);
    zf_crew_free(model->crew);
    zf_marginals_free(&model->marginals);
    zf_arena_free(&model->arena);
    free(model);
}

static zf_status coder_build(coder *c, const zf_reduction *model)
{
    const zf_reduce_shape *s = &model->shape;
    int code[ZF_REDUCE_LAYERS + 1];
    size_t room = BLOCK * (size_t)(s->inputs + s->dim);
    c->inputs = malloc(room * sizeof *c->inputs);
    if (!c->inputs) return zf_fail_memory(room * sizeof *c->inputs);
    c->raw = c->inputs + BLOCK * (size_t)s->inputs;
    zf_reduce_code_sizes(code, s->inputs, s->dim, s->hidden);
    ZF_TRY(zf_program_new(&c->program, model->params));
    c->rows = zf_program_domain(c->program, "rows", BLOCK, 1);
    c->y = zf_input(c->program, c->rows, ZF_F32, zf_shape_of(s->inputs));
    c->code = zf_mlp(c->y, "code", code, ZF_REDUCE_LAYERS);
    return ZF_OK;
}

static zf_status coder_plan(coder *c)
{
    ZF_TRY(zf_program_plan(c->program, NULL, &c->code, c->code ? 1 : 0, 1));
    zf_program_keep_prepared(c->program);
    return ZF_OK;
}

/* The first program declares what the file holds beside the code's network as well. */
static zf_status declare(zf_reduction *model, coder *c, const zf_safetensors *from)
{
    const zf_reduce_shape *s = &model->shape;
    int field[ZF_REDUCE_LAYERS + 1];
    ZF_TRY(coder_build(c, model));
    zf_program *g = c->program;
    zf_reduce_field_sizes(field, s->inputs, s->targets, s->dim, s->hidden);
    zf_mlp_declare(g, "field", field, ZF_REDUCE_LAYERS);
    zf_buffer(g, "code.mean", zf_shape_of(s->dim), ZF_ZEROS);
    zf_buffer(g, "code.deviation", zf_shape_of(s->dim), ZF_ZEROS);
    model->mapped = !from || zf_safetensors_find(from, "code.map");
    if (model->mapped) zf_buffer(g, "code.map", zf_shape_of(s->dim, s->dim), ZF_ZEROS);
    zf_buffer(g, "criterion", zf_shape_of(s->dim, FIGURES), ZF_ZEROS);
    ZF_TRY(zf_model_check(model->params, from));
    return coder_plan(c);
}

zf_status zf_reduction_prepare(zf_reduction *model, const zf_safetensors *from)
{
    coder *c = calloc(1, sizeof *c);
    if (!c) return zf_fail_memory(sizeof *c);
    zf_status status = declare(model, c, from);
    if (status == ZF_OK)
        zf_spares_give(&model->coders, c);
    else
        coder_free(c);
    return status;
}

static zf_status take_coder(coder **out, const zf_reduction *model)
{
    zf_reduction *m = (zf_reduction *)model; /* the lock of the spares guards what changes */
    coder *c = zf_spares_take(&m->coders);
    if (!c) {
        c = calloc(1, sizeof *c);
        zf_status status = c ? coder_build(c, model) : zf_fail_memory(sizeof *c);
        if (status == ZF_OK) status = coder_plan(c);
        if (status != ZF_OK) {
            coder_free(c);
            return status;
        }
    }
    *out = c;
    return ZF_OK;
}

static void give_coder(const zf_reduction *model, coder *c)
{
    zf_spares_give(&((zf_reduction *)model)->coders, c);
}

float *zf_reduction_buffer(const zf_reduction *model, const char *name)
{
    return zf_params_data(model->params, zf_params_find(model->params, name));
}

int32_t zf_reduction_inputs(const zf_reduction *model)
{
    return model->shape.inputs;
}

const char *zf_reduction_input(const zf_reduction *model, int32_t input)
{
    return input >= 0 && input < model->shape.inputs ? model->inputs[input] : NULL;
}

int32_t zf_reduction_targets(const zf_reduction *model)
{
    return model->shape.targets;
}

const char *zf_reduction_target(const zf_reduction *model, int32_t target)
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

zf_marginals_kind zf_reduction_marginals(const zf_reduction *model)
{
    return model->shape.marginals;
}

const char *zf_reduction_options(const zf_reduction *model)
{
    return model->options_text ? model->options_text : "";
}

size_t zf_reduction_history_rows(const zf_reduction *model)
{
    return zf_history_rows(&model->history);
}

size_t zf_reduction_history_columns(const zf_reduction *model)
{
    return 1 + (size_t)model->history.measures;
}

const char *zf_reduction_history_column(const zf_reduction *model, size_t column)
{
    static const char *const names[ZF_REDUCE_MEASURES] = {"loss", "rectified", "zero"};
    return zf_history_column(&model->history, names, column);
}

double zf_reduction_history_value(const zf_reduction *model, size_t row, size_t column)
{
    return zf_history_cell(&model->history, row, column);
}

/* --- codes ------------------------------------------------------------------------- */

static zf_status encode_block(const zf_reduction *m, coder *c, float *codes, const float *y,
                              int rows)
{
    ZF_TRY(zf_domain_set_rows(c->rows, rows));
    memcpy(zf_node_value(c->y), y, (size_t)rows * (size_t)m->shape.inputs * sizeof *y);
    zf_program_forward(c->program, m->crew, ZF_EVALUATE);
    memcpy(codes, zf_node_value(c->code), (size_t)rows * (size_t)m->shape.dim * sizeof *codes);
    return ZF_OK;
}

zf_status zf_reduction_encode(const zf_reduction *model, float *codes, const float *y, size_t rows)
{
    size_t inputs = (size_t)model->shape.inputs, dim = (size_t)model->shape.dim;
    coder *c = NULL;
    ZF_TRY(take_coder(&c, model));
    zf_status status = ZF_OK;
    for (size_t first = 0; first < rows && status == ZF_OK; first += BLOCK) {
        size_t count = rows - first < BLOCK ? rows - first : BLOCK;
        status = encode_block(model, c, codes + first * dim, y + first * inputs, (int)count);
    }
    give_coder(model, c);
    return status;
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

/* Rows from `first` on. */
static zf_status transform_block(const zf_reduction *m, coder *c, float *codes,
                                 const double *values, size_t first, size_t count)
{
    size_t inputs = (size_t)m->shape.inputs, dim = (size_t)m->shape.dim;
    size_t kept = (size_t)m->shape.kept;
    zf_marginals_apply(&m->marginals, c->inputs, values + first * inputs, count);
    ZF_TRY(check_scaled(m, c->inputs, values, first, count));
    ZF_TRY(encode_block(m, c, c->raw, c->inputs, (int)count));
    for (size_t i = 0; i < count; i++) finish_code(m, codes + (first + i) * kept, c->raw + i * dim);
    return zf_finite_check(NULL, &(zf_grid){.floats = codes + first * kept,
                                            .rows = count,
                                            .columns = kept,
                                            .column = "number",
                                            .before = first});
}

zf_status zf_reduction_transform(const zf_reduction *model, float *codes, const double *values,
                                 size_t rows)
{
    coder *c = NULL;
    ZF_TRY(check_values(model, values, rows));
    ZF_TRY(take_coder(&c, model));
    zf_status status = ZF_OK;
    for (size_t first = 0; first < rows && status == ZF_OK; first += BLOCK)
        status = transform_block(model, c, codes, values, first,
                                 rows - first < BLOCK ? rows - first : BLOCK);
    give_coder(model, c);
    return status;
}
