/* Which pixels the codes of a model depend on. */
#ifndef ZF_JOB_AUDIT_H
#define ZF_JOB_AUDIT_H

#include "job/image_input.h"
#include "zeroflow/audit.h"

typedef struct zf_audit_values {
    const char *model, *images;
    const char *output;
    int samples;
    int window, stride; /* ZF_AUTO: the library's */
    int others;
    int watermark; /* of zf_watermark; ZF_AUTO: that of the model's training */
    zf_image_values source;
} zf_audit_values;

/* The image is divided into nine parts, by rows from the upper left. */
enum { ZF_AUDIT_THIRDS = 3, ZF_AUDIT_NINTHS = ZF_AUDIT_THIRDS * ZF_AUDIT_THIRDS };
extern const char *const zf_audit_ninths[ZF_AUDIT_NINTHS];

typedef struct zf_audit_result {
    zf_images *images;
    size_t samples;
    int window; /* as it was asked for */
    int others;
    zf_watermark watermark;
    double share[ZF_AUDIT_NINTHS]; /* of the dependence */
    int largest;                   /* of them */
} zf_audit_result;

extern const zf_job zf_job_audit;

#endif
