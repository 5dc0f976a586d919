/* The SimCLR step (step.h). Both views are rows of one batch: weights are brought into
   form and their gradients added up once. */
#include "op/ops.h"
#include "vision/step.h"

static zf_status build(zf_vision_step *s, zf_node **loss)
{
    const zf_image_shape *p = &s->options.image;
    int rows = 2 * s->options.batch;
    zf_program_allow_quick_products(s->program);
    zf_domain *views = zf_program_domain(s->program, "views", rows, zf_image_shards(rows, p->size));
    s->simclr.views =
        zf_input(s->program, views, ZF_F32, zf_shape_of(p->channels, p->size, p->size));
    zf_node *directions = zf_normalise_rows(zf_image_encoder(s->simclr.views, p), 1e-8f);
    *loss = zf_contrastive(directions, (float)s->options.temperature);
    zf_vision_watch(s, "loss", *loss);
    return ZF_OK;
}

static void show(zf_vision_step *s, uint64_t number, int i)
{
    const zf_vision_step_options *o = &s->options;
    size_t size = (size_t)(o->image.channels * o->image.size * o->image.size);
    float *views = zf_node_value(s->simclr.views);
    for (int v = 0; v < 2; v++)
        zf_vision_show(views + (size_t)(v * o->batch + i) * size, &o->image, &o->views,
                       s->images[i], s->which[i], (int64_t)number, v);
}

static void prepare(zf_vision_step *s, uint64_t number, zf_crew *crew)
{
    zf_vision_each(s, number, crew, show);
}

const zf_vision_kind zf_vision_simclr = {.build = build, .prepare = prepare};
