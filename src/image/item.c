/* One item: its bytes, and its pixels. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "image/load.h"

enum { PATH_BYTES = 8192, HEADER_BYTES = 1 << 16, MOST_DAMAGED = 1000 };

static zf_status reserve(zf_image_worker *worker, size_t bytes)
{
    if (bytes <= worker->room) return ZF_OK;
    free(worker->bytes);
    worker->bytes = malloc(bytes);
    worker->room = worker->bytes ? bytes : 0;
    return worker->bytes ? ZF_OK : zf_fail_memory(bytes);
}

/* The first n bytes of a file in a folder. It is not waited for: what was a file
   when the folder was read may have become a pipe. */
static zf_status fetch_file(const zf_images *set, const char *name, uint8_t *bytes, size_t n)
{
    char path[PATH_BYTES];
    if (snprintf(path, sizeof path, "%s/%s", set->path, name) >= (int)sizeof path)
        return zf_fail(ZF_EIO, "a path that is too long");
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return zf_fail(ZF_EIO, "%s", strerror(errno));
    size_t done = 0;
    while (done < n) {
        ssize_t got = read(file, bytes + done, n - done);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        done += (size_t)got;
    }
    close(file);
    return done == n ? ZF_OK : zf_fail(ZF_EIO, "shorter than it was, or unreadable");
}

static zf_status fetch(zf_images *set, zf_image_worker *worker, const zf_image_item *item, size_t n)
{
    ZF_TRY(reserve(worker, n + 1));
    if (set->about.kind == ZF_IMAGES_FOLDER) return fetch_file(set, item->name, worker->bytes, n);
    return zf_input_read_at(set->files[item->file], item->offset, worker->bytes, n);
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

static void note_size(zf_image_item *item, zf_picture about)
{
    item->width = about.width;
    item->height = about.height;
    item->grey = about.grey;
}

/* A header is nearly always in the first bytes; a large EXIF part or colour
   profile may come before it. */
static zf_status look(zf_images *set, zf_image_worker *worker, zf_image_item *item)
{
    zf_picture about;
    size_t n = item->bytes < HEADER_BYTES ? item->bytes : HEADER_BYTES;
    ZF_TRY(fetch(set, worker, item, n));
    zf_status status = zf_picture_look(&about, &worker->decoder, worker->bytes, n);
    if (status == ZF_EINPUT && n < item->bytes) {
        ZF_TRY(fetch(set, worker, item, item->bytes));
        status = zf_picture_look(&about, &worker->decoder, worker->bytes, item->bytes);
    }
    if (status == ZF_OK) note_size(item, about);
    return status;
}

zf_status zf_item_decode(zf_images *set, zf_image_worker *worker, zf_image_item *item,
                         const uint8_t *bytes, uint8_t *planes)
{
    bool record = set->layout.channels > 0;
    if (!planes) return record ? ZF_OK : look(set, worker, item);
    if (!bytes) {
        ZF_TRY(fetch(set, worker, item, item->bytes));
        bytes = worker->bytes;
    }
    if (record) return decode_record(set, &worker->decoder, bytes, planes);
    zf_picture about;
    ZF_TRY(
        zf_picture_decode(planes, set->about.size, &about, &worker->decoder, bytes, item->bytes));
    note_size(item, about);
    return ZF_OK;
}

zf_status zf_hands_hire(zf_image_hands *hands, int threads)
{
    ZF_TRY(zf_crew_new(&hands->crew, threads));
    size_t n = (size_t)zf_crew_size(hands->crew);
    hands->workers = calloc(n, sizeof *hands->workers);
    if (!hands->workers) return zf_fail_memory(n * sizeof *hands->workers);
    for (size_t i = 0; i < n; i++) hands->workers[i].decoder.most_pixels = ZF_PICTURE_PIXELS;
    return ZF_OK;
}

void zf_hands_dismiss(zf_image_hands *hands)
{
    for (int i = 0; hands->workers && i < zf_crew_size(hands->crew); i++) {
        zf_decoder_free(&hands->workers[i].decoder);
        free(hands->workers[i].bytes);
    }
    free(hands->workers);
    zf_crew_free(hands->crew);
    *hands = (zf_image_hands){0};
}

/* Counted once, whichever workers find it. */
static void note_damage(zf_images *set, uint32_t i)
{
    if (!__atomic_exchange_n(&set->damaged[i], 1, __ATOMIC_RELAXED))
        zf_set_refuse(set, set->items[i].name ? set->items[i].name : set->path, zf_error());
}

zf_status zf_set_decode(zf_images *set, zf_image_worker *worker, uint32_t i, uint8_t *planes,
                        uint32_t *found)
{
    for (int tries = 0; tries < MOST_DAMAGED; tries++, i++) {
        if (i >= set->about.count) i = 0;
        if (__atomic_load_n(&set->damaged[i], __ATOMIC_RELAXED)) continue;
        zf_image_item item = set->items[i]; /* others may read it now */
        zf_status status = zf_item_decode(set, worker, &item, NULL, planes);
        *found = i;
        if (status != ZF_EINPUT && status != ZF_EIO) return status;
        note_damage(set, i);
    }
    return zf_fail(ZF_EINPUT, "%s: %d pictures in a row are damaged; the last: %s", set->path,
                   MOST_DAMAGED, zf_error());
}
