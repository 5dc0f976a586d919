/* Sums of functions of one index each (Friedman and Stuetzle, 1981), all responses
   along the same index.

   An index is found by Gauss and Newton's method with Marquardt's damping: given the
   direction, the profile of each response is a least-squares fit on ZF_PROFILE
   functions of the index; given the profiles' slopes, the direction moves by linear
   least squares. Starts: the leading directions of the linear regressions, and of
   the responses' mean curvature (principal Hessian directions, Li 1992), which see
   an even function such as a square where the linear ones see nothing.

   Rejected: kernels alone, which in 20 dimensions need far more than 1,000 rows to
   see the square of a dense index; a network trained by gradient steps, which finds
   the same at a hundred times the cost.

   Letters: N rows, P inputs, K responses. */
#include "criterion/pursuit.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "kernel/index.h"
#include "kernel/lapack.h"

enum {
    STARTS = 4,
    STARTS_FOLLOWED = 3,
    FIRST_ITERATIONS = 2, /* of each, where the best alone is followed to its end */
    ITERATIONS = 12,
    TRIALS = 4,
};

static const double SQUEEZE = 1.5; /* the index enters as asinh(SQUEEZE * u): tails are drawn in */
static const double REACH = 2.5;   /* deviations over which the bumps are spread */
/* A relative gain below which a search ends. */
static const double enough[] = {[ZF_PURSUE_ALL] = 1e-4, [ZF_PURSUE_BEST] = 1e-3};
static const double CHANCE = 2;    /* times its parameters' share: the least gain of a direction */
static const double STEADY = 1e-6; /* ridge of the profiles, of the mean eigenvalue */
static const double DAMPING_LEAST = 1e-4;

/* A direction and what it explains. */
typedef struct place {
    double *w;          /* [P], of length 1 */
    double *profile;    /* [ZF_PROFILE, N], centred */
    double *derivative; /* [ZF_PROFILE, N], along the index */
    double *share;      /* [K, ZF_PROFILE], of each response's fit */
    double error;       /* sum of squares that remain */
} place;

typedef struct search {
    const zf_columns *inputs, *scores;
    zf_pursuit how;
    zf_columns left; /* [K, N] of the responses, less the directions found */
    double square;   /* their sum of squares */
    place now, next, best;
    double *fit, *slope;     /* [K, N] of s->now, once it is linearised */
    double *index, *weight;  /* [N] */
    double *scaled;          /* [P, N] */
    double *curvature;       /* [P, P] */
    double *damped;          /* [P, P] */
    double *gradient, *step; /* [P] */
    double *starts;          /* [STARTS, P] */
    double *small;           /* [P, P] */
} search;

static zf_status place_new(place *out, zf_arena *arena, size_t rows, size_t inputs,
                           size_t responses)
{
    size_t total = inputs + ZF_PROFILE * (2 * rows + responses);
    double *memory = zf_arena_get(arena, total * sizeof *memory);
    if (!memory) return ZF_ENOMEM;
    *out = (place){.w = memory, .profile = memory + inputs};
    out->derivative = out->profile + ZF_PROFILE * rows;
    out->share = out->derivative + ZF_PROFILE * rows;
    return ZF_OK;
}

static zf_status search_new(search *s, zf_arena *arena)
{
    size_t rows = s->inputs->rows, p = s->inputs->count, k = s->left.count;
    ZF_TRY(place_new(&s->now, arena, rows, p, k));
    ZF_TRY(place_new(&s->next, arena, rows, p, k));
    ZF_TRY(place_new(&s->best, arena, rows, p, k));
    size_t total = (2 * k + 2 + p) * rows + 2 * p * p + 2 * p + STARTS * p + p * p;
    double *memory = zf_arena_get(arena, total * sizeof *memory);
    if (!memory) return ZF_ENOMEM;
    s->fit = memory;
    s->slope = s->fit + k * rows;
    s->index = s->slope + k * rows;
    s->weight = s->index + rows;
    s->scaled = s->weight + rows;
    s->curvature = s->scaled + p * rows;
    s->damped = s->curvature + p * p;
    s->gradient = s->damped + p * p;
    s->step = s->gradient + p;
    s->starts = s->step + p;
    s->small = s->starts + STARTS * p;
    return ZF_OK;
}

