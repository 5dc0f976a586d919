/* The parts of the page that can be wrong without a browser: escaping, numbers,
   which edges are drawn and where. The page as a whole: tests/cli/report.sh. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "html/drawing.h"
#include "html/text.h"

static char *written(void (*write)(zf_sink *, const char *), const char *text)
{
    zf_sink sink;
    char *bytes = NULL;
    size_t n;
    zf_sink_open_memory(&sink);
    write(&sink, text);
    assert_ok(zf_sink_take(&sink, &bytes, &n));
    return bytes;
}

static void assert_written(void (*write)(zf_sink *, const char *), const char *text,
                           const char *expected)
{
    char *bytes = written(write, text);
    assert_string_equal(bytes, expected);
    free(bytes);
}

static void text_cannot_leave_its_element(void **state)
{
    (void)state;
    assert_written(zf_html_text, "<script>alert(1)</script>",
                   "&lt;script&gt;alert(1)&lt;/script&gt;");
    assert_written(zf_html_text, "a\"b & c", "a&quot;b &amp; c");
    assert_written(zf_html_text, "naïve 変数", "naïve 変数");
    assert_written(zf_html_text, "a\nb\tc", "a b c");
    assert_written(zf_html_text, "a\x01\xff z", "a\xef\xbf\xbd\xef\xbf\xbd z");
    assert_written(zf_html_text,
                   "\xe2\x80\xae"
                   "abc",
                   "\xef\xbf\xbd"
                   "abc"); /* right-to-left override */
}

static void json_cannot_leave_its_script(void **state)
{
    (void)state;
    assert_written(zf_html_json, "</script>", "\"\\u003c/script\\u003e\"");
    assert_written(zf_html_json, "<!--", "\"\\u003c!--\"");
    assert_written(zf_html_json, "a\\b\"c", "\"a\\u005cb\\u0022c\"");
    assert_written(zf_html_json, "\n\x7f", "\"\\u000a\\u007f\"");
    assert_written(zf_html_json, "\xe2\x80\xa8", "\"\\u2028\""); /* ends a line in JavaScript */
    assert_written(zf_html_json, "変\xff", "\"変\xef\xbf\xbd\"");
}

static void assert_decimal(double value, int decimals, const char *expected)
{
    zf_sink sink;
    char *bytes = NULL;
    size_t n;
    zf_sink_open_memory(&sink);
    zf_html_decimal(&sink, value, decimals);
    assert_ok(zf_sink_take(&sink, &bytes, &n));
    assert_string_equal(bytes, expected);
    free(bytes);
}

static void assert_small(double value, const char *expected)
{
    zf_sink sink;
    char *bytes = NULL;
    size_t n;
    zf_sink_open_memory(&sink);
    zf_html_small(&sink, value);
    assert_ok(zf_sink_take(&sink, &bytes, &n));
    assert_string_equal(bytes, expected);
    free(bytes);
}

static void small_numbers_have_two_digits(void **state)
{
    (void)state;
    assert_small(1, "1");
    assert_small(0.998, "1");
    assert_small(0.1, "0.1");
    assert_small(0.0341, "0.034");
    assert_small(0.00996, "0.01");
    assert_small(0.001, "0.001");
    assert_small(0.000951, "9.5e-4");
    assert_small(4.04e-12, "4e-12");
    assert_small(1e-300, "1e-300");
    assert_small(0, "0");
}

static void numbers_have_their_decimals(void **state)
{
    (void)state;
    assert_decimal(0.99951, 3, "1.000");
    assert_decimal(12.034, 2, "12.03");
    assert_decimal(-0.25, 1, "-0.3");
    assert_decimal(-0.001, 2, "0.00");
    assert_decimal(7.6, 0, "8");
    assert_decimal((double)NAN, 3, "–");
    assert_int_equal(zf_html_unit(0.39754), 3975);
    assert_int_equal(zf_html_unit(-1), 0);
}

