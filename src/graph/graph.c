/* The graph itself: names, and a square of gates or a list of edges. A square
   because what methods give is a score for every pair; a list because a file of
   edges may name many nodes: 20,000 of them in 170 KB would be 1.6 GB as a
   square. */
#include "graph/graph.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/text.h"
#include "io/utf8.h"

zf_status zf_graph_take(zf_graph **out, zf_node_names *names, float *gates, zf_edge *edges,
                        size_t n_edges)
{
    size_t size = names->n * names->n;
    zf_graph *graph = calloc(1, sizeof *graph);
    if (!gates && !edges) gates = calloc(size, sizeof *gates);
    if (!graph || (!gates && !edges)) {
        free(graph);
        free(gates);
        free(edges);
        zf_node_names_free(names);
        return zf_fail_memory(size * sizeof *gates);
    }
    *graph = (zf_graph){.names = *names, .gates = gates, .edges = edges, .n_edges = n_edges};
    *names = (zf_node_names){0};
    *out = graph;
    return ZF_OK;
}

/* What is wrong with a name in this list, or NULL. */
static const char *name_fault(const zf_node_names *names, const char *name)
{
    if (!name || !name[0]) return "is empty";
    if (!zf_utf8_valid(name, strlen(name))) return "is not UTF-8";
    if (zf_node_names_find(names, name) >= 0) return "appears twice";
    return NULL;
}

zf_status zf_graph_take_names(zf_node_names *list, const char *const *names, size_t n)
{
    char shown[ZF_SHOWN_BYTES];
    if (n < 2 || n > ZF_GRAPH_NODES_MAX)
        return zf_fail(ZF_EINVAL, "a graph of %zu nodes, expected 2 to %d", n, ZF_GRAPH_NODES_MAX);
    for (size_t i = 0; i < n; i++) {
        const char *fault = name_fault(list, names[i]);
        if (fault)
            return zf_fail(ZF_EINVAL, "node %zu: the name \"%s\" %s", i + 1,
                           names[i] ? zf_text_show(shown, sizeof shown, names[i], strlen(names[i]))
                                    : "",
                           fault);
        ZF_TRY(zf_node_names_add(list, names[i]));
    }
    return ZF_OK;
}

zf_status zf_graph_new(zf_graph **out, const char *const *names, size_t n, const float *gates)
{
    zf_node_names list = {0};
    zf_status status = zf_graph_take_names(&list, names, n);
    for (size_t i = 0; status == ZF_OK && gates && i < n * n; i++)
        if (!isfinite(gates[i]))
            status = zf_fail(ZF_EINVAL, "gate (%zu, %zu) is %g, expected a finite number", i / n,
                             i % n, (double)gates[i]);
    if (status != ZF_OK) {
        zf_node_names_free(&list);
        return status;
    }
    zf_graph *graph;
    ZF_TRY(zf_graph_take(&graph, &list, NULL, NULL, 0));
    if (gates) memcpy(graph->gates, gates, n * n * sizeof *gates);
    *out = graph;
    return ZF_OK;
}

void zf_graph_free(zf_graph *graph)
{
    if (!graph) return;
    zf_node_names_free(&graph->names);
    free(graph->gates);
    free(graph->edges);
    free(graph->scores);
    free(graph->evidence);
    free(graph);
}

/* Where what is known of two different nodes stands. */
static size_t pair_at(size_t a, size_t b)
{
    size_t larger = a > b ? a : b, smaller = a > b ? b : a;
    return larger * (larger - 1) / 2 + smaller;
}

zf_status zf_graph_set_evidence(zf_graph *graph, const zf_edge_evidence *pairs)
{
    size_t n = graph->names.n * (graph->names.n - 1) / 2;
    bool stability = false;
    for (size_t i = 0; i < n; i++) {
        stability |= pairs[i].stability >= 0;
        if (!(pairs[i].p_value >= 0 && pairs[i].p_value <= 1 && pairs[i].q_value >= 0 &&
              pairs[i].q_value <= 1))
            return zf_fail(ZF_EINVAL, "a p-value of %g and a q-value of %g, expected 0 to 1",
                           pairs[i].p_value, pairs[i].q_value);
        if (pairs[i].stability != -1 && !(pairs[i].stability >= 0 && pairs[i].stability <= 1))
            return zf_fail(ZF_EINVAL, "a stability of %g, expected 0 to 1, or -1 for none",
                           pairs[i].stability);
    }
    zf_edge_evidence *copy = malloc(n * sizeof *copy);
    if (!copy) return zf_fail_memory(n * sizeof *copy);
    memcpy(copy, pairs, n * sizeof *copy);
    free(graph->evidence);
    graph->evidence = copy;
    graph->stability = stability;
    return ZF_OK;
}

const zf_edge_evidence *zf_graph_evidence(const zf_graph *graph, size_t a, size_t b)
{
    assert(a < graph->names.n && b < graph->names.n && a != b);
    return graph->evidence ? &graph->evidence[pair_at(a, b)] : NULL;
}

size_t zf_graph_count(const zf_graph *graph)
{
    return graph->names.n;
}

const char *const *zf_graph_names(const zf_graph *graph)
{
    return graph->names.list;
}

const char *zf_graph_name(const zf_graph *graph, size_t node)
{
    assert(node < graph->names.n);
    return graph->names.list[node];
}

long zf_graph_find(const zf_graph *graph, const char *name)
{
    return zf_node_names_find(&graph->names, name);
}

