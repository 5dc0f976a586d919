/* One decomposition of the cross products serves all penalties: along eigenvector k, of
   eigenvalue s_k, a response with the product c_k has the coefficient c_k / (s_k + penalty), and
   what is left of its sum of squares and of the freedom are sums over k. With fewer rows than
   columns the products are those of rows. Letters: M rows, P columns, K the fewer of them. */
#include "criterion/ridge.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "kernel/lapack.h"

enum { PENALTIES = 13, WEIGHTS = 3 };

static const double PENALTY_FIRST = 1e-4, PENALTY_STEP = 3.1622776601683795; /* of the mean s */
static const double weights[WEIGHTS] = {1, 0.3, 0};

typedef struct problem {
    const zf_columns *fit;
    const double *y;
    size_t linear, used; /* columns: without functions, linear ones alone */
    double repetition;   /* rows that a degree of freedom costs */
    double weight;       /* of the functions */
    double *cross;       /* [K, K]: of columns, or of rows; as given */
    double *vectors;     /* [K, K] */
    double *values;      /* [K] */
    double *reach;       /* [K]: c of each vector */
    double *towards;     /* [P]: products of columns with y; of rows: y itself */
    bool by_rows;
} problem;

static double weight_of(const problem *p, size_t column)
{
    return column < p->linear ? 1 : p->weight;
}

static void centre(zf_columns *fit, zf_columns *rest)
{
    for (size_t c = 0; c < fit->count; c++) {
        double *column = zf_column_at(fit, c), mean = 0;
        for (size_t i = 0; i < fit->rows; i++) mean += column[i];
        mean /= (double)fit->rows;
        for (size_t i = 0; i < fit->rows; i++) column[i] -= mean;
        for (size_t i = 0; i < rest->rows; i++) zf_column_at(rest, c)[i] -= mean;
    }
}

/* Decomposes the products at the current weight. */
static zf_status decompose(problem *p)
{
    size_t k = p->by_rows ? p->fit->rows : p->used, stride = p->by_rows ? k : p->fit->count;
    for (size_t a = 0; a < k; a++)
        for (size_t b = 0; b < k; b++)
            p->vectors[a * k + b] =
                p->cross[a * stride + b] * (p->by_rows ? 1 : weight_of(p, a) * weight_of(p, b));
    ZF_TRY(zf_eigenvectors(p->vectors, p->values, k));
    for (size_t v = 0; v < k; v++) {
        double sum = 0;
        for (size_t a = 0; a < k; a++)
            sum += p->vectors[v * k + a] * p->towards[a] * (p->by_rows ? 1 : weight_of(p, a));
        p->values[v] = fmax(p->values[v], 0);
        p->reach[v] = p->by_rows ? sum * sqrt(p->values[v]) : sum;
    }
    return ZF_OK;
}

/* The generalised cross-validation error at a penalty. */
static double error_at(const problem *p, size_t k, double all, double penalty)
{
    double left = all, degrees = 1, rows = (double)p->fit->rows;
    for (size_t v = 0; v < k; v++) {
        double s = p->values[v], below = s + penalty;
        left -= p->reach[v] * p->reach[v] * (s + 2 * penalty) / (below * below);
        degrees += s / below;
    }
    double freedom = 1 - p->repetition * degrees / rows;
    return freedom > 0.05 ? fmax(left, 0) / (freedom * freedom) : INFINITY;
}

/* Coefficients at a penalty, of the columns as they were before they were weighted. */
static void put(double *coefficients, const problem *p, size_t k, double penalty)
{
    size_t rows = p->fit->rows;
    memset(coefficients, 0, p->fit->count * sizeof *coefficients);
    for (size_t v = 0; v < k; v++) {
        double s = p->values[v], share = p->reach[v] / (s + penalty);
        if (p->by_rows) share = s > 0 ? share / sqrt(s) : 0;
        for (size_t a = 0; a < p->used; a++) {
            const double *vector = p->vectors + v * k;
            double along = p->by_rows ? zf_column_dot(zf_column_at(p->fit, a), vector, rows)
                                      : vector[a] * weight_of(p, a);
            coefficients[a] += share * along;
        }
    }
}

static zf_status problem_new(problem *p, zf_arena *arena)
{
    size_t count = p->fit->count, rows = p->fit->rows;
    p->by_rows = count > rows;
    size_t k = p->by_rows ? rows : count;
    p->cross = zf_arena_get(arena, k * k * sizeof *p->cross);
    p->vectors = zf_arena_get(arena, k * k * sizeof *p->vectors);
    p->values = zf_arena_get(arena, k * sizeof *p->values);
    p->reach = zf_arena_get(arena, k * sizeof *p->reach);
    p->towards = zf_arena_get(arena, k * sizeof *p->towards);
    if (!p->cross || !p->vectors || !p->values || !p->reach || !p->towards) return ZF_ENOMEM;
    if (p->by_rows) {
        zf_multiply(p->cross, (zf_factor){p->fit->values, true}, (zf_factor){p->fit->values, false},
                    rows, rows, count, 1, 0);
        memcpy(p->towards, p->y, rows * sizeof *p->y);
    } else {
        zf_multiply(p->cross, (zf_factor){p->fit->values, false}, (zf_factor){p->fit->values, true},
                    count, count, rows, 1, 0);
        zf_multiply(p->towards, (zf_factor){p->fit->values, false}, (zf_factor){p->y, true}, count,
                    1, rows, 1, 0);
    }
    return ZF_OK;
}

zf_status zf_ridge_fit(double *coefficients, zf_columns *fit, zf_columns *rest, const double *y,
                       size_t linear, double repetition, zf_arena *arena)
{
    problem p = {.fit = fit, .y = y, .linear = linear, .repetition = repetition};
    double best = INFINITY, all = zf_column_dot(y, y, fit->rows);
    size_t count = fit->count;
    for (size_t c = 0; c < count; c++) coefficients[c] = 0;
    if (count == 0) return ZF_OK;
    centre(fit, rest);
    ZF_TRY(problem_new(&p, arena));
    for (int w = 0; w < WEIGHTS; w++) {
        p.weight = p.by_rows ? 1 : weights[w];
        p.used = p.weight > 0 ? count : linear;
        if (w > 0 && (p.by_rows || count == linear)) break; /* there is nothing to weigh */
        size_t k = p.by_rows ? fit->rows : p.used;
        ZF_TRY(decompose(&p));
        double mean = 0, chosen = 0, least = best;
        for (size_t v = 0; v < k; v++) mean += p.values[v] / (double)k;
        for (int i = 0; i < PENALTIES; i++) {
            double penalty = mean * PENALTY_FIRST * pow(PENALTY_STEP, i);
            double error = penalty > 0 ? error_at(&p, k, all, penalty) : INFINITY;
            if (error < least) {
                least = error;
                chosen = penalty;
            }
        }
        if (least < best) put(coefficients, &p, k, chosen);
        best = least;
    }
    return ZF_OK;
}
