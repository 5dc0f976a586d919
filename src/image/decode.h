/* One image from the bytes of its file: JPEG or PNG, told by the first bytes.

   What comes out is [3, size, size], resized by image/resize.h. Greyscale is
   widened to three equal planes; CMYK and YCCK are turned into RGB as Pillow
   does; 16 bits a channel are rounded to 8; palettes are looked up; what is
   transparent is laid on white; of an animated PNG the first image is taken.
   The orientation that a camera notes in EXIF is honoured in JPEG (in PNG it is
   not). Colour profiles and gamma are not applied.

   An image that is at least four times as large as wanted is decoded from JPEG
   at a half, a quarter or an eighth, never below twice the wanted size, which
   the filter then shrinks: a tenth of the time for large photographs, and bytes
   that differ by a few units from those of the long way.

   Everything is refused that is not whole: an image that ends early or whose
   codes make no sense would be grey in part. An image is judged by what its
   header declares before anything is decoded: more than most_pixels, a side of more
   than ZF_IMAGE_SIDE, or more memory than ZF_IMAGE_MEMORY in the codec, is refused;
   so is a PNG whose pixels could not be in so few bytes. Decoding takes the memory of a
   row, and of the whole image if it comes in several passes (interlaced, progressive). */
#ifndef ZF_IMAGE_DECODE_H
#define ZF_IMAGE_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/resize.h"
#include "zeroflow/status.h"

enum {
    ZF_IMAGE_PIXELS = 100000000, /* default of most_pixels */
    ZF_IMAGE_SIDE = 1 << 20,
    ZF_IMAGE_MEMORY = 256 << 20, /* bytes that a codec may take for itself */
    ZF_IMAGE_FILE = 256 << 20,   /* bytes of a file */
};

/* What an image's header says. */
typedef struct zf_image {
    int width, height; /* as one sees it, upright */
    bool grey;
} zf_image;

/* What a worker needs to decode one image after the other. {0} with
   most_pixels set is ready. */
typedef struct zf_decoder {
    int64_t most_pixels;
    zf_resizer resizer;
    uint8_t *row; /* of the image as its codec gives it, or all rows of an interlaced one */
    size_t row_room;
} zf_decoder;

/* planes is [3, size, size]. ZF_EINPUT: no image, one that is too large, or damaged; the
   message is the reason, without a name. ZF_ENOMEM: memory ran out, also inside a codec. */
zf_status zf_image_decode(uint8_t *planes, int size, zf_image *out, zf_decoder *decoder,
                          const uint8_t *bytes, size_t n) ZF_CHECK;

void zf_decoder_free(zf_decoder *decoder);

/* Between image.c and the codecs. */
typedef struct zf_image_job {
    zf_decoder *decoder;
    const uint8_t *bytes;
    size_t n;
    uint8_t *planes;
    int size;
    zf_image found;
} zf_image_job;

zf_status zf_jpeg_decode(zf_image_job *job) ZF_CHECK;
zf_status zf_png_decode(zf_image_job *job) ZF_CHECK;

/* Is that declared size acceptable? */
zf_status zf_image_check(const zf_image_job *job, uint64_t width, uint64_t height) ZF_CHECK;

/* Makes decoder->row that large; its content is lost. */
zf_status zf_decoder_reserve(zf_decoder *decoder, size_t bytes) ZF_CHECK;

#endif
