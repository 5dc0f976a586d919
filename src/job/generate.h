/* A sample whose graph is known, and that graph. */
#ifndef ZF_JOB_GENERATE_H
#define ZF_JOB_GENERATE_H

#include "job/document.h"
#include "zeroflow/generate.h"

typedef struct zf_generate_values {
    zf_structure structure;
    const char *output, *truth, *precision;
    size_t rows;
    int law, mechanism; /* zf_law and zf_mechanism, or ZF_AUTO */
    int dim, side, order, edges;
} zf_generate_values;

typedef struct zf_generate_result {
    const char *structure;
    const char *law, *mechanism; /* NULL: the structure says it all */
    size_t rows, columns, edges;
    uint64_t seed;
    zf_document kept;
} zf_generate_result;

extern const zf_job zf_job_generate;

#endif
