/* What is at a path: told by content, and by names only among files that have no
   header to tell them apart. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "image/set.h"
#include "io/idx.h"
#include "io/recognise.h"

enum { BLOCK = 512, PATH_BYTES = 4096, MOST_BATCHES = 99, CIFAR_RECORD = 3073, STL_RECORD = 27648 };

/* The first block of a tar archive has a checksum, in octal, over itself with
   blanks in the place of the checksum. */
static bool is_tar(const unsigned char *block, size_t n)
{
    if (n < BLOCK) return false;
    unsigned long sum = 0, stated;
    char digits[9] = {0};
    memcpy(digits, block + 148, 8);
    for (size_t i = 0; i < BLOCK; i++) sum += i >= 148 && i < 156 ? ' ' : block[i];
    char *end;
    stated = strtoul(digits, &end, 8);
    return end > digits && stated == sum;
}

/* Every record of such a file begins with a label below 10. */
static bool is_cifar(zf_io_input *input)
{
    uint64_t size = zf_io_input_bound(input);
    if (!zf_io_input_is_sized(input) || size == 0 || size % CIFAR_RECORD != 0) return false;
    for (uint64_t at = 0; at < size; at += CIFAR_RECORD) {
        uint8_t label;
        if (zf_io_input_read_at(input, at, &label, 1) != ZF_OK || label > 9) return false;
    }
    return true;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static bool is_batch(const char *path)
{
    const char *base = strrchr(path, '/');
    return strstr(base ? base + 1 : path, "_batch") && ends_with(path, ".bin");
}

static zf_status refuse_content(const char *path, const unsigned char *bytes, size_t n)
{
    zf_content content = zf_recognise(bytes, n);
    const char *hint =
        content.class == ZF_CONTENT_PACKED  ? "; unpack it, or make a tar archive of it"
        : content.class == ZF_CONTENT_IMAGE ? "; name the folder around its class's folder"
                                            : "";
    return zf_fail(ZF_EINPUT,
                   "%s: this is %s, expected images as IDX, CIFAR-10 or STL-10, a tar archive or "
                   "a folder of CLASS/FILE.jpg or .png%s",
                   path, content.what, hint);
}

typedef enum guess { NOTHING, TAR, IDX, CIFAR, STL } guess;

/* CIFAR-10 first: a record of label 0 may begin as IDX does, but then its size
   and all other labels would have to fit by accident. */
static zf_status guess_file(guess *out, zf_io_input *input)
{
    const char *path = zf_io_input_path(input);
    unsigned char block[ZF_INPUT_PEEK];
    size_t n;
    bool cifar = is_cifar(input), sized = zf_io_input_is_sized(input);
    uint64_t size = zf_io_input_bound(input);
    ZF_TRY(zf_io_input_read(input, block, sizeof block, &n));
    if (is_tar(block, n))
        *out = TAR;
    else if (cifar)
        *out = CIFAR;
    else if (zf_idx_recognise(block, n))
        *out = IDX;
    else if (ends_with(path, "_X.bin") || (sized && size > 0 && size % STL_RECORD == 0))
        *out = STL;
    else if (is_batch(path))
        *out = CIFAR;
    else
        return refuse_content(path, block, n);
    return ZF_OK;
}

static zf_status refuse_labels(const zf_images *set)
{
    return zf_fail(ZF_EINVAL,
                   "%s: its labels are its own; a file of labels goes with IDX and "
                   "STL-10 only",
                   set->path);
}

static zf_status find_file(zf_images *set)
{
    zf_io_input *input;
    guess found = NOTHING;
    ZF_TRY(zf_io_input_open(&input, set->path));
    zf_status status = guess_file(&found, input);
    zf_io_input_close(input);
    if (status != ZF_OK) return status;
    if (set->options.labels && found != IDX && found != STL) return refuse_labels(set);
    switch (found) {
    case TAR:
        return zf_set_find_tar(set);
    case IDX:
        return zf_set_find_idx(set, set->path);
    case CIFAR:
        return zf_set_find_cifar(set, &set->path, 1);
    default:
        return zf_set_find_stl(set, set->path);
    }
}

/* Is folder/name there? Leaves it in path. */
static bool is_there(char path[PATH_BYTES], const char *folder, const char *name)
{
    int n = snprintf(path, PATH_BYTES, "%s/%s", folder, name);
    return n < PATH_BYTES && zf_set_is_there(path);
}

static bool find_stl_file(char path[PATH_BYTES], const char *folder, zf_images_part part)
{
    static const char *const names[] = {"train_X.bin", "test_X.bin", "unlabeled_X.bin"};
    return is_there(path, folder, names[part]);
}

static bool find_idx_file(char path[PATH_BYTES], const char *folder, zf_images_part part)
{
    static const char *const endings[] = {"-images-idx3-ubyte", "-images-idx3-ubyte.gz",
                                          "-images.idx3-ubyte", "-images.idx3-ubyte.gz"};
    const char *start = part == ZF_IMAGES_TEST ? "t10k" : "train";
    if (part == ZF_IMAGES_UNLABELLED) return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s%s", start, endings[i]);
        if (is_there(path, folder, name)) return true;
    }
    return false;
}