int zf_compare_pairs(const void *x, const void *y)
{
    const zf_edge *a = x, *b = y;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    if (a->b != b->b) return a->b < b->b ? -1 : 1;
    return (a->score < b->score) - (a->score > b->score);
}

/* Where the pair is in the list, or would be. */
static size_t find_pair(const zf_graph *graph, size_t a, size_t b)
{
    size_t low = 0, high = graph->n_edges;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const zf_edge *edge = &graph->edges[middle];
        if (edge->a < a || (edge->a == a && edge->b < b))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static float listed_score(const zf_graph *graph, size_t a, size_t b)
{
    size_t at = find_pair(graph, a < b ? a : b, a < b ? b : a);
    const zf_edge *edge = &graph->edges[at];
    bool found = at < graph->n_edges && edge->a == (a < b ? a : b) && edge->b == (a < b ? b : a);
    return found ? edge->score : 0;
}

float zf_graph_gate(const zf_graph *graph, size_t target, size_t node)
{
    assert(target < graph->names.n && node < graph->names.n);
    if (!graph->gates) return listed_score(graph, target, node);
    return graph->gates[target * graph->names.n + node];
}

float zf_graph_score(const zf_graph *graph, size_t a, size_t b)
{
    if (graph->scores && a != b) return graph->scores[pair_at(a, b)];
    float forth = zf_graph_gate(graph, a, b), back = zf_graph_gate(graph, b, a);
    return forth > back ? forth : back;
}

/* A list becomes the square that it stands for. */
static zf_status make_square(zf_graph *graph)
{
    size_t n = graph->names.n;
    float *gates = calloc(n * n, sizeof *gates);
    if (!gates) return zf_fail_memory(n * n * sizeof *gates);
    for (size_t i = 0; i < graph->n_edges; i++) {
        const zf_edge *edge = &graph->edges[i];
        gates[edge->a * n + edge->b] = gates[edge->b * n + edge->a] = edge->score;
    }
    free(graph->edges);
    graph->edges = NULL;
    graph->gates = gates;
    return ZF_OK;
}

zf_status zf_graph_set_scores(zf_graph *graph, const float *scores)
{
    size_t n = graph->names.n * (graph->names.n - 1) / 2;
    float *copy = NULL;
    for (size_t i = 0; scores && i < n; i++)
        if (!isfinite(scores[i]))
            return zf_fail(ZF_EINVAL, "a score of %g, expected a finite number", (double)scores[i]);
    if (scores) {
        copy = malloc(n * sizeof *copy);
        if (!copy) return zf_fail_memory(n * sizeof *copy);
        memcpy(copy, scores, n * sizeof *copy);
    }
    if (scores && !graph->gates) {
        zf_status status = make_square(graph);
        if (status != ZF_OK) {
            free(copy);
            return status;
        }
    }
    free(graph->scores);
    graph->scores = copy;
    return ZF_OK;
}

zf_status zf_graph_set_gate(zf_graph *graph, size_t target, size_t node, float gate)
{
    assert(target < graph->names.n && node < graph->names.n && isfinite(gate));
    if (!graph->gates) ZF_TRY(make_square(graph));
    graph->gates[target * graph->names.n + node] = gate;
    return ZF_OK;
}

bool zf_graph_is_directed(const zf_graph *graph)
{
    for (size_t i = 0; i < graph->names.n && graph->gates; i++)
        for (size_t j = 0; j < i; j++)
            if (zf_graph_gate(graph, i, j) != zf_graph_gate(graph, j, i)) return true;
    return false;
}

/* Strongest first; the order of the nodes settles ties, so that equal graphs
   give equal files. */
static int compare_edges(const void *x, const void *y)
{
    const zf_edge *a = x, *b = y;
    if (a->score != b->score) return a->score > b->score ? -1 : 1;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

/* The next pair whose score may count, after the one before: of a list its edges, if
   zeros do not count; otherwise any. False: there is none. */
static bool next_pair(const zf_graph *graph, bool listed, size_t *place, zf_edge *pair)
{
    if (listed) {
        if (*place == graph->n_edges) return false;
        *pair = graph->edges[(*place)++];
        return true;
    }
    if (++pair->b >= graph->names.n) pair->b = ++pair->a + 1;
    if (pair->b >= graph->names.n) return false;
    pair->score = zf_graph_score(graph, pair->a, pair->b) + 0.0f; /* -0 is 0 */
    return true;
}

/* Puts what is at or above the threshold into `to`, unless that is NULL; how many. */
static size_t list_edges(zf_edge *to, const zf_graph *graph, double threshold)
{
    bool listed = !graph->gates && threshold > 0;
    size_t count = 0, place = 0;
    zf_edge pair = {0};
    while (next_pair(graph, listed, &place, &pair)) {
        if (threshold != 0 && !((double)pair.score >= threshold)) continue;
        if (to) to[count] = (zf_edge){pair.a, pair.b, pair.score, 0};
        count++;
    }
    return count;
}

zf_status zf_graph_edges(zf_edge **edges, size_t *n, const zf_graph *graph, double threshold)
{
    size_t count = list_edges(NULL, graph, threshold);
    zf_edge *list = malloc((count + 1) * sizeof *list);
    if (!list) return zf_fail_memory((count + 1) * sizeof *list);
    list_edges(list, graph, threshold);
    qsort(list, count, sizeof *list, compare_edges);
    *edges = list;
    *n = count;
    return ZF_OK;
}
