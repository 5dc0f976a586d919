/* Networks from our JSON: nodes, edges, and perhaps gates. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "network/network.h"

/* Hands bytes to jansson; a failure of ours is kept, theirs is in the error. */
typedef struct source {
    zf_input *input;
    zf_status status;
} source;

static size_t give(void *bytes, size_t n, void *context)
{
    source *from = context;
    size_t got = 0;
    if (from->status == ZF_OK) from->status = zf_input_read(from->input, bytes, n, &got);
    return from->status == ZF_OK ? got : (size_t)-1;
}

static zf_status expected(const zf_network_reader *reader, const char *place, const char *what)
{
    return zf_fail(ZF_EINPUT, "%s:%s: expected %s", reader->path, place, what);
}

static zf_status take_nodes(zf_network_reader *reader, const json_t *nodes)
{
    char place[40];
    size_t i;
    json_t *node;
    if (!json_is_array(nodes)) return expected(reader, "nodes", "a list of names");
    json_array_foreach(nodes, i, node)
    {
        uint32_t number;
        size_t before = reader->names.n;
        snprintf(place, sizeof place, "nodes[%zu]", i);
        if (!json_is_string(node)) return expected(reader, place, "a name");
        ZF_TRY(zf_network_reader_node(reader, &number, json_string_value(node), place));
        if (!reader->fixed && reader->names.n == before)
            return expected(reader, place, "a name that is not there before");
    }
    return ZF_OK;
}

/* Names are settled by "nodes": an edge may bring no new one. */
static zf_status take_edge(zf_network_reader *reader, json_t *edge, const char *place)
{
    uint32_t a, b;
    json_t *from = json_object_get(edge, "source"), *to = json_object_get(edge, "target");
    json_t *score = json_object_get(edge, "score");
    if (!json_is_string(from) || !json_is_string(to) || (score && !json_is_number(score)))
        return expected(reader, place, "\"source\", \"target\" and a number as \"score\"");
    ZF_TRY(zf_network_reader_node(reader, &a, json_string_value(from), place));
    ZF_TRY(zf_network_reader_node(reader, &b, json_string_value(to), place));
    return zf_network_reader_edge(reader, a, b, score ? json_number_value(score) : 1, place);
}

static zf_status take_edges(zf_network_reader *reader, const json_t *edges)
{
    char place[40];
    size_t i;
    json_t *edge;
    if (!json_is_array(edges)) return expected(reader, "edges", "a list of edges");
    json_array_foreach(edges, i, edge)
    {
        snprintf(place, sizeof place, "edges[%zu]", i);
        ZF_TRY(take_edge(reader, edge, place));
    }
    return ZF_OK;
}

static zf_status take_row(zf_network_reader *reader, const json_t *row, const uint32_t *node_of,
                          size_t i, size_t n)
{
    char place[60];
    size_t nodes = reader->names.n;
    snprintf(place, sizeof place, "gates[%zu]", i);
    if (json_array_size(row) != n) return expected(reader, place, "a number for each node");
    for (size_t j = 0; j < n; j++) {
        const json_t *gate = json_array_get(row, j);
        float value = json_is_number(gate) ? (float)json_number_value(gate) : NAN;
        snprintf(place, sizeof place, "gates[%zu][%zu]", i, j);
        if (!isfinite(value)) return expected(reader, place, "a finite number");
        reader->gates[node_of[i] * nodes + node_of[j]] = value;
    }
    return ZF_OK;
}

/* Rows and columns are in the order of "nodes", which the caller's may differ from. */
static zf_status take_gates(zf_network_reader *reader, const json_t *gates, const json_t *nodes)
{
    size_t n = json_array_size(nodes), size = reader->names.n * reader->names.n;
    if (!json_is_array(gates) || json_array_size(gates) != n)
        return expected(reader, "gates", "a list with a row for each node");
    reader->gates = calloc(size + 1, sizeof *reader->gates);
    uint32_t *node_of = malloc((n + 1) * sizeof *node_of);
    zf_status status = reader->gates && node_of ? ZF_OK : zf_fail_memory(size * sizeof(float));
    for (size_t i = 0; i < n && status == ZF_OK; i++) {
        const char *name = json_string_value(json_array_get(nodes, i));
        node_of[i] = (uint32_t)zf_names_find(&reader->names, name);
    }
    for (size_t i = 0; i < n && status == ZF_OK; i++)
        status = take_row(reader, json_array_get(gates, i), node_of, i, n);
    free(node_of);
    return status;
}

static zf_status take_root(zf_network_reader *reader, json_t *root)
{
    const json_t *nodes = json_object_get(root, "nodes"), *gates = json_object_get(root, "gates");
    ZF_TRY(take_nodes(reader, nodes));
    reader->fixed = true;
    ZF_TRY(take_edges(reader, json_object_get(root, "edges")));
    return gates ? take_gates(reader, gates, nodes) : ZF_OK;
}

zf_status zf_network_read_json(zf_network_reader *reader, zf_input *input)
{
    source from = {.input = input};
    json_error_t error;
    json_t *root = json_load_callback(give, &from, JSON_REJECT_DUPLICATES, &error);
    if (from.status != ZF_OK) {
        json_decref(root);
        return from.status;
    }
    if (!root)
        return zf_fail(ZF_EINPUT, "%s:%d: not valid JSON: %s", reader->path, error.line,
                       error.text);
    zf_status status = take_root(reader, root);
    json_decref(root);
    return status;
}
