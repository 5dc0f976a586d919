/* Sets of images for training, from any of several sources.

     zf_images *images = NULL;
     status = zf_images_open(&images, "photographs", NULL); // a folder of CLASS/FILE.jpg
     unsigned char *pixels = malloc(3u * 64 * 64);
     if (status == ZF_OK) status = zf_images_read(images, &(uint32_t){0}, 1, pixels);
     zf_images_free(images);

   A source is one of
     IDX       a file of images as MNIST has them, [n, rows, columns] or with 1 or
               3 channels behind, plain or gzipped; labels in a file beside it
     CIFAR-10  binary files of records: a label and three planes of 32 x 32
     STL-10    NAME_X.bin, images of 96 x 96 by columns; labels in NAME_y.bin
     folder    of CLASS/FILE.jpg or .png, at any depth; the class is the outermost
               folder. A single folder around all others is looked through
     tar       the same as an archive, plain or gzipped; nothing is unpacked
   and is detected by its content. A folder may also hold the files of one of the
   first three; `part` then says which.

   Images come out square, [3, size, size] bytes, planes of red, green and blue:
   the largest square in the middle, resized by an antialiased bilinear filter.
   Greyscale is converted to RGB. Files and folders that cannot be read or decoded are left out and
   counted; the first such names are kept with the reason. Images of a folder or an archive are in
   the order of their names, so both give the same set.

   All images are decoded when a set is opened, by all threads. If they take no
   more than options.memory they are kept; otherwise each is decoded again when it
   is asked for. Either way a set holds the same images, those that can be used.

   An image that could be read at first but not later (because it was deleted, say) is lost: it is
   counted in `refused` and `lost`, and nothing takes its place unless the caller is told. More than
   one in ZF_IMAGES_LOSSES (of fewer images than that: more than one) is an error, and so is the
   loss of all.

   Use a set from one thread at a time (it decodes with several); views (zf_view_...) can be made
   from any. */
#ifndef ZEROFLOW_IMAGES_H
#define ZEROFLOW_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zeroflow/report.h"
#include "zeroflow/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ZF_IMAGES_SIDE_MAX = 1024,       /* of options.size */
    ZF_IMAGES_REFUSALS_MAX = 20,     /* that are kept with name and reason */
    ZF_IMAGES_LOSSES = 100,          /* one in so many images may be lost later */
    ZF_IMAGES_PROJECTED_MAX = 10000, /* by zf_images_project */
};

typedef struct zf_images zf_images;

typedef enum zf_images_kind {
    ZF_IMAGES_IDX,
    ZF_IMAGES_CIFAR10,
    ZF_IMAGES_STL10,
    ZF_IMAGES_FOLDER,
    ZF_IMAGES_TAR,
} zf_images_kind;

/* Which of a folder's files: of IDX train or t10k, of CIFAR-10 data_batch_*.bin or
   test_batch.bin, of STL-10 train, test or unlabeled. */
typedef enum zf_images_part {
    ZF_IMAGES_TRAIN,
    ZF_IMAGES_TEST,
    ZF_IMAGES_UNLABELLED,
} zf_images_part;

/* Whether a folder has files of that part, be they readable or not. */
ZF_API bool zf_images_has_part(const char *folder, zf_images_part part);

typedef struct zf_images_options {
    size_t struct_size;  /* zf_images_defaults sets it */
    int size;            /* pixels a side; 0: 32, 64 or 96, the smallest that holds what the
                            source has; 64 for folders and archives */
    zf_images_part part; /* of a folder that has parts; train by default */
    const char *labels;  /* file of labels for IDX and STL-10; NULL: the usual name beside it,
                            if it is there */
    uint64_t memory;     /* bytes for decoded images; 2 GB by default */
    int threads;         /* 0: all processors */
    zf_report report;    /* progress, where decoding takes more than a second */
} zf_images_options;

ZF_API void zf_images_options_init(zf_images_options *options, size_t size);
static inline zf_images_options zf_images_defaults(void)
{
    zf_images_options options;
    zf_images_options_init(&options, sizeof options);
    return options;
}

/* A file that was left out, or a folder. */
typedef struct zf_refusal {
    const char *name;   /* as in the source, any bytes; of a record "image 17", from 0 */
    const char *reason; /* "JPEG: Premature end of JPEG file" */
} zf_refusal;

/* What a source holds. The texts belong to the set. */
typedef struct zf_images_about {
    zf_images_kind kind;
    const char *kind_name; /* "IDX", "CIFAR-10", "STL-10", "folder", "tar" */
    bool gzip;
    size_t count;    /* images that can be used */
    size_t labelled; /* of them, with a label */
    size_t grey;     /* of them, greyscale */
    size_t classes;
    int size;       /* pixels a side as they come out */
    bool in_memory; /* decoded and kept; otherwise decoded again when asked for */
    uint64_t bytes; /* that all images take at this size */
    int least_width, most_width, least_height, most_height; /* in the source */
    size_t same_size; /* images of the most common size, which is */
    int common_width, common_height;
    size_t refused;             /* files and folders that were left out */
    size_t lost;                /* of them, images among `count` that could be read at first */
    size_t n_refusals;          /* of the refused, kept here */
    const zf_refusal *refusals; /* those with the first names, in order */
    size_t other_files;         /* of a folder or archive, that are no images by their names */
    const char *labels;         /* the file of the labels; NULL: none, or in the source itself */
} zf_images_about;

