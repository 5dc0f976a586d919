/* Decoders on frozen features: they bring back what the features tell and no more, leave
   out the marks of others, and do not depend on threads. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scratch.h"
#include "zeroflow/reconstruct.h"

enum { IMAGES = 120, TRAIN = 80, SIDE = 16, DIM = 3, PIXELS = SIDE * SIDE };

typedef struct fixture {
    zf_images *images;
    uint32_t which[IMAGES];
    float knowing[IMAGES * DIM], ignorant[IMAGES * DIM];
} fixture;

/* Grey images of two halves, whose shades the first two features know; the third
   never changes. */
static void open_fixture(fixture *f)
{
    static unsigned char file[16 + IMAGES * PIXELS];
    const unsigned char head[16] = {0, 0, 8, 3, 0, 0, 0, IMAGES, 0, 0, 0, SIDE, 0, 0, 0, SIDE};
    float shades[2 * IMAGES];
    memcpy(file, head, sizeof head);
    fill_normal(shades, 2 * IMAGES, 3);
    fill_normal(f->ignorant, IMAGES * DIM, 4);
    for (uint32_t i = 0; i < IMAGES; i++) {
        f->which[i] = i;
        f->knowing[i * DIM + 2] = 7;
        for (int half = 0; half < 2; half++) {
            float shade = 128 + 60 * tanhf(shades[2 * i + (uint32_t)half]);
            f->knowing[i * DIM + (uint32_t)half] = 1000 + shade;
            for (int p = half * PIXELS / 2; p < (half + 1) * PIXELS / 2; p++)
                file[16 + i * PIXELS + (uint32_t)p] = (unsigned char)shade;
        }
    }
    zf_images_options options = zf_images_defaults();
    options.size = SIDE;
    assert_ok(zf_images_open(&f->images, scratch_write("halves", file, sizeof file), &options));
}

static zf_coded_images part_of(fixture *f, const float *features, size_t first, size_t count)
{
    return (zf_coded_images){.images = f->images,
                             .which = f->which + first,
                             .count = count,
                             .views = zf_view_defaults(),
                             .features = features + first * DIM,
                             .dim = DIM};
}

static void brings_back_what_features_know(void **state)
{
    (void)state;
    static fixture f;
    open_fixture(&f);
    const float *const features[] = {f.knowing, f.ignorant};
    zf_reconstruct_options options = zf_reconstruct_defaults();
    options.iterations = 120, options.batch = 32, options.rate = 1e-2;
    zf_reconstruct_error error[2];
    for (int k = 0; k < 2; k++) {
        zf_coded_images train = part_of(&f, features[k], 0, TRAIN);
        zf_coded_images test = part_of(&f, features[k], TRAIN, IMAGES - TRAIN);
        zf_reconstructor *decoder = NULL;
        assert_ok(zf_reconstruct_fit(&decoder, &train, &options));
        assert_ok(zf_reconstruct_measure(decoder, &error[k], &test, 1));
        zf_reconstructor_free(decoder);
    }
    assert_close(error[0].mean, error[1].mean, 0);
    assert_true(error[0].mse < 0.15 * error[0].mean);
    assert_true(error[1].mse > 0.7 * error[1].mean);
    zf_images_free(f.images);
}

