/* Control of the share of false discoveries. */
#ifndef ZF_EVIDENCE_DISCOVERY_H
#define ZF_EVIDENCE_DISCOVERY_H

#include <stddef.h>

#include "zeroflow/status.h"

/* q-values of n p-values: the least level of the false discovery rate at which each is a
   discovery. It is one at level q if the step-up procedure of Benjamini and Hochberg (1995) at q
   takes it, and so does the support line of Soloff, Xiang and Fithian (2024) at 5 q, which holds
   the chance that the last one taken is false: at 0.1, none is more likely false than true.
   Without the second, a level that strong discoveries do not need is used up by weak ones that
   are nearly all false. And no q-value is below 2 n times the smallest p-value: where nothing is
   true, any discovery at all is false, and there is one at 0.1 in at most one case of twenty. Both
   arrays have their values `stride` apart. ZF_ENOMEM. */
zf_status zf_discovery_adjust(double *q, const double *p, size_t stride, size_t n) ZF_CHECK;

/* The local false discovery rate of each, by Grenander's estimate of the density of p-values:
   about the chance that it is false; never below the q-value of Benjamini and Hochberg, since
   those before it are surer. local: [n]; the p-values lie `stride` apart. ZF_ENOMEM. */
zf_status zf_discovery_local(double *local, const double *p, size_t stride, size_t n) ZF_CHECK;

#endif
