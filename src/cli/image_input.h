/* The options of the commands that read images, and the reading itself. */
#ifndef ZF_CLI_IMAGE_INPUT_H
#define ZF_CLI_IMAGE_INPUT_H

#include <jansson.h>
#include <limits.h>

#include "command.h"
#include "zeroflow/images.h"

/* Where these options stand after the first of them. */
enum { CLI_SIZE, CLI_PART, CLI_LABELS, CLI_MEMORY, CLI_IMAGE_OPTIONS };

/* In the order of zf_images_part and zf_watermark. */
extern const char *const cli_parts[];
extern const char *const cli_watermarks[];

#define CLI_IMAGES_ARGUMENT_HELP                                                                   \
    "A folder or tar archive of CLASS/FILE.jpg or .png, an IDX, CIFAR-10 or STL-10 file, or a "    \
    "folder of such files; recognised by its content."

#define CLI_MEMORY_OPTION                                                                          \
    {                                                                                              \
        "memory",                                                                                  \
            .type = CLI_WHOLE, .placeholder = "MB", .fallback = "2048", .least = 1,                \
            .most = 1 << 30,                                                                       \
            .help = "Images that take more than this when decoded are not kept, but decoded "      \
                    "once to see whether they can be, and each time they are needed."              \
    }

/* The options themselves, for a command's list, from index `first` on;
   without_size says in words which size is taken without --size. */
#define CLI_IMAGE_OPTION_LIST(first, without_size)                                                 \
    [(first) +                                                                                     \
        CLI_SIZE] = {"size",                                                                       \
                     .type = CLI_WHOLE,                                                            \
                     .placeholder = "N",                                                           \
                     .least = 1,                                                                   \
                     .most = ZF_IMAGES_SIDE_MAX,                                                   \
                     .otherwise = (without_size),                                                  \
                     .help = "Pixels a side that images are resized to."},                         \
        [(first) + CLI_PART] = {"part",                                                            \
                                .type = CLI_CHOICE,                                                \
                                .placeholder = "PART",                                             \
                                .fallback = "train",                                               \
                                .choices = cli_parts,                                              \
                                .help = "Of a folder with IDX, CIFAR-10 or STL-10 files: which "   \
                                        "of them."},                                               \
        [(first) + CLI_LABELS] = {"labels", .type = CLI_FILE, .placeholder = "FILE",               \
                                  .otherwise = "the usual name beside the images",                 \
                                  .help = "Where the labels of an IDX or STL-10 file are."},       \
        [(first) + CLI_MEMORY] = CLI_MEMORY_OPTION

#define CLI_SIZE_OF_SOURCE "32, 64 or 96 as the source has; 64 for folders and archives"

/* What the options say, of which the first is `first`; for the caller to change. */
zf_images_options cli_image_options(const cli_call *call, const cli_value *first);

/* Opens the source at path, with progress. */
cli_exit cli_open_images(zf_images **out, const cli_call *call, const char *path,
                         const zf_images_options *options);

/* At the end of a command: warns, if it came to an end, of what was left out of a set or was
   lost on the way; then frees it. NULL is fine. */
void cli_close_images(const cli_call *call, cli_exit exit, zf_images *images);

/* Adds what was left out of one set or two (b may be NULL, or a) to an object: `refused`, how
   many; `lost`, of them those that could be read at first; `refusals`, the first ones with
   source, name and reason. NULL: out of memory, and the object is freed. */
json_t *cli_add_refusals(json_t *object, const zf_images *a, const zf_images *b);

/* The part for tests; or the whole of a source that has no parts. options is changed. */
cli_exit cli_open_test_images(zf_images **out, const cli_call *call, const char *path,
                              zf_images_options *options);

/* Whether a folder has images in two parts: train, train.tar or train.tar.gz beside val or
   test of these; where they are. */
bool cli_find_parts(char train[PATH_MAX], char test[PATH_MAX], const char *folder);

#endif
