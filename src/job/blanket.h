/* Which variables are needed to predict a set of targets. */
#ifndef ZF_JOB_BLANKET_H
#define ZF_JOB_BLANKET_H

#include "job/membership.h"

typedef struct zf_blanket_values {
    const char *model;
    zf_words target;
    zf_membership_values rule;
} zf_blanket_values;

typedef struct zf_blanket_result {
    zf_blanket *model;
    int32_t *targets;
    int n_targets;
    zf_members members;
    size_t rows_needed; /* where nothing is decided on: about how many rows the strongest sign would
                           need; 0: not known */
} zf_blanket_result;

extern const zf_job zf_job_blanket;

/* What was tested of a member and its target, of a model with evidence. */
const zf_pair_evidence *zf_pair_of(const zf_blanket *model, const zf_member *member);

/* The variable that an interaction is with; NULL: none. */
const char *zf_third_of(const zf_blanket *model, const zf_pair_evidence *pair);

#endif
