/* Batches: the same whether images are in memory or decoded on the way, from
   the start or resumed, and each pass shows every image once. */
#include "support.h"

#include <archive.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image/stream.h"
#include "imagefile.h"
#include "scratch.h"

enum { N = 23, SIZE = 16, BYTES = 3 * SIZE * SIZE, BATCH = 7, STEPS = 10 };

static const char *make_archive(bool damage)
{
    static char names[N][16];
    image_entry entries[N];
    scratch_clear();
    for (int i = 0; i < N; i++) {
        strcpy(names[i], "a/00.png");
        names[i][2] = (char)('0' + i / 10);
        names[i][3] = (char)('0' + i % 10);
        entries[i] = (image_entry){names[i], image_scene_png(20, 20, i)};
    }
    if (damage) entries[5].bytes.n = entries[6].bytes.n = 60;
    const char *path = image_tar("set.tar", ARCHIVE_FORMAT_TAR_USTAR, entries, N);
    for (int i = 0; i < N; i++) free(entries[i].bytes.data);
    return path;
}

static zf_images *open_set(const char *path, uint64_t memory, int threads)
{
    zf_images *images;
    zf_images_options options = zf_images_defaults();
    options.size = SIZE;
    options.memory = memory;
    options.threads = threads;
    assert_ok(zf_images_open(&images, path, &options));
    return images;
}

typedef struct record {
    uint32_t which[STEPS][BATCH];
    uint8_t pixels[STEPS][BATCH][BYTES];
} record;

static void follow(record *out, zf_images *images, uint64_t seed, int from)
{
    zf_image_stream *stream;
    assert_ok(zf_image_stream_new(&stream, images, seed, BATCH, (uint64_t)from));
    for (int s = from; s < STEPS; s++) {
        const uint8_t *const *bytes;
        const uint32_t *which;
        assert_ok(zf_image_stream_next(stream, &bytes, &which));
        for (int i = 0; i < BATCH; i++) {
            out->which[s][i] = which[i];
            memcpy(out->pixels[s][i], bytes[i], BYTES);
        }
    }
    zf_image_stream_free(stream);
}

static void same_batches_either_way(void **state)
{
    (void)state;
    static record expected, found;
    const char *path = make_archive(false);
    zf_images *whole = open_set(path, 1 << 20, 1);
    assert_true(zf_images_describe(whole)->in_memory);
    follow(&expected, whole, 4, 0);
    for (int threads = 1; threads <= 3; threads++) {
        zf_images *parts = open_set(path, 2 * BATCH * BYTES, threads);
        assert_false(zf_images_describe(parts)->in_memory);
        memset(&found, 0, sizeof found);
        follow(&found, parts, 4, 0);
        assert_memory_equal(&found, &expected, sizeof expected);
        memset(&found, 0, sizeof found);
        follow(&found, parts, 4, 6);
        assert_memory_equal(found.which[6], expected.which[6], sizeof expected.which[6] * 4);
        assert_memory_equal(found.pixels[6], expected.pixels[6], sizeof expected.pixels[6] * 4);
        follow(&found, parts, 5, 0);
        assert_memory_not_equal(found.which, expected.which, sizeof expected.which);
        zf_images_free(parts);
    }
    zf_images_free(whole);
}

static void a_pass_shows_each_once(void **state)
{
    (void)state;
    static record r;
    zf_images *images = open_set(make_archive(false), 1 << 20, 1);
    follow(&r, images, 1, 0);
    int seen[3][N] = {{0}};
    for (int place = 0; place < STEPS * BATCH; place++)
        if (place < 3 * N) seen[place / N][((const uint32_t *)r.which)[place]]++;
    for (int pass = 0; pass < 3; pass++)
        for (int i = 0; i < N; i++) assert_int_equal(seen[pass][i], 1);
    zf_images_free(images);
}

/* Damaged images are no part of a set, whether it is kept or not. */
static void same_batches_without_the_damaged(void **state)
{
    (void)state;
    static record expected, found;
    const char *path = make_archive(true);
    zf_images *whole = open_set(path, 1 << 20, 1);
    assert_int_equal(zf_images_count(whole), N - 2);
    follow(&expected, whole, 4, 0);
    for (int threads = 1; threads <= 3; threads++) {
        zf_images *parts = open_set(path, 2 * BATCH * BYTES, threads);
        const zf_images_about *about = zf_images_describe(parts);
        assert_false(about->in_memory);
        assert_int_equal(about->count, N - 2);
        assert_int_equal(about->refused, 2);
        assert_string_equal(about->refusals[1].name, "a/06.png");
        follow(&found, parts, 4, 0);
        assert_memory_equal(&found, &expected, sizeof expected);
        assert_int_equal(about->refused, 2);
        zf_images_free(parts);
    }
    zf_images_free(whole);
}

