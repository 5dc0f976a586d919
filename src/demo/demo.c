/* The zero-flow phenomenon, learnt from generated data.

   Pairs (x, x') are independent draws of one Gaussian mixture in the plane; the
   network sees x_t = (1 - t) x + t x' and t, and learns x' - x by least squares.
   What it learns is E[x' - x | x_t], which by symmetry is 0 at t = 0.5 for every
   x_t: the two laws are equal. Data are drawn anew for every step, each row at
   its own address, so that nothing but the seed decides what is learnt. */
#include "zeroflow/demo.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "net/mlp.h"
#include "op/ops.h"
#include "train/loop.h"

enum { PLANE = 2, HIDDEN = 128, BLOBS = 5, HELD_OUT = 4096, TASKS = 16 };

/* Steps from here on are never trained on: the held-out rows' addresses. */
static const uint64_t HELD_OUT_STEP = UINT64_C(1) << 48;

static const double TIMES[ZF_DEMO_TIMES] = {0.0, 0.25, 0.5, 0.75, 1.0};

/* One network on one number of rows: inputs, target, velocity, loss. */
typedef struct model {
    zf_graph *graph;
    zf_domain *rows;
    zf_node *place_and_time, *target, *velocity, *loss;
} model;

typedef struct demo {
    const zf_demo_options *options;
    zf_params *params;
    zf_crew *crew;
    model training, testing;
    zf_optimiser *optimiser;
} demo;

zf_demo_options zf_demo_defaults(void)
{
    return (zf_demo_options){.iterations = 5000, .batch = 512, .every = 500};
}

/* --- data ------------------------------------------------------------------ */

/* Five blobs on a circle of radius 2. */
static void draw_point(zf_random *random, float point[PLANE])
{
    double angle = 6.283185307179586 * (double)zf_random_below(random, BLOBS) / BLOBS;
    point[0] = (float)(2.0 * cos(angle)) + 0.3f * zf_random_normal(random);
    point[1] = (float)(2.0 * sin(angle)) + 0.3f * zf_random_normal(random);
}

/* Row `row` of step `step`; a negative time is drawn, others are used as given. */
static void fill_row(const model *m, uint64_t seed, uint64_t step, int row, float time)
{
    zf_random data = zf_random_at(seed, ZF_FOR_DATA, step, (uint32_t)row);
    zf_random clock = zf_random_at(seed, ZF_FOR_TIME, step, (uint32_t)row);
    float x[PLANE], other[PLANE], t = time < 0 ? zf_random_uniform(&clock) : time;
    draw_point(&data, x);
    draw_point(&data, other);
    float *input = zf_node_value(m->place_and_time) + (size_t)row * (PLANE + 1);
    float *target = zf_node_value(m->target) + (size_t)row * PLANE;
    for (int i = 0; i < PLANE; i++) {
        input[i] = (1.0f - t) * x[i] + t * other[i];
        target[i] = other[i] - x[i];
    }
    input[PLANE] = t;
}

typedef struct filling {
    const demo *d;
    uint64_t step;
} filling;

static void fill_part(void *context, int task, int worker)
{
    (void)worker;
    const filling *f = context;
    const model *m = &f->d->training;
    int rows = zf_domain_rows(m->rows);
    for (int row = rows * task / TASKS; row < rows * (task + 1) / TASKS; row++)
        fill_row(m, f->d->options->seed, f->step, row, -1.0f);
}

static void prepare(void *context, uint64_t step, zf_crew *crew)
{
    filling f = {context, step};
    zf_crew_run(crew, TASKS, fill_part, &f);
}

/* --- networks ---------------------------------------------------------------- */

static zf_status build(model *m, const demo *d, int rows, bool trains)
{
    ZF_TRY(zf_graph_new(&m->graph, d->params));
    zf_graph *g = m->graph;
    m->rows = zf_graph_domain(g, "samples", rows, 0);
    m->place_and_time = zf_input(g, m->rows, ZF_F32, zf_shape_of(PLANE + 1));
    m->target = zf_input(g, m->rows, ZF_F32, zf_shape_of(PLANE));
    m->velocity =
        zf_mlp(m->place_and_time, "velocity", (int[]){PLANE + 1, HIDDEN, HIDDEN, PLANE}, 3);
    m->loss = zf_squared_error(m->velocity, m->target, NULL, ZF_MEAN);
    return zf_graph_plan(g, trains ? m->loss : NULL, &m->velocity, 1, zf_crew_size(d->crew));
}

static double held_out_loss(demo *d)
{
    for (int row = 0; row < HELD_OUT; row++)
        fill_row(&d->testing, d->options->seed, HELD_OUT_STEP, row, -1.0f);
    zf_graph_forward(d->testing.graph, d->crew, ZF_EVALUATE);
    return zf_node_scalar(d->testing.loss);
}

