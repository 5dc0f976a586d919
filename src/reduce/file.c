/* Reductions as files. */
#include <stdlib.h>

#include "base/error.h"
#include "reduce/model.h"
#include "train/description.h"

#define TASK "reduction"

zf_status zf_reduction_describe(zf_description *out, zf_arena *arena, const zf_reduction *model,
                                bool trained)
{
    const zf_reduce_shape *s = &model->shape;
    zf_describing list;
    ZF_TRY(zf_describe_begin(&list, arena, (size_t)(s->inputs + s->targets) + 16));
    ZF_TRY(zf_describe_text(&list, "task", TASK));
    ZF_TRY(zf_describe_text(&list, "margins", zf_marginals_name(s->marginals)));
    ZF_TRY(zf_describe_text(&list, "options", model->options_text));
    ZF_TRY(zf_describe_number(&list, "inputs", (uint64_t)s->inputs));
    ZF_TRY(zf_describe_number(&list, "targets", (uint64_t)s->targets));
    ZF_TRY(zf_describe_number(&list, "dim", (uint64_t)s->dim));
    if (trained) ZF_TRY(zf_describe_number(&list, "kept", (uint64_t)s->kept));
    ZF_TRY(zf_describe_number(&list, "hidden", (uint64_t)s->hidden));
    ZF_TRY(zf_describe_number(&list, "knots", (uint64_t)s->knots));
    ZF_TRY(zf_describe_number(&list, "seed", model->seed));
    ZF_TRY(zf_describe_number(&list, "given", model->given));
    ZF_TRY(zf_describe_texts(&list, "input", model->inputs, (size_t)s->inputs));
    ZF_TRY(zf_describe_texts(&list, "target", model->targets, (size_t)s->targets));
    for (int i = 0; i < ZF_MARGINALS_TENSORS; i++)
        ZF_TRY(zf_describe_tensor(&list, zf_marginals_tensor(&model->marginals, i)));
    return zf_described(out, &list);
}

static zf_status save(const zf_reduction *model, zf_model_place place)
{
    zf_arena arena = {0};
    zf_description description = {0};
    zf_status status = zf_reduction_describe(&description, &arena, model, true);
    if (status == ZF_OK)
        status = zf_model_write(place, model->params, &model->history, description);
    zf_arena_free(&arena);
    return status;
}

zf_status zf_reduction_save(const zf_reduction *model, const char *path)
{
    return save(model, (zf_model_place){.path = path});
}

zf_status zf_reduction_save_memory(void **bytes, size_t *n, const zf_reduction *model)
{
    return save(model, (zf_model_place){.bytes = bytes, .n = n});
}

static zf_status read_shape(const zf_safetensors *file, const char *path, zf_reduce_shape *shape,
                            uint64_t *seed)
{
    uint64_t inputs, targets, dim, kept, hidden, knots;
    ZF_TRY(zf_model_expect(file, path, TASK));
    ZF_TRY(
        zf_marginals_kind_read(&shape->marginals, zf_safetensors_metadata(file, "margins"), path));
    ZF_TRY(zf_model_number(&inputs, file, path, "inputs", 1, 1 << 20));
    ZF_TRY(zf_model_number(&targets, file, path, "targets", 1, 1 << 20));
    ZF_TRY(zf_model_number(&dim, file, path, "dim", 1, ZF_REDUCE_MOST));
    ZF_TRY(zf_model_number(&kept, file, path, "kept", 1, dim));
    ZF_TRY(zf_model_number(&hidden, file, path, "hidden", 1, 1 << 14));
    ZF_TRY(zf_model_number(&knots, file, path, "knots", 1, 1 << 20));
    ZF_TRY(zf_model_number(seed, file, path, "seed", 0, UINT64_MAX));
    shape->inputs = (int)inputs;
    shape->targets = (int)targets;
    shape->dim = (int)dim;
    shape->kept = (int)kept;
    shape->hidden = (int)hidden;
    shape->knots = (int)knots;
    return ZF_OK;
}

/* A model of the shape and the names that the file tells. */
static zf_status make(zf_reduction **out, const zf_safetensors *file, const char *path)
{
    zf_reduce_shape shape = {0};
    uint64_t seed = 0;
    ZF_TRY(read_shape(file, path, &shape, &seed));
    size_t inputs = (size_t)shape.inputs, targets = (size_t)shape.targets;
    const char **names = calloc(inputs + targets, sizeof *names);
    if (!names) return zf_fail_memory((inputs + targets) * sizeof *names);
    zf_status status = zf_model_texts(names, file, path, "input", inputs);
    if (status == ZF_OK) status = zf_model_texts(names + inputs, file, path, "target", targets);
    if (status == ZF_OK) status = zf_reduction_new(out, &shape, seed, names, names + inputs);
    free(names);
    return status;
}

static zf_status load(zf_reduction **out, const zf_safetensors *file, const char *path)
{
    ZF_TRY(make(out, file, path));
    zf_reduction *model = *out;
    const char *options = zf_safetensors_metadata(file, "options");
    model->options_text = zf_arena_string(&model->arena, options ? options : "");
    if (!model->options_text) return ZF_ENOMEM;
    ZF_TRY(zf_model_number(&model->given, file, path, "given", 0, UINT64_MAX));
    zf_status status = zf_reduction_prepare(model, file);
    if (status == ZF_EINVAL) return zf_fail_within(ZF_EINPUT, "%s: ", path);
    ZF_TRY(status);
    ZF_TRY(zf_model_read(model->params, file));
    ZF_TRY(zf_history_read(&model->history, file, path));
    return zf_marginals_read(&model->marginals, model->shape.marginals, (size_t)model->shape.inputs,
                             (size_t)model->shape.knots, file);
}

/* Closes the file. */
static zf_status take(zf_reduction **out, zf_safetensors *file, const char *path)
{
    zf_reduction *model = NULL;
    zf_status status = load(&model, file, path);
    zf_safetensors_close(file);
    if (status != ZF_OK) {
        zf_reduction_free(model);
        return status;
    }
    *out = model;
    return ZF_OK;
}

zf_status zf_reduction_load(zf_reduction **out, const char *path)
{
    zf_safetensors *file = NULL;
    ZF_TRY(zf_model_open(&file, path, TASK));
    return take(out, file, path);
}

zf_status zf_reduction_load_memory(zf_reduction **out, const char *name, const void *bytes,
                                   size_t n)
{
    zf_safetensors *file = NULL;
    ZF_TRY(zf_model_open_memory(&file, name, bytes, n, TASK));
    return take(out, file, name);
}
