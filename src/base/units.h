/* Rows that belong together: those with equal numbers in `groups`, or stretches of `block` rows.
   Such units are independent of each other; rows of one may not be. */
#ifndef ZF_BASE_UNITS_H
#define ZF_BASE_UNITS_H

#include <stddef.h>

#include "zeroflow/status.h"

/* ZF_EINVAL: groups as well as a block, a group that is not finite. groups may be NULL. */
zf_status zf_units_check(size_t rows, const double *groups, size_t block) ZF_CHECK;

/* Which unit each row is in: unit[rows] gets numbers from 0 in the order of the units' first
   rows, *units how many there are. Rows at the end that fill no block belong to the last one.
   NULL and 0: every row is a unit. ZF_ENOMEM. */
zf_status zf_units_number(size_t *unit, size_t *units, size_t rows, const double *groups,
                          size_t block) ZF_CHECK;

#endif
