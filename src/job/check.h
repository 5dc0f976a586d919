/* What a data file holds, and what fit would do with it. */
#ifndef ZF_JOB_CHECK_H
#define ZF_JOB_CHECK_H

#include "job/table_input.h"
#include "zeroflow/evidence.h"

typedef struct zf_check_values {
    const char *data;
    zf_table_values table;
    zf_column_values chosen;
    bool all; /* columns are shown, not only the notable ones */
} zf_check_values;

typedef struct zf_check_result {
    zf_table *table;
    zf_row_doubts rows; /* of those that fit would use */
    size_t types[ZF_COLUMN_DATE + 1];
    size_t dropped_types[ZF_COLUMN_DATE + 1];             /* neither constant nor a copy */
    size_t used, constant, duplicates, copies, collinear; /* copies: not constant */
    size_t identifiers, codes;
    size_t missing_cells, missing_columns;
} zf_check_result;

extern const zf_job zf_job_check;

#endif
