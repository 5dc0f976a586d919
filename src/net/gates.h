/* Gating networks: from a mask of targets to one gate in (0, 1) a variable.

   A mask has few ones. The MLP reads it as a list of columns, the LSTM as a
   sequence of bits, the CNN as an image, and `free` not at all: one vector of
   gates for one fixed target set. Rows are distinct masks.

   To the CNN, what is outside of the grid looks like nodes that are no targets.
   So a pattern of targets has the same gates wherever it is, border or not, and
   everything further from the targets than the layers see has one and the same
   gate: masks whose targets lie within a small window are computed once for each
   distinct pattern, and on its surroundings alone. Padding each layer with zeros
   instead makes the border a place of its own, whose gates close later than all
   others. */
#ifndef ZF_NET_GATES_H
#define ZF_NET_GATES_H

#include "engine/program.h"
#include "zeroflow/blanket.h"

/* What columns have to be. In an order or on a grid, gates learn one rule for all places. */
typedef enum zf_gate_columns {
    ZF_COLUMNS_ANY,
    ZF_COLUMNS_IN_ORDER,
    ZF_COLUMNS_ON_GRID, /* square, row by row */
} zf_gate_columns;

typedef struct zf_gate_options {
    zf_gate_kind kind;
    int variables;
    int side;         /* of the image: variables = side * side; on a grid */
    int most_targets; /* in a mask */
    bool pairs;       /* listed masks: a logit of its own for each unordered pair */
    int window;       /* CNN: the targets of a mask lie in a square of that side; 0: anywhere */
} zf_gate_options;

/* Inputs of which only those of the kind are there, and the gates [M, variables]. */
typedef struct zf_gates {
    zf_gate_options options;
    zf_node *columns, *ones; /* [M, most_targets] */
    zf_node *bits;           /* index [M, variables] */
    zf_node *image;          /* [M, 1, side, side], or [P, 1, window, window] */
    /* With a window: the distinct patterns, how many were met so far, and which of
       their gates are those of a mask, index [M, variables]. */
    zf_domain *patterns;
    int n_patterns;
    zf_node *places;
    zf_node *gates;
} zf_gates;

/* All that differs between kinds. */
typedef struct zf_gate_about {
    const char *name; /* in options and files */
    zf_gate_columns columns;
    bool listed;  /* a mask is a list of most_targets columns at most; there may be pairs */
    bool one_set; /* gates of one fixed target set */
    /* Defaults of a fit. Those of listed masks go by what the table is like; these are the
       others', each with its reason. Pruning is that of 1,000 iterations or more. */
    uint64_t iterations;
    double pruning, sparsity;
    const char *why_iterations, *why_pruning, *why_sparsity;
    /* Of zf_gates_build, to the logits, and of zf_gates_set_mask. */
    zf_node *(*build)(zf_program *program, zf_domain *masks, zf_gates *gates);
    void (*set_mask)(zf_gates *gates, int row, const int32_t *targets, int n_targets);
} zf_gate_about;

const zf_gate_about *zf_gate_about_of(zf_gate_kind kind);
/* The kind of that name; -1: there is none. */
int zf_gate_kind_of(const char *name);

zf_gates zf_gates_build(zf_program *program, zf_domain *masks, const zf_gate_options *options);

/* Writes the mask with these targets into row `row` of the inputs; row 0 comes
   first. */
void zf_gates_set_mask(zf_gates *gates, int row, const int32_t *targets, int n_targets);

#endif
