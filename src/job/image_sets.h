/* Images to fit on and images to judge on, for the jobs that ask what features are worth: two
   sources, the parts of one, or one that is split. */
#ifndef ZF_JOB_IMAGE_SETS_H
#define ZF_JOB_IMAGE_SETS_H

#include "job/image_input.h"

/* What is judged on: the images as they are, and marked; and how JSON calls it. */
enum { ZF_CLEAN, ZF_MARKED, ZF_TEST_SETS };
extern const char *const zf_test_set_names[ZF_TEST_SETS];

typedef struct zf_image_sets_values {
    double held_out;
    int train_rows, test_rows; /* ZF_AUTO: all */
    const char *labels, *test_labels;
    uint64_t memory; /* MB */
} zf_image_sets_values;

#define ZF_TRAIN_IMAGES_HELP                                                                       \
    "Images to fit on: a folder or tar archive of CLASS/FILE.jpg or .png, an IDX, "                \
    "CIFAR-10 or STL-10 file, or a folder of such files, whose training part is used."

#define ZF_TEST_IMAGES_HELP                                                                        \
    "Images to test on, in the same formats. Default: the test part of TRAIN, if it is a "         \
    "folder that has one or has train and val (or test) as folders or archives; "                  \
    "otherwise a share of TRAIN is held out."

/* The arguments of such a job, whose values have fields model, train and test. */
#define ZF_IMAGE_SETS_ARGUMENTS(values)                                                            \
    {"MODEL", .type = ZF_OPTION_FILE, ZF_FIELD(values, model), .help = ZF_VISION_HELP},            \
        {"TRAIN", .type = ZF_OPTION_IMAGES, ZF_FIELD(values, train),                               \
         .help = ZF_TRAIN_IMAGES_HELP},                                                            \
    {                                                                                              \
        "TEST", .type = ZF_OPTION_IMAGES, ZF_FIELD(values, test), .optional = true,                \
                .help = ZF_TEST_IMAGES_HELP                                                        \
    }

/* For a job's list; member is its zf_image_sets_values. */
#define ZF_IMAGE_SETS_ROWS(values, member)                                                         \
    {"held-out",                                                                                   \
     .type = ZF_OPTION_REAL,                                                                       \
     .placeholder = "SHARE",                                                                       \
     ZF_FIELD(values, member.held_out),                                                            \
     .fallback = "0.2",                                                                            \
     .least = 0.01,                                                                                \
     .most = 0.9,                                                                                  \
     .help = "Share of each class that is held out for testing, taken evenly, if there are no "    \
             "other images to test on."},                                                          \
        {"train-rows",       .type = ZF_OPTION_WHOLE,                                              \
         .placeholder = "N", ZF_FIELD(values, member.train_rows),                                  \
         .least = 2,         .most = 1 << 30,                                                      \
         .otherwise = "all", .help = "Fit on at most N images, taken evenly."},                    \
        {"test-rows",        .type = ZF_OPTION_WHOLE,                                              \
         .placeholder = "N", ZF_FIELD(values, member.test_rows),                                   \
         .least = 1,         .most = 1 << 30,                                                      \
         .otherwise = "all", .help = "Test on at most N images, taken evenly."},                   \
        {"labels",                                                                                 \
         .type = ZF_OPTION_FILE,                                                                   \
         .placeholder = "FILE",                                                                    \
         ZF_FIELD(values, member.labels),                                                          \
         .otherwise = "the usual name beside the images",                                          \
         .help = "File with the labels of TRAIN (IDX or STL-10)."},                                \
        {"test-labels",                                                                            \
         .type = ZF_OPTION_FILE,                                                                   \
         .placeholder = "FILE",                                                                    \
         ZF_FIELD(values, member.test_labels),                                                     \
         .otherwise = "the usual name beside the images",                                          \
         .help = "File with the labels of TEST."},                                                 \
        ZF_IMAGE_MEMORY_ROW(values, member.memory)

/* Of what has no fallback. */
void zf_image_sets_defaults(zf_image_sets_values *values);

/* Some images of a set, in order. */
typedef struct zf_image_set {
    zf_images *images;
    uint32_t *which; /* [count], of the images */
    int32_t *labels; /* [count], classes as those of the set to fit on; -1: none */
    size_t count;
} zf_image_set;

typedef struct zf_image_sets {
    zf_image_set train, test; /* of one set of images if it was split */
    size_t classes;
    bool split;
} zf_image_sets;

typedef struct zf_image_sets_wish {
    const char *train, *test; /* paths; test may be NULL */
    const zf_image_sets_values *values;
    int size;      /* pixels a side */
    bool labelled; /* classes are needed, at least two; images without one are left out */
} zf_image_sets_wish;

/* Into a struct of zeros, which is to be freed in either case. ZF_EINPUT: what is needed is not
   there. */
zf_status zf_image_sets_open(zf_image_sets *out, zf_run *run,
                             const zf_image_sets_wish *wish) ZF_CHECK;
void zf_image_sets_free(zf_image_sets *sets);

/* As zf_image_input_warn and zf_image_input_answer. */
void zf_image_sets_warn(zf_run *run, zf_status status, const zf_image_sets *sets);
void zf_image_sets_answer(json_t *object, const zf_image_sets *sets);

/* How the images are shown: those to judge on are clean, and if those to fit on are marked, also
   with marks of their own. */
typedef struct zf_set_views {
    zf_view_options train, test[ZF_TEST_SETS];
    int n_tests; /* 2 if images are marked */
} zf_set_views;
zf_set_views zf_image_sets_views(zf_watermark watermark, uint64_t seed);

/* The share of the images to judge on that are of the class most common among those to fit on:
   what a guess is worth. */
double zf_image_sets_chance(const zf_image_sets *sets);

#endif
