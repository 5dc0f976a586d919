/* The penalty of the graphical lasso by cross-validation, by the rules of
   scikit-learn 1.2's GraphicalLassoCV: folds are runs of rows in their order, a
   first grid goes from the penalty that leaves no edge down to a hundredth of
   it, and each refinement is a finer grid between the neighbours of the best
   penalty so far; the best has the largest mean log-likelihood on the rows held
   out (of equals, the smallest penalty). Along a grid each fold starts from its
   last solution.

   Folds are the tasks of the crew. Each has its own memory, and scores are
   added up in the order of the folds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "baseline/glasso.h"
#include "baseline/method.h"
#include "kernel/lapack.h"

enum { ITERATIONS = 100, FOLD_ITERATIONS = 10 };

typedef struct fold {
    double *train, *test; /* covariances */
    zf_glasso work;
    double score;
    zf_status status;
} fold;

typedef struct trial {
    double penalty, score; /* mean over the folds */
} trial;

typedef struct search {
    zf_method_call *call;
    double *empirical; /* covariance of all rows */
    int n_folds;
    fold *folds;
    double penalty; /* that the tasks are to try */
    trial *trials;  /* largest penalty first */
    int n_trials;
    double *grid; /* [penalties] the next to try */
    int best;
} search;

static void search_free(search *s)
{
    for (int f = 0; s->folds && f < s->n_folds; f++) {
        free(s->folds[f].train);
        free(s->folds[f].test);
        zf_glasso_free(&s->folds[f].work);
    }
    free(s->folds);
    free(s->empirical);
    free(s->trials);
    free(s->grid);
}

static zf_status search_new(search *s, zf_method_call *call)
{
    const zf_baseline_options *options = call->options;
    size_t trials = (size_t)options->penalties * (size_t)options->refinements;
    *s = (search){.call = call, .n_folds = options->folds};
    s->empirical = zf_square_new(call->columns);
    s->folds = calloc((size_t)s->n_folds, sizeof *s->folds);
    s->trials = malloc(trials * sizeof *s->trials);
    s->grid = malloc((size_t)options->penalties * sizeof *s->grid);
    if (!s->empirical || !s->folds || !s->trials || !s->grid)
        return zf_fail_memory(trials * sizeof *s->trials);
    for (int f = 0; f < s->n_folds; f++) {
        fold *one = &s->folds[f];
        one->train = zf_square_new(call->columns);
        one->test = zf_square_new(call->columns);
        if (!one->train || !one->test) return ZF_ENOMEM;
        ZF_TRY(zf_glasso_new(&one->work, call->columns));
    }
    return ZF_OK;
}

/* Turns sums of products into a covariance about the mean of their own rows. */
static void centre(double *products, const double *sums, size_t n, double rows)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            products[i * n + j] = products[i * n + j] / rows - sums[i] / rows * (sums[j] / rows);
}

/* The covariances of a fold's rows and of the others, from sums of products: the
   columns have mean 0 over all rows, so nothing is lost by subtraction. */
static void measure_fold(search *s, fold *one, size_t first, size_t count)
{
    const zf_method_call *call = s->call;
    size_t n = call->columns;
    const double *rows = call->values + first * n;
    double total = (double)call->rows, *sums = one->work.weights, *others = one->work.fit;
    memset(sums, 0, n * sizeof *sums);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < n; j++) sums[j] += rows[i * n + j];
    for (size_t j = 0; j < n; j++) others[j] = -sums[j];
    zf_cross_product(one->test, rows, count, n, 1);
    for (size_t i = 0; i < n * n; i++) one->train[i] = s->empirical[i] * total - one->test[i];
    centre(one->test, sums, n, (double)count);
    centre(one->train, others, n, total - (double)count);
}

static void measure(search *s)
{
    const zf_method_call *call = s->call;
    size_t n_folds = (size_t)s->n_folds, first = 0;
    zf_cross_product(s->empirical, call->values, call->rows, call->columns, 1 / (double)call->rows);
    for (size_t f = 0; f < n_folds; f++) {
        size_t count = call->rows / n_folds + (f < call->rows % n_folds);
        measure_fold(s, &s->folds[f], first, count);
        first += count;
    }
}

/* Penalties evenly spaced by their logarithm, from one end to the other. */
static void space(double *grid, int n, double from, double to)
{
    double step = (log10(to) - log10(from)) / (n - 1);
    for (int i = 0; i < n; i++) grid[i] = pow(10, log10(from) + i * step);
}

/* A task: one fold, one penalty. A failure leaves the fold's last good solution
   as the next starting point. */
static void try_fold(void *context, int task, int worker)
{
    (void)worker;
    search *s = context;
    fold *one = &s->folds[task];
    size_t bytes = s->call->columns * s->call->columns * sizeof(double);
    zf_glasso_end end;
    double gap;
    one->score = -INFINITY;
    memcpy(one->work.covariance, one->work.kept, bytes);
    one->status = zf_glasso_solve(&end, &gap, &one->work, one->train, s->penalty, FOLD_ITERATIONS);
    if (one->status != ZF_OK || end == ZF_GLASSO_FAILED) return;
    memcpy(one->work.kept, one->work.covariance, bytes);
    one->score = zf_glasso_likelihood(&one->work, one->test);
    if (!isfinite(one->score)) one->score = -INFINITY;
}

