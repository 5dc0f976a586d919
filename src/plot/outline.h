/* Outlines of lines, circles and characters, as edges for plot/coverage.h.
   Coordinates are in pixels of the figure. */
#ifndef ZF_PLOT_OUTLINE_H
#define ZF_PLOT_OUTLINE_H

#include <stdbool.h>

#include "plot/coverage.h"

/* A closed polygon, made to run one way round whichever way it was given. */
void zf_outline_polygon(zf_coverage *coverage, const zf_point *points, size_t n);

/* A line of that width with round joins and flat ends. dash as in zf_stroke. */
void zf_outline_line(zf_coverage *coverage, const zf_point *points, size_t n, double width,
                     double dash);

/* A disc, or a hole in one. */
void zf_outline_disc(zf_coverage *coverage, zf_point centre, double radius, bool hole);

/* A line of text; type.size in pixels of the figure. */
void zf_outline_text(zf_coverage *coverage, zf_point at, const char *text, zf_plot_type type);

#endif
