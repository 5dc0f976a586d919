#include "graph_text.h"

#include <unistd.h>

#include "text.h"

cli_exit cli_check_graph(const cli_call *call, const zf_graph_output_values *values)
{
    if (!zf_document_stays(values->output)) return CLI_DONE;
    if (call->json && values->format == ZF_AUTO)
        return cli_check(zf_options_set(call->options, "format", "json"));
    if (call->json && values->format != ZF_GRAPH_JSON)
        return cli_fail(CLI_USAGE, "--json and --format %s cannot be used together without -o",
                        zf_graph_formats[values->format]);
    if (values->format == ZF_GRAPH_NPY && isatty(STDOUT_FILENO))
        return cli_fail(CLI_USAGE, "npy is not text for a terminal; name a file by -o FILE");
    return CLI_DONE;
}

/* What is written, in words: edges that are decided on, pairs with a score, or gates. */
static void tell_content(FILE *out, const zf_graph_output *output, const zf_graph *graph)
{
    const zf_graph_options *wish = &output->options;
    const char *format = zf_graph_output_format(output);
    zf_small nodes = zf_plural(zf_graph_count(graph), "node");
    bool all = !wish->decided && !(wish->threshold > 0);
    zf_small edges = zf_plural(zf_graph_output_edges(graph, wish), all ? "pair" : "edge");
    if (wish->matrix && wish->format != ZF_GRAPH_JSON) {
        fprintf(out, "directed gates of %s as %s\n", nodes.text, format);
        return;
    }
    fprintf(out, "%s of %s as %s", edges.text, nodes.text, format);
    if (wish->threshold > 0) fprintf(out, ", scores of %g or more", wish->threshold);
    if (wish->decided) {
        fputs(", decided by evidence", out);
    } else if (zf_graph_evidence(graph, 0, 1)) {
        zf_graph_options decided = *wish;
        decided.decided = true;
        fprintf(out, ", %s of them decided by evidence",
                zf_count(zf_graph_output_edges(graph, &decided)).text);
    }
    fputs(wish->matrix ? ", and the directed gates\n" : "\n", out);
}

void cli_tell_graph(FILE *out, const zf_graph_output *output, const zf_graph *graph)
{
    cli_clean(out, output->path);
    fputs(": ", out);
    tell_content(out, output, graph);
}
