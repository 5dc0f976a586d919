/* A table in two, to train on the one and to test on the other. */
#ifndef ZF_JOB_SPLIT_H
#define ZF_JOB_SPLIT_H

#include "job/variables.h"

typedef struct zf_split_values {
    const char *data, *output, *held_out;
    double share;
    bool guard;
    zf_variable_values variables;
} zf_split_values;

typedef struct zf_split_result {
    size_t rows, held_out; /* in the one file, and in the other */
} zf_split_result;

extern const zf_job zf_job_split;

#endif
