/* Shapes of up to four dimensions, row-major. */
#ifndef ZF_GRAPH_SHAPE_H
#define ZF_GRAPH_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

enum { ZF_MAX_RANK = 4 };

typedef struct zf_shape {
    int rank;
    int dim[ZF_MAX_RANK];
} zf_shape;

/* zf_shape_of(64), zf_shape_of(3, 32, 32), ...; ZF_SCALAR has rank 0. */
#define zf_shape_of(...)                                                                           \
    ((zf_shape){(int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), {__VA_ARGS__}})
#define ZF_SCALAR ((zf_shape){0, {0}})

/* The number of elements; 1 for rank 0. */
size_t zf_shape_size(zf_shape shape);
/* The same without the first dimension: the elements of a row. */
size_t zf_shape_row_size(zf_shape shape);
bool zf_shape_equal(zf_shape a, zf_shape b);
/* The shape with a dimension put in front, and with the first one taken away. */
zf_shape zf_shape_with_rows(int rows, zf_shape row);
zf_shape zf_shape_row(zf_shape shape);
/* "400x3x32x32", "scalar": for messages. The text is the caller's buffer. */
enum { ZF_SHAPE_TEXT = 64 };
const char *zf_shape_text(zf_shape shape, char text[ZF_SHAPE_TEXT]);

#endif
