/* Points, paths and arrows: where they are drawn, what is cut off, what the key says. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/clip.h"
#include "raster.h"
#include "scratch.h"
#include "zeroflow/plot.h"

enum { VERMILION = 0xD55E00 };

static char *written(void)
{
    size_t n;
    char *text = scratch_read(scratch_path("figure.svg"), &n);
    assert_non_null(text);
    assert_true(xml_well_formed(text));
    return text;
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, what)); at++) n++;
    return n;
}

static void segments_are_cut(void **state)
{
    (void)state;
    zf_box box = {0, 0, 10, 10};
    zf_point a = {-5, 5}, b = {15, 5};
    assert_true(zf_clip_segment(box, &a, &b));
    assert_true(a.x == 0 && a.y == 5 && b.x == 10 && b.y == 5);
    a = (zf_point){-2, 8}, b = (zf_point){4, 14}; /* passes through the corner at (0, 10) */
    assert_true(zf_clip_segment(box, &a, &b));
    assert_true(a.x == 0 && a.y == 10 && b.x == 0 && b.y == 10);
    a = (zf_point){-3, 8}, b = (zf_point){4, 15};
    assert_false(zf_clip_segment(box, &a, &b));
    a = (zf_point){-5, 20}, b = (zf_point){15, 20};
    assert_false(zf_clip_segment(box, &a, &b));
    assert_true(zf_clip_holds(box, (zf_point){10, 0}));
    assert_false(zf_clip_holds(box, (zf_point){10.1, 0}));
    assert_false(zf_clip_holds(box, (zf_point){NAN, 0}));
}

/* One row on a page of 400 units. */
static void row_of_panels(const zf_plane *planes, size_t n)
{
    const zf_plane_row row = {NULL, planes, n};
    assert_ok(zf_plot_planes(scratch_path("figure"), &(zf_figure){.width = 400}, &row, 1));
}

static const zf_axis UNIT = {.low = -1, .high = 1};

static void arrows_point_where_they_should(void **state)
{
    (void)state;
    /* To the right from the middle; one without length; one from outside; a gap. */
    const double x[] = {0, -0.5, 5, 0}, y[] = {0, 0.5, 0, NAN};
    const double dx[] = {0.5, 0, -5, 1}, dy[] = {0, 0, 0, 1};
    const zf_layer layer = {"speed", ZF_LAYER_ARROWS, x, y, dx, dy, 4, 2, false};
    const zf_plane plane = {"one", UNIT, UNIT, &layer, 1};
    row_of_panels(&plane, 1);
    char *text = written();
    assert_int_equal(count(text, "<circle"), 1); /* the speck */
    assert_int_equal(count(text, ">speed<"), 1);
    assert_int_equal(count(text, ">one<"), 1);
    free(text);
    raster p = raster_read(scratch_path("figure.png"));
    /* The arrow is found by its own ink, in long runs. */
    int left = p.width, right = 0, row = 0;
    for (int r = 0; r < p.height - 120; r++) /* above the key */
        for (int c = 0; c < p.width; c++)
            if (raster_at(&p, c, r) == VERMILION && raster_count(&p, VERMILION, c, r, 8, 1) > 6) {
                if (c < left) left = c, row = r;
                if (c > right) right = c;
            }
    assert_true(left < right);
    /* The shaft is straight, and the head lies at its right end: more ink there. */
    int third = (right - left) / 3;
    size_t tail = raster_count(&p, VERMILION, left, row - 10, third, 20);
    size_t head = raster_count(&p, VERMILION, right - third, row - 10, third + 16, 20);
    assert_true(head > tail);
    free(p.rgb);
}

static void paths_break_at_gaps_and_edges(void **state)
{
    (void)state;
    /* Two inside, apart by a gap; then one that leaves and comes back; one far outside. */
    const double x[] = {0, 0.5, NAN, 0, 0.5, NAN, 0, 3, 0, NAN, 5, 6};
    const double y[] = {0, 0.5, 0, -0.5, 0, 0, -0.2, -0.2, -0.9, 0, 5, 6};
    const zf_layer layer = {NULL, ZF_LAYER_PATHS, x, y, NULL, NULL, 12, 1, false};
    const zf_plane plane = {NULL, UNIT, UNIT, &layer, 1};
    row_of_panels(&plane, 1);
    char *text = written();
    assert_int_equal(count(text, "stroke=\"#0072b2\""), 4);
    assert_null(strstr(text, "nan"));
    free(text);
}

static void rows_differ_in_their_number_of_panels(void **state)
{
    (void)state;
    const double x[] = {-0.5, 0.5, INFINITY, 1e300}, y[] = {0, 0.3, 0, -1e300};
    const zf_layer layers[] = {{"points", ZF_LAYER_POINTS, x, y, NULL, NULL, 4, 1, false},
                               {"points", ZF_LAYER_POINTS, y, x, NULL, NULL, 2, 1, false},
                               {"others", ZF_LAYER_POINTS, x, y, NULL, NULL, 0, -1, false}};
    const zf_plane wide[] = {{"a", UNIT, UNIT, layers, 2}, {"b", {0}, {0}, layers, 3}};
    const zf_plane many[] = {{"c", UNIT, UNIT, layers, 1},
                             {"d", UNIT, UNIT, layers, 1},
                             {"e", UNIT, UNIT, NULL, 0},
                             {NULL, UNIT, UNIT, layers, 1}};
    const zf_plane_row rows[] = {{"First", wide, 2}, {"Second & last", many, 4}};
    assert_ok(zf_plot_planes(scratch_path("figure"), &(zf_figure){.caption = "Below."}, rows, 2));
    char *text = written();
    assert_int_equal(count(text, ">First<"), 1);
    assert_int_equal(count(text, ">Second &amp; last<"), 1);
    assert_int_equal(count(text, ">points<"), 1); /* once in the key */
    assert_int_equal(count(text, ">others<"), 1);
    assert_int_equal(count(text, ">Below.<"), 1);
    free(text);
    assert_fails(zf_plot_planes(scratch_path("figure"), &(zf_figure){0}, rows, 0), ZF_EINVAL,
                 "0 rows");
    const zf_plane_row empty = {NULL, wide, 0};
    assert_fails(zf_plot_planes(scratch_path("figure"), &(zf_figure){0}, &empty, 1), ZF_EINVAL,
                 "row 1 has 0 panels");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_are_cut),
        cmocka_unit_test(arrows_point_where_they_should),
        cmocka_unit_test(paths_break_at_gaps_and_edges),
        cmocka_unit_test(rows_differ_in_their_number_of_panels),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
