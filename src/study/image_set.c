#include "study/image_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LEAST_IMAGES = 500, TINY_CLASSES = 200, IMAGENET_CLASSES = 1000 };

static zf_status open_part(image_part *part, zf_study *study, const char *path, int size,
                           zf_images_part which)
{
    zf_images_options wish = zf_images_defaults();
    wish.size = size;
    wish.part = which;
    wish.threads = study->threads;
    wish.report = study->run->report;
    return zf_images_open(&part->images, path, &wish);
}

static zf_status open_parts(image_set *set, zf_study *study)
{
    char train[PATH_MAX], test[PATH_MAX];
    if (zf_image_input_parts(train, test, set->path)) {
        ZF_TRY(open_part(&set->train, study, train, study->size, ZF_IMAGES_TRAIN));
        set->size = zf_images_size(set->train.images);
        return open_part(&set->test, study, test, set->size, ZF_IMAGES_TRAIN);
    }
    ZF_TRY(open_part(&set->train, study, set->path, study->size, ZF_IMAGES_TRAIN));
    set->size = zf_images_size(set->train.images);
    zf_images_kind kind = zf_images_describe(set->train.images)->kind;
    struct stat found;
    if (kind == ZF_IMAGES_FOLDER || kind == ZF_IMAGES_TAR || stat(set->path, &found) != 0 ||
        !S_ISDIR(found.st_mode))
        return zf_fail(ZF_EINPUT, "%s: expected two parts, train and test: " IMAGE_SET_HELP,
                       set->path);
    return open_part(&set->test, study, set->path, set->size, ZF_IMAGES_TEST);
}

/* --- which images ------------------------------------------------------------------------ */

/* As many of the labelled images as the scale allows; match renames the classes. */
static zf_status choose(image_part *part, const zf_study *study, const int32_t *match)
{
    size_t all = zf_images_count(part->images);
    size_t labelled = zf_images_describe(part->images)->labelled, seen = 0;
    double wish = fmax(LEAST_IMAGES, ceil((double)labelled * sqrt(fmin(study->scale, 1))));
    part->n = (size_t)fmin(wish, (double)labelled);
    part->which = malloc((labelled + 1) * sizeof *part->which);
    part->labels = malloc((labelled + 1) * sizeof *part->labels);
    if (!part->which || !part->labels) return zf_fail(ZF_ENOMEM, "out of memory");
    for (size_t i = 0; i < all && seen < labelled; i++)
        if (zf_images_label(part->images, i) >= 0) part->which[seen++] = (uint32_t)i;
    /* In place: what is picked never lies before where it goes. */
    for (size_t k = 0; k < part->n; k++) {
        part->which[k] = part->which[zf_evenly(k, part->n, labelled)];
        int label = zf_images_label(part->images, part->which[k]);
        part->labels[k] = match ? match[label] : label;
    }
    return ZF_OK;
}

static zf_status choose_both(image_set *set, const zf_study *study)
{
    size_t classes = zf_images_describe(set->test.images)->classes;
    int32_t *match = malloc((classes + 1) * sizeof *match);
    if (!match) return zf_fail(ZF_ENOMEM, "out of memory");
    zf_status status = zf_images_match(set->test.images, set->train.images, match);
    if (status == ZF_OK) status = choose(&set->train, study, NULL);
    if (status == ZF_OK) status = choose(&set->test, study, match);
    free(match);
    return status;
}

/* --- names --------------------------------------------------------------------------------- */

/* "n01443537": how ImageNet names its classes. */
static bool is_synset(const char *name)
{
    return name[0] == 'n' && strspn(name + 1, "0123456789") == 8 && !name[9];
}

static void name_set(image_set *set)
{
    const zf_images_about *about = zf_images_describe(set->train.images);
    const char *name = set->path, *slash;
    bool synsets = about->kind == ZF_IMAGES_FOLDER || about->kind == ZF_IMAGES_TAR;
    for (size_t c = 0; c < set->classes && synsets; c++)
        synsets = is_synset(zf_images_class_name(set->train.images, c));
    if (about->kind == ZF_IMAGES_CIFAR10 || about->kind == ZF_IMAGES_STL10)
        name = about->kind_name;
    else if (synsets && set->classes == TINY_CLASSES)
        name = "Tiny ImageNet";
    else if (synsets && set->classes == IMAGENET_CLASSES)
        name = "ImageNet-1K";
    else if ((slash = strrchr(name, '/')) && slash[1])
        name = slash + 1;
    snprintf(set->name, sizeof set->name, "%s", name);
}

json_t *image_set_json(const image_set *set)
{
    const zf_images *train = set->train.images, *test = set->test.images;
    json_t *object =
        json_pack("{s:o s:o s:I s:i s:I s:I s:I}", "name", zf_answer_text(set->name), "path",
                  zf_answer_text(set->path), "pictures", (json_int_t)zf_images_count(train), "size",
                  set->size, "classes", (json_int_t)set->classes, "train_rows",
                  (json_int_t)set->train.n, "test_rows", (json_int_t)set->test.n);
    zf_image_input_answer(object, train, test);
    return object;
}

/* --- the set ------------------------------------------------------------------------------- */

static zf_status prepare(image_set *set, zf_study *study)
{
    ZF_TRY(open_parts(set, study));
    const zf_images_about *train = zf_images_describe(set->train.images);
    const zf_images_about *test = zf_images_describe(set->test.images);
    set->classes = train->classes;
    if (train->labelled == 0 || test->labelled == 0 || set->classes < 2)
        return zf_fail(ZF_EINPUT, "%s: expected images of at least two classes in both parts",
                       set->path);
    set->train.seed = study->seed;
    set->test.seed = ~study->seed;
    name_set(set);
    return choose_both(set, study);
}

zf_status image_set_open(image_set *set, zf_study *study, const char *path)
{
    *set = (image_set){.path = path};
    return prepare(set, study);
}

zf_status image_set_leave(const image_set *set, zf_study *study, zf_status status)
{
    zf_image_input_warn(study->run, status, set->train.images);
    zf_image_input_warn(study->run, status, set->test.images);
    return status;
}

void image_set_free(image_set *set)
{
    image_part *parts[] = {&set->train, &set->test};
    for (int i = 0; i < 2; i++) {
        zf_images_free(parts[i]->images);
        free(parts[i]->which);
        free(parts[i]->labels);
    }
    *set = (image_set){0};
}

zf_status image_part_read(float **images, const image_part *part, zf_watermark watermark,
                          const uint32_t *places, size_t n)
{
    int size = zf_images_size(part->images);
    size_t pixels = 3 * (size_t)size * (size_t)size;
    float *values = malloc(n * pixels * sizeof *values);
    uint8_t *bytes = malloc(pixels);
    zf_view_options views = zf_view_defaults();
    views.watermark = watermark;
    views.seed = part->seed;
    zf_status status = values && bytes ? ZF_OK : zf_fail(ZF_ENOMEM, "out of memory");
    for (size_t k = 0; k < n && status == ZF_OK; k++) {
        uint32_t which = part->which[places ? places[k] : zf_evenly(k, n, part->n)];
        status = zf_images_read(part->images, &which, 1, bytes);
        if (status == ZF_OK) zf_view_plain(values + k * pixels, bytes, size, &views, which);
    }
    free(bytes);
    if (status != ZF_OK)
        free(values);
    else
        *images = values;
    return status;
}
