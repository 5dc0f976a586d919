/* One table or figure of the paper, run anew, with the paper's numbers beside it. */
#ifndef ZF_STUDY_REPRODUCE_H
#define ZF_STUDY_REPRODUCE_H

#include "study/study.h"

typedef struct zf_reproduce_values {
    int32_t name;
    const char *output, *data; /* NULL: not given */
    double scale;              /* ZF_AUTO: the reproduction's own */
    int32_t size;              /* ZF_AUTO: by the scale */
} zf_reproduce_values;

typedef struct zf_reproduce_result {
    const zf_reproduction *what;
    zf_study study;
    void *found;     /* of the reproduction */
    char folder[64]; /* where files go that no option places */
} zf_reproduce_result;

extern const zf_job zf_job_reproduce;

/* The result as text. */
void zf_reproduce_print(const zf_reproduce_result *result, const study_page *page);

#endif
