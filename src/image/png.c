/* PNG by libpng, row by row.

   Its errors leave through longjmp, as those of libjpeg (image/jpeg.c), and the
   same rule holds: what is owned stands in `reading` and in the decoder. The
   simplified interface of libpng would need no longjmp, but decodes whole
   images only and takes 16 bits a channel for linear light. */
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "image/decode.h"

enum { CHUNK_BYTES = 8 << 20, CHUNKS = 128 };
enum { DEFLATE_RATIO = 1032 }; /* the most that a deflated byte can unfold to */

typedef struct reading {
    png_structp png;
    png_infop info;
    jmp_buf leave;
    char reason[160];
    zf_image_job *job;
    size_t offset;
    zf_status status; /* of our own refusals; ZF_OK: libpng's, which is in reason */
    bool starved;     /* libpng or zlib was refused memory, whatever it made of it */
} reading;

static png_voidp take_memory(png_structp png, png_alloc_size_t bytes)
{
    reading *r = png_get_mem_ptr(png);
    void *memory = malloc(bytes);
    if (!memory) r->starved = true;
    return memory;
}

static void give_memory(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

static void leave_with_error(png_structp png, png_const_charp message)
{
    reading *r = png_get_error_ptr(png);
    snprintf(r->reason, sizeof r->reason, "%s", message);
    longjmp(r->leave, 1);
}

static void ignore_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void give_bytes(png_structp png, png_bytep bytes, size_t n)
{
    reading *r = png_get_io_ptr(png);
    if (n > r->job->n - r->offset) png_error(png, "truncated");
    memcpy(bytes, r->job->bytes + r->offset, n);
    r->offset += n;
}

/* Rows become 8 bits a channel, three channels or, with alpha, four. */
static void ask_for_rgb(reading *r)
{
    png_set_expand(r->png);
    png_set_scale_16(r->png);
    png_set_gray_to_rgb(r->png);
    png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
}

/* RGBA in place to RGB on white. */
static void lay_on_white(uint8_t *row, size_t pixels)
{
    const uint8_t *from = row;
    for (size_t i = 0; i < pixels; i++, from += 4, row += 3) {
        unsigned alpha = from[3];
        for (int c = 0; c < 3; c++)
            row[c] = (uint8_t)((from[c] * alpha + 255 * (255 - alpha) + 127) / 255);
    }
}

/* An interlaced image gets whole only with its last pass. */
static void read_passes(reading *r, size_t width, size_t height, bool alpha)
{
    size_t bytes = width * (alpha ? 4 : 3);
    if (bytes * height > ZF_IMAGE_MEMORY) {
        r->status = zf_fail(ZF_EINPUT, "PNG: %zu x %zu pixels, too many for an interlaced one",
                            width, height);
        return;
    }
    zf_decoder *decoder = r->job->decoder;
    r->status = zf_decoder_reserve(decoder, bytes * height);
    if (r->status != ZF_OK) return;
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++)
        for (size_t y = 0; y < height; y++) png_read_row(r->png, decoder->row + y * bytes, NULL);
    for (size_t y = 0; y < height; y++) {
        if (alpha) lay_on_white(decoder->row + y * bytes, width);
        zf_resizer_row(&decoder->resizer, decoder->row + y * bytes);
    }
}

/* Could the rows be in a file of so many bytes? Asked before memory is. */
static bool has_room_for(const reading *r, size_t height)
{
    size_t row = png_get_rowbytes(r->png, r->info);
    return row <= r->job->n * DEFLATE_RATIO / height;
}

static void read_rows(reading *r, size_t width, size_t height)
{
    zf_decoder *decoder = r->job->decoder;
    bool interlaced = png_get_interlace_type(r->png, r->info) != PNG_INTERLACE_NONE;
    if (!has_room_for(r, height)) {
        r->status = zf_fail(ZF_EINPUT, "PNG: declares %zu x %zu pixels in %zu bytes", width, height,
                            r->job->n);
        return;
    }
    ask_for_rgb(r);
    bool alpha = png_get_channels(r->png, r->info) == 4;
    r->status = zf_resizer_begin(&decoder->resizer, (int)width, (int)height, r->job->size);
    if (r->status != ZF_OK) return;
    if (interlaced) {
        read_passes(r, width, height, alpha);
        if (r->status != ZF_OK) return;
    } else {
        r->status = zf_decoder_reserve(decoder, width * 4);
        if (r->status != ZF_OK) return;
        for (size_t y = 0; y < height; y++) {
            png_read_row(r->png, decoder->row, NULL);
            if (alpha) lay_on_white(decoder->row, width);
            zf_resizer_row(&decoder->resizer, decoder->row);
        }
    }
    zf_resizer_finish(&decoder->resizer, r->job->planes, 1);
}

/* False: libpng gave up, r->reason says why. */
static bool decode(reading *r)
{
    if (setjmp(r->leave)) return false;
    png_set_read_fn(r->png, r, give_bytes);
    png_set_user_limits(r->png, INT32_MAX, INT32_MAX); /* ours come below */
    png_set_chunk_malloc_max(r->png, CHUNK_BYTES);
    png_set_chunk_cache_max(r->png, CHUNKS);
    png_read_info(r->png, r->info);
    png_uint_32 width = png_get_image_width(r->png, r->info);
    png_uint_32 height = png_get_image_height(r->png, r->info);
    r->status = zf_image_check(r->job, width, height);
    if (r->status != ZF_OK) return true;
    r->job->found = (zf_image){
        .width = (int)width,
        .height = (int)height,
        .grey = !(png_get_color_type(r->png, r->info) & PNG_COLOR_MASK_COLOR),
    };
    read_rows(r, width, height);
    return true;
}

zf_status zf_png_decode(zf_image_job *job)
{
    reading r;
    memset(&r, 0, sizeof r);
    r.job = job;
    r.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &r, leave_with_error, ignore_warning,
                                     &r, take_memory, give_memory);
    if (r.png) r.info = png_create_info_struct(r.png);
    bool begun = r.info != NULL, whole = begun && decode(&r);
    png_destroy_read_struct(&r.png, &r.info, NULL);
    if (r.starved || !begun) return zf_fail(ZF_ENOMEM, "libpng: out of memory");
    if (whole) return r.status;
    return zf_fail(ZF_EINPUT, "PNG: %s", r.reason);
}
