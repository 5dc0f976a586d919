/* For views.c only: a crop becomes as large as the image that it was in. */
#ifndef ZF_IMAGE_STRETCH_H
#define ZF_IMAGE_STRETCH_H

#include "zeroflow/images.h"

/* Between which two of `length` pixels each of `size` lies, and how far along. size is no
   smaller than length, so neighbours are no farther apart than they were. */
typedef struct zf_lerp {
    int low[ZF_IMAGES_SIDE_MAX], high[ZF_IMAGES_SIDE_MAX];
    float share[ZF_IMAGES_SIDE_MAX];
} zf_lerp;

/* A plane of a crop of that width, bytes in rows of `size`. */
typedef struct zf_crop_plane {
    const uint8_t *corner;
    int width, size;
} zf_crop_plane;

/* out [size, size], in [0, 1] */
typedef void zf_stretch(float *out, const zf_crop_plane *from, const zf_lerp *down,
                        const zf_lerp *across);

/* For processors with AVX-512. */
zf_stretch zf_stretch_avx512;

#endif
