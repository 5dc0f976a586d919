#include "job/image_sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const zf_test_set_names[] = {"clean", "watermarked"};

void zf_image_sets_defaults(zf_image_sets_values *values)
{
    values->train_rows = values->test_rows = ZF_AUTO;
}

/* --- sources ------------------------------------------------------------------------- */

static zf_status open_sources(zf_image_sets *sets, zf_run *run, const zf_image_sets_wish *wish)
{
    zf_images_options options = zf_images_defaults();
    options.size = wish->size;
    options.threads = run->threads;
    options.memory = wish->values->memory << 20;
    options.labels = wish->values->labels;
    char train[PATH_MAX], test[PATH_MAX];
    if (!wish->test && zf_image_input_parts(train, test, wish->train)) {
        ZF_TRY(zf_image_input_open(&sets->train.images, run, train, &options));
        return zf_image_input_open(&sets->test.images, run, test, &options);
    }
    ZF_TRY(zf_image_input_open(&sets->train.images, run, wish->train, &options));
    options.labels = wish->values->test_labels;
    if (wish->test) return zf_image_input_open_tests(&sets->test.images, run, wish->test, &options);
    bool by_class = zf_images_describe(sets->train.images)->kind == ZF_IMAGES_FOLDER;
    if (!by_class && zf_images_has_part(wish->train, ZF_IMAGES_TEST)) {
        options.part = ZF_IMAGES_TEST;
        return zf_image_input_open(&sets->test.images, run, wish->train, &options);
    }
    sets->split = true;
    sets->test.images = sets->train.images;
    return ZF_OK;
}

/* --- classes ------------------------------------------------------------------------- */

static zf_status check_classes(const zf_image_sets *sets)
{
    const zf_images *train = sets->train.images;
    const zf_images_about *about = zf_images_describe(train);
    if (about->labelled == 0 || zf_images_describe(sets->test.images)->labelled == 0)
        return zf_fail(
            ZF_EINPUT,
            "%s: no labels: expected CLASS/FILE, or a file of labels beside the images or named "
            "by %s%slabels",
            zf_images_path(about->labelled == 0 ? train : sets->test.images), zf_option_prefix(),
            about->labelled == 0 ? "" : "test-");
    size_t filled = 0;
    for (size_t c = 0; c < about->classes; c++) {
        size_t count = zf_images_class_count(train, c);
        filled += count > 0;
        if (sets->split && count == 1)
            return zf_fail(
                ZF_EINPUT,
                "%s: class \"%s\" has one image: expected at least two, some of which are used for "
                "testing",
                zf_images_path(train), zf_images_class_name(train, c));
    }
    if (filled < 2)
        return zf_fail(ZF_EINPUT, "%s: all images are of one class: expected at least two",
                       zf_images_path(train));
    return ZF_OK;
}

/* --- which images ---------------------------------------------------------------------- */

/* Whether item i of n is one of k that are taken evenly. */
static bool taken(size_t i, size_t k, size_t n)
{
    return (i + 1) * k / n > i * k / n;
}

/* Of each class (or of all without one), how many are held out: its share, and at least one
   of two. */
static size_t held_out(size_t n, double share)
{
    size_t k = (size_t)llround(share * (double)n);
    if (k < 1 && n > 1) k = 1;
    return k >= n && n > 0 ? n - 1 : k;
}

/* One set's images, in order: those of a split's half, or all. */
typedef struct choice {
    const zf_image_sets *sets;
    const zf_image_sets_wish *wish;
    const int32_t *match; /* of the set's classes to those of training; NULL: none needed */
    bool test;
    size_t *seen; /* [classes + 1] images of each class so far; the last: without */
} choice;

static bool wanted(const choice *c, const zf_images *images, int label)
{
    if (c->wish->labelled && label < 0) return false;
    if (!c->sets->split) return true;
    const zf_images_about *about = zf_images_describe(images);
    size_t group = label < 0 ? about->classes : (size_t)label;
    size_t n = label < 0 ? about->count - about->labelled : zf_images_class_count(images, group);
    size_t k = held_out(n, c->wish->values->held_out);
    return taken(c->seen[group]++, k, n) == c->test;
}

/* Thins a set to at most `most`, evenly. */
static void thin(zf_image_set *set, size_t most)
{
    size_t kept = 0, all = set->count;
    if (all <= most) return;
    for (size_t i = 0; i < all; i++) {
        if (!taken(i, most, all)) continue;
        set->which[kept] = set->which[i];
        set->labels[kept++] = set->labels[i];
    }
    set->count = kept;
}

