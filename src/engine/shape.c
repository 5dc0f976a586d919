#include "engine/shape.h"

#include <stdio.h>

static size_t product(zf_shape shape, int from)
{
    size_t size = 1;
    for (int i = from; i < shape.rank; i++) size *= (size_t)shape.dim[i];
    return size;
}

size_t zf_shape_size(zf_shape shape)
{
    return product(shape, 0);
}

size_t zf_shape_row_size(zf_shape shape)
{
    return product(shape, 1);
}

bool zf_shape_equal(zf_shape a, zf_shape b)
{
    if (a.rank != b.rank) return false;
    for (int i = 0; i < a.rank; i++)
        if (a.dim[i] != b.dim[i]) return false;
    return true;
}

zf_shape zf_shape_with_rows(int rows, zf_shape row)
{
    zf_shape shape = {.rank = row.rank + 1, .dim = {rows}};
    for (int i = 0; i < row.rank; i++) shape.dim[i + 1] = row.dim[i];
    return shape;
}

zf_shape zf_shape_row(zf_shape shape)
{
    zf_shape row = {.rank = shape.rank - 1};
    for (int i = 1; i < shape.rank; i++) row.dim[i - 1] = shape.dim[i];
    return row;
}

const char *zf_shape_text(zf_shape shape, char text[ZF_SHAPE_TEXT])
{
    int used = snprintf(text, ZF_SHAPE_TEXT, shape.rank == 0 ? "scalar" : "%d", shape.dim[0]);
    for (int i = 1; i < shape.rank; i++)
        used += snprintf(text + used, (size_t)(ZF_SHAPE_TEXT - used), "x%d", shape.dim[i]);
    return text;
}
