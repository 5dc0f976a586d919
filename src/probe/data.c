#include "probe/data.h"

#include <limits.h>
#include <math.h>

#include "base/error.h"
#include "base/finite.h"
#include "kernel/channels.h"

/* Probes multiply and add up features in float32, where the squares of larger ones overflow
   and those of smaller ones vanish. */
static const float SMALL = 1e-15f, LARGE = 1e15f;

zf_status zf_probe_check_rows(const float *features, size_t rows, size_t dim, const char *name)
{
    if (rows == 0 || rows > INT_MAX)
        return zf_fail(ZF_EINPUT, "%s: expected 1 to %d rows, found %zu", name, INT_MAX, rows);
    size_t n = rows * dim, at = zf_finite_floats(features, n);
    if (at < n)
        return zf_fail(ZF_EINPUT, "%s, row %zu: feature %zu is not a finite number", name,
                       at / dim + 1, at % dim + 1);
    float largest = 0;
    for (size_t i = 0; i < n; i++) largest = fmaxf(largest, fabsf(features[i]));
    if (largest == 0 || (largest >= SMALL && largest <= LARGE)) return ZF_OK;
    return zf_fail(ZF_EINPUT,
                   "%s: the largest feature is %.3g, expected %g to %g: give them another "
                   "unit",
                   name, (double)largest, (double)SMALL, (double)LARGE);
}

static zf_status check_set(const zf_probe_data *data, const zf_labelled *set, const char *name)
{
    ZF_TRY(zf_probe_check_rows(set->features, set->rows, data->dim, name));
    for (size_t i = 0; i < set->rows; i++)
        if (set->labels[i] < 0 || (size_t)set->labels[i] >= data->classes)
            return zf_fail(ZF_EINPUT, "%s, row %zu: expected a label from 0 to %zu, found %d", name,
                           i + 1, data->classes - 1, (int)set->labels[i]);
    return ZF_OK;
}

zf_status zf_probe_check(const zf_probe_data *data)
{
    if (data->dim < 1 || data->dim > INT_MAX / 2)
        return zf_fail(ZF_EINPUT, "features: expected 1 to %d columns, found %zu", INT_MAX / 2,
                       data->dim);
    if (data->classes < 2 || data->classes > INT_MAX / 2)
        return zf_fail(ZF_EINPUT, "labels: expected at least two classes, found %zu",
                       data->classes);
    ZF_TRY(check_set(data, &data->train, "training set"));
    for (size_t i = 0; i < data->n_tests; i++) ZF_TRY(check_set(data, &data->tests[i], "test set"));
    return ZF_OK;
}

void zf_probe_moments(double *mean, double *deviation, const float *features, size_t rows,
                      size_t dim)
{
    zf_channels()->moments(mean, deviation, features, (zf_channels_shape){rows, dim, 1});
    for (size_t j = 0; j < dim; j++) deviation[j] = sqrt(deviation[j] / (double)rows);
}

double zf_probe_share(const int32_t *given, const zf_labelled *set)
{
    size_t right = 0;
    for (size_t i = 0; i < set->rows; i++) right += given[i] == set->labels[i];
    return (double)right / (double)set->rows;
}
