/* Gating networks: from a mask of targets to one gate in (0, 1) a feature.

   A mask has few ones. The MLP reads it as a list of columns, the LSTM as a
   sequence of bits, the CNN as a picture, and `free` not at all: one vector of
   gates for one fixed target set. Rows are distinct masks. */
#ifndef ZF_NET_GATES_H
#define ZF_NET_GATES_H

#include "graph/graph.h"
#include "zeroflow/blanket.h"

typedef struct zf_gate_options {
    zf_gate_kind kind;
    int features;
    int side;         /* of the picture: features = side * side; CNN only */
    int most_targets; /* in a mask */
} zf_gate_options;

/* Inputs of which only those of the kind are there, and the gates [M, features]. */
typedef struct zf_gates {
    zf_gate_options options;
    zf_node *columns, *ones; /* [M, most_targets] */
    zf_node *bits;           /* index [M, features] */
    zf_node *picture;        /* [M, 1, side, side] */
    zf_node *gates;
} zf_gates;

zf_gates zf_gates_build(zf_graph *graph, zf_domain *masks, const zf_gate_options *options);

/* Writes the mask with these targets into row `row` of the inputs. */
void zf_gates_set_mask(const zf_gates *gates, int row, const int32_t *targets, int n_targets);

#endif
