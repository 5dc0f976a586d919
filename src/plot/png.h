/* A scene as a PNG file: drawn by plot/coverage.h, packed by libpng. */
#ifndef ZF_PLOT_PNG_H
#define ZF_PLOT_PNG_H

#include "plot/bytes.h"
#include "plot/scene.h"

/* Appends the file to bytes. scale is how many pixels of the file make one unit
   of the scene. ZF_EINVAL: more than ZF_PNG_SIDE pixels wide or high. */
enum { ZF_PNG_SIDE = 20000 };
zf_status zf_png_write(zf_bytes *bytes, const zf_scene *scene, double scale) ZF_CHECK;

/* Appends a PNG file of these pixels, three bytes each. */
zf_status zf_png_pack(zf_bytes *bytes, const uint8_t *rgb, int width, int height) ZF_CHECK;

#endif
