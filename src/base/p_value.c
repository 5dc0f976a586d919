#include "base/p_value.h"

#include <math.h>

#include "base/error.h"

static const double SAME = 1e-6;

double zf_p_value(size_t reaching, size_t others)
{
    return (double)(reaching + 1) / (double)(others + 1);
}

zf_status zf_p_value_rank(double *out, const double *values, size_t count)
{
    size_t reaching = 0;
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return zf_fail(ZF_ENUMERIC, "the statistic of the %s is %g, expected a finite number",
                           i == 0 ? "data" : "permuted data", values[i]);
    for (size_t i = 1; i < count; i++)
        reaching += values[i] >= values[0] - SAME * fmax(fabs(values[0]), fabs(values[i]));
    *out = zf_p_value(reaching, count - 1);
    return ZF_OK;
}
