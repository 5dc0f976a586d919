#include "graph_output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

static const double DRAWN_THRESHOLD = 0.1;

const char *const cli_graph_formats[] = {"csv", "graphml", "gml", "dot", "json", "npy", NULL};

static bool is_drawn(zf_network_format format)
{
    return format == ZF_NETWORK_GRAPHML || format == ZF_NETWORK_GML || format == ZF_NETWORK_DOT;
}

cli_exit cli_graph_understand(cli_graph *out, const cli_call *call, const cli_value *first)
{
    cli_graph graph = {.path = first[CLI_GRAPH_FILE].text, .options = zf_network_defaults()};
    zf_network_options *wish = &graph.options;
    const char *format = first[CLI_GRAPH_FORMAT].text;
    if (graph.path && strcmp(graph.path, "-") == 0) graph.path = NULL;
    int found = zf_network_format_find(format ? format : graph.path ? graph.path : "csv");
    wish->format = found < 0 ? ZF_NETWORK_CSV : (zf_network_format)found;
    wish->matrix = first[CLI_GRAPH_MATRIX].flag;
    if (call->json && !graph.path) {
        if (format && wish->format != ZF_NETWORK_JSON)
            return cli_fail(CLI_USAGE, "--json and --format %s exclude each other without -o",
                            format);
        wish->format = ZF_NETWORK_JSON;
    }
    if (wish->matrix && is_drawn(wish->format))
        return cli_fail(CLI_USAGE, "--matrix is for csv, json and npy, not for %s",
                        cli_graph_formats[wish->format]);
    wish->guard = first[CLI_GRAPH_GUARD].flag;
    if (wish->guard && wish->format != ZF_NETWORK_CSV)
        return cli_fail(CLI_USAGE, "--guard-formulas is for csv, not for %s",
                        cli_graph_formats[wish->format]);
    wish->threshold = is_drawn(wish->format) ? DRAWN_THRESHOLD : 0;
    if (first[CLI_GRAPH_THRESHOLD].given) wish->threshold = first[CLI_GRAPH_THRESHOLD].real;
    if (wish->format == ZF_NETWORK_NPY && !graph.path && isatty(STDOUT_FILENO))
        return cli_fail(CLI_USAGE, "npy is not text for a terminal; name a file by -o FILE");
    *out = graph;
    return CLI_DONE;
}

cli_exit cli_graph_write(const cli_call *call, const cli_graph *graph, const zf_network *network)
{
    char *bytes;
    size_t n;
    if (graph->path) return cli_check(zf_network_write(network, graph->path, &graph->options));
    CLI_TRY(cli_check(zf_network_encode(&bytes, &n, network, &graph->options)));
    if (graph->options.format == ZF_NETWORK_NPY)
        fwrite(bytes, 1, n, call->out);
    else
        cli_print_data(call, bytes, n);
    free(bytes);
    return CLI_DONE;
}

static size_t count_edges(const zf_network *network, const zf_network_options *wish)
{
    size_t edges = 0, n = zf_network_count(network);
    bool squares = wish->format == ZF_NETWORK_NPY;
    double least = squares ? 0 : wish->threshold;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            edges += (double)zf_network_score(network, i, j) >= least &&
                     (!wish->decided || squares || zf_network_evidence(network, i, j)->decided);
    return edges;
}

void cli_graph_tell(const cli_call *call, const cli_graph *graph, const zf_network *network)
{
    const zf_network_options *wish = &graph->options;
    cli_clean(call->out, graph->path);
    fprintf(call->out, ": %s of %s as %s", cli_plural(count_edges(network, wish), "edge").text,
            cli_plural(zf_network_count(network), "node").text, cli_graph_formats[wish->format]);
    if (wish->threshold > 0 && wish->format != ZF_NETWORK_NPY)
        fprintf(call->out, ", scores of %g or more", wish->threshold);
    if (wish->decided && wish->format != ZF_NETWORK_NPY && !wish->matrix)
        fputs(", decided by evidence", call->out);
    fputs(wish->matrix ? ", directed gates\n" : "\n", call->out);
}

json_t *cli_graph_json(const cli_graph *graph, const zf_network *network)
{
    const zf_network_options *wish = &graph->options;
    return json_pack("{s:o s:s s:I s:I s:o s:b}", "graph", cli_json_text(graph->path), "format",
                     cli_graph_formats[wish->format], "nodes",
                     (json_int_t)zf_network_count(network), "edges",
                     (json_int_t)count_edges(network, wish), "threshold",
                     cli_json_number(wish->threshold), "matrix", wish->matrix);
}
