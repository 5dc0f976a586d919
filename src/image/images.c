/* The public face of a set: opening, telling, reading. */
#include "zeroflow/images.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "image/load.h"
#include "image/stream.h"

enum { DEFAULT_SIZE = 64 };

void zf_images_options_init(zf_images_options *options, size_t size)
{
    const zf_images_options all = {.memory = (uint64_t)2 << 30};
    zf_give(options, size, &all, sizeof all);
}

static zf_status check_options(const zf_images_options *options)
{
    if (options->size < 0 || options->size > ZF_IMAGES_SIDE_MAX)
        return zf_fail(ZF_EINVAL, "size: expected 1 to %d pixels, found %d", ZF_IMAGES_SIDE_MAX,
                       options->size);
    if ((int)options->part < ZF_IMAGES_TRAIN || options->part > ZF_IMAGES_UNLABELLED)
        return zf_fail(ZF_EINVAL, "part: expected train, test or unlabelled, found %d",
                       (int)options->part);
    return ZF_OK;
}

/* The sizes that the paper's networks are made for. */
static int choose_size(const zf_images *set)
{
    if (set->options.size > 0) return set->options.size;
    if (set->layout.channels == 0) return DEFAULT_SIZE;
    int larger = set->layout.width > set->layout.height ? set->layout.width : set->layout.height;
    return larger <= 32 ? 32 : larger <= 64 ? 64 : 96;
}

static zf_status refuse_nothing(const zf_images *set)
{
    const zf_images_about *about = &set->about;
    if (about->n_refusals > 0)
        return zf_fail(ZF_EINPUT, "%s: no image can be used: %zu left out, the first, %s: %s",
                       set->path, about->refused, about->refusals[0].name,
                       about->refusals[0].reason);
    if (set->archive)
        return zf_fail(ZF_EINPUT, "%s: no images, but archives: name one, such as %s/%s", set->path,
                       set->path, set->archive);
    return zf_fail(ZF_EINPUT,
                   "%s: no images: expected CLASS/FILE.jpg or .png, found %zu other file%s",
                   set->path, about->other_files, about->other_files == 1 ? "" : "s");
}

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The size that most images have; of several the smallest. */
static zf_status find_common_size(zf_images *set)
{
    zf_images_about *about = &set->about;
    uint64_t *sizes = malloc(about->count * sizeof *sizes);
    if (!sizes) return zf_fail_memory(about->count * sizeof *sizes);
    for (size_t i = 0; i < about->count; i++)
        sizes[i] = (uint64_t)set->items[i].width << 32 | (uint32_t)set->items[i].height;
    qsort(sizes, about->count, sizeof *sizes, by_size);
    for (size_t i = 0, from = 0; i < about->count; i++) {
        if (sizes[i] != sizes[from]) from = i;
        if (i - from + 1 <= about->same_size) continue;
        about->same_size = i - from + 1;
        about->common_width = (int)(sizes[i] >> 32);
        about->common_height = (int)(uint32_t)sizes[i];
    }
    free(sizes);
    return ZF_OK;
}

static void extend(int *least, int *most, int value, bool first)
{
    if (first || value < *least) *least = value;
    if (first || value > *most) *most = value;
}

static zf_status summarise(zf_images *set)
{
    zf_images_about *about = &set->about;
    set->class_counts = calloc(about->classes + 1, sizeof *set->class_counts);
    if (!set->class_counts) return zf_fail_memory(about->classes);
    for (size_t i = 0; i < about->count; i++) {
        const zf_image_item *item = &set->items[i];
        extend(&about->least_width, &about->most_width, item->width, i == 0);
        extend(&about->least_height, &about->most_height, item->height, i == 0);
        about->grey += item->grey;
        if (item->label < 0) continue;
        about->labelled++;
        set->class_counts[item->label]++;
    }
    return find_common_size(set);
}

static zf_status open_set(zf_images *set)
{
    static const char *const names[] = {"IDX", "CIFAR-10", "STL-10", "folder", "tar"};
    ZF_TRY(zf_set_find(set));
    set->about.kind_name = names[set->about.kind];
    set->about.refusals = set->refusals;
    if (set->about.count == 0) return refuse_nothing(set);
    set->about.size = choose_size(set);
    ZF_TRY(zf_hands_hire(&set->hands, set->options.threads));
    ZF_TRY(zf_set_load(set));
    if (set->about.count == 0) return refuse_nothing(set);
    if (set->about.in_memory) zf_hands_dismiss(&set->hands);
    return summarise(set);
}

zf_status zf_images_open(zf_images **out, const char *path, const zf_images_options *given)
{
    zf_images_options known = zf_images_defaults();
    const zf_images_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "images"));
    ZF_TRY(check_options(options));
    zf_images *set = calloc(1, sizeof *set);
    if (!set) return zf_fail_memory(sizeof *set);
    zf_lock_init(&set->lock);
    set->options = *options;
    set->path = zf_arena_string(&set->arena, path);
    zf_status status = set->path ? open_set(set) : ZF_ENOMEM;
    if (status != ZF_OK) {
        zf_images_free(set);
        return status;
    }
    *out = set;
    return ZF_OK;
}

