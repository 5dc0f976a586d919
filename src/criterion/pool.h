/* Two samples as one: what a test may look at besides the labels.

   The rows stand in an order of their own (by their values, first column first), so
   that nothing but `second` tells which sample a row came from, and no result depends
   on the order of rows in a file. Marginals are fitted on the pool for the same
   reason: any function of the pool is the same under every labelling.

   Automatic marginals are normal scores where means and products are compared, which
   far-out values would rule, and standard where neighbourhoods are, whose gaps normal
   scores would close: on a grid of blobs they cost two thirds of the power. */
#ifndef ZF_CRITERION_POOL_H
#define ZF_CRITERION_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "zeroflow/two_sample.h"

/* Letters: N rows of the pool, D columns. */
typedef struct zf_pool {
    float *values;   /* [N, D], marginals applied; a constant column is 0 */
    float *local;    /* the same for neighbourhoods: standard where marginals are automatic, else
                        values itself */
    uint8_t *second; /* [N]: 1 where the row is of the second sample */
    size_t *origin;  /* [N]: its row there */
    size_t rows, columns;
    size_t of_first, of_second;
} zf_pool;

/* ZF_EINPUT: a sample with fewer rows than `least`, a value that is not finite, no
   column that varies. names may be NULL. Warns of columns that lose values in float32. */
zf_status zf_pool_new(zf_pool *out, const zf_two_samples *samples, zf_marginals_kind marginals,
                      size_t least, const zf_report *report) ZF_CHECK;

void zf_pool_free(zf_pool *pool); /* leaves an empty one; {0} is fine */

#endif
