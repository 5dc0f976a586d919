/* Training a blanket model on a table, and testing every pair of its columns. */
#ifndef ZF_JOB_FIT_H
#define ZF_JOB_FIT_H

#include "job/saving.h"
#include "job/units.h"
#include "job/variables.h"
#include "zeroflow/blanket.h"

/* What decides on members of blankets and on edges. */
typedef enum zf_fit_evidence {
    ZF_FIT_PAIRS,
    ZF_FIT_STABILITY,
    ZF_FIT_NONE,
} zf_fit_evidence;

typedef struct zf_fit_values {
    const char *data, *output;
    zf_fit_options fit; /* but for what the members below say */
    const char *targets, *zero_time, *forbid, *require;
    zf_fit_evidence evidence;
    double fdr;
    zf_unit_values units;
    zf_saving_values saving;
    zf_variable_values variables;
} zf_fit_values;

/* The share of half samples in which a pair is an edge that is counted here. */
#define ZF_FIT_STABLE 0.75

typedef struct zf_fit_result {
    zf_fit_options asked; /* as the fit was asked for */
    zf_fit_summary summary;
    zf_variables variables;
    zf_target_sets sets;
    zf_constraint *constraints;
    zf_saving saving;
    bool weighed; /* the model holds evidence */
    size_t units; /* rows, groups or blocks that are independent */
    size_t edges; /* at the false discovery rate of the values */
    size_t rows_needed;
    double evidence_seconds;
    zf_stability stability; /* of ZF_FIT_STABLE; half_samples 0: there is none */
} zf_fit_result;

extern const zf_job zf_job_fit;

extern const char *const zf_fit_gates[];     /* in the order of zf_gate_kind */
extern const char *const zf_fit_marginals[]; /* in the order of zf_marginals_kind */

#endif
