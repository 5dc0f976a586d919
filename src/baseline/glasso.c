/* Block coordinate descent (Friedman, Hastie and Tibshirani, Biostatistics 9,
   2008): column by column, a lasso of the column on the others, in terms of the
   current covariance, gives a column of the precision and of the covariance.

   This is, step for step, what scikit-learn 1.2's graphical_lasso does in its
   mode `cd`, with its tolerances, starting point and criteria to stop, so that
   results agree to rounding and not merely to the tolerance of an iteration.
   That includes its reading of the inner duality gap, in which the column of
   the empirical covariance stands for both sides of the regression. What
   differs is the bookkeeping: the other columns are not copied out but skipped
   over, and a coordinate that does not move costs nothing. */
#include "baseline/glasso.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "baseline/method.h"
#include "kernel/lapack.h"

static const double GAP_LIMIT = 1e-4;   /* of the whole, absolute */
static const double LASSO_LIMIT = 1e-4; /* of a column's lasso, relative */
static const double START_SHRINK = 0.95;

zf_status zf_glasso_new(zf_glasso *out, size_t columns)
{
    zf_glasso work = {.columns = columns};
    work.covariance = zf_square_new(columns);
    work.precision = zf_square_new(columns);
    work.kept = zf_square_new(columns);
    work.spare = zf_square_new(columns);
    work.weights = malloc(columns * sizeof *work.weights);
    work.fit = malloc(columns * sizeof *work.fit);
    work.pivots = malloc(columns * sizeof *work.pivots);
    if (work.covariance && work.precision && work.kept && work.spare && work.weights && work.fit &&
        work.pivots) {
        *out = work;
        return ZF_OK;
    }
    zf_glasso_free(&work);
    return zf_fail_memory(4 * columns * columns * sizeof(double));
}

void zf_glasso_free(zf_glasso *work)
{
    free(work->covariance);
    free(work->precision);
    free(work->kept);
    free(work->spare);
    free(work->weights);
    free(work->fit);
    free(work->pivots);
    *work = (zf_glasso){0};
}

/* fit = covariance * weights; most weights are 0. */
static void multiply(zf_glasso *work)
{
    size_t n = work->columns;
    memset(work->fit, 0, n * sizeof *work->fit);
    for (size_t i = 0; i < n; i++) {
        double weight = work->weights[i];
        const double *row = work->covariance + i * n;
        if (weight == 0) continue;
        for (size_t k = 0; k < n; k++) work->fit[k] += weight * row[k];
    }
}

/* One round over the coordinates; the largest change over the largest weight. */
static double sweep(zf_glasso *work, size_t skip, const double *target, double penalty)
{
    size_t n = work->columns;
    double largest = 0, change = 0;
    double *restrict fit = work->fit;
    for (size_t i = 0; i < n; i++) {
        const double *restrict row = work->covariance + i * n;
        if (i == skip || row[i] == 0) continue;
        double old = work->weights[i];
        double rest = target[i] - (fit[i] - old * row[i]);
        double size = fmax(fabs(rest) - penalty, 0) / row[i];
        double weight = rest < 0 ? -size : size;
        double step = weight - old;
        if (step != 0)
            for (size_t k = 0; k < n; k++) fit[k] += step * row[k];
        work->weights[i] = weight;
        change = fmax(change, fabs(step));
        largest = fmax(largest, size);
    }
    return largest == 0 ? 0 : change / largest;
}

/* The inner duality gap. */
static double lasso_gap(const zf_glasso *work, size_t skip, const double *target, double penalty,
                        double norm)
{
    double dot = 0, fitted = 0, absolute = 0, residual = 0;
    for (size_t i = 0; i < work->columns; i++) {
        if (i == skip) continue;
        dot += work->weights[i] * target[i];
        fitted += work->weights[i] * work->fit[i];
        absolute += fabs(work->weights[i]);
        residual = fmax(residual, fabs(target[i] - work->fit[i]));
    }
    double squares = norm + fitted - 2 * dot;
    double share = residual > penalty ? penalty / residual : 1;
    return 0.5 * squares * (1 + share * share) + penalty * absolute - share * norm + share * dot;
}

