/* The network itself: names, and a square of gates or a list of edges. A square
   because what methods give is a score for every pair; a list because a file of
   edges may name many nodes: 20,000 of them in 170 KB would be 1.6 GB as a
   square. */
#include "network/network.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/text.h"
#include "io/utf8.h"

zf_status zf_network_take(zf_network **out, zf_names *names, float *gates, zf_edge *edges,
                          size_t n_edges)
{
    size_t size = names->n * names->n;
    zf_network *network = calloc(1, sizeof *network);
    if (!gates && !edges) gates = calloc(size, sizeof *gates);
    if (!network || (!gates && !edges)) {
        free(network);
        free(gates);
        free(edges);
        zf_names_free(names);
        return zf_fail_memory(size * sizeof *gates);
    }
    *network = (zf_network){.names = *names, .gates = gates, .edges = edges, .n_edges = n_edges};
    *names = (zf_names){0};
    *out = network;
    return ZF_OK;
}

/* What is wrong with a name in this list, or NULL. */
static const char *name_fault(const zf_names *names, const char *name)
{
    if (!name || !name[0]) return "is empty";
    if (!zf_utf8_valid(name, strlen(name))) return "is not UTF-8";
    if (zf_names_find(names, name) >= 0) return "is there twice";
    return NULL;
}

zf_status zf_network_take_names(zf_names *list, const char *const *names, size_t n)
{
    char shown[ZF_SHOWN_BYTES];
    if (n < 2 || n > ZF_NETWORK_NODES_MAX)
        return zf_fail(ZF_EINVAL, "a network of %zu nodes, expected 2 to %d", n,
                       ZF_NETWORK_NODES_MAX);
    for (size_t i = 0; i < n; i++) {
        const char *fault = name_fault(list, names[i]);
        if (fault)
            return zf_fail(ZF_EINVAL, "node %zu: the name \"%s\" %s", i + 1,
                           names[i] ? zf_text_show(shown, sizeof shown, names[i], strlen(names[i]))
                                    : "",
                           fault);
        ZF_TRY(zf_names_add(list, names[i]));
    }
    return ZF_OK;
}

zf_status zf_network_new(zf_network **out, const char *const *names, size_t n, const float *gates)
{
    zf_names list = {0};
    zf_status status = zf_network_take_names(&list, names, n);
    for (size_t i = 0; status == ZF_OK && gates && i < n * n; i++)
        if (!isfinite(gates[i]))
            status = zf_fail(ZF_EINVAL, "gate (%zu, %zu) is %g, expected a finite number", i / n,
                             i % n, (double)gates[i]);
    if (status != ZF_OK) {
        zf_names_free(&list);
        return status;
    }
    zf_network *network;
    ZF_TRY(zf_network_take(&network, &list, NULL, NULL, 0));
    if (gates) memcpy(network->gates, gates, n * n * sizeof *gates);
    *out = network;
    return ZF_OK;
}

void zf_network_free(zf_network *network)
{
    if (!network) return;
    zf_names_free(&network->names);
    free(network->gates);
    free(network->edges);
    free(network->scores);
    free(network->evidence);
    free(network);
}

/* Where what is known of two different nodes stands. */
static size_t pair_at(size_t a, size_t b)
{
    size_t larger = a > b ? a : b, smaller = a > b ? b : a;
    return larger * (larger - 1) / 2 + smaller;
}

zf_status zf_network_set_evidence(zf_network *network, const zf_edge_evidence *pairs)
{
    size_t n = network->names.n * (network->names.n - 1) / 2;
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
    free(network->evidence);
    network->evidence = copy;
    network->stability = stability;
    return ZF_OK;
}

const zf_edge_evidence *zf_network_evidence(const zf_network *network, size_t a, size_t b)
{
    assert(a < network->names.n && b < network->names.n && a != b);
    return network->evidence ? &network->evidence[pair_at(a, b)] : NULL;
}

size_t zf_network_count(const zf_network *network)
{
    return network->names.n;
}

const char *const *zf_network_names(const zf_network *network)
{
    return network->names.list;
}

const char *zf_network_name(const zf_network *network, size_t node)
{
    assert(node < network->names.n);
    return network->names.list[node];
}

long zf_network_find(const zf_network *network, const char *name)
{
    return zf_names_find(&network->names, name);
}

int zf_compare_pairs(const void *x, const void *y)
{
    const zf_edge *a = x, *b = y;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    if (a->b != b->b) return a->b < b->b ? -1 : 1;
    return (a->score < b->score) - (a->score > b->score);
}

