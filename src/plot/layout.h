/* Where the nodes of a graph stand in a figure. */
#ifndef ZF_PLOT_LAYOUT_H
#define ZF_PLOT_LAYOUT_H

#include "plot/scene.h"

/* Two nodes that pull each other, the more the nearer its strength is to 1. */
typedef struct zf_spring {
    size_t a, b;
    double strength;
} zf_spring;

/* Node i of n on a ring in the unit square, in order, clockwise from the top. */
zf_point zf_layout_ring(size_t i, size_t n);

/* Places that springs and repulsion bring n nodes to, stretched to fill the unit square.
   ZF_ENOMEM. */
zf_status zf_layout_springs(zf_point *places, size_t n, const zf_spring *springs,
                            size_t n_springs) ZF_CHECK;

#endif
