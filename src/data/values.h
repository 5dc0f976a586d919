/* Tables of values as a method meets them. */
#ifndef ZF_DATA_VALUES_H
#define ZF_DATA_VALUES_H

#include <stddef.h>

#include "zeroflow/status.h"

/* rows * columns values, row-major. ZF_EINPUT: fewer than two rows or columns, or far
   too many; a value that is not finite; a constant column, by name. */
zf_status zf_values_check(const float *values, size_t rows, const char *const *names,
                          size_t columns) ZF_CHECK;

#endif
