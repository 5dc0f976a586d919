/* How good the features are while they are being learnt: now and then, held-out images
   are classified by their nearest neighbours among the images trained on. The labels
   serve this look alone; nothing of it reaches the weights. */
#ifndef ZF_VISION_WATCH_H
#define ZF_VISION_WATCH_H

#include "vision/embed.h"
#include "zeroflow/probe.h"

/* Some images of a set, evenly taken from those with a label. */
typedef struct zf_watched {
    zf_images *images;
    zf_view_options views;
    uint32_t *which;
    int32_t *labels; /* classes of the set trained on */
    float *features;
    bool *missing; /* at the last look */
    size_t n;
} zf_watched;

typedef struct zf_vision_watching {
    zf_embedder embedder;
    size_t classes;
    zf_watched known, asked;
} zf_vision_watching;

/* Plain images, marked as in training; those held out with marks of the next seed.
   ZF_EINVAL: sets of different size. ZF_EINPUT: no labels, one class only, or a class of
   held-out images that was not trained on. */
zf_status zf_vision_watching_new(zf_vision_watching *out, const zf_vision *model,
                                 zf_images *trained_on, zf_images *held_out,
                                 zf_crew *crew) ZF_CHECK;
void zf_vision_watching_free(zf_vision_watching *watching); /* {0} is fine */

/* The share of the held-out images that are recognised. Images of either set that are lost
   are watched no more; ZF_EINPUT: none is left, or more are lost than may be. */
zf_status zf_vision_look(zf_vision_watching *watching, double *accuracy) ZF_CHECK;

#endif
