/* The training loop: prepare a batch, forward, backward, step, report, save. */
#ifndef ZF_TRAIN_LOOP_H
#define ZF_TRAIN_LOOP_H

#include "train/checkpoint.h"
#include "train/schedule.h"
#include "zeroflow/report.h"

/* A scalar node that is reported and kept in the history under this name. */
typedef struct zf_watch {
    const char *name;
    const zf_node *node;
} zf_watch;

typedef struct zf_trained {
    uint64_t steps;        /* done in all */
    uint64_t resumed_from; /* step; 0: from the beginning */
    uint64_t saved;        /* step of the checkpoint as it is now; 0: none was written */
    double seconds;        /* of this run */
    zf_history history;
} zf_trained;

typedef struct zf_training {
    zf_program *program; /* planned with its loss */
    zf_crew *crew;
    zf_optimiser *optimiser;
    zf_schedule schedule;
    uint64_t steps; /* in all, those before a resume included */
    /* Gets what prepare needs from a place that may fail, such as a disk; a failure
       ends the training. NULL: nothing. */
    zf_status (*fetch)(void *context, uint64_t step);
    /* Fills the program's inputs (and sets rows) for a step: a function of the
       step alone, or a resumed run would differ. May use the crew. */
    void (*prepare)(void *context, uint64_t step, zf_crew *crew);
    /* Looks at what was learnt, after each step; must leave it as it is. A failure
       ends the training. NULL: nothing. */
    zf_status (*observe)(void *context, const zf_trained *trained);
    void *context; /* of the three */
    int rows;      /* a step, for the rate that is reported */
    zf_watch watches[ZF_MOST_MEASURES];
    int n_watches;          /* the first is the loss */
    const char *checkpoint; /* NULL: none */
    uint64_t every;         /* steps between checkpoints; 0: only at the end */
    bool resume;            /* start from the checkpoint if the file is there */
    zf_description description;
    zf_report report;
} zf_training;

/* A checkpoint that can never be written is refused at once (ZF_EIO). One that cannot be written
   now (disk full, ...) is a warning, each time, and training goes on: trained->saved tells.
   ZF_EINTERRUPT: the progress callback said stop; the checkpoint is written.
   ZF_ENUMERIC: the loss or the gradient was not finite; the weights are those
   before that step, the last checkpoint is kept as it is. *trained is filled in
   in these two cases too. */
zf_status zf_train(zf_trained *trained, const zf_training *training) ZF_CHECK;

#endif
