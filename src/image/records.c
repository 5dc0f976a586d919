/* Files of images without any codec: IDX, CIFAR-10, STL-10. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "image/set.h"
#include "io/idx.h"

enum {
    CIFAR_SIDE = 32,
    CIFAR_RECORD = 1 + 3 * CIFAR_SIDE * CIFAR_SIDE,
    CIFAR_CLASSES = 10,
    STL_SIDE = 96,
    STL_RECORD = 3 * STL_SIDE * STL_SIDE,
    STL_CLASSES = 10,
    PATH_BYTES = 4096,
};

static zf_status add_records(zf_images *set, uint32_t file, uint64_t start, uint64_t n,
                             uint32_t bytes)
{
    for (uint64_t i = 0; i < n; i++)
        ZF_TRY(zf_set_add(set, (zf_image_item){.file = file,
                                               .offset = start + i * bytes,
                                               .bytes = bytes,
                                               .label = -1,
                                               .width = set->layout.width,
                                               .height = set->layout.height,
                                               .grey = set->layout.channels == 1}));
    return ZF_OK;
}

/* Labels */

/* Text with the last `old` in its file name replaced; false if it has none. */
static bool replace(char *path, const char *old, const char *with)
{
    char *base = strrchr(path, '/'), *found = NULL, *next = base ? base : path;
    while ((next = strstr(next, old))) found = next++;
    size_t length = strlen(path), before = strlen(old), after = strlen(with);
    if (!found || length - before + after + 1 > PATH_BYTES) return false;
    memmove(found + after, found + before, strlen(found + before) + 1);
    memcpy(found, with, after);
    return true;
}

/* path itself, or with .gz added or removed. */
static bool find_packed(char *path)
{
    size_t n = strlen(path);
    if (zf_set_is_there(path)) return true;
    if (n > 3 && strcmp(path + n - 3, ".gz") == 0) {
        path[n - 3] = 0;
        return zf_set_is_there(path);
    }
    if (n + 4 > PATH_BYTES) return false;
    memcpy(path + n, ".gz", 4);
    return zf_set_is_there(path);
}

/* Where the labels are: as told, or under the usual name beside the images. */
static bool find_labels(char labels[PATH_BYTES], const zf_images *set, const char *path,
                        const char *const replacements[][2])
{
    const char *from = set->options.labels ? set->options.labels : path;
    if (strlen(from) >= PATH_BYTES) return false;
    memcpy(labels, from, strlen(from) + 1);
    if (set->options.labels) return true;
    bool changed = false;
    for (; (*replacements)[0]; replacements++)
        changed |= replace(labels, (*replacements)[0], (*replacements)[1]);
    return changed && find_packed(labels);
}

/* Gives item i the label bytes[i] - first; those outside of 0 .. 255 have none. */
static zf_status put_labels(zf_images *set, const char *path, const uint8_t *bytes, uint64_t n,
                            int first)
{
    if (n != set->about.count)
        return zf_fail(ZF_EINPUT, "%s: %llu labels, expected %zu, one for each image of %s", path,
                       (unsigned long long)n, set->about.count, set->path);
    for (size_t i = 0; i < set->about.count; i++) set->items[i].label = bytes[i] - first;
    set->about.labels = zf_arena_string(&set->arena, path);
    return set->about.labels ? ZF_OK : ZF_ENOMEM;
}

static size_t label_range(const zf_images *set)
{
    int most = -1;
    for (size_t i = 0; i < set->about.count; i++)
        if (set->items[i].label > most) most = set->items[i].label;
    return (size_t)(most + 1);
}

/* IDX */

static zf_status idx_labels(zf_images *set, const char *path)
{
    static const char *const names[][2] = {
        {"images", "labels"}, {"idx3", "idx1"}, {"idx4", "idx1"}, {NULL, NULL}};
    char labels[PATH_BYTES];
    if (!find_labels(labels, set, path, names)) return ZF_OK;
    uint8_t *bytes;
    zf_idx array;
    ZF_TRY(zf_idx_read_bytes(&bytes, &array, labels));
    zf_status status = ZF_OK;
    if (array.rank != 1)
        status = zf_fail(ZF_EINPUT, "%s: IDX of %d dimensions, expected labels: 1 dimension",
                         labels, array.rank);
    if (status == ZF_OK) status = put_labels(set, labels, bytes, array.count, 0);
    free(bytes);
    if (status != ZF_OK) return status;
    return zf_set_name_classes(set, label_range(set), labels, NULL);
}

