/* Graphs from our JSON: nodes, edges, and perhaps gates. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/number.h"
#include "graph/graph.h"
#include "io/json.h"

static zf_status expected(const zf_graph_reader *reader, const char *place, const char *what)
{
    return zf_fail(ZF_EINPUT, "%s:%s: expected %s", reader->path, place, what);
}

/* NAN if it is no number that float64 holds. */
static double number_of(const zf_json *value)
{
    double number = NAN;
    if (zf_json_is(value, ZF_JSON_NUMBER) &&
        zf_number_parse(value->text, value->n, &number) != ZF_NUMBER_FINITE)
        number = NAN;
    return number;
}

static zf_status take_nodes(zf_graph_reader *reader, const zf_json *nodes)
{
    char place[40];
    size_t i = 0;
    if (!zf_json_is(nodes, ZF_JSON_ARRAY)) return expected(reader, "nodes", "a list of names");
    for (const zf_json *node = nodes->first; node; node = node->next) {
        uint32_t number;
        size_t before = reader->names.n;
        snprintf(place, sizeof place, "nodes[%zu]", i++);
        if (!zf_json_is(node, ZF_JSON_TEXT)) return expected(reader, place, "a name");
        ZF_TRY(zf_graph_reader_node(reader, &number, node->text, place));
        if (!reader->fixed && reader->names.n == before)
            return expected(reader, place, "a name that is not used before");
    }
    return ZF_OK;
}

/* Names are settled by "nodes": an edge may bring no new one. */
static zf_status take_edge(zf_graph_reader *reader, const zf_json *edge, const char *place)
{
    uint32_t a, b;
    const char *from = zf_json_text(zf_json_member(edge, "source"));
    const char *to = zf_json_text(zf_json_member(edge, "target"));
    const zf_json *score = zf_json_member(edge, "score");
    double value = score ? number_of(score) : 1;
    if (!from || !to || isnan(value))
        return expected(reader, place, "\"source\", \"target\" and a number as \"score\"");
    ZF_TRY(zf_graph_reader_node(reader, &a, from, place));
    ZF_TRY(zf_graph_reader_node(reader, &b, to, place));
    return zf_graph_reader_edge(reader, a, b, value, place);
}

static zf_status take_edges(zf_graph_reader *reader, const zf_json *edges)
{
    char place[40];
    size_t i = 0;
    if (!zf_json_is(edges, ZF_JSON_ARRAY)) return expected(reader, "edges", "a list of edges");
    for (const zf_json *edge = edges->first; edge; edge = edge->next) {
        snprintf(place, sizeof place, "edges[%zu]", i++);
        ZF_TRY(take_edge(reader, edge, place));
    }
    return ZF_OK;
}

/* Before memory is asked for: the file must have all the numbers of the square. */
static zf_status check_rows(const zf_graph_reader *reader, const zf_json *gates, size_t n)
{
    char place[60];
    size_t i = 0;
    for (const zf_json *row = gates->first; row; row = row->next, i++) {
        snprintf(place, sizeof place, "gates[%zu]", i);
        if (!zf_json_is(row, ZF_JSON_ARRAY) || row->n != n)
            return expected(reader, place, "a number for each node");
    }
    return ZF_OK;
}

static zf_status take_row(zf_graph_reader *reader, const zf_json *row, const uint32_t *node_of,
                          size_t i)
{
    char place[60];
    size_t nodes = reader->names.n, j = 0;
    for (const zf_json *gate = row->first; gate; gate = gate->next, j++) {
        float value = (float)number_of(gate);
        snprintf(place, sizeof place, "gates[%zu][%zu]", i, j);
        if (!isfinite(value)) return expected(reader, place, "a finite number");
        reader->gates[node_of[i] * nodes + node_of[j]] = value;
    }
    return ZF_OK;
}

/* Rows and columns are in the order of "nodes", which the caller's may differ from. */
static zf_status take_gates(zf_graph_reader *reader, const zf_json *gates, const zf_json *nodes)
{
    size_t n = nodes->n, size = reader->names.n * reader->names.n;
    if (!zf_json_is(gates, ZF_JSON_ARRAY) || gates->n != n)
        return expected(reader, "gates", "a list with a row for each node");
    ZF_TRY(check_rows(reader, gates, n));
    reader->gates = calloc(size + 1, sizeof *reader->gates);
    uint32_t *node_of = malloc((n + 1) * sizeof *node_of);
    zf_status status = reader->gates && node_of ? ZF_OK : zf_fail_memory(size * sizeof(float));
    const zf_json *node = nodes->first, *row = gates->first;
    for (size_t i = 0; i < n && status == ZF_OK; i++, node = node->next)
        node_of[i] = (uint32_t)zf_node_names_find(&reader->names, node->text);
    for (size_t i = 0; i < n && status == ZF_OK; i++, row = row->next)
        status = take_row(reader, row, node_of, i);
    free(node_of);
    return status;
}

static zf_status take_root(zf_graph_reader *reader, const zf_json *root)
{
    const zf_json *nodes = zf_json_member(root, "nodes"), *gates = zf_json_member(root, "gates");
    ZF_TRY(take_nodes(reader, nodes));
    reader->fixed = true;
    ZF_TRY(take_edges(reader, zf_json_member(root, "edges")));
    return gates ? take_gates(reader, gates, nodes) : ZF_OK;
}

zf_status zf_graph_read_json(zf_graph_reader *reader, zf_io_input *input)
{
    char *text;
    size_t n;
    zf_json *root = NULL;
    zf_json_fault fault;
    ZF_TRY(zf_io_input_read_all(input, &text, &n));
    zf_status status = zf_json_parse(&root, text, n, &fault);
    if (status == ZF_EINPUT)
        status = zf_fail(ZF_EINPUT, "%s:%zu: not valid JSON: expected %s", reader->path, fault.line,
                         fault.expected);
    if (status == ZF_OK) status = take_root(reader, root);
    free(root);
    free(text);
    return status;
}
