/* Flows as files: parameters and scales as tensors, widths as metadata. */
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "flow/model.h"
#include "train/checkpoint.h"
#include "train/limits.h"

#define TASK "flow"

/* The whole numbers of a file, by name. */
enum { X, F, Y, HIDDEN, LAYERS, SEED, NUMBERS };
static const char *const KEYS[NUMBERS] = {"columns.x", "columns.f", "columns.y",
                                          "hidden",    "layers",    "seed"};

static int64_t scale_columns(const zf_flow *flow)
{
    return (int64_t)flow->shape.x + flow->shape.f + flow->shape.y;
}

static zf_tensor scale_tensor(const zf_flow *flow, const char *name, const double *data)
{
    return (zf_tensor){
        .name = name, .rank = 1, .dim = {scale_columns(flow)}, .data = data, .wide = true};
}

static zf_status save(const zf_flow *flow, zf_model_place place)
{
    const zf_flow_shape *s = &flow->shape;
    const uint64_t numbers[NUMBERS] = {(uint64_t)s->x,      (uint64_t)s->f,      (uint64_t)s->y,
                                       (uint64_t)s->hidden, (uint64_t)s->layers, flow->seed};
    char text[NUMBERS][32];
    zf_metadata items[NUMBERS + 2] = {[NUMBERS] = {"task", TASK}, {"options", flow->options}};
    for (int i = 0; i < NUMBERS; i++) {
        snprintf(text[i], sizeof text[i], "%" PRIu64, numbers[i]);
        items[i] = (zf_metadata){KEYS[i], text[i]};
    }
    const zf_tensor scales[] = {scale_tensor(flow, "centre", flow->centre),
                                scale_tensor(flow, "spread", flow->spread)};
    return zf_model_write(place, flow->params, &flow->history,
                          (zf_description){items, NUMBERS + 2, scales, 2});
}

zf_status zf_flow_save(const zf_flow *flow, const char *path)
{
    return save(flow, (zf_model_place){.path = path});
}

zf_status zf_flow_save_memory(void **bytes, size_t *n, const zf_flow *flow)
{
    return save(flow, (zf_model_place){.bytes = bytes, .n = n});
}

static zf_status read_shape(zf_flow_shape *shape, uint64_t *seed, const zf_safetensors *file,
                            const char *path)
{
    static const uint64_t least[NUMBERS] = {[X] = 1, [HIDDEN] = 1, [LAYERS] = 1};
    static const uint64_t most[NUMBERS] = {ZF_FLOW_WIDTH,  ZF_FLOW_WIDTH,  ZF_FLOW_WIDTH,
                                           ZF_HIDDEN_MOST, ZF_FLOW_LAYERS, UINT64_MAX};
    uint64_t n[NUMBERS];
    ZF_TRY(zf_model_expect(file, path, TASK));
    for (int i = 0; i < NUMBERS; i++)
        ZF_TRY(zf_model_number(&n[i], file, path, KEYS[i], least[i], most[i]));
    *shape = (zf_flow_shape){(int)n[X], (int)n[F], (int)n[Y], (int)n[HIDDEN], (int)n[LAYERS]};
    *seed = n[SEED];
    return ZF_OK;
}

static zf_status read_numbers(zf_flow *flow, const zf_safetensors *file, const char *path)
{
    const int64_t columns = scale_columns(flow);
    const char *options = zf_safetensors_metadata(file, "options");
    ZF_TRY(zf_model_read(flow->params, file));
    ZF_TRY(zf_history_read(&flow->history, file, path));
    ZF_TRY(zf_safetensors_read_doubles(file, flow->centre, "centre", 1, &columns));
    ZF_TRY(zf_safetensors_read_doubles(file, flow->spread, "spread", 1, &columns));
    for (int64_t j = 0; j < columns; j++)
        if (!(flow->spread[j] > 0))
            return zf_fail(ZF_EINPUT, "%s: \"spread\": element %d is %g, expected above 0", path,
                           (int)j, flow->spread[j]);
    snprintf(flow->options, sizeof flow->options, "%s", options ? options : "");
    return ZF_OK;
}

/* Closes the file. */
static zf_status take(zf_flow **out, zf_safetensors *file, const char *path)
{
    zf_flow_shape shape = {0};
    uint64_t seed = 0;
    zf_flow *flow = NULL;
    zf_status status = read_shape(&shape, &seed, file, path);
    if (status == ZF_OK) {
        status = zf_flow_new(&flow, &shape, seed, file);
        if (status == ZF_EINVAL) zf_fail_within(status = ZF_EINPUT, "%s: ", path);
    }
    if (status == ZF_OK) status = read_numbers(flow, file, path);
    zf_safetensors_close(file);
    if (status != ZF_OK) {
        zf_flow_free(flow);
        return status;
    }
    *out = flow;
    return ZF_OK;
}

zf_status zf_flow_load(zf_flow **out, const char *path)
{
    zf_safetensors *file = NULL;
    ZF_TRY(zf_model_open(&file, path, TASK));
    return take(out, file, path);
}

zf_status zf_flow_load_memory(zf_flow **out, const char *name, const void *bytes, size_t n)
{
    zf_safetensors *file = NULL;
    ZF_TRY(zf_model_open_memory(&file, name, bytes, n, TASK));
    return take(out, file, name);
}
