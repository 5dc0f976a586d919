/* Straight lines, by Bayesian variable selection: each variable is regressed on all others, and
   each coefficient is 0 or normal (a spike and a slab; George and McCulloch, 1993). How many are
   not 0, and how large these are beside the noise, is learnt from all regressions of the table
   together. A Gibbs sampler visits the coefficients in turn and draws each given all others; the
   odds of a coefficient are the sums, over sweeps, of its chance to be there and of its chance not
   to be. So what several variables could explain is shared among them, where one estimate would
   pick one of them or, unselected, all.

   Only correlations are needed, with few rows as with many. A sweep costs as much as there are
   coefficients, and those that are not 0 a column of correlations each. Every regression draws
   from a stream of its own.

   Rejected, on linear laws and two networks of bnlearn's, where pairs were ranked worse: partial
   correlations beside it; the lasso by cross-validation; mean-field variational inference in place
   of draws, which settles on one of several variables that tell the same. */
#include "evidence/lines.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "evidence/result.h"
#include "kernel/lapack.h"

enum { SWEEPS = 200, WARM_UP = 50 };

static const uint64_t SEED = 0;
static const double FIRST_SHARE = 0.3, FIRST_SLAB = 0.1;
static const double LARGEST_SHARE = 0.9;
static const double LEAST_SLAB = 1e-3, LARGEST_SLAB = 10;
static const double LEAST_NOISE = 1e-6; /* of a variance of 1 */
static const double LARGEST_ODDS = 600; /* logarithm */

typedef struct lines {
    size_t n; /* variables */
    double rows;
    uint64_t sweep;
    double share, slab;        /* of coefficients that are not 0; their variance, in noise */
    const double *correlation; /* [n, n] */
    double *weight, *left;     /* [n, n]: of each regression; what it leaves, with each variable */
    double *in, *out;          /* [n, n]: sums of chances */
    double *noise;             /* [n] */
    double *squares;           /* [n]: of coefficients, in noise */
    double *count;             /* [n]: of those that are not 0 */
} lines;

/* Draws coefficient j of a regression; what it leaves follows. */
static void draw(const lines *l, size_t i, size_t j, zf_random *random)
{
    double *weight = l->weight + i * l->n, *left = l->left + i * l->n;
    double shrink = l->rows * l->slab / (l->rows * l->slab + 1);
    double mean = shrink * (left[j] + weight[j]), variance = shrink * l->noise[i] / l->rows;
    double odds = log(l->share / (1 - l->share)) - 0.5 * log1p(l->rows * l->slab) +
                  mean * mean / (2 * variance);
    double chance_out = 1 / (1 + exp(fmin(LARGEST_ODDS, odds)));
    double chance_in = 1 / (1 + exp(-odds));
    if (l->sweep >= WARM_UP) {
        l->in[i * l->n + j] += chance_in;
        l->out[i * l->n + j] += chance_out;
    }
    double drawn = 0;
    if (zf_random_uniform_double(random) < chance_in)
        drawn = mean + sqrt(variance) * (double)zf_random_normal(random);
    double change = drawn - weight[j];
    if (change == 0) return;
    weight[j] = drawn;
    for (size_t k = 0; k < l->n; k++) left[k] -= change * l->correlation[j * l->n + k];
}

static void sweep_regression(void *context, int task, int worker)
{
    lines *l = context;
    size_t i = (size_t)task, n = l->n;
    zf_random random = zf_random_at(SEED, ZF_FOR_LINES, l->sweep, (uint32_t)task);
    (void)worker;
    for (size_t j = 0; j < n; j++)
        if (j != i) draw(l, i, j, &random);
    double explained = 0, squares = 0, count = 0;
    for (size_t j = 0; j < n; j++) {
        double weight = l->weight[i * n + j];
        explained += weight * l->left[i * n + j];
        squares += weight * weight;
        count += weight != 0;
    }
    l->noise[i] = fmax(LEAST_NOISE, l->left[i * n + i] - explained);
    l->squares[i] = squares / l->noise[i];
    l->count[i] = count;
}

static void learn_prior(lines *l)
{
    double all = (double)l->n * (double)(l->n - 1), squares = 0, count = 0;
    for (size_t i = 0; i < l->n; i++) {
        squares += l->squares[i];
        count += l->count[i];
    }
    l->share = fmin(LARGEST_SHARE, (count + 1) / (all + 2));
    l->slab = fmax(LEAST_SLAB, fmin(LARGEST_SLAB, (squares + FIRST_SLAB) / (count + 1)));
}

static zf_status lines_new(lines *l, const zf_sample *sample, zf_arena *arena)
{
    size_t n = sample->variables, square = n * n;
    double *at = zf_arena_get(arena, (5 * square + 3 * n) * sizeof *at);
    if (!at) return ZF_ENOMEM;
    memset(at, 0, (5 * square + 3 * n) * sizeof *at);
    zf_factor scores = {sample->lines.values, false}, turned = {sample->lines.values, true};
    zf_multiply(at, scores, turned, n, n, sample->rows, 1 / (double)sample->rows, 0);
    *l = (lines){.n = n, .rows = (double)sample->rows, .share = FIRST_SHARE, .slab = FIRST_SLAB};
    l->correlation = at;
    l->left = at += square;
    memcpy(l->left, l->correlation, square * sizeof *at);
    l->weight = at += square;
    l->in = at += square;
    l->out = at += square;
    l->noise = at += square;
    l->squares = at += n;
    l->count = at + n;
    for (size_t i = 0; i < n; i++) l->noise[i] = 1;
    return ZF_OK;
}

static double odds_of(const lines *l, size_t a, size_t b)
{
    size_t at = a * l->n + b;
    return log(l->in[at] / l->out[at]);
}

zf_status zf_lines_odds(double *out, const zf_sample *sample, zf_crew *crew, zf_pace *pace,
                        zf_span span)
{
    zf_arena arena = {0};
    lines l;
    zf_status status = lines_new(&l, sample, &arena);
    for (; status == ZF_OK && l.sweep < SWEEPS; l.sweep++) {
        status = zf_pace_run(pace, span, crew, (int)l.n, sweep_regression, &l);
        learn_prior(&l);
    }
    for (size_t a = 1; status == ZF_OK && a < l.n; a++)
        for (size_t b = 0; b < a; b++)
            out[zf_pair_at(a, b)] = odds_of(&l, a, b) + odds_of(&l, b, a);
    zf_arena_free(&arena);
    return status;
}
