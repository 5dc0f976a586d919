#include "reduce/step.h"

#include <string.h>

#include "base/error.h"
#include "flow/pair.h"
#include "kernel/between.h"
#include "net/mlp.h"
#include "op/ops.h"

/* --- the program ------------------------------------------------------------------- */

void zf_reduce_code_sizes(int *sizes, int inputs, int dim, int hidden)
{
    int own[ZF_REDUCE_LAYERS + 1] = {inputs, hidden, hidden, dim};
    memcpy(sizes, own, sizeof own);
}

static int known_columns(int inputs, int targets, int dim)
{
    return targets + 1 + dim + inputs;
}

void zf_reduce_field_sizes(int *sizes, int inputs, int targets, int dim, int hidden)
{
    int own[ZF_REDUCE_LAYERS + 1] = {known_columns(inputs, targets, dim) + dim, hidden, hidden,
                                     targets};
    memcpy(sizes, own, sizeof own);
}

static void make_inputs(zf_reduce_step *s)
{
    const zf_reduce_step_options *o = &s->options;
    zf_program *g = s->program;
    s->both = zf_input(g, s->samples, ZF_F32, zf_shape_of(2, o->inputs));
    s->keep = zf_input(g, s->samples, ZF_F32, zf_shape_of(2, o->dim));
    s->known = zf_input(g, s->samples, ZF_F32, zf_shape_of(s->moments, s->known_columns));
    s->difference = zf_input(g, s->samples, ZF_F32, zf_shape_of(o->targets));
}

static zf_node *moment_of(zf_node *velocities, int moment, int targets)
{
    return zf_reshape(zf_slice(velocities, 1, moment, 1), zf_shape_of(targets));
}

static void make_loss(zf_reduce_step *s)
{
    const zf_reduce_step_options *o = &s->options;
    int code_sizes[ZF_REDUCE_LAYERS + 1], field_sizes[ZF_REDUCE_LAYERS + 1];
    zf_reduce_code_sizes(code_sizes, o->inputs, o->dim, o->hidden);
    zf_reduce_field_sizes(field_sizes, o->inputs, o->targets, o->dim, o->hidden);
    zf_node *code = zf_mul(zf_mlp(s->both, "code", code_sizes, ZF_REDUCE_LAYERS), s->keep);
    if (o->antisymmetry) {
        zf_node *places[] = {code, zf_slice(code, 1, 1, 1)};
        code = zf_concat(places, 2, 1);
    }
    zf_node *parts[] = {s->known, code};
    zf_node *v = zf_mlp(zf_concat(parts, 2, 2), "field", field_sizes, ZF_REDUCE_LAYERS);
    s->moving = moment_of(v, 0, o->targets);
    s->zero = moment_of(v, 1, o->targets);
    if (o->antisymmetry) s->zero = zf_scale(zf_add(s->zero, moment_of(v, 2, o->targets)), 0.5f);
    zf_objective_options objective = {
        .zero_weight = o->zero_weight, .coordinates = o->targets, .rows = o->batch};
    s->objective = zf_objective_build(s->moving, s->difference, NULL, s->zero, NULL, &objective);
}

static zf_status build(zf_reduce_step *s, zf_params *params, int workers)
{
    ZF_TRY(zf_program_new(&s->program, params));
    s->samples = zf_program_domain(s->program, "samples", s->options.batch, 0);
    make_inputs(s);
    make_loss(s);
    zf_node *outputs[] = {s->objective.rectified, s->objective.zero, s->moving, s->zero};
    int n = s->objective.loss ? 4 : 0;
    return zf_program_plan(s->program, s->objective.loss, outputs, n, workers);
}

zf_status zf_reduce_step_new(zf_reduce_step *step, zf_params *params, const float *rows, int n,
                             const zf_reduce_step_options *options, int workers)
{
    *step = (zf_reduce_step){
        .options = *options,
        .moments = options->antisymmetry ? 3 : 2,
        .known_columns = known_columns(options->inputs, options->targets, options->dim),
        .rows = rows,
        .n = n,
    };
    zf_status status = build(step, params, workers);
    if (status != ZF_OK) zf_reduce_step_free(step);
    return status;
}

void zf_reduce_step_free(zf_reduce_step *step)
{
    zf_program_free(step->program);
    *step = (zf_reduce_step){0};
}

/* --- samples ---------------------------------------------------------------------- */

/* What the field is told of a moment beside the code. */
static void fill_moment(const zf_reduce_step *s, int sample, int moment, float t, float point,
                        const zf_reduce_pair *pair)
{
    const zf_reduce_step_options *o = &s->options;
    float *at = zf_node_value(s->known) + (sample * s->moments + moment) * s->known_columns;
    zf_between_few(at, pair->here, pair->other, point, (size_t)o->targets);
    at += o->targets;
    *at++ = t;
    for (int l = 0; l < o->dim; l++) *at++ = l < pair->length ? 1.0f : 0.0f;
    memcpy(at, pair->here + o->targets, (size_t)o->inputs * sizeof *at);
}

void zf_reduce_fill(const zf_reduce_step *s, int sample, const zf_reduce_pair *pair)
{
    const zf_reduce_step_options *o = &s->options;
    size_t inputs = (size_t)o->inputs;
    float *both = zf_node_value(s->both) + (size_t)sample * 2 * inputs;
    float *keep = zf_node_value(s->keep) + sample * 2 * o->dim;
    float *difference = zf_node_value(s->difference) + sample * o->targets;
    memcpy(both, pair->other + o->targets, inputs * sizeof *both);
    memcpy(both + inputs, pair->here + o->targets, inputs * sizeof *both);
    for (int l = 0; l < o->dim; l++) keep[l] = keep[o->dim + l] = l < pair->length ? 1.0f : 0.0f;
    zf_way(difference, pair->here, pair->other, (size_t)o->targets);
    fill_moment(s, sample, 0, pair->t, pair->t, pair);
    fill_moment(s, sample, 1, pair->zero_t, pair->zero_t, pair);
    if (o->antisymmetry) fill_moment(s, sample, 2, 1.0f - pair->zero_t, pair->zero_t, pair);
}

typedef struct job {
    zf_reduce_step *s;
    uint64_t number;
} job;

static void draw_sample(void *context, int sample)
{
    const job *j = context;
    zf_reduce_step *s = j->s;
    const zf_reduce_step_options *o = &s->options;
    size_t width = (size_t)(o->targets + o->inputs);
    zf_pair_draws draws = zf_pair_draws_at(o->seed, j->number, sample);
    zf_random lengths = zf_random_at(o->seed, ZF_FOR_TARGET, j->number, (uint32_t)sample);
    zf_time uniform = {ZF_TIME_UNIFORM, 0};
    zf_reduce_pair pair = {
        .here = s->rows + zf_pair_row(&draws, (size_t)s->n) * width,
        .t = zf_pair_time(&draws, uniform),
        .zero_t = o->antisymmetry ? zf_pair_time(&draws, uniform) : 0.5f,
        .length = 1 + (int)zf_random_below(&lengths, (uint32_t)o->dim),
    };
    pair.other = s->rows + zf_pair_row(&draws, (size_t)s->n) * width;
    zf_reduce_fill(s, sample, &pair);
}

void zf_reduce_prepare(void *step, uint64_t number, zf_crew *crew)
{
    job j = {step, number};
    zf_crew_run_rows(crew, ZF_LIGHT_ROWS, j.s->options.batch, draw_sample, &j);
}
