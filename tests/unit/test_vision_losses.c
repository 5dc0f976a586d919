/* Images that cannot be read, and what becomes of features and training: none is replaced by
   another without a word, and what is kept in memory and what is not give the same bits. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "imagefile.h"
#include "scratch.h"
#include "zeroflow/vision.h"

enum { SIZE = 16, N = 20, DAMAGED = 3, GOOD = N - DAMAGED, DIM = 5, BATCH = 6 };

/* Two classes; every sixth image is cut behind its header. */
static void make_set(bool damage)
{
    char name[32];
    scratch_clear();
    for (int i = 0; i < N; i++) {
        image_bytes png = image_scene_png(24, 24, i);
        snprintf(name, sizeof name, "set/%c/%02d.png", i % 2 ? 'b' : 'a', i);
        image_place(name, png.data, damage && i % 6 == 5 ? png.n * 2 / 3 : png.n);
        free(png.data);
    }
}

static zf_images *open_set(bool kept, int threads)
{
    zf_images *images;
    zf_images_options options = zf_images_defaults();
    options.size = SIZE;
    options.threads = threads;
    if (!kept) options.memory = 2 * BATCH * 3 * SIZE * SIZE;
    assert_ok(zf_images_open(&images, scratch_path("set"), &options));
    assert_int_equal(zf_images_describe(images)->in_memory, kept);
    return images;
}

static zf_pretrain_options quick(zf_images *images, int threads)
{
    zf_pretrain_options options = zf_pretrain_defaults(ZF_VISION_SIMCLR);
    options.dim = DIM;
    options.hidden = 4;
    options.batch = BATCH;
    options.iterations = 8;
    options.threads = threads;
    options.views.watermark = ZF_WATERMARK_PATCH;
    options.held_out = images;
    options.watch_every = 3;
    return options;
}

static zf_vision *train(zf_images *images, int threads)
{
    zf_vision *model;
    zf_pretrain_options options = quick(images, threads);
    assert_ok(zf_pretrain(&model, NULL, images, &options));
    return model;
}

static zf_status embed(const zf_vision *model, float *features, zf_images *images)
{
    zf_view_options views = zf_view_defaults();
    views.watermark = ZF_WATERMARK_PATCH;
    return zf_vision_embed(model, features, images, NULL, zf_images_count(images), &views, 2,
                           (zf_report){0});
}

static void the_damaged_are_left_out_either_way(void **state)
{
    (void)state;
    float expected[GOOD * DIM], found[GOOD * DIM];
    make_set(true);
    zf_images *kept = open_set(true, 1);
    assert_int_equal(zf_images_count(kept), GOOD);
    zf_vision *model = train(kept, 1);
    assert_ok(embed(model, expected, kept));
    for (int threads = 1; threads <= 3; threads++) {
        zf_images *streamed = open_set(false, threads);
        assert_int_equal(zf_images_count(streamed), GOOD);
        assert_int_equal(zf_images_describe(streamed)->refused, DAMAGED);
        for (size_t i = 0; i < GOOD; i++)
            assert_string_equal(zf_images_name(streamed, i), zf_images_name(kept, i));
        zf_vision *again = train(streamed, threads);
        assert_ok(embed(again, found, streamed));
        assert_memory_equal(found, expected, sizeof found);
        zf_vision_free(again);
        zf_images_free(streamed);
    }
    zf_vision_free(model);
    zf_images_free(kept);
}

/* Features of an image that is gone are not made up. */
static void features_name_what_vanished(void **state)
{
    (void)state;
    float features[N * DIM];
    make_set(false);
    zf_images *images = open_set(false, 2);
    zf_vision *model = train(images, 2);
    assert_int_equal(unlink(scratch_path("set/a/06.png")), 0);
    assert_fails(embed(model, features, images), ZF_EINPUT,
                 "set: a/06.png: it could be read before and no longer can: No such file");
    assert_int_equal(zf_images_describe(images)->lost, 1);
    zf_vision_free(model);
    zf_images_free(images);
}

/* Removes images at the first report, and stops a few passes later. */
typedef struct removal {
    int lost;
    uint64_t step; /* when they were; 0: they are there */
} removal;

static bool remove_some(void *context, const zf_progress *progress)
{
    removal *r = context;
    char name[32];
    if (r->step > 0) return progress->step < r->step + 10 * N / BATCH;
    for (int i = 0; i < r->lost; i++) {
        snprintf(name, sizeof name, "set/a/%02d.png", 2 * i);
        assert_int_equal(unlink(scratch_path(name)), 0);
    }
    r->step = progress->step;
    return true;
}

static zf_status train_while_removing(zf_images *images, int lost, zf_pretrain_summary *summary)
{
    zf_vision *model = NULL;
    removal r = {.lost = lost};
    zf_pretrain_options options = quick(images, 2);
    options.iterations = 1000000;
    options.watch_every = 1000;
    options.report = (zf_report){.progress = remove_some, .context = &r};
    zf_status status = zf_pretrain(&model, summary, images, &options);
    zf_vision_free(model);
    return status;
}

static void training_tells_what_vanished(void **state)
{
    (void)state;
    zf_pretrain_summary summary;
    make_set(false);
    zf_images *images = open_set(false, 2);
    assert_int_equal(train_while_removing(images, 1, &summary), ZF_EINTERRUPT);
    const zf_images_about *about = zf_images_describe(images);
    assert_int_equal(about->count, N);
    assert_int_equal(about->lost, 1);
    assert_int_equal(about->refused, 1);
    assert_string_equal(about->refusals[0].name, "a/00.png");
    zf_images_free(images);
    make_set(false);
    images = open_set(false, 2);
    assert_fails(train_while_removing(images, N / 2, &summary), ZF_EINPUT,
                 "of its 20 images could be read before and no longer can: expected at most 1");
    zf_images_free(images);
}

/* Looks at held-out images go on without those that are lost. */
static void looks_do_without_what_vanished(void **state)
{
    (void)state;
    make_set(false);
    zf_images *kept = open_set(true, 1), *streamed = open_set(false, 2);
    assert_int_equal(unlink(scratch_path("set/a/06.png")), 0);
    zf_pretrain_options options = quick(streamed, 2);
    zf_pretrain_summary summary;
    zf_vision *model;
    assert_ok(zf_pretrain(&model, &summary, kept, &options));
    assert_int_equal(summary.watched, N - 1);
    assert_int_equal(zf_images_describe(streamed)->lost, 1);
    zf_vision_free(model);
    zf_images_free(kept);
    zf_images_free(streamed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_damaged_are_left_out_either_way),
        cmocka_unit_test(features_name_what_vanished),
        cmocka_unit_test(training_tells_what_vanished),
        cmocka_unit_test(looks_do_without_what_vanished),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
