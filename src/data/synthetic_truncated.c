/* The Gaussian given that every coordinate exceeds a bound, drawn exactly.

   Gibbs sampling draws each coordinate in turn given the others: a normal law
   cut at the bound, through its quantile function at a uniform number. That
   function grows with the mean, and the mean is linear in the neighbours. So
   two chains that use the same uniform numbers, one started below and one above
   every possible state, keep any third between them; and because the precision
   is diagonally dominant they close in on each other. This is coupling from the
   past (Propp and Wilson, 1996): the uniform numbers belong to the sweeps
   -T, ..., -1 that end at time 0; if the two chains have met by then, a chain
   that had run for ever ends in the same place, which therefore has exactly the
   law. If not, T is doubled, with the same numbers for the sweeps done before.

   Met means within 1e-9, below the rounding to float32. The upper start is no
   bound but a point that the law exceeds with a probability below 1e-70. About
   30 sweeps are enough for a chain or a lattice of any size.

   Rejected: drawing until all coordinates exceed the bound, exact too, but one
   draw in 400 is kept for 50 variables and one in 100,000 for 100; plain Gibbs
   with a guessed number of sweeps, which is exact for none. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/normal.h"
#include "base/random.h"
#include "data/synthetic.h"

enum { FIRST_SWEEPS = 40 };

static const double MET = 1e-9;
/* In units of the law's widest possible standard deviation. */
static const double UPPER_START = 20;
/* Means farther below the bound than this, in standard deviations, are not told
   apart: the tail's probability would leave the normal numbers. */
static const double FAR = 35;

/* The law of a coordinate given the others: mean -sum(weight * neighbour). The
   positive weights come first. */
typedef struct coordinate {
    size_t first, negative, end; /* of its neighbours */
    double deviation;
} coordinate;

typedef struct truncated {
    const zf_synthetic_draw *draw;
    double bound, above;
    size_t d;
    coordinate *coordinates;
    int *neighbours;
    double *weights;
    double *scratch; /* [workers * 2 * d] */
} truncated;

/* The value above the bound that a share u of a cut normal law exceeds. Too far
   below, the low chain takes the bound and the high one the law of a mean that
   is nearer: both keep their side. */
static double cut_quantile(double mean, double deviation, double bound, double u, bool high)
{
    double start = (bound - mean) / deviation;
    if (start > FAR) {
        if (!high) return bound;
        start = FAR;
        mean = bound - FAR * deviation;
    }
    double tail = 0.5 * erfc(start * 0.70710678118654752440);
    double value = mean - deviation * zf_normal_quantile(tail * u);
    return value > bound ? value : bound;
}

/* One sweep over both chains; their largest distance afterwards. */
static double sweep_both(const truncated *t, double *low, double *high, zf_random *random)
{
    double distance = 0;
    for (size_t i = 0; i < t->d; i++) {
        const coordinate *c = &t->coordinates[i];
        double low_mean = 0, high_mean = 0, u = zf_random_uniform_double(random);
        for (size_t k = c->first; k < c->negative; k++) {
            low_mean -= t->weights[k] * high[t->neighbours[k]];
            high_mean -= t->weights[k] * low[t->neighbours[k]];
        }
        for (size_t k = c->negative; k < c->end; k++) {
            low_mean -= t->weights[k] * low[t->neighbours[k]];
            high_mean -= t->weights[k] * high[t->neighbours[k]];
        }
        low[i] = cut_quantile(low_mean, c->deviation, t->bound, u, false);
        high[i] = cut_quantile(high_mean, c->deviation, t->bound, u, true);
        distance = fmax(distance, high[i] - low[i]);
    }
    return distance;
}

/* One sweep of the chains that have met. */
static void sweep_one(const truncated *t, double *z, zf_random *random)
{
    for (size_t i = 0; i < t->d; i++) {
        const coordinate *c = &t->coordinates[i];
        double mean = 0, u = zf_random_uniform_double(random);
        for (size_t k = c->first; k < c->end; k++) mean -= t->weights[k] * z[t->neighbours[k]];
        z[i] = cut_quantile(mean, c->deviation, t->bound, u, true);
    }
}

