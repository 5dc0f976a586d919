#include "evidence/rows.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"

zf_unit_rows zf_unit_rows_of(const double *values, size_t rows, size_t columns)
{
    return (zf_unit_rows){values, rows, columns, NULL, rows};
}

zf_status zf_unit_rows_group(zf_unit_rows *out, zf_arena *arena, const zf_unit_rows *from,
                             const double *groups)
{
    size_t n = from->rows, width = from->columns * sizeof *from->values, units;
    size_t *unit = zf_arena_get(arena, n * sizeof *unit);
    size_t *first = zf_arena_get(arena, (n + 2) * sizeof *first);
    double *values = zf_arena_get(arena, n * width);
    if (!unit || !first || !values) return ZF_ENOMEM;
    ZF_TRY(zf_units_number(unit, &units, n, groups, 0));
    *out = *from;
    if (units == n) return ZF_OK;
    /* Sorting by counts: first[u + 1] is where the next row of unit u goes, in the end where the
       rows of u + 1 begin. */
    for (size_t i = 0; i < n; i++) first[unit[i] + 2]++;
    for (size_t u = 0; u < units; u++) first[u + 2] += first[u + 1];
    for (size_t i = 0; i < n; i++) {
        size_t at = first[unit[i] + 1]++;
        if (width) memcpy(values + at * from->columns, from->values + i * from->columns, width);
    }
    *out = (zf_unit_rows){values, n, from->columns, first, units};
    return ZF_OK;
}

zf_status zf_unit_rows_cut(zf_unit_rows *out, zf_arena *arena, const zf_unit_rows *from,
                           size_t length)
{
    size_t units = from->rows / length;
    if (units == 0) units = 1;
    *out = *from;
    if (length == 1) return ZF_OK;
    size_t *first = zf_arena_get(arena, (units + 1) * sizeof *first);
    if (!first) return ZF_ENOMEM;
    for (size_t u = 0; u < units; u++) first[u] = u * length;
    first[units] = from->rows;
    out->first = first;
    out->units = units;
    return ZF_OK;
}

double zf_unit_rows_square(const size_t *first, size_t units, const double *a, const double *b)
{
    double square = 0;
    for (size_t u = 0; u < units; u++) {
        double sum = 0;
        for (size_t i = first[u]; i < first[u + 1]; i++) sum += a[i] * b[i];
        square += sum * sum;
    }
    return square;
}

double zf_unit_rows_repetition(const size_t *first, size_t units, const double *column)
{
    double together = 0, alone = 0;
    for (size_t u = 0; u < units; u++) {
        double sum = 0;
        for (size_t i = first[u]; i < first[u + 1]; i++) {
            sum += column[i];
            alone += column[i] * column[i];
        }
        together += sum * sum;
    }
    return alone > 0 ? fmax(1, together / alone) : 1;
}

static size_t unit_begins(const zf_unit_rows *rows, size_t unit)
{
    return rows->first ? rows->first[unit] : unit;
}

zf_status zf_unit_rows_choose(zf_unit_rows *out, zf_arena *arena, const zf_unit_rows *from,
                              const unsigned char *chosen)
{
    zf_unit_rows to = {.columns = from->columns};
    for (size_t u = 0; u < from->units; u++)
        if (chosen[u]) {
            to.rows += unit_begins(from, u + 1) - unit_begins(from, u);
            to.units++;
        }
    double *values = zf_arena_get(arena, to.rows * to.columns * sizeof *values);
    size_t *first = zf_arena_get(arena, (to.units + 1) * sizeof *first);
    if (!values || !first) return ZF_ENOMEM;
    size_t row = 0, unit = 0;
    for (size_t u = 0; u < from->units; u++) {
        if (!chosen[u]) continue;
        size_t begin = unit_begins(from, u), n = unit_begins(from, u + 1) - begin;
        memcpy(values + row * to.columns, from->values + begin * to.columns,
               n * to.columns * sizeof *values);
        first[unit++] = row;
        row += n;
    }
    first[unit] = row;
    to.values = values;
    to.first = from->first ? first : NULL;
    *out = to;
    return ZF_OK;
}
