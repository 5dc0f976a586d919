#include "data/values.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/moments.h"
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
        ZF_TRY(zf_values_check_column(values, rows, columns, j, names[j]));
    return ZF_OK;
}
