#include "image_sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const cli_test_set_names[] = {"clean", "watermarked"};

/* --- sources ------------------------------------------------------------------------- */

static cli_exit open_sources(cli_image_sets *sets, const cli_call *call, const cli_sets_wish *wish)
{
    zf_images_options options = zf_images_defaults();
    options.size = wish->size;
    options.threads = call->threads;
    options.memory = wish->options[CLI_SETS_MEMORY].whole << 20;
    options.labels = wish->options[CLI_TRAIN_LABELS].text;
    char train[PATH_MAX], test[PATH_MAX];
    if (!wish->test && cli_find_parts(train, test, wish->train)) {
        CLI_TRY(cli_open_images(&sets->train.images, call, train, &options));
        return cli_open_images(&sets->test.images, call, test, &options);
    }
    CLI_TRY(cli_open_images(&sets->train.images, call, wish->train, &options));
    options.labels = wish->options[CLI_TEST_LABELS].text;
    if (wish->test) return cli_open_test_images(&sets->test.images, call, wish->test, &options);
    bool by_class = zf_images_describe(sets->train.images)->kind == ZF_IMAGES_FOLDER;
    if (!by_class && zf_images_has_part(wish->train, ZF_IMAGES_TEST)) {
        options.part = ZF_IMAGES_TEST;
        return cli_open_images(&sets->test.images, call, wish->train, &options);
    }
    sets->split = true;
    sets->test.images = sets->train.images;
    return CLI_DONE;
}

/* --- classes ------------------------------------------------------------------------- */

static cli_exit check_classes(const cli_image_sets *sets)
{
    const zf_images *train = sets->train.images;
    const zf_images_about *about = zf_images_describe(train);
    if (about->labelled == 0 || zf_images_describe(sets->test.images)->labelled == 0)
        return cli_fail(CLI_INPUT,
                        "%s: has no labels: expected CLASS/FILE, or a file of labels beside the "
                        "images or named by --%slabels",
                        zf_images_path(about->labelled == 0 ? train : sets->test.images),
                        about->labelled == 0 ? "" : "test-");
    size_t filled = 0;
    for (size_t c = 0; c < about->classes; c++) {
        size_t count = zf_images_class_count(train, c);
        filled += count > 0;
        if (sets->split && count == 1)
            return cli_fail(CLI_INPUT,
                            "%s: class \"%s\" has one image: expected at least two, of which "
                            "some are judged on",
                            zf_images_path(train), zf_images_class_name(train, c));
    }
    if (filled < 2)
        return cli_fail(CLI_INPUT, "%s: all images are of one class: expected at least two",
                        zf_images_path(train));
    return CLI_DONE;
}

/* --- which images --------------------------------------------------------------------- */

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
    const cli_image_sets *sets;
    const cli_sets_wish *wish;
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
    double share = c->wish->options[CLI_HELD_OUT].real;
    return taken(c->seen[group]++, held_out(n, share), n) == c->test;
}

/* Thins a set to at most `most`, evenly. */
static void thin(cli_image_set *set, size_t most)
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

static cli_exit choose(cli_image_set *set, const choice *c, const cli_value *most)
{
    size_t n = zf_images_count(set->images);
    set->which = malloc((n + 1) * sizeof *set->which);
    set->labels = malloc((n + 1) * sizeof *set->labels);
    if (!set->which || !set->labels) return cli_fail(CLI_FAILED, "out of memory");
    memset(c->seen, 0, (zf_images_describe(set->images)->classes + 1) * sizeof *c->seen);
    for (size_t i = 0; i < n; i++) {
        int label = zf_images_label(set->images, i);
        if (!wanted(c, set->images, label)) continue;
        set->which[set->count] = (uint32_t)i;
        set->labels[set->count++] = c->match && label >= 0 ? c->match[label] : label;
    }
    if (most->given) thin(set, (size_t)most->whole);
    if (set->count == 0)
        return cli_fail(CLI_INPUT, "%s: no image to %s on", zf_images_path(set->images),
                        c->test ? "judge" : "fit");
    return CLI_DONE;
}

static cli_exit choose_all(cli_image_sets *sets, const cli_sets_wish *wish)
{
    size_t known = zf_images_describe(sets->train.images)->classes;
    size_t asked = zf_images_describe(sets->test.images)->classes;
    size_t *seen = malloc(((known > asked ? known : asked) + 1) * sizeof *seen);
    int32_t *match = malloc((asked + 1) * sizeof *match);
    cli_exit exit = seen && match ? CLI_DONE : cli_fail(CLI_FAILED, "out of memory");
    if (exit == CLI_DONE && wish->labelled)
        exit = cli_check(zf_images_match(sets->test.images, sets->train.images, match));
    choice train = {sets, wish, NULL, false, seen};
    choice test = {sets, wish, wish->labelled ? match : NULL, true, seen};
    if (exit == CLI_DONE) exit = choose(&sets->train, &train, &wish->options[CLI_TRAIN_ROWS]);
    if (exit == CLI_DONE) exit = choose(&sets->test, &test, &wish->options[CLI_TEST_ROWS]);
    free(seen);
    free(match);
    sets->classes = known;
    return exit;
}

cli_exit cli_open_sets(cli_image_sets *out, const cli_call *call, const cli_sets_wish *wish)
{
    *out = (cli_image_sets){0};
    CLI_TRY(open_sources(out, call, wish));
    if (wish->labelled) CLI_TRY(check_classes(out));
    return choose_all(out, wish);
}

void cli_close_sets(const cli_call *call, cli_exit exit, cli_image_sets *sets)
{
    cli_close_images(call, exit, sets->train.images);
    if (!sets->split) cli_close_images(call, exit, sets->test.images);
    free(sets->train.which);
    free(sets->train.labels);
    free(sets->test.which);
    free(sets->test.labels);
}