const zf_images_about *zf_images_describe(const zf_images *images)
{
    return &images->about;
}

const char *zf_images_path(const zf_images *images)
{
    return images->path;
}

size_t zf_images_count(const zf_images *images)
{
    return images->about.count;
}

int zf_images_size(const zf_images *images)
{
    return images->about.size;
}

int zf_images_label(const zf_images *images, size_t i)
{
    return images->items[i].label;
}

const char *zf_images_name(const zf_images *images, size_t i)
{
    return images->items[i].name;
}

const char *zf_images_class_name(const zf_images *images, size_t c)
{
    return images->class_names[c];
}

size_t zf_images_class_count(const zf_images *images, size_t c)
{
    return images->class_counts[c];
}

zf_status zf_images_match(const zf_images *images, const zf_images *other, int32_t *match)
{
    size_t known = zf_images_describe(other)->classes, asked = zf_images_describe(images)->classes;
    for (size_t c = 0; c < asked; c++) {
        const char *name = zf_images_class_name(images, c);
        match[c] = -1;
        for (size_t k = 0; k < known && match[c] < 0; k++)
            if (strcmp(name, zf_images_class_name(other, k)) == 0) match[c] = (int32_t)k;
        if (match[c] < 0 && zf_images_class_count(images, c) > 0)
            return zf_fail(ZF_EINPUT, "%s: class \"%s\" is none of the classes of %s",
                           zf_images_path(images), name, zf_images_path(other));
    }
    return ZF_OK;
}

/* A part of a list, read by the crew. */
typedef struct request {
    zf_images *set;
    const uint32_t *which;
    uint8_t *pixels;
    bool *missing; /* NULL: none may be */
    size_t bytes;  /* of an image */
    int task;      /* the first that failed */
    zf_status status;
    char message[1024];
} request;

static void read_one(void *context, int task, int worker)
{
    request *r = context;
    bool lost = false;
    uint8_t *pixels = r->pixels + (size_t)task * r->bytes;
    zf_status status =
        zf_set_decode(r->set, &r->set->hands.workers[worker], r->which[task], pixels, &lost);
    if (r->missing) r->missing[task] = lost;
    if (lost) memset(pixels, 0, r->bytes);
    if (status == ZF_OK && lost && !r->missing) {
        char room[ZF_ITEM_NAME];
        status = zf_fail_within(ZF_EINPUT,
                                "%s: %s: it could be read before and no longer can: ", r->set->path,
                                zf_item_name(r->set, r->which[task], room));
    }
    if (status == ZF_OK) return;
    zf_lock_take(&r->set->lock);
    if (r->status == ZF_OK || task < r->task) {
        r->task = task;
        r->status = status;
        snprintf(r->message, sizeof r->message, "%s", zf_error());
    }
    zf_lock_give(&r->set->lock);
}

zf_status zf_images_read_left(zf_images *images, const uint32_t *which, size_t n, uint8_t *pixels,
                              bool *missing)
{
    enum { PIECE = 4096 };
    size_t side = (size_t)images->about.size, bytes = 3 * side * side;
    for (size_t i = 0; i < n; i++)
        if (which[i] >= images->about.count)
            return zf_fail(ZF_EINVAL, "%s: image %u: expected one below %zu", images->path,
                           which[i], images->about.count);
    if (images->pixels) {
        for (size_t i = 0; i < n; i++)
            memcpy(pixels + i * bytes, images->pixels + which[i] * bytes, bytes);
        if (missing) memset(missing, 0, n * sizeof *missing);
        return ZF_OK;
    }
    for (size_t from = 0; from < n; from += PIECE) {
        request r = {.set = images,
                     .which = which + from,
                     .pixels = pixels + from * bytes,
                     .missing = missing ? missing + from : NULL,
                     .bytes = bytes};
        zf_crew_run(images->hands.crew, (int)(n - from < PIECE ? n - from : PIECE), read_one, &r);
        if (r.status != ZF_OK) return zf_fail(r.status, "%s", r.message);
    }
    return ZF_OK;
}

zf_status zf_images_read(zf_images *images, const uint32_t *which, size_t n, uint8_t *pixels)
{
    return zf_images_read_left(images, which, n, pixels, NULL);
}

void zf_images_free(zf_images *images)
{
    if (!images) return;
    zf_hands_dismiss(&images->hands);
    for (size_t i = 0; i < images->n_files; i++) zf_io_input_close(images->files[i]);
    free(images->files);
    free(images->items);
    free(images->pixels);
    free(images->lost);
    free(images->class_names);
    free(images->class_counts);
    zf_arena_free(&images->arena);
    zf_lock_destroy(&images->lock);
    free(images);
}
