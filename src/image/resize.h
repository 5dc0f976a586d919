/* An image that arrives row by row, made into a square of size x size.

   What is kept is the largest square in the middle, so that proportions stay;
   it is resampled by a triangle filter as wide as a pixel of the result
   (bilinear when an image grows, antialiased when it shrinks), first along
   rows, then along columns, with the weights in fixed point and bytes between
   the passes. That is what Pillow's resize(BILINEAR, box=...) computes, bit for
   bit, so images are those that others train on; and integers give the same
   bytes on every machine.

   Rows are folded as they come: an image 20,000 pixels wide needs one row of
   itself, not all of it. */
#ifndef ZF_IMAGE_RESIZE_H
#define ZF_IMAGE_RESIZE_H

#include <stddef.h>
#include <stdint.h>

#include "zeroflow/status.h"

/* Which pixels of the source make each pixel of the result, along one axis. */
typedef struct zf_taps {
    int *first, *count;
    int32_t *weight; /* room for `most` of each pixel, in units of 2^-22 */
    size_t most;
} zf_taps;

/* {0} is one that has not begun; it can begin again and again. */
typedef struct zf_resizer {
    int width, height, size;
    int next;        /* the row that comes next */
    int from, until; /* rows that matter */
    zf_taps across, down;
    uint8_t *folded; /* rows from .. until-1, each size x 3 */
    uint8_t *square; /* size x size x 3, before it is turned */
    void *memory;
    size_t room;
} zf_resizer;

/* width, height and size from 1 on. */
zf_status zf_resizer_begin(zf_resizer *resizer, int width, int height, int size) ZF_CHECK;

/* The next row from the top: width pixels of three bytes. */
void zf_resizer_row(zf_resizer *resizer, const uint8_t *rgb);

/* After all rows: [3, size, size]. orientation as in EXIF: 1 is upright. */
void zf_resizer_finish(zf_resizer *resizer, uint8_t *planes, int orientation);

void zf_resizer_free(zf_resizer *resizer);

#endif
