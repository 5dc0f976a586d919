/* Distance correlation, in double, with the distances computed twice rather than kept:
   rows * rows of them would not fit for long tables. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "zeroflow/reduce.h"

typedef struct sample {
    const double *points;
    size_t columns, rows;
    double *means; /* of the distances from each row */
    double mean;   /* of all */
} sample;

static double distance(const sample *s, size_t i, size_t j)
{
    const double *a = s->points + i * s->columns, *b = s->points + j * s->columns;
    double squares = 0;
    for (size_t k = 0; k < s->columns; k++) {
        double apart = a[k] - b[k];
        squares += apart * apart;
    }
    return sqrt(squares);
}

static zf_status take_means(sample *s)
{
    s->means = calloc(s->rows, sizeof *s->means);
    if (!s->means) return zf_fail_memory(s->rows * sizeof *s->means);
    for (size_t i = 0; i < s->rows; i++) {
        for (size_t j = 0; j < s->rows; j++) s->means[i] += distance(s, i, j);
        s->means[i] /= (double)s->rows;
        s->mean += s->means[i] / (double)s->rows;
    }
    if (!(s->mean > 0) || !isfinite(s->mean))
        return zf_fail(ZF_EINPUT, "distance correlation: expected finite points that differ");
    return ZF_OK;
}

static double centred(const sample *s, size_t i, size_t j)
{
    return distance(s, i, j) - s->means[i] - s->means[j] + s->mean;
}

static double correlate(const sample *a, const sample *b)
{
    double ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < a->rows; i++)
        for (size_t j = 0; j <= i; j++) {
            double x = centred(a, i, j), y = centred(b, i, j), times = i == j ? 1 : 2;
            ab += times * x * y;
            aa += times * x * x;
            bb += times * y * y;
        }
    return sqrt(fmax(0, ab) / sqrt(aa * bb));
}

zf_status zf_distance_correlation(double *out, const double *a, size_t a_columns, const double *b,
                                  size_t b_columns, size_t rows)
{
    sample first = {a, a_columns, rows, NULL, 0}, second = {b, b_columns, rows, NULL, 0};
    if (rows < 2)
        return zf_fail(ZF_EINPUT, "distance correlation: %zu rows, expected at least 2", rows);
    zf_status status = take_means(&first);
    if (status == ZF_OK) status = take_means(&second);
    if (status == ZF_OK) *out = correlate(&first, &second);
    free(first.means);
    free(second.means);
    return status;
}
