/* Which codec an image is for, and the rules that all share. */
#include "image/decode.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

typedef enum format { UNKNOWN, JPEG, PNG, OTHER } format;

static bool starts(const uint8_t *bytes, size_t n, size_t at, const char *with)
{
    size_t length = strlen(with);
    return n >= at + length && memcmp(bytes + at, with, length) == 0;
}

/* *name is what the bytes are, for the message. */
static format format_of(const uint8_t *bytes, size_t n, const char **name)
{
    static const struct {
        size_t at;
        const char *with, *name;
        format format;
    } known[] = {
        {0, "\xff\xd8\xff", "JPEG", JPEG}, {0, "\x89PNG\r\n\x1a\n", "PNG", PNG},
        {0, "GIF8", "GIF", OTHER},         {8, "WEBP", "WebP", OTHER},
        {0, "BM", "BMP", OTHER},           {0, "II*", "TIFF", OTHER},
        {0, "MM", "TIFF", OTHER},          {4, "ftyp", "HEIF or AVIF", OTHER},
        {0, "\xff\x0a", "JPEG XL", OTHER}, {4, "JXL ", "JPEG XL", OTHER},
        {4, "jP  ", "JPEG 2000", OTHER},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (starts(bytes, n, known[i].at, known[i].with)) {
            *name = known[i].name;
            return known[i].format;
        }
    return UNKNOWN;
}

static zf_status decode(zf_image_job *job)
{
    const char *name = NULL;
    if (job->n == 0) return zf_fail(ZF_EINPUT, "empty");
    switch (format_of(job->bytes, job->n, &name)) {
    case JPEG:
        return zf_jpeg_decode(job);
    case PNG:
        return zf_png_decode(job);
    case OTHER:
        return zf_fail(ZF_EINPUT, "%s, expected JPEG or PNG", name);
    default:
        return zf_fail(ZF_EINPUT, "neither JPEG nor PNG");
    }
}

zf_status zf_image_decode(uint8_t *planes, int size, zf_image *out, zf_decoder *decoder,
                          const uint8_t *bytes, size_t n)
{
    zf_image_job job = {.decoder = decoder, .bytes = bytes, .n = n, .planes = planes, .size = size};
    ZF_TRY(decode(&job));
    *out = job.found;
    return ZF_OK;
}

zf_status zf_image_check(const zf_image_job *job, uint64_t width, uint64_t height)
{
    uint64_t most = (uint64_t)job->decoder->most_pixels;
    if (width < 1 || height < 1) return zf_fail(ZF_EINPUT, "an image without pixels");
    if (width > INT32_MAX || height > most / width)
        return zf_fail(ZF_EINPUT, "declares %llu x %llu pixels, more than %llu million",
                       (unsigned long long)width, (unsigned long long)height,
                       (unsigned long long)(most / 1000000));
    if (width > ZF_IMAGE_SIDE || height > ZF_IMAGE_SIDE)
        return zf_fail(ZF_EINPUT, "declares %llu x %llu pixels, more than %d on a side",
                       (unsigned long long)width, (unsigned long long)height, ZF_IMAGE_SIDE);
    return ZF_OK;
}

zf_status zf_decoder_reserve(zf_decoder *decoder, size_t bytes)
{
    if (bytes <= decoder->row_room) return ZF_OK;
    free(decoder->row);
    decoder->row = malloc(bytes);
    decoder->row_room = decoder->row ? bytes : 0;
    return decoder->row ? ZF_OK : zf_fail_memory(bytes);
}

void zf_decoder_free(zf_decoder *decoder)
{
    zf_resizer_free(&decoder->resizer);
    free(decoder->row);
    decoder->row = NULL;
    decoder->row_room = 0;
}
