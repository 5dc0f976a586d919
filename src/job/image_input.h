/* The options of jobs that read images, and the reading itself. */
#ifndef ZF_JOB_IMAGE_INPUT_H
#define ZF_JOB_IMAGE_INPUT_H

#include <limits.h>

#include "job/job.h"
#include "zeroflow/images.h"
#include "zeroflow/vision.h"

typedef struct zf_image_values {
    int size; /* ZF_AUTO: what the source has, or the model takes */
    zf_images_part part;
    const char *labels;
    uint64_t memory; /* MB */
} zf_image_values;

/* In the order of zf_images_part and zf_watermark, ended by NULL. */
extern const char *const zf_image_part_names[];
extern const char *const zf_watermark_names[];

#define ZF_IMAGES_HELP                                                                             \
    "Folder or tar archive of CLASS/FILE.jpg or .png, an IDX, CIFAR-10 or STL-10 file, "           \
    "or a folder of such files; detected by its content."

#define ZF_VISION_HELP "Model written by zeroflow pretrain."

#define ZF_SIZE_OF_SOURCE "32, 64 or 96 by the source; 64 for folders and archives"
#define ZF_SIZE_OF_MODEL  "the model's, the only one it accepts"

#define ZF_IMAGE_MEMORY_ROW(values, member)                                                        \
    {                                                                                              \
        "memory", .type = ZF_OPTION_WHOLE, .placeholder = "MB", ZF_FIELD(values, member),          \
                  .fallback = "2048", .least = 1, .most = 1 << 30,                                 \
                  .help = "Memory for decoded images. Images that need more are decoded once "     \
                          "to check them, and again each time they are used."                      \
    }

/* For a job's list; member is its zf_image_values, and without_size says in words which size is
   taken without --size. */
#define ZF_IMAGE_ROWS(values, member, without_size)                                                \
    {"size",                                                                                       \
     .type = ZF_OPTION_WHOLE,                                                                      \
     .placeholder = "N",                                                                           \
     ZF_FIELD(values, member.size),                                                                \
     .least = 1,                                                                                   \
     .most = ZF_IMAGES_SIDE_MAX,                                                                   \
     .otherwise = (without_size),                                                                  \
     .help = "Side in pixels that images are resized to."},                                        \
        {"part",                                                                                   \
         .type = ZF_OPTION_CHOICE,                                                                 \
         .placeholder = "PART",                                                                    \
         ZF_FIELD(values, member.part),                                                            \
         .fallback = "train",                                                                      \
         .choices = zf_image_part_names,                                                           \
         .help = "Part to use of a folder with IDX, CIFAR-10 or STL-10 files."},                   \
        {"labels",                                                                                 \
         .type = ZF_OPTION_FILE,                                                                   \
         .placeholder = "FILE",                                                                    \
         ZF_FIELD(values, member.labels),                                                          \
         .otherwise = "the usual name beside the images",                                          \
         .help = "File with the labels of an IDX or STL-10 file."},                                \
        ZF_IMAGE_MEMORY_ROW(values, member.memory)

/* Of what has no fallback. */
void zf_image_values_defaults(zf_image_values *values);

/* What the options say; for the caller to change. */
zf_images_options zf_image_wish(const zf_image_values *values, const zf_run *run);

/* Opens the source at path; a file of labels that was found beside it is one that the job
   reads. */
zf_status zf_image_input_open(zf_images **out, zf_run *run, const char *path,
                              const zf_images_options *wish) ZF_CHECK;

/* The part for tests; or the whole of a source that has no parts. wish is changed. */
zf_status zf_image_input_open_tests(zf_images **out, zf_run *run, const char *path,
                                    zf_images_options *wish) ZF_CHECK;

/* Loads a model and opens images at its size. ZF_EINVAL: --size asks for another one. */
zf_status zf_image_input_with_model(zf_vision **model, zf_images **images, zf_run *run,
                                    const char *model_path, const char *images_path,
                                    const zf_image_values *values) ZF_CHECK;

/* What a model of images made of them: ZF_ENUMERIC becomes ZF_EINPUT, since the file of the
   model is what cannot be used then, and the message begins with it. */
zf_status zf_vision_status(zf_status status, const char *model_path) ZF_CHECK;

/* At the end of a job: warns, if it came to an end by that status, of what was left out of a set
   or was lost on the way. NULL is fine. */
void zf_image_input_warn(zf_run *run, zf_status status, const zf_images *images);

/* Adds what was left out of one set or two (b may be NULL, or a) to an object: `refused`, how
   many; `lost`, of them those that could be read at first; `refusals`, the first ones with
   source, name and reason. */
void zf_image_input_answer(json_t *object, const zf_images *a, const zf_images *b);

/* Whether a folder has images in two parts: train, train.tar or train.tar.gz beside val or
   test of these; where they are. */
bool zf_image_input_parts(char train[PATH_MAX], char test[PATH_MAX], const char *folder);

/* Which of `all` items the k-th of n is that are taken evenly, each from the middle of its
   share. */
size_t zf_evenly(size_t k, size_t n, size_t all);

#endif
