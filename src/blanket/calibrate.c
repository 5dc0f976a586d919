/* Gates rank; the tests of pairs say what a rank is worth. Each pair has a chance to be no edge,
   its local false discovery rate, and a variable belongs to the blanket of a set unless it has an
   edge with none of the targets. A logistic regression of that chance on the log odds of the
   gate, over single targets and sets drawn at random, makes probabilities of gates.

   The rise with the gate is never negative, and a prior keeps it finite where gates tell edges
   from others without a fault.

   Rejected: isotonic regression, which follows every accident where gates are few and says 0 or
   1 at the ends; chances of pairs from p-value and gate together, by expectation and maximisation,
   which made next to no difference. */
#include "blanket/calibrate.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "blanket/model.h"
#include "evidence/discovery.h"
#include "evidence/result.h"

enum { SETS_A_SIZE = 32, FIRST_SIZE = 2, LAST_SIZE = 16 };

static const double CLIP = 1e-4; /* a gate nearer to 0 or 1 tells no more */

/* Prior: normal, at an intercept that the data decide on, and a rise that fits any scale of the
   gates: 1 with a deviation of 3 for each deviation of their log odds. */
static const double PRIOR_SLOPE = 1, PRIOR_SLOPE_WEIGHT = 0.1, PRIOR_SIZE_WEIGHT = 1,
                    PRIOR_INTERCEPT_WEIGHT = 0.02;

static double gate_odds(float gate)
{
    double clipped = fmin(1 - CLIP, fmax(CLIP, (double)gate));
    return log(clipped / (1 - clipped));
}

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

double zf_calibrated_odds(const zf_calibration *c, float gate, int n_targets)
{
    return c->intercept + c->slope * gate_odds(gate) + c->size * log((double)n_targets);
}

double zf_calibrated(const zf_calibration *c, float gate, int n_targets)
{
    return logistic(zf_calibrated_odds(c, gate, n_targets));
}

/* --- regression ---------------------------------------------------------------------- */

