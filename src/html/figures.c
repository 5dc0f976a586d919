/* The page's figures, drawn by src/plot: ROC curves, gates, training curves.
   Several narrow ones rather than one wide one: they go side by side on a screen
   and below each other on a phone, with text that can be read on both. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "html/page.h"
#include "html/text.h"
#include "zeroflow/plot.h"

enum { NARROW = 480, MOST_METHODS = 16 };

/* Puts the figure into the page, and frees it. */
static void put(zf_html_page *page, char *svg)
{
    zf_sink_text(&page->out, "<figure class=\"plot\">");
    zf_sink_text(&page->out, svg);
    zf_sink_text(&page->out, "</figure>\n");
    free(svg);
}

zf_status zf_html_write_roc(zf_html_page *page)
{
    const zf_html_options *o = page->options;
    zf_roc_curve curves[MOST_METHODS];
    size_t n = o->n_methods < MOST_METHODS ? o->n_methods : MOST_METHODS;
    for (size_t i = 0; i < n; i++) {
        const zf_accuracy *a = o->methods[i].accuracy;
        curves[i] = (zf_roc_curve){
            .name = o->methods[i].name, .auc = a->auc, .fpr = a->fpr, .tpr = a->tpr, .n = a->n_roc};
    }
    char *svg = NULL;
    zf_figure figure = {.width = NARROW, .svg = &svg};
    zf_roc_panel panel = {.curves = curves, .n_curves = n};
    ZF_TRY(zf_plot_roc("ROC", &figure, &panel, 1, 1));
    put(page, svg);
    return ZF_OK;
}

static zf_status write_matrix(zf_html_page *page, const zf_matrix_panel *panel)
{
    char *svg = NULL;
    zf_figure figure = {.width = NARROW, .svg = &svg};
    ZF_TRY(zf_plot_matrices("gates", &figure, panel, 1));
    put(page, svg);
    return ZF_OK;
}

/* The diagonal is left out: a target has no gate for itself, and a precision's
   diagonal would hide the rest. */
static void fill_precision(double *values, const zf_html_page *page)
{
    size_t d = (size_t)page->variables;
    for (size_t i = 0; i < d * d; i++)
        values[i] = i % (d + 1) == 0 ? 0 : fabs(page->options->precision[i]);
}

static void fill_gates(double *values, const zf_html_page *page)
{
    size_t d = (size_t)page->variables;
    for (size_t i = 0; i < d * d; i++) values[i] = page->gates[i];
}

/* The size of the effect where there is an edge. */
static void fill_decided(double *values, const zf_html_page *page)
{
    int d = page->variables;
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            bool edge = i != j && zf_graph_evidence(page->graph, (size_t)i, (size_t)j)->decided;
            *values++ = edge ? fabs(zf_evidence_pair(page->evidence, i, j)->effect) : 0;
        }
}

static zf_status write_matrices(zf_html_page *page)
{
    size_t d = (size_t)page->variables;
    double *values = malloc(d * d * sizeof *values);
    if (!values) return zf_fail_memory(d * d * sizeof *values);
    zf_matrix_panel panel = {.title = "Learnt gates",
                             .values = values,
                             .rows = d,
                             .columns = d,
                             .low = 0,
                             .high = 1,
                             .x_label = "variable",
                             .y_label = "target",
                             .names = page->model->names};
    fill_gates(values, page);
    zf_status status = write_matrix(page, &panel);
    panel.y_label = "variable";
    if (status == ZF_OK && page->evidence && page->drawing.n_on > 0) {
        panel.title = "Decided edges, by the size of their effect";
        fill_decided(values, page);
        status = write_matrix(page, &panel);
    }
    if (status == ZF_OK && page->options->precision) {
        panel.title = "True precision (absolute, without its diagonal)";
        panel.low = panel.high = 0;
        fill_precision(values, page);
        status = write_matrix(page, &panel);
    }
    free(values);
    return status;
}

