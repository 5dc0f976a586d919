/* Random views of images.

   The crop is drawn as torchvision's RandomResizedCrop draws it: area and the
   logarithm of the ratio uniform, whole pixels, ten tries, then the whole image;
   the resizing is that of PyTorch's interpolate without aligned corners. Noise
   comes last and on every pixel, the watermark's included: a view then has a
   density, which a comparison of its law with another one presumes.

   Numbers are addressed by (seed, image, step and view), so views can be made in
   any order and by any thread. */
#include "image/views.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/random.h"
#include "base/vectors.h"
#include "image/stretch.h"

enum { TRIES = 10, VIEWS = 128, PIECE = 1024 };

zf_view_options zf_view_defaults(void)
{
    return (zf_view_options){.least_area = 0.8,
                             .most_area = 1,
                             .least_ratio = 3.0 / 4,
                             .most_ratio = 4.0 / 3,
                             .mirrored = 0.5,
                             .noise = 0.01};
}

zf_status zf_view_check(const zf_view_options *options)
{
    const zf_view_options *o = options;
    if (!(o->least_area > 0 && o->least_area <= o->most_area && o->most_area <= 1))
        return zf_fail(ZF_EINVAL, "area of a view: expected a range within 0 to 1, found %g to %g",
                       o->least_area, o->most_area);
    if (!(o->least_ratio > 0 && o->least_ratio <= o->most_ratio && o->most_ratio < INFINITY))
        return zf_fail(ZF_EINVAL, "ratio of a view: expected a range above 0, found %g to %g",
                       o->least_ratio, o->most_ratio);
    if (!(o->mirrored >= 0 && o->mirrored <= 1))
        return zf_fail(ZF_EINVAL, "share of mirrored views: expected 0 to 1, found %g",
                       o->mirrored);
    if (!(o->noise >= 0 && o->noise < INFINITY))
        return zf_fail(ZF_EINVAL, "noise of a view: expected 0 or more, found %g", o->noise);
    if ((int)o->watermark < ZF_WATERMARK_NONE || o->watermark > ZF_WATERMARK_COLOUR)
        return zf_fail(ZF_EINVAL, "watermark: expected none, patch or colour, found %d",
                       (int)o->watermark);
    return ZF_OK;
}

/* Two streams for each view: one for its geometry, one for its noise. */
static zf_random stream_of(const zf_view_options *options, uint32_t image, uint64_t step, int view,
                           int which)
{
    assert(view >= 0 && view < VIEWS);
    uint64_t place = (step * VIEWS + (uint64_t)view) * 2 + (uint64_t)which;
    return zf_random_at(options->seed, ZF_FOR_VIEW, place, image);
}

static double between(zf_random *random, double low, double high)
{
    return low + (high - low) * zf_random_uniform_double(random);
}

zf_crop zf_view_crop(const zf_view_options *options, int size, uint32_t image, uint64_t step,
                     int view)
{
    zf_random random = stream_of(options, image, step, view, 0);
    zf_crop crop = {0, 0, size, size, zf_random_uniform(&random) < options->mirrored};
    double low = log(options->least_ratio), high = log(options->most_ratio);
    for (int i = 0; i < TRIES; i++) {
        double area = between(&random, options->least_area, options->most_area) * size * size;
        double ratio = exp(between(&random, low, high));
        long width = lrint(sqrt(area * ratio)), height = lrint(sqrt(area / ratio));
        if (width < 1 || width > size || height < 1 || height > size) continue;
        crop.width = (int)width;
        crop.height = (int)height;
        crop.top = (int)zf_random_below(&random, (uint32_t)(size - crop.height) + 1);
        crop.left = (int)zf_random_below(&random, (uint32_t)(size - crop.width) + 1);
        break;
    }
    return crop;
}

static void prepare(zf_lerp *l, int length, int size)
{
    float scale = (float)length / (float)size;
    for (int i = 0; i < size; i++) {
        float place = fmaxf(((float)i + 0.5f) * scale - 0.5f, 0);
        int low = (int)place;
        l->low[i] = low;
        l->high[i] = low + 1 < length ? low + 1 : low;
        l->share[i] = place - (float)low;
    }
}

