/* The network itself: names, and a square of gates. A square although edges are
   few in a truth: what methods give is a score for every pair. */
#include "network/network.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/text.h"
#include "io/utf8.h"

zf_status zf_network_take(zf_network **out, zf_names *names)
{
    zf_network *network = calloc(1, sizeof *network);
    float *gates = calloc(names->n * names->n, sizeof *gates);
    if (!network || !gates) {
        unsigned long long bytes = names->n * names->n * sizeof *gates;
        free(network);
        free(gates);
        zf_names_free(names);
        return zf_fail_memory(bytes);
    }
    *network = (zf_network){.names = *names, .gates = gates};
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
    ZF_TRY(zf_network_take(&network, &list));
    if (gates) memcpy(network->gates, gates, n * n * sizeof *gates);
    *out = network;
    return ZF_OK;
}

void zf_network_free(zf_network *network)
{
    if (!network) return;
    zf_names_free(&network->names);
    free(network->gates);
    free(network);
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

float zf_network_gate(const zf_network *network, size_t target, size_t node)
{
    assert(target < network->names.n && node < network->names.n);
    return network->gates[target * network->names.n + node];
}

float zf_network_score(const zf_network *network, size_t a, size_t b)
{
    float forth = zf_network_gate(network, a, b), back = zf_network_gate(network, b, a);
    return forth > back ? forth : back;
}

void zf_network_set_gate(zf_network *network, size_t target, size_t node, float gate)
{
    assert(target < network->names.n && node < network->names.n && isfinite(gate));
    network->gates[target * network->names.n + node] = gate;
}

bool zf_network_is_directed(const zf_network *network)
{
    for (size_t i = 0; i < network->names.n; i++)
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

zf_status zf_network_edges(zf_edge **edges, size_t *n, const zf_network *network, double threshold)
{
    size_t nodes = network->names.n, count = 0;
    for (size_t i = 0; i < nodes; i++)
        for (size_t j = i + 1; j < nodes; j++)
            count += threshold == 0 || (double)zf_network_score(network, i, j) >= threshold;
    zf_edge *list = malloc((count + 1) * sizeof *list), *at = list;
    if (!list) return zf_fail_memory((count + 1) * sizeof *list);
    for (size_t i = 0; i < nodes; i++)
        for (size_t j = i + 1; j < nodes; j++) {
            float score = zf_network_score(network, i, j) + 0.0f; /* -0 is 0 */
            if (threshold == 0 || (double)score >= threshold)
                *at++ = (zf_edge){(uint32_t)i, (uint32_t)j, score, 0};
        }
    qsort(list, count, sizeof *list, compare_edges);
    *edges = list;
    *n = count;
    return ZF_OK;
}
