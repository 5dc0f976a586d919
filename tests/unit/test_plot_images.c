/* Images side by side: every pixel in its place and of its colour. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

#include "raster.h"
#include "scratch.h"
#include "zeroflow/plot.h"

/* Red, green, blue and a grey that lies outside of 0 to 1 in two planes. */
static const float four[12] = {1, 0, 0, 0.2f, /* red */ 0, 1, 0, -3, /* green */ 0, 0, 1, 7};

static void draws_each_pixel(void **state)
{
    (void)state;
    const float *const images[] = {four, four, four};
    const char *const captions[] = {"one", "two", "a caption that is too long for its image"};
    const zf_image_row rows[] = {{NULL, images, NULL, 3}, {"below", images, captions, 2}};
    const char *path = scratch_path("a.png");
    assert_ok(zf_plot_images(path, &(zf_figure){.width = 240}, 2, rows, 2));
    raster p = raster_read(path);
    assert_int_equal(p.width, 480);
    /* 212 units for three images and two gaps of 6: squares of 66 units, cells of
       66 pixels, from 14 units on. */
    assert_int_equal(raster_at(&p, 28, 28), 0xFF0000);
    assert_int_equal(raster_at(&p, 28 + 66, 28), 0x00FF00);
    assert_int_equal(raster_at(&p, 28, 28 + 66), 0x0000FF);
    assert_int_equal(raster_at(&p, 28 + 131, 28 + 131), 0x3300FF);
    assert_int_equal(raster_at(&p, 28 + 132, 28), 0xFFFFFF);
    assert_int_equal(raster_count(&p, 0xFF0000, 0, 0, p.width, p.height), 5 * 66 * 66);
    assert_int_equal(raster_count(&p, 0x3300FF, 0, 0, p.width, p.height), 5 * 66 * 66);
    free(p.rgb);
}

static void writes_svg_too(void **state)
{
    (void)state;
    const float *const images[] = {four};
    const zf_image_row row = {"one & only", images, NULL, 1};
    size_t n;
    assert_ok(zf_plot_images(scratch_path("a.svg"), &(zf_figure){0}, 2, &row, 1));
    char *text = scratch_read(scratch_path("a.svg"), &n);
    assert_true(xml_well_formed(text));
    assert_non_null(strstr(text, "<image"));
    assert_non_null(strstr(text, "one &amp; only"));
    free(text);
}

static void refuses_nonsense(void **state)
{
    (void)state;
    const float *const images[] = {four};
    const zf_image_row row = {NULL, images, NULL, 1}, none = {NULL, images, NULL, 0};
    const char *path = scratch_path("none.png");
    zf_figure figure = {0};
    assert_fails(zf_plot_images(path, &figure, 0, &row, 1), ZF_EINVAL, "images of 0 pixels");
    assert_fails(zf_plot_images(path, &figure, 2, &row, 0), ZF_EINVAL, "a figure of 0 rows");
    assert_fails(zf_plot_images(path, &figure, 2, &none, 1), ZF_EINVAL, "row 1 has 0 images");
    assert_false(scratch_exists(path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_each_pixel),
        cmocka_unit_test(writes_svg_too),
        cmocka_unit_test(refuses_nonsense),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
