#include "evidence/shrunk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "evidence/result.h"
#include "kernel/lapack.h"

enum { LEAST_VARIABLES = 32 }; /* about 500 pairs */

/* |z| of a standard normal law is below this half of the time. */
static const double NORMAL_MEDIAN = 0.6744897501960817;

static const double LEAST_PIVOT = 1e-10;
static const double LARGEST = 1 - 1e-15; /* correlation with a finite z */

double zf_shrinkage_share(const double *correlation, const double *fourth, size_t n, size_t rows)
{
    double noise = 0, signal = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double r = correlation[i * n + j];
            noise += (fourth[i * n + j] - r * r) / ((double)rows - 1);
            signal += r * r;
        }
    return signal > 0 ? fmin(1, fmax(0, noise / signal)) : 1;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double zf_null_deviation(double *sizes, size_t n)
{
    qsort(sizes, n, sizeof *sizes, ascending);
    return (sizes[(n - 1) / 2] + sizes[n / 2]) / 2 / NORMAL_MEDIAN;
}

bool zf_shrunk_helps(const zf_sample *sample)
{
    return !sample->first && sample->variables >= LEAST_VARIABLES &&
           !zf_sample_sees_interactions(sample);
}

/* The mean over rows of the products of columns, each with each. */
static void mean_products(double *to, const double *columns, size_t n, size_t rows)
{
    zf_multiply(to, (zf_factor){columns, false}, (zf_factor){columns, true}, n, n, rows,
                1 / (double)rows, 0);
}

static void shrink(double *correlation, double share, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            correlation[i * n + j] = i == j ? 1 : (1 - share) * correlation[i * n + j];
}

/* Fisher's z of partial correlations in units of its null, from the inverse. sizes: [pairs]. */
static void scale(double *out, double *sizes, const double *inverse, size_t n)
{
    size_t pairs = n * (n - 1) / 2;
    for (size_t i = 1; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double r = -inverse[i * n + j] / sqrt(inverse[i * n + i] * inverse[j * n + j]);
            size_t at = zf_pair_at(i, j);
            out[at] = atanh(fmax(-LARGEST, fmin(LARGEST, r)));
            sizes[at] = fabs(out[at]);
        }
    double deviation = zf_null_deviation(sizes, pairs);
    for (size_t at = 0; at < pairs; at++) out[at] = deviation > 0 ? out[at] / deviation : 0;
}

zf_status zf_shrunk_deviations(double *out, const zf_sample *sample)
{
    size_t n = sample->variables, rows = sample->rows;
    const double *scores = sample->scores.values;
    double *squares = malloc(n * rows * sizeof *squares);
    double *correlation = malloc(n * n * sizeof *correlation);
    double *fourth = malloc(n * n * sizeof *fourth);
    zf_status status = ZF_OK;
    if (squares && correlation && fourth) {
        for (size_t i = 0; i < n * rows; i++) squares[i] = scores[i] * scores[i];
        mean_products(correlation, scores, n, rows);
        mean_products(fourth, squares, n, rows);
        shrink(correlation, zf_shrinkage_share(correlation, fourth, n, rows), n);
        if (zf_invert_positive(correlation, n, LEAST_PIVOT) == 0)
            scale(out, fourth, correlation, n);
        else
            memset(out, 0, n * (n - 1) / 2 * sizeof *out);
    } else {
        status = zf_fail_memory(n * (rows + 2 * n) * sizeof(double));
    }
    free(squares);
    free(correlation);
    free(fourth);
    return status;
}
