/* One scene in both kinds of file: what is where, in which colour; escaping;
   the palette; the same bytes twice. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/palette.h"
#include "plot/png.h"
#include "plot/svg.h"
#include "raster.h"
#include "scratch.h"

static const zf_colour RED = {200, 0, 0, 255}, GREEN = {0, 150, 0, 255}, BLUE = {0, 0, 250, 255};

static zf_scene small_scene(void)
{
    static const zf_colour cells[] = {{10, 20, 30, 255}, {40, 50, 60, 255}};
    zf_scene scene = zf_scene_new(60, 40);
    scene.title = "a & b";
    zf_scene_box(&scene, (zf_box){2, 2, 10, 10}, RED, ZF_NO_STROKE);
    zf_scene_circle(&scene, 25, 10, 6, GREEN, (zf_stroke){BLUE, 2, 0});
    zf_scene_segment(&scene, 40, 5, 58, 5, (zf_stroke){BLUE, 2, 0});
    zf_scene_polygon(&scene, (zf_point[]){{40, 10}, {56, 10}, {40, 26}}, 3, RED);
    zf_scene_image(&scene, (zf_box){4, 24, 20, 10}, cells, 2, 1);
    zf_scene_text(&scene, 30, 38, "<x> & \"é\" \xff\x01 日",
                  (zf_plot_type){.size = 8, .colour = {0, 0, 0, 255}, .turn = 15});
    zf_scene_text(&scene, 30, 30, "l", (zf_plot_type){.size = 10, .colour = RED, .anchor = ZF_END});
    zf_scene_segment(&scene, NAN, 5, 58, 5, (zf_stroke){RED, 2, 0}); /* left out */
    zf_scene_circle(&scene, INFINITY, 5, 5, RED, ZF_NO_STROKE);
    return scene;
}

static void pixels_are_where_they_belong(void **state)
{
    (void)state;
    zf_scene scene = small_scene();
    zf_bytes bytes = {0};
    assert_ok(zf_png_write(&bytes, &scene, 2));
    raster p = raster_read(scratch_write("a.png", bytes.data, bytes.n));
    assert_int_equal(p.width, 120);
    assert_int_equal(p.height, 80);
    assert_int_equal(raster_at(&p, 0, 0), 0xFFFFFF);
    assert_int_equal(raster_at(&p, 4, 4), 0xC80000);
    assert_int_equal(raster_at(&p, 23, 23), 0xC80000);
    assert_int_equal(raster_at(&p, 24, 24), 0xFFFFFF);
    assert_int_equal(raster_at(&p, 50, 20), 0x009600);
    assert_int_equal(raster_at(&p, 50 + 12, 20), 0x0000FA); /* on its rim */
    assert_int_equal(raster_at(&p, 100, 9), 0x0000FA);
    assert_int_equal(raster_at(&p, 100, 13), 0xFFFFFF);
    assert_int_equal(raster_at(&p, 82, 40), 0xC80000);
    assert_int_equal(raster_at(&p, 110, 50), 0xFFFFFF); /* beyond the slanted side */
    assert_int_equal(raster_at(&p, 10, 50), 0x0A141E);
    assert_int_equal(raster_at(&p, 40, 66), 0x28323C);
    assert_true(raster_count(&p, 0x000000, 60, 50, 58, 28) > 20); /* text */
    free(p.rgb);
    free(bytes.data);
    zf_scene_free(&scene);
}

static void svg_is_xml(void **state)
{
    (void)state;
    zf_scene scene = small_scene();
    zf_bytes bytes = {0};
    assert_ok(zf_svg_write(&bytes, &scene));
    zf_bytes_add(&bytes, "", 1);
    const char *text = (const char *)bytes.data;
    assert_true(xml_well_formed(text));
    assert_non_null(strstr(text, "<title>a &amp; b</title>"));
    assert_non_null(
        strstr(text, ">&lt;x&gt; &amp; &quot;é&quot; \xef\xbf\xbd\xef\xbf\xbd 日</text>"));
    assert_non_null(strstr(text, "rotate(-15 30 38)"));
    /* The length is told where the font knows it: in one text of the two. */
    assert_non_null(strstr(text, "font-size=\"10\" text-anchor=\"end\" textLength=\"2.36\""));
    assert_null(strstr(strstr(text, "textLength") + 1, "textLength"));
    assert_non_null(strstr(text, "<path d=\"M2,2L12,2 12,12 2,12z\" fill=\"#c80000\"/>"));
    assert_non_null(
        strstr(text, "<circle cx=\"25\" cy=\"10\" r=\"6\" fill=\"#009600\" stroke=\"#0000fa\""));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(bytes.data);
    zf_scene_free(&scene);
}

