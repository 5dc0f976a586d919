/* From items to pixels: fetching their bytes, decoding, and doing so for all. */
#ifndef ZF_IMAGE_LOAD_H
#define ZF_IMAGE_LOAD_H

#include "image/set.h"

/* Decodes an item and notes its size; planes NULL: to see whether it can be. bytes are the
   item's, or NULL: they are fetched. ZF_EINPUT, ZF_EIO: the item cannot be used, and
   zf_error() says why, without its name. */
zf_status zf_item_decode(zf_images *set, zf_image_worker *worker, zf_image_item *item,
                         const uint8_t *bytes, uint8_t *planes) ZF_CHECK;

/* What an item is called in messages: its name, or of a record "image 17", in room. */
enum { ZF_ITEM_NAME = 32 };
const char *zf_item_name(const zf_images *set, size_t i, char room[ZF_ITEM_NAME]);

#endif
