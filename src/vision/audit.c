/* Occlusion: how far a code moves when a window of the image is covered by another
   image. One other at a time, all windows of an image are one batch for the encoder. */
#include "zeroflow/audit.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/finite.h"
#include "base/grow.h"
#include "base/progress.h"
#include "base/random.h"
#include "vision/embed.h"

enum { OTHERS = 4, OTHERS_MOST = 1000 };

void zf_audit_options_init(zf_audit_options *options, size_t size)
{
    const zf_audit_options all = {.others = OTHERS, .views = zf_view_defaults()};
    zf_give(options, size, &all, sizeof all);
}

/* What an audit holds. A batch is the image, the other one, and then the image with
   each window covered. */
typedef struct audit {
    const zf_vision *model;
    zf_crew *crew;
    zf_embedder encoder;
    zf_audit_options options; /* resolved */
    zf_images *images;
    int size, across; /* windows side by side */
    size_t pixels, dim, windows;
    uint8_t *bytes; /* of two images */
    float *batch;   /* of a batch */
    float *codes;   /* likewise */
    double *moved;  /* squared distance, window by window, summed over the others */
    double whole;   /* the same of the whole other images */
} audit;

static zf_status check(audit *a, size_t n)
{
    zf_audit_options *o = &a->options;
    if (zf_vision_size(a->model) != a->size)
        return zf_fail(ZF_EINPUT,
                       "images of %d pixels a side for a model of %d: expected the same size",
                       a->size, zf_vision_size(a->model));
    if (zf_images_count(a->images) < 2)
        return zf_fail(ZF_EINPUT, "one image: expected at least two, which cover each other");
    if (o->window == 0) o->window = a->size / 8 > 0 ? a->size / 8 : 1;
    if (o->window < 1 || o->window > a->size)
        return zf_fail(ZF_EINVAL, "window: expected 1 to %d pixels a side, found %d", a->size,
                       o->window);
    if (o->stride == 0) o->stride = o->window / 2 > 0 ? o->window / 2 : 1;
    if (o->stride < 1 || o->stride > o->window)
        return zf_fail(ZF_EINVAL,
                       "stride: expected 1 to %d pixels, so that no pixel is left out, found %d",
                       o->window, o->stride);
    if (o->others < 1 || o->others > OTHERS_MOST)
        return zf_fail(ZF_EINVAL, "others: expected 1 to %d images, found %d", OTHERS_MOST,
                       o->others);
    if (n == 0) return zf_fail(ZF_EINVAL, "an audit of no images");
    return zf_view_check(&o->views);
}

/* The last window ends with the image, whatever the stride. */
static int place(const audit *a, int window)
{
    int last = a->size - a->options.window, at = window * a->options.stride;
    return at < last ? at : last;
}

static zf_status start(audit *a)
{
    const zf_audit_options *o = &a->options;
    a->across = 1 + (a->size - o->window + o->stride - 1) / o->stride;
    a->windows = (size_t)a->across * (size_t)a->across;
    a->pixels = (size_t)zf_vision_channels(a->model) * (size_t)a->size * (size_t)a->size;
    a->dim = (size_t)zf_vision_dim(a->model);
    size_t batch = a->windows + 2;
    a->bytes = malloc(2 * a->pixels);
    a->batch = malloc(batch * a->pixels * sizeof *a->batch);
    a->codes = malloc(batch * a->dim * sizeof *a->codes);
    a->moved = malloc(a->windows * sizeof *a->moved);
    if (!a->bytes || !a->batch || !a->codes || !a->moved)
        return zf_fail_memory(batch * (a->pixels + a->dim) * sizeof *a->batch);
    ZF_TRY(zf_crew_new(&a->crew, o->threads));
    return zf_embedder_new(&a->encoder, a->model, a->crew, batch);
}

static void cover(const audit *a, float *image, const float *other, int row, int column)
{
    size_t size = (size_t)a->size, window = (size_t)a->options.window;
    size_t corner = (size_t)place(a, row) * size + (size_t)place(a, column);
    for (size_t plane = 0; plane < a->pixels; plane += size * size)
        for (size_t y = 0; y < window; y++) {
            size_t from = plane + corner + y * size;
            memcpy(image + from, other + from, window * sizeof *image);
        }
}

