/* zeroflow graph: the whole graph that a model has learnt, as a file for other
   programs. */
#include <stdlib.h>

#include "graph_output.h"
#include "model_input.h"

enum { MODEL };
enum { GRAPH, END = GRAPH + CLI_GRAPH_OPTIONS };

static const cli_option arguments[] = {
    [MODEL] = {"MODEL", .type = CLI_FILE, .help = CLI_MODEL_ARGUMENT_HELP},
    {NULL},
};

static const cli_option options[] = {
    CLI_GRAPH_OPTION_LIST(GRAPH, 1),
    [END] = {NULL},
};

static const cli_example examples[] = {
    {"zeroflow graph cells.model -o cells-graph.csv", "Every pair with its score."},
    {"zeroflow graph cells.model --threshold 0.2 -o cells.graphml", "To open in Cytoscape."},
    {"zeroflow graph cells.model --matrix --format json", "The gates too, on standard output."},
    {NULL},
};

static cli_exit make_network(zf_network **out, const zf_blanket *model, const char *path)
{
    size_t n = (size_t)zf_blanket_features(model);
    float *gates = malloc(n * n * sizeof *gates);
    const char **names = malloc(n * sizeof *names);
    zf_status status = gates && names ? zf_blanket_matrix(model, gates) : ZF_ENOMEM;
    for (size_t i = 0; names && i < n; i++) names[i] = zf_blanket_name(model, (int)i);
    if (status == ZF_OK) status = zf_network_new(out, names, n, gates);
    free(gates);
    free(names);
    return cli_check_model(status, path);
}

static cli_exit show(const cli_call *call, const cli_graph *graph, const zf_network *network)
{
    CLI_TRY(cli_graph_write(call, graph, network));
    if (!graph->path) return CLI_DONE;
    if (call->json) return cli_print_json(call, cli_graph_json(graph, network));
    cli_graph_tell(call, graph, network);
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    cli_graph graph;
    zf_blanket *model = NULL;
    zf_network *network = NULL;
    CLI_TRY(cli_graph_understand(&graph, call, &call->values[GRAPH]));
    CLI_TRY(cli_check(zf_blanket_load(&model, call->arguments[MODEL].text)));
    cli_exit exit = make_network(&network, model, call->arguments[MODEL].text);
    zf_blanket_free(model);
    if (exit == CLI_DONE) exit = show(call, &graph, network);
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
