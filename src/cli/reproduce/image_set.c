#include "reproduce/image_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "image_input.h"

enum { LEAST_IMAGES = 500, TINY_CLASSES = 200, IMAGENET_CLASSES = 1000 };

size_t image_set_place(size_t k, size_t n, size_t all)
{
    return (2 * k + 1) * all / (2 * n);
}

static cli_exit open_part(image_part *part, cli_study *study, const char *path, int size,
                          zf_images_part which)
{
    zf_images_options wish = zf_images_defaults();
    wish.size = size;
    wish.part = which;
    wish.threads = study->call->threads;
    wish.report = cli_progress_report(&study->progress);
    return study_check(study, zf_images_open(&part->images, path, &wish));
}

static cli_exit open_parts(image_set *set, cli_study *study)
{
    char train[PATH_MAX], test[PATH_MAX];
    if (cli_find_parts(train, test, set->path)) {
        CLI_TRY(open_part(&set->train, study, train, study->size, ZF_IMAGES_TRAIN));
        set->size = zf_images_size(set->train.images);
        return open_part(&set->test, study, test, set->size, ZF_IMAGES_TRAIN);
    }
    CLI_TRY(open_part(&set->train, study, set->path, study->size, ZF_IMAGES_TRAIN));
    set->size = zf_images_size(set->train.images);
    zf_images_kind kind = zf_images_describe(set->train.images)->kind;
    struct stat found;
    if (kind == ZF_IMAGES_FOLDER || kind == ZF_IMAGES_TAR || stat(set->path, &found) != 0 ||
        !S_ISDIR(found.st_mode))
        return cli_fail(CLI_INPUT, "%s: expected two parts, train and test: " IMAGE_SET_HELP,
                        set->path);
    return open_part(&set->test, study, set->path, set->size, ZF_IMAGES_TEST);
}

/* --- which images ------------------------------------------------------------------------ */

/* As many of the labelled images as the scale allows; match renames the classes. */
static cli_exit choose(image_part *part, const cli_study *study, const int32_t *match)
{
    size_t all = zf_images_count(part->images);
    size_t labelled = zf_images_describe(part->images)->labelled, seen = 0;
    double wish = fmax(LEAST_IMAGES, ceil((double)labelled * sqrt(fmin(study->scale, 1))));
    part->n = (size_t)fmin(wish, (double)labelled);
    part->which = malloc((labelled + 1) * sizeof *part->which);
    part->labels = malloc((labelled + 1) * sizeof *part->labels);
    if (!part->which || !part->labels) return cli_fail(CLI_FAILED, "out of memory");
    for (size_t i = 0; i < all && seen < labelled; i++)
        if (zf_images_label(part->images, i) >= 0) part->which[seen++] = (uint32_t)i;
    /* In place: what is picked never lies before where it goes. */
    for (size_t k = 0; k < part->n; k++) {
        part->which[k] = part->which[image_set_place(k, part->n, labelled)];
        int label = zf_images_label(part->images, part->which[k]);
        part->labels[k] = match ? match[label] : label;
    }
    return CLI_DONE;
}

static cli_exit choose_both(image_set *set, const cli_study *study)
{
    size_t classes = zf_images_describe(set->test.images)->classes;
    int32_t *match = malloc((classes + 1) * sizeof *match);
    if (!match) return cli_fail(CLI_FAILED, "out of memory");
    cli_exit exit = cli_check(zf_images_match(set->test.images, set->train.images, match));
    if (exit == CLI_DONE) exit = choose(&set->train, study, NULL);
    if (exit == CLI_DONE) exit = choose(&set->test, study, match);
    free(match);
    return exit;
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

/* --- the set ------------------------------------------------------------------------------- */

static cli_exit prepare(image_set *set, cli_study *study)
{
    CLI_TRY(open_parts(set, study));
    const zf_images_about *train = zf_images_describe(set->train.images);
    const zf_images_about *test = zf_images_describe(set->test.images);
    set->classes = train->classes;
    if (train->labelled == 0 || test->labelled == 0 || set->classes < 2)
        return cli_fail(CLI_INPUT, "%s: expected images of at least two classes in both parts",
                        set->path);
    set->train.seed = study->call->seed;
    set->test.seed = ~study->call->seed;
    name_set(set);
    return choose_both(set, study);
}

cli_exit image_set_open(image_set *set, cli_study *study, const char *path)
{
    *set = (image_set){.path = path};
    cli_exit exit = prepare(set, study);
    if (exit != CLI_DONE) image_set_close(set, study, exit);
    return exit;
}

void image_set_close(image_set *set, cli_study *study, cli_exit exit)
{
    cli_progress_end(&study->progress);
    image_part *parts[] = {&set->train, &set->test};
    for (int i = 0; i < 2; i++) {
        cli_close_images(study->call, exit, parts[i]->images);
        free(parts[i]->which);
        free(parts[i]->labels);
    }
    *set = (image_set){0};
}

cli_exit image_part_read(float **images, const image_part *part, zf_watermark watermark,
                         const uint32_t *places, size_t n)
{
    int size = zf_images_size(part->images);
    size_t pixels = 3 * (size_t)size * (size_t)size;
    float *values = malloc(n * pixels * sizeof *values);
    uint8_t *bytes = malloc(pixels);
    zf_view_options views = zf_view_defaults();
    views.watermark = watermark;
    views.seed = part->seed;
    cli_exit exit = values && bytes ? CLI_DONE : cli_fail(CLI_FAILED, "out of memory");
    for (size_t k = 0; k < n && exit == CLI_DONE; k++) {
        uint32_t which = part->which[places ? places[k] : image_set_place(k, n, part->n)];
        exit = cli_check(zf_images_read(part->images, &which, 1, bytes));
        if (exit == CLI_DONE) zf_view_plain(values + k * pixels, bytes, size, &views, which);
    }
    free(bytes);
    if (exit != CLI_DONE)
        free(values);
    else
        *images = values;
    return exit;
}
