#include "golden.h"

#include "support.h"

#include <stdio.h>

#include "base/arena.h"
#include "io/safetensors.h"

struct golden {
    zf_arena arena; /* this struct and the arrays are in it */
    zf_safetensors *file;
    char path[512];
};

golden *golden_open(const char *name)
{
    zf_arena arena = {0};
    golden *g = zf_arena_get(&arena, sizeof *g);
    assert_non_null(g);
    g->arena = arena;
    snprintf(g->path, sizeof g->path, "%s/golden/%s.safetensors", ZF_TEST_FOLDER, name);
    assert_ok(zf_safetensors_open(&g->file, g->path));
    return g;
}

void golden_close(golden *g)
{
    zf_safetensors_close(g->file);
    zf_arena arena = g->arena;
    zf_arena_free(&arena);
}

bool golden_has(const golden *g, const char *name)
{
    return zf_safetensors_find(g->file, name) != NULL;
}

static const zf_tensor *find(const golden *g, const char *name)
{
    const zf_tensor *tensor = zf_safetensors_find(g->file, name);
    if (!tensor) fail_msg("%s has no array \"%s\"", g->path, name);
    return tensor;
}

const float *golden_array(golden *g, const char *name)
{
    const zf_tensor *tensor = find(g, name);
    float *values = zf_arena_get(&g->arena, zf_tensor_size(tensor) * sizeof *values);
    assert_non_null(values);
    assert_ok(zf_safetensors_read(g->file, values, name, tensor->rank, tensor->dim));
    return values;
}

const double *golden_doubles(golden *g, const char *name)
{
    const zf_tensor *tensor = find(g, name);
    double *values = zf_arena_get(&g->arena, zf_tensor_size(tensor) * sizeof *values);
    assert_non_null(values);
    assert_ok(zf_safetensors_read_doubles(g->file, values, name, tensor->rank, tensor->dim));
    return values;
}

size_t golden_size(const golden *g, const char *name)
{
    return zf_tensor_size(find(g, name));
}

zf_shape golden_shape(const golden *g, const char *name)
{
    const zf_tensor *tensor = find(g, name);
    zf_shape shape = {.rank = tensor->rank};
    assert_in_range(tensor->rank, 0, ZF_MAX_RANK);
    for (int i = 0; i < tensor->rank; i++) shape.dim[i] = (int)tensor->dim[i];
    return shape;
}