static void normalise(double *w, size_t p)
{
    double length = sqrt(zf_column_dot(w, w, p));
    for (size_t j = 0; j < p; j++) w[j] = length > 0 ? w[j] / length : j == 0;
}

void zf_spread_profile(double *profile, double *derivative, const double *index, size_t rows)
{
    double mean = 0;
    zf_index()->squeeze(profile, derivative, index, SQUEEZE, rows);
    for (size_t i = 0; i < rows; i++) mean += profile[i];
    mean /= (double)rows;
    double square = zf_column_dot(profile, profile, rows);
    double deviation = sqrt(fmax(square / (double)rows - mean * mean, 1e-12));
    double width = 2 * REACH * deviation / (ZF_BUMPS - 1);
    zf_index()->bumps(profile + rows, derivative + rows, profile, derivative, rows, ZF_BUMPS,
                      mean - REACH * deviation, width);
    zf_index()->centre(profile, ZF_PROFILE, rows);
}

/* The functions of the index at to->w, centred, and their derivatives along it. */
static void spread_bumps(search *s, place *to)
{
    size_t rows = s->inputs->rows, p = s->inputs->count;
    zf_multiply(s->index, (zf_factor){to->w, false}, (zf_factor){s->inputs->values, false}, 1, rows,
                p, 1, 0);
    zf_spread_profile(to->profile, to->derivative, s->index, rows);
}

/* Fits every response along to->w: the shares of its profile, and what remains, by the normal
   equations alone. The ridge keeps these positive; if rounding were to break them, the place
   explains nothing. */
static void fit_profiles(search *s, place *to)
{
    size_t rows = s->inputs->rows, k = s->left.count;
    double cross[ZF_PROFILE * ZF_PROFILE], mean = 0;
    double *reach = s->fit; /* [K, ZF_PROFILE], free as yet */
    spread_bumps(s, to);
    zf_factor profile = {to->profile, false}, across = {to->profile, true};
    zf_multiply(cross, profile, across, ZF_PROFILE, ZF_PROFILE, rows, 1, 0);
    for (size_t b = 0; b < ZF_PROFILE; b++) mean += cross[b * (ZF_PROFILE + 1)] / ZF_PROFILE;
    for (size_t b = 0; b < ZF_PROFILE; b++) cross[b * (ZF_PROFILE + 1)] += STEADY * mean;
    to->error = s->square;
    memset(to->share, 0, k * ZF_PROFILE * sizeof *to->share);
    if (zf_invert_positive(cross, ZF_PROFILE, 0) != 0) return;
    zf_multiply(reach, (zf_factor){s->left.values, false}, across, k, ZF_PROFILE, rows, 1, 0);
    zf_multiply(to->share, (zf_factor){reach, false}, (zf_factor){cross, false}, k, ZF_PROFILE,
                ZF_PROFILE, 1, 0);
    for (size_t i = 0; i < k * ZF_PROFILE; i++)
        to->error -= to->share[i] * (reach[i] + STEADY * mean * to->share[i]);
}

/* The fit itself. */
static void fit_at(search *s, const place *at)
{
    zf_multiply(s->fit, (zf_factor){at->share, false}, (zf_factor){at->profile, false},
                s->left.count, s->inputs->rows, ZF_PROFILE, 1, 0);
}

/* Two directions in which the inputs predict the responses linearly. */
static zf_status start_linear(search *s)
{
    size_t rows = s->inputs->rows, p = s->inputs->count, k = s->left.count;
    double *values = s->step, *slopes = s->fit; /* [P, K], free as yet */
    assert(p <= rows);
    zf_multiply(slopes, (zf_factor){s->inputs->values, false}, (zf_factor){s->left.values, true}, p,
                k, rows, 1 / (double)rows, 0);
    zf_multiply(s->small, (zf_factor){slopes, false}, (zf_factor){slopes, true}, p, p, k, 1, 0);
    ZF_TRY(zf_eigenvectors(s->small, values, p));
    memcpy(s->starts, s->small + (p - 1) * p, p * sizeof *s->starts);
    memcpy(s->starts + p, s->small + (p > 1 ? p - 2 : 0) * p, p * sizeof *s->starts);
    return ZF_OK;
}