/* Of CIFAR-10 the file number i of a part, from 1: data_batch_1.bin and on, or the one for
   tests. */
static bool find_batch(char path[PATH_BYTES], const char *folder, zf_images_part part, int i)
{
    char name[32] = "test_batch.bin";
    if (part == ZF_IMAGES_UNLABELLED || (part == ZF_IMAGES_TEST && i > 1)) return false;
    if (part == ZF_IMAGES_TRAIN) snprintf(name, sizeof name, "data_batch_%d.bin", i);
    return is_there(path, folder, name);
}

/* All of them, in order; *n is 0 if there is none. */
static zf_status find_batches(zf_images *set, const char *paths[MOST_BATCHES], size_t *n)
{
    char path[PATH_BYTES];
    *n = 0;
    for (int i = 1; i <= MOST_BATCHES; i++) {
        if (!find_batch(path, set->path, set->options.part, i)) continue;
        paths[*n] = zf_arena_string(&set->arena, path);
        if (!paths[(*n)++]) return ZF_ENOMEM;
    }
    return ZF_OK;
}

bool zf_images_has_part(const char *folder, zf_images_part part)
{
    char path[PATH_BYTES];
    bool found = find_stl_file(path, folder, part) || find_idx_file(path, folder, part);
    for (int i = 1; i <= MOST_BATCHES && !found; i++) found = find_batch(path, folder, part, i);
    return found;
}

static zf_status find_folder(zf_images *set)
{
    static const char *const parts[] = {"train", "test", "unlabelled"};
    char path[PATH_BYTES];
    const char *paths[MOST_BATCHES];
    size_t n;
    zf_images_part part = set->options.part;
    if (find_stl_file(path, set->path, part)) return zf_set_find_stl(set, path);
    if (find_idx_file(path, set->path, part)) return zf_set_find_idx(set, path);
    if (set->options.labels) return refuse_labels(set);
    ZF_TRY(find_batches(set, paths, &n));
    if (n > 0) return zf_set_find_cifar(set, paths, n);
    if (part != ZF_IMAGES_TRAIN)
        return zf_fail(ZF_EINPUT,
                       "%s: no part \"%s\": expected the files of IDX, CIFAR-10 or STL-10; of "
                       "images by class, name the folder of that part",
                       set->path, parts[part]);
    return zf_set_find_folder(set);
}

zf_status zf_set_find(zf_images *set)
{
    struct stat about;
    if (stat(set->path, &about) != 0)
        return zf_fail(ZF_EIO, "%s: cannot open: %s", set->path, strerror(errno));
    if (S_ISDIR(about.st_mode)) return find_folder(set);
    if (!S_ISREG(about.st_mode)) /* it is looked at more than once, and here and there */
        return zf_fail(ZF_EINPUT, "%s: a pipe or device, expected a file or a folder", set->path);
    return find_file(set);
}
