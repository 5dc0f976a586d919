/* Which part of a graph a picture can hold. A pair from 0.1 up is a candidate,
   as in a blanket by default; beyond a few hundred edges a picture is a ball of
   wool, so the strongest are taken. True edges are always among them while they
   are not more than that themselves, so that the missed ones can be shown. */
#include "html/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { MOST_EDGES = 600, ALL_NODES = 150 };

static const float LEAST_SCORE = 0.1f;

/* Real edges first if they are to be kept, then by score; names break ties, so
   that the order does not depend on how qsort works. */
static int by_score(const void *a, const void *b)
{
    const zf_html_edge *x = a, *y = b;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    return x->a != y->a ? x->a - y->a : x->b - y->b;
}

static int real_first(const void *a, const void *b)
{
    const zf_html_edge *x = a, *y = b;
    if (x->real != y->real) return x->real ? -1 : 1;
    return by_score(a, b);
}

static size_t count_candidates(const zf_network *network, const zf_network *truth)
{
    size_t n = zf_network_count(network), count = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            count += zf_network_score(network, i, j) >= LEAST_SCORE ||
                     (truth && zf_network_score(truth, i, j) > 0);
    return count;
}

static int collect(zf_html_edge *edges, const zf_network *network, const zf_network *truth)
{
    size_t n = zf_network_count(network), count = 0;
    int real = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            float score = zf_network_score(network, i, j);
            bool is_real = truth && zf_network_score(truth, i, j) > 0;
            if (score < LEAST_SCORE && !is_real) continue;
            edges[count++] = (zf_html_edge){(int)i, (int)j, score, is_real};
            real += is_real;
        }
    return real;
}

/* The threshold that lets twice as many edges through as there are features. */
static double usual_threshold(const zf_html_graph *g)
{
    int wanted = 2 * g->features;
    if (g->n_edges == 0) return LEAST_SCORE;
    double last = g->edges[(wanted < g->n_edges ? wanted : g->n_edges) - 1].score;
    return last > (double)LEAST_SCORE ? last : (double)LEAST_SCORE;
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
    size_t n = zf_network_count(network), candidates = count_candidates(network, truth);
    *out = (zf_html_graph){.features = (int)n};
    out->edges = malloc((candidates + 1) * sizeof *out->edges);
    out->drawn = calloc(n, sizeof *out->drawn);
    out->place = calloc(n, sizeof *out->place);
    if (!out->edges || !out->drawn || !out->place)
        return zf_fail_memory((candidates + 1) * sizeof *out->edges);
    int real = collect(out->edges, network, truth);
    qsort(out->edges, candidates, sizeof *out->edges, real <= MOST_EDGES ? real_first : by_score);
    out->n_edges = candidates < MOST_EDGES ? (int)candidates : MOST_EDGES;
    for (size_t e = (size_t)out->n_edges; e < candidates; e++)
        out->left_out += out->edges[e].score >= LEAST_SCORE;
    qsort(out->edges, (size_t)out->n_edges, sizeof *out->edges, by_score);
    out->threshold = threshold > 0 ? threshold : usual_threshold(out);
    choose_nodes(out);
    return ZF_OK;
}

void zf_html_graph_free(zf_html_graph *graph)
{
    free(graph->edges);
    free(graph->drawn);
    free(graph->place);
    memset(graph, 0, sizeof *graph);
}
