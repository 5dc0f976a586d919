/* Image files for the tests, made by the same libraries that people's programs
   use: JPEG and PNG in memory, and trees and tar archives of them. */
#ifndef ZF_TEST_IMAGEFILE_H
#define ZF_TEST_IMAGEFILE_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that are for free(). */
typedef struct image_bytes {
    unsigned char *data;
    size_t n;
} image_bytes;

/* A smooth image, another one for each key; rgb is height x width x 3. */
void image_scene(uint8_t *rgb, int width, int height, int key);

image_bytes image_jpeg(const uint8_t *rgb, int width, int height);
image_bytes image_png(const uint8_t *rgb, int width, int height, int interlaced);

/* The PNG of image_scene. */
image_bytes image_scene_png(int width, int height, int key);

/* Writes a file below the scratch folder, with the folders on its way. */
void image_place(const char *name, const void *bytes, size_t n);

/* A tar archive in the scratch folder; format is libarchive's code. Names are
   taken as they are. */
typedef struct image_entry {
    const char *name;
    image_bytes bytes;
} image_entry;
const char *image_tar(const char *name, int format, const image_entry *entries, size_t n);

#endif
