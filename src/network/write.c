/* Writing networks: the tables (CSV, NPY) here, the rest in files of their own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/finite.h"
#include "io/csv_write.h"
#include "io/decimal.h"
#include "io/npy.h"
#include "network/network.h"

zf_network_options zf_network_defaults(void)
{
    return (zf_network_options){.format = ZF_NETWORK_CSV};
}

static void write_edges(zf_sink *sink, const zf_network *network, const zf_edge *edges, size_t n,
                        bool scored)
{
    char number[ZF_DECIMAL_ROOM];
    zf_sink_text(sink, scored ? "source,target,score" : "source,target");
    if (scored && network->evidence) zf_sink_text(sink, ",p_value,q_value,decided");
    zf_sink_text(sink, scored && network->stability ? ",stability\n" : "\n");
    for (size_t i = 0; i < n; i++) {
        zf_csv_write_cell(sink, zf_network_name(network, edges[i].a), ',');
        zf_sink_byte(sink, ',');
        zf_csv_write_cell(sink, zf_network_name(network, edges[i].b), ',');
        if (scored) {
            zf_sink_byte(sink, ',');
            zf_sink_text(sink, zf_decimal_float(number, edges[i].score));
        }
        const zf_edge_evidence *evidence = zf_network_evidence(network, edges[i].a, edges[i].b);
        if (scored && evidence) {
            zf_sink_byte(sink, ',');
            zf_sink_text(sink, zf_decimal_double(number, evidence->p_value));
            zf_sink_byte(sink, ',');
            zf_sink_text(sink, zf_decimal_double(number, evidence->q_value));
            zf_sink_text(sink, evidence->decided ? ",true" : ",false");
            if (network->stability) zf_sink_byte(sink, ',');
            if (evidence->stability >= 0)
                zf_sink_text(sink, zf_decimal_double(number, evidence->stability));
        }
        zf_sink_byte(sink, '\n');
    }
}

/* Leaves only edges that evidence decides on; how many. */
static size_t keep_decided(const zf_network *network, zf_edge *edges, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (zf_network_evidence(network, edges[i].a, edges[i].b)->decided) edges[kept++] = edges[i];
    return kept;
}

/* gates,NAME,NAME,...: a row for each target. */
static void write_gates(zf_sink *sink, const zf_network *network)
{
    char number[ZF_DECIMAL_ROOM];
    size_t n = zf_network_count(network);
    zf_sink_text(sink, "gates");
    for (size_t j = 0; j < n; j++) {
        zf_sink_byte(sink, ',');
        zf_csv_write_cell(sink, zf_network_name(network, j), ',');
    }
    for (size_t i = 0; i < n; i++) {
        zf_sink_byte(sink, '\n');
        zf_csv_write_cell(sink, zf_network_name(network, i), ',');
        for (size_t j = 0; j < n; j++) {
            zf_sink_byte(sink, ',');
            zf_sink_text(sink, zf_decimal_float(number, zf_network_gate(network, i, j)));
        }
    }
    zf_sink_byte(sink, '\n');
}

/* Whether the options leave out the edge between two nodes. */
static bool is_left_out(const zf_network *network, const zf_network_options *options, size_t a,
                        size_t b)
{
    if (a == b) return false;
    const zf_edge_evidence *evidence = zf_network_evidence(network, a, b);
    if (options->decided && evidence && !evidence->decided) return true;
    return (double)zf_network_score(network, a, b) < options->threshold;
}

/* The matrix of gates, or of scores with the diagonal of the gates; 0: no edge. */
static void write_npy(zf_sink *sink, const zf_network *network, const zf_network_options *options)
{
    size_t n = zf_network_count(network);
    const int64_t shape[] = {(int64_t)n, (int64_t)n};
    char header[ZF_NPY_HEADER_MAX];
    zf_sink_bytes(sink, header, zf_npy_header(header, ZF_FLOAT32, 2, shape));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            float value = options->matrix                       ? zf_network_gate(network, i, j)
                          : is_left_out(network, options, i, j) ? 0
                                                                : zf_network_score(network, i, j);
            zf_sink_bytes(sink, &value, sizeof value);
        }
}

static const char *const format_names[] = {
    [ZF_NETWORK_CSV] = "CSV", [ZF_NETWORK_GRAPHML] = "GraphML", [ZF_NETWORK_GML] = "GML",
    [ZF_NETWORK_DOT] = "DOT", [ZF_NETWORK_JSON] = "JSON",       [ZF_NETWORK_NPY] = "NPY",
};

