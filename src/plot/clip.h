/* Cutting what is drawn to a box. */
#ifndef ZF_PLOT_CLIP_H
#define ZF_PLOT_CLIP_H

#include <stdbool.h>

#include "plot/scene.h"

/* On its edge is inside; a point that is not a number is not. */
bool zf_clip_holds(zf_box box, zf_point point);

/* Cuts a segment to the box; false if it misses. */
bool zf_clip_segment(zf_box box, zf_point *a, zf_point *b);

#endif
