/* Pixels as numbers of colours, for a PNG file with a palette: a third of the
   size of one without. */
#ifndef ZF_PLOT_PALETTE_H
#define ZF_PLOT_PALETTE_H

#include <stddef.h>
#include <stdint.h>

#include "zeroflow/status.h"

enum { ZF_MOST_COLOURS = 256 };

typedef struct zf_colour_table {
    uint8_t colour[ZF_MOST_COLOURS][3];
    int count;
} zf_colour_table;

/* *numbers gets a number for each pixel (three bytes), for free(). Up to 256
   colours are kept exactly; of a few thousand the rare ones give way to a
   frequent one that is at most 4 of 255 steps off. NULL if that is not enough:
   the figure then does without a palette. */
zf_status zf_colour_index(uint8_t **numbers, zf_colour_table *table, const uint8_t *rgb,
                          size_t pixels) ZF_CHECK;

#endif
