/* The whole graph of a model, for other programs. */
#ifndef ZF_JOB_GRAPH_H
#define ZF_JOB_GRAPH_H

#include "job/graph_output.h"
#include "job/membership.h"

typedef struct zf_graph_values {
    const char *model;
    double fdr;
    bool all;
    zf_graph_output_values graph;
} zf_graph_values;

typedef struct zf_graph_result {
    zf_blanket *model;
    zf_graph *graph;
    zf_graph_output output;
} zf_graph_result;

extern const zf_job zf_job_graph;

#endif
