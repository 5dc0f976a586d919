/* Target sets: which variables are to be predicted, drawn at random in training. */
#ifndef ZF_BLANKET_TARGETS_H
#define ZF_BLANKET_TARGETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "zeroflow/blanket.h"

typedef struct zf_target_options {
    zf_target_law law;
    int variables;
    int size;           /* window */
    int side;           /* grid */
    double probability; /* bernoulli */
    zf_target_sets sets;
} zf_target_options;

/* ZF_EINVAL: a window longer than the variables, a side that does not fit, ... */
zf_status zf_targets_check(const zf_target_options *options) ZF_CHECK;

/* The largest number of targets that a draw can have. */
int zf_targets_most(const zf_target_options *options);

/* The side of a square on the grid that holds any set drawn; 0: they may be
   anywhere. */
int zf_targets_window(const zf_target_options *options);

/* Draws a set into targets (zf_targets_most places), in ascending order; returns
   how many there are. */
int zf_targets_draw(const zf_target_options *options, zf_random *random, int32_t *targets);

#endif
