/* The list of items: adding, sorting, classes. */
#include "image/set.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/error.h"

enum { MOST_ITEMS = 1 << 30, LEAST_LIST = 256 << 20, NAMES_FILE = 1 << 20 };

/* A file of a few bytes can claim a billion images of a pixel each. */
zf_status zf_set_check_list(const zf_images *set, size_t n)
{
    uint64_t allowed = set->options.memory > LEAST_LIST ? set->options.memory : LEAST_LIST;
    if (n < MOST_ITEMS && n * sizeof *set->items <= allowed) return ZF_OK;
    return zf_fail(ZF_EINPUT,
                   "%s: %zu images or more: their list alone takes more than the %llu MB "
                   "allowed",
                   set->path, n, (unsigned long long)(allowed >> 20));
}

zf_status zf_set_add(zf_images *set, zf_image_item item)
{
    size_t n = set->about.count;
    if (n == set->room) {
        size_t room = n < 512 ? 1024 : n + n / 2;
        ZF_TRY(zf_set_check_list(set, room));
        zf_image_item *items = realloc(set->items, room * sizeof *items);
        if (!items) return zf_fail_memory(room * sizeof *items);
        set->items = items;
        set->room = room;
    }
    if (item.name) {
        item.name = zf_arena_string(&set->arena, item.name);
        if (!item.name) return ZF_ENOMEM;
    }
    set->items[set->about.count++] = item;
    return ZF_OK;
}

zf_status zf_set_file(zf_images *set, const char *path, uint32_t *file)
{
    zf_io_input **files = realloc(set->files, (set->n_files + 1) * sizeof *files);
    if (!files) return zf_fail_memory((set->n_files + 1) * sizeof *files);
    set->files = files;
    ZF_TRY(zf_io_input_open(&files[set->n_files], path));
    if (zf_io_input_is_gzip(files[set->n_files])) set->about.gzip = true;
    *file = (uint32_t)set->n_files++;
    return ZF_OK;
}

/* Also the formats that are not read: they are images, and are refused with a
   reason rather than passed over. */
bool zf_set_is_image(const char *name)
{
    static const char *const endings[] = {"jpg", "jpeg", "jpe", "png",  "gif",
                                          "bmp", "webp", "tif", "tiff", "heic"};
    const char *base = strrchr(name, '/'), *ending = strrchr(name, '.');
    base = base ? base + 1 : name;
    if (!ending || ending <= base || base[0] == '.') return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(ending + 1, endings[i]) == 0) return true;
    return false;
}

/* Keeps those with the first names, in order, so that it does not matter who found which
   first. */
static zf_status keep_refusal(zf_images *set, const char *name, const char *reason)
{
    zf_images_about *about = &set->about;
    size_t place = about->n_refusals;
    while (place > 0 && strcmp(name, set->refusals[place - 1].name) < 0) place--;
    if (place == ZF_IMAGES_REFUSALS_MAX) return ZF_OK;
    zf_refusal kept = {zf_arena_string(&set->arena, name), zf_arena_string(&set->arena, reason)};
    if (!kept.name || !kept.reason) return ZF_ENOMEM;
    if (about->n_refusals < ZF_IMAGES_REFUSALS_MAX) about->n_refusals++;
    memmove(&set->refusals[place + 1], &set->refusals[place],
            (about->n_refusals - place - 1) * sizeof kept);
    set->refusals[place] = kept;
    return ZF_OK;
}

zf_status zf_set_refuse(zf_images *set, const char *name, const char *reason)
{
    zf_lock_take(&set->lock);
    set->about.refused++;
    zf_status status = keep_refusal(set, name, reason);
    zf_lock_give(&set->lock);
    return status;
}

zf_status zf_set_system_failure(void)
{
    int code = errno;
    bool exhausted = code == ENOMEM || code == EMFILE || code == ENFILE;
    return zf_fail(exhausted ? ZF_ENOMEM : ZF_EIO, "%s",
                   code == ENOMEM ? "out of memory" : strerror(code));
}

