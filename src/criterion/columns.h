/* Columns of N numbers each, one after the other: [count, N]. What the tests of
   independence compute with. */
#ifndef ZF_CRITERION_COLUMNS_H
#define ZF_CRITERION_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct zf_columns {
    double *values; /* [count, rows] */
    size_t count, rows;
} zf_columns;

static inline double *zf_column_at(const zf_columns *columns, size_t i)
{
    return columns->values + i * columns->rows;
}

/* Room for `count` columns, all zero. ZF_ENOMEM. */
zf_status zf_columns_new(zf_columns *out, zf_arena *arena, size_t count, size_t rows) ZF_CHECK;

/* ZF_ENOMEM. */
zf_status zf_columns_copy(zf_columns *out, zf_arena *arena, const zf_columns *of) ZF_CHECK;

/* Gives a column mean 0 and mean square 1. One that is constant to rounding becomes 0:
   false. */
bool zf_column_standardise(double *column, size_t rows);

double zf_column_dot(const double *a, const double *b, size_t rows);

/* Whether a column is so correlated with one of the responses that it is hardly chance; none,
   NULL, never. All have mean 0. */
bool zf_column_shows(const double *column, const zf_columns *responses);

/* Which columns of a row-major table. */
typedef struct zf_chosen {
    const double *values; /* [rows, columns] */
    size_t rows, columns;
    const int32_t *which; /* [n] */
    size_t n;
} zf_chosen;

/* The normal scores of the chosen columns, standardised. ZF_ENOMEM. */
zf_status zf_columns_scores(zf_columns *out, zf_arena *arena, const zf_chosen *chosen) ZF_CHECK;

/* The ranks of normal scores, from 0 to 1: what the normal law has below them. ZF_ENOMEM. */
zf_status zf_columns_ranks(zf_columns *out, zf_arena *arena, const zf_columns *scores) ZF_CHECK;

/* The chosen columns themselves, standardised and cut at 6 deviations. ZF_ENOMEM. */
zf_status zf_columns_raw(zf_columns *out, zf_arena *arena, const zf_chosen *chosen) ZF_CHECK;

/* Five functions of each column of scores, standardised: its Hermite polynomials of
   degree 1 to 3, which see a shift, a spread and a skew, and a sine and a cosine of
   twice the score, which see what is local. Column c has 5 c .. 5 c + 4. */
enum { ZF_SHAPES = 5 };
zf_status zf_columns_shapes(zf_columns *out, zf_arena *arena, const zf_columns *scores) ZF_CHECK;

/* Adds to to[j], for each variable of these shapes, how much of the variance of a column, and of
   that of its square, goes with the variable's shapes one by one, less what chance gives. The
   square shows variables that matter by products alone. ZF_ENOMEM. */
zf_status zf_columns_relevance(double *to, const zf_columns *shapes, const double *column) ZF_CHECK;

/* As many, but bounded except for the first: Legendre polynomials of the rank of degree 2 and 3
   in place of Hermite's. Less is seen of far tails, but sums of their products are normal far
   out, where p-values are compared that are too small to be drawn. */
zf_status zf_columns_bounded_shapes(zf_columns *out, zf_arena *arena,
                                    const zf_columns *scores) ZF_CHECK;

/* Replaces the columns by an orthonormal basis of their space, without the directions
   along which the mean square of a row is not above `least`. These mean squares go to
   weights[count], if that is not NULL, in the order of the basis. */
zf_status zf_columns_orthonormalise(zf_columns *columns, double *weights, double least) ZF_CHECK;

/* columns -= what the orthonormal `basis` explains of them. ZF_ENOMEM. */
zf_status zf_columns_project_out(zf_columns *columns, const zf_columns *basis) ZF_CHECK;

#endif
