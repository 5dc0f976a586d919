/* Coverage of pixels, against areas worked out by hand. */
#include "support.h"

#include <math.h>

#include "plot/outline.h"
#include "sheet.h"

static double area(const sheet *s)
{
    return sheet_ink(s, 0, SHEET_SIDE);
}

static void boxes_cover_their_share(void **state)
{
    sheet *s = *state;
    /* From (2, 3) to (5.5, 6.25): a quarter of the lower row, half of the right column. */
    zf_point box[] = {{2, 3}, {5.5, 3}, {5.5, 6.25}, {2, 6.25}};
    zf_outline_polygon(s->coverage, box, 4);
    sheet_paint(s);
    assert_int_equal(s->rgb[3][2][0], 255);
    assert_int_equal(s->rgb[5][4][0], 255);
    assert_int_equal(s->rgb[3][5][0], 128);
    assert_int_equal(s->rgb[6][2][0], 64);
    assert_int_equal(s->rgb[6][5][0], 32);
    assert_int_equal(s->rgb[3][6][0], 0);
    assert_int_equal(s->rgb[2][2][0], 0);
    assert_int_equal(s->rgb[7][2][0], 0);
}

static void overlaps_count_once_and_holes_open(void **state)
{
    sheet *s = *state;
    zf_point one[] = {{2, 2}, {12, 2}, {12, 12}, {2, 12}},
             turned[] = {{8, 8}, {8, 18}, {18, 18}, {18, 8}};
    zf_outline_polygon(s->coverage, one, 4);
    zf_outline_polygon(s->coverage, turned, 4); /* the other way round */
    sheet_paint(s);
    assert_int_equal(s->rgb[9][9][0], 255);
    assert_true(area(s) == 184);
    sheet_clear(s);
    zf_outline_disc(s->coverage, (zf_point){20, 15}, 10, false);
    zf_outline_disc(s->coverage, (zf_point){20, 15}, 6, true);
    sheet_paint(s);
    assert_int_equal(s->rgb[15][20][0], 0);
    assert_int_equal(s->rgb[15][12][0], 255);
    assert_true(fabs(area(s) - 3.14159265 * 64) < 1);
}

static void outside_is_cut(void **state)
{
    sheet *s = *state;
    zf_point huge[] = {{-1e6, -1e6}, {1e6, -1e6}, {1e6, 1e6}, {-1e6, 1e6}};
    zf_outline_polygon(s->coverage, huge, 4);
    sheet_paint(s);
    assert_true(area(s) == SHEET_SIDE * SHEET_SIDE);
    sheet_clear(s);
    zf_point right[] = {{130, 2}, {140, 2}, {140, 9}}, above[] = {{5, -20}, {9, -20}, {9, -3}};
    zf_outline_polygon(s->coverage, right, 3);
    zf_outline_polygon(s->coverage, above, 3);
    sheet_paint(s);
    assert_true(area(s) == 0);
}

static void lines_have_their_width(void **state)
{
    sheet *s = *state;
    zf_point slanted[] = {{5, 5}, {35, 25}};
    zf_outline_line(s->coverage, slanted, 2, 3, 0);
    sheet_paint(s);
    assert_true(fabs(area(s) - 3 * hypot(30, 20)) < 2.5); /* rounded to sixteenths a pixel */
    sheet_clear(s);
    zf_point level[] = {{4, 10}, {36, 10}};
    zf_outline_line(s->coverage, level, 2, 2, 4); /* four dashes of four */
    sheet_paint(s);
    assert_true(area(s) == 32);
    assert_int_equal(s->rgb[10][4][0], 255);
    assert_int_equal(s->rgb[9][7][0], 255);
    assert_int_equal(s->rgb[9][8][0], 0);
    assert_int_equal(s->rgb[9][12][0], 255);
    sheet_clear(s);
    zf_point corner[] = {{10, 10}, {10, 10}, {20, 10}, {20, 20}}; /* twice the same point */
    zf_outline_line(s->coverage, corner, 4, 4, 0);
    sheet_paint(s);
    /* Two arms of 40, less what they share (4), and a quarter of the joint's disc. */
    assert_true(fabs(area(s) - (80 - 4 + 3.14159)) < 1);
}

static void colours_blend(void **state)
{
    sheet *s = *state;
    zf_point box[] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}};
    zf_outline_polygon(s->coverage, box, 4);
    zf_coverage_paint(s->coverage, &s->rgb[0][0][0], (zf_colour){200, 100, 50, 255});
    assert_int_equal(s->rgb[5][5][0], 200);
    assert_int_equal(s->rgb[5][5][1], 100);
    assert_int_equal(s->rgb[5][5][2], 50);
    zf_outline_polygon(s->coverage, box, 4);
    zf_coverage_paint(s->coverage, &s->rgb[0][0][0], (zf_colour){0, 0, 0, 51}); /* a fifth */
    assert_int_equal(s->rgb[5][5][0], 160);
    assert_int_equal(s->rgb[5][5][1], 80);
    assert_int_equal(s->rgb[5][5][2], 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(boxes_cover_their_share, sheet_setup, sheet_teardown),
        cmocka_unit_test_setup_teardown(overlaps_count_once_and_holes_open, sheet_setup,
                                        sheet_teardown),
        cmocka_unit_test_setup_teardown(outside_is_cut, sheet_setup, sheet_teardown),
        cmocka_unit_test_setup_teardown(lines_have_their_width, sheet_setup, sheet_teardown),
        cmocka_unit_test_setup_teardown(colours_blend, sheet_setup, sheet_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
