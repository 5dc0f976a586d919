/* The one thing of EXIF that changes what an image shows: which way up it is. */
#ifndef ZF_IMAGE_EXIF_H
#define ZF_IMAGE_EXIF_H

#include <stddef.h>
#include <stdint.h>

/* From the content of a JPEG's APP1 segment: 1 to 8; 1, upright, where it says
   nothing or nonsense. */
int zf_exif_orientation(const uint8_t *bytes, size_t n);

#endif