/* The measure is the mean over what decoding gives, and the mean image's is by hand. */
static void measures_what_it_decodes(void **state)
{
    (void)state;
    static fixture f;
    enum { TEST = IMAGES - TRAIN, SIZE = 3 * PIXELS };
    static float decoded[TEST * SIZE], again[TEST * SIZE], image[SIZE], mean[SIZE];
    static uint8_t bytes[SIZE];
    open_fixture(&f);
    zf_coded_images train = part_of(&f, f.knowing, 0, TRAIN);
    zf_coded_images test = part_of(&f, f.knowing, TRAIN, TEST);
    train.views.watermark = test.views.watermark = ZF_WATERMARK_PATCH;
    train.views.seed = 1, test.views.seed = 2;
    zf_reconstruct_options options = zf_reconstruct_defaults();
    options.iterations = 4, options.batch = 10, options.threads = 1;
    zf_reconstructor *decoder = NULL, *other = NULL;
    zf_reconstruct_error error, same;
    assert_ok(zf_reconstruct_fit(&decoder, &train, &options));
    options.threads = 3;
    assert_ok(zf_reconstruct_fit(&other, &train, &options));
    assert_ok(zf_reconstruct_measure(decoder, &error, &test, 1));
    assert_ok(zf_reconstruct_measure(other, &same, &test, 3));
    assert_ok(zf_reconstruct_decode(decoder, decoded, test.features, TEST, 1));
    assert_ok(zf_reconstruct_decode(other, again, test.features, TEST, 2));
    assert_memory_equal(decoded, again, sizeof decoded);
    assert_memory_equal(&error, &same, sizeof error);
    for (uint32_t i = 0; i < TRAIN; i++) {
        assert_ok(zf_images_read(f.images, &i, 1, bytes));
        zf_view_plain(image, bytes, SIDE, &train.views, i);
        for (int k = 0; k < SIZE; k++) mean[k] += image[k] / TRAIN;
    }
    double squares = 0, floor = 0;
    for (uint32_t i = 0; i < TEST; i++) {
        uint32_t number = TRAIN + i;
        assert_ok(zf_images_read(f.images, &number, 1, bytes));
        zf_view_plain(image, bytes, SIDE, &test.views, number);
        for (int k = 0; k < SIZE; k++) {
            squares += pow((double)(decoded[i * SIZE + (uint32_t)k] - image[k]), 2);
            floor += pow((double)(mean[k] - image[k]), 2);
        }
    }
    assert_close(error.mse, squares / (TEST * SIZE), 1e-6);
    assert_close(error.mean, floor / (TEST * SIZE), 1e-6);
    zf_reconstructor_free(decoder);
    zf_reconstructor_free(other);
    zf_images_free(f.images);
}

static void refuses_what_it_cannot(void **state)
{
    (void)state;
    static fixture f;
    open_fixture(&f);
    zf_reconstructor *decoder = NULL;
    zf_reconstruct_error error;
    zf_reconstruct_options options = {
        .struct_size = sizeof options, .iterations = 1, .batch = 1000, .rate = 1e-3};
    zf_coded_images train = part_of(&f, f.knowing, 0, TRAIN);
    f.knowing[4] = NAN;
    assert_fails(zf_reconstruct_fit(&decoder, &train, &options), ZF_EINPUT,
                 "features, row 2: feature 2 is not a finite number");
    f.knowing[4] = 0;
    f.which[3] = IMAGES;
    assert_fails(zf_reconstruct_fit(&decoder, &train, &options), ZF_EINVAL,
                 "image 120 is beyond the set of 120");
    f.which[3] = 3;
    options.iterations = 0;
    assert_fails(zf_reconstruct_fit(&decoder, &train, &options), ZF_EINVAL, "iterations");
    options.iterations = 1;
    train.count = 0;
    assert_fails(zf_reconstruct_fit(&decoder, &train, &options), ZF_EINPUT, "found 0");
    assert_null(decoder);
    train.count = TRAIN;
    assert_ok(zf_reconstruct_fit(&decoder, &train, &options)); /* a batch of all there are */
    train.dim = 2;
    assert_fails(zf_reconstruct_measure(decoder, &error, &train, 1), ZF_EINVAL,
                 "16 pixels with 3 features");
    zf_reconstructor_free(decoder);
    zf_reconstructor_free(NULL);
    zf_images_free(f.images);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brings_back_what_features_know),
        cmocka_unit_test(measures_what_it_decodes),
        cmocka_unit_test(refuses_what_it_cannot),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
