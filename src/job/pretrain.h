/* Learning features of images without labels. */
#ifndef ZF_JOB_PRETRAIN_H
#define ZF_JOB_PRETRAIN_H

#include "job/image_input.h"
#include "job/saving.h"

typedef struct zf_pretrain_values {
    const char *images, *output;
    /* But for what the members below say. dim, batch and decay may be ZF_AUTO: by the method. */
    zf_pretrain_options training;
    const char *watch;
    int watch_part; /* of zf_images_part; ZF_AUTO: test, where there are parts */
    zf_saving_values saving;
    zf_image_values source;
} zf_pretrain_values;

typedef struct zf_pretrain_result {
    zf_saving saving;
    zf_images *images, *held_out;
    zf_vision *model;
    zf_pretrain_summary summary;
    size_t used;             /* images that were trained on to the end */
    int size, channels, dim; /* of the model */
    int batch;
    uint64_t seed;
} zf_pretrain_result;

extern const zf_job zf_job_pretrain;

/* The methods' names, in the order of zf_vision_method, ended by NULL. */
extern const char *const zf_pretrain_methods[];

#endif
