/* zeroflow graph: the whole graph that a model has learnt, as a file for other
   programs. */
#include "fdr.h"
#include "graph_output.h"
#include "model_input.h"
#include "progress.h"
#include "text.h"

enum { MODEL };
enum { FDR, ALL, GRAPH, END = GRAPH + CLI_GRAPH_OPTIONS };

static const cli_option arguments[] = {
    [MODEL] = {"MODEL", .type = CLI_FILE, .help = CLI_MODEL_ARGUMENT_HELP},
    {NULL},
};

static const cli_option options[] = {
    [FDR] = CLI_MODEL_FDR_OPTION,
    [ALL] = {"all", .type = CLI_FLAG,
             .help = "Every pair, with a column that says whether it is decided on."},
    CLI_GRAPH_OPTION_LIST(GRAPH, 1),
    [END] = {NULL},
};

static const cli_example examples[] = {
    {"zeroflow graph cells.model -o cells-graph.csv", "The edges that the evidence supports."},
    {"zeroflow graph cells.model -o cells-graph.svg", "The same as a figure."},
    {"zeroflow graph cells.model --all -o cells-pairs.csv", "Every pair, for zeroflow score."},
    {"zeroflow graph cells.model --threshold 0.2 -o cells.graphml", "To open in Cytoscape."},
    {"zeroflow graph cells.model --matrix --format json", "The gates too, on standard output."},
    {NULL},
};

static cli_exit show(const cli_call *call, const cli_graph_output *output, const zf_graph *graph)
{
    CLI_TRY(cli_graph_write(call, output, graph));
    if (!output->path) return CLI_DONE;
    if (call->json) return cli_print_json(call, cli_graph_json(output, graph));
    cli_graph_tell(call, output, graph);
    return CLI_DONE;
}

/* What the options say of evidence: raw gates, every pair, or what is decided. */
static cli_exit understand(cli_graph_output *output, const cli_call *call)
{
    const cli_value *values = call->values;
    bool raw = values[GRAPH + CLI_GRAPH_THRESHOLD].given;
    if (raw && (values[ALL].flag || values[FDR].given))
        return cli_fail(CLI_USAGE, "--%s and --threshold exclude each other",
                        values[ALL].flag ? "all" : "fdr");
    CLI_TRY(cli_graph_understand(output, call, &values[GRAPH]));
    output->options.decided = !raw && !values[ALL].flag;
    if (values[ALL].flag) output->options.threshold = 0;
    return CLI_DONE;
}

/* Where nothing is decided, someone should know why: the graph is empty, or nobody can say. */
static void warn_of_none(const cli_call *call, const cli_graph_output *output,
                         const zf_graph *graph)
{
    double fdr = call->values[FDR].real;
    bool raw = output->options.matrix || call->values[GRAPH + CLI_GRAPH_THRESHOLD].given;
    if (!output->evidence && !raw)
        cli_warn(call, "nothing is decided: %s, %s", CLI_NO_EVIDENCE, CLI_NO_EVIDENCE_SO);
    if (!output->options.decided || cli_graph_decided(graph)) return;
    if (zf_evidence_edges(output->evidence, fdr)) {
        cli_warn(call, "no edge: those that the evidence supports were forbidden");
        return;
    }
    cli_warn(call,
             "no edge at a false discovery rate of %g: an edge as strong as the strongest sign of "
             "one would take about %s, and there were %s (--all writes every pair)",
             fdr, cli_plural(zf_evidence_rows_needed(output->evidence, fdr), "row").text,
             cli_count(zf_evidence_rows(output->evidence)).text);
}

static cli_exit run(const cli_call *call)
{
    cli_graph_output output;
    zf_blanket *model = NULL;
    zf_graph *graph = NULL;
    const char *path = call->arguments[MODEL].text;
    CLI_TRY(understand(&output, call));
    CLI_TRY(cli_check(zf_blanket_load(&model, path)));
    const zf_evidence *evidence = zf_blanket_evidence(model);
    cli_exit exit = cli_need_evidence(model, &call->values[FDR]);
    if (exit == CLI_DONE)
        exit = cli_check_model(zf_blanket_graph(&graph, model, call->values[FDR].real), path);
    /* Whoever asks by gates gets gates. */
    if (exit == CLI_DONE && call->values[GRAPH + CLI_GRAPH_THRESHOLD].given)
        exit = cli_check(zf_graph_set_scores(graph, NULL));
    output.options.decided &= evidence != NULL;
    if (output.options.decided) output.options.threshold = 0;
    output.evidence = evidence;
    if (evidence) output.fdr = call->values[FDR].real;
    if (exit == CLI_DONE) warn_of_none(call, &output, graph);
    if (exit == CLI_DONE) exit = show(call, &output, graph);
    zf_blanket_free(model);
    zf_graph_free(graph);
    return exit;
}

const cli_command cli_command_graph = {
    .name = "graph",
    .summary = "the whole graph of a model, for other programs",
    .description =
        "The edges that the evidence in the model supports, each with its score, p-value and "
        "q-value: about a share of --fdr of them is false. The score, 0 to 1, ranks pairs by "
        "what both say: the logarithm of 1 / p and a part of the log odds of the gate; where the "
        "table has straight lines alone, also by what these say. --all writes every pair. "
        "--threshold writes those with large gates, whatever the evidence, and a "
        "model without evidence has gates alone: then the score is the larger of the two gates "
        "between the ends.\n\n"
        "A figure has a line for each edge, as thick as its score and, with evidence, as the "
        "correlation behind it, coloured by what the dependence looks like; with --matrix it "
        "shows the gates.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
