/* The finished figures: ROC curves, matrices, lattices, shares, training. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "raster.h"
#include "scratch.h"
#include "zeroflow/plot.h"

enum { RED = 0xD5332A, YELLOW = 0xFFD12B, INK = 0x1F2328 };

/* The text of the SVG that was written to figure.svg, for free(). */
static char *written(void)
{
    size_t n;
    char *text = scratch_read(scratch_path("figure.svg"), &n);
    assert_non_null(text);
    assert_true(xml_well_formed(text));
    return text;
}

static void must_have(const char *text, const char *what)
{
    if (!strstr(text, what)) fail_msg("%s is not in the figure", what);
}

/* The stroke of the legend's sample before a name: the last one before it. */
static const char *colour_before(const char *text, const char *name)
{
    static char colour[8];
    const char *end = strstr(text, name), *last = NULL;
    assert_non_null(end);
    for (const char *at = text; (at = strstr(at, "stroke=\"#")) && at < end; at++) last = at;
    assert_non_null(last);
    memcpy(colour, last + 8, 7);
    return colour;
}

static void roc_colours_follow_names(void **state)
{
    (void)state;
    const double x[] = {0, 0.1, 1}, y[] = {0, 0.9, 1};
    const zf_roc_curve first[] = {{"mlp", 0.9934, x, y, 3, 0, false},
                                  {"lstm", 1, x, y, 3, 0, false}},
                       second[] = {{"pc & co", NAN, x, y, 3, 0, false},
                                   {"lstm", 0.5, x, y, 3, 0, false}};
    const zf_roc_panel panels[] = {{"Gaussian", first, 2}, {"Truncated", second, 2}};
    assert_ok(zf_plot_roc(scratch_path("figure"), &(zf_figure){0}, panels, 2, 0));
    char *text = written();
    must_have(text, ">Gaussian<");
    must_have(text, ">0.993<");
    must_have(text, ">1.000<");
    must_have(text, ">0.500<");
    assert_string_equal(colour_before(text, ">mlp<"), "#0072b2");
    assert_string_equal(colour_before(text, ">lstm<"), "#d55e00");
    assert_string_equal(colour_before(text, ">pc &amp; co<"), "#009e73");
    assert_string_equal(colour_before(strstr(text, ">pc &amp; co<"), ">lstm<"), "#d55e00");
    free(text);
    assert_ok(zf_plot_roc(scratch_path("figure"), &(zf_figure){0}, panels, 1, 0.1));
    text = written();
    must_have(text, ">0.10<"); /* where the axis now ends */
    assert_null(strstr(text, ">0.5<"));
    free(text);
    const zf_roc_curve pair[] = {{"one", 1, x, y, 3, 4, false}, {"other", 1, x, y, 3, 4, true}};
    const zf_roc_panel chosen = {NULL, pair, 2};
    assert_ok(zf_plot_roc(scratch_path("figure"), &(zf_figure){0}, &chosen, 1, 0));
    text = written();
    assert_string_equal(colour_before(text, ">one<"), "#cc79a7");
    assert_string_equal(colour_before(text, ">other<"), "#cc79a7");
    must_have(strstr(text, ">one<"), "stroke=\"#cc79a7\" stroke-width=\"1.8\" stroke-dasharray");
    free(text);
    const zf_roc_panel empty = {NULL, NULL, 0};
    assert_ok(zf_plot_roc(scratch_path("figure"), &(zf_figure){0}, &empty, 1, NAN));
    assert_fails(zf_plot_roc(scratch_path("figure"), &(zf_figure){0}, panels, 0, 0), ZF_EINVAL,
                 "0 panels");
}

