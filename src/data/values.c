#include "data/values.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/moments.h"
#include "data/distinct.h"
#include "data/text.h"

const char *zf_value_expected(double value)
{
    if (!isfinite(value)) return "a finite number";
    return fabs(value) > ZF_VALUE_MOST ? "a number up to 1e300" : NULL;
}

zf_status zf_values_check_column(const double *values, size_t rows, size_t stride, size_t column,
                                 const char *name)
{
    char label[ZF_COLUMN_LABEL];
    bool varies = false;
    for (size_t i = 0; i < rows; i++) {
        double value = values[i * stride + column];
        const char *expected = zf_value_expected(value);
        if (expected)
            return zf_fail(ZF_EINPUT, "%s, row %zu: expected %s, found %g",
                           zf_text_column(label, name, column), i + 1, expected, value);
        varies |= value != values[column];
    }
    if (varies) return ZF_OK;
    return zf_fail(ZF_EINPUT, "%s is constant: expected values that vary; leave it out",
                   zf_text_column(label, name, column));
}

zf_status zf_values_check(const double *values, size_t rows, const char *const *names,
                          size_t columns)
{
    if (rows < 2 || columns < 2)
        return zf_fail(ZF_EINPUT, "%zu rows of %zu columns: expected at least two of each", rows,
                       columns);
    if (columns > 1 << 20 || rows > INT32_MAX)
        return zf_fail(ZF_EINPUT, "%zu rows of %zu columns are too many", rows, columns);
    for (size_t j = 0; j < columns; j++)
        ZF_TRY(zf_values_check_column(values, rows, columns, j, names ? names[j] : NULL));
    return ZF_OK;
}

/* Counts the losses of one column. */
static zf_status look(zf_resolution *resolution, const double *values, const float *seen,
                      size_t rows, size_t columns)
{
    zf_resolution_clear(resolution);
    for (size_t i = 0; i < rows && !zf_distinct_full(&resolution->values); i++)
        ZF_TRY(zf_resolution_add(resolution, values[i * columns], seen[i * columns]));
    return ZF_OK;
}

zf_status zf_values_tell_lost(const double *values, const float *seen, size_t rows,
                              const char *const *names, size_t columns, const zf_report *report)
{
    enum { NAMED_MOST = 5 };
    zf_resolution resolution = {0};
    char label[ZF_COLUMN_LABEL], line[256];
    size_t found = 0;
    zf_status status = ZF_OK;
    for (size_t j = 0; report->log && j < columns; j++) {
        status = look(&resolution, values + j, seen + j, rows, columns);
        if (status != ZF_OK) break;
        size_t lost = zf_resolution_lost(&resolution);
        if (lost == 0 || ++found > NAMED_MOST) continue;
        snprintf(line, sizeof line,
                 "%s: standardised, %zu of %zu distinct values fall together in float32, as others "
                 "lie so far away; normal scores keep them apart",
                 zf_text_column(label, names ? names[j] : NULL, j), lost, resolution.values.count);
        report->log(report->context, ZF_WARNING, line);
    }
    if (found > NAMED_MOST) {
        snprintf(line, sizeof line, "%zu more columns lose values in float32", found - NAMED_MOST);
        report->log(report->context, ZF_WARNING, line);
    }
    zf_resolution_free(&resolution);
    return status;
}
