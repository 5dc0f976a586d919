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
     .help = "Number of training steps."},                                                         \
        {"batch",                                                                                  \
         .type = ZF_OPTION_WHOLE,                                                                  \
         .placeholder = "N",                                                                       \
         ZF_FIELD(of, member.batch),                                                               \
         .least = 1,                                                                               \
         .most = 1 << 20,                                                                          \
         .help = "Number of rows in a training step."},                                            \
        {"rate",                                                                                   \
         .type = ZF_OPTION_REAL,                                                                   \
         .placeholder = "R",                                                                       \
         ZF_FIELD(of, member.rate),                                                                \
         .least = 1e-9,                                                                            \
         .most = 10,                                                                               \
         .otherwise = (RATE),                                                                      \
         .help = "Initial learning rate."},                                                        \
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
         .help = "What the zero-flow term requires of the flow: midpoint, that it is zero at t = " \
                 "0.5; antisymmetry, that its values at t and 1 - t are opposite. The weight "     \
                 "means the same for both."},                                                      \
    {                                                                                              \
        "hidden", .type = ZF_OPTION_WHOLE, .placeholder = "N", ZF_FIELD(of, member.hidden),        \
                  .least = 1, .most = 1 << 14, .otherwise = (HIDDEN),                              \
                  .help = "Number of units in each layer of the velocity field."                   \
    }

#endif
