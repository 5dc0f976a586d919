/* How good a choice of edges is, beside the truth. */
#include <float.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "graph/graph.h"

/* A graph beside the truth. */
typedef struct judged {
    const zf_graph *graph, *truth;
    const long *places; /* of the graph's nodes in the truth; -1: unknown to it */
    zf_decision *found;
} judged;

static void take(const judged *j, size_t a, size_t b)
{
    long x = j->places[a], y = j->places[b];
    j->found->decided++;
    j->found->right += x >= 0 && y >= 0 && zf_graph_score(j->truth, (size_t)x, (size_t)y) > 0;
}

static void take_decided(const judged *j)
{
    size_t n = zf_graph_count(j->graph);
    for (size_t a = 1; a < n; a++)
        for (size_t b = 0; b < a; b++)
            if (zf_graph_evidence(j->graph, a, b)->decided) take(j, a, b);
}

static zf_status take_scored(const judged *j)
{
    zf_edge *edges = NULL;
    size_t n = 0;
    /* Above 0: at or above the least positive number. */
    ZF_TRY(zf_graph_edges(&edges, &n, j->graph, (double)FLT_TRUE_MIN));
    for (size_t e = 0; e < n; e++) take(j, edges[e].a, edges[e].b);
    free(edges);
    return ZF_OK;
}

static zf_status count_edges(zf_decision *found, const zf_graph *truth)
{
    zf_edge *edges = NULL;
    ZF_TRY(zf_graph_edges(&edges, &found->edges, truth, (double)FLT_TRUE_MIN));
    free(edges);
    return ZF_OK;
}

zf_status zf_graph_judge_sized(zf_decision *out, size_t size, const zf_graph *graph,
                               const zf_graph *truth)
{
    zf_decision found = {0};
    size_t n = zf_graph_count(graph);
    ZF_TRY(count_edges(&found, truth));
    long *places = malloc(n * sizeof *places);
    if (!places) return zf_fail_memory(n * sizeof *places);
    for (size_t i = 0; i < n; i++) places[i] = zf_graph_find(truth, zf_graph_name(graph, i));
    judged j = {graph, truth, places, &found};
    zf_status status = ZF_OK;
    if (graph->evidence)
        take_decided(&j);
    else
        status = take_scored(&j);
    free(places);
    ZF_TRY(status);
    size_t wrong = found.decided - found.right;
    found.false_share = found.decided > 0 ? (double)wrong / (double)found.decided : 0;
    size_t both = found.decided + found.edges;
    found.power = found.edges > 0 ? (double)found.right / (double)found.edges : 1;
    found.f1 = both > 0 ? 2 * (double)found.right / (double)both : 1;
    zf_give_plain(out, size, &found, sizeof found);
    return ZF_OK;
}
