#include "base/units.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

zf_status zf_units_check(size_t rows, const double *groups, size_t block)
{
    if (groups && block) return zf_fail(ZF_EINVAL, "groups and blocks cannot be used together");
    for (size_t i = 0; groups && i < rows; i++)
        if (!isfinite(groups[i]))
            return zf_fail(ZF_EINVAL, "row %zu: its group is %g, expected a finite number", i + 1,
                           groups[i]);
    return ZF_OK;
}

typedef struct labelled {
    double group;
    size_t row;
} labelled;

static int by_group(const void *a, const void *b)
{
    const labelled *x = a, *y = b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static zf_status number_groups(size_t *unit, size_t *units, size_t rows, const double *groups)
{
    labelled *list = malloc((rows + 1) * sizeof *list);
    if (!list) return zf_fail_memory(rows * sizeof *list);
    for (size_t i = 0; i < rows; i++) list[i] = (labelled){groups[i], i};
    qsort(list, rows, sizeof *list, by_group);
    /* First by the row that leads each group, which is its first; then leaders are counted. */
    for (size_t i = 0, leader = 0; i < rows; i++) {
        if (i == 0 || list[i].group != list[i - 1].group) leader = list[i].row;
        unit[list[i].row] = leader;
    }
    free(list);
    *units = 0;
    for (size_t i = 0; i < rows; i++) unit[i] = unit[i] == i ? (*units)++ : unit[unit[i]];
    return ZF_OK;
}

zf_status zf_units_number(size_t *unit, size_t *units, size_t rows, const double *groups,
                          size_t block)
{
    if (groups) return number_groups(unit, units, rows, groups);
    if (block == 0) block = 1;
    *units = rows / block ? rows / block : 1;
    for (size_t i = 0; i < rows; i++) {
        size_t at = i / block;
        unit[i] = at < *units ? at : *units - 1;
    }
    return ZF_OK;
}
