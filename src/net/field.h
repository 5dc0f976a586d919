/* The velocity field u_t(x_t, f, y, m): an MLP on [x_t, f, y, m, t] whose first
   layer is kept in parts, because most of its input is zero or shared.

   x_t and m are zero outside the targets: their parts of the first layer are
   sums over the target columns. The parts of y and m are the same for both
   terms of the loss. Only the targets' outputs are wanted: the last layer is
   computed there alone. The result is that of the dense network, not an
   approximation. */
#ifndef ZF_NET_FIELD_H
#define ZF_NET_FIELD_H

#include "engine/program.h"

typedef struct zf_field {
    zf_program *program;
    int variables, hidden;
    zf_node *moving; /* [variables + 1, hidden]: x_t by column, t last */
    zf_node *mask;   /* [variables, hidden] */
    zf_node *f, *y;  /* [hidden, variables] */
    zf_node *bias;
    zf_node *w1, *b1; /* [hidden, hidden] */
    zf_node *w2, *b2; /* [variables, hidden] */
} zf_field;

zf_field zf_field_build(zf_program *program, int variables, int hidden);

/* What does not depend on t: y [N, variables], targets [N, K] (-1: none) and ones
   of that shape. */
zf_node *zf_field_still(const zf_field *field, zf_node *y, zf_node *targets, zf_node *ones);

/* A time t of each sample: x_t at the targets and t itself [N, K + 1]; f [N, variables]. */
typedef struct zf_moment {
    zf_node *values, *f;
} zf_moment;

enum { ZF_MOST_MOMENTS = 3 };

/* The velocities at the targets [N, K] of `count` moments at once, 2 or 3, as places
   of each row: weights are brought into form and their gradients added up once.
   columns [N, count, K + 1] are the targets and `variables` for t, targets
   [N, count, K], each the same for all. Without memory velocities[0] is NULL. */
void zf_field_velocities(const zf_field *field, zf_node *still, zf_node *columns, zf_node *targets,
                         const zf_moment *moments, int count, zf_node **velocities);

#endif