/* Weights of the column's lasso on the others, from where they stand. */
static void regress(zf_glasso *work, size_t skip, const double *target, double penalty, int rounds)
{
    double norm = 0;
    for (size_t i = 0; i < work->columns; i++)
        if (i != skip) norm += target[i] * target[i];
    multiply(work);
    for (int round = 0; round < rounds; round++) {
        double change = sweep(work, skip, target, penalty);
        if (change >= LASSO_LIMIT && round < rounds - 1) continue;
        if (lasso_gap(work, skip, target, penalty, norm) < LASSO_LIMIT * norm) break;
    }
}

/* One column of precision and covariance. */
static void update_column(zf_glasso *work, size_t column, const double *empirical, double penalty,
                          int rounds)
{
    size_t n = work->columns;
    double *covariance = work->covariance, *precision = work->precision;
    double diagonal = precision[column * n + column] + 1000 * DBL_EPSILON, explained = 0;
    for (size_t i = 0; i < n; i++) work->weights[i] = -precision[i * n + column] / diagonal;
    work->weights[column] = 0;
    regress(work, column, empirical + column * n, penalty, rounds);
    for (size_t i = 0; i < n; i++) explained += covariance[i * n + column] * work->weights[i];
    diagonal = 1 / (covariance[column * n + column] - explained);
    multiply(work);
    for (size_t i = 0; i < n; i++) {
        if (i == column) continue;
        precision[i * n + column] = precision[column * n + i] = -diagonal * work->weights[i];
        covariance[i * n + column] = covariance[column * n + i] = work->fit[i];
    }
    precision[column * n + column] = diagonal;
}

/* The starting point, made safe to invert; its inverse. */
static zf_status start(zf_glasso *work, const double *empirical)
{
    size_t n = work->columns, bytes = n * n * sizeof(double);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (i == j)
                work->covariance[i * n + j] = empirical[i * n + j];
            else
                work->covariance[i * n + j] *= START_SHRINK;
    memcpy(work->precision, work->covariance, bytes);
    if (zf_invert_positive(work->precision, n, 0) == 0) return ZF_OK;
    memcpy(work->precision, work->covariance, bytes);
    return zf_invert_symmetric(work->precision, n);
}

static double log_determinant(zf_glasso *work)
{
    size_t n = work->columns;
    memcpy(work->spare, work->precision, n * n * sizeof *work->spare);
    return zf_log_determinant(work->spare, work->pivots, n);
}

/* Twice the negative log-likelihood but for constants, and the duality gap. */
static double judge(double *gap, zf_glasso *work, const double *empirical, double penalty)
{
    size_t n = work->columns;
    double trace = 0, absolute = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            trace += empirical[i * n + j] * work->precision[i * n + j];
            if (i != j) absolute += fabs(work->precision[i * n + j]);
        }
    *gap = trace - (double)n + penalty * absolute;
    return trace - log_determinant(work) + penalty * absolute;
}

static bool is_finite(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += values[i];
    return isfinite(sum);
}

zf_status zf_glasso_solve(zf_glasso_end *end, double *gap, zf_glasso *work, const double *empirical,
                          double penalty, int iterations)
{
    size_t n = work->columns;
    zf_status status = start(work, empirical);
    if (status == ZF_ENOMEM) return status;
    *gap = INFINITY;
    *end = ZF_GLASSO_FAILED;
    if (status != ZF_OK) return ZF_OK; /* no eigenvalues: not finite to begin with */
    for (int iteration = 0; iteration < iterations; iteration++) {
        for (size_t column = 0; column < n; column++)
            update_column(work, column, empirical, penalty, iterations);
        if (!is_finite(work->precision, n * n)) return ZF_OK;
        double cost = judge(gap, work, empirical, penalty);
        if (fabs(*gap) < GAP_LIMIT) {
            *end = ZF_GLASSO_CONVERGED;
            return ZF_OK;
        }
        if (!isfinite(cost) && iteration > 0) return ZF_OK;
    }
    *end = ZF_GLASSO_UNFINISHED;
    return ZF_OK;
}

double zf_glasso_likelihood(zf_glasso *work, const double *covariance)
{
    const double log_two_pi = 1.8378770664093454836;
    size_t n = work->columns;
    double trace = 0;
    for (size_t i = 0; i < n * n; i++) trace += covariance[i] * work->precision[i];
    return (log_determinant(work) - trace - (double)n * log_two_pi) / 2;
}
