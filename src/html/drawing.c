/* Which part of a graph a figure can hold. Beyond a few hundred edges it would be
   a ball of wool, so the strongest are taken, of whatever strength. True edges are
   among them while they are not more than that themselves, so that missed ones can
   be shown. Pairs pass through a buffer that keeps the strongest so far: of many
   thousand variables they are too many to be sorted at once. */
#include "html/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "html/text.h"

enum { MOST_EDGES = 600, ALL_NODES = 150, ROOM = 4096 };

/* Names break ties, so that the order does not depend on how qsort works. */
static int by_rank(const void *a, const void *b)
{
    const zf_html_edge *x = a, *y = b;
    if (x->rank != y->rank) return x->rank > y->rank ? -1 : 1;
    return x->a != y->a ? x->a - y->a : x->b - y->b;
}

/* The strongest edges so far, and more that may be among them. */
typedef struct strongest {
    zf_html_edge edges[ROOM];
    int n;
    double least; /* weaker ones are not among them */
} strongest;

static void settle(strongest *s, int most)
{
    qsort(s->edges, (size_t)s->n, sizeof *s->edges, by_rank);
    if (s->n < most) return;
    s->n = most;
    s->least = s->edges[most - 1].rank;
}

static void offer(strongest *s, zf_html_edge edge)
{
    if (!(edge.rank > s->least)) return;
    if (s->n == ROOM) settle(s, MOST_EDGES);
    s->edges[s->n++] = edge;
}

static size_t count_real(const zf_graph *graph, const zf_graph *truth)
{
    size_t n = zf_graph_count(graph), count = 0;
    for (size_t i = 0; truth && i < n; i++)
        for (size_t j = i + 1; j < n; j++) count += zf_graph_score(truth, i, j) > 0;
    return count;
}

/* What the figure is drawn from. */
typedef struct source {
    const zf_graph *graph, *truth;
    const zf_evidence *evidence;
    double threshold;
} source;

static zf_html_edge edge_of(const source *from, size_t i, size_t j)
{
    float score = zf_graph_score(from->graph, i, j);
    zf_html_edge edge = {(int)i, (int)j, score, (double)score, fmin((double)score, 1),
                         false,  false};
    edge.real = from->truth && zf_graph_score(from->truth, i, j) > 0;
    if (from->evidence) {
        const zf_pair_evidence *pair = zf_evidence_pair(from->evidence, (int32_t)i, (int32_t)j);
        edge.rank = -pair->p_value;
        edge.weight = fmin(fabs(pair->effect), 1);
        edge.on = zf_graph_evidence(from->graph, i, j)->decided;
    } else {
        edge.on = zf_html_unit((double)score) >= zf_html_unit(from->threshold);
    }
    return edge;
}

/* Real edges at once if they all fit, others through the buffer; of what is decided, only
   that. */
static void collect(zf_html_drawing *g, strongest *s, const source *from)
{
    size_t n = zf_graph_count(from->graph);
    bool keep_real = count_real(from->graph, from->truth) <= MOST_EDGES;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            zf_html_edge edge = edge_of(from, i, j);
            g->n_on += edge.on;
            if (edge.real && keep_real)
                g->edges[g->n_edges++] = edge;
            else if (edge.on || !from->evidence)
                offer(s, edge);
        }
    settle(s, MOST_EDGES - g->n_edges);
    for (int e = 0; e < s->n && g->n_edges < MOST_EDGES; e++) g->edges[g->n_edges++] = s->edges[e];
    qsort(g->edges, (size_t)g->n_edges, sizeof *g->edges, by_rank);
}

static void choose_nodes(zf_html_drawing *g)
{
    for (int i = 0; i < g->variables; i++) g->drawn[i] = g->variables <= ALL_NODES;
    for (int e = 0; e < g->n_edges; e++) g->drawn[g->edges[e].a] = g->drawn[g->edges[e].b] = true;
    for (int i = 0; i < g->variables; i++) g->n_drawn += g->drawn[i];
}

zf_status zf_html_drawing_choose(zf_html_drawing *out, const zf_graph *graph, const zf_graph *truth,
                                 const zf_evidence *evidence, double threshold)
{
    size_t n = zf_graph_count(graph);
    if (threshold <= 0) threshold = (double)ZF_HTML_MEMBER;
    *out = (zf_html_drawing){.variables = (int)n, .decided = evidence, .threshold = threshold};
    strongest *s = calloc(1, sizeof *s);
    out->edges = malloc(MOST_EDGES * sizeof *out->edges);
    out->drawn = calloc(n, sizeof *out->drawn);
    out->place = calloc(n, sizeof *out->place);
    zf_status status = s && out->edges && out->drawn && out->place
                           ? ZF_OK
                           : zf_fail_memory(sizeof *s + n * sizeof *out->place);
    if (status == ZF_OK) {
        source from = {graph, truth, evidence, threshold};
        s->least = evidence ? -INFINITY : 0; /* gates that are shut are no edges */
        collect(out, s, &from);
        choose_nodes(out);
    }
    free(s);
    return status;
}

void zf_html_drawing_free(zf_html_drawing *drawing)
{
    free(drawing->edges);
    free(drawing->drawn);
    free(drawing->place);
    memset(drawing, 0, sizeof *drawing);
}