static bool draw_from_past(const truncated *t, double *low, double *high, size_t row,
                           uint64_t sweeps)
{
    bool met = false;
    for (size_t i = 0; i < t->d; i++) {
        low[i] = t->bound;
        high[i] = t->above;
    }
    for (uint64_t time = sweeps; time > 0; time--) {
        zf_random random = zf_random_at(t->draw->seed, ZF_FOR_DATA, time, (uint32_t)row);
        if (met)
            sweep_one(t, low, &random);
        else
            met = sweep_both(t, low, high, &random) < MET;
    }
    return met;
}

static void draw_rows(void *context, size_t from, size_t to, int worker)
{
    const truncated *t = context;
    double *low = t->scratch + (size_t)worker * 2 * t->d, *high = low + t->d;
    float bound = (float)t->bound;
    for (size_t r = from; r < to; r++) {
        double *values = t->draw->values + r * t->d;
        uint64_t sweeps = FIRST_SWEEPS;
        while (!draw_from_past(t, low, high, r, sweeps)) sweeps *= 2;
        for (size_t i = 0; i < t->d; i++) { /* rounding must not touch the bound */
            float value = (float)low[i];
            values[i] = (double)(value > bound ? value : nextafterf(bound, INFINITY));
        }
    }
}

/* Fills in the neighbours of coordinate i with weights of that sign. */
static size_t list_neighbours(truncated *t, const zf_band *precision, int i, size_t at,
                              bool negative)
{
    int first = i > precision->width ? i - precision->width : 0;
    int last = i + precision->width < precision->d ? i + precision->width : precision->d - 1;
    for (int j = first; j <= last; j++) {
        double weight = zf_band_at(precision, i, j) / zf_band_at(precision, i, i);
        if (j == i || weight == 0 || (weight < 0) != negative) continue;
        t->neighbours[at] = j;
        t->weights[at++] = weight;
    }
    return at;
}

static size_t count_neighbours(const zf_band *precision)
{
    size_t count = 0;
    for (int i = 0; i < precision->d; i++)
        for (int j = i > precision->width ? i - precision->width : 0; j < i; j++)
            count += 2 * (zf_band_row(precision, i)[j] != 0);
    return count;
}

/* How much the least dominant row exceeds its neighbours: the law's precision in
   any direction is at least this. */
static double least_margin(const truncated *t, const zf_band *precision)
{
    double least = INFINITY;
    for (size_t i = 0; i < t->d; i++) {
        double rest = 1;
        for (size_t k = t->coordinates[i].first; k < t->coordinates[i].end; k++)
            rest -= fabs(t->weights[k]);
        least = fmin(least, rest * zf_band_at(precision, (int)i, (int)i));
    }
    return least;
}

static zf_status prepare(truncated *t, const zf_band *precision)
{
    size_t n = count_neighbours(precision) + 1, workers = (size_t)zf_crew_size(t->draw->crew);
    t->coordinates = calloc(t->d, sizeof *t->coordinates);
    t->neighbours = malloc(n * sizeof *t->neighbours);
    t->weights = malloc(n * sizeof *t->weights);
    t->scratch = malloc(workers * 2 * t->d * sizeof *t->scratch);
    if (!t->coordinates || !t->neighbours || !t->weights || !t->scratch)
        return zf_fail_memory(n * sizeof *t->weights + workers * 2 * t->d * sizeof *t->scratch);
    size_t at = 0;
    for (size_t i = 0; i < t->d; i++) {
        coordinate *c = &t->coordinates[i];
        c->deviation = 1 / sqrt(zf_band_at(precision, (int)i, (int)i));
        c->first = at;
        c->negative = list_neighbours(t, precision, (int)i, at, false);
        c->end = at = list_neighbours(t, precision, (int)i, c->negative, true);
    }
    double margin = least_margin(t, precision);
    if (!(margin > 0))
        return zf_fail(ZF_ENUMERIC, "the precision matrix is not diagonally dominant");
    t->above = fabs(t->bound) + UPPER_START / sqrt(margin);
    return ZF_OK;
}

zf_status zf_synthetic_truncated(const zf_synthetic_draw *draw, const zf_band *precision,
                                 double bound)
{
    truncated t = {.draw = draw, .bound = bound, .d = (size_t)precision->d};
    zf_status status = prepare(&t, precision);
    if (status == ZF_OK) zf_synthetic_rows(draw, draw_rows, &t);
    free(t.coordinates);
    free(t.neighbours);
    free(t.weights);
    free(t.scratch);
    return status;
}
