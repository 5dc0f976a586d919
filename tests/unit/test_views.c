/* Views: the crop against PyTorch, the laws of what is drawn, watermarks, and
   that a view is a function of its address. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "image/views.h"

enum { SIZE = 32, PIXELS = 3 * SIZE * SIZE, DRAWS = 20000 };

static uint8_t image[PIXELS];

static int make_image(void **state)
{
    (void)state;
    for (int i = 0; i < PIXELS; i++) image[i] = (uint8_t)(i * 31 + i / 97);
    return 0;
}

static zf_view_options without_noise(void)
{
    zf_view_options options = zf_view_defaults();
    options.noise = 0;
    return options;
}

static void crops_as_pytorch(void **state)
{
    (void)state;
    golden *file = golden_open("views");
    const float *values = golden_array(file, "picture");
    uint8_t bytes[3 * 12 * 12];
    for (int i = 0; i < 3 * 12 * 12; i++) bytes[i] = (uint8_t)values[i];
    for (int k = 0; k < 3; k++) {
        char name[16];
        float found[3 * 12 * 12];
        snprintf(name, sizeof name, "crop_%d", k);
        const float *c = golden_array(file, name);
        zf_crop crop = {(int)c[1], (int)c[0], (int)c[3], (int)c[2], false};
        snprintf(name, sizeof name, "view_%d", k);
        const float *expected = golden_array(file, name);
        zf_view_resize(found, bytes, 12, crop);
        assert_near(found, expected, 3 * 12 * 12, 1e-6, 1e-6);
        crop.mirrored = true;
        zf_view_resize(found, bytes, 12, crop);
        for (int i = 0; i < 3 * 12 * 12; i++)
            assert_close(found[i / 12 * 12 + 11 - i % 12], expected[i], 1e-6);
    }
    golden_close(file);
}

static float between_pixels(const uint8_t *plane, int size, zf_crop crop, int y, int x)
{
    float rows[2], down = ((float)y + 0.5f) * ((float)crop.height / (float)size) - 0.5f;
    float across = ((float)x + 0.5f) * ((float)crop.width / (float)size) - 0.5f;
    down = down < 0 ? 0 : down;
    across = across < 0 ? 0 : across;
    int top = (int)down, left = (int)across, below = top + 1 < crop.height ? top + 1 : top;
    const uint8_t *upper = plane + (crop.top + top) * size + crop.left;
    const uint8_t *lower = plane + (crop.top + below) * size + crop.left;
    float second = (down - (float)top) / 255, first = 1.0f / 255 - second;
    for (int k = 0; k < 2; k++) {
        int column = left + k < crop.width ? left + k : left;
        rows[k] = first * (float)upper[column] + second * (float)lower[column];
    }
    return rows[0] + (across - (float)left) * (rows[1] - rows[0]);
}

/* Whatever the processor has: sizes that fill vectors and that do not, crops of all widths. */
static void has_the_same_bits_everywhere(void **state)
{
    (void)state;
    enum { MOST = 96 };
    static uint8_t pixels[3 * MOST * MOST];
    static float found[3 * MOST * MOST];
    const int sizes[] = {1, 5, 16, 32, 33, MOST};
    for (int i = 0; i < 3 * MOST * MOST; i++) pixels[i] = (uint8_t)(i * 37 + i / 89);
    for (int s = 0; s < 6; s++)
        for (int width = 1; width <= sizes[s]; width += 1 + width / 9) {
            int size = sizes[s], height = (size + width) / 2;
            zf_crop crop = {.left = size - width,
                            .top = (size - height) / 2,
                            .width = width,
                            .height = height,
                            .mirrored = width % 2 == 0};
            zf_view_resize(found, pixels, size, crop);
            for (int i = 0; i < 3 * size * size; i++) {
                int y = i / size % size, x = i % size, c = i / (size * size);
                float expected = between_pixels(pixels + c * size * size, size, crop, y,
                                                crop.mirrored ? size - 1 - x : x);
                assert_memory_equal(&found[i], &expected, sizeof expected);
            }
        }
}

