/* p-values by rank: the observed value among others that are as likely if the null
   hypothesis holds. The observed one counts itself, so that no p-value is below
   1 / (others + 1), however far out it is. Every p-value of the library is made here. */
#ifndef ZF_BASE_P_VALUE_H
#define ZF_BASE_P_VALUE_H

#include <stddef.h>

#include "zeroflow/status.h"

/* `reaching` of `others` are at least as extreme as what was observed. */
double zf_p_value(size_t reaching, size_t others);

/* values[0] was observed; large values are extreme. Values closer than 1e-6 of the larger
   are taken for equal, as rounding may part what symmetry makes the same. ZF_ENUMERIC: a
   value is not finite. */
zf_status zf_p_value_rank(double *out, const double *values, size_t count) ZF_CHECK;

#endif
