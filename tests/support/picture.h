/* Pictures that a test has written, read back by other means than those that
   wrote them. */
#ifndef ZF_TEST_PICTURE_H
#define ZF_TEST_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct picture {
    int width, height;
    uint8_t *rgb; /* for free() */
} picture;

/* Decodes a PNG file; fails the test if libpng refuses it. */
picture picture_read(const char *path);

/* 0xRRGGBB of a pixel. */
unsigned picture_at(const picture *p, int x, int y);

/* How many pixels of a colour there are in a rectangle. */
size_t picture_count(const picture *p, unsigned colour, int x, int y, int width, int height);

/* Is this well-formed XML, as far as an SVG file needs: one root, tags that nest,
   quoted attributes, none twice, known entities only, UTF-8 without control
   characters? Prints the fault. */
bool xml_well_formed(const char *text);

#endif