static void matrices_show_their_values(void **state)
{
    (void)state;
    const double gates[] = {0, 1, NAN, 0.5}, signs[] = {0, -2, 1, 2};
    const zf_matrix_panel panels[] = {{"gates", gates, 2, 2, 0, 1, "j", "i", NULL},
                                      {"precision", signs, 2, 2, 0, 0, NULL, NULL, NULL}};
    assert_ok(zf_plot_matrices(scratch_path("figure"), &(zf_figure){0}, panels, 2));
    raster p = raster_read(scratch_path("figure.png"));
    /* Quarters of each square, found by their place: the first square starts
       after the label and the numbers. */
    int left = 2 * (14 + 49), side = (int)(800 - 28 - 2 * 58 - 49 - 30) / 2 * 2;
    int top = 2 * (14 + 26), near = side / 4, far = 3 * side / 4;
    assert_int_equal(raster_at(&p, left + near, top + near), 0xFFFFFF);
    assert_int_equal(raster_at(&p, left + far, top + near), 0x062C60);
    assert_int_equal(raster_at(&p, left + near, top + far), 0xE6E8EB); /* a gap is grey */
    unsigned half = raster_at(&p, left + far, top + far);
    assert_true((half & 0xFF) > 0x60 && half != 0xFFFFFF);
    int right = left + side + 2 * (58 + 30);
    assert_int_equal(raster_at(&p, right + near, top + near), 0xFFFFFF);
    assert_int_equal(raster_at(&p, right + far, top + near), 0x7F3B08); /* the most negative */
    assert_int_equal(raster_at(&p, right + far, top + far), 0x062C60);
    free(p.rgb);
    char *text = written();
    must_have(text, ">gates<");
    must_have(text, ">−2<");
    must_have(text, "data:image/png;base64,iVBORw0KGgo");
    free(text);
}

/* One strong gate among a million is still seen when the matrix is thinned. */
static void large_matrices_keep_what_is_strong(void **state)
{
    (void)state;
    enum { N = 1100 };
    double *values = calloc((size_t)N * N, sizeof *values);
    assert_non_null(values);
    values[(size_t)550 * N + 550] = 1;
    zf_matrix_panel panel = {NULL, values, N, N, 0, 1, NULL, NULL, NULL};
    assert_ok(zf_plot_matrices(scratch_path("figure"), &(zf_figure){0}, &panel, 1));
    raster p = raster_read(scratch_path("figure.png"));
    int side = 2 * (800 - 28 - 30 - 58), left = 2 * (14 + 30), top = 2 * (14 + 26);
    assert_int_not_equal(
        raster_count(&p, 0x062C60, left + side / 2 - 10, top + side / 2 - 10, 20, 20), 0);
    free(p.rgb);
    panel = (zf_matrix_panel){NULL, values, 1, 1, 0, 0, NULL, NULL, NULL}; /* 1 x 1, all zero */
    assert_ok(zf_plot_matrices(scratch_path("figure"), &(zf_figure){0}, &panel, 1));
    panel = (zf_matrix_panel){NULL, values, 1, N, NAN, INFINITY, NULL, NULL, NULL};
    assert_ok(zf_plot_matrices(scratch_path("figure"), &(zf_figure){0}, &panel, 1));
    panel.rows = 0;
    assert_fails(zf_plot_matrices(scratch_path("figure"), &(zf_figure){0}, &panel, 1), ZF_EINVAL,
                 "0 x 1100");
    free(values);
}

static void lattices_colour_their_nodes(void **state)
{
    (void)state;
    const unsigned char target[9] = {[4] = 1}, found[9] = {[1] = 1, [3] = 1, [8] = 1},
                        truth[9] = {[1] = 1, [3] = 1, [5] = 1};
    const zf_lattice_panel panels[] = {{"one", 3, 3, target, found, truth},
                                       {NULL, 3, 3, target, found, NULL}};
    const zf_lattice_row rows[] = {{"Seen", panels, 2}};
    assert_ok(zf_plot_lattices(scratch_path("figure"), &(zf_figure){0}, rows, 1));
    raster p = raster_read(scratch_path("figure.png"));
    double side = 360, step = side / 3; /* two panels have room for the largest size */
    int x0 = (int)(2 * (14 + step / 2)), y0 = (int)(2 * (14 + 26 + 20 + step / 2)),
        by = (int)(2 * step);
    static const unsigned expected[9] = {0xFFFFFF, YELLOW,   0xFFFFFF, YELLOW, RED,
                                         0xFFFFFF, 0xFFFFFF, 0xFFFFFF, YELLOW};
    for (int i = 0; i < 9; i++)
        assert_int_equal(raster_at(&p, x0 + i % 3 * by, y0 + i / 3 * by), expected[i]);
    /* Rings: around what is true, found or missed, and nothing else. */
    for (int i = 0; i < 9; i++) {
        int rim = (int)(2 * 0.27 * step * 1.25);
        bool ring = raster_at(&p, x0 + i % 3 * by, y0 + i / 3 * by - rim) == INK;
        assert_int_equal(ring, truth[i]);
    }
    free(p.rgb);
    char *text = written();
    must_have(text, ">Seen<");
    must_have(text, ">blanket, missed<");
    free(text);
    const zf_lattice_row plain = {NULL, panels + 1, 1};
    assert_ok(zf_plot_lattices(scratch_path("figure"), &(zf_figure){0}, &plain, 1));
    text = written();
    must_have(text, ">blanket found<");
    assert_null(strstr(text, "missed"));
    free(text);
    const zf_lattice_panel bad = {NULL, 0, 3, target, found, NULL};
    const zf_lattice_row bad_row = {NULL, &bad, 1}, empty = {NULL, NULL, 0};
    assert_fails(zf_plot_lattices(scratch_path("figure"), &(zf_figure){0}, &bad_row, 1), ZF_EINVAL,
                 "0 x 3");
    assert_fails(zf_plot_lattices(scratch_path("figure"), &(zf_figure){0}, &empty, 1), ZF_EINVAL,
                 "0 panels");
}