/* A graph of n nodes whose pair (i, j) has the score of a function. */
static zf_graph *graph_of(size_t n, float (*score)(size_t, size_t))
{
    char(*text)[16] = calloc(n, sizeof *text);
    const char **names = calloc(n, sizeof *names);
    zf_graph *graph = NULL;
    for (size_t i = 0; i < n; i++) {
        snprintf(text[i], sizeof text[i], "v%zu", i);
        names[i] = text[i];
    }
    assert_ok(zf_graph_new(&graph, names, n, NULL));
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) assert_ok(zf_graph_set_gate(graph, i, j, score(i, j)));
    free(names);
    free(text);
    return graph;
}

/* Distinct in every pair of 200, and strongest at the end. */
static float rising(size_t i, size_t j)
{
    return (float)(i * 200 + j) / 50000;
}

static float first_pair(size_t i, size_t j)
{
    return i == 0 && j == 1;
}

static float nothing(size_t i, size_t j)
{
    (void)i, (void)j;
    return 0;
}

static void the_strongest_edges_are_drawn(void **state)
{
    (void)state;
    zf_graph *graph = graph_of(200, rising), *truth = graph_of(200, first_pair);
    zf_html_drawing drawing;
    assert_ok(zf_html_drawing_choose(&drawing, graph, truth, NULL, 0));
    assert_int_equal(drawing.n_edges, 600);
    assert_int_equal(drawing.edges[0].a, 198);
    assert_int_equal(drawing.edges[0].b, 199);
    for (int e = 1; e < 600; e++) assert_true(drawing.edges[e - 1].score > drawing.edges[e].score);
    /* Rows 198 to 165 have 1 + 2 + ... + 34 = 595 pairs; the 599th is in the next. */
    assert_int_equal(drawing.edges[598].a, 164);
    /* The true edge is the weakest of all and still there. */
    assert_true(drawing.edges[599].real);
    assert_int_equal(drawing.edges[599].b, 1);
    /* The cut of zeroflow blanket: pairs with 200 i + j >= 5000 have a score of 0.1, and two more
       that are shown as 0.1000. */
    assert_true(drawing.threshold == (double)ZF_HTML_MEMBER && !drawing.decided);
    assert_int_equal(drawing.n_on, 175 * 174 / 2 + 2);
    assert_true(drawing.edges[598].on && !drawing.edges[599].on);
    assert_true(drawing.drawn[0] && drawing.drawn[1] && !drawing.drawn[2] && drawing.drawn[199]);
    assert_ok(zf_html_drawing_place(&drawing, ZF_GATE_MLP, 0));
    for (int i = 0; i < 200; i++) {
        if (!drawing.drawn[i]) continue;
        assert_in_range(lround(1000 * drawing.place[i].x), 0, 1000);
        assert_in_range(lround(1000 * drawing.place[i].y), 0, 1000);
    }
    zf_html_drawing_free(&drawing);
    zf_graph_free(graph);
    zf_graph_free(truth);
}

static float neighbours(size_t i, size_t j)
{
    return j == i + 1 && j < 5;
}

static void joined_nodes_stand_closer(void **state)
{
    (void)state;
    zf_graph *graph = graph_of(6, neighbours);
    zf_html_drawing drawing;
    assert_ok(zf_html_drawing_choose(&drawing, graph, NULL, NULL, 0.5));
    assert_int_equal(drawing.n_edges, 4);
    assert_int_equal(drawing.n_drawn, 6);
    assert_int_equal(drawing.n_on, 4);
    assert_ok(zf_html_drawing_place(&drawing, ZF_GATE_MLP, 0));
    const zf_html_place *p = drawing.place;
    for (int i = 0; i < 4; i++)
        assert_true(hypot(p[i].x - p[i + 1].x, p[i].y - p[i + 1].y) <
                    hypot(p[0].x - p[4].x, p[0].y - p[4].y));
    for (int i = 0; i < 5; i++) assert_true(p[i].y < p[5].y); /* the one without an edge */
    zf_html_drawing_free(&drawing);
    zf_graph_free(graph);
}

