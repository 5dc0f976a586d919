#include "evidence/hearing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/normal.h"
#include "evidence/signs.h"
#include "kernel/lapack.h"

enum {
    LEAST_VARIABLES = 20, /* about 200 pairs */
    MANY_ROWS = 20,       /* a variable */
};

/* A table is bent if chance alone makes it look so that seldom or, for a mean over all pairs, only
   so many deviations away; and if what is bent is no smaller a share of what is straight. */
static const double CHANCE = 0.01, CHANCE_DEVIATIONS = 4, BENT_LEAST = 0.05;

bool zf_hearing_is_possible(size_t rows, size_t variables)
{
    return variables >= LEAST_VARIABLES && rows / MANY_ROWS < variables;
}

/* The mean over rows of the products of columns, each with each. */
static void mean_products(double *to, const double *columns, size_t n, size_t rows)
{
    zf_multiply(to, (zf_factor){columns, false}, (zf_factor){columns, true}, n, n, rows,
                1 / (double)rows, 0);
}

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

/* The largest square of a correlation of two, [n, n]. */
static double largest(const double *correlation, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (i != j) most = fmax(most, correlation[i * n + j] * correlation[i * n + j]);
    return most;
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

/* Of all variables: two shapes [n, N]; correlations [n, n] of the scores, and of the two shapes. */
typedef struct shapes {
    const zf_sample *sample;
    double *a, *b, *first, *other;
} shapes;

/* Is an odd shape of any variable correlated with an even one of another? */
static bool has_curves(const shapes *s)
{
    size_t n = s->sample->variables, rows = s->sample->rows;
    double strongest = 0;
    for (size_t k = 0; k < ODD; k++)
        for (size_t l = 0; l < EVEN; l++) {
            gather_shape(s->a, s->sample, odd_shapes[k]);
            gather_shape(s->b, s->sample, even_shapes[l]);
            zf_multiply(s->other, (zf_factor){s->a, false}, (zf_factor){s->b, true}, n, n, rows,
                        1 / (double)rows, 0);
            strongest = fmax(strongest, largest(s->other, n));
        }
    double deviations = zf_sign_deviations(sqrt(strongest), 1, (double)rows - 1);
    double tries = (double)(ODD * EVEN * n * (n - 1));
    return zf_normal_two_sided(deviations) * tries < CHANCE &&
           strongest > BENT_LEAST * largest(s->first, n);
}

/* Are the squares of two variables correlated more than their own correlation makes them? */
static bool has_spreads(const shapes *s)
{
    size_t n = s->sample->variables, rows = s->sample->rows;
    double chance = CHANCE_DEVIATIONS * sqrt(2 / ((double)n * (double)(n - 1) / 2));
    gather_shape(s->a, s->sample, SQUARE);
    mean_products(s->other, s->a, n, rows);
    return excess(s->other, s->first, n, rows) >
           fmax(chance, BENT_LEAST * excess(s->first, NULL, n, rows));
}

zf_status zf_hearing_of(zf_hearing *out, const zf_sample *sample)
{
    size_t n = sample->variables, rows = sample->rows;
    *out = ZF_HEAR_NOTHING;
    if (sample->first || !zf_hearing_is_possible(rows, n)) return ZF_OK;
    double *memory = malloc(2 * n * (rows + n) * sizeof *memory);
    if (!memory) return zf_fail_memory(2 * n * (rows + n) * sizeof *memory);
    double *b = memory + n * rows, *first = b + n * rows;
    shapes s = {sample, memory, b, first, first + n * n};
    mean_products(first, sample->scores.values, n, rows);
    bool straight = !has_curves(&s) && !has_spreads(&s);
    if (zf_sample_sees_interactions(sample))
        *out = straight ? ZF_HEAR_BESIDE : ZF_HEAR_NOTHING;
    else
        *out = straight ? ZF_HEAR_FULLY : ZF_HEAR_WITH_CARE;
    free(memory);
    return ZF_OK;
}
