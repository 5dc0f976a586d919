/* Which pixels a code depends on (src/vision/audit.c), on encoders for which it is known. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "kernel/dispatch.h"
#include "scratch.h"
#include "vision/model.h"
#include "zeroflow/audit.h"

enum { SIZE = 32, PIXELS = SIZE * SIZE, RECORD = 1 + 3 * PIXELS, COUNT = 5 };

static zf_images *noise(void)
{
    static unsigned char records[COUNT * RECORD];
    zf_random random = zf_random_at(1, ZF_FOR_TEST, 0, 0);
    for (int i = 0; i < COUNT * RECORD; i++)
        records[i] = i % RECORD == 0 ? 0 : (unsigned char)zf_random_word(&random);
    scratch_write("data.bin", records, sizeof records);
    zf_images *images;
    zf_images_options options = zf_images_defaults();
    assert_ok(zf_images_open(&images, scratch_path("data.bin"), &options));
    return images;
}

static zf_vision *untrained(int size)
{
    zf_vision *model;
    zf_pretrain_options options = zf_pretrain_defaults(ZF_VISION_SIMCLR);
    options.dim = 6;
    options.hidden = 4;
    assert_ok(zf_vision_untrained(&model, size, &options));
    return model;
}

static zf_audit_options covering(int window, int stride)
{
    zf_audit_options options = zf_audit_defaults();
    options.window = window;
    options.stride = stride;
    options.threads = 2;
    return options;
}

/* Who covers all of an image makes another one of it. */
static void whole_is_one(void **state)
{
    (void)state;
    zf_images *images = noise();
    zf_vision *model = untrained(SIZE);
    static float map[2 * PIXELS];
    zf_audit_options options = covering(SIZE, SIZE);
    assert_ok(zf_vision_audit(model, map, images, (uint32_t[]){4, 0}, 2, &options));
    for (int i = 0; i < 2 * PIXELS; i++) assert_true(map[i] == 1);
    zf_vision_free(model);
    zf_images_free(images);
}

/* An encoder whose last layer reads the upper left 8 x 8 places only: three convolutions
   of 3 x 3 bring them 11 x 11 pixels, so windows of 4 from 12 on do not count. Without AMX
   the larger of Winograd's tiles round pixels together (kernel/conv_stack.h). */
static void finds_the_corner(void **state)
{
    (void)state;
    zf_images *images = noise();
    zf_vision *model = untrained(SIZE);
    int last = zf_params_find(model->params, "encoder.3.weight");
    assert_true(last >= 0);
    float *weights = zf_params_data(model->params, last);
    for (int i = 0; i < 6 * PIXELS; i++)
        if (i % SIZE >= 8 || i % PIXELS / SIZE >= 8) weights[i] = 0;
    static float map[PIXELS], other[PIXELS];
    const bool large_tiles = zf_isa_current() != ZF_BASELINE && !zf_tiles_usable();
    const float rounding = large_tiles ? 1e-5f : 0;
    zf_audit_options options = covering(4, 4);
    assert_ok(zf_vision_audit(model, map, images, (uint32_t[]){2}, 1, &options));
    for (int i = 0; i < PIXELS; i++)
        if (i % SIZE >= 12 || i / SIZE >= 12)
            assert_true(map[i] <= rounding);
        else if (i % SIZE < 8 && i / SIZE < 8)
            assert_true(map[i] > 0.01f);
    options.threads = 3;
    assert_ok(zf_vision_audit(model, other, images, (uint32_t[]){2}, 1, &options));
    assert_memory_equal(map, other, sizeof map);
    zf_vision_free(model);
    zf_images_free(images);
}

/* Windows of 5 at 0, 3, 6, ... and a last one that ends with the image: every pixel is
   in one. */
static void leaves_no_pixel_out(void **state)
{
    (void)state;
    zf_images *images = noise();
    zf_vision *model = untrained(SIZE);
    static float map[PIXELS];
    zf_audit_options options = covering(5, 3);
    assert_ok(zf_vision_audit(model, map, images, (uint32_t[]){0}, 1, &options));
    for (int i = 0; i < PIXELS; i++) assert_true(map[i] > 0 && map[i] < 1);
    zf_vision_free(model);
    zf_images_free(images);
}

static bool stop(void *context, const zf_progress *progress)
{
    (void)context, (void)progress;
    return false;
}

static void refuses(void **state)
{
    (void)state;
    zf_images *images = noise();
    zf_vision *model = untrained(SIZE), *larger = untrained(64);
    static float map[PIXELS];
    uint32_t first = 0, beyond = COUNT;
    zf_audit_options options = covering(33, 4);
    assert_fails(zf_vision_audit(model, map, images, &first, 1, &options), ZF_EINVAL, "window");
    options = covering(4, 5);
    assert_fails(zf_vision_audit(model, map, images, &first, 1, &options), ZF_EINVAL, "stride");
    options = covering(0, 0);
    options.others = 0;
    assert_fails(zf_vision_audit(model, map, images, &first, 1, &options), ZF_EINVAL, "others");
    options = covering(0, 0);
    assert_fails(zf_vision_audit(model, map, images, &first, 0, &options), ZF_EINVAL, "no images");
    assert_fails(zf_vision_audit(model, map, images, &beyond, 1, &options), ZF_EINVAL, "5");
    assert_fails(zf_vision_audit(larger, map, images, &first, 1, &options), ZF_EINPUT,
                 "for a model of 64");
    options.report.progress = stop;
    assert_fails(zf_vision_audit(model, map, images, &first, 1, &options), ZF_EINTERRUPT,
                 "interrupted after 1 of 4 covered images");
    zf_vision_free(larger);
    zf_vision_free(model);
    zf_images_free(images);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_is_one),
        cmocka_unit_test(finds_the_corner),
        cmocka_unit_test(leaves_no_pixel_out),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
