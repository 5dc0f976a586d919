/* The features of images, by a model of pretrain. */
#ifndef ZF_JOB_EMBED_H
#define ZF_JOB_EMBED_H

#include "job/image_input.h"

typedef struct zf_embed_values {
    const char *model, *images;
    const char *output, *names;
    bool guard;
    const char *projector;
    zf_watermark watermark;
    zf_image_values source;
} zf_embed_values;

typedef struct zf_embed_result {
    char names[PATH_MAX]; /* where it is told which image each row is */
    zf_images *images;
    size_t rows, dim;
    int size; /* pixels a side */
    zf_vision_method method;
} zf_embed_result;

extern const zf_job zf_job_embed;

#endif
