/* The zero-flow step (step.h). Views are made first, pairs of them after: x' may be any
   row's. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/random.h"
#include "op/ops.h"
#include "vision/step.h"

static size_t picture_floats(const zf_vision_step *s)
{
    const zf_picture_shape *p = &s->options.picture;
    return (size_t)p->channels * (size_t)p->size * (size_t)p->size;
}

/* --- the graph ------------------------------------------------------------------------- */

static void make_inputs(zf_vision_step *s)
{
    const zf_picture_shape *p = &s->options.picture;
    zf_zeroflow_step *z = &s->zeroflow;
    zf_shape picture = zf_shape_of(p->channels, p->size, p->size);
    zf_shape known = zf_shape_of(2 * p->channels + 1, p->size, p->size);
    zf_domain *rows = zf_graph_domain(s->graph, "pictures", s->options.batch,
                                      zf_picture_shards(s->options.batch, p->size));
    z->y = zf_input(s->graph, rows, ZF_F32, picture);
    z->other = zf_input(s->graph, rows, ZF_I32, ZF_SCALAR);
    z->moving = zf_input(s->graph, rows, ZF_F32, known);
    z->middle = zf_input(s->graph, rows, ZF_F32, known);
    z->distance = zf_input(s->graph, rows, ZF_F32, picture);
}

static zf_status build(zf_vision_step *s, zf_node **loss)
{
    const zf_picture_shape *p = &s->options.picture;
    zf_zeroflow_step *z = &s->zeroflow;
    z->x = zf_slab_new((size_t)s->options.batch * picture_floats(s) * sizeof *z->x);
    if (!z->x) return ZF_ENOMEM;
    zf_graph_allow_quick_products(s->graph);
    make_inputs(s);
    zf_node *decoded = zf_picture_decoder(zf_picture_encoder(z->y, p), "decoder", p);
    zf_node *moving = zf_picture_velocity(z->moving, zf_gather(decoded, z->other), p);
    zf_node *middle = zf_picture_velocity(z->middle, decoded, p);
    zf_objective_options options = {.zero_weight = s->options.zero_weight,
                                    .coordinates = (double)picture_floats(s),
                                    .rows = s->options.batch};
    zf_objective objective = zf_objective_build(moving, z->distance, NULL, middle, NULL, &options);
    zf_vision_watch(s, "loss", objective.loss);
    zf_vision_watch(s, "rectified", objective.rectified);
    zf_vision_watch(s, "zero", objective.zero);
    *loss = objective.loss;
    return ZF_OK;
}

static void release(zf_vision_step *s)
{
    free(s->zeroflow.x);
}

/* --- its inputs --------------------------------------------------------------------------- */

/* What the velocity is told beside the code, at the point t of the way from x to x'. */
static void tell(const zf_vision_step *s, zf_node *known, int i, int other, float t)
{
    size_t size = picture_floats(s), plane = size / (size_t)s->options.picture.channels;
    const float *here = s->zeroflow.x + (size_t)i * size;
    const float *there = s->zeroflow.x + (size_t)other * size;
    float *at = zf_node_value(known) + (size_t)i * (2 * size + plane);
    for (size_t k = 0; k < size; k++) at[k] = (1.0f - t) * here[k] + t * there[k];
    memcpy(at + size, zf_node_value(s->zeroflow.y) + (size_t)i * size, size * sizeof *at);
    for (size_t k = 0; k < plane; k++) at[2 * size + k] = t;
}

void zf_zeroflow_pair(zf_vision_step *s, int i, int other, float t)
{
    size_t size = picture_floats(s);
    const float *here = s->zeroflow.x + (size_t)i * size;
    const float *there = s->zeroflow.x + (size_t)other * size;
    float *distance = zf_node_value(s->zeroflow.distance) + (size_t)i * size;
    zf_node_index(s->zeroflow.other)[i] = other;
    for (size_t k = 0; k < size; k++) distance[k] = there[k] - here[k];
    tell(s, s->zeroflow.moving, i, other, t);
    tell(s, s->zeroflow.middle, i, other, 0.5f);
}

static void show(zf_vision_step *s, uint64_t number, int i)
{
    const zf_vision_step_options *o = &s->options;
    size_t at = (size_t)i * picture_floats(s);
    float *views[] = {s->zeroflow.x + at, zf_node_value(s->zeroflow.y) + at};
    for (int v = 0; v < 2; v++)
        zf_vision_show(views[v], &o->picture, &o->views, s->pictures[i], s->which[i],
                       (int64_t)number, v);
}

static void pair(zf_vision_step *s, uint64_t number, int i)
{
    const zf_vision_step_options *o = &s->options;
    zf_random times = zf_random_at(o->seed, ZF_FOR_TIME, number, (uint32_t)i);
    zf_random chosen = zf_random_at(o->seed, ZF_FOR_BOOTSTRAP, number, (uint32_t)i);
    int other = (int)zf_random_below(&chosen, (uint32_t)o->batch);
    zf_zeroflow_pair(s, i, other, zf_random_uniform(&times));
}

static void prepare(zf_vision_step *s, uint64_t number, zf_crew *crew)
{
    zf_vision_each(s, number, crew, show);
    zf_vision_each(s, number, crew, pair);
}

const zf_vision_kind zf_vision_zeroflow = {.build = build, .prepare = prepare, .free = release};
