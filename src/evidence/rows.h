/* Rows of a table, some of which belong together: those of a group, or of a stretch of time. */
#ifndef ZF_EVIDENCE_ROWS_H
#define ZF_EVIDENCE_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "zeroflow/status.h"

/* Units are independent of each other; rows of one may not be, and stand together. */
typedef struct zf_unit_rows {
    const double *values; /* [rows, columns] */
    size_t rows, columns;
    const size_t *first; /* [units + 1], the first row of each; NULL: every row is a unit */
    size_t units;
} zf_unit_rows;

/* The rows as they are. */
zf_unit_rows zf_unit_rows_of(const double *values, size_t rows, size_t columns);

/* Without columns only the units are told. Puts rows with equal numbers in `groups` together, in
   the order of their first rows. If no two are equal, the rows as they are. ZF_ENOMEM. */
zf_status zf_unit_rows_group(zf_unit_rows *out, zf_arena *arena, const zf_unit_rows *from,
                             const double *groups) ZF_CHECK;

/* Stretches of `length` rows that follow each other, 1 or more, as units; rows at the end that
   fill no stretch belong to the last. ZF_ENOMEM. */
zf_status zf_unit_rows_cut(zf_unit_rows *out, zf_arena *arena, const zf_unit_rows *from,
                           size_t length) ZF_CHECK;

/* The rows of some units, in ascending order. chosen: [from->units]. ZF_ENOMEM. */
zf_status zf_unit_rows_choose(zf_unit_rows *out, zf_arena *arena, const zf_unit_rows *from,
                              const unsigned char *chosen) ZF_CHECK;

/* The sum over units of the squares of sums of products: what the square of the sum of all
   products is in the mean, where units are independent and the products have mean 0. */
double zf_unit_rows_square(const size_t *first, size_t units, const double *a, const double *b);

/* By how much rows of a unit repeat each other in a column of mean 0: the factor by which its
   sum varies more than that of independent rows; at least 1. */
double zf_unit_rows_repetition(const size_t *first, size_t units, const double *column);

#endif