/* Two directions in the scores in which the responses are most curved. */
static zf_status start_curved(search *s)
{
    size_t rows = s->scores->rows, q = s->scores->count, p = s->inputs->count;
    double *sum = s->small, *values = s->step, *index = s->index;
    double *bent = s->curvature, *square = s->damped; /* q <= p */
    memset(sum, 0, q * q * sizeof *sum);
    for (size_t r = 0; r < s->left.count; r++) {
        const double *response = zf_column_at(&s->left, r);
        for (size_t j = 0; j < q; j++) {
            const double *score = zf_column_at(s->scores, j);
            for (size_t i = 0; i < rows; i++) s->scaled[j * rows + i] = score[i] * response[i];
        }
        zf_multiply(bent, (zf_factor){s->scaled, false}, (zf_factor){s->scores->values, true}, q, q,
                    rows, 1 / (double)rows, 0);
        zf_multiply(square, (zf_factor){bent, false}, (zf_factor){bent, true}, q, q, q, 1, 0);
        for (size_t i = 0; i < q * q; i++) sum[i] += square[i];
    }
    ZF_TRY(zf_eigenvectors(sum, values, q));
    for (size_t t = 0; t < 2; t++) {
        const double *vector = sum + (q > t ? q - 1 - t : 0) * q;
        zf_multiply(index, (zf_factor){vector, false}, (zf_factor){s->scores->values, false}, 1,
                    rows, q, 1, 0);
        zf_multiply(s->starts + (2 + t) * p, (zf_factor){s->inputs->values, false},
                    (zf_factor){index, true}, p, 1, rows, 1, 0);
    }
    return ZF_OK;
}

static void swap(place *a, place *b)
{
    place kept = *a;
    *a = *b;
    *b = kept;
}

/* The normal equations of a small turn from s->now. */
static void linearise(search *s)
{
    size_t rows = s->inputs->rows, p = s->inputs->count, k = s->left.count;
    fit_at(s, &s->now);
    zf_multiply(s->slope, (zf_factor){s->now.share, false}, (zf_factor){s->now.derivative, false},
                k, rows, ZF_PROFILE, 1, 0);
    memset(s->index, 0, rows * sizeof *s->index);
    memset(s->weight, 0, rows * sizeof *s->weight);
    for (size_t r = 0; r < k; r++)
        for (size_t i = 0; i < rows; i++) {
            double slope = s->slope[r * rows + i];
            s->weight[i] += slope * slope;
            s->index[i] += slope * (s->left.values[r * rows + i] - s->fit[r * rows + i]);
        }
    zf_multiply(s->gradient, (zf_factor){s->inputs->values, false}, (zf_factor){s->index, true}, p,
                1, rows, 1, 0);
    for (size_t i = 0; i < rows; i++) s->weight[i] = sqrt(s->weight[i]);
    for (size_t j = 0; j < p; j++)
        for (size_t i = 0; i < rows; i++)
            s->scaled[j * rows + i] = s->inputs->values[j * rows + i] * s->weight[i];
    zf_cross_rows(s->curvature, s->scaled, p, rows, 1, 0);
}

/* Sets s->next to a turn with that damping; false: the equations have no solution. */
static bool turn(search *s, double damping)
{
    size_t p = s->inputs->count;
    double trace = 0;
    memcpy(s->damped, s->curvature, p * p * sizeof *s->damped);
    for (size_t j = 0; j < p; j++) trace += s->curvature[j * (p + 1)];
    for (size_t j = 0; j < p; j++) s->damped[j * (p + 1)] += damping * trace / (double)p;
    if (zf_invert_positive(s->damped, p, 0) != 0) return false;
    zf_multiply(s->step, (zf_factor){s->damped, false}, (zf_factor){s->gradient, false}, p, 1, p, 1,
                0);
    for (size_t j = 0; j < p; j++) s->next.w[j] = s->now.w[j] + s->step[j];
    normalise(s->next.w, p);
    fit_profiles(s, &s->next);
    return true;
}

