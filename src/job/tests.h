/* A target against every other column of a table, given the rest. */
#ifndef ZF_JOB_TESTS_H
#define ZF_JOB_TESTS_H

#include "job/document.h"
#include "job/finding.h"
#include "job/units.h"
#include "job/variables.h"
#include "zeroflow/evidence.h"

typedef struct zf_tests_values {
    const char *data;
    zf_words target;
    double fdr;
    bool csv;
    const char *output;
    bool guard;
    const char *plot;
    zf_unit_values units;
    zf_variable_values variables;
} zf_tests_values;

typedef struct zf_tests_result {
    zf_variables variables;
    int32_t *targets; /* columns of the matrix */
    int n_targets;
    size_t units;          /* rows, groups or blocks that are independent */
    size_t others;         /* columns that each target was tested against; 0: interrupted before */
    zf_target_test *tests; /* [targets, others] */
    size_t *decided;       /* [targets]: how many of its tests are decided on; they come first */
    zf_document csv;       /* without a file for it */
} zf_tests_result;

extern const zf_job zf_job_tests;

/* The tests of a target, by its place among the targets. */
const zf_target_test *zf_tests_of(const zf_tests_result *found, int target);

/* The name of a column of the matrix; NULL: it is none. */
const char *zf_tests_name(const zf_tests_result *found, int32_t column);

/* --- within the job ------------------------------------------------------------------ */

/* Draws what was found; wish: as it was tested. */
zf_status zf_tests_draw(const zf_tests_result *found, const zf_tests_values *values,
                        const zf_evidence_options *wish) ZF_CHECK;

#endif
