/* Which part of a graph a picture can hold. Beyond a few hundred edges it would be
   a ball of wool, so the strongest are taken, of whatever strength. True edges are
   among them while they are not more than that themselves, so that missed ones can
   be shown. Pairs pass through a buffer that keeps the strongest so far: of many
   thousand features they are too many to be sorted at once. */
#include "html/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { MOST_EDGES = 600, ALL_NODES = 150, ROOM = 4096 };

/* Names break ties, so that the order does not depend on how qsort works. */
static int by_score(const void *a, const void *b)
{
    const zf_html_edge *x = a, *y = b;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    return x->a != y->a ? x->a - y->a : x->b - y->b;
}

/* The strongest edges so far, and more that may be among them. */
typedef struct strongest {
    zf_html_edge edges[ROOM];
    int n;
    float least; /* weaker ones are not among them */
} strongest;

static void settle(strongest *s, int most)
{
    qsort(s->edges, (size_t)s->n, sizeof *s->edges, by_score);
    if (s->n < most) return;
    s->n = most;
    s->least = s->edges[most - 1].score;
}

static void offer(strongest *s, zf_html_edge edge)
{
    if (!(edge.score > s->least)) return;
    if (s->n == ROOM) settle(s, MOST_EDGES);
    s->edges[s->n++] = edge;
}

static size_t count_real(const zf_network *network, const zf_network *truth)
{
    size_t n = zf_network_count(network), count = 0;
    for (size_t i = 0; truth && i < n; i++)
        for (size_t j = i + 1; j < n; j++) count += zf_network_score(truth, i, j) > 0;
    return count;
}

/* Real edges at once if they all fit, others through the buffer. */
static void collect(zf_html_graph *g, strongest *s, const zf_network *network,
                    const zf_network *truth)
{
    size_t n = zf_network_count(network);
    bool keep_real = count_real(network, truth) <= MOST_EDGES;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            bool real = truth && zf_network_score(truth, i, j) > 0;
            zf_html_edge edge = {(int)i, (int)j, zf_network_score(network, i, j), real};
            if (real && keep_real)
                g->edges[g->n_edges++] = edge;
            else
                offer(s, edge);
            g->members += edge.score >= ZF_HTML_MEMBER;
        }
    settle(s, MOST_EDGES - g->n_edges);
    for (int e = 0; e < s->n && g->n_edges < MOST_EDGES; e++) g->edges[g->n_edges++] = s->edges[e];
    qsort(g->edges, (size_t)g->n_edges, sizeof *g->edges, by_score);
}

/* The threshold that lets twice as many edges through as there are features. */
static double usual_threshold(const zf_html_graph *g)
{
    int wanted = 2 * g->features < g->n_edges ? 2 * g->features : g->n_edges;
    return wanted > 0 ? (double)g->edges[wanted - 1].score : (double)ZF_HTML_MEMBER;
}

static void choose_nodes(zf_html_graph *g)
{
    for (int i = 0; i < g->features; i++) g->drawn[i] = g->features <= ALL_NODES;
    for (int e = 0; e < g->n_edges; e++) g->drawn[g->edges[e].a] = g->drawn[g->edges[e].b] = true;
    for (int i = 0; i < g->features; i++) g->n_drawn += g->drawn[i];
}

zf_status zf_html_graph_choose(zf_html_graph *out, const zf_network *network,
                               const zf_network *truth, double threshold)
{
    size_t n = zf_network_count(network);
    *out = (zf_html_graph){.features = (int)n};
    strongest *s = calloc(1, sizeof *s);
    out->edges = malloc(MOST_EDGES * sizeof *out->edges);
    out->drawn = calloc(n, sizeof *out->drawn);
    out->place = calloc(n, sizeof *out->place);
    zf_status status = s && out->edges && out->drawn && out->place
                           ? ZF_OK
                           : zf_fail_memory(sizeof *s + n * sizeof *out->place);
    if (status == ZF_OK) {
        collect(out, s, network, truth);
        out->threshold = threshold > 0 ? threshold : usual_threshold(out);
        choose_nodes(out);
    }
    free(s);
    return status;
}

void zf_html_graph_free(zf_html_graph *graph)
{
    free(graph->edges);
    free(graph->drawn);
    free(graph->place);
    memset(graph, 0, sizeof *graph);
}
