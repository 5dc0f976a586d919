/* Which pixels a representation depends on.

     zf_audit_options options = zf_audit_defaults();
     uint32_t which[] = {0, 1, 2};
     float *maps = malloc(3 * size * size * sizeof *maps);
     status = zf_vision_audit(model, maps, images, which, 3, &options);

   A window of an image is covered by the same window of another image, and the code moves. The map
   is the squared distance, relative to that of replacing the whole image: 0 where the code does not
   depend on the pixels. For a code that is linear in independent windows, the shares add up to 1. A
   shortcut shows as a spot. Windows are covered by pixels of other images rather than grey, because
   grey is itself a mark that an encoder may react to.

   An audit uses the given number of threads; other threads may use the model meanwhile, but not the
   set of images. */
#ifndef ZEROFLOW_AUDIT_H
#define ZEROFLOW_AUDIT_H

#include <stddef.h>

#include "zeroflow/images.h"
#include "zeroflow/vision.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zf_audit_options {
    size_t struct_size;    /* zf_audit_defaults sets it */
    int window;            /* pixels a side; 0: an eighth of the image's, at least 1 */
    int stride;            /* pixels from window to window; 0: half a window, at least 1 */
    int others;            /* number of other images that cover each window */
    zf_view_options views; /* the watermark of the images, and its seed */
    uint64_t seed;         /* of the choice of others */
    int threads;           /* 0: all processors */
    zf_report report;
} zf_audit_options;

/* Defaults: four others, no watermark */
ZF_API void zf_audit_options_init(zf_audit_options *options, size_t size);
static inline zf_audit_options zf_audit_defaults(void)
{
    zf_audit_options options;
    zf_audit_options_init(&options, sizeof options);
    return options;
}

/* maps[n * size * size]: for each image of that list and each of its pixels the mean over
   the windows that it is in. ZF_EINVAL: a window or stride beyond the image, no others,
   a number beyond the set. ZF_EINPUT: a set of fewer than two images, or of another size
   than the model's. ZF_EINTERRUPT: the progress callback asked to stop. */
ZF_API zf_status zf_vision_audit(const zf_vision *model, float *maps, zf_images *images,
                                 const uint32_t *which, size_t n,
                                 const zf_audit_options *options) ZF_CHECK;

#ifdef __cplusplus
}
#endif
#endif
