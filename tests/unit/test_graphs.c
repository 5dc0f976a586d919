/* Graphs as figures: what is drawn, named and said, and where springs bring nodes. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/layout.h"
#include "raster.h"
#include "scratch.h"
#include "zeroflow/plot.h"

static char *drawn(const zf_graph_drawing *drawing)
{
    size_t n;
    assert_ok(zf_plot_graph(scratch_path("figure"), &(zf_figure){0}, drawing));
    char *text = scratch_read(scratch_path("figure.svg"), &n);
    assert_non_null(text);
    assert_true(xml_well_formed(text));
    return text;
}

static void nodes_links_and_key_are_there(void **state)
{
    (void)state;
    const char *names[] = {"a", "b & c", "d", "alone"}, *kinds[] = {"rising", "falling", "hill"};
    const zf_link links[] = {{0, 1, 0.9, 0}, {1, 2, 0.1, 1}};
    char *text = drawn(&(zf_graph_drawing){names, 4, links, 2, kinds, 3});
    assert_non_null(strstr(text, ">b &amp; c<"));
    assert_non_null(strstr(text, ">rising<"));
    assert_non_null(strstr(text, ">falling<"));
    assert_null(strstr(text, ">hill<")); /* no link is one */
    assert_non_null(strstr(text, "Without an edge: alone"));
    assert_null(strstr(text, ">alone<"));
    free(text);
    raster p = raster_read(scratch_path("figure.png"));
    assert_int_equal(p.width, 1600);
    free(p.rgb);
}

/* Where a figure has a node's name: the middle, and the length that it takes. */
static void find_name(const char *svg, const char *name, double *x, double *y, double *length)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, ">%s</text>", name);
    const char *end = strstr(svg, wanted), *begin = end;
    assert_non_null(end);
    while (strncmp(begin, "<text ", 6) != 0) begin--;
    *x = strtod(strstr(begin, " x=\"") + 4, NULL);
    *y = strtod(strstr(begin, " y=\"") + 4, NULL);
    *length = strtod(strstr(begin, " textLength=\"") + 13, NULL);
}

/* The decided graph of scikit-learn's wine table: one of two neighbours has a long name and stands
   at the edge of the figure, where there is no room to give way. */
static void no_name_covers_another(void **state)
{
    (void)state;
    enum { N = 14 };
    const char *names[N] = {
        "alcohol",         "malic_acid",      "ash",        "alcalinity_of_ash",
        "magnesium",       "total_phenols",   "flavanoids", "nonflavanoid_phenols",
        "proanthocyanins", "color_intensity", "hue",        "od280/od315_of_dilut",
        "proline",         "target"};
    const zf_link links[] = {
        {0, 9, 0.26, 0},  {1, 10, 0.3, 0},  {1, 13, 0.31, 0},  {2, 3, 0.64, 0},  {2, 4, 0.31, 0},
        {2, 7, 0.3, 0},   {3, 13, 0.37, 0}, {4, 7, 0.23, 0},   {5, 6, 0.6, 0},   {5, 11, 0.2, 0},
        {6, 8, 0.34, 0},  {6, 9, 0.36, 0},  {6, 13, 0.42, 0},  {8, 9, 0.32, 0},  {9, 10, 0.28, 0},
        {9, 12, 0.32, 0}, {9, 13, 0.54, 0}, {11, 13, 0.34, 0}, {12, 13, 0.56, 0}};
    char *text = drawn(&(zf_graph_drawing){names, N, links, sizeof links / sizeof *links, NULL, 0});
    for (size_t i = 0; i < N; i++)
        for (size_t j = i + 1; j < N; j++) {
            double x[2], y[2], length[2];
            find_name(text, names[i], &x[0], &y[0], &length[0]);
            find_name(text, names[j], &x[1], &y[1], &length[1]);
            /* Boxes are 24 high and 16 wider than what they hold. */
            assert_true(fabs(x[0] - x[1]) >= (length[0] + length[1]) / 2 + 16 ||
                        fabs(y[0] - y[1]) >= 24);
        }
    free(text);
}

static void graphs_may_be_empty_or_large(void **state)
{
    (void)state;
    enum { N = 100 };
    const char *names[N];
    char text_of[N][8];
    zf_link links[N * (N - 1) / 2];
    size_t n = 0;
    for (size_t i = 0; i < N; i++) {
        snprintf(text_of[i], sizeof text_of[i], "v%zu", i);
        names[i] = text_of[i];
        for (size_t j = 0; j < i; j++) links[n++] = (zf_link){i, j, NAN, 0};
    }
    for (size_t i = 0; i < n; i++) links[i].weight = (double)i / (double)n;
    char *text = drawn(&(zf_graph_drawing){names, N, links, n, NULL, 0});
    assert_non_null(strstr(text, "The strongest 600 of 4950 edges."));
    assert_non_null(strstr(text, "nodes are drawn without names: these fit up to 60."));
    free(text);
    text = drawn(&(zf_graph_drawing){names, N, links, 0, NULL, 0});
    assert_non_null(strstr(text, "Without an edge: v0, v1,"));
    assert_non_null(strstr(text, "and 60 more"));
    free(text);
    text = drawn(&(zf_graph_drawing){0});
    free(text);
}

static void what_is_not_there_is_refused(void **state)
{
    (void)state;
    const char *names[] = {"a", "b"}, *kinds[] = {"rising"};
    const char *path = scratch_path("figure.svg");
    zf_link link = {0, 2, 1, 0};
    zf_graph_drawing drawing = {names, 2, &link, 1, kinds, 1};
    assert_fails(zf_plot_graph(path, &(zf_figure){0}, &drawing), ZF_EINVAL,
                 "a link of nodes 0 and 2, of a graph of 2");
    link = (zf_link){0, 1, 1, 1};
    assert_fails(zf_plot_graph(path, &(zf_figure){0}, &drawing), ZF_EINVAL,
                 "a link of kind 1, expected 0 to 0");
}

/* Two chains: neighbours are nearer to each other than the chains' ends, all places are in
   the unit square and touch its sides. */
static void springs_bring_joined_nodes_together(void **state)
{
    (void)state;
    const zf_spring springs[] = {{0, 1, 1}, {1, 2, 1}, {3, 4, 1}, {4, 5, 1}};
    zf_point at[6];
    assert_ok(zf_layout_springs(at, 6, springs, 4));
    double low = 1, high = 0;
    for (int i = 0; i < 6; i++) {
        low = fmin(low, fmin(at[i].x, at[i].y));
        high = fmax(high, fmax(at[i].x, at[i].y));
    }
    assert_true(fabs(low) < 1e-9 && fabs(high - 1) < 1e-9);
    for (int i = 0; i < 4; i++) {
        size_t a = springs[i].a, b = springs[i].b;
        double joined = hypot(at[a].x - at[b].x, at[a].y - at[b].y);
        size_t first = a < 3 ? 0 : 3;
        assert_true(joined < hypot(at[first].x - at[first + 2].x, at[first].y - at[first + 2].y));
    }
    assert_ok(zf_layout_springs(at, 1, NULL, 0));
    assert_ok(zf_layout_springs(at, 0, NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_links_and_key_are_there),
        cmocka_unit_test(no_name_covers_another),
        cmocka_unit_test(graphs_may_be_empty_or_large),
        cmocka_unit_test(what_is_not_there_is_refused),
        cmocka_unit_test(springs_bring_joined_nodes_together),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