static void shares_have_dates_and_a_mark(void **state)
{
    (void)state;
    double day[300], past[300], future[300], random[300], first, march, april;
    assert_ok(zf_plot_day(&first, "2019-07-01"));
    assert_ok(zf_plot_day(&march, "2020-03-01"));
    assert_ok(zf_plot_day(&april, "2020-04-01"));
    for (int i = 0; i < 300; i++) {
        day[i] = first + i;
        past[i] = i / 299.0;
        future[i] = 1 - past[i];
        random[i] = 0.5;
    }
    zf_shares shares = {day, past, future, random, 300, march, april, "March 2020"};
    assert_ok(zf_plot_shares(scratch_path("figure"), &(zf_figure){0}, &shares));
    char *text = written();
    static const char *const there[] = {">Mar<",           ">2020<",        ">March 2020<",
                                        ">past days<",     ">future days<", "at random<",
                                        "stroke-dasharray"};
    for (size_t i = 0; i < sizeof there / sizeof *there; i++) must_have(text, there[i]);
    free(text);
    assert_ok(zf_plot_shares(scratch_path("figure"), &(zf_figure){.width = 560}, &shares));
    text = written();
    must_have(text, ">March<"); /* a name too wide for its span is broken */
    free(text);
    shares = (zf_shares){.day = day, .past = past, .n = 300};
    assert_ok(zf_plot_shares(scratch_path("figure"), &(zf_figure){0}, &shares));
    text = written();
    assert_null(strstr(text, "future"));
    assert_null(strstr(text, "random"));
    assert_null(strstr(text, "#f0e9dc"));
    free(text);
    shares.n = 0;
    assert_ok(zf_plot_shares(scratch_path("figure"), &(zf_figure){0}, &shares));
}

static void training_has_a_panel_a_measure(void **state)
{
    (void)state;
    double steps[50], values[50][3];
    for (int i = 0; i < 50; i++) {
        steps[i] = 100 * i;
        values[i][0] = 2 - i * 0.02;
        values[i][1] = pow(10, -i * 0.1); /* over five orders: logarithmic */
        values[i][2] = i == 7 ? NAN : 0.3;
    }
    const char *const names[] = {"loss", "zero-flow term", "mean gate"};
    assert_ok(zf_plot_training(scratch_path("figure"), &(zf_figure){0}, steps, &values[0][0], 50,
                               names, 3));
    char *text = written();
    for (int i = 0; i < 3; i++) must_have(text, names[i]);
    must_have(text, ">1e−3<");
    must_have(text, ">4000<");
    free(text);
    assert_ok(zf_plot_training(scratch_path("figure"), &(zf_figure){0}, NULL, NULL, 0, NULL, 3));
    assert_fails(zf_plot_training(scratch_path("figure"), &(zf_figure){0}, steps, &values[0][0], 50,
                                  names, 0),
                 ZF_EINVAL, "0 measures");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roc_colours_follow_names),
        cmocka_unit_test(matrices_show_their_values),
        cmocka_unit_test(large_matrices_keep_what_is_strong),
        cmocka_unit_test(lattices_colour_their_nodes),
        cmocka_unit_test(shares_have_dates_and_a_mark),
        cmocka_unit_test(training_has_a_panel_a_measure),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