/* Where the pair is in the list, or would be. */
static size_t find_pair(const zf_network *network, size_t a, size_t b)
{
    size_t low = 0, high = network->n_edges;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const zf_edge *edge = &network->edges[middle];
        if (edge->a < a || (edge->a == a && edge->b < b))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static float listed_score(const zf_network *network, size_t a, size_t b)
{
    size_t at = find_pair(network, a < b ? a : b, a < b ? b : a);
    const zf_edge *edge = &network->edges[at];
    bool found = at < network->n_edges && edge->a == (a < b ? a : b) && edge->b == (a < b ? b : a);
    return found ? edge->score : 0;
}

float zf_network_gate(const zf_network *network, size_t target, size_t node)
{
    assert(target < network->names.n && node < network->names.n);
    if (!network->gates) return listed_score(network, target, node);
    return network->gates[target * network->names.n + node];
}

float zf_network_score(const zf_network *network, size_t a, size_t b)
{
    if (network->scores && a != b) return network->scores[pair_at(a, b)];
    float forth = zf_network_gate(network, a, b), back = zf_network_gate(network, b, a);
    return forth > back ? forth : back;
}

/* A list becomes the square that it stands for. */
static zf_status make_square(zf_network *network)
{
    size_t n = network->names.n;
    float *gates = calloc(n * n, sizeof *gates);
    if (!gates) return zf_fail_memory(n * n * sizeof *gates);
    for (size_t i = 0; i < network->n_edges; i++) {
        const zf_edge *edge = &network->edges[i];
        gates[edge->a * n + edge->b] = gates[edge->b * n + edge->a] = edge->score;
    }
    free(network->edges);
    network->edges = NULL;
    network->gates = gates;
    return ZF_OK;
}

zf_status zf_network_set_scores(zf_network *network, const float *scores)
{
    size_t n = network->names.n * (network->names.n - 1) / 2;
    float *copy = NULL;
    for (size_t i = 0; scores && i < n; i++)
        if (!isfinite(scores[i]))
            return zf_fail(ZF_EINVAL, "a score of %g, expected a finite number", (double)scores[i]);
    if (scores) {
        copy = malloc(n * sizeof *copy);
        if (!copy) return zf_fail_memory(n * sizeof *copy);
        memcpy(copy, scores, n * sizeof *copy);
    }
    if (scores && !network->gates) {
        zf_status status = make_square(network);
        if (status != ZF_OK) {
            free(copy);
            return status;
        }
    }
    free(network->scores);
    network->scores = copy;
    return ZF_OK;
}

zf_status zf_network_set_gate(zf_network *network, size_t target, size_t node, float gate)
{
    assert(target < network->names.n && node < network->names.n && isfinite(gate));
    if (!network->gates) ZF_TRY(make_square(network));
    network->gates[target * network->names.n + node] = gate;
    return ZF_OK;
}

bool zf_network_is_directed(const zf_network *network)
{
    for (size_t i = 0; i < network->names.n && network->gates; i++)
        for (size_t j = 0; j < i; j++)
            if (zf_network_gate(network, i, j) != zf_network_gate(network, j, i)) return true;
    return false;
}

/* Strongest first; the order of the nodes settles ties, so that equal networks
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
static bool next_pair(const zf_network *network, bool listed, size_t *place, zf_edge *pair)
{
    if (listed) {
        if (*place == network->n_edges) return false;
        *pair = network->edges[(*place)++];
        return true;
    }
    if (++pair->b >= network->names.n) pair->b = ++pair->a + 1;
    if (pair->b >= network->names.n) return false;
    pair->score = zf_network_score(network, pair->a, pair->b) + 0.0f; /* -0 is 0 */
    return true;
}

/* Puts what is at or above the threshold into `to`, unless that is NULL; how many. */
static size_t list_edges(zf_edge *to, const zf_network *network, double threshold)
{
    bool listed = !network->gates && threshold > 0;
    size_t count = 0, place = 0;
    zf_edge pair = {0};
    while (next_pair(network, listed, &place, &pair)) {
        if (threshold != 0 && !((double)pair.score >= threshold)) continue;
        if (to) to[count] = (zf_edge){pair.a, pair.b, pair.score, 0};
        count++;
    }
    return count;
}

zf_status zf_network_edges(zf_edge **edges, size_t *n, const zf_network *network, double threshold)
{
    size_t count = list_edges(NULL, network, threshold);
    zf_edge *list = malloc((count + 1) * sizeof *list);
    if (!list) return zf_fail_memory((count + 1) * sizeof *list);
    list_edges(list, network, threshold);
    qsort(list, count, sizeof *list, compare_edges);
    *edges = list;
    *n = count;
    return ZF_OK;
}
