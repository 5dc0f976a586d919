/* JPEG by libjpeg-turbo.

   Its errors leave through longjmp. All that this file owns is in `reading`,
   which stands outside of the function that calls setjmp, and in the decoder,
   so nothing is lost on the way; the jump never crosses a caller of this file.
   A warning that means lost image data ends the decoding like an error; what
   it says of other things (stray bytes between segments, say) is ignored.
   Nothing is printed.

   A progressive file can hold thousands of scans, each of them over the whole
   image: after MOST_SCANS it is refused. */
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

#include "base/error.h"
#include "image/decode.h"
#include "image/exif.h"

enum { MOST_SCANS = 100 };

typedef struct reading {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf leave;
    char reason[JMSG_LENGTH_MAX];
    zf_image_job *job;
    int orientation;
    zf_status status; /* of our own refusals, and ZF_ENOMEM where libjpeg ran out */
} reading;

static void leave_with_error(j_common_ptr jpeg)
{
    reading *r = jpeg->client_data;
    jpeg->err->format_message(jpeg, r->reason);
    if (jpeg->err->msg_code == JERR_OUT_OF_MEMORY) r->status = ZF_ENOMEM;
    if (jpeg->err->msg_code == JERR_NO_BACKING_STORE) /* libjpeg's way to say the limit */
        snprintf(r->reason, sizeof r->reason, "takes more than %d MB to decode",
                 ZF_IMAGE_MEMORY >> 20);
    longjmp(r->leave, 1);
}

static void consider_warning(j_common_ptr jpeg, int level)
{
    if (level >= 0) return;
    switch (jpeg->err->msg_code) {
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_JFIF_MAJOR:
    case JWRN_ADOBE_XFORM:
    case JWRN_BOGUS_PROGRESSION:
    case JWRN_TOO_MUCH_DATA:
        return;
    default:
        leave_with_error(jpeg);
    }
}

static void print_nothing(j_common_ptr jpeg)
{
    (void)jpeg;
}

static void count_scans(j_common_ptr jpeg)
{
    reading *r = jpeg->client_data;
    if (r->jpeg.input_scan_number <= MOST_SCANS) return;
    snprintf(r->reason, sizeof r->reason, "more than %d scans", MOST_SCANS);
    longjmp(r->leave, 1);
}

static void begin(reading *r)
{
    struct jpeg_decompress_struct *jpeg = &r->jpeg;
    jpeg_create_decompress(jpeg);
    jpeg->progress = &r->progress;
    jpeg->mem->max_memory_to_use = ZF_IMAGE_MEMORY;
    jpeg_save_markers(jpeg, JPEG_APP0 + 1, 0xffff);
    jpeg_mem_src(jpeg, r->job->bytes, (unsigned long)r->job->n);
    jpeg_read_header(jpeg, TRUE);
    r->orientation = 1;
    for (jpeg_saved_marker_ptr marker = jpeg->marker_list; marker; marker = marker->next)
        if (marker->marker == JPEG_APP0 + 1)
            r->orientation = zf_exif_orientation(marker->data, marker->data_length);
    zf_image *found = &r->job->found;
    bool lying = r->orientation >= 5;
    found->width = (int)(lying ? jpeg->image_height : jpeg->image_width);
    found->height = (int)(lying ? jpeg->image_width : jpeg->image_height);
    found->grey = jpeg->jpeg_color_space == JCS_GRAYSCALE;
}

/* The smallest of 1/8, 1/4, 1/2 that leaves twice the wanted size. */
static void choose_scale(reading *r)
{
    JDIMENSION width = r->jpeg.image_width, height = r->jpeg.image_height;
    JDIMENSION side = width < height ? width : height;
    unsigned part = 8;
    while (part > 1 && side / part < 2 * (JDIMENSION)r->job->size) part /= 2;
    r->jpeg.scale_num = 1;
    r->jpeg.scale_denom = part;
}

/* CMYK in place to RGB. Adobe's programs store the complement of the inks. */
static void cmyk_to_rgb(uint8_t *row, size_t pixels, bool complement)
{
    const uint8_t *from = row;
    for (size_t i = 0; i < pixels; i++, from += 4, row += 3) {
        unsigned key = complement ? from[3] : 255u - from[3];
        for (int c = 0; c < 3; c++) {
            unsigned light = complement ? from[c] : 255u - from[c];
            row[c] = (uint8_t)((light * key + 127) / 255);
        }
    }
}

static void read_rows(reading *r)
{
    struct jpeg_decompress_struct *jpeg = &r->jpeg;
    zf_decoder *decoder = r->job->decoder;
    bool inks = jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK;
    choose_scale(r);
    jpeg->out_color_space = inks ? JCS_CMYK : JCS_RGB;
    jpeg_start_decompress(jpeg);
    size_t width = jpeg->output_width;
    r->status = zf_decoder_reserve(decoder, width * (inks ? 4 : 3));
    if (r->status == ZF_OK)
        r->status =
            zf_resizer_begin(&decoder->resizer, (int)width, (int)jpeg->output_height, r->job->size);
    if (r->status != ZF_OK) return;
    while (jpeg->output_scanline < jpeg->output_height) {
        JSAMPROW row = decoder->row;
        jpeg_read_scanlines(jpeg, &row, 1);
        if (inks) cmyk_to_rgb(row, width, jpeg->saw_Adobe_marker);
        zf_resizer_row(&decoder->resizer, row);
    }
    jpeg_finish_decompress(jpeg);
    zf_resizer_finish(&decoder->resizer, r->job->planes, r->orientation);
}

/* False: libjpeg gave up, r->reason says why. */
static bool decode(reading *r)
{
    if (setjmp(r->leave)) return false;
    begin(r);
    r->status = zf_image_check(r->job, r->jpeg.image_width, r->jpeg.image_height);
    if (r->status == ZF_OK) read_rows(r);
    return true;
}

zf_status zf_jpeg_decode(zf_image_job *job)
{
    reading r;
    memset(&r, 0, sizeof r);
    r.job = job;
    r.jpeg.err = jpeg_std_error(&r.errors);
    r.jpeg.client_data = &r;
    r.errors.error_exit = leave_with_error;
    r.errors.emit_message = consider_warning;
    r.errors.output_message = print_nothing;
    r.progress.progress_monitor = count_scans;
    bool whole = decode(&r);
    jpeg_destroy_decompress(&r.jpeg);
    if (whole) return r.status;
    if (r.status == ZF_ENOMEM) return zf_fail(ZF_ENOMEM, "libjpeg: out of memory");
    return zf_fail(ZF_EINPUT, "JPEG: %s", r.reason);
}