static void mirror(zf_lerp *l, int size)
{
    for (int i = 0, j = size - 1; i < j; i++, j--) {
        int low = l->low[i], high = l->high[i];
        float share = l->share[i];
        l->low[i] = l->low[j], l->high[i] = l->high[j], l->share[i] = l->share[j];
        l->low[j] = low, l->high[j] = high, l->share[j] = share;
    }
}

static void stretch(float *out, const zf_crop_plane *from, const zf_lerp *down,
                    const zf_lerp *across)
{
    float row[ZF_IMAGES_SIDE_MAX];
    for (int y = 0; y < from->size; y++, out += from->size) {
        const uint8_t *above = from->corner + down->low[y] * from->size,
                      *below = from->corner + down->high[y] * from->size;
        float lower = down->share[y] / 255, upper = 1.0f / 255 - lower;
        for (int x = 0; x < from->width; x++)
            row[x] = upper * (float)above[x] + lower * (float)below[x];
        for (int x = 0; x < from->size; x++) {
            /* cppcheck-suppress uninitvar ; a crop has columns */
            float left = row[across->low[x]], right = row[across->high[x]];
            out[x] = left + across->share[x] * (right - left);
        }
    }
}

static zf_stretch *best_stretch(void)
{
#if defined(__x86_64__)
    if (zf_has_long_vectors()) return zf_stretch_avx512;
#endif
    return stretch;
}

void zf_view_resize(float *out, const uint8_t *pixels, int size, zf_crop crop)
{
    zf_lerp across, down;
    zf_stretch *run = best_stretch();
    assert(size <= ZF_IMAGES_SIDE_MAX && crop.width <= size);
    prepare(&across, crop.width, size);
    prepare(&down, crop.height, size);
    if (crop.mirrored) mirror(&across, size);
    for (int c = 0; c < 3; c++, out += size * size) {
        const uint8_t *corner = pixels + (c * size + crop.top) * size + crop.left;
        run(out, &(zf_crop_plane){corner, crop.width, size}, &down, &across);
    }
}

static void put_patch(float *out, int size, zf_random random)
{
    int side = size / 3;
    for (int c = 0; c < 3; c++)
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++)
                out[(c * size + y) * size + x] = zf_random_uniform(&random);
}

static void put_colour(float *out, int size, zf_random random)
{
    int plane = size * size;
    float *red = out, *green = out + plane, *blue = out + 2 * plane, colour[3];
    for (int c = 0; c < 3; c++) colour[c] = zf_random_uniform(&random);
    for (int i = 0; i < plane; i++) {
        float grey = 0.299f * red[i] + 0.587f * green[i] + 0.114f * blue[i];
        red[i] = grey * colour[0];
        green[i] = grey * colour[1];
        blue[i] = grey * colour[2];
    }
}

static void put_watermark(float *out, int size, const zf_view_options *options, uint32_t image)
{
    zf_random random = zf_random_at(options->seed, ZF_FOR_MARK, 0, image);
    if (options->watermark == ZF_WATERMARK_PATCH) put_patch(out, size, random);
    if (options->watermark == ZF_WATERMARK_COLOUR) put_colour(out, size, random);
}

static void add_noise(float *out, size_t n, float deviation, zf_random random)
{
    float noise[PIECE];
    for (size_t done = 0; done < n; done += PIECE, random.counter[0] += PIECE / 4) {
        size_t piece = n - done < PIECE ? n - done : PIECE;
        zf_random_fill_normal(&random, noise, piece);
        for (size_t i = 0; i < piece; i++) out[done + i] += deviation * noise[i];
    }
}

void zf_view_make(float *out, const uint8_t *pixels, int size, const zf_view_options *options,
                  uint32_t image, uint64_t step, int view)
{
    zf_view_resize(out, pixels, size, zf_view_crop(options, size, image, step, view));
    put_watermark(out, size, options, image);
    if (options->noise > 0)
        add_noise(out, 3 * (size_t)size * (size_t)size, (float)options->noise,
                  stream_of(options, image, step, view, 1));
}

void zf_view_plain(float *out, const uint8_t *pixels, int size, const zf_view_options *options,
                   uint32_t image)
{
    for (int i = 0; i < 3 * size * size; i++) out[i] = (float)pixels[i] * (1.0f / 255);
    put_watermark(out, size, options, image);
}
