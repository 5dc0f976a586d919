#include "vision/model.h"

#include <stdlib.h>

#include "base/error.h"
#include "vision/embed.h"

const char *const zf_vision_method_names[] = {"zeroflow", "simclr", "mae"};

const char *zf_vision_method_name(zf_vision_method method)
{
    bool known = (int)method >= 0 && (int)method < ZF_VISION_METHODS;
    return known ? zf_vision_method_names[method] : "unknown";
}

int zf_vision_watches(const zf_vision_plan *plan)
{
    if (plan->watch_every == 0) return 0;
    return (int)((plan->iterations + plan->watch_every - 1) / plan->watch_every);
}

uint64_t zf_vision_watch_at(const zf_vision_plan *plan, int i)
{
    uint64_t at = ((uint64_t)i + 1) * plan->watch_every;
    return at < plan->iterations ? at : plan->iterations;
}

static zf_status declare(zf_vision *model, const zf_safetensors *from)
{
    const zf_vision_plan *plan = &model->plan;
    int measures = 0, watched = 0, watches = zf_vision_watches(plan);
    ZF_TRY(zf_params_new(&model->params, plan->step.seed));
    ZF_TRY(zf_vision_step_declare(model->measures, &measures, model->params, &plan->step));
    if (watches > 0)
        ZF_TRY(zf_params_get(&watched, model->params, "watched", zf_shape_of(watches),
                             ZF_CONSTANT(-1.0f), false));
    ZF_TRY(zf_model_check(model->params, from));
    ZF_TRY(zf_params_fix(model->params));
    if (watches > 0) model->watched = zf_params_data(model->params, watched);
    model->history = zf_history_new(measures);
    return ZF_OK;
}

zf_status zf_vision_new(zf_vision **out, const zf_vision_plan *plan, const zf_safetensors *from)
{
    zf_vision *model = calloc(1, sizeof *model);
    if (!model) return zf_fail_memory(sizeof *model);
    model->plan = *plan;
    zf_spares_init(&model->encoders);
    zf_spares_init(&model->decoders);
    zf_status status = zf_crew_new(&model->crew, 1);
    if (status == ZF_OK) status = declare(model, from);
    if (status != ZF_OK) {
        zf_vision_free(model);
        return status;
    }
    *out = model;
    return ZF_OK;
}

void zf_vision_free(zf_vision *model)
{
    if (!model) return;
    zf_spares_destroy(&model->encoders, zf_embedder_drop);
    zf_spares_destroy(&model->decoders, zf_embedder_drop);
    zf_crew_free(model->crew);
    zf_params_free(model->params);
    zf_arena_free(&model->arena);
    free(model);
}

zf_vision_method zf_vision_trained_by(const zf_vision *model)
{
    return model->plan.step.method;
}

int zf_vision_size(const zf_vision *model)
{
    return model->plan.step.image.size;
}

int zf_vision_channels(const zf_vision *model)
{
    return model->plan.step.image.channels;
}

int zf_vision_dim(const zf_vision *model)
{
    return model->plan.step.image.dim;
}

zf_watermark zf_vision_watermark(const zf_vision *model)
{
    return model->plan.step.views.watermark;
}