/* The variance of the target: what the best constant would be left with. */
static double constant_loss(const demo *d)
{
    const float *target = zf_node_value(d->testing.target);
    double loss = 0;
    for (int i = 0; i < PLANE; i++) {
        double sum = 0, squares = 0;
        for (int row = 0; row < HELD_OUT; row++) {
            double x = target[row * PLANE + i];
            sum += x;
            squares += x * x;
        }
        loss += (squares - sum * sum / HELD_OUT) / HELD_OUT / PLANE;
    }
    return loss;
}

static double mean_speed(demo *d, double time)
{
    for (int row = 0; row < HELD_OUT; row++)
        fill_row(&d->testing, d->options->seed, HELD_OUT_STEP + 1, row, (float)time);
    zf_graph_forward(d->testing.graph, d->crew, ZF_EVALUATE);
    const float *v = zf_node_value(d->testing.velocity);
    double sum = 0;
    for (int row = 0; row < HELD_OUT; row++) sum += hypot(v[row * PLANE], v[row * PLANE + 1]);
    return sum / HELD_OUT;
}

/* --- the run ------------------------------------------------------------------ */

static void measure(demo *d, zf_demo_result *result, const zf_trained *trained)
{
    result->iterations = trained->steps;
    result->resumed_from = trained->resumed_from;
    result->seconds = trained->seconds;
    result->loss = held_out_loss(d);
    result->constant_loss = constant_loss(d);
    for (int i = 0; i < ZF_DEMO_TIMES; i++) {
        result->time[i] = TIMES[i];
        result->speed[i] = mean_speed(d, TIMES[i]);
    }
}

static zf_status train(demo *d, zf_trained *trained, zf_description description)
{
    const zf_demo_options *o = d->options;
    zf_training training = {
        .graph = d->training.graph,
        .crew = d->crew,
        .optimiser = d->optimiser,
        .schedule = {.rate = 2e-3, .decline = ZF_COSINE, .steps = o->iterations, .floor = 0.01},
        .steps = o->iterations,
        .prepare = prepare,
        .context = d,
        .rows = o->batch,
        .watches = {{"loss", d->training.loss}},
        .n_watches = 1,
        .checkpoint = o->checkpoint,
        .every = o->every,
        .resume = o->resume,
        .description = description,
        .report = o->report,
    };
    return zf_train(trained, &training);
}

static zf_status run(demo *d, zf_demo_result *result)
{
    const zf_demo_options *o = d->options;
    ZF_TRY(zf_crew_new(&d->crew, o->threads));
    ZF_TRY(zf_params_new(&d->params, o->seed));
    ZF_TRY(build(&d->training, d, o->batch, true));
    ZF_TRY(build(&d->testing, d, HELD_OUT, false));
    zf_optimiser_options options = zf_optimiser_defaults();
    ZF_TRY(zf_optimiser_new(&d->optimiser, d->params, &options));

    char seed[32], batch[32], iterations[32];
    snprintf(seed, sizeof seed, "%" PRIu64, o->seed);
    snprintf(batch, sizeof batch, "%d", o->batch);
    snprintf(iterations, sizeof iterations, "%" PRIu64, o->iterations);
    zf_metadata items[] = {{"task", "demo"},
                           {"architecture", "mlp 3-128-128-2"},
                           {"seed", seed},
                           {"batch", batch},
                           {"iterations", iterations}};
    zf_description description = {items, sizeof items / sizeof *items};

    zf_demo_result found = {.untrained_loss = held_out_loss(d)};
    zf_trained trained;
    zf_status status = train(d, &trained, description);
    if (status != ZF_OK && status != ZF_EINTERRUPT) return status;
    measure(d, &found, &trained);
    *result = found;
    if (status == ZF_OK && o->model)
        status = zf_model_write(o->model, d->params, &trained.history, description);
    return status;
}

zf_status zf_demo_run(zf_demo_result *result, const zf_demo_options *options)
{
    if (options->batch < 1 || options->batch > 1 << 20)
        return zf_fail(ZF_EINVAL, "batch: expected 1 to %d, found %d", 1 << 20, options->batch);
    if (options->iterations < 1)
        return zf_fail(ZF_EINVAL, "iterations: expected at least 1, found 0");
    demo d = {.options = options};
    zf_status status = run(&d, result);
    zf_optimiser_free(d.optimiser);
    zf_graph_free(d.training.graph);
    zf_graph_free(d.testing.graph);
    zf_params_free(d.params);
    zf_crew_free(d.crew);
    return status;
}
