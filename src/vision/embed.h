/* Images through the networks of a trained model, block by block. */
#ifndef ZF_VISION_EMBED_H
#define ZF_VISION_EMBED_H

#include "vision/model.h"

/* One network as a program of its own. It shares the model's parameters and holds what
   changes in a run, so that each caller has one. */
typedef struct zf_embedder {
    zf_spare spare;
    const zf_vision *model;
    zf_crew *crew; /* the caller's */
    zf_program *program;
    zf_domain *rows;
    zf_node *in, *out;
    float *images;   /* of a block, where the network takes patches; NULL: it takes images */
    uint8_t *pixels; /* of a block, [3, size, size] each; NULL until it is needed */
    int block;       /* rows at once */
} zf_embedder;

/* From images to features, of up to n at once; crew may be the one of a training. */
zf_status zf_embedder_new(zf_embedder *embedder, const zf_vision *model, zf_crew *crew,
                          size_t n) ZF_CHECK;
void zf_embedder_free(zf_embedder *embedder); /* {0} is fine */

/* Frees an embedder that was made for a model's spares. */
void zf_embedder_drop(void *embedder);

/* zf_vision_encode. */
zf_status zf_embedder_encode(zf_embedder *embedder, float *features, const float *images,
                             size_t n) ZF_CHECK;

/* zf_vision_embed without its checks. missing[i]: image i is lost, and the row is of no
   use; NULL: that is an error. */
zf_status zf_embedder_run(zf_embedder *embedder, float *features, bool *missing, zf_images *images,
                          const uint32_t *which, size_t n, const zf_view_options *views,
                          zf_report report) ZF_CHECK;

#endif