/* The list that stands where there is no truth to stand beside the gates. */
static void write_strongest(zf_html_page *page)
{
    enum { SHOWN = 12 };
    const zf_html_drawing *g = &page->drawing;
    zf_sink *out = &page->out;
    if (g->n_edges == 0) return;
    zf_sink_text(out, "<div><h3>The largest gates</h3><table><thead><tr><th>between</th>"
                      "<th>score</th></tr></thead><tbody>\n");
    for (int e = 0; e < g->n_edges && e < SHOWN; e++) {
        zf_sink_text(out, "<tr><td><bdi class=\"name\">");
        zf_html_text(out, page->model->names[g->edges[e].a]);
        zf_sink_text(out, "</bdi> – <bdi class=\"name\">");
        zf_html_text(out, page->model->names[g->edges[e].b]);
        zf_sink_text(out, "</bdi></td><td>");
        zf_html_decimal(out, g->edges[e].score, 3);
        zf_sink_text(out, "</td></tr>\n");
    }
    zf_sink_text(out, "</tbody></table></div>\n");
}

zf_status zf_html_write_gates(zf_html_page *page)
{
    zf_sink *out = &page->out;
    zf_sink_text(
        out, "<section id=\"gates\"><h2>The gates</h2>\n"
             "<p>A row is the blanket of one variable: how far the gate of each other variable is "
             "open to predict this one.");
    if (page->evidence)
        zf_sink_text(out, " Beside it, what the evidence decided on: a gate may be open where "
                          "there is no edge, and the other way round.");
    if (page->options->precision)
        zf_sink_text(
            out, " Last, the precision matrix of the distribution that the data were drawn from: "
                 "where it is not zero, two variables need each other. All should have the same "
                 "pattern, not the same values.");
    zf_sink_text(out,
                 "</p>\n<p class=\"soft\" id=\"readout\" data-script hidden>Point at a cell to see "
                 "its two variables and its gate; click on it for the blanket.</p>\n"
                 "<div class=\"pair\">\n");
    ZF_TRY(write_matrices(page));
    if (!page->evidence && !page->options->precision) write_strongest(page);
    zf_sink_text(out, "</div></section>\n");
    return ZF_OK;
}

/* In the order of the history's measures. */
static const char *const measures[ZF_BLANKET_MEASURES] = {
    "Loss: what training minimises",
    "Rectified-flow term: error of the flow",
    "Zero-flow term: squared speed at t = 0.5",
    "Mean gate: how open gates are on average",
};

static zf_status write_curve(zf_html_page *page, const double *steps, const double *values,
                             size_t rows, int m)
{
    char *svg = NULL;
    zf_figure figure = {.width = NARROW, .svg = &svg};
    ZF_TRY(zf_plot_training("training", &figure, steps, values + (size_t)m * rows, rows,
                            &measures[m], 1));
    put(page, svg);
    return ZF_OK;
}

zf_status zf_html_write_training(zf_html_page *page)
{
    const zf_history *h = &page->model->history;
    zf_sink *out = &page->out;
    size_t rows = (size_t)h->rows;
    if (rows < 2 || h->measures != ZF_BLANKET_MEASURES) return ZF_OK;
    double *steps = malloc(rows * sizeof *steps);
    double *values = malloc(rows * ZF_BLANKET_MEASURES * sizeof *values);
    zf_status status = steps && values ? ZF_OK : zf_fail_memory(rows * sizeof *values);
    for (size_t i = 0; status == ZF_OK && i < rows; i++) {
        steps[i] = ((double)i + 0.5) * (double)h->span;
        for (size_t m = 0; m < ZF_BLANKET_MEASURES; m++) values[m * rows + i] = h->mean[i][m];
    }
    zf_sink_text(out, "<section><h2>Training</h2>\n<p class=\"soft\">Each point is the mean over ");
    zf_html_count(out, h->span);
    zf_sink_text(out, h->span == 1 ? " step" : " steps");
    zf_sink_text(
        out, ". The loss is the rectified-flow term plus the weighted zero-flow term and sum of "
             "all gates. The zero-flow term should be small beside the first, not fall: it begins "
             "near 0, as the flow does.</p>");
    zf_sink_text(out, "\n<div class=\"pair\">\n");
    for (int m = 0; m < ZF_BLANKET_MEASURES && status == ZF_OK; m++)
        status = write_curve(page, steps, values, rows, m);
    zf_sink_text(out, "</div></section>\n");
    free(steps);
    free(values);
    return status;
}
