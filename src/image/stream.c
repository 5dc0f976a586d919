#include "image/stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/aside.h"
#include "base/error.h"
#include "base/random.h"
#include "image/set.h"

/* A batch that is being made or has been. */
typedef struct slot {
    uint64_t step;
    const uint8_t **images;
    uint32_t *which;
    uint8_t *pixels; /* NULL: the set's own */
    zf_status status;
    char message[1024];
} slot;

struct zf_image_stream {
    zf_images *set;
    uint64_t seed, step; /* step: of the batch that is made next */
    size_t n, bytes;     /* images a batch, bytes an image */
    uint32_t *order;     /* of the pass */
    uint64_t pass;       /* UINT64_MAX: order holds none yet */
    zf_lock lock;
    zf_aside *aside; /* NULL: the set is in memory */
    zf_image_hands hands;
    slot slots[2];
    int next; /* the slot that is being made */
};

static void choose(zf_image_stream *stream, slot *s)
{
    size_t count = stream->set->about.count;
    for (size_t i = 0; i < stream->n; i++) {
        uint64_t place = stream->step * stream->n + i, pass = place / count;
        if (pass != stream->pass) {
            zf_random random = zf_random_at(stream->seed, ZF_FOR_ORDER, pass, 0);
            zf_random_permutation(&random, stream->order, count);
            stream->pass = pass;
        }
        s->which[i] = stream->order[place % count];
    }
    s->step = stream->step++;
}

/* Fills row i, with another image if its own is lost. There always is one: a set that
   loses too many is an error. */
static zf_status decode_row(zf_image_stream *stream, slot *s, uint32_t i, int worker)
{
    zf_images *set = stream->set;
    zf_random redraw = zf_random_at(stream->seed, ZF_FOR_REDRAW, s->step, i);
    for (;; s->which[i] = zf_random_below(&redraw, (uint32_t)set->about.count)) {
        bool lost = zf_set_is_lost(set, s->which[i]);
        ZF_TRY(zf_set_check_losses(set));
        if (lost) continue;
        ZF_TRY(zf_set_decode(set, &stream->hands.workers[worker], s->which[i],
                             s->pixels + i * stream->bytes, &lost));
        if (!lost) return ZF_OK;
    }
}

static void decode_one(void *context, int task, int worker)
{
    zf_image_stream *stream = context;
    slot *s = &stream->slots[stream->next];
    zf_status status = decode_row(stream, s, (uint32_t)task, worker);
    if (status == ZF_OK) return;
    zf_lock_take(&stream->lock);
    s->status = status;
    strncpy(s->message, zf_error(), sizeof s->message - 1);
    zf_lock_give(&stream->lock);
}

static void make_batch(void *context)
{
    zf_image_stream *stream = context;
    slot *s = &stream->slots[stream->next];
    choose(stream, s);
    if (s->pixels)
        zf_crew_run(stream->hands.crew, (int)stream->n, decode_one, stream);
    else
        for (size_t i = 0; i < stream->n; i++)
            s->images[i] = stream->set->pixels + s->which[i] * stream->bytes;
}

static zf_status prepare_slot(const zf_image_stream *stream, slot *s)
{
    s->which = malloc(stream->n * sizeof *s->which);
    s->images = malloc(stream->n * sizeof *s->images);
    if (!s->which || !s->images) return zf_fail_memory(stream->n * sizeof *s->images);
    if (!stream->aside) return ZF_OK;
    s->pixels = malloc(stream->n * stream->bytes);
    if (!s->pixels) return zf_fail_memory(stream->n * stream->bytes);
    for (size_t i = 0; i < stream->n; i++) s->images[i] = s->pixels + i * stream->bytes;
    return ZF_OK;
}

static zf_status prepare(zf_image_stream *stream)
{
    const zf_images *set = stream->set;
    stream->order = malloc(set->about.count * sizeof *stream->order);
    if (!stream->order) return zf_fail_memory(set->about.count * sizeof *stream->order);
    if (!set->about.in_memory) {
        ZF_TRY(zf_hands_hire(&stream->hands, set->options.threads));
        ZF_TRY(zf_aside_new(&stream->aside));
    }
    for (int i = 0; i < 2; i++) ZF_TRY(prepare_slot(stream, &stream->slots[i]));
    if (stream->aside) zf_aside_start(stream->aside, make_batch, stream);
    return ZF_OK;
}

static zf_status check(const zf_images *set, size_t n)
{
    enum { MOST = 1000000 };
    if (n < 1 || n > MOST)
        return zf_fail(ZF_EINVAL, "batch: expected 1 to %d images, found %zu", MOST, n);
    uint64_t bytes = 2 * (uint64_t)n * 3 * (uint64_t)set->about.size * (uint64_t)set->about.size;
    if (set->about.in_memory || bytes <= set->options.memory) return ZF_OK;
    uint64_t megabytes = (bytes >> 20) + 1;
    return zf_fail(ZF_EINVAL,
                   "%s: two batches of %zu images take %llu MB, more than the %llu MB allowed",
                   set->path, n, (unsigned long long)megabytes,
                   (unsigned long long)(set->options.memory >> 20));
}

zf_status zf_image_stream_new(zf_image_stream **out, zf_images *images, uint64_t seed, size_t n,
                              uint64_t step)
{
    ZF_TRY(check(images, n));
    zf_image_stream *stream = calloc(1, sizeof *stream);
    if (!stream) return zf_fail_memory(sizeof *stream);
    size_t side = (size_t)images->about.size;
    stream->set = images;
    stream->seed = seed;
    stream->step = step;
    stream->n = n;
    stream->bytes = 3 * side * side;
    stream->pass = UINT64_MAX;
    zf_lock_init(&stream->lock);
    zf_status status = prepare(stream);
    if (status != ZF_OK) {
        zf_image_stream_free(stream);
        return status;
    }
    *out = stream;
    return ZF_OK;
}

zf_status zf_image_stream_next(zf_image_stream *stream, const uint8_t *const **images,
                               const uint32_t **which)
{
    slot *ready = &stream->slots[stream->next];
    if (stream->aside)
        zf_aside_wait(stream->aside);
    else
        make_batch(stream);
    if (ready->status != ZF_OK) return zf_fail(ready->status, "%s", ready->message);
    stream->next = 1 - stream->next;
    if (stream->aside) zf_aside_start(stream->aside, make_batch, stream);
    *images = ready->images;
    *which = ready->which;
    return ZF_OK;
}

void zf_image_stream_free(zf_image_stream *stream)
{
    if (!stream) return;
    zf_aside_free(stream->aside);
    zf_hands_dismiss(&stream->hands);
    for (int i = 0; i < 2; i++) {
        free(stream->slots[i].images);
        free(stream->slots[i].which);
        free(stream->slots[i].pixels);
    }
    free(stream->order);
    zf_lock_destroy(&stream->lock);
    free(stream);
}
