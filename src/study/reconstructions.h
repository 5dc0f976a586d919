/* Pictures drawn from frozen features: a decoder for each encoder, trained on the features of
   the training pictures that are looked at, and judged on test pictures. */
#ifndef ZF_STUDY_RECONSTRUCTIONS_H
#define ZF_STUDY_RECONSTRUCTIONS_H

#include "study/vision_runs.h"

/* Mean squared errors over test pictures: of all pixels, of those under the patch that marks
   a picture, and of the others; and of the mean training picture, which knows nothing. */
typedef struct reconstruction_error {
    double all, patch, rest, mean;
} reconstruction_error;

/* What is to be drawn, and from what; of the n test pictures at these places what the decoder
   draws is kept in drawn, [n, 3, size, size]. */
typedef struct reconstruction_task {
    const vision_features *features;
    const picture_set *set;
    zf_watermark watermark;
    const uint32_t *places;
    size_t n;
    float *drawn;
} reconstruction_task;

/* Announces so many decoders. */
void reconstruct_plan(zf_study *study, const picture_set *set, int fits);

/* A planned decoder. */
zf_status reconstruct(zf_study *study, reconstruction_error *error,
                      const reconstruction_task *task);

#endif
