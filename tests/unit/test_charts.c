/* Charts and the figures made of them, by what is drawn where; hostile input;
   files whole or not at all. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plot/frame.h"
#include "raster.h"
#include "scratch.h"
#include "zeroflow/plot.h"

enum { BLUE = 0x0072B2, ORANGE = 0xD55E00, WHITE = 0xFFFFFF };

/* Draws both files, checks them, and gives the text of the SVG, for free(). */
static char *draw(const zf_figure *figure, const zf_chart *charts, size_t n)
{
    size_t bytes;
    assert_ok(zf_plot_charts(scratch_path("chart"), figure, charts, n));
    char *text = scratch_read(scratch_path("chart.svg"), &bytes);
    assert_non_null(text);
    assert_int_equal(strlen(text), bytes);
    assert_true(xml_well_formed(text));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    raster p = raster_read(scratch_path("chart.png"));
    assert_int_equal(p.width, 2 * (figure->width ? figure->width : 800));
    free(p.rgb);
    return text;
}

static size_t occurrences(const char *text, const char *what)
{
    size_t count = 0;
    for (; (text = strstr(text, what)); text += strlen(what)) count++;
    return count;
}

/* A chart whose frame is known: no label, no title, no legend. */
static void lines_go_through_their_points(void **state)
{
    (void)state;
    const double x[] = {0, 10}, y[] = {0, 10};
    zf_series series = {.x = x, .y = y, .n = 2};
    zf_chart chart = {
        .x = {.low = 0, .high = 10}, .y = {.low = 0, .high = 10}, .series = &series, .n_series = 1};
    zf_frame frame;
    zf_frame_plan(&frame, &chart, 700, 350);
    free(draw(&(zf_figure){0}, &chart, 1));
    raster p = raster_read(scratch_path("chart.png"));
    /* The line runs from the lower left to the upper right of the frame. */
    double left = 14 + frame.left, top = 14 + frame.above, right = 800 - 14 - frame.right;
    double width = floor(right - left), height = floor(width * 0.5);
    for (int i = 1; i < 10; i++) {
        double px = floor(left) + width * i / 10, py = floor(top) + height * (1 - i / 10.0);
        assert_int_equal(raster_at(&p, (int)(2 * px), (int)(2 * py)), BLUE);
        assert_int_not_equal(raster_at(&p, (int)(2 * px), (int)(2 * py) + 12), BLUE);
    }
    free(p.rgb);
}

static void scales_place_values(void **state)
{
    (void)state;
    zf_plot_scale linear = {.low = 10, .high = 20, .from = 100, .to = 200};
    assert_true(zf_plot_scale_at(&linear, 15) == 150);
    assert_true(isnan(zf_plot_scale_at(&linear, NAN)));
    assert_true(isnan(zf_plot_scale_at(&linear, INFINITY)));
    assert_true(isfinite(zf_plot_scale_at(&linear, 1e308)));
    zf_plot_scale powers = {.low = 1, .high = 10000, .logarithmic = true, .from = 0, .to = 100};
    assert_true(fabs(zf_plot_scale_at(&powers, 100) - 50) < 1e-9);
    assert_true(isnan(zf_plot_scale_at(&powers, 0)));
    assert_true(isnan(zf_plot_scale_at(&powers, -1)));
}

static void gaps_break_lines(void **state)
{
    (void)state;
    const double y[] = {1, 2, NAN, 2, 1, NAN, 3};
    zf_series series = {.y = y, .n = 7};
    zf_chart chart = {.series = &series, .n_series = 1};
    char *text = draw(&(zf_figure){0}, &chart, 1);
    assert_int_equal(occurrences(text, "stroke=\"#0072b2\""), 2); /* two runs */
    assert_int_equal(occurrences(text, "<circle"), 1);            /* and a point by itself */
    free(text);
}

/* What leaves the frame is cut at its edge, and comes back there. */
static void lines_are_cut_to_the_frame(void **state)
{
    (void)state;
    const double y[] = {0.5, 5, 0.5, -1e308, 0.5, 7, 8, 0.5};
    zf_series series = {.y = y, .n = 8};
    zf_chart chart = {.y = {.low = 0, .high = 1}, .series = &series, .n_series = 1};
    free(draw(&(zf_figure){0}, &chart, 1));
    raster p = raster_read(scratch_path("chart.png"));
    assert_int_equal(raster_count(&p, BLUE, 0, 0, p.width, 44), 0);
    assert_int_equal(raster_count(&p, BLUE, 0, p.height - 50, p.width, 50), 0);
    assert_true(raster_count(&p, BLUE, 0, 60, p.width, p.height - 120) > 500);
    free(p.rgb);
}

