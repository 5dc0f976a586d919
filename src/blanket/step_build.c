/* Building the program of a step (step.h). */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "blanket/step.h"
#include "op/ops.h"

static zf_gate_options gate_options(const zf_blanket_step *s)
{
    return (zf_gate_options){
        .kind = s->options.gate,
        .variables = s->variables,
        .side = s->options.targets.side,
        .most_targets = s->most_targets,
        .pairs = s->options.pairs,
        .window = zf_targets_window(&s->options.targets),
    };
}

static void make_inputs(zf_blanket_step *s)
{
    zf_program *g = s->program;
    zf_shape targets = zf_shape_of(s->most_targets), all = zf_shape_of(s->variables);
    zf_shape moving = zf_shape_of(s->most_targets + 1);
    s->mask_of = zf_input(g, s->samples, ZF_I32, ZF_SCALAR);
    s->y = zf_input(g, s->samples, ZF_F32, all);
    s->other_y = zf_input(g, s->samples, ZF_F32, all);
    s->targets = zf_input(g, s->samples, ZF_I32, targets);
    s->weight = zf_input(g, s->samples, ZF_F32, targets);
    s->middle_weight = zf_input(g, s->samples, ZF_F32, targets);
    s->ones = zf_input(g, s->samples, ZF_F32, targets);
    s->columns = zf_input(g, s->samples, ZF_I32, zf_shape_of(s->moments, s->most_targets + 1));
    s->all_targets = zf_input(g, s->samples, ZF_I32, zf_shape_of(s->moments, s->most_targets));
    s->moving = zf_input(g, s->samples, ZF_F32, moving);
    s->middle = zf_input(g, s->samples, ZF_F32, moving);
    if (s->options.antisymmetry) s->mirror = zf_input(g, s->samples, ZF_F32, moving);
    s->difference = zf_input(g, s->samples, ZF_F32, targets);
    if (s->options.exploration > 0) s->tried = zf_input(g, s->samples, ZF_F32, all);
    if (s->options.pruning > 0) s->pressure = zf_input(g, s->samples, ZF_F32, ZF_SCALAR);
}

/* The gates of the distinct masks, with what is forced upon them. */
static zf_node *constrained_gates(zf_blanket_step *s)
{
    if (!s->options.constraints && s->options.open_steps == 0) return s->gates.gates;
    s->allow = zf_input(s->program, s->masks, ZF_F32, zf_shape_of(s->variables));
    s->force = zf_input(s->program, s->masks, ZF_F32, zf_shape_of(s->variables));
    return zf_add(zf_mul(s->gates.gates, s->allow), s->force);
}

static void make_loss(zf_blanket_step *s)
{
    const zf_step_options *o = &s->options;
    zf_node *gates = constrained_gates(s);
    zf_node *g = zf_gather(gates, s->mask_of);
    zf_node *still = zf_field_still(&s->field, s->y, s->targets, s->ones);
    zf_node *f = zf_mul(s->y, g), *v[ZF_MOST_MOMENTS];
    zf_node *other_f = zf_mul(s->other_y, g);
    if (s->tried) other_f = zf_add(other_f, s->tried);
    zf_moment moments[] = {{s->moving, other_f}, {s->middle, f}, {s->mirror, f}};
    zf_field_velocities(&s->field, still, s->columns, s->all_targets, moments, s->moments, v);
    zf_node *zero = s->mirror ? zf_scale(zf_add(v[1], v[2]), 0.5f) : v[1];
    zf_objective_options objective = {
        .zero_weight = o->zero_weight, .coordinates = s->variables, .rows = o->batch};
    s->objective =
        zf_objective_build(v[0], s->difference, s->weight, zero, s->middle_weight, &objective);
    s->mean_gate = zf_mean(gates);
    s->loss = zf_add(s->objective.loss, zf_scale(zf_sum(g), (float)o->sparsity));
    if (!s->pressure) return;
    double scale = o->pruning / ((double)s->variables * o->batch);
    s->loss =
        zf_add(s->loss, zf_scale(zf_sum(zf_mul(zf_sum_axis(g, 1), s->pressure)), (float)scale));
}

static zf_status build(zf_blanket_step *s, zf_params *params, int workers)
{
    ZF_TRY(zf_targets_check(&s->options.targets));
    s->variables = s->options.targets.variables;
    s->moments = s->options.antisymmetry ? 3 : 2;
    s->most_targets = zf_targets_most(&s->options.targets);
    ZF_TRY(zf_program_new(&s->program, params));
    s->masks = zf_program_domain(s->program, "masks", s->options.batch, 0);
    s->samples = zf_program_domain(s->program, "samples", s->options.batch, 0);
    zf_gate_options gate = gate_options(s);
    s->gates = zf_gates_build(s->program, s->masks, &gate);
    s->field = zf_field_build(s->program, s->variables, s->options.hidden);
    make_inputs(s);
    make_loss(s);
    zf_node *watched[] = {s->objective.rectified, s->objective.zero, s->mean_gate};
    for (int i = 0; i < 3; i++)
        if (!watched[i]) return zf_program_plan(s->program, s->loss, NULL, 0, workers);
    ZF_TRY(zf_program_plan(s->program, s->loss, watched, 3, workers));
    s->n_buckets = 16;
    while (s->n_buckets < 2 * s->options.batch) s->n_buckets *= 2;
    s->counts = calloc((size_t)s->options.batch, sizeof *s->counts);
    s->buckets = calloc((size_t)s->n_buckets, sizeof *s->buckets);
    if (!s->counts || !s->buckets) return zf_fail_memory((size_t)s->n_buckets * sizeof(int));
    return ZF_OK;
}

zf_status zf_blanket_step_new(zf_blanket_step *step, zf_params *params, const float *rows, int n,
                              const zf_step_options *options, int workers)
{
    *step = (zf_blanket_step){.options = *options, .rows = rows, .n = n};
    zf_status status = build(step, params, workers);
    if (status != ZF_OK) zf_blanket_step_free(step);
    return status;
}

void zf_blanket_step_free(zf_blanket_step *step)
{
    zf_program_free(step->program);
    free(step->counts);
    free(step->buckets);
    *step = (zf_blanket_step){0};
}