/* Tries s->grid and puts the trials into their places. */
static zf_status try_grid(search *s)
{
    int penalties = s->call->options->penalties;
    uint64_t steps = (uint64_t)penalties * (uint64_t)s->call->options->refinements + 1;
    size_t bytes = s->call->columns * s->call->columns * sizeof(double);
    for (int f = 0; f < s->n_folds; f++) memcpy(s->folds[f].work.kept, s->folds[f].train, bytes);
    for (int i = 0; i < penalties; i++) {
        s->penalty = s->grid[i];
        uint64_t done = (uint64_t)s->n_trials;
        ZF_TRY(zf_pace_run(&s->call->pace, (zf_span){done, done, steps}, s->call->crew, s->n_folds,
                           try_fold, s));
        double sum = 0;
        for (int f = 0; f < s->n_folds; f++) {
            if (s->folds[f].status != ZF_OK)
                return zf_fail(s->folds[f].status, "fold %d of %d: out of memory", f + 1,
                               s->n_folds);
            sum += s->folds[f].score;
        }
        int place = s->n_trials++;
        for (; place > 0 && s->trials[place - 1].penalty < s->penalty; place--)
            s->trials[place] = s->trials[place - 1];
        s->trials[place] = (trial){s->penalty, sum / s->n_folds};
        ZF_TRY(zf_pace_tell(&s->call->pace, (uint64_t)s->n_trials, steps));
    }
    return ZF_OK;
}

/* Finds the best trial so far, and the ends between which the next grid lies. */
static void choose(search *s, double *from, double *to)
{
    const trial *trials = s->trials;
    int last = s->n_trials - 1, last_finite = 0;
    double best = -INFINITY;
    for (int i = 0; i <= last; i++) {
        double score = trials[i].score;
        if (score >= 0.1 / 2.220446049250313e-16) score = NAN; /* only a wreck fits so well */
        if (isfinite(score)) last_finite = i;
        if (!(score >= best)) continue;
        best = score;
        s->best = i;
    }
    *from = trials[s->best].penalty;
    if (s->best == 0) {
        *to = trials[1].penalty;
    } else if (s->best == last) {
        *to = 0.01 * trials[s->best].penalty;
    } else {
        if (s->best != last_finite) *from = trials[s->best - 1].penalty;
        *to = trials[s->best + 1].penalty;
    }
}

static zf_status find_penalty(search *s, double largest)
{
    int penalties = s->call->options->penalties;
    double *wide = malloc(((size_t)penalties + 2) * sizeof *wide), from, to;
    if (!wide) return zf_fail_memory((size_t)penalties * sizeof *wide);
    zf_status status = ZF_OK;
    space(s->grid, penalties, largest, 0.01 * largest);
    for (int i = 0; status == ZF_OK && i < s->call->options->refinements; i++) {
        status = try_grid(s);
        if (status != ZF_OK) break;
        choose(s, &from, &to);
        space(wide, penalties + 2, from, to); /* the ends have been tried */
        memcpy(s->grid, wide + 1, (size_t)penalties * sizeof *wide);
    }
    free(wide);
    return status;
}

/* All rows, with the best penalty. */
static zf_status solve(search *s)
{
    zf_method_call *call = s->call;
    zf_glasso *work = &s->folds[0].work;
    size_t n = call->columns;
    zf_glasso_end end;
    double gap, penalty = s->trials[s->best].penalty;
    uint64_t steps = (uint64_t)s->n_trials + 1;
    memcpy(work->covariance, s->empirical, n * n * sizeof(double));
    ZF_TRY(zf_glasso_solve(&end, &gap, work, s->empirical, penalty, ITERATIONS));
    if (end == ZF_GLASSO_FAILED)
        return zf_fail(ZF_EINPUT,
                       "graphical lasso with penalty %.3g: no solution; some columns are linear "
                       "functions of others, or their scales differ too much (standardise them)",
                       penalty);
    if (end == ZF_GLASSO_UNFINISHED)
        zf_method_log(call, ZF_WARNING,
                      "graphical lasso with penalty %.3g: duality gap %.2g after %d iterations",
                      penalty, gap, ITERATIONS);
    for (size_t i = 0; i < n * n; i++) call->scores[i] = fabs(work->precision[i]);
    call->details->precision = work->precision;
    work->precision = NULL;
    call->details->penalty = penalty;
    call->details->likelihood = s->trials[s->best].score;
    zf_pace_end(&call->pace, steps);
    return ZF_OK;
}

/* Nothing correlates with anything: every penalty gives the diagonal. */
static zf_status solve_empty(search *s)
{
    size_t n = s->call->columns;
    double *precision = zf_square_new(n);
    if (!precision) return ZF_ENOMEM;
    for (size_t i = 0; i < n; i++) precision[i * n + i] = 1 / s->empirical[i * n + i];
    s->call->details->precision = precision;
    return ZF_OK;
}

static zf_status run(search *s)
{
    size_t n = s->call->columns;
    double largest = 0;
    measure(s);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) largest = fmax(largest, fabs(s->empirical[i * n + j]));
    if (largest == 0) return solve_empty(s);
    ZF_TRY(find_penalty(s, largest));
    return solve(s);
}

zf_status zf_glasso_run(zf_method_call *call)
{
    search s;
    zf_status status = search_new(&s, call);
    if (status == ZF_OK) status = run(&s);
    search_free(&s);
    return status;
}
