/* What kind of dependence a table has, from the normal scores of its columns.

   Normal scores turn outliers and heavy tails into ordinary values, and every
   monotone change of a column leaves them as they are. What they can lose is a
   dependence that shows in the size of values and not in their order, as where a
   column sets the spread of another: after the scores it is faint, where the raw
   values shout. Such a dependence is seen in the squares of the scores. For jointly
   normal scores with correlation r the squares have correlation r^2; what is beyond
   that is in the sizes alone.

   Of a large table a part is looked at: rows at even distances, and columns in runs
   of neighbours at even distances, because in a table with an order it is neighbours
   that depend on each other. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "data/marginals.h"

enum { MOST_ROWS = 8192, RUN = 16, RUNS = 16 };

/* A pair's n (s - r^2)^2 has variance 2 by chance; so many deviations of the mean. */
static const double DEVIATIONS = 5;

/* Mean 0 and sum of squares 1; all 0 if there is no spread. */
static void normalise(double *values, size_t n)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++) mean += values[i] / (double)n;
    for (size_t i = 0; i < n; i++) squares += (values[i] - mean) * (values[i] - mean);
    double scale = squares > 1e-12 * (double)n ? 1 / sqrt(squares) : 0;
    for (size_t i = 0; i < n; i++) values[i] = (values[i] - mean) * scale;
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* The normal scores of a column's share of the rows, and their squares. */
static zf_status look(double *scores, double *squares, double *room, const double *column, size_t n,
                      size_t stride)
{
    for (size_t i = 0; i < n; i++) room[i] = column[i * stride];
    ZF_TRY(zf_normal_scores(scores, room, n, 1));
    normalise(scores, n);
    for (size_t i = 0; i < n; i++) squares[i] = scores[i] * scores[i];
    normalise(squares, n);
    return ZF_OK;
}

/* Over all pairs the mean of n r^2 - 1, and of n (s - r^2)^2 - 1 for the squares'
   correlation s. */
static zf_dependence over_pairs(const double *scores, const double *squares, size_t n, size_t d)
{
    double order = 0, sizes = 0, pairs = (double)d * (double)(d - 1) / 2;
    for (size_t i = 0; i < d; i++)
        for (size_t j = 0; j < i; j++) {
            double r = dot(scores + i * n, scores + j * n, n);
            double s = dot(squares + i * n, squares + j * n, n);
            order += ((double)n * r * r - 1) / pairs;
            sizes += ((double)n * (s - r * r) * (s - r * r) - 1) / pairs;
        }
    return (zf_dependence){order, sizes, DEVIATIONS * sqrt(2 / pairs)};
}

/* The j-th column to look at. */
static size_t column_at(size_t j, size_t columns)
{
    if (columns <= RUN * RUNS) return j;
    return j / RUN * (columns - RUN) / (RUNS - 1) + j % RUN;
}

zf_status zf_dependence_measure(zf_dependence *out, const double *values, size_t rows,
                                size_t columns)
{
    size_t row_step = (rows + MOST_ROWS - 1) / MOST_ROWS;
    if (rows < 2 || columns < 2)
        return zf_fail(ZF_EINPUT, "%zu rows of %zu columns: expected at least two of each", rows,
                       columns);
    size_t n = rows / row_step, d = columns < RUN * RUNS ? columns : RUN * RUNS;
    double *scores = malloc(2 * d * n * sizeof *scores), *squares = scores + d * n;
    double *room = malloc(n * sizeof *room);
    zf_status status =
        scores && room ? ZF_OK : zf_fail_memory(2 * d * n * sizeof *scores + n * sizeof *room);
    for (size_t j = 0; j < d && status == ZF_OK; j++)
        status = look(scores + j * n, squares + j * n, room, values + column_at(j, columns), n,
                      row_step * columns);
    if (status == ZF_OK) *out = over_pairs(scores, squares, n, d);
    free(scores);
    free(room);
    return status;
}