static const char *make_folder(void)
{
    char name[32];
    scratch_clear();
    for (int i = 0; i < N; i++) {
        image_bytes png = image_scene_png(20, 20, i);
        snprintf(name, sizeof name, "set/a/%02d.png", i);
        image_place(name, png.data, png.n);
        free(png.data);
    }
    return scratch_path("set");
}

/* An image that vanishes is counted, and its rows are drawn again from the others, the same
   ones on any number of threads; all other rows stay what they were. */
static void draws_again_for_what_is_lost(void **state)
{
    (void)state;
    static record expected, found, again;
    enum { GONE = 5 };
    for (int threads = 1; threads <= 3; threads++) {
        uint8_t pixels[N][BYTES];
        uint32_t all[N];
        for (uint32_t i = 0; i < N; i++) all[i] = i;
        const char *path = make_folder();
        zf_images *whole = open_set(path, 1 << 20, 1);
        assert_ok(zf_images_read(whole, all, N, pixels[0]));
        follow(&expected, whole, 4, 0);
        zf_images_free(whole);
        zf_images *parts = open_set(path, 2 * BATCH * BYTES, threads);
        assert_int_equal(unlink(scratch_path("set/a/05.png")), 0);
        follow(&found, parts, 4, 0);
        int redrawn = 0;
        for (int s = 0; s < STEPS; s++)
            for (int i = 0; i < BATCH; i++) {
                uint32_t is = found.which[s][i], was = expected.which[s][i];
                if (was != GONE) assert_int_equal(is, was);
                assert_int_not_equal(is, GONE);
                assert_memory_equal(found.pixels[s][i], pixels[is], BYTES);
                redrawn += is != was;
            }
        assert_int_equal(redrawn, 3); /* once a pass */
        assert_int_equal(zf_images_describe(parts)->lost, 1);
        assert_int_equal(zf_images_describe(parts)->refused, 1);
        assert_string_equal(zf_images_describe(parts)->refusals[0].name, "a/05.png");
        if (threads > 1) assert_memory_equal(&found, &again, sizeof found);
        again = found;
        zf_images_free(parts);
    }
}

/* Too many, or all, are an error on any number of threads, and no endless search. */
static void ends_when_too_many_are_lost(void **state)
{
    (void)state;
    for (int gone = 2; gone <= N; gone += N - 2)
        for (int threads = 1; threads <= 3; threads++) {
            char name[32];
            zf_image_stream *stream;
            const uint8_t *const *bytes;
            const uint32_t *which;
            zf_status status = ZF_OK;
            zf_images *images = open_set(make_folder(), 2 * BATCH * BYTES, threads);
            for (int i = 0; i < gone; i++) {
                snprintf(name, sizeof name, "set/a/%02d.png", i);
                assert_int_equal(unlink(scratch_path(name)), 0);
            }
            assert_ok(zf_image_stream_new(&stream, images, 4, BATCH, 0));
            for (int s = 0; s < STEPS && status == ZF_OK; s++)
                status = zf_image_stream_next(stream, &bytes, &which);
            assert_fails(status, ZF_EINPUT,
                         "of its 23 images could be read before and no longer can: expected at "
                         "most 1 such");
            zf_image_stream_free(stream);
            zf_images_free(images);
        }
}

static void keeps_to_its_memory(void **state)
{
    (void)state;
    zf_image_stream *stream;
    zf_images *images = open_set(make_archive(false), 2 * BATCH * BYTES, 1);
    assert_fails(zf_image_stream_new(&stream, images, 0, BATCH + 1, 0), ZF_EINVAL,
                 "two batches of 8 images");
    assert_fails(zf_image_stream_new(&stream, images, 0, 0, 0), ZF_EINVAL, "batch: expected 1");
    zf_images_free(images);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_batches_either_way),
        cmocka_unit_test(a_pass_shows_each_once),
        cmocka_unit_test(same_batches_without_the_damaged),
        cmocka_unit_test(draws_again_for_what_is_lost),
        cmocka_unit_test(ends_when_too_many_are_lost),
        cmocka_unit_test(keeps_to_its_memory),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
