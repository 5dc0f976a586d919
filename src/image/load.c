/* Decoding a whole set, to keep it or to see what of it can be used.

   The crew takes the items in blocks, so that progress can be told and work be
   stopped in between; what is wrong with an item is kept until all are done and
   then told in their order, which is thus the same for any number of threads.

   A gzipped source is read from front to back: bytes of a block one after the
   other, then decoded by the crew. */
#include "image/load.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/progress.h"

enum {
    BLOCK_ITEMS = 512,
    BLOCK_BYTES = 64 << 20,
    DISCARD = 1 << 16,
    WORTH_TELLING = 1 /* second */
};

typedef struct loading {
    zf_images *set;
    size_t pixels;            /* of an image: 3 x size x size */
    const uint32_t *order;    /* NULL: as they are */
    size_t first, until;      /* the block */
    const uint8_t *bytes;     /* of the block's items, one after the other; NULL: to be fetched */
    uint64_t at[BLOCK_ITEMS]; /* where in bytes */
    char **reasons;           /* of each item: NULL if it is good */
    zf_status fatal;
    char message[1024];
    zf_pace pace;
} loading;

static uint32_t item_of(const loading *l, size_t place)
{
    return l->order ? l->order[place] : (uint32_t)place;
}

/* Memory that runs out ends the loading; anything else is the item's fault. */
static void note(loading *l, uint32_t i, zf_status status)
{
    if (status == ZF_EINPUT || status == ZF_EIO) {
        l->reasons[i] = strdup(zf_error());
        status = l->reasons[i] ? ZF_OK : zf_fail_memory(strlen(zf_error()) + 1);
    }
    if (status == ZF_OK) return;
    zf_lock_take(&l->set->lock);
    l->fatal = status;
    strncpy(l->message, zf_error(), sizeof l->message - 1);
    zf_lock_give(&l->set->lock);
}

static void load_one(void *context, int task, int worker)
{
    loading *l = context;
    uint32_t i = item_of(l, l->first + (size_t)task);
    zf_images *set = l->set;
    uint8_t *planes = set->pixels ? set->pixels + i * l->pixels : NULL;
    const uint8_t *bytes = l->bytes ? l->bytes + l->at[task] : NULL;
    note(l, i, zf_item_decode(set, &set->hands.workers[worker], &set->items[i], bytes, planes));
}

static zf_status run_block(loading *l)
{
    zf_crew_run(l->set->hands.crew, (int)(l->until - l->first), load_one, l);
    if (l->fatal != ZF_OK) return zf_fail(l->fatal, "%s", l->message);
    if (zf_pace_tell(&l->pace, l->until, l->set->about.count) == ZF_OK) return ZF_OK;
    return zf_fail(ZF_EINTERRUPT, "%s: interrupted while its images were decoded", l->set->path);
}

static zf_status load_anywhere(loading *l)
{
    size_t n = l->set->about.count;
    for (l->first = 0; l->first < n; l->first = l->until) {
        l->until = n - l->first < BLOCK_ITEMS ? n : l->first + BLOCK_ITEMS;
        ZF_TRY(run_block(l));
    }
    return ZF_OK;
}

/* Moves a stream on to an offset. */
static zf_status advance(zf_io_input *input, uint64_t offset)
{
    unsigned char waste[DISCARD];
    while (zf_io_input_offset(input) < offset) {
        uint64_t left = offset - zf_io_input_offset(input);
        size_t n = left < DISCARD ? (size_t)left : DISCARD;
        ZF_TRY(zf_io_input_read_exactly(input, waste, n, "data"));
    }
    return ZF_OK;
}

/* Takes the bytes of as many items as make a block, from first on. */
static zf_status read_block(loading *l, zf_io_input *input, uint8_t *bytes)
{
    const zf_images *set = l->set;
    size_t used = 0;
    for (l->until = l->first; l->until < set->about.count; l->until++) {
        const zf_image_item *item = &set->items[item_of(l, l->until)];
        if (l->until - l->first == BLOCK_ITEMS) break;
        if (used > 0 && used + item->bytes > BLOCK_BYTES) break;
        ZF_TRY(advance(input, item->offset));
        ZF_TRY(zf_io_input_read_exactly(input, bytes + used, item->bytes, "an image"));
        l->at[l->until - l->first] = used;
        used += item->bytes;
    }
    return ZF_OK;
}

