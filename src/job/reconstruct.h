/* What of images can be brought back from their features. */
#ifndef ZF_JOB_RECONSTRUCT_H
#define ZF_JOB_RECONSTRUCT_H

#include "job/image_sets.h"
#include "zeroflow/reconstruct.h"

typedef struct zf_reconstruct_values {
    const char *model, *train, *test;
    const char *output;
    int watermark; /* of zf_watermark; ZF_AUTO: that of the model's training */
    zf_reconstruct_options decoder;
    int count;
    zf_image_sets_values sets;
} zf_reconstruct_values;

typedef struct zf_reconstruct_result {
    char sheet[PATH_MAX]; /* "": none */
    zf_image_sets sets;
    zf_vision_method method;
    int dim, size; /* of the model: features, pixels a side */
    zf_watermark watermark;
    int n_tests; /* 2 if images are marked */
    zf_reconstruct_error error[ZF_TEST_SETS];
    uint64_t seed;
} zf_reconstruct_result;

extern const zf_job zf_job_reconstruct;

#endif
