/* Tables of values as a method meets them: float64, not yet centred or scaled. */
#ifndef ZF_DATA_VALUES_H
#define ZF_DATA_VALUES_H

#include <stddef.h>

#include "zeroflow/report.h"
#include "zeroflow/status.h"

/* Column `column` of rows that are `stride` values apart. name is for messages; NULL: its
   number. ZF_EINPUT: a value that is not finite or above ZF_VALUE_MOST; all values equal. */
zf_status zf_values_check_column(const double *values, size_t rows, size_t stride, size_t column,
                                 const char *name) ZF_CHECK;

/* NULL, or what a value that is not fit for use should have been: "a finite number". */
const char *zf_value_expected(double value);

/* rows * columns values, row-major. ZF_EINPUT: fewer than two rows or columns, or far
   too many; a value that is not finite or too large; a constant column, by name. names may be
   NULL: numbers. */
zf_status zf_values_check(const double *values, size_t rows, const char *const *names,
                          size_t columns) ZF_CHECK;

/* Warns, through report->log, of columns whose distinct values fall together in float32: a
   few by name, the others by number. `seen` [rows, columns] is what became of the values.
   names may be NULL. ZF_ENOMEM. */
zf_status zf_values_tell_lost(const double *values, const float *seen, size_t rows,
                              const char *const *names, size_t columns,
                              const zf_report *report) ZF_CHECK;

#endif
