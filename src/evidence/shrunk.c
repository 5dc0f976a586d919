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

/* What is no straight line is chance up to so many deviations, and small up to such a share of what
   is one. */
static const double CHANCE_DEVIATIONS = 4, BENT_MOST = 0.05;

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

/* The mean over rows of the products of columns, each with each. */
static void mean_products(double *to, const double *columns, size_t n, size_t rows)
{
    zf_multiply(to, (zf_factor){columns, false}, (zf_factor){columns, true}, n, n, rows,
                1 / (double)rows, 0);
}

/* --- whether there are straight lines alone -------------------------------------------- */

/* The shapes of a variable by what they do at -u: the first, the third and the sine turn. */
static const size_t odd_shapes[] = {0, 3}, even_shapes[] = {1, 4};
enum { ODD = 2, EVEN = 2, SQUARE = 1 };

/* One shape of all variables, [variables, N]. */
static void gather_shape(double *to, const zf_sample *sample, size_t shape)
{
    size_t rows = sample->rows;
    for (size_t j = 0; j < sample->variables; j++)
        memcpy(to + j * rows, zf_column_at(&sample->shapes, j * ZF_SHAPES + shape),
               rows * sizeof *to);
}

/* The mean over pairs of the squares of correlations [n, n], less those of `made` unless NULL, in
   units of what chance makes of them, less 1. */
static double excess(const double *correlation, const double *made, size_t n, size_t rows)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            if (i == j) continue;
            double r = correlation[i * n + j];
            if (made) r -= made[i * n + j] * made[i * n + j];
            sum += r * r;
        }
    return ((double)rows - 1) * sum / (double)(n * (n - 1)) - 1;
}

/* The excess of what is no straight line, and of what is. a, b: [variables, N], first and other:
   [variables, variables]. */
static void measure_bends(double *bent, double *straight, const zf_sample *sample, double *a,
                          double *b, double *first, double *other)
{
    size_t n = sample->variables, rows = sample->rows;
    double crossed = 0;
    for (size_t k = 0; k < ODD; k++)
        for (size_t l = 0; l < EVEN; l++) {
            gather_shape(a, sample, odd_shapes[k]);
            gather_shape(b, sample, even_shapes[l]);
            zf_multiply(other, (zf_factor){a, false}, (zf_factor){b, true}, n, n, rows,
                        1 / (double)rows, 0);
            crossed += excess(other, NULL, n, rows) / (ODD * EVEN);
        }
    mean_products(first, sample->scores.values, n, rows);
    *straight = excess(first, NULL, n, rows);
    gather_shape(a, sample, SQUARE);
    mean_products(other, a, n, rows);
    *bent = fmax(crossed, excess(other, first, n, rows));
}

zf_status zf_shrunk_straight(bool *out, const zf_sample *sample)
{
    size_t n = sample->variables, rows = sample->rows;
    double *memory = malloc(2 * n * (rows + n) * sizeof *memory), bent, straight;
    if (!memory) return zf_fail_memory(2 * n * (rows + n) * sizeof *memory);
    double *b = memory + n * rows, *first = b + n * rows;
    measure_bends(&bent, &straight, sample, memory, b, first, first + n * n);
    free(memory);
    double chance = CHANCE_DEVIATIONS * sqrt(2 / ((double)n * (double)(n - 1) / 2));
    *out = bent <= fmax(chance, BENT_MOST * straight);
    return ZF_OK;
}

zf_status zf_shrunk_hearing(zf_hearing *out, const zf_sample *sample)
{
    bool straight;
    *out = ZF_HEAR_NOTHING;
    if (sample->first || sample->variables < LEAST_VARIABLES || zf_sample_sees_interactions(sample))
        return ZF_OK;
    ZF_TRY(zf_shrunk_straight(&straight, sample));
    *out = straight ? ZF_HEAR_FULLY : ZF_HEAR_WITH_CARE;
    return ZF_OK;
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
