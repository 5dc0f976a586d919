/* The numbers of a reduction for each row of a table. */
#ifndef ZF_JOB_TRANSFORM_H
#define ZF_JOB_TRANSFORM_H

#include "job/document.h"
#include "job/table_input.h"

typedef struct zf_transform_values {
    const char *model, *data, *output;
    zf_table_values table;
} zf_transform_values;

typedef struct zf_transform_result {
    size_t rows, dim;
    zf_document kept;
} zf_transform_result;

extern const zf_job zf_job_transform;

#endif
