/* The step of a masked autoencoder (step.h). An image's order of places is a random
   permutation; the first are seen. Patches are copied out of the view in that order, so
   that the network itself moves nothing about. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/random.h"
#include "op/ops.h"
#include "vision/step.h"

static size_t image_floats(const zf_image_shape *p)
{
    return (size_t)p->channels * (size_t)p->size * (size_t)p->size;
}

static zf_status check(const zf_vision_step_options *o)
{
    ZF_TRY(zf_vit_check(&o->vit, &o->image));
    if (!(o->masked > 0 && o->masked < 1))
        return zf_fail(ZF_EINVAL, "masked: expected a share between 0 and 1, found %g", o->masked);
    return ZF_OK;
}

/* Of so many places; at least one is seen, and one is not. */
static int count_seen(int places, double masked)
{
    int seen = (int)((double)places * (1.0 - masked));
    return seen < 1 ? 1 : seen;
}

static zf_status build(zf_vision_step *s, zf_node **loss)
{
    const zf_vision_step_options *o = &s->options;
    ZF_TRY(check(o));
    zf_mae_step *m = &s->mae;
    m->views = zf_slab_new((size_t)o->batch * image_floats(&o->image) * sizeof *m->views);
    if (!m->views) return ZF_ENOMEM;
    zf_program_allow_quick_products(s->program);
    int places = zf_vit_places(&o->vit, &o->image), values = zf_vit_values(&o->vit, &o->image);
    int seen = count_seen(places, o->masked);
    zf_domain *rows = zf_program_domain(s->program, "images", o->batch, zf_vit_shards(o->batch));
    m->seen = zf_input(s->program, rows, ZF_F32, zf_shape_of(seen, values));
    m->hidden = zf_input(s->program, rows, ZF_F32, zf_shape_of(places - seen, values));
    m->where = zf_input(s->program, rows, ZF_I32, zf_shape_of(seen));
    m->places = zf_input(s->program, rows, ZF_I32, zf_shape_of(places));
    zf_node *encoded = zf_vit_encoder(m->seen, m->where, &o->vit, &o->image);
    zf_node *filled = zf_vit_decoder(encoded, m->places, &o->vit, &o->image);
    *loss = zf_squared_error(filled, m->hidden, NULL, ZF_MEAN);
    zf_vision_watch(s, "loss", *loss);
    return ZF_OK;
}

static void release(zf_vision_step *s)
{
    free(s->mae.views);
}

static void show(zf_vision_step *s, uint64_t number, int i)
{
    const zf_vision_step_options *o = &s->options;
    const zf_mae_step *m = &s->mae;
    size_t values = (size_t)zf_vit_values(&o->vit, &o->image);
    int places = zf_vit_places(&o->vit, &o->image), seen = zf_node_shape(m->seen).dim[1];
    float *view = m->views + (size_t)i * image_floats(&o->image);
    zf_vision_show(view, &o->image, &o->views, s->images[i], s->which[i], (int64_t)number, 0);

    int32_t *order = zf_node_index(m->places) + (size_t)i * (size_t)places;
    zf_random random = zf_random_at(o->seed, ZF_FOR_TARGET, number, (uint32_t)i);
    zf_random_permutation(&random, (uint32_t *)order, (size_t)places);
    memcpy(zf_node_index(m->where) + i * seen, order, (size_t)seen * sizeof *order);
    float *shown = zf_node_value(m->seen) + (size_t)(i * seen) * values;
    float *hidden = zf_node_value(m->hidden) + (size_t)(i * (places - seen)) * values;
    for (int p = 0; p < places; p++) {
        if (p < seen)
            zf_vit_show(shown + (size_t)p * values, view, order[p], &o->vit, &o->image);
        else
            zf_vit_cut(hidden + (size_t)(p - seen) * values, view, order[p], &o->vit, &o->image);
    }
}

static void prepare(zf_vision_step *s, uint64_t number, zf_crew *crew)
{
    zf_vision_each(s, number, crew, show);
}

const zf_vision_kind zf_vision_mae = {.build = build, .prepare = prepare, .free = release};
