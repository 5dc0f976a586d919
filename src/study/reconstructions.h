/* Images drawn from frozen features: a decoder for each encoder, trained on the features of
   the training images that are looked at, and judged on test images. */
#ifndef ZF_STUDY_RECONSTRUCTIONS_H
#define ZF_STUDY_RECONSTRUCTIONS_H

#include "study/vision_runs.h"

/* Mean squared errors over test images: of all pixels, of those under the patch that marks
   an image, and of the others; and of the mean training image, which knows nothing. */
typedef struct reconstruction_error {
    double all, patch, rest, mean;
} reconstruction_error;

/* What is to be drawn, and from what; of the n test images at these places what the decoder
   draws is kept in drawn, [n, 3, size, size]. */
typedef struct reconstruction_task {
    const vision_features *features;
    const image_set *set;
    zf_watermark watermark;
    const uint32_t *places;
    size_t n;
    float *drawn;
} reconstruction_task;

/* Announces so many decoders. */
void reconstruct_plan(zf_study *study, const image_set *set, int fits);

/* A planned decoder. */
zf_status reconstruct(zf_study *study, reconstruction_error *error,
                      const reconstruction_task *task);

#endif
