/* Batches of a set, one after the other.

   A pass over the set is a random permutation, a function of the seed and the
   pass; batch s holds the places s * n to s * n + n - 1 of all passes, one after
   the other. So a batch is a function of (seed, step), whatever came before: a
   run that resumes at a step sees what one that never stopped sees.

   Of a set in memory a batch is a list of pointers. Otherwise the next batch is
   decoded, by a crew of the stream's own, while the caller works on this one.
   Memory is two batches and what the decoders need for an image each. The crew
   competes with the caller's for the processors, and the sum of the work is what
   it is; what is hidden is the waiting for the disk, and whatever the caller
   leaves idle.

   All images of a set could be decoded when it was opened. One that no longer can
   is lost: it is counted, is taken no more, and its row of the batch is drawn again
   from the whole set, by a number that is a function of (seed, step, row). */
#ifndef ZF_IMAGE_STREAM_H
#define ZF_IMAGE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zeroflow/images.h"

typedef struct zf_image_stream zf_image_stream;

/* Of n images each, from batch `step` on. The set must outlive the stream.
   ZF_EINVAL: two batches are more than the set's options allow. */
zf_status zf_image_stream_new(zf_image_stream **out, zf_images *images, uint64_t seed, size_t n,
                              uint64_t step) ZF_CHECK;

/* The next batch: images[i] is [3, size, size], number which[i] of the set. Good
   until the next call. After a failure the stream can only be freed. ZF_EINPUT: more
   images are lost than may be. */
zf_status zf_image_stream_next(zf_image_stream *stream, const uint8_t *const **images,
                               const uint32_t **which) ZF_CHECK;

/* zf_images_read for whoever can do without some: missing[i] tells that image i is lost, and
   its pixels are 0. ZF_EINPUT: more are lost than may be (zeroflow/images.h). */
zf_status zf_images_read_left(zf_images *images, const uint32_t *which, size_t n, uint8_t *pixels,
                              bool *missing) ZF_CHECK;

void zf_image_stream_free(zf_image_stream *stream); /* NULL is fine */

#endif
