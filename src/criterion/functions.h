/* Functions of variables, as columns to regress on. */
#ifndef ZF_CRITERION_FUNCTIONS_H
#define ZF_CRITERION_FUNCTIONS_H

#include "criterion/columns.h"

/* Columns that are being collected; what does not fit is left out. */
typedef struct zf_collection {
    zf_columns columns; /* count: those that are there */
    size_t room;
} zf_collection;

/* ZF_ENOMEM. */
zf_status zf_collection_new(zf_collection *out, zf_arena *arena, size_t room, size_t rows) ZF_CHECK;
bool zf_collection_full(const zf_collection *collection);
void zf_collection_add(zf_collection *to, const zf_columns *more);

/* Where the next column goes, while there is room; zf_collection_take then standardises it and
   takes it in, times scale, unless it is constant. */
double *zf_collection_next(const zf_collection *collection);
void zf_collection_take(zf_collection *to, double scale);

/* Hermite polynomials of degree 2 and 3 of each score, a sine and a cosine of twice the score. */
enum { ZF_SINGLE_FUNCTIONS = 4 };
void zf_add_single_functions(zf_collection *to, const zf_columns *scores);

/* Products of any two. */
void zf_add_products(zf_collection *to, const zf_columns *scores);

/* Cosines of ranks (zf_columns_ranks), of so many half turns. */
void zf_add_cosines(zf_collection *to, const zf_columns *ranks, int first, int last);

/* `most` waves in random directions, of random length: from 0 to about 3 turns in the bulk.
   weights: of the variables in the directions; NULL: all alike. */
void zf_add_waves(zf_collection *to, const zf_columns *scores, const double *weights, uint32_t most,
                  uint64_t seed);

/* Makes scores white: orthonormal times the root of N. `inputs` gets these and then, white and
   orthogonal to them, what raw variables add that is more than `raw_least` of their variance.
   raw: of no columns, if these are not wanted. ZF_ENOMEM, ZF_ENUMERIC. */
zf_status zf_whiten(zf_columns *inputs, zf_columns *white, zf_arena *arena,
                    const zf_columns *scores, const zf_columns *raw, double raw_least) ZF_CHECK;

#endif
