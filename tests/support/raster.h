/* Figures that a test has written, read back by other means than those that
   wrote them. */
#ifndef ZF_TEST_RASTER_H
#define ZF_TEST_RASTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct raster {
    int width, height;
    uint8_t *rgb; /* for free() */
} raster;

/* Decodes a PNG file; fails the test if libpng refuses it. */
raster raster_read(const char *path);

/* 0xRRGGBB of a pixel. */
unsigned raster_at(const raster *p, int x, int y);

/* How many pixels of a colour there are in a rectangle. */
size_t raster_count(const raster *p, unsigned colour, int x, int y, int width, int height);

/* Is this well-formed XML, as far as an SVG file needs: one root, tags that nest,
   quoted attributes, none twice, known entities only, UTF-8 without control
   characters? Prints the fault. */
bool xml_well_formed(const char *text);

#endif