bool zf_set_is_there(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

static int by_name(const void *a, const void *b)
{
    const zf_image_item *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* The outermost folder of a path from `depth` bytes on: where it begins, and its
   length; 0 if there is none. Empty parts, "." and ".." are no folders. */
static size_t outermost(const char *name, size_t depth, const char **start)
{
    const char *part = name + depth;
    for (;;) {
        size_t length = strcspn(part, "/");
        if (part[length] == 0) return 0;
        bool empty = length == 0 || (part[0] == '.' && length == 1) ||
                     (part[0] == '.' && part[1] == '.' && length == 2);
        if (!empty) {
            *start = part;
            return length;
        }
        part += length + 1;
    }
}

/* How many bytes of all names are folders that hold everything: those are no
   classes, unless the images lie in the last of them. */
static size_t common_depth(const zf_images *set)
{
    size_t depth = 0;
    for (;;) {
        const char *first = NULL, *inner = NULL;
        size_t length = outermost(set->items[0].name, depth, &first);
        if (length == 0) return depth;
        size_t next = (size_t)(first - set->items[0].name) + length + 1;
        for (size_t i = 0; i < set->about.count; i++) {
            const char *name = set->items[i].name;
            if (strncmp(name, set->items[0].name, next) != 0) return depth;
            if (outermost(name, next, &inner) == 0) return depth;
        }
        depth = next;
    }
}

static zf_status add_class(zf_images *set, size_t *room, const char *name, size_t length)
{
    size_t n = set->about.classes;
    if (n == *room) {
        *room = n ? 2 * n : 64;
        const char **names = realloc(set->class_names, *room * sizeof *names);
        if (!names) return zf_fail_memory(*room * sizeof *names);
        set->class_names = names;
    }
    char *copy = zf_arena_get(&set->arena, length + 1);
    if (!copy) return ZF_ENOMEM;
    memcpy(copy, name, length);
    set->class_names[set->about.classes++] = copy;
    return ZF_OK;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorted by name, items of a class are neighbours, save where a name has empty
   parts ("./a/1.png"); so a class is looked up in the classes so far. */
static zf_status collect_classes(zf_images *set, size_t depth)
{
    size_t room = 0, length = 0;
    const char *last = NULL, *start;
    for (size_t i = 0; i < set->about.count; i++) {
        size_t n = outermost(set->items[i].name, depth, &start);
        if (n == 0 || (last && n == length && memcmp(start, last, n) == 0)) continue;
        ZF_TRY(add_class(set, &room, start, n));
        last = start;
        length = n;
    }
    if (set->about.classes == 0) return ZF_OK;
    qsort(set->class_names, set->about.classes, sizeof *set->class_names, by_text);
    size_t kept = 0;
    for (size_t c = 0; c < set->about.classes; c++)
        if (c == 0 || strcmp(set->class_names[c], set->class_names[kept - 1]) != 0)
            set->class_names[kept++] = set->class_names[c];
    set->about.classes = kept;
    return ZF_OK;
}

static zf_status label_items(zf_images *set, size_t depth)
{
    const char *start;
    for (size_t i = 0; i < set->about.count; i++) {
        size_t n = outermost(set->items[i].name, depth, &start), low = 0;
        set->items[i].label = -1;
        if (n == 0) continue;
        for (size_t high = set->about.classes; low < high;) {
            size_t middle = (low + high) / 2;
            int order = strncmp(set->class_names[middle], start, n);
            if (order < 0)
                low = middle + 1;
            else
                high = middle;
        }
        /* The first class that begins so is the class itself: it sorts before
           whatever it begins. */
        set->items[i].label = (int32_t)low;
    }
    return ZF_OK;
}

zf_status zf_set_classify(zf_images *set)
{
    if (set->about.count == 0) return ZF_OK;
    qsort(set->items, set->about.count, sizeof *set->items, by_name);
    size_t depth = common_depth(set);
    ZF_TRY(collect_classes(set, depth));
    return label_items(set, depth);
}

/* A small text file beside another; *text is NULL if there is none, and for free(). */
static zf_status read_beside(char **text, const char *beside, const char *file)
{
    const char *slash = strrchr(beside, '/');
    int folder = slash ? (int)(slash - beside) + 1 : 0;
    char path[4096];
    *text = NULL;
    if (snprintf(path, sizeof path, "%.*s%s", folder, beside, file) >= (int)sizeof path)
        return ZF_OK;
    if (!zf_set_is_there(path)) return ZF_OK;
    zf_io_input *in;
    ZF_TRY(zf_io_input_open(&in, path));
    size_t n = 0;
    *text = malloc(NAMES_FILE);
    zf_status status =
        *text ? zf_io_input_read(in, *text, NAMES_FILE - 1, &n) : zf_fail_memory(NAMES_FILE);
    zf_io_input_close(in);
    if (status == ZF_OK) (*text)[n] = 0;
    return status;
}

/* Names the classes after the lines of text that are not empty; *named tells
   whether these are n. */
static zf_status take_lines(zf_images *set, char *text, size_t n, bool *named)
{
    size_t found = 0;
    char *rest = NULL;
    for (char *line = strtok_r(text, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest)) {
        if (found == n) return ZF_OK;
        set->class_names[found] = zf_arena_string(&set->arena, line);
        if (!set->class_names[found++]) return ZF_ENOMEM;
    }
    *named = found == n;
    return ZF_OK;
}

zf_status zf_set_name_classes(zf_images *set, size_t n, const char *beside, const char *file)
{
    set->class_names = calloc(n + 1, sizeof *set->class_names);
    if (!set->class_names) return zf_fail_memory((n + 1) * sizeof *set->class_names);
    set->about.classes = n;
    char *text = NULL;
    bool named = false;
    zf_status status = file ? read_beside(&text, beside, file) : ZF_OK;
    if (status == ZF_OK && text) status = take_lines(set, text, n, &named);
    free(text);
    if (status != ZF_OK) return status;
    for (size_t c = 0; c < n && !named; c++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", c);
        set->class_names[c] = zf_arena_string(&set->arena, number);
        if (!set->class_names[c]) return ZF_ENOMEM;
    }
    return ZF_OK;
}
