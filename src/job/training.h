/* The options of jobs that train a model on a table. */
#ifndef ZF_JOB_TRAINING_H
#define ZF_JOB_TRAINING_H

#include "job/job.h"

extern const char *const zf_criteria[]; /* in the order of zf_zero_criterion */

/* member is the struct with the training's options: iterations, batch, rate, zero_weight,
   criterion and hidden are its fields. ITERATIONS, RATE and HIDDEN say what happens without these
   options, of a job that leaves them to the library; NULL: they have defaults. */
#define ZF_TRAINING_ROWS(of, member, ITERATIONS, RATE, HIDDEN)                                     \
    {"iterations",                                                                                 \
     .type = ZF_OPTION_WHOLE,                                                                      \
     .placeholder = "N",                                                                           \
     ZF_FIELD(of, member.iterations),                                                              \
     .least = 1,                                                                                   \
     .most = 1000000000,                                                                           \
     .otherwise = (ITERATIONS),                                                                    \
     .help = "Training steps."},                                                                   \
        {"batch",                                                                                  \
         .type = ZF_OPTION_WHOLE,                                                                  \
         .placeholder = "N",                                                                       \
         ZF_FIELD(of, member.batch),                                                               \
         .least = 1,                                                                               \
         .most = 1 << 20,                                                                          \
         .help = "Rows in a training step."},                                                      \
        {"rate",                                                                                   \
         .type = ZF_OPTION_REAL,                                                                   \
         .placeholder = "R",                                                                       \
         ZF_FIELD(of, member.rate),                                                                \
         .least = 1e-9,                                                                            \
         .most = 10,                                                                               \
         .otherwise = (RATE),                                                                      \
         .help = "Learning rate at the start."},                                                   \
        {"zero-weight",                                                                            \
         .type = ZF_OPTION_REAL,                                                                   \
         .placeholder = "W",                                                                       \
         ZF_FIELD(of, member.zero_weight),                                                         \
         .least = 0,                                                                               \
         .most = 1e6,                                                                              \
         .help = "Weight of the zero-flow term of the loss."},                                     \
        {"criterion",                                                                              \
         .type = ZF_OPTION_CHOICE,                                                                 \
         .placeholder = "KIND",                                                                    \
         ZF_FIELD(of, member.criterion),                                                           \
         .choices = zf_criteria,                                                                   \
         .help = "What the zero-flow term asks of the flow: midpoint, that it vanishes halfway; "  \
                 "antisymmetry, that at time t it is the opposite of what it is at 1 - t. The "    \
                 "weight means the same for both."},                                               \
    {                                                                                              \
        "hidden", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(of, member.hidden),        \
                  .least = 1, .most = 1 << 14, .otherwise = (HIDDEN),                              \
                  .help = "Units in the layers of the velocity field."                             \
    }

#endif
