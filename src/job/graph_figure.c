/* A graph as a figure: its edges, or the matrix of its gates. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/words.h"
#include "job/graph_output.h"
#include "zeroflow/plot.h"

enum { KINDS = ZF_FORM_INTERACTION + 1 };

/* The place of a form in the key; "none" is last. */
static int kind_of(zf_form form)
{
    return form == ZF_FORM_NONE ? KINDS - 1 : (int)form - 1;
}

/* How an edge looks: by what the tests have found where there is evidence, otherwise by its
   score. */
static zf_link link_of(const zf_graph_output *output, const zf_graph *graph, size_t a, size_t b)
{
    zf_link link = {a, b, (double)zf_graph_score(graph, a, b), 0};
    if (!output->evidence) return link;
    const zf_pair_evidence *pair = zf_evidence_pair(output->evidence, (int32_t)a, (int32_t)b);
    link.weight = fabs(pair->effect);
    link.kind = kind_of(pair->form);
    return link;
}

/* Scores that are not gates, as those of some classical methods, by the largest. */
static void scale(zf_link *links, size_t n)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, links[i].weight);
    for (size_t i = 0; largest > 1 && i < n; i++) links[i].weight /= largest;
}

static size_t list_links(zf_link *to, const zf_graph_output *output, const zf_graph *graph)
{
    size_t n = zf_graph_count(graph), links = 0;
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++) {
            if (!zf_graph_output_has(graph, &output->options, a, b)) continue;
            if (to) to[links] = link_of(output, graph, a, b);
            links++;
        }
    if (to) scale(to, links);
    return links;
}

/* What the figure has, by which cut, and what its lines say. */
static void write_caption(char *to, size_t size, const zf_graph_output *output, size_t edges)
{
    const char *lines = edges == 0 ? ""
                        : output->evidence
                            ? " Lines: as thick as the correlation behind the strongest sign of "
                              "dependence, given the rest; coloured by its form."
                            : " Lines: as thick as the score.";
    zf_small some = zf_plural(edges, "edge");
    const char *count = edges ? some.text : "No edge";
    if (output->options.decided)
        snprintf(to, size, "%s at a false discovery rate of %g.%s", count, output->fdr, lines);
    else if (output->options.threshold > 0)
        snprintf(to, size, "%s with a score of %g or more.%s", count, output->options.threshold,
                 lines);
    else
        snprintf(to, size, "%s.%s", edges ? "Every pair" : count, lines);
}

static zf_status draw_edges(const zf_graph_output *output, const zf_graph *graph)
{
    const char *kinds[KINDS];
    size_t n = list_links(NULL, output, graph);
    zf_link *links = malloc((n + 1) * sizeof *links);
    if (!links) return zf_fail_memory(n * sizeof *links);
    list_links(links, output, graph);
    for (int form = 0; form < KINDS; form++)
        kinds[kind_of((zf_form)form)] = zf_form_name((zf_form)form);
    zf_graph_drawing drawing = {.names = zf_graph_names(graph),
                                .n = zf_graph_count(graph),
                                .links = links,
                                .n_links = n,
                                .kinds = kinds,
                                .n_kinds = output->evidence ? KINDS : 0};
    char caption[400];
    write_caption(caption, sizeof caption, output, n);
    zf_figure figure = {.caption = caption};
    zf_status status = zf_plot_graph(output->path, &figure, &drawing);
    free(links);
    return status;
}

static zf_status draw_gates(const zf_graph_output *output, const zf_graph *graph)
{
    size_t n = zf_graph_count(graph);
    double *gates = malloc(n * n * sizeof *gates);
    if (!gates) return zf_fail_memory(n * n * sizeof *gates);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) gates[i * n + j] = (double)zf_graph_gate(graph, i, j);
    zf_matrix_panel panel = {.values = gates,
                             .rows = n,
                             .columns = n,
                             .x_label = "column",
                             .y_label = "target",
                             .names = zf_graph_names(graph)};
    zf_figure figure = {.caption = "Gates: how far the way from a column to a target is open."};
    zf_status status = zf_plot_matrices(output->path, &figure, &panel, 1);
    free(gates);
    return status;
}

zf_status zf_graph_output_draw(const zf_graph_output *output, const zf_graph *graph)
{
    return output->options.matrix ? draw_gates(output, graph) : draw_edges(output, graph);
}