/* Solves A x = b of three unknowns by Gaussian elimination; A is positive definite. */
static void solve(double a[3][3], double b[3])
{
    for (int k = 0; k < 3; k++)
        for (int i = k + 1; i < 3; i++) {
            double factor = a[i][k] / a[k][k];
            for (int j = k; j < 3; j++) a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    for (int k = 2; k >= 0; k--) {
        for (int j = k + 1; j < 3; j++) b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
}

/* Mean and deviation of the gates' log odds, as weighted. */
typedef struct scale {
    double mean, deviation;
} scale;

static scale scale_of(const zf_graded *graded, size_t n)
{
    double weights = 0, mean = 0, square = 0;
    for (size_t i = 0; i < n; i++) {
        weights += graded[i].weight;
        mean += graded[i].weight * gate_odds(graded[i].gate);
    }
    mean = weights > 0 ? mean / weights : 0;
    for (size_t i = 0; i < n; i++) {
        double off = gate_odds(graded[i].gate) - mean;
        square += graded[i].weight * off * off;
    }
    double deviation = weights > 0 ? sqrt(square / weights) : 0;
    return (scale){mean, fmax(deviation, 1e-3)};
}

/* A step of Newton's method, at most so far that it cannot run away; how far. weight and centre:
   of the prior; where the weight is large, the number stays. */
static double newton_step(double beta[3], const zf_graded *graded, size_t n, scale odds,
                          const double centre[3], const double weight[3])
{
    double hessian[3][3] = {{0}}, gradient[3], far = 0;
    for (int i = 0; i < 3; i++) {
        hessian[i][i] = weight[i];
        gradient[i] = weight[i] * (centre[i] - beta[i]);
    }
    for (size_t r = 0; r < n; r++) {
        double x[3] = {1, (gate_odds(graded[r].gate) - odds.mean) / odds.deviation,
                       log((double)graded[r].targets)};
        double p = logistic(beta[0] * x[0] + beta[1] * x[1] + beta[2] * x[2]);
        double error = graded[r].weight * (graded[r].chance - p);
        double curvature = graded[r].weight * fmax(1e-6, p * (1 - p));
        for (int i = 0; i < 3; i++) {
            gradient[i] += error * x[i];
            for (int j = 0; j < 3; j++) hessian[i][j] += curvature * x[i] * x[j];
        }
    }
    solve(hessian, gradient);
    for (int i = 0; i < 3; i++) {
        double step = fmax(-1, fmin(1, gradient[i]));
        beta[i] += step;
        far = fmax(far, fabs(step));
    }
    return far;
}

zf_calibration zf_calibration_fit(const zf_graded *graded, size_t n)
{
    enum { STEPS = 200 };
    double beta[3] = {0, PRIOR_SLOPE, 0}, centre[3] = {0, PRIOR_SLOPE, 0};
    double weight[3] = {PRIOR_INTERCEPT_WEIGHT, PRIOR_SLOPE_WEIGHT, PRIOR_SIZE_WEIGHT};
    scale odds = scale_of(graded, n);
    for (int i = 0; i < STEPS && newton_step(beta, graded, n, odds, centre, weight) > 1e-10; i++) {
    }
    if (beta[1] < 0) { /* gates say the contrary: then they say nothing */
        beta[1] = centre[1] = 0;
        weight[1] = 1e12;
        for (int i = 0; i < STEPS && newton_step(beta, graded, n, odds, centre, weight) > 1e-10;
             i++) {
        }
        beta[1] = 0;
    }
    double slope = beta[1] / odds.deviation;
    return (zf_calibration){beta[0] - slope * odds.mean, slope, beta[2], true};
}

/* --- what it learns from --------------------------------------------------------------- */

typedef struct lessons {
    const zf_blanket *model;
    const double *local; /* the chance of each pair to be no edge */
    zf_graded *list;
    size_t n;
    float *gates;
    uint32_t *order;
    int32_t *targets;
} lessons;

static bool is_target(const int32_t *targets, int n, int32_t variable)
{
    for (int k = 0; k < n; k++)
        if (targets[k] == variable) return true;
    return false;
}

/* The gates of a set, if the model answers for it. */
static zf_status learn_set(lessons *l, const int32_t *targets, int n, double weight)
{
    int d = zf_blanket_variables(l->model);
    zf_status status = zf_blanket_query(l->model, targets, n, l->gates);
    if (status != ZF_OK) return status == ZF_EINVAL ? ZF_OK : status;
    for (int32_t j = 0; j < d; j++) {
        double none = 1;
        if (is_target(targets, n, j)) continue;
        for (int k = 0; k < n; k++) none *= l->local[zf_pair_at((size_t)targets[k], (size_t)j)];
        l->list[l->n++] = (zf_graded){l->gates[j], n, 1 - none, weight};
    }
    return ZF_OK;
}

/* Sets of each size, drawn at random: in a row where the gates know an order. Together they weigh
   as much as the pairs. */
static zf_status learn_sets(lessons *l, int size)
{
    const zf_blanket *model = l->model;
    uint32_t d = (uint32_t)zf_blanket_variables(model);
    bool ordered = zf_gate_about_of(model->shape.gate.kind)->columns == ZF_COLUMNS_IN_ORDER;
    for (uint32_t s = 0; s < SETS_A_SIZE; s++) {
        zf_random random =
            zf_random_at(model->seed, ZF_FOR_TARGET, UINT32_MAX, s << 8 | (uint32_t)size);
        if (ordered) {
            uint32_t first = zf_random_below(&random, d - (uint32_t)size + 1);
            for (int k = 0; k < size; k++) l->targets[k] = (int32_t)first + k;
        } else {
            zf_random_permutation(&random, l->order, d);
            for (int k = 0; k < size; k++) l->targets[k] = (int32_t)l->order[k];
        }
        ZF_TRY(learn_set(l, l->targets, size, 0.5 * d / SETS_A_SIZE));
    }
    return ZF_OK;
}

static zf_status learn(lessons *l)
{
    const zf_blanket *model = l->model;
    int d = zf_blanket_variables(model), most = model->shape.gate.most_targets;
    if (model->fixed) return learn_set(l, model->fixed, model->n_fixed, 1);
    for (int32_t i = 0; i < d; i++) ZF_TRY(learn_set(l, &i, 1, 0.5)); /* a pair is met twice */
    for (int size = FIRST_SIZE; size <= LAST_SIZE && size <= most && 2 * size <= d; size *= 2)
        ZF_TRY(learn_sets(l, size));
    return ZF_OK;
}

zf_status zf_calibrate(zf_calibration *out, const zf_blanket *model)
{
    size_t d = (size_t)zf_blanket_variables(model), pairs = d * (d - 1) / 2;
    size_t sets = d + SETS_A_SIZE * 4; /* sizes 2, 4, 8, 16 */
    const zf_pair_evidence *found = model->evidence->pairs;
    zf_arena arena = {0};
    double *local = zf_arena_get(&arena, pairs * sizeof *local);
    lessons l = {.model = model, .local = local};
    l.list = zf_arena_get(&arena, sets * d * sizeof *l.list);
    l.gates = zf_arena_get(&arena, d * sizeof *l.gates);
    l.order = zf_arena_get(&arena, d * sizeof *l.order);
    l.targets = zf_arena_get(&arena, d * sizeof *l.targets);
    zf_status status = local && l.list && l.gates && l.order && l.targets ? ZF_OK : ZF_ENOMEM;
    if (status == ZF_OK)
        status = zf_discovery_local(local, &found->p_value, sizeof *found / sizeof(double), pairs);
    if (status == ZF_OK) status = learn(&l);
    if (status == ZF_OK) *out = zf_calibration_fit(l.list, l.n);
    if (status == ZF_ENUMERIC) *out = (zf_calibration){0};
    zf_arena_free(&arena);
    return status == ZF_ENUMERIC ? ZF_OK : status;
}
