/* Whether the rows of two files are of one law. */
#ifndef ZF_JOB_TWO_SAMPLE_H
#define ZF_JOB_TWO_SAMPLE_H

#include "job/variables.h"
#include "zeroflow/two_sample.h"

typedef struct zf_two_sample_values {
    const char *files[2];
    int method;
    zf_marginals_kind marginals;
    zf_words columns;
    size_t permutations, points;
    int splits;
    uint64_t iterations;
    zf_named_values named;
} zf_two_sample_values;

/* One of the two files. */
typedef struct zf_two_sample_side {
    const char *path;
    zf_table *table;
    size_t *columns; /* of the table, in the order of the first file */
    zf_matrix matrix;
} zf_two_sample_side;

typedef struct zf_two_sample_found {
    zf_two_sample_side side[2];
    const char **names; /* [n]; they belong to the first table */
    size_t n;
    size_t *order; /* [n]: the columns by their share, largest first; NULL: there are no shares */
    zf_two_sample_result result;
} zf_two_sample_found;

extern const zf_job zf_job_two_sample;

#endif