static zf_status idx_layout(zf_images *set, const zf_idx *array, const char *path)
{
    int64_t channels = array->rank == 4 ? array->dim[3] : 1;
    if (array->rank == 1)
        return zf_fail(ZF_EINPUT,
                       "%s: IDX of one dimension, as labels have; expected images: 3 dimensions",
                       path);
    if (array->rank < 3 || array->rank > 4 || (channels != 1 && channels != 3))
        return zf_fail(ZF_EINPUT,
                       "%s: IDX of %d dimensions, expected images: n x rows x columns, with 1 or "
                       "3 channels behind, if any",
                       path, array->rank);
    if (array->type != ZF_UINT8)
        return zf_fail(ZF_EINPUT, "%s: expected an IDX file of unsigned bytes, found another type",
                       path);
    if (array->dim[0] < 1 || array->dim[1] < 1 || array->dim[2] < 1)
        return zf_fail(ZF_EINPUT, "%s: IDX of %lld images of %lld x %lld pixels", path,
                       (long long)array->dim[0], (long long)array->dim[1],
                       (long long)array->dim[2]);
    if (array->dim[1] * channels > ZF_IMAGE_PIXELS / array->dim[2])
        return zf_fail(ZF_EINPUT, "%s: images of more than 100 million pixels", path);
    set->layout = (zf_record_layout){.channels = (int)channels,
                                     .width = (int)array->dim[2],
                                     .height = (int)array->dim[1],
                                     .interleaved = true};
    return ZF_OK;
}

/* Goes over gzipped images, so that the list of them is made of what is there and not
   of what a header of a few bytes says. */
static zf_status count_through(zf_io_input *input, const zf_idx *array)
{
    unsigned char piece[1 << 14];
    size_t n;
    for (uint64_t left = array->count; left > 0; left -= n) {
        n = left < sizeof piece ? (size_t)left : sizeof piece;
        ZF_TRY(zf_io_input_read_exactly(input, piece, n, "data"));
    }
    return zf_io_input_end(input, "the array");
}

zf_status zf_set_find_idx(zf_images *set, const char *path)
{
    uint32_t file;
    zf_io_input *input;
    zf_idx array;
    set->about.kind = ZF_IMAGES_IDX;
    ZF_TRY(zf_io_input_open(&input, path));
    zf_status status = zf_idx_begin(&array, input);
    uint64_t start = zf_io_input_offset(input), bound = zf_io_input_bound(input);
    if (status == ZF_OK) status = idx_layout(set, &array, path);
    if (status == ZF_OK) status = zf_set_check_list(set, (size_t)array.dim[0]);
    if (status == ZF_OK && !zf_io_input_is_sized(input)) status = count_through(input, &array);
    bool sized = zf_io_input_is_sized(input);
    zf_io_input_close(input);
    if (status != ZF_OK) return status;
    if (sized && start + array.count < bound)
        return zf_fail(ZF_EINPUT, "%s: bytes after the array, expected the end at offset %llu",
                       path, (unsigned long long)(start + array.count));
    ZF_TRY(zf_set_file(set, path, &file));
    ZF_TRY(add_records(set, file, start, (uint64_t)array.dim[0],
                       (uint32_t)(array.count / (uint64_t)array.dim[0])));
    return idx_labels(set, path);
}

