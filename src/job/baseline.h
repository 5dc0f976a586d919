/* The graph that a classical method sees in a table. */
#ifndef ZF_JOB_BASELINE_H
#define ZF_JOB_BASELINE_H

#include "job/graph_output.h"
#include "job/variables.h"
#include "zeroflow/baseline.h"

typedef struct zf_baseline_values {
    zf_baseline method;
    const char *data;
    zf_graph_output_values graph;
    int marginals; /* zf_baseline_marginals or ZF_AUTO */
    int folds, penalties, refinements;
    zf_words alpha;
    int depth;
    double fdr;
    zf_variable_values variables;
} zf_baseline_values;

typedef struct zf_baseline_result {
    zf_graph_output output;
    zf_variables variables;
    zf_graph *graph;
    zf_baseline_details details;
} zf_baseline_result;

extern const zf_job zf_job_baseline;

#endif