/* Three columns, the second like the first: one edge, whatever the gates say. */
static void evidence_says_what_is_drawn(void **state)
{
    (void)state;
    enum { ROWS = 200, D = 3 };
    static const char *const names[D] = {"v0", "v1", "v2"};
    double values[ROWS * D];
    zf_evidence *evidence = NULL;
    zf_evidence_options options = zf_evidence_defaults();
    for (int i = 0; i < ROWS; i++) {
        double *row = values + i * D;
        row[0] = (i * 37) % 101;
        row[1] = row[0] + (i * 53) % 29;
        row[2] = (i * 71) % 97;
    }
    assert_ok(zf_evidence_test(&evidence, values, ROWS, names, D, &options));
    zf_graph *graph = graph_of(D, nothing), *truth = graph_of(D, nothing);
    static const zf_edge_evidence pairs[] = {
        {0, 0, true, -1}, {0.5, 0.9, false, -1}, {0.9, 0.9, false, -1}};
    assert_ok(zf_graph_set_evidence(graph, pairs));
    assert_ok(zf_graph_set_gate(graph, 1, 2, 1));
    assert_ok(zf_graph_set_gate(truth, 0, 2, 1));
    zf_html_drawing drawing;
    assert_ok(zf_html_drawing_choose(&drawing, graph, NULL, evidence, 0));
    assert_true(drawing.decided);
    assert_int_equal(drawing.n_edges, 1);
    assert_int_equal(drawing.n_on, 1);
    assert_true(drawing.edges[0].a == 0 && drawing.edges[0].b == 1 && drawing.edges[0].on);
    assert_true(drawing.edges[0].weight > 0.8); /* the effect, not the gate, which is 0 */
    assert_ok(zf_html_drawing_place(&drawing, ZF_GATE_MLP, 0));
    assert_true(drawing.place[2].y > drawing.place[0].y && drawing.place[2].y > drawing.place[1].y);
    zf_html_drawing_free(&drawing);
    /* A true edge that is missed is drawn, but not on. */
    assert_ok(zf_html_drawing_choose(&drawing, graph, truth, evidence, 0));
    assert_int_equal(drawing.n_edges, 2);
    assert_int_equal(drawing.n_on, 1);
    assert_true(drawing.edges[1].real && !drawing.edges[1].on);
    zf_html_drawing_free(&drawing);
    zf_evidence_free(evidence);
    zf_graph_free(graph);
    zf_graph_free(truth);
}

static void rings_and_grids_follow_the_order(void **state)
{
    (void)state;
    zf_graph *graph = graph_of(4, nothing);
    zf_html_drawing drawing;
    assert_ok(zf_html_drawing_choose(&drawing, graph, NULL, NULL, 0));
    assert_int_equal(drawing.n_edges, 0);
    assert_ok(zf_html_drawing_place(&drawing, ZF_GATE_LSTM, 0));
    static const double ring[4][2] = {{0.5, 0}, {1, 0.5}, {0.5, 1}, {0, 0.5}};
    for (int i = 0; i < 4; i++) {
        assert_close(drawing.place[i].x, ring[i][0], 1e-12);
        assert_close(drawing.place[i].y, ring[i][1], 1e-12);
    }
    assert_ok(zf_html_drawing_place(&drawing, ZF_GATE_CNN, 2));
    for (int i = 0; i < 4; i++) {
        assert_close(drawing.place[i].x, i % 2, 1e-12);
        assert_close(drawing.place[i].y, i >= 2, 1e-12);
    }
    zf_html_drawing_free(&drawing);
    zf_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_cannot_leave_its_element),
        cmocka_unit_test(json_cannot_leave_its_script),
        cmocka_unit_test(numbers_have_their_decimals),
        cmocka_unit_test(small_numbers_have_two_digits),
        cmocka_unit_test(the_strongest_edges_are_drawn),
        cmocka_unit_test(joined_nodes_stand_closer),
        cmocka_unit_test(evidence_says_what_is_drawn),
        cmocka_unit_test(rings_and_grids_follow_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
