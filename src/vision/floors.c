/* What features have to beat: the pixels themselves, and the same network before it was
   trained. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/error.h"
#include "vision/model.h"

enum { BLOCK = 256, TASKS = 64 };

zf_status zf_vision_before_training(zf_vision **out, const zf_vision *model)
{
    zf_vision_plan plan = model->plan;
    plan.watch_every = 0;
    return zf_vision_new(out, &plan, NULL);
}

typedef struct shrinking {
    const zf_view_options *views;
    const uint32_t *which;
    const uint8_t *pixels; /* [n, 3, size, size] */
    float *whole;          /* [TASKS, 3, size, size] */
    float *to;             /* [n, 3, side, side] */
    int n, size, side;
} shrinking;

/* How much of pixel i, of `size` in all, lies in place k of `side` places, in pixels. */
static float overlap(int i, int k, int size, int side)
{
    float step = (float)size / (float)side, from = (float)k * step, until = from + step;
    float low = from > (float)i ? from : (float)i;
    float high = until < (float)(i + 1) ? until : (float)(i + 1);
    return high > low ? high - low : 0;
}

/* A plane of size x size as the means over side x side equal squares. */
static void shrink_plane(float *to, const float *from, int size, int side)
{
    float area = (float)size / (float)side * (float)size / (float)side;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            int top = y * size / side, left = x * size / side;
            int bottom = ((y + 1) * size + side - 1) / side;
            int right = ((x + 1) * size + side - 1) / side;
            float sum = 0;
            for (int i = top; i < bottom; i++)
                for (int j = left; j < right; j++)
                    sum +=
                        overlap(i, y, size, side) * overlap(j, x, size, side) * from[i * size + j];
            to[y * side + x] = sum / area;
        }
}

static void shrink_part(void *context, int task, int worker)
{
    (void)worker;
    const shrinking *s = context;
    size_t plane = (size_t)s->size * (size_t)s->size, small = (size_t)s->side * (size_t)s->side;
    float *whole = s->whole + (size_t)task * ZF_COLOURS * plane;
    for (int i = s->n * task / TASKS; i < s->n * (task + 1) / TASKS; i++) {
        float *to = s->to + (size_t)i * ZF_COLOURS * small;
        const uint8_t *pixels = s->pixels + (size_t)i * ZF_COLOURS * plane;
        bool same = s->size == s->side;
        zf_view_plain(same ? to : whole, pixels, s->size, s->views, s->which[i]);
        for (int c = 0; !same && c < ZF_COLOURS; c++)
            shrink_plane(to + (size_t)c * small, whole + (size_t)c * plane, s->size, s->side);
    }
}

static zf_status shrink_all(shrinking *s, uint8_t *pixels, zf_images *images, size_t n,
                            zf_crew *crew)
{
    const uint32_t *which = s->which;
    float *to = s->to;
    s->pixels = pixels;
    for (size_t first = 0; first < n; first += BLOCK) {
        s->n = (int)(n - first < BLOCK ? n - first : BLOCK);
        s->which = which + first;
        s->to = to + first * ZF_COLOURS * (size_t)s->side * (size_t)s->side;
        ZF_TRY(zf_images_read(images, s->which, (size_t)s->n, pixels));
        zf_crew_run(crew, TASKS, shrink_part, s);
    }
    return ZF_OK;
}

zf_status zf_vision_pixels(float *pixels, int side, zf_images *images, const uint32_t *which,
                           size_t n, const zf_view_options *views, int threads)
{
    int size = zf_images_size(images);
    size_t plane = (size_t)size * (size_t)size;
    if (side < 1 || side > size)
        return zf_fail(ZF_EINVAL, "pixels a side: expected 1 to %d, found %d", size, side);
    ZF_TRY(zf_view_check(views));
    zf_crew *crew = NULL;
    ZF_TRY(zf_crew_new(&crew, threads));
    shrinking s = {.views = views, .which = which, .to = pixels, .size = size, .side = side};
    uint8_t *bytes = zf_slab_new(BLOCK * ZF_COLOURS * plane);
    s.whole = zf_slab_new(TASKS * ZF_COLOURS * plane * sizeof(float));
    zf_status status = bytes && s.whole ? shrink_all(&s, bytes, images, n, crew) : ZF_ENOMEM;
    free(bytes);
    free(s.whole);
    zf_crew_free(crew);
    return status;
}
