/* The draws of a training step of rectified flow: which two rows make the pair of a sample, and
   at which times it is looked at. Each is a function of the seed, the step and the row of the
   batch, so that a resumed run draws the same. Points between the two: kernel/between.h. */
#ifndef ZF_FLOW_PAIR_H
#define ZF_FLOW_PAIR_H

#include "flow/time.h"

typedef struct zf_pair_draws {
    zf_random rows, times;
} zf_pair_draws;

zf_pair_draws zf_pair_draws_at(uint64_t seed, uint64_t step, int row);

/* The next member of the pair, one of n rows; with replacement, so it may be the same. */
size_t zf_pair_row(zf_pair_draws *draws, size_t n);

/* The next time of the pair. */
float zf_pair_time(zf_pair_draws *draws, zf_time time);

#endif
