/* Gaussian graphical models with a known precision matrix, and draws from them.

   A matrix is kept as a band below its diagonal, because that is what chains
   and lattices are; a random graph has a band as wide as the matrix. */
#ifndef ZF_DATA_SYNTHETIC_H
#define ZF_DATA_SYNTHETIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/crew.h"
#include "zeroflow/status.h"

/* Symmetric (a precision matrix) or lower triangular (its Cholesky factor). */
typedef struct zf_band {
    int d, width;   /* entry (i, j) is 0 where |i - j| > width */
    double *values; /* [d * (width + 1)], row i: columns i - width .. i */
} zf_band;

/* Row i such that row[j] is entry (i, j) for i - width <= j <= i. */
static inline double *zf_band_row(const zf_band *band, int i)
{
    return band->values + (size_t)i * ((size_t)band->width + 1) + (band->width - i);
}

/* Of a symmetric one: any i and j. */
double zf_band_at(const zf_band *band, int i, int j);

void zf_band_free(zf_band *band); /* leaves an empty one */

/* Precision matrices, by the rules of zeroflow/generate.h. Arguments are right. */
zf_status zf_synthetic_chain(zf_band *precision, int d, int order) ZF_CHECK;
zf_status zf_synthetic_lattice(zf_band *precision, int side) ZF_CHECK;
zf_status zf_synthetic_random(zf_band *precision, int d, int edges, uint64_t seed) ZF_CHECK;
zf_status zf_synthetic_independent(zf_band *precision, int d, int width) ZF_CHECK; /* identity */

/* L with L L' = precision. ZF_ENUMERIC: not positive definite. */
zf_status zf_band_factor(zf_band *factor, const zf_band *precision) ZF_CHECK;

/* variances[d]: the diagonal of the inverse of L L'. ZF_ENOMEM. */
zf_status zf_band_variances(double *variances, const zf_band *factor) ZF_CHECK;

/* values [rows * d], row-major, rounded to float32; row r is a function of the seed and
   of r. */
typedef struct zf_synthetic_draw {
    double *values;
    size_t rows;
    uint64_t seed;
    zf_crew *crew;
} zf_synthetic_draw;

/* z, or sign(z) |z|^3 at variance 1. */
zf_status zf_synthetic_gaussian(const zf_synthetic_draw *draw, const zf_band *precision,
                                bool cubed) ZF_CHECK;

/* z given that every coordinate exceeds the bound. The precision must be
   diagonally dominant. */
zf_status zf_synthetic_truncated(const zf_synthetic_draw *draw, const zf_band *precision,
                                 double bound) ZF_CHECK;

/* Z_i = e_i sqrt(0.2 + 0.8 Z_{i-1}^2). */
void zf_synthetic_volatility(const zf_synthetic_draw *draw, int d);

/* Runs rows [from, to) of a draw in pieces over its crew. */
typedef void (*zf_synthetic_piece)(void *context, size_t from, size_t to, int worker);
void zf_synthetic_rows(const zf_synthetic_draw *draw, zf_synthetic_piece run, void *context);

#endif
