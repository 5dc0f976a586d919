/* Ridge regression of one-hot labels on the features, in closed form. Letters: N rows,
   D columns, C classes, K axes: the fewer of N and D.

   With the principal axes V of the centred features X and the squares s that they have
   along each, the coefficients for every penalty p are V (s + p)^-1 V'X'Y: one
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
#include "base/grow.h"
#include "kernel/lapack.h"
#include "kernel/panel.h"
#include "kernel/reduce.h"
#include "probe/axes.h"
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
    float *mean;       /* [D] */
    double *shares;    /* [C], of the classes */
    size_t n_axes;     /* K */
    float *axes;       /* [K, D] */
    double *squares;   /* [K] */
    double *projected; /* [C, K], class sums of centred rows, by axes */
    double penalties[PENALTIES];
    int n_penalties, best;
    float *weights; /* [C, D], of the best */
} ridge;

void zf_ridge_options_init(zf_ridge_options *options, size_t size)
{
    const zf_ridge_options all = {0};
    zf_give(options, size, &all, sizeof all);
}

/* --- the decomposition --------------------------------------------------------------- */

static zf_status get_memory(ridge *r)
{
    size_t dim = r->data->dim, classes = r->data->classes, rows = r->data->train.rows;
    r->n_axes = rows < dim ? rows : dim;
    r->mean = zf_arena_get(&r->arena, dim * sizeof(float));
    r->shares = zf_arena_get(&r->arena, classes * sizeof(double));
    r->axes = zf_arena_get(&r->arena, r->n_axes * dim * sizeof(float));
    r->squares = zf_arena_get(&r->arena, r->n_axes * sizeof(double));
    r->projected = zf_arena_get(&r->arena, classes * r->n_axes * sizeof(double));
    r->weights = zf_arena_get(&r->arena, classes * dim * sizeof(float));
    return r->mean && r->shares && r->axes && r->squares && r->projected && r->weights ? ZF_OK
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

/* to = A [C, n] times the axes [K, D] as doubles, or their transpose. */
static zf_status by_axes(ridge *r, double *to, const double *a, bool transposed)
{
    size_t dim = r->data->dim, n = r->n_axes;
    double *axes = zf_slab_new(n * dim * sizeof *axes);
    if (!axes) return ZF_ENOMEM;
    for (size_t i = 0; i < n * dim; i++) axes[i] = (double)r->axes[i];
    zf_multiply(to, (zf_factor){a, false}, (zf_factor){axes, transposed}, r->data->classes,
                transposed ? n : dim, transposed ? dim : n, 1, 0);
    free(axes);
    return ZF_OK;
}

static zf_status decompose(ridge *r)
{
    size_t dim = r->data->dim, classes = r->data->classes;
    double *sums = zf_arena_get(&r->arena, classes * dim * sizeof *sums);
    double *mean = zf_arena_get(&r->arena, 2 * dim * sizeof *mean);
    if (!sums || !mean) return ZF_ENOMEM;
    zf_probe_moments(mean, mean + dim, r->data->train.features, r->data->train.rows, dim);
    for (size_t j = 0; j < dim; j++) r->mean[j] = (float)mean[j];
    zf_centred rows = centred(r, &r->data->train);
    ZF_TRY(zf_principal_axes(r->axes, r->squares, r->n_axes, &rows, r->crew));
    sum_classes(r, sums);
    return by_axes(r, r->projected, sums, true);
}

static zf_status list_penalties(ridge *r, double wanted)
{
    double sum = 0;
    for (size_t k = 0; k < r->n_axes; k++) sum += r->squares[k];
    if (!(sum > 0)) return zf_fail(ZF_EINPUT, "ridge probe: all training rows are the same");
    r->n_penalties = wanted > 0 ? 1 : PENALTIES;
    for (int i = 0; i < r->n_penalties; i++)
        r->penalties[i] =
            wanted > 0 ? wanted : sum / (double)r->data->dim * LEAST_PENALTY * pow(10, i / 2.0);
    return ZF_OK;
}

static double shrink(const ridge *r, size_t axis, int penalty)
{
    return 1 / (r->squares[axis] + r->penalties[penalty]);
}

/* --- leaving rows out ------------------------------------------------------------------ */

typedef struct leaving {
    const ridge *r;
    const float *turned; /* [N, K], by axes */
    const zf_panel_kernels *panel;
    float *packed[PENALTIES]; /* [K, C] coefficients */
    float *shrinks;           /* [PENALTIES, K] */
    float *fitted;            /* [workers, ROWS, C] */
    double *errors;           /* [tasks, PENALTIES] */
} leaving;

/* The squared error of row i of a block when it is left out. */
static double row_error(const leaving *l, const float *fitted, size_t row, int penalty)
{
    const ridge *r = l->r;
    size_t n = r->n_axes;
    const float *z = l->turned + row * n, *shrinks = l->shrinks + (size_t)penalty * n;
    double leverage =
        1 / (double)r->data->train.rows + zf_reduce()->weighted_squares(z, shrinks, n);
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
    int axes = (int)r->n_axes;
    for (int p = 0; p < r->n_penalties; p++) {
        double sum = 0;
        l->panel->multiply(fitted, (int)classes, l->turned + first * r->n_axes, axes, l->packed[p],
                           (int)n, (int)classes, axes, false);
        for (size_t i = 0; i < n; i++) sum += row_error(l, fitted + i * classes, first + i, p);
        l->errors[task * PENALTIES + p] = sum;
    }
}

static zf_status prepare_leaving(leaving *l, zf_arena *arena, int tasks)
{
    const ridge *r = l->r;
    size_t n = r->n_axes, classes = r->data->classes, rows = r->data->train.rows;
    size_t workers = (size_t)zf_crew_size(r->crew);
    float *turned = zf_arena_get(arena, rows * n * sizeof *turned);
    float *coefficients = zf_arena_get(arena, classes * n * sizeof *coefficients);
    l->shrinks = zf_arena_get(arena, PENALTIES * n * sizeof(float));
    l->fitted = zf_arena_get(arena, workers * ROWS * classes * sizeof(float));
    l->errors = zf_arena_get(arena, (size_t)tasks * PENALTIES * sizeof(double));
    if (!turned || !coefficients || !l->shrinks || !l->fitted || !l->errors) return ZF_ENOMEM;
    zf_centred train = centred(r, &r->data->train);
    ZF_TRY(zf_turn(turned, &train, r->axes, n, r->crew));
    l->turned = turned;
    l->panel = zf_panel_for((int)n, (int)classes);
    for (int p = 0; p < r->n_penalties; p++) {
        l->packed[p] = zf_arena_get(arena, l->panel->bytes((int)n, (int)classes));
        if (!l->packed[p]) return ZF_ENOMEM;
        for (size_t k = 0; k < n; k++) l->shrinks[(size_t)p * n + k] = (float)shrink(r, k, p);
        for (size_t i = 0; i < classes * n; i++)
            coefficients[i] = (float)(r->projected[i] * shrink(r, i % n, p));
        l->panel->pack_transposed(l->packed[p], coefficients, (int)n, (int)n, (int)classes);
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
    size_t dim = r->data->dim, classes = r->data->classes, n = r->n_axes;
    double *scaled = zf_arena_get(&r->arena, classes * n * sizeof *scaled);
    double *weights = zf_arena_get(&r->arena, classes * dim * sizeof *weights);
    if (!scaled || !weights) return ZF_ENOMEM;
    for (size_t i = 0; i < classes * n; i++)
        scaled[i] = r->projected[i] * shrink(r, i % n, r->best);
    ZF_TRY(by_axes(r, weights, scaled, false));
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
                         const zf_ridge_options *given)
{
    zf_ridge_options known = zf_ridge_defaults();
    const zf_ridge_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "ridge"));
    if (!(options->penalty >= 0) || isinf(options->penalty))
        return zf_fail(ZF_EINVAL, "penalty: expected 0 or more, found %g", options->penalty);
    ZF_TRY(zf_probe_check(data));
    if (data->dim > ZF_AXES_DIM_MOST)
        return zf_fail(ZF_EINVAL, "ridge probe: expected at most %d features, found %zu",
                       ZF_AXES_DIM_MOST, data->dim);
    ZF_TRY(zf_lapack_open()); /* for zf_multiply */
    ridge r = {.data = data};
    ZF_TRY(zf_crew_new(&r.crew, options->threads));
    zf_status status = run(&r, accuracy, options->penalty);
    if (status == ZF_OK && penalty) *penalty = r.penalties[r.best];
    zf_crew_free(r.crew);
    zf_arena_free(&r.arena);
    return status;
}
