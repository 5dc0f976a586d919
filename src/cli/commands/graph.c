/* zeroflow graph: the whole graph that a model has learnt, as a file for other
   programs. */
#include "job/graph.h"

#include "command.h"
#include "graph_text.h"

static const cli_example examples[] = {
    {"zeroflow graph cells.model -o cells-graph.csv", "The edges that the evidence supports."},
    {"zeroflow graph cells.model -o cells-graph.svg", "The same as a figure."},
    {"zeroflow graph cells.model --all -o cells-pairs.csv", "Every pair, for zeroflow score."},
    {"zeroflow graph cells.model --threshold 0.2 -o cells.graphml", "To open in Cytoscape."},
    {"zeroflow graph cells.model --matrix --format json", "The gates as well, on standard output."},
    {NULL},
};

static cli_exit check(const cli_call *call, const void *given)
{
    const zf_graph_values *values = given;
    return cli_check_graph(call, &values->graph);
}

static void print(const cli_call *call, const void *values, const void *result)
{
    const zf_graph_result *found = result;
    (void)values;
    cli_tell_graph(call->out, &found->output, found->graph);
}

const cli_command cli_command_graph = {
    .job = &zf_job_graph,
    .check = check,
    .print = print,
    .examples = examples,
};
