#include "train/description.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

enum { KEY_ROOM = 64 };

zf_status zf_describe_begin(zf_describing *list, zf_arena *arena, size_t room)
{
    *list = (zf_describing){.arena = arena, .room = room};
    list->items = zf_arena_get(arena, room * sizeof *list->items);
    return list->items ? ZF_OK : ZF_ENOMEM;
}

zf_status zf_describe_text(zf_describing *list, const char *key, const char *value)
{
    if (list->count == list->room)
        return zf_fail(ZF_EINVAL, "description: room for %zu items only", list->room);
    char *own_key = zf_arena_string(list->arena, key);
    char *own_value = zf_arena_string(list->arena, value);
    if (!own_key || !own_value) return ZF_ENOMEM;
    list->items[list->count++] = (zf_metadata){own_key, own_value};
    return ZF_OK;
}

zf_status zf_describe_number(zf_describing *list, const char *key, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return zf_describe_text(list, key, text);
}

zf_status zf_describe_texts(zf_describing *list, const char *key, const char *const *values,
                            size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char numbered[KEY_ROOM];
        snprintf(numbered, sizeof numbered, "%s.%zu", key, i);
        ZF_TRY(zf_describe_text(list, numbered, values[i]));
    }
    return ZF_OK;
}

zf_status zf_describe_tensor(zf_describing *list, zf_tensor tensor)
{
    if (list->n_tensors == ZF_DESCRIBED_TENSORS)
        return zf_fail(ZF_EINVAL, "description: room for %d tensors only", ZF_DESCRIBED_TENSORS);
    list->tensors[list->n_tensors++] = tensor;
    return ZF_OK;
}

zf_status zf_described(zf_description *out, const zf_describing *list)
{
    zf_tensor *tensors = zf_arena_get(list->arena, sizeof list->tensors);
    if (!tensors) return ZF_ENOMEM;
    memcpy(tensors, list->tensors, sizeof list->tensors);
    *out = (zf_description){list->items, list->count, tensors, list->n_tensors};
    return ZF_OK;
}

zf_status zf_model_texts(const char **out, const zf_safetensors *file, const char *path,
                         const char *key, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char numbered[KEY_ROOM];
        snprintf(numbered, sizeof numbered, "%s.%zu", key, i);
        out[i] = zf_safetensors_metadata(file, numbered);
        if (!out[i])
            return zf_fail(ZF_EINPUT, "%s: the name of %s %zu is missing", path, key, i + 1);
    }
    return ZF_OK;
}
