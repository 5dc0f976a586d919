/* Images to fit on and images to judge on, for the commands that ask what features
   are worth: two sources, the parts of one, or one that is split. */
#ifndef ZF_CLI_IMAGE_SETS_H
#define ZF_CLI_IMAGE_SETS_H

#include "command.h"
#include "vision_input.h"

/* What is judged on: the images as they are, and marked; and how JSON calls it. */
enum { CLI_CLEAN, CLI_MARKED, CLI_TEST_SETS };
extern const char *const cli_test_set_names[CLI_TEST_SETS];

/* The arguments of such a command, at the numbers 0 to 2. */
#define CLI_SETS_ARGUMENT_LIST                                                                     \
    {"MODEL", .type = CLI_FILE, .help = CLI_VISION_ARGUMENT_HELP},                                 \
        {"TRAIN", .type = CLI_IMAGES, .help = CLI_TRAIN_ARGUMENT_HELP},                            \
    {                                                                                              \
        "TEST", .type = CLI_IMAGES, .optional = true, .help = CLI_TEST_ARGUMENT_HELP               \
    }

/* Where these options stand after the first of them. */
enum {
    CLI_HELD_OUT,
    CLI_TRAIN_ROWS,
    CLI_TEST_ROWS,
    CLI_TRAIN_LABELS,
    CLI_TEST_LABELS,
    CLI_SETS_MEMORY,
    CLI_SETS_OPTIONS
};

#define CLI_TRAIN_ARGUMENT_HELP                                                                    \
    "The images to fit on: a folder or tar archive of CLASS/FILE.jpg or .png, an IDX, CIFAR-10 "   \
    "or STL-10 file, or a folder of such files, of which the part for training is taken."

#define CLI_TEST_ARGUMENT_HELP                                                                     \
    "The images to judge on, likewise. Without it they are the part for tests, where TRAIN is "    \
    "a folder that has one, or has train and val (or test) as folders or archives; otherwise a "   \
    "share of TRAIN is held out."

#define CLI_SETS_OPTION_LIST(first)                                                                \
    [(first) + CLI_HELD_OUT] = {"held-out",                                                        \
                                .type = CLI_REAL,                                                  \
                                .placeholder = "SHARE",                                            \
                                .fallback = "0.2",                                                 \
                                .least = 0.01,                                                     \
                                .most = 0.9,                                                       \
                                .help = "Share of each class that is judged on where there are "   \
                                        "no other images for it, taken evenly."},                  \
               [(first) + CLI_TRAIN_ROWS] = {"train-rows",                                         \
                                             .type = CLI_WHOLE,                                    \
                                             .placeholder = "N",                                   \
                                             .least = 2,                                           \
                                             .most = 1 << 30,                                      \
                                             .otherwise = "all",                                   \
                                             .help = "Fits on at most N images, taken evenly."},   \
               [(first) + CLI_TEST_ROWS] = {"test-rows",                                           \
                                            .type = CLI_WHOLE,                                     \
                                            .placeholder = "N",                                    \
                                            .least = 1,                                            \
                                            .most = 1 << 30,                                       \
                                            .otherwise = "all",                                    \
                                            .help = "Judges on at most N images, taken evenly."},  \
               [(first) + CLI_TRAIN_LABELS] = {"labels", .type = CLI_FILE, .placeholder = "FILE",  \
                                               .otherwise = "the usual name beside the images",    \
                                               .help = "Where the labels of TRAIN are, of IDX or " \
                                                       "STL-10."},                                 \
               [(first) + CLI_TEST_LABELS] = {"test-labels", .type = CLI_FILE,                     \
                                              .placeholder = "FILE",                               \
                                              .otherwise = "the usual name beside the images",     \
                                              .help = "Where those of TEST are."},                 \
               [(first) + CLI_SETS_MEMORY] = CLI_MEMORY_OPTION

typedef struct cli_image_set {
    zf_images *images;
    uint32_t *which; /* [count], of the images */
    int32_t *labels; /* [count], classes as those of the set to fit on; -1: none */
    size_t count;
} cli_image_set;

typedef struct cli_image_sets {
    cli_image_set train, test; /* of one set of images if it was split */
    size_t classes;
    bool split;
} cli_image_sets;

typedef struct cli_sets_wish {
    const char *train, *test; /* paths; test may be NULL */
    const cli_value *options; /* the first of them */
    int size;                 /* pixels a side */
    bool labelled;            /* classes are needed, at least two; images without one are left
                                 out */
} cli_sets_wish;

/* CLI_INPUT: what is needed is not there. To be closed in either case. */
cli_exit cli_open_sets(cli_image_sets *out, const cli_call *call, const cli_sets_wish *wish);
void cli_close_sets(const cli_call *call, cli_exit exit, cli_image_sets *sets);

#endif
