/* How much of each pixel a shape covers: a shape is a set of closed contours,
   given edge by edge, and then painted in one colour.

   Contours of the same direction that overlap count once; a hole is a contour
   of the other direction. */
#ifndef ZF_PLOT_COVERAGE_H
#define ZF_PLOT_COVERAGE_H

#include "plot/scene.h"
#include "zeroflow/status.h"

typedef struct zf_coverage zf_coverage;

/* Of a figure of that size in pixels. */
zf_status zf_coverage_new(zf_coverage **out, int width, int height) ZF_CHECK;

/* Coordinates in pixels, finite; what lies outside of the figure is cut off. */
void zf_coverage_edge(zf_coverage *coverage, zf_point from, zf_point to);

/* Blends the colour over rgb (three bytes a pixel) where the edges since the
   last call enclose something, and forgets the edges. */
void zf_coverage_paint(zf_coverage *coverage, uint8_t *rgb, zf_colour colour);

void zf_coverage_free(zf_coverage *coverage); /* NULL is fine */

#endif
