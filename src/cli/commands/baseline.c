/* zeroflow baseline: the graph that a classical method sees in a table. */
#include "job/baseline.h"

#include "command.h"
#include "graph_text.h"
#include "text.h"

static const cli_example examples[] = {
    {"zeroflow baseline partial cells.csv",
     "Every pair of columns by partial correlation, strongest first."},
    {"zeroflow baseline glasso cells.csv --marginals standard -o cells.graphml",
     "The graph of the graphical lasso, for Cytoscape or Gephi."},
    {"zeroflow baseline pc cells.csv --alpha 0.01 -o cells.dot",
     "The skeleton of PC at one level, for Graphviz."},
    {"zeroflow baseline rank cells.csv --fdr 0.05 -o edges.csv",
     "The pairs that are edges at a false discovery rate of 5 %."},
    {"zeroflow baseline rank cells.csv --json > cells.json",
     "Partial correlation of ranks, for a program to read."},
    {NULL},
};

static cli_exit check(const cli_call *call, const void *given)
{
    const zf_baseline_values *values = given;
    return cli_check_graph(call, &values->graph);
}

static void print(const cli_call *call, const void *given, const void *result)
{
    FILE *out = call->out;
    const zf_baseline_values *values = given;
    const zf_baseline_result *found = result;
    const zf_baseline_details *details = &found->details;
    fprintf(out, "%s of %s and %s in %.2f s", zf_baseline_name(values->method),
            zf_plural(found->variables.matrix.rows, "row").text,
            zf_plural(found->variables.matrix.columns, "column").text, details->seconds);
    if (details->penalty > 0)
        fprintf(out, ", penalty %.4g (log-likelihood of held-out rows %.4f)", details->penalty,
                details->likelihood);
    if (details->shrinkage > 0) fprintf(out, ", correlations shrunk by %.3g", details->shrinkage);
    if (details->tests > 0) fprintf(out, ", %s", zf_plural(details->tests, "test").text);
    fputc('\n', out);
    cli_tell_graph(out, &found->output, found->graph);
}

const cli_command cli_command_baseline = {
    .job = &zf_job_baseline,
    .check = check,
    .print = print,
    .examples = examples,
};
