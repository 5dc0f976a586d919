/* The zero-flow step (step.h). Views are made first, pairs of them after: x' may be any
   row's. */
#include "flow/pair.h"
#include "kernel/between.h"
#include "op/ops.h"
#include "vision/step.h"

static size_t image_floats(const zf_vision_step *s)
{
    const zf_image_shape *p = &s->options.image;
    return (size_t)p->channels * (size_t)p->size * (size_t)p->size;
}

/* --- the program ------------------------------------------------------------------------- */

static void make_inputs(zf_vision_step *s)
{
    const zf_image_shape *p = &s->options.image;
    zf_zeroflow_step *z = &s->zeroflow;
    zf_shape image = zf_shape_of(p->channels, p->size, p->size);
    zf_domain *rows = zf_program_domain(s->program, "images", s->options.batch,
                                        zf_image_shards(s->options.batch, p->size));
    z->x = zf_input(s->program, rows, ZF_F32, image);
    z->y = zf_input(s->program, rows, ZF_F32, image);
    z->other = zf_input(s->program, rows, ZF_I32, ZF_SCALAR);
    z->t = zf_input(s->program, rows, ZF_F32, ZF_SCALAR);
    z->distance = zf_input(s->program, rows, ZF_F32, image);
}

static zf_status build(zf_vision_step *s, zf_node **loss)
{
    const zf_image_shape *p = &s->options.image;
    zf_zeroflow_step *z = &s->zeroflow;
    zf_program_allow_quick_products(s->program);
    make_inputs(s);
    zf_node *decoded = zf_image_decoder(zf_image_encoder(z->y, p), "decoder", p);
    zf_flow_point moving = {z->x, z->y, z->other, z->t}, middle = {z->x, z->y, z->other, NULL};
    zf_node *moved = zf_image_velocity_error(moving, decoded, true, z->distance, p);
    zf_node *still = zf_image_velocity_error(middle, decoded, false, NULL, p);
    zf_objective_options options = {.zero_weight = s->options.zero_weight,
                                    .coordinates = (double)image_floats(s),
                                    .rows = s->options.batch};
    zf_objective objective = zf_objective_of_sums(moved, still, &options);
    zf_vision_watch(s, "loss", objective.loss);
    zf_vision_watch(s, "rectified", objective.rectified);
    zf_vision_watch(s, "zero", objective.zero);
    *loss = objective.loss;
    return ZF_OK;
}

/* --- its inputs --------------------------------------------------------------------------- */

void zf_zeroflow_pair(zf_vision_step *s, int i, int other, float t)
{
    size_t size = image_floats(s);
    const float *x = zf_node_value(s->zeroflow.x);
    const float *here = x + (size_t)i * size, *there = x + (size_t)other * size;
    float *distance = zf_node_value(s->zeroflow.distance) + (size_t)i * size;
    zf_way(distance, here, there, size);
    zf_node_index(s->zeroflow.other)[i] = other;
    zf_node_value(s->zeroflow.t)[i] = t;
}

static void show(zf_vision_step *s, uint64_t number, int i)
{
    const zf_vision_step_options *o = &s->options;
    size_t at = (size_t)i * image_floats(s);
    float *views[] = {zf_node_value(s->zeroflow.x) + at, zf_node_value(s->zeroflow.y) + at};
    for (int v = 0; v < 2; v++)
        zf_vision_show(views[v], &o->image, &o->views, s->images[i], s->which[i], (int64_t)number,
                       v);
}

static void pair(zf_vision_step *s, uint64_t number, int i)
{
    const zf_vision_step_options *o = &s->options;
    zf_pair_draws draws = zf_pair_draws_at(o->seed, number, i);
    int other = (int)zf_pair_row(&draws, (size_t)o->batch);
    zf_zeroflow_pair(s, i, other, zf_pair_time(&draws, (zf_time){ZF_TIME_UNIFORM, 0}));
}

static void prepare(zf_vision_step *s, uint64_t number, zf_crew *crew)
{
    zf_vision_each(s, number, crew, show);
    zf_vision_each(s, number, crew, pair);
}

const zf_vision_kind zf_vision_zeroflow = {.build = build, .prepare = prepare};
