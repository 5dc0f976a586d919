/* The zero-flow objective: the rectified-flow loss, which makes u the velocity
   E[X' - X | X_t, f(Y'), Y], plus the norm of that velocity at the middle of
   the way, which vanishes if and only if f(Y) is sufficient for X.

   Both are means over rows and coordinates (those that are not targets count
   as zeros), so that their sizes do not depend on the batch. */
#ifndef ZF_FLOW_OBJECTIVE_H
#define ZF_FLOW_OBJECTIVE_H

#include "engine/program.h"

typedef struct zf_objective_options {
    double zero_weight; /* of the zero-flow term */
    double coordinates; /* that a mean is taken over, a row */
    int rows;           /* of a batch */
} zf_objective_options;

typedef struct zf_objective {
    zf_node *rectified, *zero; /* scalars, unweighted */
    zf_node *loss;             /* rectified + zero_weight * zero */
} zf_objective;

/* moving: the velocity at (x_t, f(y'), y), which should be difference = x' - x.
   middle: the velocity at (x_0.5, f(y), y), which should be 0.
   weight: 1 where a coordinate is a target, 0 where it is padding; for the
   middle it may carry a weight by time as well. All [N, K]. */
zf_objective zf_objective_build(zf_node *moving, zf_node *difference, zf_node *weight,
                                zf_node *middle, zf_node *middle_weight,
                                const zf_objective_options *options);

/* The same of the two sums of squared errors, over all rows and coordinates. */
zf_objective zf_objective_of_sums(zf_node *moving, zf_node *middle,
                                  const zf_objective_options *options);

#endif
