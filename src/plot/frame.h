/* The frame of a chart: scales, ticks, margins, and how data find their place
   in it. */
#ifndef ZF_PLOT_FRAME_H
#define ZF_PLOT_FRAME_H

#include "plot/scene.h"
#include "plot/ticks.h"
#include "zeroflow/plot.h"

/* From a value to a coordinate. */
typedef struct zf_plot_scale {
    double low, high;
    bool logarithmic;
    double from, to; /* coordinates of low and high */
} zf_plot_scale;

/* NaN for a gap. Far outside of the frame it stops growing. */
double zf_plot_scale_at(const zf_plot_scale *scale, double value);

typedef struct zf_frame {
    const zf_chart *chart;
    zf_box box;                       /* what the axes enclose */
    double left, right, above, below; /* room outside of the box */
    zf_plot_scale x, y;
    zf_ticks x_ticks, y_ticks;
} zf_frame;

/* Ranges and ticks of a chart whose box will be about that large, and the room
   that their labels need. The legend's room is not counted. */
void zf_frame_plan(zf_frame *frame, const zf_chart *chart, double width, double height);

/* Puts the box into its place. */
void zf_frame_place(zf_frame *frame, zf_box box);

/* Grid and axes go below the data; the title and the axes' names lie outside. */
void zf_frame_draw_grid(zf_scene *scene, const zf_frame *frame);
void zf_frame_draw_axes(zf_scene *scene, const zf_frame *frame);
void zf_frame_draw_names(zf_scene *scene, const zf_frame *frame);

/* Value i of a series. */
double zf_series_x(const zf_series *series, size_t i);

#endif
