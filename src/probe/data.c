#include "probe/data.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/error.h"

static zf_status check_set(const zf_probe_data *data, const zf_labelled *set, const char *name)
{
    if (set->rows == 0 || set->rows > INT_MAX)
        return zf_fail(ZF_EINPUT, "%s: expected 1 to %d rows, found %zu", name, INT_MAX, set->rows);
    for (size_t i = 0; i < set->rows; i++)
        if (set->labels[i] < 0 || (size_t)set->labels[i] >= data->classes)
            return zf_fail(ZF_EINPUT, "%s, row %zu: expected a label from 0 to %zu, found %d", name,
                           i + 1, data->classes - 1, (int)set->labels[i]);
    for (size_t i = 0; i < set->rows * data->dim; i++)
        if (!isfinite(set->features[i]))
            return zf_fail(ZF_EINPUT, "%s, row %zu: feature %zu is not a finite number", name,
                           i / data->dim + 1, i % data->dim + 1);
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

void zf_probe_moments(double *mean, double *deviation, const zf_labelled *set, size_t dim)
{
    memset(mean, 0, dim * sizeof *mean);
    for (size_t i = 0; i < set->rows; i++)
        for (size_t j = 0; j < dim; j++) mean[j] += (double)set->features[i * dim + j];
    for (size_t j = 0; j < dim; j++) mean[j] /= (double)set->rows;
    if (!deviation) return;
    memset(deviation, 0, dim * sizeof *deviation);
    for (size_t i = 0; i < set->rows; i++)
        for (size_t j = 0; j < dim; j++) {
            double gap = (double)set->features[i * dim + j] - mean[j];
            deviation[j] += gap * gap;
        }
    for (size_t j = 0; j < dim; j++) deviation[j] = sqrt(deviation[j] / (double)set->rows);
}

double zf_probe_share(const int32_t *given, const zf_labelled *set)
{
    size_t right = 0;
    for (size_t i = 0; i < set->rows; i++) right += given[i] == set->labels[i];
    return (double)right / (double)set->rows;
}