static void many_points_are_thinned(void **state)
{
    (void)state;
    enum { N = 200000 };
    double *y = malloc(N * sizeof *y);
    assert_non_null(y);
    for (int i = 0; i < N; i++) y[i] = i == N / 2 ? 3 : sin(i * 0.37);
    zf_series series[] = {{.name = "dots", .y = y, .n = N, .style = ZF_SERIES_POINTS},
                          {.y = y, .n = N}};
    zf_chart charts[] = {{.y = {.low = -1, .high = 3}, .series = &series[1], .n_series = 1},
                         {.series = &series[0], .n_series = 1}};
    char *text = draw(&(zf_figure){0}, charts, 2);
    assert_true(strlen(text) < 20000000);
    char *one = draw(&(zf_figure){0}, charts, 1);
    assert_true(strlen(one) < 200000);
    assert_non_null(strstr(one, ",24 ")); /* the one high point, at the top of the frame, is kept */
    free(one);
    free(text);
    free(y);
}

static void marks_and_names_are_drawn(void **state)
{
    (void)state;
    const double x[] = {18000, 18100}, y[] = {0.2, 0.8};
    const zf_mark marks[] = {{"level & <line>", ZF_MARK_Y, 0.5, 0},
                             {"moment", ZF_MARK_X, 18050, 0},
                             {"span", ZF_MARK_SPAN, 18020, 18030},
                             {"nowhere", ZF_MARK_SPAN, NAN, NAN},
                             {"outside", ZF_MARK_X, 1, 0}};
    zf_series series = {.name = "späť \"quoted\"", .x = x, .y = y, .n = 2};
    zf_chart chart = {.title = "panel",
                      .x = {.label = "day", .dates = true},
                      .y = {.label = "share"},
                      .series = &series,
                      .n_series = 1,
                      .marks = marks,
                      .n_marks = 5};
    char *text = draw(&(zf_figure){.title = "T", .caption = "C"}, &chart, 1);
    static const char *const there[] = {">level &amp; &lt;line&gt;<",
                                        ">moment<",
                                        ">span<",
                                        ">panel<",
                                        ">day<",
                                        ">share<",
                                        ">T<",
                                        ">C<",
                                        ">May<",
                                        ">2019<",
                                        ">späť &quot;quoted&quot;<",
                                        "#f0e9dc"};
    for (size_t i = 0; i < sizeof there / sizeof *there; i++) {
        if (!strstr(text, there[i])) fail_msg("%s is not in the figure", there[i]);
    }
    assert_null(strstr(text, "nowhere"));
    assert_null(strstr(text, "outside"));
    assert_int_equal(occurrences(text, "#f0e9dc"), 1);
    free(text);
}

static void bars_stand_on_zero(void **state)
{
    (void)state;
    const double up[] = {1, 2}, down[] = {-1, NAN};
    const char *const names[] = {"first",
                                 "a name that is far too long for the room that there is for it"};
    zf_series series[] = {{.name = "up", .y = up, .n = 2, .style = ZF_SERIES_BARS},
                          {.name = "down", .y = down, .n = 2, .style = ZF_SERIES_BARS}};
    zf_chart chart = {
        .x = {.categories = names, .n_categories = 2}, .series = series, .n_series = 2};
    char *text = draw(&(zf_figure){.width = 400}, &chart, 1);
    assert_int_equal(occurrences(text, "z\" fill=\"#0072b2\""), 3); /* two bars and the legend */
    assert_int_equal(occurrences(text, "z\" fill=\"#d55e00\""), 2);
    assert_non_null(strstr(text, ">first<"));
    assert_non_null(strstr(text, "…"));
    free(text);
    raster p = raster_read(scratch_path("chart.png"));
    size_t blue = raster_count(&p, BLUE, 0, 60, p.width, p.height - 60);
    size_t orange = raster_count(&p, ORANGE, 0, 60, p.width, p.height - 60);
    assert_true(blue > 2.8 * (double)orange && blue < 3.2 * (double)orange); /* 1 + 2 to 1 */
    free(p.rgb);
}

