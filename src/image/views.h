/* Inside of a view: the crop alone, for tests against other software. */
#ifndef ZF_IMAGE_VIEWS_H
#define ZF_IMAGE_VIEWS_H

#include "zeroflow/images.h"

/* That part of [3, size, size] bytes, resized to the whole, in [0, 1]. */
void zf_view_resize(float *out, const uint8_t *pixels, int size, zf_crop crop);

#endif