/* What torchvision's RandomResizedCrop((0.8, 1), (3/4, 4/3)) gives at 32 pixels, by
   its definition: sides never below 0.8 * 3/4, areas within rounding of 0.8 to 1,
   places uniform, half of the views mirrored. */
static void draws_crops_by_their_law(void **state)
{
    (void)state;
    zf_view_options options = zf_view_defaults();
    int mirrored = 0, whole = 0, at_edge = 0, narrow = 0;
    double area = 0, wide = 0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        zf_crop crop = zf_view_crop(&options, SIZE, i, 7, 1);
        assert_in_range(crop.width, 24, SIZE);
        assert_in_range(crop.height, 24, SIZE);
        assert_in_range(crop.left, 0, SIZE - crop.width);
        assert_in_range(crop.top, 0, SIZE - crop.height);
        double share = (double)(crop.width * crop.height) / (SIZE * SIZE);
        assert_true(share > 0.77 && share <= 1);
        area += share;
        wide += log((double)crop.width / crop.height);
        mirrored += crop.mirrored;
        whole += crop.width == SIZE && crop.height == SIZE;
        if (crop.width == SIZE - 1) {
            narrow++;
            at_edge += crop.left == 0;
        }
    }
    assert_close((double)mirrored / DRAWS, 0.5, 0.015);
    assert_close((double)at_edge / narrow, 0.5, 0.05); /* of two places */
    assert_close(wide / DRAWS, 0, 0.005);
    /* From 400,000 draws of the definition in NumPy: mean share 0.8723, whole
       images 0.0191 of all. */
    assert_close(area / DRAWS, 0.8723, 0.002);
    assert_close((double)whole / DRAWS, 0.0191, 0.004);
}

static void is_a_function_of_the_address(void **state)
{
    (void)state;
    zf_view_options options = zf_view_defaults();
    float first[PIXELS], again[PIXELS];
    zf_view_make(first, image, SIZE, &options, 5, 9, 1);
    zf_view_make(again, image, SIZE, &options, 6, 9, 1);
    assert_memory_not_equal(first, again, sizeof first);
    zf_view_make(again, image, SIZE, &options, 5, 10, 1);
    assert_memory_not_equal(first, again, sizeof first);
    zf_view_make(again, image, SIZE, &options, 5, 9, 0);
    assert_memory_not_equal(first, again, sizeof first);
    zf_view_make(again, image, SIZE, &options, 5, 9, 1);
    assert_memory_equal(first, again, sizeof first);
    options.seed = 1;
    zf_view_make(again, image, SIZE, &options, 5, 9, 1);
    assert_memory_not_equal(first, again, sizeof first);
}

/* The difference that noise makes is normal, of its deviation, on every pixel. */
static void adds_noise(void **state)
{
    (void)state;
    zf_view_options clean = without_noise(), noisy = zf_view_defaults();
    float plain[PIXELS], found[PIXELS];
    double sum = 0, squares = 0, fourth = 0, pairs = 0, last = 0;
    long n = 0;
    for (int step = 0; step < 30; step++) {
        zf_view_make(plain, image, SIZE, &clean, 3, (uint64_t)step, 0);
        zf_view_make(found, image, SIZE, &noisy, 3, (uint64_t)step, 0);
        for (int i = 0; i < PIXELS; i++, n++) {
            double z = (double)(found[i] - plain[i]) / 0.01;
            sum += z;
            squares += z * z;
            fourth += z * z * z * z;
            pairs += z * last;
            last = z;
        }
    }
    assert_close(sum / (double)n, 0, 0.015);
    assert_close(squares / (double)n, 1, 0.02);
    assert_close(fourth / (double)n, 3, 0.15);
    assert_close(pairs / (double)n, 0, 0.015);
}

