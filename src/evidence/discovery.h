/* Control of the share of false discoveries. */
#ifndef ZF_EVIDENCE_DISCOVERY_H
#define ZF_EVIDENCE_DISCOVERY_H

#include <stddef.h>

#include "zeroflow/status.h"

/* q-values of n p-values (Benjamini and Hochberg, 1995): the least level of the false discovery
   rate at which each is a discovery. Both arrays have their values `stride` apart. ZF_ENOMEM. */
zf_status zf_discovery_adjust(double *q, const double *p, size_t stride, size_t n) ZF_CHECK;

#endif
