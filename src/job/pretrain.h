/* Learning features of images without labels. */
#ifndef ZF_JOB_PRETRAIN_H
#define ZF_JOB_PRETRAIN_H

#include "job/image_input.h"
#include "job/saving.h"

/* What is ZF_AUTO is the library's, by the method. */
typedef struct zf_pretrain_values {
    const char *images, *output;
    zf_vision_method method;
    zf_watermark watermark;
    int dim, hidden;
    uint64_t iterations;
    int batch;
    double rate, decay;
    double zero_weight, temperature, masked;
    int patch, blocks, heads;
    int decoder_dim, decoder_blocks, decoder_heads;
    int bits;
    const char *watch;
    int watch_part; /* of zf_images_part; ZF_AUTO: test, where there are parts */
    int watch_every;
    const char *history;
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
