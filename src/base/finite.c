/* By exponent bits, a block at a time: the loop over a block has no way out, so that the
   compiler makes vectors of it and a check costs what reading the memory costs. */
#include "base/finite.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

enum { BLOCK = 4096 };

size_t zf_finite_floats(const float *values, size_t n)
{
    const uint32_t exponent = UINT32_C(0xff) << 23;
    for (size_t first = 0; first < n; first += BLOCK) {
        size_t end = n - first < BLOCK ? n : first + BLOCK;
        unsigned bad = 0;
        for (size_t i = first; i < end; i++) {
            uint32_t bits;
            memcpy(&bits, values + i, sizeof bits);
            bad |= (bits & exponent) == exponent;
        }
        for (size_t i = first; bad && i < end; i++)
            if (!isfinite(values[i])) return i;
    }
    return n;
}

size_t zf_finite_doubles(const double *values, size_t n)
{
    const uint64_t exponent = UINT64_C(0x7ff) << 52;
    for (size_t first = 0; first < n; first += BLOCK) {
        size_t end = n - first < BLOCK ? n : first + BLOCK;
        unsigned bad = 0;
        for (size_t i = first; i < end; i++) {
            uint64_t bits;
            memcpy(&bits, values + i, sizeof bits);
            bad |= (bits & exponent) == exponent;
        }
        for (size_t i = first; bad && i < end; i++)
            if (!isfinite(values[i])) return i;
    }
    return n;
}

zf_status zf_finite_check(const char *what, const zf_grid *grid)
{
    size_t n = grid->rows * grid->columns;
    size_t at =
        grid->floats ? zf_finite_floats(grid->floats, n) : zf_finite_doubles(grid->doubles, n);
    if (at == n) return ZF_OK;
    double value = grid->floats ? (double)grid->floats[at] : grid->doubles[at];
    size_t column = at % grid->columns;
    char place[160];
    if (grid->names)
        snprintf(place, sizeof place, "\"%.100s\"", grid->names[column]);
    else
        snprintf(place, sizeof place, "%zu", column + 1);
    return zf_fail(ZF_ENUMERIC, "%s%s%s %zu, %s %s is %s, expected a finite number",
                   what ? what : "", what ? ": " : "", grid->row ? grid->row : "row",
                   grid->before + at / grid->columns + 1, grid->column ? grid->column : "column",
                   place,
                   isnan(value) ? "not a number"
                   : value > 0  ? "infinity"
                                : "-infinity");
}
