/* Both methods as explicit Runge-Kutta tableaus over one loop of stages.

   The adaptive one follows Hairer, Norsett and Wanner (Solving Ordinary Differential
   Equations I, II.4): the error of a step is the difference of its two results; the
   next step is what a power law says, a bit less, and never five times more or less.
   The largest error of all unknowns counts rather than their mean square: the unknowns
   are many separate points here, and none of them may be led astray for the sake of
   the average. A PI controller was not needed: velocities are not stiff. */
#include "flow/solver.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { STAGES = 7 };

/* Stage s is at time c[s] and at x + h sum_k a[s][k] v_k, k < s. */
typedef struct tableau {
    int stages;
    double c[STAGES];
    double a[STAGES][STAGES - 1];
} tableau;

static const tableau CLASSICAL = {
    .stages = 4,
    .c = {0, 0.5, 0.5, 1},
    .a = {{0}, {0.5}, {0, 0.5}, {0, 0, 1}},
};
static const double CLASSICAL_WEIGHTS[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

/* The seventh stage is at the result of order 5: its velocity is the next step's first. */
static const tableau PAIR = {
    .stages = 7,
    .c = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1},
    .a = {{0},
          {1.0 / 5},
          {3.0 / 40, 9.0 / 40},
          {44.0 / 45, -56.0 / 15, 32.0 / 9},
          {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
          {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
          {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}},
};
/* Order 5 less order 4. */
static const double PAIR_ERROR[] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                    -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

typedef struct solution {
    const zf_ode *ode;
    zf_ode_work *work;
    double *x;
    double *v[STAGES];
    double *at; /* where a stage looks */
    double *memory;
} solution;

static zf_status begin(solution *s, const zf_ode *ode, double *x, zf_ode_work *work)
{
    size_t n = ode->n, parts = STAGES + 1;
    *s = (solution){.ode = ode, .x = x, .work = work};
    *work = (zf_ode_work){0};
    s->memory = n < SIZE_MAX / (parts * sizeof *x) ? malloc((parts * n + 1) * sizeof *x) : NULL;
    if (!s->memory) return zf_fail_memory(parts * n * sizeof *x);
    for (int k = 0; k < STAGES; k++) s->v[k] = s->memory + (size_t)k * n;
    s->at = s->memory + STAGES * n;
    return ZF_OK;
}

static zf_status look(solution *s, double t, const double *x, double *v)
{
    s->work->evaluations++;
    ZF_TRY(s->ode->velocity(s->ode->context, t, x, v));
    for (size_t i = 0; i < s->ode->n; i++)
        if (!isfinite(v[i]))
            return zf_fail(ZF_ENUMERIC, "time %g: the velocity of unknown %zu is %g", t, i, v[i]);
    return ZF_OK;
}

/* x + h sum_k weights[k] v_k, k < count. */
static void advance(const solution *s, double *to, double h, const double *weights, int count)
{
    for (size_t i = 0; i < s->ode->n; i++) {
        double sum = 0;
        for (int k = 0; k < count; k++) sum += weights[k] * s->v[k][i];
        to[i] = s->x[i] + h * sum;
    }
}

/* The velocities of all stages but the first, which is there. */
static zf_status stages(solution *s, const tableau *method, double t, double h)
{
    for (int k = 1; k < method->stages; k++) {
        advance(s, s->at, h, method->a[k], k);
        ZF_TRY(look(s, t + method->c[k] * h, s->at, s->v[k]));
    }
    return ZF_OK;
}

static zf_status run_fixed(solution *s, double from, double to, int steps)
{
    double h = (to - from) / steps;
    for (int i = 0; i < steps; i++) {
        double t = from + (to - from) * i / steps;
        ZF_TRY(look(s, t, s->x, s->v[0]));
        ZF_TRY(stages(s, &CLASSICAL, t, h));
        advance(s, s->x, h, CLASSICAL_WEIGHTS, CLASSICAL.stages);
        s->work->taken++;
    }
    return ZF_OK;
}

zf_status zf_ode_fixed(const zf_ode *ode, double *x, double from, double to, int steps,
                       zf_ode_work *work)
{
    solution s;
    if (steps < 1) return zf_fail(ZF_EINVAL, "steps: expected at least 1, found %d", steps);
    ZF_TRY(begin(&s, ode, x, work));
    zf_status status = run_fixed(&s, from, to, steps);
    free(s.memory);
    return status;
}

/* --- with error control ------------------------------------------------------------- */

static double allowed(const zf_ode_tolerance *tolerance, double x)
{
    return tolerance->absolute + tolerance->relative * fabs(x);
}

/* The largest of |values| in units of the error that is allowed there. */
static double in_units(const solution *s, const zf_ode_tolerance *tolerance, const double *values)
{
    double largest = 0;
    for (size_t i = 0; i < s->ode->n; i++)
        largest = fmax(largest, fabs(values[i]) / allowed(tolerance, s->x[i]));
    return largest;
}

/* A first step that changes the velocity about as much as the tolerance of order 5
   lets it, from a look a little ahead. */
static zf_status first_step(solution *s, double *h, double from, double to,
                            const zf_ode_tolerance *tolerance)
{
    double length = fabs(to - from), way = to > from ? 1 : -1;
    double size = in_units(s, tolerance, s->x), speed = in_units(s, tolerance, s->v[0]);
    double little = size > 1e-5 && speed > 1e-5 ? 0.01 * size / speed : 1e-6;
    little = fmin(little, length);
    for (size_t i = 0; i < s->ode->n; i++) s->at[i] = s->x[i] + way * little * s->v[0][i];
    ZF_TRY(look(s, from + way * little, s->at, s->v[1]));
    for (size_t i = 0; i < s->ode->n; i++) s->v[1][i] -= s->v[0][i];
    double bend = fmax(speed, in_units(s, tolerance, s->v[1]) / little);
    double guess = bend > 1e-15 ? pow(0.01 / bend, 1.0 / 5) : fmax(1e-6, 1e-3 * little);
    *h = way * fmin(fmin(100 * little, guess), length);
    return ZF_OK;
}

/* The error of the step from x to `at`, in units of what is allowed at the larger. */
static double error_of(const solution *s, const zf_ode_tolerance *tolerance, double h)
{
    double largest = 0;
    for (size_t i = 0; i < s->ode->n; i++) {
        double sum = 0, size = fmax(fabs(s->x[i]), fabs(s->at[i]));
        for (int k = 0; k < STAGES; k++) sum += PAIR_ERROR[k] * s->v[k][i];
        largest = fmax(largest, fabs(h * sum) / allowed(tolerance, size));
    }
    return largest;
}

/* Makes the step from t that is in `at` and the stages. */
static void accept(solution *s)
{
    double *last = s->v[STAGES - 1];
    memcpy(s->x, s->at, s->ode->n * sizeof *s->x);
    s->v[STAGES - 1] = s->v[0];
    s->v[0] = last;
    s->work->taken++;
}

static zf_status check_going_on(const solution *s, const zf_ode_tolerance *tolerance, double t,
                                double h, bool last)
{
    if (s->work->taken + s->work->rejected >= tolerance->most_steps)
        return zf_fail(
            ZF_ENUMERIC,
            "time %g: %llu steps are not enough for an error of %g + %g |x| a step; allow more "
            "of either, or take steps of a fixed length",
            t, (unsigned long long)tolerance->most_steps, tolerance->absolute, tolerance->relative);
    if (!last && t + 0.1 * h == t)
        return zf_fail(ZF_ENUMERIC,
                       "time %g: no step is short enough for an error of %g + %g |x|; allow more",
                       t, tolerance->absolute, tolerance->relative);
    return ZF_OK;
}

static zf_status run_adaptive(solution *s, double from, double to,
                              const zf_ode_tolerance *tolerance)
{
    double t = from, h = 0;
    bool rejected = false;
    ZF_TRY(look(s, t, s->x, s->v[0]));
    ZF_TRY(first_step(s, &h, from, to, tolerance));
    while (t != to) {
        bool last = fabs(h) >= fabs(to - t);
        if (last) h = to - t;
        ZF_TRY(check_going_on(s, tolerance, t, h, last));
        ZF_TRY(stages(s, &PAIR, t, h));
        double error = error_of(s, tolerance, h);
        double factor = fmin(fmax(0.9 * pow(error, -1.0 / 5), 0.2), rejected ? 1 : 5);
        rejected = !(error <= 1);
        if (rejected) {
            s->work->rejected++;
        } else {
            accept(s);
            t = last ? to : t + h;
        }
        h *= factor;
    }
    return ZF_OK;
}

zf_status zf_ode_adaptive(const zf_ode *ode, double *x, double from, double to,
                          const zf_ode_tolerance *tolerance, zf_ode_work *work)
{
    solution s;
    if (!(tolerance->absolute >= 0) || !(tolerance->relative >= 0) ||
        !(tolerance->absolute + tolerance->relative > 0) ||
        !isfinite(tolerance->absolute + tolerance->relative))
        return zf_fail(ZF_EINVAL,
                       "tolerance: expected numbers of which one is above 0, found %g "
                       "and %g",
                       tolerance->absolute, tolerance->relative);
    ZF_TRY(begin(&s, ode, x, work));
    zf_status status = from == to ? ZF_OK : run_adaptive(&s, from, to, tolerance);
    free(s.memory);
    return status;
}
