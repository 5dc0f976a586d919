#include "data/values.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

zf_status zf_values_check(const float *values, size_t rows, const char *const *names,
                          size_t columns)
{
    if (rows < 2 || columns < 2)
        return zf_fail(ZF_EINPUT, "%zu rows of %zu columns: expected at least two of each", rows,
                       columns);
    if (columns > 1 << 20 || rows > INT32_MAX)
        return zf_fail(ZF_EINPUT, "%zu rows of %zu columns are too many", rows, columns);
    for (size_t j = 0; j < columns; j++) {
        bool varies = false;
        for (size_t i = 0; i < rows; i++) {
            if (!isfinite(values[i * columns + j]))
                return zf_fail(ZF_EINPUT, "column \"%s\", row %zu: not a finite number", names[j],
                               i + 1);
            varies |= values[i * columns + j] != values[j];
        }
        if (!varies)
            return zf_fail(ZF_EINPUT,
                           "column \"%s\" is constant: it predicts nothing and nothing "
                           "predicts it; leave it out",
                           names[j]);
    }
    return ZF_OK;
}
