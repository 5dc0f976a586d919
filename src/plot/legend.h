/* The names of a chart's series, in lines above its frame. */
#ifndef ZF_PLOT_LEGEND_H
#define ZF_PLOT_LEGEND_H

#include "plot/scene.h"
#include "zeroflow/plot.h"

/* Lays the legend out in lines of that width and returns its height; draws it
   from (box.x, box.y) down if scene is not NULL. Series that do not fit into
   four lines are counted at the end. */
double zf_legend(zf_scene *scene, const zf_chart *chart, zf_box box);

#endif