static double distance(const float *a, const float *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    return sum;
}

/* Image `which` against one other. */
static zf_status compare(audit *a, uint32_t which, uint32_t other)
{
    float *own = a->batch, *others = own + a->pixels, *covered = others + a->pixels;
    uint32_t both[] = {which, other};
    ZF_TRY(zf_images_read(a->images, both, 2, a->bytes));
    zf_vision_show(own, &a->model->plan.step.image, &a->options.views, a->bytes, which, -1, 0);
    zf_vision_show(others, &a->model->plan.step.image, &a->options.views,
                   a->bytes + 3 * (size_t)a->size * (size_t)a->size, other, -1, 0);
    for (size_t w = 0; w < a->windows; w++) {
        memcpy(covered + w * a->pixels, own, a->pixels * sizeof *own);
        cover(a, covered + w * a->pixels, others, (int)w / a->across, (int)w % a->across);
    }
    ZF_TRY(zf_embedder_encode(&a->encoder, a->codes, a->batch, a->windows + 2));
    const float *code = a->codes;
    a->whole += distance(code + a->dim, code, a->dim);
    for (size_t w = 0; w < a->windows; w++)
        a->moved[w] += distance(code + (w + 2) * a->dim, code, a->dim);
    return ZF_OK;
}

/* The mean, at each pixel, over the windows that it is in. */
static void spread(const audit *a, float *map)
{
    for (int y = 0; y < a->size; y++)
        for (int x = 0; x < a->size; x++) {
            double sum = 0;
            int count = 0;
            for (int w = 0; w < a->across * a->across; w++) {
                int top = place(a, w / a->across), left = place(a, w % a->across);
                if (y < top || y >= top + a->options.window || x < left ||
                    x >= left + a->options.window)
                    continue;
                sum += a->moved[w];
                count++;
            }
            map[y * a->size + x] = a->whole > 0 ? (float)(sum / count / a->whole) : 0;
        }
}

static zf_status each(audit *a, float *maps, const uint32_t *which, size_t n)
{
    zf_pace pace = zf_pace_begin(&a->options.report, 0);
    pace.things = "covered images";
    size_t others = (size_t)a->options.others, count = zf_images_count(a->images);
    size_t plane = (size_t)a->size * (size_t)a->size;
    for (size_t i = 0; i < n; i++) {
        zf_random random = zf_random_at(a->options.seed, ZF_FOR_BOOTSTRAP, i, 0);
        memset(a->moved, 0, a->windows * sizeof *a->moved);
        a->whole = 0;
        for (size_t k = 0; k < others; k++) {
            uint32_t other = zf_random_below(&random, (uint32_t)count - 1);
            ZF_TRY(compare(a, which[i], other + (other >= which[i])));
            ZF_TRY(zf_pace_tell(&pace, i * others + k + 1, n * others));
        }
        spread(a, maps + i * plane);
        ZF_TRY(zf_finite_check(NULL, &(zf_grid){.floats = maps + i * plane,
                                                .rows = 1,
                                                .columns = plane,
                                                .row = "image",
                                                .column = "pixel",
                                                .before = i}));
    }
    return ZF_OK;
}

zf_status zf_vision_audit(const zf_vision *model, float *maps, zf_images *images,
                          const uint32_t *which, size_t n, const zf_audit_options *given)
{
    zf_audit_options known = zf_audit_defaults();
    const zf_audit_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "audit"));
    audit a = {
        .model = model, .options = *options, .images = images, .size = zf_images_size(images)};
    zf_status status = check(&a, n);
    if (status == ZF_OK) status = start(&a);
    if (status == ZF_OK) status = each(&a, maps, which, n);
    zf_embedder_free(&a.encoder);
    zf_crew_free(a.crew);
    free(a.bytes);
    free(a.batch);
    free(a.codes);
    free(a.moved);
    return status;
}