static zf_status load_blocks(loading *l, zf_io_input *input)
{
    size_t n = l->set->about.count, room = BLOCK_BYTES;
    for (size_t i = 0; i < n; i++)
        if (l->set->items[i].bytes > room) room = l->set->items[i].bytes;
    uint8_t *bytes = malloc(room);
    if (!bytes) return zf_fail_memory(room);
    l->bytes = bytes;
    zf_status status = ZF_OK;
    for (l->first = 0; l->first < n && status == ZF_OK; l->first = l->until) {
        status = read_block(l, input, bytes);
        if (status == ZF_OK) status = run_block(l);
    }
    free(bytes);
    if (status == ZF_OK && l->set->layout.channels > 0)
        status = zf_io_input_end(input, "the array");
    return status;
}

/* The order in which a stream passes the items: by offset, which records have
   already and which the names of an archive have changed. */
static int by_offset(const void *a, const void *b, void *context)
{
    const zf_image_item *items = context;
    uint64_t x = items[*(const uint32_t *)a].offset, y = items[*(const uint32_t *)b].offset;
    return x < y ? -1 : x > y;
}

static zf_status load_in_passing(loading *l)
{
    size_t n = l->set->about.count;
    uint32_t *order = malloc(n * sizeof *order);
    if (!order) return zf_fail_memory(n * sizeof *order);
    for (size_t i = 0; i < n; i++) order[i] = (uint32_t)i;
    qsort_r(order, n, sizeof *order, by_offset, l->set->items);
    l->order = order;
    zf_io_input *input = NULL;
    zf_status status = zf_io_input_open(&input, zf_io_input_path(l->set->files[0]));
    if (status == ZF_OK) status = load_blocks(l, input);
    zf_io_input_close(input);
    free(order);
    return status;
}

/* Closes the gaps that bad items leave, and tells of them. */
static zf_status drop_bad(loading *l)
{
    zf_images *set = l->set;
    size_t kept = 0;
    for (size_t i = 0; i < set->about.count; i++) {
        if (l->reasons[i]) {
            char room[ZF_ITEM_NAME];
            ZF_TRY(zf_set_refuse(set, zf_item_name(set, i, room), l->reasons[i]));
            continue;
        }
        if (kept < i) {
            set->items[kept] = set->items[i];
            if (set->pixels)
                memmove(set->pixels + kept * l->pixels, set->pixels + i * l->pixels, l->pixels);
        }
        kept++;
    }
    set->about.count = kept;
    return ZF_OK;
}

static zf_status refuse_packed(const zf_images *set)
{
    return zf_fail(
        ZF_EINPUT,
        "%s: its %zu images take %llu MB at %d pixels a side, more than the %llu MB allowed, "
        "and a gzipped file cannot be read in any order; unpack it, or allow more memory",
        set->path, set->about.count, (unsigned long long)(set->about.bytes >> 20), set->about.size,
        (unsigned long long)(set->options.memory >> 20));
}

zf_status zf_set_load(zf_images *set)
{
    size_t n = set->about.count;
    loading l = {.set = set, .pace = zf_pace_begin(&set->options.report, WORTH_TELLING)};
    l.pace.rows = 1;
    l.pixels = 3 * (size_t)set->about.size * (size_t)set->about.size;
    set->about.bytes = (uint64_t)n * l.pixels;
    set->about.in_memory = set->about.bytes <= set->options.memory;
    if (set->about.gzip && !set->about.in_memory) return refuse_packed(set);
    if (set->about.in_memory) {
        set->pixels = malloc(set->about.bytes);
        if (!set->pixels) return zf_fail_memory(set->about.bytes);
    } else {
        set->lost = calloc(n, 1);
        if (!set->lost) return zf_fail_memory(n);
    }
    l.reasons = calloc(n, sizeof *l.reasons);
    if (!l.reasons) return zf_fail_memory(n * sizeof *l.reasons);
    zf_status status = set->about.gzip ? load_in_passing(&l) : load_anywhere(&l);
    if (status == ZF_OK) status = drop_bad(&l);
    for (size_t i = 0; i < n; i++) free(l.reasons[i]);
    free(l.reasons);
    set->about.bytes = (uint64_t)set->about.count * l.pixels;
    return status;
}
