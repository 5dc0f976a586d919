/* Ordinary differential equations dx/dt = v(t, x): the classical Runge-Kutta method
   of order 4 with steps of one length, and Dormand and Prince's pair of orders 5 and
   4 with steps of the length that the wanted error allows.

   States are in double, whatever the velocity is computed in: a sum over hundreds of
   steps in float would show. Time may run either way. */
#ifndef ZF_FLOW_SOLVER_H
#define ZF_FLOW_SOLVER_H

#include <stddef.h>
#include <stdint.h>

#include "zeroflow/status.h"

/* An equation in n unknowns. velocity writes v(t, x) into all of v; a failure of it
   ends the solution and is handed on. */
typedef struct zf_ode {
    zf_status (*velocity)(void *context, double t, const double *x, double *v);
    void *context;
    size_t n;
} zf_ode;

/* What a solution took. Of a fixed number of steps none is rejected. */
typedef struct zf_ode_work {
    uint64_t taken, rejected, evaluations;
} zf_ode_work;

/* Takes x from time `from` to time `to` in that many steps, at least 1. */
zf_status zf_ode_fixed(const zf_ode *ode, double *x, double from, double to, int steps,
                       zf_ode_work *work) ZF_CHECK;

/* The error that a step may have in unknown i: absolute + relative * |x_i|, in every
   unknown. */
typedef struct zf_ode_tolerance {
    double absolute, relative;
    uint64_t most_steps; /* taken and rejected; more is a failure */
} zf_ode_tolerance;

/* The same in steps of a fitting length; the solution goes on with the result of order
   5. ZF_ENUMERIC: most_steps did not suffice, the step shrank to nothing, or a velocity
   is not finite; x is then where the solution stood, and the message says when. */
zf_status zf_ode_adaptive(const zf_ode *ode, double *x, double from, double to,
                          const zf_ode_tolerance *tolerance, zf_ode_work *work) ZF_CHECK;

#endif
