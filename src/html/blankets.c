/* The graph with its controls, the list that a click fills, and the data behind
   it. A blanket is kept as its largest gates, so that the page grows with the
   number of variables and not with its square. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "html/page.h"
#include "html/svg.h"
#include "html/text.h"

enum { MOST_DECIDED = 200, MOST_LISTED = 60 }; /* beside a target: decided; in all */

/* --- words around the figure ------------------------------------------------------- */

static void write_left_out(zf_html_page *page)
{
    const zf_html_drawing *g = &page->drawing;
    zf_sink *out = &page->out;
    uint64_t drawn = 0;
    for (int e = 0; e < g->n_edges; e++) drawn += g->edges[e].on;
    if (g->n_on == 0 && !g->decided)
        zf_sink_text(
            out, "<p class=\"soft\">No score is this large: the model has closed its gates. More "
                 "training or less sparsity may open them.</p>\n");
    if (g->n_on > drawn) {
        zf_sink_text(out, "<p class=\"soft\">The figure holds the ");
        zf_html_count(out, drawn);
        zf_sink_text(out, g->decided ? " surest edges; " : " strongest edges; ");
        zf_html_count(out, g->n_on - drawn);
        zf_sink_text(out,
                     g->decided
                         ? " more edges are not drawn, but are listed with their variables.</p>\n"
                         : " weaker edges are not drawn.</p>\n");
    }
    if (g->n_drawn == g->variables) return;
    zf_sink_text(out, "<p class=\"soft\">");
    zf_html_count(out, (uint64_t)(g->variables - g->n_drawn));
    zf_sink_text(out, " of the ");
    zf_html_count(out, (uint64_t)g->variables);
    zf_sink_text(
        out, " variables have none of the edges drawn and are left out of the figure; find their "
             "blankets by name.</p>\n");
}

static void write_key(zf_html_page *page)
{
    zf_sink *out = &page->out;
    if (page->options->truth)
        zf_sink_text(out, "<div class=\"key\"><span>right edge</span><span "
                          "class=\"k-wrong\">wrong edge</span><span "
                          "class=\"k-missed\">missed edge</span>");
    else if (page->evidence)
        zf_sink_text(out, "<div class=\"key\"><span>rising</span><span class=\"k-falling\">falling"
                          "</span><span class=\"k-other\">another form</span>"
                          "<span class=\"k-thick\">thicker: stronger</span>");
    else
        zf_sink_text(out, "<div class=\"key\"><span>larger gate: thicker</span>");
    zf_sink_text(out, "<span class=\"k-target\">chosen target</span>"
                      "<span class=\"k-member\">its blanket</span></div>\n");
}

