/* A scene as an SVG file: text stays text, everything else is paths; matrices
   are PNG images inside the file. */
#ifndef ZF_PLOT_SVG_H
#define ZF_PLOT_SVG_H

#include "plot/bytes.h"
#include "plot/scene.h"

/* Appends the file to bytes. */
zf_status zf_svg_write(zf_bytes *bytes, const zf_scene *scene) ZF_CHECK;

/* The same as an element of HTML: without XML's own words, which HTML knows, and
   without size and background, which are the page's. Ends with a NUL. */
zf_status zf_svg_write_element(zf_bytes *bytes, const zf_scene *scene) ZF_CHECK;

#endif
