/* The look that all figures share: sizes, greys, the palette, colour scales. */
#ifndef ZF_PLOT_STYLE_H
#define ZF_PLOT_STYLE_H

#include "plot/scene.h"

/* Sizes of text. */
#define ZF_TITLE_SIZE   17.0
#define ZF_PANEL_SIZE   14.0
#define ZF_LABEL_SIZE   12.5
#define ZF_TICK_SIZE    12.0
#define ZF_CAPTION_SIZE 12.0

/* A quiet scheme: text nearly black, axes grey, grids faint. */
#define ZF_INK   ((zf_colour){0x1f, 0x23, 0x28, 255})
#define ZF_SOFT  ((zf_colour){0x57, 0x5e, 0x66, 255})
#define ZF_AXIS  ((zf_colour){0x8a, 0x91, 0x99, 255})
#define ZF_GRID  ((zf_colour){0xe6, 0xe8, 0xeb, 255})
#define ZF_SHADE ((zf_colour){0xf0, 0xe9, 0xdc, 255})
#define ZF_WHITE ((zf_colour){255, 255, 255, 255})

#define ZF_TARGET_RED   ((zf_colour){0xd5, 0x33, 0x2a, 255})
#define ZF_FOUND_YELLOW ((zf_colour){0xff, 0xd1, 0x2b, 255})

enum { ZF_PALETTE = 10 };

/* Colour i = 0, 1, ... of the palette, which repeats after ZF_PALETTE. Okabe and
   Ito's colours without the yellow, which is too light for lines on white: told
   apart by readers with any common kind of colour vision. The last three, for ten
   classes, are so by most. */
zf_colour zf_palette(size_t i);

/* Mixed with white: share 0 is white. */
zf_colour zf_tint(zf_colour colour, double share);

/* From white (0) to dark blue (1); evenly darker all the way, so it also works
   in print without colours. */
zf_colour zf_sequential(double share);

/* From orange-brown (-1) over white (0) to blue (1). */
zf_colour zf_diverging(double share);

/* Text set from its start in a colour. */
zf_plot_type zf_plot_type_of(double size, zf_colour colour, zf_anchor anchor);

/* Half a pixel off the whole ones, where a line of width 1 is sharp. */
double zf_crisp(double place);

#endif
