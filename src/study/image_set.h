/* A set of images with a part to learn from and a part to be judged on, as the studies
   of self-supervised learning need it. */
#ifndef ZF_STUDY_IMAGE_SET_H
#define ZF_STUDY_IMAGE_SET_H

#include "job/image_input.h"
#include "study/study.h"

#define IMAGE_SET_HELP                                                                             \
    "a folder with train.tar and val.tar, with train/ and val/ of CLASS/FILE.jpg or .png, or "     \
    "with "                                                                                        \
    "the files of CIFAR-10, STL-10 or Fashion-MNIST"

/* One part, and the labelled images of it that are looked at in the end. Training takes
   all of them, whatever the scale: its cost does not depend on how many there are. */
typedef struct image_part {
    zf_images *images;
    uint32_t *which; /* spread evenly over the part */
    int32_t *labels; /* of these, as the training part numbers the classes */
    size_t n;
    uint64_t seed; /* of its watermarks, another one for each part */
} image_part;

typedef struct image_set {
    const char *path;
    char name[64]; /* "CIFAR-10", "Tiny ImageNet"; of other folders their own */
    int size;      /* pixels a side */
    size_t classes;
    image_part train, test;
} image_set;

/* Opens both parts. At scale 1 all images are looked at, at S the square root of S of them.
   ZF_EINPUT: there are no two parts, a part has no labels, or the second has a class that the first
   has not. */
zf_status image_set_open(image_set *set, zf_study *study, const char *path);
/* Warns of what was left out, if the study came to an end; returns status. */
zf_status image_set_leave(const image_set *set, zf_study *study, zf_status status);
void image_set_free(image_set *set); /* {0} is fine */

json_t *image_set_json(const image_set *set);

/* Images of the part as floats [n, 3, size, size], plain but for the watermark; for
   free(). places are places in part->which; NULL: n that are spread over it. */
zf_status image_part_read(float **images, const image_part *part, zf_watermark watermark,
                          const uint32_t *places, size_t n);

#endif
