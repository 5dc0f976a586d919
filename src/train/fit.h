/* The skeleton of a fit, whatever is fitted: a crew; the program of a step, built for it; an
   optimiser of its parameters; and the loop with its checkpoint. Checks and scales come before,
   with zf_training_check; what is made of the model comes after, also where the caller stopped
   the training. */
#ifndef ZF_TRAIN_FIT_H
#define ZF_TRAIN_FIT_H

#include "train/loop.h"

typedef struct zf_fitting {
    zf_crew *crew;
    zf_optimiser_options optimiser; /* zf_optimiser_defaults(), until build changes them */
    zf_training training;
    zf_trained trained;
} zf_fitting;

/* Builds and plans the program of a step for the crew; fills in the training, but for its crew
   and optimiser, and what the optimiser does not have by default. */
typedef zf_status zf_fitting_build(void *context, zf_fitting *fitting);

/* Everything in *fitting is set, also on failure. ZF_EINTERRUPT: training was stopped, and what
   was learnt until then is there; and whatever build and zf_train return. */
zf_status zf_fitting_run(zf_fitting *fitting, int threads, zf_fitting_build *build,
                         void *context) ZF_CHECK;

/* Takes the crew away; not what build has made. */
void zf_fitting_free(zf_fitting *fitting);

#endif
