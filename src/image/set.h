/* Inside a set of images: a list of items, each a run of bytes in a file, and
   how these bytes become pixels. All kinds of sources come down to this, so
   loading, streaming and reading are written once.

   Finders (folder.c, tar.c, records.c) fill in files, items and classes;
   load.c decodes; images.c is the public face.

   Memory: the list, about 150 bytes an image with its name, which a plain file or folder
   has shown by its size and a gzipped one by being read through; at most 256 MB or what
   the caller allows, whichever is more. Pixels as the caller allows; what decoding takes
   is in image.h. The bytes of an image's file are at most ZF_IMAGE_FILE. */
#ifndef ZF_IMAGE_SET_H
#define ZF_IMAGE_SET_H

#include "base/arena.h"
#include "base/crew.h"
#include "base/lock.h"
#include "image/decode.h"
#include "io/input.h"
#include "zeroflow/images.h"

typedef struct zf_image_item {
    uint64_t offset;
    const char *name; /* NULL: a record */
    uint32_t bytes;
    uint32_t file; /* in files; a folder's item has its own file, by its name */
    int32_t label; /* -1: none */
    int32_t width, height;
    bool grey;
} zf_image_item;

/* How a record without a header lies: IDX, CIFAR-10, STL-10. channels = 0: items
   are JPEG or PNG files. */
typedef struct zf_record_layout {
    int channels, width, height;
    int skip;         /* bytes before the pixels, such as a label */
    bool interleaved; /* channels of a pixel side by side; otherwise planes */
    bool by_columns;  /* planes column by column */
} zf_record_layout;

/* What a worker uses, none of it shared. */
typedef struct zf_image_worker {
    zf_decoder decoder;
    uint8_t *bytes; /* of a file */
    size_t room;
    uint8_t *planes; /* of an image that is only tried */
} zf_image_worker;

/* A crew and what each of its workers uses. */
typedef struct zf_image_hands {
    zf_crew *crew;
    zf_image_worker *workers;
} zf_image_hands;

struct zf_images {
    const char *path;
    zf_arena arena; /* names, files, classes */
    zf_images_options options;
    zf_images_about about;
    zf_record_layout layout;
    zf_io_input **files;
    size_t n_files;
    const char *archive;  /* of a folder: the first that lies in it; NULL: none */
    zf_image_item *items; /* about.count of them; own memory */
    size_t room;
    const char **class_names;
    size_t *class_counts;
    uint8_t *pixels; /* NULL: not in memory */
    zf_refusal refusals[ZF_IMAGES_REFUSALS_MAX];
    zf_lock lock;         /* of the refusals, while workers find them */
    uint8_t *lost;        /* of a set that is not in memory: 1 for each item that was good and
                             could not be read later */
    zf_image_hands hands; /* of a set that is not in memory, or is being loaded */
};

/* For the finders */

/* May the set have so many items? ZF_EINPUT: their list would take too much memory. */
zf_status zf_set_check_list(const zf_images *set, size_t n) ZF_CHECK;

/* Appends an item; the name is copied. */
zf_status zf_set_add(zf_images *set, zf_image_item item) ZF_CHECK;

/* Opens a file that items lie in; *file is its number. */
zf_status zf_set_file(zf_images *set, const char *path, uint32_t *file) ZF_CHECK;

/* Does anything have that name, be it readable or not? What is there and cannot be read is
   for whoever opens it to complain about; it is not to be taken for absent. */
bool zf_set_is_there(const char *path);

/* Is this the name of an image, by its ending? Hidden files are not. */
bool zf_set_is_image(const char *name);

/* Sorts the items by name and makes classes of their outermost folders. */
zf_status zf_set_classify(zf_images *set) ZF_CHECK;

/* n classes named after their numbers, or after the lines of that file in the
   folder of `beside`, if it is there and has n of them. */
zf_status zf_set_name_classes(zf_images *set, size_t n, const char *beside,
                              const char *file) ZF_CHECK;

/* Counts an item that is left out, and keeps those with the first names; for any thread. */
zf_status zf_set_refuse(zf_images *set, const char *name, const char *reason) ZF_CHECK;

/* The failure of a system call that errno tells of, in its words. ZF_ENOMEM where the system is out
   of memory or of open files, which is no fault of the file; ZF_EIO otherwise. */
zf_status zf_set_system_failure(void) ZF_CHECK;

zf_status zf_set_find_folder(zf_images *set) ZF_CHECK;
zf_status zf_set_find_tar(zf_images *set) ZF_CHECK;
zf_status zf_set_find_idx(zf_images *set, const char *path) ZF_CHECK;
zf_status zf_set_find_cifar(zf_images *set, const char *const *paths, size_t n) ZF_CHECK;
zf_status zf_set_find_stl(zf_images *set, const char *path) ZF_CHECK;

/* What is at a path: fills in about.kind and calls the finder. */
zf_status zf_set_find(zf_images *set) ZF_CHECK;

/* For images.c and stream.c */

/* Decodes all, and drops what cannot be. Pixels are kept if all fit into the memory
   allowed; otherwise this is a trial, so that a set holds the same images either way. */
zf_status zf_set_load(zf_images *set) ZF_CHECK;

/* threads = 0: all processors. */
zf_status zf_hands_hire(zf_image_hands *hands, int threads) ZF_CHECK;
void zf_hands_dismiss(zf_image_hands *hands);

/* Item i, which could be decoded when the set was opened. *lost: it no longer can, which is
   counted; zf_error() has the reason. For any thread, each with a worker of its own.
   ZF_EINPUT: too many are lost by now. */
zf_status zf_set_decode(zf_images *set, zf_image_worker *worker, uint32_t i, uint8_t *planes,
                        bool *lost) ZF_CHECK;

bool zf_set_is_lost(const zf_images *set, uint32_t i);

/* ZF_EINPUT: more than one in ZF_IMAGES_LOSSES are lost, more than one of fewer, or all. */
zf_status zf_set_check_losses(const zf_images *set) ZF_CHECK;

#endif
