/* Writing graphs: the tables (CSV, NPY) here, the rest in files of their own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/finite.h"
#include "base/grow.h"
#include "graph/graph.h"
#include "io/csv_write.h"
#include "io/decimal.h"
#include "io/npy.h"

void zf_graph_options_init(zf_graph_options *options, size_t size)
{
    const zf_graph_options all = {.format = ZF_GRAPH_CSV};
    zf_give(options, size, &all, sizeof all);
}

static void write_edges(zf_sink *sink, const zf_graph *graph, const zf_edge *edges, size_t n,
                        bool scored)
{
    char number[ZF_DECIMAL_ROOM];
    zf_sink_text(sink, scored ? "source,target,score" : "source,target");
    if (scored && graph->evidence) zf_sink_text(sink, ",p_value,q_value,decided");
    zf_sink_text(sink, scored && graph->stability ? ",stability\n" : "\n");
    for (size_t i = 0; i < n; i++) {
        zf_csv_write_cell(sink, zf_graph_name(graph, edges[i].a), ',');
        zf_sink_byte(sink, ',');
        zf_csv_write_cell(sink, zf_graph_name(graph, edges[i].b), ',');
        if (scored) {
            zf_sink_byte(sink, ',');
            zf_sink_text(sink, zf_decimal_float(number, edges[i].score));
        }
        const zf_edge_evidence *evidence = zf_graph_evidence(graph, edges[i].a, edges[i].b);
        if (scored && evidence) {
            zf_sink_byte(sink, ',');
            zf_sink_text(sink, zf_decimal_double(number, evidence->p_value));
            zf_sink_byte(sink, ',');
            zf_sink_text(sink, zf_decimal_double(number, evidence->q_value));
            zf_sink_text(sink, evidence->decided ? ",true" : ",false");
            if (graph->stability) zf_sink_byte(sink, ',');
            if (evidence->stability >= 0)
                zf_sink_text(sink, zf_decimal_double(number, evidence->stability));
        }
        zf_sink_byte(sink, '\n');
    }
}

/* Leaves only edges that evidence decides on; how many. */
static size_t keep_decided(const zf_graph *graph, zf_edge *edges, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (zf_graph_evidence(graph, edges[i].a, edges[i].b)->decided) edges[kept++] = edges[i];
    return kept;
}

/* gates,NAME,NAME,...: a row for each target. */
static void write_gates(zf_sink *sink, const zf_graph *graph)
{
    char number[ZF_DECIMAL_ROOM];
    size_t n = zf_graph_count(graph);
    zf_sink_text(sink, "gates");
    for (size_t j = 0; j < n; j++) {
        zf_sink_byte(sink, ',');
        zf_csv_write_cell(sink, zf_graph_name(graph, j), ',');
    }
    for (size_t i = 0; i < n; i++) {
        zf_sink_byte(sink, '\n');
        zf_csv_write_cell(sink, zf_graph_name(graph, i), ',');
        for (size_t j = 0; j < n; j++) {
            zf_sink_byte(sink, ',');
            zf_sink_text(sink, zf_decimal_float(number, zf_graph_gate(graph, i, j)));
        }
    }
    zf_sink_byte(sink, '\n');
}

/* Whether the options leave out the edge between two nodes. */
static bool is_left_out(const zf_graph *graph, const zf_graph_options *options, size_t a, size_t b)
{
    if (a == b) return false;
    const zf_edge_evidence *evidence = zf_graph_evidence(graph, a, b);
    if (options->decided && evidence && !evidence->decided) return true;
    return (double)zf_graph_score(graph, a, b) < options->threshold;
}

/* The matrix of gates, or of scores with the diagonal of the gates; 0: no edge. */
static void write_npy(zf_sink *sink, const zf_graph *graph, const zf_graph_options *options)
{
    size_t n = zf_graph_count(graph);
    const int64_t shape[] = {(int64_t)n, (int64_t)n};
    char header[ZF_NPY_HEADER_MAX];
    zf_sink_bytes(sink, header, zf_npy_header(header, ZF_FLOAT32, 2, shape));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            float value = options->matrix                     ? zf_graph_gate(graph, i, j)
                          : is_left_out(graph, options, i, j) ? 0
                                                              : zf_graph_score(graph, i, j);
            zf_sink_bytes(sink, &value, sizeof value);
        }
}

static const char *const format_names[] = {
    [ZF_GRAPH_CSV] = "CSV", [ZF_GRAPH_GRAPHML] = "GraphML", [ZF_GRAPH_GML] = "GML",
    [ZF_GRAPH_DOT] = "DOT", [ZF_GRAPH_JSON] = "JSON",       [ZF_GRAPH_NPY] = "NPY",
};

