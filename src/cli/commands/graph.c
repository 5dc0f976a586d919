/* zeroflow graph: the whole graph that a model has learnt, as a file for other
   programs.

   Formats to compute with (csv, json, npy) hold every pair unless a threshold is
   given, as a comparison with a truth needs all scores; formats to draw
   (graphml, gml, dot) would be a ball of wool and start at the blankets' usual
   threshold. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model_input.h"
#include "output.h"
#include "text.h"
#include "zeroflow/network.h"

enum { MODEL };
enum { OUTPUT, FORMAT, THRESHOLD, MATRIX };

static const double DRAWN_THRESHOLD = 0.1;

/* In the order of zf_network_format. */
static const char *const formats[] = {"csv", "graphml", "gml", "dot", "json", "npy", NULL};

static const cli_option arguments[] = {
    [MODEL] = {"MODEL", .type = CLI_FILE, .help = CLI_MODEL_ARGUMENT_HELP},
    {NULL},
};

static const cli_option options[] = {
    [OUTPUT] = {"output", 'o', CLI_FILE, "FILE", .otherwise = "standard output",
                .help = "Where the graph goes."},
    [FORMAT] = {"format", .type = CLI_CHOICE, .placeholder = "NAME", .choices = formats,
                .otherwise = "by the end of FILE's name, else csv",
                .help = "csv: source,target,score, strongest first; graphml, gml, dot: for "
                        "Cytoscape, Gephi, NetworkX, Graphviz; json; npy: a matrix."},
    [THRESHOLD] = {"threshold", .type = CLI_REAL, .placeholder = "G", .least = 0, .most = 1,
                   .otherwise = "every pair; in graphml, gml and dot 0.1",
                   .help = "Leave out edges with a score below this."},
    [MATRIX] = {"matrix", .help = "The directed gates, a row for each target, instead of the "
                                  "edges (csv, npy) or beside them (json)."},
    {NULL},
};

static const cli_example examples[] = {
    {"zeroflow graph cells.model -o cells-graph.csv", "Every pair with its score."},
    {"zeroflow graph cells.model --threshold 0.2 -o cells.graphml", "To open in Cytoscape."},
    {"zeroflow graph cells.model --matrix --format json", "The gates too, on standard output."},
    {NULL},
};

/* NULL: standard output. */
static const char *file_of(const cli_call *call)
{
    const char *path = call->values[OUTPUT].text;
    return path && strcmp(path, "-") != 0 ? path : NULL;
}

/* CLI_USAGE: the options contradict each other or a terminal would get bytes. */
static cli_exit understand(zf_network_options *wish, const cli_call *call)
{
    const char *format = call->values[FORMAT].text, *path = file_of(call);
    *wish = zf_network_defaults();
    int found = zf_network_format_find(format ? format : path ? path : "csv");
    wish->format = found < 0 ? ZF_NETWORK_CSV : (zf_network_format)found;
    wish->matrix = call->values[MATRIX].flag;
    if (call->json && !path) {
        if (format && wish->format != ZF_NETWORK_JSON)
            return cli_fail(CLI_USAGE, "--json and --format %s exclude each other without -o",
                            format);
        wish->format = ZF_NETWORK_JSON;
    }
    bool drawn = wish->format == ZF_NETWORK_GRAPHML || wish->format == ZF_NETWORK_GML ||
                 wish->format == ZF_NETWORK_DOT;
    wish->threshold = drawn ? DRAWN_THRESHOLD : 0;
    if (call->values[THRESHOLD].given) wish->threshold = call->values[THRESHOLD].real;
    if (wish->format == ZF_NETWORK_NPY && !path && isatty(STDOUT_FILENO))
        return cli_fail(CLI_USAGE, "npy is not text for a terminal; name a file by -o FILE");
    return CLI_DONE;
}

static cli_exit make_network(zf_network **out, const zf_blanket *model)
{
    size_t n = (size_t)zf_blanket_features(model);
    float *gates = malloc(n * n * sizeof *gates);
    const char **names = malloc(n * sizeof *names);
    zf_status status = gates && names ? zf_blanket_matrix(model, gates) : ZF_ENOMEM;
    for (size_t i = 0; names && i < n; i++) names[i] = zf_blanket_name(model, (int)i);
    if (status == ZF_OK) status = zf_network_new(out, names, n, gates);
    free(gates);
    free(names);
    return cli_check(status);
}

static size_t count_edges(const zf_network *network, const zf_network_options *wish)
{
    size_t edges = 0, n = zf_network_count(network);
    double least = wish->format == ZF_NETWORK_NPY ? 0 : wish->threshold;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            edges += (double)zf_network_score(network, i, j) >= least;
    return edges;
}

/* What was written into the file. */
static cli_exit tell(const cli_call *call, const zf_network *network,
                     const zf_network_options *wish)
{
    const char *path = call->values[OUTPUT].text;
    size_t nodes = zf_network_count(network), edges = count_edges(network, wish);
    if (call->json)
        return cli_print_json(call,
                              json_pack("{s:o s:s s:I s:I s:o s:b}", "graph", cli_json_text(path),
                                        "format", formats[wish->format], "nodes", (json_int_t)nodes,
                                        "edges", (json_int_t)edges, "threshold",
                                        cli_json_number(wish->threshold), "matrix", wish->matrix));
    cli_clean(call->out, path);
    fprintf(call->out, ": %s of %s as %s", cli_plural(edges, "edge").text,
            cli_plural(nodes, "node").text, formats[wish->format]);
    if (wish->threshold > 0 && wish->format != ZF_NETWORK_NPY)
        fprintf(call->out, ", scores of %g or more", wish->threshold);
    fputs(wish->matrix ? ", directed gates\n" : "\n", call->out);
    return CLI_DONE;
}

static cli_exit write_graph(const cli_call *call, const zf_network *network,
                            const zf_network_options *wish)
{
    const char *path = file_of(call);
    if (path) {
        CLI_TRY(cli_check(zf_network_write(network, path, wish)));
        return tell(call, network, wish);
    }
    char *bytes;
    size_t n;
    CLI_TRY(cli_check(zf_network_encode(&bytes, &n, network, wish)));
    fwrite(bytes, 1, n, call->out);
    free(bytes);
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    zf_network_options wish;
    zf_blanket *model = NULL;
    zf_network *network = NULL;
    CLI_TRY(understand(&wish, call));
    CLI_TRY(cli_check(zf_blanket_load(&model, call->arguments[MODEL].text)));
    cli_exit exit = make_network(&network, model);
    zf_blanket_free(model);
    if (exit == CLI_DONE) exit = write_graph(call, network, &wish);
    zf_network_free(network);
    return exit;
}

const cli_command cli_command_graph = {
    .name = "graph",
    .summary = "the whole graph of a model, for other programs",
    .description =
        "Asks a model for the blanket of every single feature and joins the answers: the score of "
        "an edge is the larger of the two gates between its ends. Every pair has a score; a "
        "threshold leaves out the weak ones.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
