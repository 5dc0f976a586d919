#include "criterion/pool.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/moments.h"
#include "data/marginals.h"
#include "data/text.h"
#include "data/values.h"

static zf_status check_sample(const double *values, size_t rows, const zf_two_samples *samples,
                              const char *which, size_t least)
{
    size_t columns = samples->columns;
    char shown[ZF_SHOWN_BYTES] = "";
    if (rows < least)
        return zf_fail(ZF_EINPUT, "the %s sample: expected at least %zu rows, found %zu", which,
                       least, rows);
    for (size_t i = 0; i < rows * columns; i++) {
        const char *expected = zf_value_expected(values[i]);
        if (!expected) continue;
        size_t column = i % columns;
        const char *name = samples->names ? samples->names[column] : "";
        return zf_fail(ZF_EINPUT,
                       "the %s sample, row %zu, column %zu \"%s\": expected %s, found %g", which,
                       i / columns + 1, column + 1,
                       zf_text_show(shown, sizeof shown, name, strlen(name)), expected, values[i]);
    }
    return ZF_OK;
}

static zf_status check_samples(const zf_two_samples *samples, size_t least)
{
    if (samples->columns == 0) return zf_fail(ZF_EINPUT, "expected at least one column");
    if (samples->first_rows > INT32_MAX / 2 || samples->second_rows > INT32_MAX / 2)
        return zf_fail(ZF_EINPUT, "expected less than 2^30 rows a sample, found %zu and %zu",
                       samples->first_rows, samples->second_rows);
    ZF_TRY(check_sample(samples->first, samples->first_rows, samples, "first", least));
    return check_sample(samples->second, samples->second_rows, samples, "second", least);
}

/* Row i of both samples, the first sample's before the second's. */
static const double *row_of(const zf_two_samples *samples, size_t i)
{
    return i < samples->first_rows ? samples->first + i * samples->columns
                                   : samples->second + (i - samples->first_rows) * samples->columns;
}

static int by_values(const void *a, const void *b, void *context)
{
    const zf_two_samples *samples = context;
    size_t i = *(const size_t *)a, j = *(const size_t *)b;
    const double *x = row_of(samples, i), *y = row_of(samples, j);
    for (size_t k = 0; k < samples->columns; k++)
        if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
    return i < j ? -1 : 1; /* equal rows, equal features: any order does that is always the same */
}

/* The rows in the pool's own order. */
static void fill(double *rows, zf_pool *pool, const zf_two_samples *samples)
{
    size_t columns = pool->columns, *order = pool->origin;
    zf_two_samples both = *samples;
    for (size_t i = 0; i < pool->rows; i++) order[i] = i;
    qsort_r(order, pool->rows, sizeof *order, by_values, &both);
    for (size_t i = 0; i < pool->rows; i++) {
        memcpy(rows + i * columns, row_of(samples, order[i]), columns * sizeof *rows);
        pool->second[i] = order[i] >= pool->of_first;
        if (pool->second[i]) order[i] -= pool->of_first;
    }
}

/* Column j with mean 0 and deviation 1; of normal scores too, which ties may have
   narrowed. False: it is constant. */
static bool standardise(float *values, const double *column, size_t rows, size_t columns, size_t j)
{
    zf_moments moments = zf_moments_of(column, rows, 1);
    bool varies = moments.deviation > 0;
    for (size_t i = 0; i < rows; i++)
        values[i * columns + j] =
            varies ? (float)((column[i] - moments.mean) / moments.deviation) : 0;
    return varies;
}

static zf_status apply_marginals(float *to, const double *from, const zf_pool *pool,
                                 zf_marginals_kind kind)
{
    size_t rows = pool->rows, columns = pool->columns, varying = 0;
    double *column = malloc(rows * sizeof *column);
    zf_status status = column ? ZF_OK : zf_fail_memory(rows * sizeof *column);
    for (size_t j = 0; status == ZF_OK && j < columns; j++) {
        for (size_t i = 0; i < rows; i++) column[i] = from[i * columns + j];
        if (kind != ZF_MARGINALS_STANDARD) status = zf_normal_scores(column, column, rows, 1);
        if (status == ZF_OK) varying += standardise(to, column, rows, columns, j);
    }
    free(column);
    if (status == ZF_OK && varying == 0)
        return zf_fail(ZF_EINPUT, "no column varies within both samples together, expected one "
                                  "at least");
    return status;
}

static zf_status fill_values(zf_pool *pool, const zf_two_samples *samples,
                             zf_marginals_kind marginals, const zf_report *report)
{
    double *rows = malloc(pool->rows * pool->columns * sizeof *rows);
    if (!rows) return zf_fail_memory(pool->rows * pool->columns * sizeof *rows);
    fill(rows, pool, samples);
    zf_status status = apply_marginals(pool->values, rows, pool, marginals);
    if (status == ZF_OK && marginals == ZF_MARGINALS_AUTO)
        status = apply_marginals(pool->local, rows, pool, ZF_MARGINALS_STANDARD);
    if (status == ZF_OK && marginals != ZF_MARGINALS_NORMAL_SCORES)
        status = zf_values_tell_lost(rows, pool->local, pool->rows, samples->names, pool->columns,
                                     report);
    free(rows);
    return status;
}

zf_status zf_pool_new(zf_pool *out, const zf_two_samples *samples, zf_marginals_kind marginals,
                      size_t least, const zf_report *report)
{
    ZF_TRY(check_samples(samples, least));
    size_t rows = samples->first_rows + samples->second_rows;
    zf_pool pool = {
        .values = malloc(rows * samples->columns * sizeof *pool.values),
        .second = malloc(rows * sizeof *pool.second),
        .origin = malloc(rows * sizeof *pool.origin),
        .rows = rows,
        .columns = samples->columns,
        .of_first = samples->first_rows,
        .of_second = samples->second_rows,
    };
    pool.local = marginals == ZF_MARGINALS_AUTO ? malloc(rows * pool.columns * sizeof *pool.local)
                                                : pool.values;
    zf_status status = pool.values && pool.local && pool.second && pool.origin
                           ? ZF_OK
                           : zf_fail_memory(rows * samples->columns * sizeof *pool.values);
    if (status == ZF_OK) status = fill_values(&pool, samples, marginals, report);
    if (status == ZF_OK)
        *out = pool;
    else
        zf_pool_free(&pool);
    return status;
}

void zf_pool_free(zf_pool *pool)
{
    if (pool->local != pool->values) free(pool->local);
    free(pool->values);
    free(pool->second);
    free(pool->origin);
    memset(pool, 0, sizeof *pool);
}
