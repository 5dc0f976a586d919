#include "train/limits.h"

#include <math.h>

#include "base/error.h"

enum { BATCH_MOST = 1 << 20 };

zf_status zf_training_check(const zf_training_numbers *n)
{
    if (n->iterations < 1) return zf_fail(ZF_EINVAL, "iterations: expected at least 1, found 0");
    if (n->batch < 1 || n->batch > BATCH_MOST)
        return zf_fail(ZF_EINVAL, "batch: expected 1 to %d, found %d", BATCH_MOST, n->batch);
    if (n->hidden < 1 || n->hidden > ZF_HIDDEN_MOST)
        return zf_fail(ZF_EINVAL, "hidden: expected 1 to %d, found %d", ZF_HIDDEN_MOST, n->hidden);
    if (!(n->rate > 0) || !isfinite(n->rate))
        return zf_fail(ZF_EINVAL, "rate: expected a number above 0, found %g", n->rate);
    if (!(n->zero_weight >= 0) || !isfinite(n->zero_weight))
        return zf_fail(ZF_EINVAL, "weight of the zero-flow term: expected 0 or more, found %g",
                       n->zero_weight);
    return ZF_OK;
}
