/* Partial correlations: the inverse of the correlation matrix, scaled.

   With as many columns as rows or more the matrix is singular. Then it is
   shrunk towards the identity, by the share that minimises the expected squared
   error of the correlations as estimated from the sample (Schaefer and
   Strimmer, Statistical Applications in Genetics and Molecular Biology 4,
   2005), which is what people with such tables use. Rejected: the
   pseudo-inverse, whose scores mean nothing there, and refusing. A column that
   is a linear function of others in a table with enough rows is another
   matter: every answer would be an accident, so it is named and refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "baseline/method.h"
#include "data/text.h"
#include "kernel/lapack.h"

/* Share of a column's variance that others must leave: as data/collinear.c. */
static const double LEAST_PIVOT = 1e-10;

/* By which share correlations [n, n] are to be shrunk. fourth: [n, n], the mean of u^2 v^2 over
   rows for each two standardised columns u and v. */
static double share_of(const double *correlation, const double *fourth, size_t n, size_t rows)
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

static zf_status estimate_shrinkage(double *out, const double *correlation, const double *deviation,
                                    const zf_method_call *call)
{
    size_t n = call->columns, rows = call->rows;
    double *squares = malloc(rows * n * sizeof *squares), *fourth = zf_square_new(n);
    if (!squares || !fourth) {
        free(squares);
        free(fourth);
        return zf_fail_memory(rows * n * sizeof *squares);
    }
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < n; j++) {
            double value = call->values[i * n + j] / deviation[j];
            squares[i * n + j] = value * value;
        }
    zf_cross_product(fourth, squares, rows, n, 1 / (double)rows);
    *out = share_of(correlation, fourth, n, rows);
    free(squares);
    free(fourth);
    return ZF_OK;
}

static zf_status shrink(double *correlation, const double *deviation, zf_method_call *call)
{
    size_t n = call->columns;
    double share = 0;
    if (call->rows >= n + 2) return ZF_OK;
    ZF_TRY(estimate_shrinkage(&share, correlation, deviation, call));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (i != j) correlation[i * n + j] *= 1 - share;
    call->details->shrinkage = share;
    zf_method_log(call, ZF_WARNING,
                  "%zu rows for %zu columns: correlations are shrunk by %.3g before they are "
                  "inverted",
                  call->rows, n, share);
    return ZF_OK;
}

static zf_status invert(double *correlation, const zf_method_call *call)
{
    char shown[ZF_SHOWN_BYTES];
    size_t failed = zf_invert_positive(correlation, call->columns, LEAST_PIVOT);
    if (failed == 0) return ZF_OK;
    const char *name = call->names[failed - 1];
    return zf_fail(ZF_EINPUT,
                   "column \"%s\": a linear function of the columns before it, so that partial "
                   "correlations are not defined; leave it out, or use glasso",
                   zf_text_show(shown, sizeof shown, name, strlen(name)));
}

/* Scores, and the inverse scaled to that of the covariance. */
static void finish(double *inverse, const double *deviation, const zf_method_call *call)
{
    size_t n = call->columns;
    double *scores = call->scores;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            scores[i * n + j] =
                fabs(inverse[i * n + j]) / sqrt(inverse[i * n + i] * inverse[j * n + j]);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            inverse[i * n + j] /= deviation[i] * call->unit[i] * (deviation[j] * call->unit[j]);
}

zf_status zf_partial_run(zf_method_call *call)
{
    size_t n = call->columns;
    double *correlation = zf_square_new(n), *deviation = malloc(n * sizeof *deviation);
    zf_status status = correlation && deviation ? ZF_OK : zf_fail_memory(n * n * sizeof(double));
    if (status == ZF_OK) {
        zf_correlate(correlation, deviation, call);
        status = shrink(correlation, deviation, call);
    }
    if (status == ZF_OK) status = invert(correlation, call);
    if (status == ZF_OK) {
        finish(correlation, deviation, call);
        call->details->precision = correlation;
        correlation = NULL;
    }
    free(correlation);
    free(deviation);
    return status;
}