/* The checker itself must be able to say no. */
static void the_checker_finds_faults(void **state)
{
    (void)state;
    assert_true(xml_well_formed("<a b=\"1\"><c/>x</a>"));
    static const char *const bad[] = {
        "<a>",          "<a></b>",     "<a b=1/>",   "<a>&</a>",
        "<a b=\"<\"/>", "<a/><b/>",    "x",          "<a b=\"1\" b=\"2\"/>",
        "<a>\x01</a>",  "<a>\xff</a>", "<a b=\"1/>", "</a>"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(xml_well_formed(bad[i]));
}

static void the_same_bytes_twice(void **state)
{
    (void)state;
    zf_bytes first[2] = {{0}}, second[2] = {{0}};
    for (int round = 0; round < 2; round++) {
        zf_scene scene = small_scene();
        assert_ok(zf_png_write(round ? &second[0] : &first[0], &scene, 2));
        assert_ok(zf_svg_write(round ? &second[1] : &first[1], &scene));
        zf_scene_free(&scene);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(first[i].n, second[i].n);
        assert_memory_equal(first[i].data, second[i].data, first[i].n);
        free(first[i].data);
        free(second[i].data);
    }
}

static void numbers_have_points(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},         {-0.001, "0"},       {1.5, "1.5"},   {2.25, "2.25"},
                 {-3.1, "-3.1"},   {100, "100"},        {0.05, "0.05"}, {-0.004, "0"},
                 {1e9, "1000000"}, {-1e300, "-1000000"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zf_bytes bytes = {0};
        zf_bytes_number(&bytes, cases[i].value);
        zf_bytes_add(&bytes, "", 1);
        assert_string_equal((char *)bytes.data, cases[i].text);
        free(bytes.data);
    }
}

static void sizes_are_checked(void **state)
{
    (void)state;
    zf_bytes bytes = {0};
    zf_scene scene = zf_scene_new(20001, 10);
    assert_fails(zf_png_write(&bytes, &scene, 1), ZF_EINVAL, "20001 x 10 pixels");
    scene = zf_scene_new(0, 10);
    assert_fails(zf_png_write(&bytes, &scene, 1), ZF_EINVAL, "expected 1 to");
    assert_null(bytes.data);
}

/* 256 colours stay exact; one more, close to another and rare, gives way. */
static void palettes_keep_frequent_colours(void **state)
{
    (void)state;
    enum { N = 600 };
    uint8_t rgb[N][3], *numbers;
    zf_colour_table table;
    for (int i = 0; i < N; i++) {
        int k = i % 256;
        rgb[i][0] = (uint8_t)(k % 16 * 16);
        rgb[i][1] = (uint8_t)(k / 16 * 16);
        rgb[i][2] = 7;
    }
    assert_ok(zf_colour_index(&numbers, &table, &rgb[0][0], N));
    assert_int_equal(table.count, 256);
    for (int i = 0; i < N; i++) assert_memory_equal(table.colour[numbers[i]], rgb[i], 3);
    free(numbers);
    rgb[300][2] = 9;
    assert_ok(zf_colour_index(&numbers, &table, &rgb[0][0], N));
    assert_int_equal(table.count, 256);
    assert_int_equal(table.colour[numbers[300]][2], 7);
    for (int i = 0; i < N; i++)
        if (i != 300) assert_memory_equal(table.colour[numbers[i]], rgb[i], 3);
    free(numbers);
    rgb[300][2] = 107; /* far from all others */
    assert_ok(zf_colour_index(&numbers, &table, &rgb[0][0], N));
    assert_null(numbers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_are_where_they_belong),
        cmocka_unit_test(svg_is_xml),
        cmocka_unit_test(the_checker_finds_faults),
        cmocka_unit_test(the_same_bytes_twice),
        cmocka_unit_test(numbers_have_points),
        cmocka_unit_test(sizes_are_checked),
        cmocka_unit_test(palettes_keep_frequent_colours),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
