/* Training a few numbers that are sufficient for some columns. */
#ifndef ZF_JOB_REDUCE_H
#define ZF_JOB_REDUCE_H

#include "job/saving.h"
#include "job/variables.h"
#include "zeroflow/reduce.h"

typedef struct zf_reduce_values {
    const char *data, *output;
    zf_words target, from;
    const char *dim;
    zf_reduce_options reduce; /* but for what the other members say */
    zf_saving_values saving;
    zf_variable_values variables;
} zf_reduce_values;

typedef struct zf_reduce_result {
    zf_variables variables;
    int32_t *targets, *inputs; /* places among them */
    zf_reduce_options asked;   /* as the training was asked for */
    zf_reduction *model;
    zf_reduce_summary summary;
    zf_saving saving;
} zf_reduce_result;

extern const zf_job zf_job_reduce;

#endif
