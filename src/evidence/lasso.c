/* Every variable is regressed on all others by the scaled lasso (Sun and Zhang, 2012), with the
   penalty sqrt(2 log d / N), above which chance alone hardly reaches. For a pair, what the
   regression of each has explained by the other is put back, and the two residuals are correlated.
   That keeps most of the power where there is an edge, as each has lost only what others explain,
   and it keeps the level where there is none: what is put back is then chosen by chance.

   The lasso leaves a little of what others explain, so where many of these are strong, most pairs
   lie farther from 0 than they should. Deviations are in units of what the middle of all pairs
   shows (an empirical null, Efron, 2004). Not where there are six rows a column or more: then the
   lasso leaves less, and in a dense graph the middle is full of weak edges.

   Rejected, by 20 laws with 100 to 200 rows and 40 to 120 columns: correlations shrunk by one
   share and inverted (Schaefer and Strimmer, 2005), which rank a Gaussian graph about as well and
   hubs, scale-free graphs and kinetics far worse; entries of the graphical lasso, with its bias
   removed or without (the same, less so); products of residuals with the bias of both regressions
   added (Liu, 2013), which rank the same, but are 1.4 times too often beyond 3.5 deviations where
   there is nothing, and 2.7 times beyond 4.5; least squares on what the lasso has chosen, or a
   second lasso with smaller penalties for these, which rank worse; the median of the sizes for the
   middle of the pairs, which weak edges draw up. */
#include "evidence/lasso.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "evidence/result.h"
#include "evidence/signs.h"
#include "kernel/lapack.h"

enum { SWEEPS_MOST = 500, ROUNDS_MOST = 50 };

static const double SETTLED = 1e-7;   /* change of a coefficient in a sweep */
static const double EXPLAINED = 1e-8; /* share of the variance: less is no residual */

/* Of the standard normal law within two deviations of 0, the mean square. */
static const double MIDDLE_SQUARE = 0.7737413035499232;

static double soften(double value, double by)
{
    return copysign(fmax(0, fabs(value) - by), value);
}

void zf_lasso_regress(double *to, double *left, const double *correlation, size_t n,
                      size_t variable, double penalty)
{
    const double *own = correlation + variable * n;
    double noise = 1, moved = 1;
    memset(to, 0, n * sizeof *to);
    memcpy(left, own, n * sizeof *left);
    for (int sweep = 0; sweep < SWEEPS_MOST && moved > SETTLED; sweep++) {
        double square = own[variable], before = noise;
        moved = 0;
        for (size_t k = 0; k < n; k++) {
            double by = k == variable ? 0 : soften(left[k] + to[k], penalty * noise) - to[k];
            if (by == 0) continue;
            to[k] += by;
            for (size_t l = 0; l < n; l++) left[l] -= by * correlation[k * n + l];
            moved = fmax(moved, fabs(by));
        }
        for (size_t k = 0; k < n; k++) square -= to[k] * (own[k] + left[k]);
        noise = sqrt(fmax(0, square));
        moved = fmax(moved, fabs(noise - before));
    }
}

double zf_null_deviation(const double *values, size_t n)
{
    double deviation = 1, before = 0;
    for (int round = 0; round < ROUNDS_MOST && deviation != before; round++) {
        double square = 0;
        size_t within = 0;
        before = deviation;
        for (size_t i = 0; i < n; i++) {
            if (!(fabs(values[i]) < 2 * deviation)) continue;
            square += values[i] * values[i];
            within++;
        }
        if (within) deviation = fmax(1, sqrt(square / (double)within / MIDDLE_SQUARE));
    }
    return deviation;
}

/* Of all variables, [n, n] each: correlations; coefficients on all others; what is left of each
   times each variable, and times what is left of each. */
typedef struct regressions {
    double *correlation, *coefficient, *left, *both;
    size_t n;
} regressions;

static void regress_all(const regressions *r, const zf_sample *sample)
{
    size_t n = r->n, rows = sample->rows;
    zf_factor across = {sample->lines.values, true}, along = {sample->lines.values, false};
    double penalty = sqrt(2 * log((double)n) / (double)rows);
    zf_multiply(r->correlation, along, across, n, n, rows, 1 / (double)rows, 0);
    for (size_t i = 0; i < n; i++)
        zf_lasso_regress(r->coefficient + i * n, r->left + i * n, r->correlation, n, i, penalty);
    memcpy(r->both, r->left, n * n * sizeof *r->both);
    zf_multiply(r->both, (zf_factor){r->left, false}, (zf_factor){r->coefficient, true}, n, n, n,
                -1, 1);
}

/* The variance of what is left of x with its part along y put back. */
static double variance_of(const regressions *r, size_t x, size_t y)
{
    double part = r->coefficient[x * r->n + y];
    return r->both[x * r->n + x] + 2 * part * r->left[x * r->n + y] +
           part * part * r->correlation[y * r->n + y];
}

/* The correlation of what is left of two, with the part of each along the other put back. */
static double correlation_of(const regressions *r, size_t x, size_t y)
{
    size_t n = r->n;
    double along_y = r->coefficient[x * n + y], along_x = r->coefficient[y * n + x];
    double of_x = variance_of(r, x, y), of_y = variance_of(r, y, x);
    double common = r->both[x * n + y] + along_y * r->left[y * n + y] +
                    along_x * r->left[x * n + x] + along_y * along_x * r->correlation[x * n + y];
    return of_x > EXPLAINED && of_y > EXPLAINED ? common / sqrt(of_x * of_y) : 0;
}

/* The rows that the regressions of two leave, each with the other put back: one goes with each that
   the lasso has chosen (Zou, Hastie and Tibshirani, 2007), of the one with more. */
static double freedom_of(const regressions *r, size_t x, size_t y, size_t rows)
{
    size_t of_x = 0, of_y = 0;
    for (size_t k = 0; k < r->n; k++) {
        of_x += r->coefficient[x * r->n + k] != 0;
        of_y += r->coefficient[y * r->n + k] != 0;
    }
    return fmax(1, (double)rows - 1 - (double)(of_x > of_y ? of_x : of_y));
}

zf_status zf_lasso_deviations(double *out, const zf_sample *sample)
{
    size_t n = sample->variables, pairs = n * (n - 1) / 2;
    double *memory = malloc(4 * n * n * sizeof *memory);
    if (!memory) return zf_fail_memory(4 * n * n * sizeof *memory);
    regressions r = {memory, memory + n * n, memory + 2 * n * n, memory + 3 * n * n, n};
    regress_all(&r, sample);
    for (size_t x = 1; x < n; x++)
        for (size_t y = 0; y < x; y++)
            out[zf_pair_at(x, y)] =
                zf_sign_deviations(correlation_of(&r, x, y), 1, freedom_of(&r, x, y, sample->rows));
    double deviation = sample->hearing == ZF_HEAR_BESIDE ? 1 : zf_null_deviation(out, pairs);
    for (size_t at = 0; at < pairs; at++) out[at] /= deviation;
    free(memory);
    return ZF_OK;
}