/* Upper left, a ninth of the area, the same in every view, another for each image. */
static void puts_a_patch(void **state)
{
    (void)state;
    zf_view_options options = without_noise(), none = without_noise();
    options.watermark = ZF_WATERMARK_PATCH;
    float a[PIXELS], b[PIXELS], other[PIXELS], clean[PIXELS];
    zf_view_make(a, image, SIZE, &options, 4, 1, 0);
    zf_view_make(b, image, SIZE, &options, 4, 2, 1);
    zf_view_make(other, image, SIZE, &options, 5, 1, 0);
    zf_view_make(clean, image, SIZE, &none, 4, 1, 0);
    double sum = 0, squares = 0;
    int same = 0;
    for (int i = 0; i < PIXELS; i++) {
        int y = i / SIZE % SIZE, x = i % SIZE;
        if (y >= 10 || x >= 10) {
            assert_true(a[i] == clean[i]);
            continue;
        }
        assert_true(a[i] == b[i] && a[i] > 0 && a[i] < 1);
        same += a[i] == other[i];
        sum += (double)a[i];
        squares += (double)a[i] * (double)a[i];
    }
    assert_int_equal(same, 0);
    assert_close(sum / 300, 0.5, 0.05);
    assert_close(squares / 300, 1.0 / 3, 0.05);
    float plain[PIXELS];
    zf_view_plain(plain, image, SIZE, &options, 4);
    assert_memory_equal(plain, a, 10 * sizeof *a);
    assert_true(plain[PIXELS - 1] == (float)image[PIXELS - 1] * (1.0f / 255));
}

static void puts_a_colour(void **state)
{
    (void)state;
    zf_view_options options = without_noise();
    options.watermark = ZF_WATERMARK_COLOUR;
    uint8_t grey[PIXELS];
    for (int i = 0; i < PIXELS; i++) grey[i] = image[i % (SIZE * SIZE)];
    grey[5] = grey[SIZE * SIZE + 5] = grey[2 * SIZE * SIZE + 5] = 255;
    float a[PIXELS], view[PIXELS];
    zf_view_plain(a, grey, SIZE, &options, 4);
    const float colour[3] = {a[5], a[SIZE * SIZE + 5], a[2 * SIZE * SIZE + 5]};
    assert_true(fabsf(colour[0] - colour[1]) > 1e-3f && fabsf(colour[1] - colour[2]) > 1e-3f);
    for (int i = 0; i < PIXELS; i++)
        assert_close(a[i], (float)grey[i] / 255 * colour[i / (SIZE * SIZE)], 1e-5);
    zf_view_make(view, grey, SIZE, &options, 4, 3, 0);
    for (int i = 0; i < SIZE * SIZE; i++)
        assert_close(view[i] * colour[2], view[i + 2 * SIZE * SIZE] * colour[0], 1e-5);
}

static void checks_options(void **state)
{
    (void)state;
    assert_ok(zf_view_check(&(zf_view_options){0.1, 0.1, 1, 1, 0, 0, ZF_WATERMARK_COLOUR, 1}));
    zf_view_options options = zf_view_defaults();
    assert_ok(zf_view_check(&options));
    options.least_area = 1.1;
    assert_fails(zf_view_check(&options), ZF_EINVAL, "area of a view");
    options = zf_view_defaults();
    options.least_ratio = 0;
    assert_fails(zf_view_check(&options), ZF_EINVAL, "ratio of a view");
    options = zf_view_defaults();
    options.noise = (double)NAN;
    assert_fails(zf_view_check(&options), ZF_EINVAL, "noise of a view");
    options = zf_view_defaults();
    options.mirrored = -1;
    assert_fails(zf_view_check(&options), ZF_EINVAL, "mirrored");
    options = zf_view_defaults();
    options.watermark = (zf_watermark)7;
    assert_fails(zf_view_check(&options), ZF_EINVAL, "watermark");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crops_as_pytorch),
        cmocka_unit_test(has_the_same_bits_everywhere),
        cmocka_unit_test(draws_crops_by_their_law),
        cmocka_unit_test(is_a_function_of_the_address),
        cmocka_unit_test(adds_noise),
        cmocka_unit_test(puts_a_patch),
        cmocka_unit_test(puts_a_colour),
        cmocka_unit_test(checks_options),
    };
    return cmocka_run_group_tests(tests, make_image, NULL);
}
