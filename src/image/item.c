/* One item: its bytes, and its pixels. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "image/load.h"

enum { PATH_BYTES = 8192 };

static zf_status reserve(zf_image_worker *worker, size_t bytes)
{
    if (bytes <= worker->room) return ZF_OK;
    free(worker->bytes);
    worker->bytes = malloc(bytes);
    worker->room = worker->bytes ? bytes : 0;
    return worker->bytes ? ZF_OK : zf_fail_memory(bytes);
}

/* The n bytes of a file in a folder. It is not waited for: what was a file
   when the folder was read may have become a pipe. */
static zf_status fetch_file(const zf_images *set, const char *name, uint8_t *bytes, size_t n)
{
    char path[PATH_BYTES];
    if (snprintf(path, sizeof path, "%s/%s", set->path, name) >= (int)sizeof path)
        return zf_fail(ZF_EIO, "a path that is too long");
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return zf_set_system_failure();
    zf_status status = ZF_OK;
    for (size_t done = 0; done < n && status == ZF_OK;) {
        ssize_t got = read(file, bytes + done, n - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) status = zf_set_system_failure();
        if (got == 0) status = zf_fail(ZF_EIO, "shorter than it was");
        if (got > 0) done += (size_t)got;
    }
    close(file);
    return status;
}

static zf_status fetch(zf_images *set, zf_image_worker *worker, const zf_image_item *item)
{
    ZF_TRY(reserve(worker, (size_t)item->bytes + 1));
    if (set->about.kind == ZF_IMAGES_FOLDER)
        return fetch_file(set, item->name, worker->bytes, item->bytes);
    return zf_io_input_read_at(set->files[item->file], item->offset, worker->bytes, item->bytes);
}

/* Row y of a record as RGB. */
static void record_row(uint8_t *rgb, const zf_record_layout *layout, const uint8_t *pixels, int y)
{
    size_t width = (size_t)layout->width, height = (size_t)layout->height, row = (size_t)y;
    size_t plane = layout->interleaved ? 1 : width * height;
    size_t across = layout->by_columns ? height : 1, down = layout->by_columns ? 1 : width;
    if (layout->interleaved) across = (size_t)layout->channels, down = width * across;
    if (layout->channels == 1) plane = 0; /* one plane for all three */
    const uint8_t *from = pixels + row * down;
    for (size_t x = 0; x < width; x++, from += across, rgb += 3) {
        rgb[0] = from[0];
        rgb[1] = from[plane];
        rgb[2] = from[2 * plane];
    }
}

static zf_status decode_record(const zf_images *set, zf_decoder *decoder, const uint8_t *bytes,
                               uint8_t *planes)
{
    const zf_record_layout *layout = &set->layout;
    ZF_TRY(zf_decoder_reserve(decoder, (size_t)layout->width * 3));
    ZF_TRY(zf_resizer_begin(&decoder->resizer, layout->width, layout->height, set->about.size));
    for (int y = 0; y < layout->height; y++) {
        record_row(decoder->row, layout, bytes + layout->skip, y);
        zf_resizer_row(&decoder->resizer, decoder->row);
    }
    zf_resizer_finish(&decoder->resizer, planes, 1);
    return ZF_OK;
}

static void note_size(zf_image_item *item, zf_image about)
{
    item->width = about.width;
    item->height = about.height;
    item->grey = about.grey;
}

/* Where an image is decoded to that is only tried. */
static zf_status planes_for_trial(const zf_images *set, zf_image_worker *worker)
{
    size_t side = (size_t)set->about.size, bytes = 3 * side * side;
    if (!worker->planes) worker->planes = malloc(bytes);
    return worker->planes ? ZF_OK : zf_fail_memory(bytes);
}

zf_status zf_item_decode(zf_images *set, zf_image_worker *worker, zf_image_item *item,
                         const uint8_t *bytes, uint8_t *planes)
{
    if (!bytes) {
        ZF_TRY(fetch(set, worker, item));
        bytes = worker->bytes;
    }
    if (set->layout.channels > 0)
        return planes ? decode_record(set, &worker->decoder, bytes, planes) : ZF_OK;
    if (!planes) ZF_TRY(planes_for_trial(set, worker));
    zf_image about;
    ZF_TRY(zf_image_decode(planes ? planes : worker->planes, set->about.size, &about,
                           &worker->decoder, bytes, item->bytes));
    note_size(item, about);
    return ZF_OK;
}

zf_status zf_hands_hire(zf_image_hands *hands, int threads)
{
    ZF_TRY(zf_crew_new(&hands->crew, threads));
    size_t n = (size_t)zf_crew_size(hands->crew);
    hands->workers = calloc(n, sizeof *hands->workers);
    if (!hands->workers) return zf_fail_memory(n * sizeof *hands->workers);
    for (size_t i = 0; i < n; i++) hands->workers[i].decoder.most_pixels = ZF_IMAGE_PIXELS;
    return ZF_OK;
}

void zf_hands_dismiss(zf_image_hands *hands)
{
    for (int i = 0; hands->workers && i < zf_crew_size(hands->crew); i++) {
        zf_decoder_free(&hands->workers[i].decoder);
        free(hands->workers[i].bytes);
        free(hands->workers[i].planes);
    }
    free(hands->workers);
    zf_crew_free(hands->crew);
    *hands = (zf_image_hands){0};
}

/* Losses */

const char *zf_item_name(const zf_images *set, size_t i, char room[ZF_ITEM_NAME])
{
    if (set->items[i].name) return set->items[i].name;
    snprintf(room, ZF_ITEM_NAME, "image %zu", i);
    return room;
}

bool zf_set_is_lost(const zf_images *set, uint32_t i)
{
    return __atomic_load_n(&set->lost[i], __ATOMIC_RELAXED);
}

zf_status zf_set_check_losses(const zf_images *set)
{
    size_t count = set->about.count, lost = __atomic_load_n(&set->about.lost, __ATOMIC_RELAXED);
    size_t most = count / ZF_IMAGES_LOSSES;
    if (most == 0 && count > 1) most = 1;
    if (lost <= most) return ZF_OK;
    return zf_fail(ZF_EINPUT,
                   "%s: %zu of its %zu images could be read before and no longer can: expected "
                   "at most %zu such",
                   set->path, lost, count, most);
}

/* Counted once, whichever workers find it; zf_error() has the reason. */
static zf_status note_loss(zf_images *set, uint32_t i)
{
    char room[ZF_ITEM_NAME], reason[1024];
    if (__atomic_exchange_n(&set->lost[i], 1, __ATOMIC_RELAXED)) return ZF_OK;
    __atomic_add_fetch(&set->about.lost, 1, __ATOMIC_RELAXED);
    snprintf(reason, sizeof reason, "%s, where it could be read before", zf_error());
    ZF_TRY(zf_set_refuse(set, zf_item_name(set, i, room), reason));
    return zf_set_check_losses(set);
}

zf_status zf_set_decode(zf_images *set, zf_image_worker *worker, uint32_t i, uint8_t *planes,
                        bool *lost)
{
    zf_image_item item = set->items[i]; /* others may read it now */
    zf_status status = zf_item_decode(set, worker, &item, NULL, planes);
    *lost = status == ZF_EINPUT || status == ZF_EIO;
    return *lost ? note_loss(set, i) : status;
}
