/* Which numbers of a code tell something that those before them do not. */
#ifndef ZF_REDUCE_DISTINCT_H
#define ZF_REDUCE_DISTINCT_H

#include <stddef.h>

#include "zeroflow/status.h"

/* Of the first `chosen` of dim numbers, those that are distinct: of which functions of the
   distinct ones before leave more than a hundredth of the variance. codes: [n, dim]. Row k of
   map [dim, dim] makes the k-th of them from a code that is centred by mean [dim]: uncorrelated
   with those before it, of deviation 1. *kept: how many there are, at least one. ZF_ENOMEM. */
zf_status zf_reduce_distinct(float *map, int *kept, const float *codes, const float *mean, size_t n,
                             int chosen, int dim) ZF_CHECK;

#endif
