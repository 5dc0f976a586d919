/* Ridge regression of one-hot labels on the features, in closed form. Letters: N rows,
   D columns, C classes.

   With the eigenvectors V and eigenvalues s of the scatter matrix X'X of the centred
   features, the coefficients for every penalty p are V (s + p)^-1 V'X'Y: one
   decomposition serves them all. So does it for leaving rows out: without row i, its
   prediction is off by the residual it has with all rows over 1 - h_i, where
       h_i = 1/N + sum_k z_ik^2 / (s_k + p),     z = X V,
   so the squared error of leaving out each row in turn costs as much as predicting
   them once. The penalty with the least is taken. It shares nothing with the linear
   probe but the features: no steps, no seeds, another loss.

   Rejected: a held-out share, which has its own luck and leaves fewer rows to fit. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/crew.h"
#include "base/error.h"
#include "kernel/lapack.h"
#include "kernel/panel.h"
#include "kernel/reduce.h"
#include "probe/covariance.h"
#include "probe/data.h"

enum {
    PENALTIES = 17,
    ROWS = 256, /* of a task */
};

/* Of the mean eigenvalue, half a decade apart. */
static const double LEAST_PENALTY = 1e-5;

/* What a row's leverage may lack of 1: closer, single precision cannot tell what its
   prediction would be without it. */
static const double CLOSEST = 1e-4;

typedef struct ridge {
    const zf_probe_data *data;
    zf_crew *crew;
    zf_arena arena;
    float *mean;         /* [D] */
    double *shares;      /* [C], of the classes */
    double *vectors;     /* [D, D], eigenvectors as rows */
    double *eigenvalues; /* [D] */
    double *projected;   /* [C, D], class sums of centred rows, by eigenvectors */
    double penalties[PENALTIES];
    int n_penalties, best;
    float *weights; /* [C, D], of the best */
} ridge;

zf_ridge_options zf_ridge_defaults(void)
{
    return (zf_ridge_options){0};
}

/* --- the decomposition --------------------------------------------------------------- */

static zf_status get_memory(ridge *r)
{
    size_t dim = r->data->dim, classes = r->data->classes;
    r->mean = zf_arena_get(&r->arena, dim * sizeof(float));
    r->shares = zf_arena_get(&r->arena, classes * sizeof(double));
    r->vectors = zf_arena_get(&r->arena, dim * dim * sizeof(double));
    r->eigenvalues = zf_arena_get(&r->arena, dim * sizeof(double));
    r->projected = zf_arena_get(&r->arena, classes * dim * sizeof(double));
    r->weights = zf_arena_get(&r->arena, classes * dim * sizeof(float));
    return r->mean && r->shares && r->vectors && r->eigenvalues && r->projected && r->weights
               ? ZF_OK
               : ZF_ENOMEM;
}

static zf_centred centred(const ridge *r, const zf_labelled *set)
{
    return (zf_centred){set->features, r->mean, set->rows, r->data->dim};
}

/* sums[C, D] of the centred rows of each class: X'Y, transposed. */
static void sum_classes(ridge *r, double *sums)
{
    const zf_labelled *train = &r->data->train;
    size_t dim = r->data->dim;
    for (size_t i = 0; i < train->rows; i++) {
        double *sum = sums + (size_t)train->labels[i] * dim;
        r->shares[train->labels[i]] += 1 / (double)train->rows;
        for (size_t j = 0; j < dim; j++)
            sum[j] += (double)(train->features[i * dim + j] - r->mean[j]);
    }
}

static zf_status decompose(ridge *r)
{
    size_t dim = r->data->dim, classes = r->data->classes;
    double *sums = zf_arena_get(&r->arena, classes * dim * sizeof *sums);
    double *deviation = zf_arena_get(&r->arena, dim * sizeof *deviation);
    if (!sums || !deviation) return ZF_ENOMEM;
    zf_probe_moments(r->eigenvalues, deviation, &r->data->train, dim);
    for (size_t j = 0; j < dim; j++) r->mean[j] = (float)r->eigenvalues[j];
    zf_centred rows = centred(r, &r->data->train);
    ZF_TRY(zf_scatter_matrix(r->vectors, &rows, r->crew));
    ZF_TRY(zf_eigenvectors(r->vectors, r->eigenvalues, dim));
    sum_classes(r, sums);
    zf_multiply(r->projected, (zf_factor){sums, false}, (zf_factor){r->vectors, true}, classes, dim,
                dim, 1, 0);
    return ZF_OK;
}

