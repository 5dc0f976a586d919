/* The graph with its controls, the list that a click fills, and the data behind
   it. A blanket is kept as its largest gates, so that the page grows with the
   number of variables and not with its square. */
#include <math.h>
#include <stdlib.h>

#include "html/page.h"
#include "html/picture.h"
#include "html/text.h"

enum { MOST_MEMBERS = 60 };

/* --- words around the picture ------------------------------------------------------- */

static uint64_t count_from(const zf_html_graph *g, double threshold)
{
    uint64_t count = 0;
    for (int e = 0; e < g->n_edges; e++)
        count += zf_html_unit(g->edges[e].score) >= zf_html_unit(threshold);
    return count;
}

static void write_left_out(zf_html_page *page)
{
    const zf_html_graph *g = &page->graph;
    zf_sink *out = &page->out;
    uint64_t drawn = count_from(g, (double)ZF_HTML_MEMBER);
    if (g->members == 0)
        zf_sink_text(out, "<p class=\"soft\">No score reaches 0.1, from which a variable counts as "
                          "a member of a blanket by default: this model has closed its gates. More "
                          "training, or less sparsity, may open them.</p>\n");
    if (g->members > drawn) {
        zf_sink_text(out, "<p class=\"soft\">The picture holds the ");
        zf_html_count(out, (uint64_t)g->n_edges);
        zf_sink_text(out, " strongest edges; ");
        zf_html_count(out, g->members - drawn);
        zf_sink_text(out, " weaker pairs with a score of 0.1 or more are left out.</p>\n");
    }
    if (g->n_drawn == g->features) return;
    zf_sink_text(out, "<p class=\"soft\">");
    zf_html_count(out, (uint64_t)(g->features - g->n_drawn));
    zf_sink_text(out, " of the ");
    zf_html_count(out, (uint64_t)g->features);
    zf_sink_text(out, " variables have none of the edges that are drawn and are left out of the "
                      "picture; their blankets can be found by name.</p>\n");
}

static void write_key(zf_html_page *page)
{
    zf_sink *out = &page->out;
    if (page->options->truth)
        zf_sink_text(out, "<div class=\"key\"><span>right edge</span>"
                          "<span class=\"k-wrong\">wrong edge</span>"
                          "<span class=\"k-missed\">missed edge</span>");
    else
        zf_sink_text(out, "<div class=\"key\"><span>edge; thicker: surer</span>");
    zf_sink_text(out, "<span class=\"k-target\">chosen target</span>"
                      "<span class=\"k-member\">its blanket</span></div>\n");
}

/* From the weakest edge that is drawn to just above the strongest. */
static void write_slider(zf_html_page *page)
{
    const zf_html_graph *g = &page->graph;
    zf_sink *out = &page->out;
    uint64_t first = zf_html_unit(g->threshold), least = first, most = first;
    if (g->n_edges > 0) {
        uint64_t weakest = zf_html_unit(g->edges[g->n_edges - 1].score);
        uint64_t surest = zf_html_unit(g->edges[0].score);
        least = weakest < least ? weakest : least;
        most = surest > most ? surest : most;
    }
    zf_sink_text(out, "<p class=\"control\"><label for=\"threshold\">Threshold: gates from "
                      "<b id=\"threshold-value\">");
    zf_html_decimal(out, g->threshold, 3);
    zf_sink_text(out, "</b> up</label>\n<input type=\"range\" id=\"threshold\" min=\"");
    zf_html_whole(out, least);
    zf_sink_text(out, "\" max=\"");
    zf_html_whole(out, most + 1);
    zf_sink_text(out, "\" value=\"");
    zf_html_whole(out, first);
    zf_sink_text(out, "\"><span class=\"soft\" id=\"edge-count\"></span></p>\n");
}

static void write_panel(zf_html_page *page)
{
    zf_sink *out = &page->out;
    zf_sink_text(out, "<div><div data-script hidden>\n");
    write_slider(page);
    zf_sink_text(out, "<p class=\"control\"><input type=\"search\" id=\"find\" list=\"names\" "
                      "placeholder=\"A variable’s name\" aria-label=\"A variable’s name\" "
                      "autocomplete=\"off\"><datalist id=\"names\">");
    for (int i = 0; i < page->features; i++) {
        zf_sink_text(out, "<option value=\"");
        zf_html_text(out, page->model->names[i]);
        zf_sink_text(out, "\">");
    }
    zf_sink_text(out, "</datalist><br>\n<label><input type=\"checkbox\" id=\"several\"> choose "
                      "several (or hold Shift)</label></p>\n"
                      "<h3 id=\"blanket-title\">Blankets</h3>\n<ol id=\"members\"></ol>\n"
                      "<p class=\"soft\" id=\"blanket-note\"></p>\n"
                      "<code class=\"command\" id=\"command\" hidden></code>\n"
                      "</div><noscript><p class=\"soft\">With scripts allowed, a click on a "
                      "variable shows its blanket.</p></noscript></div>\n");
}

