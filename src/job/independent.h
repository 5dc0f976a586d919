/* Are some columns of a table independent of others, given more? */
#ifndef ZF_JOB_INDEPENDENT_H
#define ZF_JOB_INDEPENDENT_H

#include "job/finding.h"
#include "job/variables.h"

enum { ZF_INDEPENDENT_SETS = 3 }; /* x, y, given */

typedef struct zf_independent_values {
    const char *data;
    zf_words sets[ZF_INDEPENDENT_SETS];
    uint64_t draws;
    const char *plot;
    zf_named_values named;
} zf_independent_values;

/* What the p-value says. */
typedef enum zf_independent_verdict {
    ZF_INDEPENDENT_NO_SIGN,
    ZF_INDEPENDENT_DEPENDENT,
    ZF_INDEPENDENT_CANNOT_TELL
} zf_independent_verdict;

typedef struct zf_independent_result {
    zf_table *table;
    const char **names;   /* of the columns asked for, x first, then y, then given; they belong to
                             the table */
    int32_t *places;      /* 0, 1, 2, ... */
    zf_question question; /* by place among the names */
    zf_independence test;
    zf_independent_verdict verdict;
    const char *reason; /* why it cannot be told; otherwise NULL */
    size_t dropped;     /* rows that lack a value */
} zf_independent_result;

extern const zf_job zf_job_independent;

/* The columns asked for, by place. */
zf_names zf_independent_names(const zf_independent_result *found);

/* What a column of x or y has of the statistic, by place. */
double zf_independent_share(const zf_independent_result *found, size_t place);

#endif
