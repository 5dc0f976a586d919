/* Names first, memory later: offsets are known as soon as a parameter is made,
   the slabs are taken when the set is fixed. */
#include "engine/params.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/random.h"

enum { PAD = 16 /* floats: one cache line */ };

struct zf_params {
    uint64_t seed;
    zf_arena names;
    zf_param *list;
    int count, capacity;
    size_t length, buffer_length; /* of the two slabs, in floats */
    float *values, *buffers;      /* NULL until the set is fixed */
};

zf_init zf_init_fan_in(int fan_in)
{
    return ZF_UNIFORM(1.0f / sqrtf((float)fan_in));
}

zf_status zf_params_new(zf_params **out, uint64_t seed)
{
    zf_params *params = calloc(1, sizeof *params);
    if (!params) return zf_fail_memory(sizeof *params);
    params->seed = seed;
    *out = params;
    return ZF_OK;
}

void zf_params_free(zf_params *params)
{
    if (!params) return;
    zf_arena_free(&params->names);
    free(params->list);
    free(params->values);
    free(params->buffers);
    free(params);
}

int zf_params_find(const zf_params *params, const char *name)
{
    for (int i = 0; i < params->count; i++)
        if (strcmp(params->list[i].name, name) == 0) return i;
    return -1;
}

static zf_status check_again(const zf_param *old, zf_shape shape, bool trainable)
{
    char now[ZF_SHAPE_TEXT], then[ZF_SHAPE_TEXT];
    if (!zf_shape_equal(old->shape, shape))
        return zf_fail(ZF_EINVAL, "parameter \"%s\" is asked for as %s, but was made as %s",
                       old->name, zf_shape_text(shape, now), zf_shape_text(old->shape, then));
    if (old->trainable != trainable)
        return zf_fail(ZF_EINVAL, "parameter \"%s\" is asked for both as trained and as a buffer",
                       old->name);
    return ZF_OK;
}

static zf_status check_new(const zf_params *params, const char *name, zf_shape shape)
{
    if (params->values)
        return zf_fail(ZF_EINVAL,
                       "parameter \"%s\" is new, but the set was fixed by an earlier plan", name);
    size_t size = 1;
    for (int i = 0; i < shape.rank; i++) {
        if (shape.dim[i] < 1)
            return zf_fail(ZF_EINVAL, "parameter \"%s\": dimension %d is %d, expected at least 1",
                           name, i, shape.dim[i]);
        size *= (size_t)shape.dim[i];
        if (size > INT_MAX)
            return zf_fail(ZF_EINVAL, "parameter \"%s\" has more than %d elements", name, INT_MAX);
    }
    return ZF_OK;
}

static zf_status grow(zf_params *params)
{
    if (params->count < params->capacity) return ZF_OK;
    int capacity = params->capacity ? 2 * params->capacity : 32;
    zf_param *list = realloc(params->list, (size_t)capacity * sizeof *list);
    if (!list) return zf_fail_memory((size_t)capacity * sizeof *list);
    params->list = list;
    params->capacity = capacity;
    return ZF_OK;
}

zf_status zf_params_get(int *out, zf_params *params, const char *name, zf_shape shape, zf_init init,
                        bool trainable)
{
    int found = zf_params_find(params, name);
    if (found >= 0) {
        ZF_TRY(check_again(&params->list[found], shape, trainable));
        *out = found;
        return ZF_OK;
    }
    ZF_TRY(check_new(params, name, shape));
    ZF_TRY(grow(params));
    char *own_name = zf_arena_string(&params->names, name);
    if (!own_name) return ZF_ENOMEM;
    size_t *end = trainable ? &params->length : &params->buffer_length;
    params->list[params->count] = (zf_param){
        .name = own_name,
        .shape = shape,
        .offset = *end,
        .size = zf_shape_size(shape),
        .trainable = trainable,
        .init = init,
    };
    *end += (zf_shape_size(shape) + PAD - 1) / PAD * PAD;
    *out = params->count++;
    return ZF_OK;
}

/* FNV-1a, of which the stream's address takes 56 bits. */
static uint64_t hash_of(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return hash >> 8;
}

static void draw(float *values, const zf_param *param, uint64_t seed)
{
    zf_random random = zf_random_at(seed, ZF_FOR_INIT, hash_of(param->name), 0);
    float a = param->init.a;
    for (size_t i = 0; i < param->size; i++) {
        switch (param->init.law) {
        case ZF_INIT_CONSTANT:
            values[i] = a;
            break;
        case ZF_INIT_UNIFORM:
            values[i] = a * (2.0f * zf_random_uniform(&random) - 1.0f);
            break;
        case ZF_INIT_SECOND_QUARTER:
            values[i] = 4 * i / param->size == 1 ? a : 0.0f;
            break;
        case ZF_INIT_NORMAL:
            values[i] = a * zf_random_normal(&random);
            break;
        }
    }
}

zf_status zf_params_fix(zf_params *params)
{
    if (params->values) return ZF_OK;
    float *values = zf_slab_new(params->length * sizeof *values);
    float *buffers = zf_slab_new(params->buffer_length * sizeof *buffers);
    if (!values || !buffers) {
        free(values);
        free(buffers);
        return ZF_ENOMEM;
    }
    params->values = values;
    params->buffers = buffers;
    for (int i = 0; i < params->count; i++)
        draw(zf_params_data(params, i), &params->list[i], params->seed);
    return ZF_OK;
}

int zf_params_count(const zf_params *params)
{
    return params->count;
}

const zf_param *zf_params_at(const zf_params *params, int index)
{
    return &params->list[index];
}

float *zf_params_data(zf_params *params, int index)
{
    const zf_param *param = &params->list[index];
    return (param->trainable ? params->values : params->buffers) + param->offset;
}

int zf_params_set_group(zf_params *params, const char *prefix, int group)
{
    int changed = 0;
    for (int i = 0; i < params->count; i++) {
        if (strncmp(params->list[i].name, prefix, strlen(prefix)) != 0) continue;
        params->list[i].group = group;
        changed++;
    }
    return changed;
}

float *zf_params_values(zf_params *params)
{
    return params->values;
}

size_t zf_params_length(const zf_params *params)
{
    return params->length;
}

uint64_t zf_params_seed(const zf_params *params)
{
    return params->seed;
}