static zf_status choose(zf_image_set *set, const choice *c, int most)
{
    size_t n = zf_images_count(set->images);
    set->which = malloc((n + 1) * sizeof *set->which);
    set->labels = malloc((n + 1) * sizeof *set->labels);
    if (!set->which || !set->labels) return zf_fail_memory(n * sizeof *set->labels);
    memset(c->seen, 0, (zf_images_describe(set->images)->classes + 1) * sizeof *c->seen);
    for (size_t i = 0; i < n; i++) {
        int label = zf_images_label(set->images, i);
        if (!wanted(c, set->images, label)) continue;
        set->which[set->count] = (uint32_t)i;
        set->labels[set->count++] = c->match && label >= 0 ? c->match[label] : label;
    }
    if (most != ZF_AUTO) thin(set, (size_t)most);
    if (set->count == 0)
        return zf_fail(ZF_EINPUT, "%s: no image to %s on", zf_images_path(set->images),
                       c->test ? "judge" : "fit");
    return ZF_OK;
}

static zf_status choose_all(zf_image_sets *sets, const zf_image_sets_wish *wish)
{
    size_t known = zf_images_describe(sets->train.images)->classes;
    size_t asked = zf_images_describe(sets->test.images)->classes;
    size_t *seen = malloc(((known > asked ? known : asked) + 1) * sizeof *seen);
    int32_t *match = malloc((asked + 1) * sizeof *match);
    zf_status status = seen && match ? ZF_OK : zf_fail_memory((known + asked) * sizeof *seen);
    if (status == ZF_OK && wish->labelled)
        status = zf_images_match(sets->test.images, sets->train.images, match);
    choice train = {sets, wish, NULL, false, seen};
    choice test = {sets, wish, wish->labelled ? match : NULL, true, seen};
    if (status == ZF_OK) status = choose(&sets->train, &train, wish->values->train_rows);
    if (status == ZF_OK) status = choose(&sets->test, &test, wish->values->test_rows);
    free(seen);
    free(match);
    sets->classes = known;
    return status;
}

/* --- the sets -------------------------------------------------------------------------- */

zf_status zf_image_sets_open(zf_image_sets *out, zf_run *run, const zf_image_sets_wish *wish)
{
    ZF_TRY(open_sources(out, run, wish));
    if (wish->labelled) ZF_TRY(check_classes(out));
    return choose_all(out, wish);
}

void zf_image_sets_free(zf_image_sets *sets)
{
    if (!sets->split) zf_images_free(sets->test.images);
    zf_images_free(sets->train.images);
    free(sets->train.which);
    free(sets->train.labels);
    free(sets->test.which);
    free(sets->test.labels);
    *sets = (zf_image_sets){0};
}

void zf_image_sets_warn(zf_run *run, zf_status status, const zf_image_sets *sets)
{
    zf_image_input_warn(run, status, sets->train.images);
    if (!sets->split) zf_image_input_warn(run, status, sets->test.images);
}

void zf_image_sets_answer(json_t *object, const zf_image_sets *sets)
{
    zf_image_input_answer(object, sets->train.images, sets->test.images);
}

zf_set_views zf_image_sets_views(zf_watermark watermark, uint64_t seed)
{
    zf_view_options views = zf_view_defaults();
    zf_set_views shown = {.n_tests = watermark == ZF_WATERMARK_NONE ? 1 : ZF_TEST_SETS};
    views.watermark = watermark;
    views.seed = seed;
    shown.train = views;
    views.seed++;
    shown.test[ZF_MARKED] = views;
    views.watermark = ZF_WATERMARK_NONE;
    shown.test[ZF_CLEAN] = views;
    return shown;
}

double zf_image_sets_chance(const zf_image_sets *sets)
{
    size_t best = 0, most = 0, right = 0;
    for (size_t c = 0; c < sets->classes; c++) {
        size_t count = 0;
        for (size_t i = 0; i < sets->train.count; i++) count += (size_t)sets->train.labels[i] == c;
        if (count > most) most = count, best = c;
    }
    for (size_t i = 0; i < sets->test.count; i++) right += (size_t)sets->test.labels[i] == best;
    return (double)right / (double)sets->test.count;
}