int zf_graph_format_find(const char *text)
{
    size_t length = strlen(text);
    for (int i = 0; i <= ZF_GRAPH_NPY; i++) {
        size_t n = strlen(format_names[i]);
        if (length < n || strcasecmp(text + length - n, format_names[i]) != 0) continue;
        if (length == n || text[length - n - 1] == '.') return i;
    }
    return -1;
}

static zf_status check_options(const zf_graph_options *options)
{
    if ((unsigned)options->format > ZF_GRAPH_NPY)
        return zf_fail(ZF_EINVAL, "graph format %d, expected 0 to %d", (int)options->format,
                       (int)ZF_GRAPH_NPY);
    bool tabular = options->format == ZF_GRAPH_CSV || options->format == ZF_GRAPH_JSON ||
                   options->format == ZF_GRAPH_NPY;
    if (options->matrix && !tabular)
        return zf_fail(ZF_EINVAL, "%s holds edges, not a matrix; expected CSV, JSON or NPY for it",
                       format_names[options->format]);
    if (isnan(options->threshold)) return zf_fail(ZF_EINVAL, "the threshold is not a number");
    return ZF_OK;
}

static zf_status check_gates(const char *path, const zf_graph *graph)
{
    size_t n = zf_graph_count(graph);
    for (size_t i = 0; !graph->gates && i < graph->n_edges; i++) {
        const zf_edge *edge = &graph->edges[i];
        ZF_TRY(zf_finite_check(path, &(zf_grid){.floats = &edge->score,
                                                .rows = 1,
                                                .columns = 1,
                                                .row = "target",
                                                .column = "node",
                                                .names = zf_graph_names(graph) + edge->b,
                                                .before = edge->a}));
    }
    if (!graph->gates) return ZF_OK;
    return zf_finite_check(path, &(zf_grid){.floats = graph->gates,
                                            .rows = n,
                                            .columns = n,
                                            .row = "target",
                                            .column = "node",
                                            .names = zf_graph_names(graph)});
}

static void write_format(zf_sink *sink, const zf_graph *graph, const zf_graph_options *options,
                         const zf_edge *edges, size_t n)
{
    switch (options->format) {
    case ZF_GRAPH_CSV:
        sink->guard = options->guard;
        if (options->matrix)
            write_gates(sink, graph);
        else
            write_edges(sink, graph, edges, n, !options->unscored);
        return;
    case ZF_GRAPH_GRAPHML:
        zf_graph_write_graphml(sink, graph, edges, n);
        return;
    case ZF_GRAPH_GML:
        zf_graph_write_gml(sink, graph, edges, n);
        return;
    case ZF_GRAPH_DOT:
        zf_graph_write_dot(sink, graph, edges, n);
        return;
    case ZF_GRAPH_JSON:
        zf_graph_write_json(sink, graph, edges, n, options->matrix);
        return;
    case ZF_GRAPH_NPY:
        write_npy(sink, graph, options);
        return;
    }
}

/* Into an open sink; a failure stays in it. */
static void write_all(zf_sink *sink, const zf_graph *graph, const zf_graph_options *options)
{
    zf_edge *edges = NULL;
    size_t n = 0;
    bool squares =
        options->format == ZF_GRAPH_NPY || (options->format == ZF_GRAPH_CSV && options->matrix);
    if (!squares) zf_sink_fail(sink, zf_graph_edges(&edges, &n, graph, options->threshold));
    if (edges && options->decided && graph->evidence) n = keep_decided(graph, edges, n);
    if (sink->status == ZF_OK) write_format(sink, graph, options, edges, n);
    free(edges);
}

zf_status zf_graph_write(const zf_graph *graph, const char *path, const zf_graph_options *given)
{
    zf_graph_options known = zf_graph_defaults();
    const zf_graph_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "graph"));
    zf_sink sink;
    ZF_TRY(check_options(options));
    ZF_TRY(check_gates(path, graph));
    ZF_TRY(zf_sink_open(&sink, path));
    write_all(&sink, graph, options);
    return zf_sink_finish(&sink);
}

zf_status zf_graph_encode(char **bytes, size_t *n, const zf_graph *graph,
                          const zf_graph_options *given)
{
    zf_graph_options known = zf_graph_defaults();
    const zf_graph_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "graph"));
    zf_sink sink;
    ZF_TRY(check_options(options));
    ZF_TRY(check_gates(NULL, graph));
    zf_sink_open_memory(&sink);
    write_all(&sink, graph, options);
    return zf_sink_take(&sink, bytes, n);
}