static void write_threshold_note(zf_html_page *page)
{
    zf_sink *out = &page->out;
    zf_sink_text(out, "<p class=\"soft\">The score of an edge is the larger of the two gates "
                      "between its ends. The threshold begins at ");
    zf_html_decimal(out, page->graph.threshold, 3);
    if (page->options->threshold > 0 && page->options->threshold_why) {
        zf_sink_text(out, ", ");
        zf_html_text(out, page->options->threshold_why);
    } else if (page->options->threshold <= 0) {
        zf_sink_text(out, ", which lets through ");
        zf_html_count(out, count_from(&page->graph, page->graph.threshold));
        zf_sink_text(out, " edges: a beginning for the eye, not a finding");
    }
    zf_sink_text(out, ".</p>\n");
}

void zf_html_write_graph(zf_html_page *page)
{
    zf_sink *out = &page->out;
    zf_html_picture picture = {
        .graph = &page->graph,
        .names = page->model->names,
        .ring = zf_html_graph_is_ring(page->model->shape.gate.kind),
        .with_truth = page->options->truth,
    };
    zf_sink_text(out, "<section><h2>The graph, and blankets by click</h2>\n"
                      "<p>Two variables are joined where one is needed to predict the other though "
                      "all the rest are known. Click on a variable for its <em>Markov "
                      "blanket</em>: the variables that are enough to predict it.</p>\n"
                      "<div class=\"stage\"><div>\n");
    write_key(page);
    zf_sink_text(out, "<div class=\"scroll\">\n");
    zf_html_draw(out, &picture);
    zf_sink_text(out, "</div></div>\n");
    write_panel(page);
    zf_sink_text(out, "</div>\n");
    write_threshold_note(page);
    write_left_out(page);
    zf_sink_text(out, "</section>\n");
}

/* --- data -------------------------------------------------------------------------- */

typedef struct member {
    int feature;
    float gate;
} member;

static int by_gate(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->gate != y->gate) return x->gate > y->gate ? -1 : 1;
    return x->feature - y->feature;
}

static void write_blanket(zf_sink *out, member *members, const float *gates, int features, int self)
{
    int n = 0;
    for (int j = 0; j < features; j++)
        if (j != self) members[n++] = (member){j, gates[j]};
    qsort(members, (size_t)n, sizeof *members, by_gate);
    zf_sink_byte(out, '[');
    for (int k = 0; k < n && k < MOST_MEMBERS; k++) {
        if (k) zf_sink_byte(out, ',');
        zf_html_whole(out, (uint64_t)members[k].feature);
        zf_sink_byte(out, ',');
        zf_html_whole(out, zf_html_unit(members[k].gate));
    }
    zf_sink_byte(out, ']');
}

void zf_html_write_data(zf_html_page *page)
{
    zf_sink *out = &page->out;
    int d = page->features;
    member *members = malloc((size_t)d * sizeof *members);
    if (!members) {
        zf_sink_fail(out, ZF_ENOMEM);
        return;
    }
    zf_sink_text(out, "<script type=\"application/json\" id=\"data\">{\"model\":");
    zf_html_json(out, page->options->model ? page->options->model : "MODEL");
    zf_sink_text(out, page->options->truth ? ",\"truth\":true" : ",\"truth\":false");
    zf_sink_text(out, ",\"threshold\":");
    zf_html_whole(out, zf_html_unit(page->graph.threshold));
    zf_sink_text(out, ",\n\"names\":[");
    for (int i = 0; i < d; i++) {
        if (i) zf_sink_byte(out, ',');
        zf_html_json(out, page->model->names[i]);
    }
    zf_sink_text(out, "],\n\"blankets\":[");
    for (int i = 0; i < d; i++) {
        if (i) zf_sink_text(out, ",\n");
        write_blanket(out, members, page->gates + (size_t)i * (size_t)d, d, i);
    }
    zf_sink_text(out, "]}</script>\n");
    free(members);
}
