/* What features are compared with: pixels made smaller, and a network before training. */
#include "support.h"

#include <string.h>

#include "scratch.h"
#include "zeroflow/vision.h"

enum { SIDE = 24, PLANE = SIDE * SIDE, IMAGES = 3 };

static zf_images *open_ramp(void)
{
    static unsigned char file[16 + IMAGES * PLANE];
    const unsigned char head[16] = {0, 0, 8, 3, 0, 0, 0, IMAGES, 0, 0, 0, SIDE, 0, 0, 0, SIDE};
    memcpy(file, head, sizeof head);
    for (int i = 0; i < IMAGES; i++)
        for (int p = 0; p < PLANE; p++) /* column c of image i has i * 51 + 5 c */
            file[16 + i * PLANE + p] = (unsigned char)(51 * i + 5 * (p % SIDE));
    zf_images *images = NULL;
    zf_images_options options = zf_images_defaults();
    options.size = SIDE;
    assert_ok(zf_images_open(&images, scratch_write("ramp", file, sizeof file), &options));
    return images;
}

/* Of 24 columns, 8 places have three each and 16 one and a half. */
static void averages_pixels(void **state)
{
    (void)state;
    zf_images *images = open_ramp();
    const uint32_t which[] = {2, 0};
    zf_view_options views = zf_view_defaults();
    static float whole[2 * 3 * PLANE], eight[2 * 3 * 64], sixteen[2 * 3 * 256], one[2 * 3];
    assert_ok(zf_vision_pixels(whole, SIDE, images, which, 2, &views, 2));
    assert_ok(zf_vision_pixels(eight, 8, images, which, 2, &views, 1));
    assert_ok(zf_vision_pixels(sixteen, 16, images, which, 2, &views, 3));
    assert_ok(zf_vision_pixels(one, 1, images, which, 2, &views, 1));
    assert_close((double)whole[5], (102 + 25) / 255.0, 1e-6);
    assert_close((double)whole[3 * PLANE + 2 * PLANE + SIDE + 1], 5 / 255.0, 1e-6);
    assert_close((double)eight[3], (102 + 5 * 10) / 255.0, 1e-6);
    assert_close((double)eight[64 + 8 * 7 + 7], (102 + 5 * 22) / 255.0, 1e-6);
    /* Place 1 has half of column 1 and all of column 2. */
    assert_close((double)sixteen[1], (102 + 5 * (0.5 + 2) / 1.5) / 255.0, 1e-6);
    assert_close((double)one[1], (102 + 5 * 11.5) / 255.0, 1e-5);
    assert_close((double)one[3], 5 * 11.5 / 255.0, 1e-5);
    assert_fails(zf_vision_pixels(whole, 25, images, which, 2, &views, 1), ZF_EINVAL,
                 "1 to 24, found 25");
    zf_images_free(images);
}

static void goes_back_before_training(void **state)
{
    (void)state;
    enum { DIM = 4 };
    zf_images *images = open_ramp();
    zf_pretrain_options options = zf_pretrain_defaults(ZF_VISION_ZEROFLOW);
    options.dim = DIM, options.hidden = 3, options.batch = 3, options.iterations = 2;
    options.seed = 11;
    zf_vision *trained = NULL, *fresh = NULL, *before = NULL;
    float codes[3][IMAGES * DIM];
    zf_view_options views = zf_view_defaults();
    assert_ok(zf_pretrain(&trained, NULL, images, &options));
    assert_ok(zf_vision_untrained(&fresh, SIDE, &options));
    assert_ok(zf_vision_before_training(&before, trained));
    const zf_vision *const models[] = {trained, fresh, before};
    for (int i = 0; i < 3; i++)
        assert_ok(
            zf_vision_embed(models[i], codes[i], images, NULL, IMAGES, &views, 1, (zf_report){0}));
    assert_memory_equal(codes[1], codes[2], sizeof codes[1]);
    assert_memory_not_equal(codes[0], codes[1], sizeof codes[1]);
    zf_vision_free(trained);
    zf_vision_free(fresh);
    zf_vision_free(before);
    zf_images_free(images);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(averages_pixels),
        cmocka_unit_test(goes_back_before_training),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
