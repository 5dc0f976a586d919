/* Data inside the frame of a chart. */
#ifndef ZF_PLOT_SERIES_H
#define ZF_PLOT_SERIES_H

#include "plot/frame.h"

/* All series of the frame's chart, cut to the frame. */
void zf_series_draw_all(zf_scene *scene, const zf_frame *frame);

/* Shaded spans (to go below the grid), then lines and names of marks (above). */
void zf_marks_draw_spans(zf_scene *scene, const zf_frame *frame);
void zf_marks_draw_lines(zf_scene *scene, const zf_frame *frame);

/* Colour and stroke of series s of a chart. */
zf_colour zf_series_colour(const zf_chart *chart, size_t s);
zf_stroke zf_series_stroke(const zf_chart *chart, size_t s);

/* The sample of a series that a legend shows, in a box. */
void zf_series_draw_sample(zf_scene *scene, const zf_chart *chart, size_t s, zf_box box);

#endif
