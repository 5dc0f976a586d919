/* Is a blanket sufficient, and what is missing from it? */
#ifndef ZF_JOB_CERTIFY_H
#define ZF_JOB_CERTIFY_H

#include "job/finding.h"
#include "job/membership.h"
#include "job/variables.h"

typedef struct zf_certify_values {
    const char *model, *data;
    zf_words target, blanket, add, drop;
    zf_membership_values rule;
    double level;
    uint64_t draws;
    const char *plot;
    zf_named_values named;
} zf_certify_values;

typedef struct zf_certify_result {
    zf_blanket *model;
    int32_t *targets, *blanket; /* variables of the model */
    int n_targets, n_blanket;
    zf_certificate certificate;
    size_t dropped; /* rows that lack a value */
} zf_certify_result;

extern const zf_job zf_job_certify;

/* What the p-value says at a level, in words. */
const char *zf_certify_verdict(const zf_certify_result *found, double level);

/* What the left-out variable of a rank has to do with the targets; *variable is its place in the
   model. */
const zf_independence_part *zf_certify_missing(int32_t *variable, const zf_certify_result *found,
                                               size_t rank);

/* --- within the job ------------------------------------------------------------------ */

/* Draws what was found on the rows of the matrix; names: of its columns. */
zf_status zf_certify_draw(const zf_certify_result *found, const zf_certify_values *values,
                          const zf_matrix *matrix, const char *const *names,
                          const zf_run *run) ZF_CHECK;

#endif
