/* From items to pixels: fetching their bytes, decoding, and doing so for all. */
#ifndef ZF_IMAGE_LOAD_H
#define ZF_IMAGE_LOAD_H

#include "image/set.h"

/* What became of item i; planes NULL asks for the header alone. bytes are the
   item's, or NULL: they are fetched. ZF_EINPUT, ZF_EIO: the item cannot be used,
   and zf_error() says why, without its name. */
zf_status zf_item_decode(zf_images *set, zf_image_worker *worker, zf_image_item *item,
                         const uint8_t *bytes, uint8_t *planes) ZF_CHECK;

#endif
