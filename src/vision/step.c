#include "vision/step.h"

#include <math.h>

#include "base/error.h"
#include "base/random.h"

enum { BITS_STREAM = 1 };

static const zf_vision_kind *kind_of(zf_vision_method method)
{
    switch (method) {
    case ZF_VISION_ZEROFLOW:
        return &zf_vision_zeroflow;
    case ZF_VISION_SIMCLR:
        return &zf_vision_simclr;
    case ZF_VISION_MAE:
        return &zf_vision_mae;
    }
    return NULL;
}

static zf_status check(const zf_vision_step_options *o)
{
    ZF_TRY(zf_image_shape_check(&o->image));
    ZF_TRY(zf_view_check(&o->views));
    if (!kind_of(o->method))
        return zf_fail(ZF_EINVAL, "method: expected zero-flow, SimCLR or MAE, found %d",
                       (int)o->method);
    if (o->image.channels < ZF_COLOURS || o->image.size > ZF_IMAGES_SIDE_MAX)
        return zf_fail(ZF_EINVAL,
                       "images: expected at least %d channels and at most %d pixels "
                       "a side, found %d and %d",
                       ZF_COLOURS, ZF_IMAGES_SIDE_MAX, o->image.channels, o->image.size);
    if (o->batch < ZF_VISION_BATCH_LEAST)
        return zf_fail(ZF_EINVAL, "batch: expected at least %d images, found %d",
                       ZF_VISION_BATCH_LEAST, o->batch);
    return ZF_OK;
}

zf_status zf_vision_step_declare(const char **measures, int *n, zf_params *params,
                                 const zf_vision_step_options *options)
{
    ZF_TRY(check(options));
    zf_vision_step step = {.options = *options};
    zf_node *loss = NULL;
    step.options.batch = ZF_VISION_BATCH_LEAST;
    zf_status status = zf_program_new(&step.program, params);
    if (status == ZF_OK) status = kind_of(options->method)->build(&step, &loss);
    if (status == ZF_OK) status = zf_program_built(step.program);
    for (*n = 0; status == ZF_OK && *n < step.n_watches; (*n)++)
        measures[*n] = step.watches[*n].name;
    zf_vision_step_free(&step);
    return status;
}

/* --- the step -------------------------------------------------------------------------- */

void zf_vision_watch(zf_vision_step *step, const char *name, const zf_node *node)
{
    step->watches[step->n_watches++] = (zf_watch){name, node};
}

static zf_status build(zf_vision_step *s, zf_params *params, int workers)
{
    zf_node *loss = NULL, *outputs[ZF_MOST_MEASURES];
    ZF_TRY(zf_program_new(&s->program, params));
    ZF_TRY(kind_of(s->options.method)->build(s, &loss));
    for (int i = 0; i < s->n_watches; i++) outputs[i] = (zf_node *)s->watches[i].node;
    return zf_program_plan(s->program, loss, outputs, loss ? s->n_watches : 0, workers);
}

zf_status zf_vision_step_new(zf_vision_step *step, zf_params *params,
                             const zf_vision_step_options *options, int workers)
{
    ZF_TRY(check(options));
    *step = (zf_vision_step){.options = *options};
    zf_status status = build(step, params, workers);
    if (status != ZF_OK) zf_vision_step_free(step);
    return status;
}

void zf_vision_step_free(zf_vision_step *step)
{
    const zf_vision_kind *kind = step->program ? kind_of(step->options.method) : NULL;
    if (kind && kind->free) kind->free(step);
    zf_program_free(step->program);
    *step = (zf_vision_step){0};
}

/* --- its images ----------------------------------------------------------------------- */

void zf_vision_show(float *out, const zf_image_shape *shape, const zf_view_options *views,
                    const uint8_t *pixels, uint32_t image, int64_t step, int view)
{
    size_t plane = (size_t)shape->size * (size_t)shape->size;
    if (step < 0)
        zf_view_plain(out, pixels, shape->size, views, image);
    else
        zf_view_make(out, pixels, shape->size, views, image, (uint64_t)step, view);
    zf_random random = zf_random_at(views->seed, ZF_FOR_MARK, BITS_STREAM, image);
    for (int c = ZF_COLOURS; c < shape->channels; c++) {
        float bit = (float)(zf_random_word(&random) & 1), *to = out + (size_t)c * plane;
        for (size_t i = 0; i < plane; i++) to[i] = bit;
    }
}

typedef struct job {
    zf_vision_step *step;
    uint64_t number;
    void (*task)(zf_vision_step *step, uint64_t number, int i);
} job;

static void run_one(void *context, int i)
{
    const job *j = context;
    j->task(j->step, j->number, i);
}

void zf_vision_each(zf_vision_step *step, uint64_t number, zf_crew *crew,
                    void (*task)(zf_vision_step *step, uint64_t number, int i))
{
    job j = {step, number, task};
    zf_crew_run_rows(crew, ZF_HEAVY_ROWS, step->options.batch, run_one, &j);
}

void zf_vision_step_prepare(void *context, uint64_t number, zf_crew *crew)
{
    zf_vision_step *step = context;
    kind_of(step->options.method)->prepare(step, number, crew);
}