int zf_network_format_find(const char *text)
{
    size_t length = strlen(text);
    for (int i = 0; i <= ZF_NETWORK_NPY; i++) {
        size_t n = strlen(format_names[i]);
        if (length < n || strcasecmp(text + length - n, format_names[i]) != 0) continue;
        if (length == n || text[length - n - 1] == '.') return i;
    }
    return -1;
}

static zf_status check_options(const zf_network_options *options)
{
    if ((unsigned)options->format > ZF_NETWORK_NPY)
        return zf_fail(ZF_EINVAL, "network format %d, expected 0 to %d", (int)options->format,
                       (int)ZF_NETWORK_NPY);
    bool tabular = options->format == ZF_NETWORK_CSV || options->format == ZF_NETWORK_JSON ||
                   options->format == ZF_NETWORK_NPY;
    if (options->matrix && !tabular)
        return zf_fail(ZF_EINVAL, "%s holds edges, not a matrix; expected CSV, JSON or NPY for it",
                       format_names[options->format]);
    if (isnan(options->threshold)) return zf_fail(ZF_EINVAL, "the threshold is not a number");
    return ZF_OK;
}

static zf_status check_gates(const char *path, const zf_network *network)
{
    size_t n = zf_network_count(network);
    for (size_t i = 0; !network->gates && i < network->n_edges; i++) {
        const zf_edge *edge = &network->edges[i];
        ZF_TRY(zf_finite_check(path, &(zf_grid){.floats = &edge->score,
                                                .rows = 1,
                                                .columns = 1,
                                                .row = "target",
                                                .column = "node",
                                                .names = zf_network_names(network) + edge->b,
                                                .before = edge->a}));
    }
    if (!network->gates) return ZF_OK;
    return zf_finite_check(path, &(zf_grid){.floats = network->gates,
                                            .rows = n,
                                            .columns = n,
                                            .row = "target",
                                            .column = "node",
                                            .names = zf_network_names(network)});
}

static void write_format(zf_sink *sink, const zf_network *network,
                         const zf_network_options *options, const zf_edge *edges, size_t n)
{
    switch (options->format) {
    case ZF_NETWORK_CSV:
        sink->guard = options->guard;
        if (options->matrix)
            write_gates(sink, network);
        else
            write_edges(sink, network, edges, n, !options->unscored);
        return;
    case ZF_NETWORK_GRAPHML:
        zf_network_write_graphml(sink, network, edges, n);
        return;
    case ZF_NETWORK_GML:
        zf_network_write_gml(sink, network, edges, n);
        return;
    case ZF_NETWORK_DOT:
        zf_network_write_dot(sink, network, edges, n);
        return;
    case ZF_NETWORK_JSON:
        zf_network_write_json(sink, network, edges, n, options->matrix);
        return;
    case ZF_NETWORK_NPY:
        write_npy(sink, network, options);
        return;
    }
}

/* Into an open sink; a failure stays in it. */
static void write_all(zf_sink *sink, const zf_network *network, const zf_network_options *options)
{
    zf_edge *edges = NULL;
    size_t n = 0;
    bool squares =
        options->format == ZF_NETWORK_NPY || (options->format == ZF_NETWORK_CSV && options->matrix);
    if (!squares) zf_sink_fail(sink, zf_network_edges(&edges, &n, network, options->threshold));
    if (edges && options->decided && network->evidence) n = keep_decided(network, edges, n);
    if (sink->status == ZF_OK) write_format(sink, network, options, edges, n);
    free(edges);
}

zf_status zf_network_write(const zf_network *network, const char *path,
                           const zf_network_options *options)
{
    zf_sink sink;
    ZF_TRY(check_options(options));
    ZF_TRY(check_gates(path, network));
    ZF_TRY(zf_sink_open(&sink, path));
    write_all(&sink, network, options);
    return zf_sink_finish(&sink);
}

zf_status zf_network_encode(char **bytes, size_t *n, const zf_network *network,
                            const zf_network_options *options)
{
    zf_sink sink;
    ZF_TRY(check_options(options));
    ZF_TRY(check_gates(NULL, network));
    zf_sink_open_memory(&sink);
    write_all(&sink, network, options);
    return zf_sink_take(&sink, bytes, n);
}
