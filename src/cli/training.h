/* What commands that train a model share: options, where the files go, and what is said
   when training is interrupted. */
#ifndef ZF_CLI_TRAINING_H
#define ZF_CLI_TRAINING_H

#include <limits.h>

#include "command.h"
#include "zeroflow/blanket.h"

/* The options about saving, in this order; and all of those of a training on tables. */
enum { CLI_CHECKPOINT, CLI_EVERY, CLI_RESUME, CLI_SAVING_OPTIONS };
enum {
    CLI_ITERATIONS,
    CLI_BATCH,
    CLI_RATE,
    CLI_ZERO_WEIGHT,
    CLI_CRITERION,
    CLI_HIDDEN,
    CLI_SAVING,
    CLI_TRAINING_OPTIONS = CLI_SAVING + CLI_SAVING_OPTIONS
};

extern const char *const cli_criteria[]; /* in the order of zf_zero_criterion */

#define CLI_MODEL_OUTPUT_OPTION                                                                    \
    {                                                                                              \
        "output", 'o', CLI_OUTPUT, "MODEL", .help = "Where the model goes. Needed."                \
    }

#define CLI_SAVING_OPTION_LIST(first)                                                              \
    [(first) + CLI_CHECKPOINT] =                                                                   \
        {"checkpoint", .type = CLI_OUTPUT, .placeholder = "FILE", .otherwise = "MODEL.checkpoint", \
         .help = "Where training is saved, now and then and when it is interrupted."},             \
               [(first) + CLI_EVERY] = {"every",                                                   \
                                        .type = CLI_WHOLE,                                         \
                                        .placeholder = "N",                                        \
                                        .least = 1,                                                \
                                        .most = 1000000000,                                        \
                                        .help = "Training steps between two checkpoints."},        \
               [(first) + CLI_RESUME] = {                                                          \
                   "resume", .help = "Go on from the checkpoint, if there is one. The result is "  \
                                     "the same, bit for bit, as without the interruption."}

/* ITERATIONS, RATE and HIDDEN say what happens without these options, for a command that leaves
   them to the library; NULL: they have defaults. */
#define CLI_TRAINING_OPTION_LIST(first, ITERATIONS, RATE, HIDDEN)                                  \
    [(first) +                                                                                     \
        CLI_ITERATIONS] =                                                                          \
        {"iterations",       .type = CLI_WHOLE,         .placeholder = "N",       .least = 1,      \
         .most = 1000000000, .otherwise = (ITERATIONS), .help = "Training steps."},                \
        [(first) +                                                                                 \
            CLI_BATCH] = {"batch",    .type = CLI_WHOLE, .placeholder = "N",                       \
                          .least = 1, .most = 1 << 20,   .help = "Rows in a training step."},      \
        [(first) + CLI_RATE] = {"rate",                                                            \
                                .type = CLI_REAL,                                                  \
                                .placeholder = "R",                                                \
                                .least = 1e-9,                                                     \
                                .most = 10,                                                        \
                                .otherwise = (RATE),                                               \
                                .help = "Learning rate at the start."},                            \
        [(first) + CLI_ZERO_WEIGHT] = {"zero-weight",                                              \
                                       .type = CLI_REAL,                                           \
                                       .placeholder = "W",                                         \
                                       .least = 0,                                                 \
                                       .most = 1e6,                                                \
                                       .help = "Weight of the zero-flow term of the loss."},       \
        [(first) + CLI_CRITERION] =                                                                \
            {"criterion", .type = CLI_CHOICE, .placeholder = "KIND", .choices = cli_criteria,      \
             .help =                                                                               \
                 "What the zero-flow term asks of the flow: midpoint, that it vanishes halfway; "  \
                 "antisymmetry, that at time t it is the opposite of what it is at 1 - t. The "    \
                 "weight means the same for both."},                                               \
        [(first) + CLI_HIDDEN] = {"hidden",                                                        \
                                  .type = CLI_WHOLE,                                               \
                                  .placeholder = "N",                                              \
                                  .least = 1,                                                      \
                                  .most = 1 << 14,                                                 \
                                  .otherwise = (HIDDEN),                                           \
                                  .help = "Units in the layers of the velocity field."},           \
        CLI_SAVING_OPTION_LIST((first) + CLI_SAVING)

/* Sets a default. */
void cli_default_whole(cli_value *value, uint64_t number);
void cli_default_real(cli_value *value, double number);
void cli_default_word(cli_value *value, const char *text);

/* Where the files of a run are. */
typedef struct cli_training {
    const cli_call *call;
    const char *data, *model;
    char checkpoint[PATH_MAX];
    const char *lacks; /* what a model that is saved too early has not, in a word; NULL: nothing */
} cli_training;

/* Finds the checkpoint's name. first: the values of the options about saving. CLI_USAGE: no model
   named; and what cli_writes() refuses. */
cli_exit cli_training_begin(cli_training *training, const cli_value *first);

/* Saves the model where it belongs. If that cannot be (disk full, ...), what was learnt is not
   lost: it goes to a new folder under TMPDIR, and the message says where. CLI_FAILED then. */
cli_exit cli_training_save(const cli_training *training,
                           zf_status (*save)(void *model, const char *path), void *model);

/* What was saved and how to go on, in one line. saved: iteration of the last checkpoint. */
cli_exit cli_training_interrupted(const cli_training *training, uint64_t done, uint64_t wanted,
                                  uint64_t saved);

#endif