static zf_status list_penalties(ridge *r, double wanted)
{
    double sum = 0;
    for (size_t k = 0; k < r->data->dim; k++) sum += fmax(r->eigenvalues[k], 0);
    if (!(sum > 0)) return zf_fail(ZF_EINPUT, "ridge probe: all training rows are the same");
    r->n_penalties = wanted > 0 ? 1 : PENALTIES;
    for (int i = 0; i < r->n_penalties; i++)
        r->penalties[i] =
            wanted > 0 ? wanted : sum / (double)r->data->dim * LEAST_PENALTY * pow(10, i / 2.0);
    return ZF_OK;
}

/* 1 / (eigenvalue + penalty); what rounding left below 0 counts as 0. */
static double shrink(const ridge *r, size_t k, int penalty)
{
    return 1 / (fmax(r->eigenvalues[k], 0) + r->penalties[penalty]);
}

/* --- leaving rows out ------------------------------------------------------------------ */

typedef struct leaving {
    const ridge *r;
    const float *turned; /* [N, D], by eigenvectors */
    const zf_panel_kernels *panel;
    float *packed[PENALTIES]; /* [D, C] coefficients */
    float *shrinks;           /* [PENALTIES, D] */
    float *fitted;            /* [workers, ROWS, C] */
    double *errors;           /* [tasks, PENALTIES] */
} leaving;

/* The squared error of row i of a block when it is left out. */
static double row_error(const leaving *l, const float *fitted, size_t row, int penalty)
{
    const ridge *r = l->r;
    size_t dim = r->data->dim;
    const float *z = l->turned + row * dim, *shrinks = l->shrinks + (size_t)penalty * dim;
    double leverage =
        1 / (double)r->data->train.rows + zf_reduce()->weighted_squares(z, shrinks, dim);
    double sum = 0;
    if (!(1 - leverage > CLOSEST)) return INFINITY;
    for (size_t c = 0; c < r->data->classes; c++) {
        double label = (size_t)r->data->train.labels[row] == c;
        double residual = (label - r->shares[c] - (double)fitted[c]) / (1 - leverage);
        sum += residual * residual;
    }
    return sum;
}

static void leave_out_block(void *context, int task, int worker)
{
    const leaving *l = context;
    const ridge *r = l->r;
    size_t rows = r->data->train.rows, classes = r->data->classes, first = (size_t)task * ROWS;
    size_t n = rows - first < ROWS ? rows - first : ROWS;
    float *fitted = l->fitted + (size_t)worker * ROWS * classes;
    int dim = (int)r->data->dim;
    for (int p = 0; p < r->n_penalties; p++) {
        double sum = 0;
        l->panel->multiply(fitted, (int)classes, l->turned + first * (size_t)dim, dim, l->packed[p],
                           (int)n, (int)classes, dim, false);
        for (size_t i = 0; i < n; i++) sum += row_error(l, fitted + i * classes, first + i, p);
        l->errors[task * PENALTIES + p] = sum;
    }
}

static zf_status prepare_leaving(leaving *l, zf_arena *arena, int tasks)
{
    const ridge *r = l->r;
    size_t dim = r->data->dim, classes = r->data->classes, rows = r->data->train.rows;
    size_t workers = (size_t)zf_crew_size(r->crew);
    float *axes = zf_arena_get(arena, dim * dim * sizeof *axes);
    float *turned = zf_arena_get(arena, rows * dim * sizeof *turned);
    float *coefficients = zf_arena_get(arena, classes * dim * sizeof *coefficients);
    l->shrinks = zf_arena_get(arena, PENALTIES * dim * sizeof(float));
    l->fitted = zf_arena_get(arena, workers * ROWS * classes * sizeof(float));
    l->errors = zf_arena_get(arena, (size_t)tasks * PENALTIES * sizeof(double));
    if (!axes || !turned || !coefficients || !l->shrinks || !l->fitted || !l->errors)
        return ZF_ENOMEM;
    for (size_t i = 0; i < dim * dim; i++) axes[i] = (float)r->vectors[i];
    zf_centred train = centred(r, &r->data->train);
    ZF_TRY(zf_turn(turned, &train, axes, dim, r->crew));
    l->turned = turned;
    l->panel = zf_panel_for((int)dim, (int)classes);
    for (int p = 0; p < r->n_penalties; p++) {
        l->packed[p] = zf_arena_get(arena, l->panel->bytes((int)dim, (int)classes));
        if (!l->packed[p]) return ZF_ENOMEM;
        for (size_t k = 0; k < dim; k++) l->shrinks[(size_t)p * dim + k] = (float)shrink(r, k, p);
        for (size_t i = 0; i < classes * dim; i++)
            coefficients[i] = (float)(r->projected[i] * shrink(r, i % dim, p));
        l->panel->pack_transposed(l->packed[p], coefficients, (int)dim, (int)dim, (int)classes);
    }
    return ZF_OK;
}

