#include "graph_output.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "text.h"

static const double DRAWN_THRESHOLD = 0.1;

const char *const cli_graph_formats[] = {"csv", "graphml", "gml", "dot", "json", "npy", NULL};

/* The end of a file's name, with its dot; NULL: it has none. */
static const char *suffix_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot && dot != name && dot[1] ? dot : NULL;
}

/* What becomes of a file, by --format and by its name. */
static cli_exit understand_format(cli_graph_output *output, const char *format)
{
    const char *path = output->path, *suffix = path ? suffix_of(path) : NULL;
    output->figure = path && cli_is_figure_name(path);
    if (output->figure && format)
        return cli_fail(CLI_USAGE,
                        "--format %s and a file that ends in %s, which is drawn, exclude "
                        "each other",
                        format, suffix);
    int found = zf_graph_format_find(format ? format : path ? path : "csv");
    if (found < 0 && suffix && !output->figure)
        return cli_fail(
            CLI_USAGE,
            "%s: no graph is written as %s; expected a name that ends in .csv, .graphml, "
            ".gml, .dot, .json or .npy, in .svg or .png for a figure, or --format",
            path, suffix);
    output->options.format = found < 0 ? ZF_GRAPH_CSV : (zf_graph_format)found;
    return CLI_DONE;
}

static bool is_drawn(zf_graph_format format)
{
    return format == ZF_GRAPH_GRAPHML || format == ZF_GRAPH_GML || format == ZF_GRAPH_DOT;
}

/* The name of what is written. */
static const char *format_name(const cli_graph_output *output)
{
    if (!output->figure) return cli_graph_formats[output->options.format];
    return strcasecmp(suffix_of(output->path), ".png") == 0 ? "png" : "svg";
}

cli_exit cli_graph_understand(cli_graph_output *out, const cli_call *call, const cli_value *first)
{
    cli_graph_output output = {.path = first[CLI_GRAPH_FILE].text, .options = zf_graph_defaults()};
    zf_graph_options *wish = &output.options;
    const char *format = first[CLI_GRAPH_FORMAT].text;
    if (output.path && strcmp(output.path, "-") == 0) output.path = NULL;
    CLI_TRY(understand_format(&output, format));
    wish->matrix = first[CLI_GRAPH_MATRIX].flag;
    if (call->json && !output.path) {
        if (format && wish->format != ZF_GRAPH_JSON)
            return cli_fail(CLI_USAGE, "--json and --format %s exclude each other without -o",
                            format);
        wish->format = ZF_GRAPH_JSON;
    }
    if (wish->matrix && is_drawn(wish->format))
        return cli_fail(CLI_USAGE, "--matrix is for csv, json and npy, not for %s",
                        cli_graph_formats[wish->format]);
    wish->guard = first[CLI_GRAPH_GUARD].flag;
    if (wish->guard && (output.figure || wish->format != ZF_GRAPH_CSV))
        return cli_fail(CLI_USAGE, "--guard-formulas is for csv, not for %s", format_name(&output));
    wish->threshold = output.figure || is_drawn(wish->format) ? DRAWN_THRESHOLD : 0;
    if (first[CLI_GRAPH_THRESHOLD].given) wish->threshold = first[CLI_GRAPH_THRESHOLD].real;
    if (wish->format == ZF_GRAPH_NPY && !output.path && isatty(STDOUT_FILENO))
        return cli_fail(CLI_USAGE, "npy is not text for a terminal; name a file by -o FILE");
    *out = output;
    return CLI_DONE;
}

cli_exit cli_graph_write(const cli_call *call, const cli_graph_output *output,
                         const zf_graph *graph)
{
    char *bytes;
    size_t n;
    if (output->figure) return cli_graph_draw(output, graph);
    if (output->path) return cli_check(zf_graph_write(graph, output->path, &output->options));
    CLI_TRY(cli_check(zf_graph_encode(&bytes, &n, graph, &output->options)));
    if (output->options.format == ZF_GRAPH_NPY)
        fwrite(bytes, 1, n, call->out);
    else
        cli_print_data(call, bytes, n);
    free(bytes);
    return CLI_DONE;
}

bool cli_graph_has(const zf_graph *graph, const zf_graph_options *wish, size_t a, size_t b)
{
    const zf_edge_evidence *evidence = zf_graph_evidence(graph, a, b);
    if ((double)zf_graph_score(graph, a, b) < wish->threshold) return false;
    return !wish->decided || !evidence || evidence->decided;
}

static size_t count_edges(const zf_graph *graph, const zf_graph_options *wish)
{
    size_t edges = 0, n = zf_graph_count(graph);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) edges += cli_graph_has(graph, wish, i, j);
    return edges;
}

size_t cli_graph_decided(const zf_graph *graph)
{
    if (!zf_graph_evidence(graph, 0, 1)) return 0;
    return count_edges(graph, &(zf_graph_options){.decided = true});
}

/* What is written, in words: edges that are decided on, pairs with a score, or gates. */
static void tell_content(const cli_call *call, const cli_graph_output *output,
                         const zf_graph *graph)
{
    const zf_graph_options *wish = &output->options;
    FILE *out = call->out;
    cli_small nodes = cli_plural(zf_graph_count(graph), "node");
    bool all = !wish->decided && !(wish->threshold > 0);
    cli_small edges = cli_plural(count_edges(graph, wish), all ? "pair" : "edge");
    if (wish->matrix && wish->format != ZF_GRAPH_JSON) {
        fprintf(out, "directed gates of %s as %s\n", nodes.text, format_name(output));
        return;
    }
    fprintf(out, "%s of %s as %s", edges.text, nodes.text, format_name(output));
    if (wish->threshold > 0) fprintf(out, ", scores of %g or more", wish->threshold);
    if (wish->decided) {
        fputs(", decided by evidence", out);
    } else if (zf_graph_evidence(graph, 0, 1)) {
        zf_graph_options decided = *wish;
        decided.decided = true;
        fprintf(out, ", %s of them decided by evidence",
                cli_count(count_edges(graph, &decided)).text);
    }
    fputs(wish->matrix ? ", and the directed gates\n" : "\n", out);
}

void cli_graph_tell(const cli_call *call, const cli_graph_output *output, const zf_graph *graph)
{
    cli_clean(call->out, output->path);
    fputs(": ", call->out);
    tell_content(call, output, graph);
}

json_t *cli_graph_json(const cli_graph_output *output, const zf_graph *graph)
{
    const zf_graph_options *wish = &output->options;
    json_t *decided = zf_graph_evidence(graph, 0, 1)
                          ? json_integer((json_int_t)cli_graph_decided(graph))
                          : json_null();
    json_t *fdr = output->fdr > 0 ? cli_json_number(output->fdr) : json_null();
    return json_pack("{s:o s:s s:I s:I s:o s:o s:o s:b}", "graph", cli_json_text(output->path),
                     "format", format_name(output), "nodes", (json_int_t)zf_graph_count(graph),
                     "edges", (json_int_t)count_edges(graph, wish), "decided", decided, "fdr", fdr,
                     "threshold", cli_json_number(wish->threshold), "matrix", wish->matrix);
}