/* Goes downhill from s->now, so many steps at most. */
static void descend(search *s, int steps)
{
    double damping = 1e-2;
    for (int step = 0; step < steps; step++) {
        bool better = false;
        linearise(s);
        for (int trial = 0; trial < TRIALS && !better; trial++) {
            better = turn(s, damping) && s->next.error < s->now.error;
            if (!better) damping *= 10;
        }
        if (!better) return;
        double gain = s->now.error - s->next.error;
        swap(&s->now, &s->next);
        if (gain < enough[s->how] * s->now.error) return;
        damping = fmax(damping / 10, DAMPING_LEAST);
    }
}

/* Sets s->best: the most promising starts are followed. */
static zf_status find_direction(search *s)
{
    size_t p = s->inputs->count;
    double error[STARTS];
    ZF_TRY(start_linear(s));
    ZF_TRY(start_curved(s));
    for (int t = 0; t < STARTS; t++) {
        memcpy(s->now.w, s->starts + (size_t)t * p, p * sizeof *s->now.w);
        normalise(s->now.w, p);
        fit_profiles(s, &s->now);
        error[t] = s->now.error;
    }
    s->best.error = INFINITY;
    for (int followed = 0; followed < STARTS_FOLLOWED; followed++) {
        int first = 0;
        for (int t = 1; t < STARTS; t++)
            if (error[t] < error[first]) first = t;
        error[first] = INFINITY;
        memcpy(s->now.w, s->starts + (size_t)first * p, p * sizeof *s->now.w);
        normalise(s->now.w, p);
        fit_profiles(s, &s->now);
        if (p > 1) descend(s, s->how == ZF_PURSUE_ALL ? ITERATIONS : FIRST_ITERATIONS);
        if (s->now.error < s->best.error) swap(&s->now, &s->best);
    }
    if (p == 1 || s->how == ZF_PURSUE_ALL) return ZF_OK;
    swap(&s->now, &s->best);
    descend(s, ITERATIONS);
    swap(&s->now, &s->best);
    return ZF_OK;
}

static zf_status keep(zf_directions *out, zf_arena *arena, search *s)
{
    size_t rows = s->inputs->rows;
    zf_columns *profile = &out->profile[out->count];
    ZF_TRY(zf_columns_new(profile, arena, ZF_PROFILE, rows));
    memcpy(profile->values, s->best.profile, ZF_PROFILE * rows * sizeof *profile->values);
    fit_at(s, &s->best);
    for (size_t i = 0; i < s->left.count * rows; i++) s->left.values[i] -= s->fit[i];
    out->count++;
    return ZF_OK;
}

zf_status zf_pursue(zf_directions *out, zf_arena *arena, const zf_columns *inputs,
                    const zf_columns *scores, const zf_columns *responses, zf_pursuit how)
{
    size_t rows = inputs->rows, p = inputs->count, k = responses->count;
    search s = {.inputs = inputs, .scores = scores, .how = how};
    assert(scores->count <= p);
    *out = (zf_directions){0};
    ZF_TRY(zf_columns_new(&s.left, arena, k, rows));
    memcpy(s.left.values, responses->values, k * rows * sizeof *s.left.values);
    ZF_TRY(search_new(&s, arena));
    double chance = CHANCE * (double)(p + ZF_PROFILE * k) / (double)(rows * k);
    while (out->count < ZF_DIRECTIONS) {
        s.square = zf_column_dot(s.left.values, s.left.values, k * rows);
        ZF_TRY(find_direction(&s));
        if (!(s.square - s.best.error > chance * s.square)) break;
        ZF_TRY(keep(out, arena, &s));
    }
    return ZF_OK;
}
