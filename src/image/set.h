/* Inside a set of pictures: a list of items, each a run of bytes in a file, and
   how these bytes become pixels. All kinds of sources come down to this, so
   loading, streaming and reading are written once.

   Finders (folder.c, tar.c, records.c) fill in files, items and classes;
   load.c decodes; images.c is the public face. */
#ifndef ZF_IMAGE_SET_H
#define ZF_IMAGE_SET_H

#include "base/arena.h"
#include "base/crew.h"
#include "base/lock.h"
#include "image/picture.h"
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
    zf_input **files;
    size_t n_files;
    const char *archive;  /* of a folder: the first that lies in it; NULL: none */
    zf_image_item *items; /* about.count of them; own memory */
    size_t room;
    const char **class_names;
    size_t *class_counts;
    uint8_t *pixels; /* NULL: not in memory */
    zf_refusal refusals[ZF_IMAGES_REFUSALS_MAX];
    zf_lock lock;         /* of the refusals, while workers find them */
    uint8_t *damaged;     /* of a set that is not in memory: 1 for each item found so */
    zf_image_hands hands; /* of a set that is not in memory, or is being loaded */
};

/* For the finders */

/* Appends an item; the name is copied. */
zf_status zf_set_add(zf_images *set, zf_image_item item) ZF_CHECK;

/* Opens a file that items lie in; *file is its number. */
zf_status zf_set_file(zf_images *set, const char *path, uint32_t *file) ZF_CHECK;

/* Is this the name of a picture, by its ending? Hidden files are not. */
bool zf_set_is_picture(const char *name);

/* Sorts the items by name and makes classes of their outermost folders. */
zf_status zf_set_classify(zf_images *set) ZF_CHECK;

/* n classes named after their numbers, or after the lines of that file in the
   folder of `beside`, if it is there and has n of them. */
zf_status zf_set_name_classes(zf_images *set, size_t n, const char *beside,
                              const char *file) ZF_CHECK;

/* Counts an item that is left out; for any thread. */
void zf_set_refuse(zf_images *set, const char *name, const char *reason);

zf_status zf_set_find_folder(zf_images *set) ZF_CHECK;
zf_status zf_set_find_tar(zf_images *set) ZF_CHECK;
zf_status zf_set_find_idx(zf_images *set, const char *path) ZF_CHECK;
zf_status zf_set_find_cifar(zf_images *set, const char *const *paths, size_t n) ZF_CHECK;
zf_status zf_set_find_stl(zf_images *set, const char *path) ZF_CHECK;

/* What is at a path: fills in about.kind and calls the finder. */
zf_status zf_set_find(zf_images *set) ZF_CHECK;

/* For images.c and stream.c */

/* Decodes all, or looks at all headers, and drops what is damaged. */
zf_status zf_set_load(zf_images *set) ZF_CHECK;

/* threads = 0: all processors. */
zf_status zf_hands_hire(zf_image_hands *hands, int threads) ZF_CHECK;
void zf_hands_dismiss(zf_image_hands *hands);

/* Item i, or the next one that is not damaged; *found is its number. For any
   thread, each with a worker of its own. */
zf_status zf_set_decode(zf_images *set, zf_image_worker *worker, uint32_t i, uint8_t *planes,
                        uint32_t *found) ZF_CHECK;

#endif
