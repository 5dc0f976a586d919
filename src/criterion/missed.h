/* What regressions missed: do residuals still depend on the variables that they were freed of? */
#ifndef ZF_CRITERION_MISSED_H
#define ZF_CRITERION_MISSED_H

#include "criterion/given.h"

/* A response, what is left of it, and the shares of the basis that were taken. */
typedef struct zf_fitted {
    const double *response, *residual; /* [N], of mean 0 */
    const double *taken;               /* [basis.count], of zf_regression */
} zf_fitted;

/* By how many deviations of chance each of n residuals depends on the given variables: to[n],
   about normal where a residual is noise. ZF_ENOMEM. */
zf_status zf_missed(double *to, const zf_given *given, const zf_fitted *fitted, size_t n,
                    uint64_t seed) ZF_CHECK;

#endif
