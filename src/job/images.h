/* What a source of images holds, and views of them on a sheet. */
#ifndef ZF_JOB_IMAGES_H
#define ZF_JOB_IMAGES_H

#include "job/image_input.h"

typedef struct zf_images_values {
    const char *source;
    zf_image_values reading;
    bool all;
    const char *sheet;
    int count, views;
    zf_watermark watermark;
} zf_images_values;

typedef struct zf_images_result {
    zf_images *images;
    double view_seconds; /* the least that a view took; 0: none was made */
} zf_images_result;

extern const zf_job zf_job_images;

#endif
