#include "job/graph.h"

#include "base/words.h"

static const zf_option arguments[] = {
    {"MODEL", .type = ZF_OPTION_FILE, ZF_FIELD(zf_graph_values, model), .help = ZF_MODEL_HELP},
    {NULL},
};

static const zf_option options[] = {
    ZF_MODEL_FDR_ROW(zf_graph_values, fdr),
    {"all", .type = ZF_OPTION_FLAG, ZF_FIELD(zf_graph_values, all),
     .help = "Write every pair, with a column that says whether it is an edge."},
    ZF_GRAPH_OUTPUT_ROWS(zf_graph_values, graph, 1),
    {NULL},
};

static void defaults(void *values)
{
    ((zf_graph_values *)values)->graph = zf_graph_output_left;
}

static bool by_gates(const zf_graph_values *values)
{
    return values->graph.threshold != ZF_AUTO;
}

/* What the options say of evidence: raw gates, every pair, or what is decided. */
static zf_status understand(zf_graph_output *output, const zf_run *run,
                            const zf_graph_values *values)
{
    if (by_gates(values) && values->all)
        return zf_fail(ZF_EINVAL, "{all} and {threshold} cannot be used together");
    if (by_gates(values) && zf_gave(run, &values->fdr))
        return zf_fail(ZF_EINVAL, "{fdr} and {threshold} cannot be used together");
    ZF_TRY(zf_graph_output_understand(output, &values->graph));
    output->options.decided = !by_gates(values) && !values->all;
    if (values->all) output->options.threshold = 0;
    return ZF_OK;
}

/* Where nothing is decided, someone should know why: the graph is empty, or nobody can say. */
static void warn_of_none(zf_run *run, const zf_graph_result *found, const zf_graph_values *values)
{
    const zf_graph_output *output = &found->output;
    const zf_evidence *evidence = output->evidence;
    if (!evidence && !output->options.matrix && !by_gates(values))
        zf_warn(run, "nothing is decided: %s, %s", ZF_NO_EVIDENCE, ZF_NO_EVIDENCE_SO);
    if (!output->options.decided || zf_graph_output_decided(found->graph)) return;
    if (zf_evidence_edges(evidence, values->fdr)) {
        zf_warn(run, "no edge: all edges that the evidence supports were forbidden");
        return;
    }
    zf_warn(run,
            "no edge at a false discovery rate of %g: an edge as strong as the strongest "
            "candidate would need about %s, and there were %s ({all} writes every pair)",
            values->fdr, zf_plural(zf_evidence_rows_needed(evidence, values->fdr), "row").text,
            zf_count(zf_evidence_rows(evidence)).text);
}

static zf_status run(void *result, const void *given, zf_run *run)
{
    const zf_graph_values *values = given;
    zf_graph_result *found = result;
    zf_graph_output *output = &found->output;
    ZF_TRY(understand(output, run, values));
    ZF_TRY(zf_blanket_load(&found->model, values->model));
    const zf_evidence *evidence = zf_blanket_evidence(found->model);
    ZF_TRY(zf_need_evidence(run, found->model, &values->fdr));
    ZF_TRY(
        zf_check_model(zf_blanket_graph(&found->graph, found->model, values->fdr), values->model));
    /* Whoever asks by gates gets gates. */
    if (by_gates(values)) ZF_TRY(zf_graph_set_scores(found->graph, NULL));
    output->options.decided &= evidence != NULL;
    if (output->options.decided) output->options.threshold = 0;
    output->evidence = evidence;
    if (evidence) output->fdr = values->fdr;
    warn_of_none(run, found, values);
    return zf_graph_output_write(output, found->graph);
}

static json_t *json(const void *result, const void *given)
{
    const zf_graph_result *found = result;
    (void)given;
    return zf_graph_output_json(&found->output, found->graph);
}

static const char *document(const void *result, size_t *n)
{
    const zf_graph_result *found = result;
    *n = found->output.kept.n;
    return found->output.kept.bytes;
}

static void release(void *result)
{
    zf_graph_result *found = result;
    zf_graph_output_free(&found->output);
    zf_graph_free(found->graph);
    zf_blanket_free(found->model);
}

const zf_job zf_job_graph = {
    .name = "graph",
    .summary = "export the graph of a model to other programs",
    .description =
        "Writes the edges that the evidence in the model supports, each with its score, "
        "p-value and q-value; a share of about {fdr} of them is expected to be false. The "
        "score, from 0 to 1, ranks pairs by p-value and gate together: the logarithm of 1 / "
        "p plus a part of the log odds of the gate; where all dependence in the table is "
        "linear, also by linear statistics.\n\n"
        "{all} writes every pair. {threshold} writes the pairs with large gates, whatever "
        "the evidence. A model without evidence has gates only; the score is then the larger "
        "of the two gates between the ends.\n\n"
        "A figure draws each edge as thick as its score and, with evidence, as the "
        "correlation behind it, coloured by the form of the dependence; with {matrix} it "
        "shows the gates.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_graph_values),
    .defaults = defaults,
    .result_size = sizeof(zf_graph_result),
    .run = run,
    .json = json,
    .document = document,
    .release = release,
};