static void hostile_numbers_are_drawn(void **state)
{
    (void)state;
    const double values[][6] = {{1e308, -1e308, 1, NAN, INFINITY, 3},
                                {NAN, NAN, NAN, NAN, NAN, NAN},
                                {1e9, 1e9, 1e9, 1e9, 1e9, 1e9},
                                {1e-300, 2e-300, 0, 0, 0, 0},
                                {0, 0, 0, 0, 0, 0},
                                {-5, 0, -7, -1e-310, 1, 1e-12}};
    zf_series series[7][6];
    zf_chart charts[14] = {{0}};
    for (int c = 0; c < 7; c++)
        for (int s = 0; s < 6; s++)
            series[c][s] = (zf_series){.name = "s",
                                       .y = values[s],
                                       .x = c % 2 ? values[5 - s] : NULL,
                                       .n = (size_t)(6 - s),
                                       .style = (zf_series_style)c};
    for (int c = 0; c < 14; c++) {
        charts[c].series = series[c % 7];
        charts[c].n_series = 6;
        charts[c].x.logarithmic = charts[c].y.logarithmic = c >= 7;
        charts[c].x.dates = c % 3 == 2;
    }
    free(draw(&(zf_figure){.title = ""}, charts, 14));
    charts[0].n_series = 0; /* nothing at all */
    charts[1].n_series = 1;
    series[1][0].n = 1; /* one point */
    series[2][0].n = 0; /* no point */
    charts[2].n_series = 1;
    charts[3].x.low = NAN;
    charts[3].y.high = INFINITY;
    free(draw(&(zf_figure){.width = 200, .columns = 5}, charts, 5));
}

static void a_thousand_series_have_a_legend(void **state)
{
    (void)state;
    enum { N = 1000 };
    static zf_series series[N];
    static char names[N][400];
    const double y[] = {1, 2};
    for (int i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "series %d &<>\" ünï", i);
        series[i] = (zf_series){.name = names[i], .y = y, .n = 2};
    }
    memset(names[0], 'W', 399);
    zf_chart chart = {.series = series, .n_series = N};
    char *text = draw(&(zf_figure){0}, &chart, 1);
    assert_non_null(strstr(text, "WWW…"));
    assert_int_equal(occurrences(text, " more</text>"), 1);
    size_t named = occurrences(text, "&quot; ünï<") + 1;
    char rest[32];
    snprintf(rest, sizeof rest, "and %zu more", N - named);
    assert_non_null(strstr(text, rest));
    free(text);
}

static void files_are_chosen_by_suffix(void **state)
{
    (void)state;
    zf_chart chart = {0};
    zf_figure figure = {0};
    scratch_clear();
    assert_ok(zf_plot_charts(scratch_path("a.svg"), &figure, &chart, 1));
    assert_int_equal(scratch_count(), 1);
    assert_ok(zf_plot_charts(scratch_path("b.PNG"), &figure, &chart, 1));
    assert_int_equal(scratch_count(), 2);
    assert_ok(zf_plot_charts(scratch_path("c.d"), &figure, &chart, 1));
    assert_true(scratch_exists(scratch_path("c.d.svg")) && scratch_exists(scratch_path("c.d.png")));
    assert_int_equal(scratch_count(), 4);
}

static void faults_leave_nothing(void **state)
{
    (void)state;
    zf_chart chart = {0};
    zf_figure figure = {.width = 100};
    scratch_clear();
    assert_fails(zf_plot_charts(scratch_path("a"), &figure, &chart, 1), ZF_EINVAL, "width is 100");
    figure.width = 0;
    assert_fails(zf_plot_charts(scratch_path("a"), &figure, &chart, 0), ZF_EINVAL, "0 panels");
    assert_fails(zf_plot_charts(scratch_path("no/a"), &figure, &chart, 1), ZF_EIO, "no/a.svg");
    assert_int_equal(scratch_count(), 0);
    /* The second file cannot be made: the first must not appear either. */
    assert_int_equal(mkdir(scratch_path("a.png"), 0777), 0);
    assert_fails(zf_plot_charts(scratch_path("a"), &figure, &chart, 1), ZF_EIO, "a.png");
    assert_false(scratch_exists(scratch_path("a.svg")));
    assert_int_equal(rmdir(scratch_path("a.png")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_go_through_their_points),
        cmocka_unit_test(scales_place_values),
        cmocka_unit_test(gaps_break_lines),
        cmocka_unit_test(lines_are_cut_to_the_frame),
        cmocka_unit_test(many_points_are_thinned),
        cmocka_unit_test(marks_and_names_are_drawn),
        cmocka_unit_test(bars_stand_on_zero),
        cmocka_unit_test(hostile_numbers_are_drawn),
        cmocka_unit_test(a_thousand_series_have_a_legend),
        cmocka_unit_test(files_are_chosen_by_suffix),
        cmocka_unit_test(faults_leave_nothing),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
