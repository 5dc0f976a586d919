/* Every number that leaves the library is finite, or the job fails: here is where that is
   looked at, before anything is written. Writers of tables, graphs, features and models ask,
   and so do those who evaluate a model, whose weights may be finite and yet too large. */
#ifndef ZF_BASE_FINITE_H
#define ZF_BASE_FINITE_H

#include <stddef.h>

#include "zeroflow/status.h"

/* The place of the first of n values that is not finite; n if all are. */
size_t zf_finite_floats(const float *values, size_t n);
size_t zf_finite_doubles(const double *values, size_t n);

/* Rows of numbers, of one of two kinds, and how to call their places. */
typedef struct zf_grid {
    const float *floats;
    const double *doubles; /* in place of floats */
    size_t rows, columns;
    const char *row, *column; /* NULL: "row", "column" */
    const char *const *names; /* of the columns; NULL: by number */
    size_t before;            /* rows that are elsewhere: the first one here is number before + 1 */
} zf_grid;

/* ZF_ENUMERIC: a value is not finite; the message names its row and column, counted from 1.
   what: a file or a thing, put in front; NULL: nothing. */
zf_status zf_finite_check(const char *what, const zf_grid *grid) ZF_CHECK;

#endif