/* ZF_EIO: it cannot be read. ZF_EINPUT: it is none of the kinds above, is damaged
   as a whole, has labels of another length, or no image that can be used. */
ZF_API zf_status zf_images_open(zf_images **out, const char *path,
                                const zf_images_options *options) ZF_CHECK;

/* Good until the next zf_images_read of a set that is not in memory, in which images may be
   lost. */
ZF_API const zf_images_about *zf_images_describe(const zf_images *images);

ZF_API const char *zf_images_path(const zf_images *images); /* as it was opened */
ZF_API size_t zf_images_count(const zf_images *images);
ZF_API int zf_images_size(const zf_images *images);

/* The class of image i, from 0; -1: none. */
ZF_API int zf_images_label(const zf_images *images, size_t i);

/* The path of image i within a folder or archive; NULL for other sources. */
ZF_API const char *zf_images_name(const zf_images *images, size_t i);

/* Of class c: its name (a folder's, a line of batches.meta.txt or class_names.txt
   beside the files, or its number) and how many images have it. */
ZF_API const char *zf_images_class_name(const zf_images *images, size_t c);
ZF_API size_t zf_images_class_count(const zf_images *images, size_t c);

/* match[classes of images]: which class of `other` has the name of each; -1 for one without
   images. ZF_EINPUT: images of a class that other lacks. */
ZF_API zf_status zf_images_match(const zf_images *images, const zf_images *other,
                                 int32_t *match) ZF_CHECK;

/* The images of that list: pixels is [n, 3, size, size]. Of a set that is not in
   memory they are decoded now, by all threads. One thread at a time. ZF_EINVAL: a
   number beyond the set. ZF_EINPUT: an image of the list is lost; the message
   names the first of them and says why. */
ZF_API zf_status zf_images_read(zf_images *images, const uint32_t *which, size_t n,
                                uint8_t *pixels) ZF_CHECK;

ZF_API void zf_images_free(zf_images *images); /* NULL is allowed */

/* Writes which image is which, as CSV: row, from 0; name, which is the number for sources
   without names; class, empty if there is none. */
ZF_API zf_status zf_images_list(const zf_images *images, const char *path, bool guard) ZF_CHECK;

/* Writes features [count, dim] for the embedding projector of TensorBoard: PREFIX.vectors.tsv,
   and PREFIX.metadata.tsv with names and classes. Of more than ZF_IMAGES_PROJECTED_MAX
   images, so many, evenly taken: it cannot handle more. */
ZF_API zf_status zf_images_project(const zf_images *images, const char *prefix,
                                   const float *features, size_t dim) ZF_CHECK;

/* Views

   What training uses instead of an image: a random part of it, resized to
   the whole by bilinear interpolation, mirrored or not, perhaps watermarked, with
   noise on every pixel. Values are in [0, 1] but for the noise. View v of image
   i at step s is a function of (seed, i, s, v) and of nothing else. */

typedef enum zf_watermark {
    ZF_WATERMARK_NONE,
    ZF_WATERMARK_PATCH,  /* random pixels in the upper left, size / 3 a side */
    ZF_WATERMARK_COLOUR, /* the image in grey, times a random colour */
} zf_watermark;

typedef struct zf_view_options {
    double least_area, most_area;   /* of the part, as shares of the image; 0.8 to 1 */
    double least_ratio, most_ratio; /* of its width to its height; 3/4 to 4/3 */
    double mirrored;                /* share of views that are mirrored; 1/2 */
    double noise;                   /* standard deviation; 0.01 */
    zf_watermark watermark;         /* fixed for an image: the same in all its views */
    uint64_t seed;                  /* another one for the images of another set */
} zf_view_options;

ZF_API zf_view_options zf_view_defaults(void);

/* ZF_EINVAL: an area or share outside of [0, 1], a ratio or noise below 0, a range
   the wrong way round. The functions below take what passes. */
ZF_API zf_status zf_view_check(const zf_view_options *options) ZF_CHECK;

/* The part of an image that a view shows, in pixels. */
typedef struct zf_crop {
    int left, top, width, height;
    bool mirrored;
} zf_crop;
ZF_API zf_crop zf_view_crop(const zf_view_options *options, int size, uint32_t image, uint64_t step,
                            int view);

/* A view of an image, both [3, size, size]. step < 2^48, 0 <= view < 128. */
ZF_API void zf_view_make(float *out, const uint8_t *pixels, int size,
                         const zf_view_options *options, uint32_t image, uint64_t step, int view);

/* The image with its watermark, without crop and noise: the input of a trained network. */
ZF_API void zf_view_plain(float *out, const uint8_t *pixels, int size,
                          const zf_view_options *options, uint32_t image);

#ifdef __cplusplus
}
#endif
#endif