/* From the weakest edge that is drawn to just above the strongest. */
static void write_slider(zf_html_page *page)
{
    const zf_html_drawing *g = &page->drawing;
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
    if (!page->evidence) write_slider(page);
    zf_sink_text(out, "<p class=\"control\"><input type=\"search\" id=\"find\" list=\"names\" "
                      "placeholder=\"A variable’s name\" aria-label=\"A variable’s name\" "
                      "autocomplete=\"off\"><datalist id=\"names\">");
    for (int i = 0; i < page->variables; i++) {
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

void zf_html_write_graph(zf_html_page *page)
{
    zf_sink *out = &page->out;
    zf_html_figure figure = {
        .drawing = &page->drawing,
        .names = page->model->names,
        .ring = zf_html_drawing_is_ring(page->model->shape.gate.kind),
        .with_truth = page->options->truth,
        .evidence = page->evidence,
    };
    zf_sink_text(out, "<section><h2>The graph, and blankets by click</h2>\n");
    zf_html_write_headline(page);
    zf_sink_text(
        out, "<p>Two variables are joined if one is needed to predict the other even when all the "
             "rest are known. Click on a variable for its <em>Markov blanket</em>: the variables "
             "that are sufficient to predict it.</p>\n"
             "<div class=\"stage\"><div>\n");
    write_key(page);
    zf_sink_text(out, "<div class=\"scroll\">\n");
    zf_html_draw(out, &figure);
    zf_sink_text(out, "</div></div>\n");
    write_panel(page);
    zf_sink_text(out, "</div>\n");
    write_left_out(page);
    zf_sink_text(out, "</section>\n");
}

/* --- data -------------------------------------------------------------------------- */

static int by_gate(const void *a, const void *b)
{
    const zf_member *x = a, *y = b;
    if (x->gate != y->gate) return x->gate > y->gate ? -1 : 1;
    return (x->variable > y->variable) - (x->variable < y->variable);
}

/* All others beside a target: by evidence what is decided first, else by their gates. */
static zf_status list_members(zf_member *members, const zf_html_page *page, int target)
{
    int n = 0;
    size_t decided;
    const float *gates = page->gates + (size_t)target * (size_t)page->variables;
    if (page->evidence)
        return zf_blanket_decide(members, &decided, page->model, (int32_t[]){target}, 1,
                                 page->options->fdr);
    for (int j = 0; j < page->variables; j++)
        if (j != target) members[n++] = (zf_member){.variable = j, .gate = gates[j]};
    qsort(members, (size_t)n, sizeof *members, by_gate);
    return ZF_OK;
}

static void write_integer(zf_sink *out, int32_t value)
{
    zf_sink_byte(out, ',');
    if (value < 0) zf_sink_byte(out, '-');
    zf_html_whole(out, (uint64_t)(value < 0 ? -value : value));
}

/* p-value, q-value, effect in hundredths, form, the variable that the form names or -1, the
   verdict, the p-value of a stand-in or of what is superfluous (else -1), and its stability, if
   there is one. */
static void write_judgement(zf_html_page *page, int target, const zf_member *member)
{
    zf_sink *out = &page->out;
    const zf_pair_evidence *pair = zf_evidence_pair(page->evidence, target, member->variable);
    zf_sink_byte(out, ',');
    zf_html_small(out, pair->p_value);
    zf_sink_byte(out, ',');
    zf_html_small(out, pair->q_value);
    write_integer(out, (int32_t)lround(100 * pair->effect));
    write_integer(out, (int32_t)pair->form);
    write_integer(out, pair->form == ZF_FORM_INTERACTION ? pair->third : pair->curved);
    write_integer(out, (int32_t)member->verdict);
    zf_sink_byte(out, ',');
    if (member->without >= 0)
        zf_html_small(out, member->without);
    else
        zf_sink_text(out, "-1");
    if (!page->stability) return;
    zf_sink_byte(out, ',');
    zf_html_small(out, pair->stability);
}

static zf_status write_blanket(zf_html_page *page, zf_member *members, int target)
{
    zf_sink *out = &page->out;
    ZF_TRY(list_members(members, page, target));
    zf_sink_byte(out, '[');
    for (int k = 0; k < page->variables - 1; k++) {
        if (k >= (members[k].decided ? MOST_DECIDED : MOST_LISTED)) break;
        if (k) zf_sink_byte(out, ',');
        zf_html_whole(out, (uint64_t)members[k].variable);
        write_integer(out, (int32_t)zf_html_unit((double)members[k].gate));
        if (page->evidence) write_judgement(page, target, &members[k]);
    }
    zf_sink_byte(out, ']');
    return ZF_OK;
}

static void write_cut(zf_html_page *page)
{
    zf_sink *out = &page->out;
    if (!page->evidence) {
        zf_sink_text(out, ",\"threshold\":");
        zf_html_whole(out, zf_html_unit(page->drawing.threshold));
        return;
    }
    zf_sink_text(out, ",\"fdr\":");
    zf_html_small(out, page->options->fdr);
    zf_sink_text(out, page->stability ? ",\"stability\":true" : ",\"stability\":false");
    zf_sink_text(out, ",\"verdicts\":[");
    for (int verdict = 0; verdict < ZF_VERDICTS; verdict++) {
        if (verdict) zf_sink_byte(out, ',');
        zf_html_json(out, zf_verdict_name((zf_verdict)verdict));
    }
    zf_sink_text(out, "],\"forms\":[");
    for (int form = 0; form <= ZF_FORM_INTERACTION; form++) {
        if (form) zf_sink_byte(out, ',');
        zf_html_json(out, zf_form_name((zf_form)form));
    }
    zf_sink_byte(out, ']');
}

zf_status zf_html_write_data(zf_html_page *page)
{
    zf_sink *out = &page->out;
    int d = page->variables;
    zf_status status = ZF_OK;
    zf_member *members = malloc((size_t)d * sizeof *members);
    if (!members) return zf_fail_memory((size_t)d * sizeof *members);
    zf_sink_text(out, "<script type=\"application/json\" id=\"data\">{\"model\":");
    zf_html_json(out, page->options->model ? page->options->model : "MODEL");
    zf_sink_text(out, page->options->truth ? ",\"truth\":true" : ",\"truth\":false");
    write_cut(page);
    zf_sink_text(out, ",\n\"names\":[");
    for (int i = 0; i < d; i++) {
        if (i) zf_sink_byte(out, ',');
        zf_html_json(out, page->model->names[i]);
    }
    zf_sink_text(out, "],\n\"blankets\":[");
    for (int i = 0; i < d && status == ZF_OK; i++) {
        if (i) zf_sink_text(out, ",\n");
        status = write_blanket(page, members, i);
    }
    zf_sink_text(out, "]}</script>\n");
    free(members);
    return status;
}