/* Files without a header: their size is all there is to check. */
static zf_status whole_records(uint64_t *n, const zf_io_input *input, uint64_t bytes,
                               const char *kind)
{
    const char *path = zf_io_input_path(input);
    if (!zf_io_input_is_sized(input))
        return zf_fail(ZF_EINPUT, "%s: a %s file that is gzipped; unpack it first", path, kind);
    uint64_t size = zf_io_input_bound(input);
    *n = size / bytes;
    if (size == 0) return zf_fail(ZF_EINPUT, "%s: empty, expected %s records", path, kind);
    if (size % bytes != 0)
        return zf_fail(ZF_EINPUT,
                       "%s: cut short: %llu bytes, expected a multiple of %llu, one %s "
                       "image each; %llu are left over",
                       path, (unsigned long long)size, (unsigned long long)bytes, kind,
                       (unsigned long long)(size % bytes));
    return ZF_OK;
}

/* CIFAR-10 */

static zf_status cifar_labels(zf_images *set, size_t from)
{
    for (size_t i = from; i < set->about.count; i++) {
        zf_image_item *item = &set->items[i];
        zf_io_input *input = set->files[item->file];
        uint8_t label;
        ZF_TRY(zf_io_input_read_at(input, item->offset, &label, 1));
        if (label >= CIFAR_CLASSES)
            return zf_fail(ZF_EINPUT, "%s: offset %llu: expected a label from 0 to 9, found %d",
                           zf_io_input_path(input), (unsigned long long)item->offset, label);
        item->label = label;
    }
    return ZF_OK;
}

zf_status zf_set_find_cifar(zf_images *set, const char *const *paths, size_t n)
{
    set->about.kind = ZF_IMAGES_CIFAR10;
    set->layout =
        (zf_record_layout){.channels = 3, .width = CIFAR_SIDE, .height = CIFAR_SIDE, .skip = 1};
    for (size_t i = 0; i < n; i++) {
        uint32_t file;
        uint64_t records;
        size_t from = set->about.count;
        ZF_TRY(zf_set_file(set, paths[i], &file));
        ZF_TRY(whole_records(&records, set->files[file], CIFAR_RECORD, "CIFAR-10"));
        ZF_TRY(add_records(set, file, 0, records, CIFAR_RECORD));
        ZF_TRY(cifar_labels(set, from));
    }
    return zf_set_name_classes(set, CIFAR_CLASSES, paths[0], "batches.meta.txt");
}

/* STL-10 */

static zf_status stl_labels(zf_images *set, const char *path)
{
    static const char *const names[][2] = {{"_X", "_y"}, {NULL, NULL}};
    char labels[PATH_BYTES];
    if (!find_labels(labels, set, path, names)) return ZF_OK;
    zf_io_input *input;
    size_t n = set->about.count, got = 0;
    uint8_t *bytes = malloc(n + 1);
    if (!bytes) return zf_fail_memory(n + 1);
    zf_status status = zf_io_input_open(&input, labels);
    if (status == ZF_OK) {
        status = zf_io_input_read(input, bytes, n + 1, &got);
        if (status == ZF_OK && got > n && zf_io_input_is_sized(input))
            got = (size_t)zf_io_input_bound(input);
        zf_io_input_close(input);
    }
    if (status == ZF_OK) status = put_labels(set, labels, bytes, got, 1);
    for (size_t i = 0; i < n && status == ZF_OK; i++)
        if (bytes[i] < 1 || bytes[i] > STL_CLASSES)
            status = zf_fail(ZF_EINPUT, "%s: offset %zu: expected a label from 1 to 10, found %d",
                             labels, i, bytes[i]);
    free(bytes);
    if (status != ZF_OK) return status;
    return zf_set_name_classes(set, STL_CLASSES, path, "class_names.txt");
}

zf_status zf_set_find_stl(zf_images *set, const char *path)
{
    uint32_t file;
    uint64_t records;
    set->about.kind = ZF_IMAGES_STL10;
    set->layout = (zf_record_layout){
        .channels = 3, .width = STL_SIDE, .height = STL_SIDE, .by_columns = true};
    ZF_TRY(zf_set_file(set, path, &file));
    ZF_TRY(whole_records(&records, set->files[file], STL_RECORD, "STL-10"));
    ZF_TRY(add_records(set, file, 0, records, STL_RECORD));
    return stl_labels(set, path);
}
