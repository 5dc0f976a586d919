/* What jobs that train a model share: options about saving, where the files go, and what is said
   when training is interrupted. */
#ifndef ZF_JOB_SAVING_H
#define ZF_JOB_SAVING_H

#include <limits.h>

#include "job/job.h"

typedef struct zf_saving_values {
    const char *checkpoint; /* NULL: MODEL.checkpoint */
    uint64_t every;
    bool resume;
} zf_saving_values;

#define ZF_MODEL_OUTPUT_ROW(values, member)                                                        \
    {                                                                                              \
        "output", 'o', ZF_OPTION_OUTPUT, "MODEL", ZF_FIELD(values, member),                        \
            .help = "File to write the model to. Required."                                        \
    }

/* For a job's list; member is its zf_saving_values, whose `every` the job's defaults() set. */
#define ZF_SAVING_ROWS(values, member)                                                             \
    {"checkpoint",                                                                                 \
     .type = ZF_OPTION_OUTPUT,                                                                     \
     .placeholder = "FILE",                                                                        \
     ZF_FIELD(values, member.checkpoint),                                                          \
     .otherwise = "MODEL.checkpoint",                                                              \
     .help = "File that training is saved to, regularly and when interrupted."},                   \
        {"every",                                                                                  \
         .type = ZF_OPTION_WHOLE,                                                                  \
         .placeholder = "N",                                                                       \
         ZF_FIELD(values, member.every),                                                           \
         .least = 1,                                                                               \
         .most = 1000000000,                                                                       \
         .help = "Number of training steps between checkpoints."},                                 \
    {                                                                                              \
        "resume", ZF_FIELD(values, member.resume),                                                 \
            .help = "Continue from the checkpoint, if there is one. The result is the same, "      \
                    "bit for bit, as without the interruption."                                    \
    }

/* Where the files of a training are, and whether it was interrupted: for the job's result. */
typedef struct zf_saving {
    const char *model; /* of the values */
    char checkpoint[PATH_MAX];
    const char *lacks;            /* what a model that is saved too early has not, in a word;
                                     NULL: nothing */
    bool stopped;                 /* in training, on request; the model is saved */
    uint64_t done, wanted, saved; /* then: iterations, and that of the last checkpoint */
} zf_saving;

/* Finds the checkpoint's name. ZF_EINVAL: no model named, or a file that is another one, too. */
zf_status zf_saving_begin(zf_saving *saving, const zf_saving_values *values, const char *model,
                          zf_run *run) ZF_CHECK;

/* Saves the model where it belongs. ZF_EOUTPUT: that cannot be (disk full, ...). What was learnt
   is not lost then: it goes to a new folder under TMPDIR, and the message says where. */
zf_status zf_saving_save(const zf_saving *saving, zf_status (*save)(void *model, const char *path),
                         void *model) ZF_CHECK;

/* Notes that training was interrupted after `done` of `wanted` iterations, `saved` being that of
   the last checkpoint, and returns ZF_EINTERRUPT; the message says what was saved. */
zf_status zf_saving_stop(zf_saving *saving, uint64_t done, uint64_t wanted, uint64_t saved);

/* Whether the checkpoint is where training stopped, so that it can be gone on with. */
bool zf_saving_can_resume(const zf_saving *saving);

#endif