/* Sets r->best. Of penalties with the same error the larger one. */
static zf_status choose(ridge *r)
{
    if (r->n_penalties == 1) return ZF_OK;
    int tasks = (int)((r->data->train.rows + ROWS - 1) / ROWS);
    leaving l = {.r = r};
    zf_arena arena = {0};
    zf_status status = prepare_leaving(&l, &arena, tasks);
    if (status == ZF_OK) {
        zf_crew_run(r->crew, tasks, leave_out_block, &l);
        double least = INFINITY;
        for (int p = r->n_penalties - 1; p >= 0; p--) {
            double sum = 0;
            for (int t = 0; t < tasks; t++) sum += l.errors[t * PENALTIES + p];
            if (p == r->n_penalties - 1 || sum < least) least = sum, r->best = p;
        }
    }
    zf_arena_free(&arena);
    return status;
}

/* --- judging --------------------------------------------------------------------------- */

static zf_status find_weights(ridge *r)
{
    size_t dim = r->data->dim, classes = r->data->classes;
    double *scaled = zf_arena_get(&r->arena, classes * dim * sizeof *scaled);
    double *weights = zf_arena_get(&r->arena, classes * dim * sizeof *weights);
    if (!scaled || !weights) return ZF_ENOMEM;
    for (size_t i = 0; i < classes * dim; i++)
        scaled[i] = r->projected[i] * shrink(r, i % dim, r->best);
    zf_multiply(weights, (zf_factor){scaled, false}, (zf_factor){r->vectors, false}, classes, dim,
                dim, 1, 0);
    for (size_t i = 0; i < classes * dim; i++) r->weights[i] = (float)weights[i];
    return ZF_OK;
}

/* The share of a test set's rows whose largest prediction is that of their class. */
static zf_status judge(ridge *r, double *accuracy, const zf_labelled *test)
{
    size_t classes = r->data->classes;
    zf_centred rows = centred(r, test);
    float *fitted = zf_slab_new(test->rows * classes * sizeof *fitted);
    if (!fitted) return ZF_ENOMEM;
    zf_status status = zf_turn(fitted, &rows, r->weights, classes, r->crew);
    size_t right = 0;
    for (size_t i = 0; status == ZF_OK && i < test->rows; i++) {
        size_t best = 0;
        for (size_t c = 1; c < classes; c++)
            if ((double)fitted[i * classes + c] + r->shares[c] >
                (double)fitted[i * classes + best] + r->shares[best])
                best = c;
        right += (size_t)test->labels[i] == best;
    }
    free(fitted);
    *accuracy = (double)right / (double)test->rows;
    return status;
}

static zf_status run(ridge *r, double *accuracy, double wanted)
{
    ZF_TRY(get_memory(r));
    ZF_TRY(decompose(r));
    ZF_TRY(list_penalties(r, wanted));
    ZF_TRY(choose(r));
    ZF_TRY(find_weights(r));
    for (size_t i = 0; i < r->data->n_tests; i++)
        ZF_TRY(judge(r, &accuracy[i], &r->data->tests[i]));
    return ZF_OK;
}

zf_status zf_probe_ridge(double *accuracy, double *penalty, const zf_probe_data *data,
                         const zf_ridge_options *options)
{
    zf_ridge_options standard = zf_ridge_defaults();
    if (!options) options = &standard;
    if (!(options->penalty >= 0) || isinf(options->penalty))
        return zf_fail(ZF_EINVAL, "penalty: expected 0 or more, found %g", options->penalty);
    ZF_TRY(zf_probe_check(data));
    ZF_TRY(zf_lapack_open());
    ridge r = {.data = data};
    ZF_TRY(zf_crew_new(&r.crew, options->threads));
    zf_status status = run(&r, accuracy, options->penalty);
    if (status == ZF_OK && penalty) *penalty = r.penalties[r.best];
    zf_crew_free(r.crew);
    zf_arena_free(&r.arena);
    return status;
}
