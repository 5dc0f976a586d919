/* A model as one page of HTML. */
#ifndef ZF_JOB_REPORT_H
#define ZF_JOB_REPORT_H

#include "job/membership.h"

typedef struct zf_report_values {
    const char *model, *data, *output, *title, *truth;
    double fdr;
    double threshold; /* ZF_AUTO: not by gates */
} zf_report_values;

typedef struct zf_report_result {
    size_t variables;
    double fdr; /* at which edges are decided on; NaN: they are not */
    double auc; /* NaN: the truth is not known */
    char *page; /* where it goes to no file */
    size_t bytes;
} zf_report_result;

extern const zf_job zf_job_report;

#endif
