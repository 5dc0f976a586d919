/* A small network in training, for the tests of the loop and of files: learns
   a fixed function of random rows. */
#ifndef ZF_TEST_TRAINER_H
#define ZF_TEST_TRAINER_H

#include "train/loop.h"

typedef struct trainer {
    zf_params *params;
    zf_crew *crew;
    zf_program *program;
    zf_domain *rows;
    zf_node *x, *target, *loss;
    zf_optimiser *optimiser;
    zf_training training;
    uint64_t poison; /* from this step on the target is NaN; 0: never */
} trainer;

/* Ready to run 60 steps; t stays where it is. */
void trainer_begin(trainer *t, int threads);
void trainer_end(trainer *t);

#endif
