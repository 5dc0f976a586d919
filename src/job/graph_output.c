#include "job/graph_output.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "job/answer.h"
#include "job/outputs.h"

static const double DRAWN_THRESHOLD = 0.1;

const zf_graph_output_values zf_graph_output_left = {.format = ZF_AUTO, .threshold = ZF_AUTO};

const char *const zf_graph_formats[] = {"csv", "graphml", "gml", "dot", "json", "npy", NULL};

/* The end of a file's name, with its dot; NULL: it has none. */
static const char *suffix_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot && dot != name && dot[1] ? dot : NULL;
}

/* What becomes of a file, by {format} and by its name. */
static zf_status understand_format(zf_graph_output *output, int format)
{
    const char *path = output->path, *suffix = path ? suffix_of(path) : NULL;
    output->figure = path && zf_output_is_figure(path);
    if (output->figure && format != ZF_AUTO)
        return zf_fail(ZF_EINVAL,
                       "{format} %s cannot be used with a file that ends in %s, which is a figure",
                       zf_graph_formats[format], suffix);
    int found = format != ZF_AUTO ? format : path ? zf_graph_format_find(path) : ZF_GRAPH_CSV;
    if (found < 0 && suffix && !output->figure)
        return zf_fail(
            ZF_EINVAL,
            "%s: cannot write a graph as %s; expected a name that ends in .csv, .graphml, .gml, "
            ".dot, .json or .npy, in .svg or .png for a figure, or {format}",
            path, suffix);
    output->options.format = found < 0 ? ZF_GRAPH_CSV : (zf_graph_format)found;
    return ZF_OK;
}

static bool is_drawn(zf_graph_format format)
{
    return format == ZF_GRAPH_GRAPHML || format == ZF_GRAPH_GML || format == ZF_GRAPH_DOT;
}

const char *zf_graph_output_format(const zf_graph_output *output)
{
    if (!output->figure) return zf_graph_formats[output->options.format];
    return strcasecmp(suffix_of(output->path), ".png") == 0 ? "png" : "svg";
}

zf_status zf_graph_output_understand(zf_graph_output *out, const zf_graph_output_values *values)
{
    zf_graph_output output = {.path = zf_document_stays(values->output) ? NULL : values->output,
                              .options = zf_graph_defaults()};
    zf_graph_options *wish = &output.options;
    ZF_TRY(understand_format(&output, values->format));
    wish->matrix = values->matrix;
    if (wish->matrix && is_drawn(wish->format))
        return zf_fail(ZF_EINVAL, "{matrix} works with csv, json and npy, not with %s",
                       zf_graph_formats[wish->format]);
    wish->guard = values->guard;
    if (wish->guard && (output.figure || wish->format != ZF_GRAPH_CSV))
        return zf_fail(ZF_EINVAL, "{guard-formulas} works with csv, not with %s",
                       zf_graph_output_format(&output));
    wish->threshold = output.figure || is_drawn(wish->format) ? DRAWN_THRESHOLD : 0;
    if (values->threshold != ZF_AUTO) wish->threshold = values->threshold;
    *out = output;
    return ZF_OK;
}

zf_status zf_graph_output_write(zf_graph_output *output, const zf_graph *graph)
{
    if (output->figure) return zf_graph_output_draw(output, graph);
    if (output->path) return zf_graph_write(graph, output->path, &output->options);
    return zf_graph_encode(&output->kept.bytes, &output->kept.n, graph, &output->options);
}

bool zf_graph_output_has(const zf_graph *graph, const zf_graph_options *wish, size_t a, size_t b)
{
    const zf_edge_evidence *evidence = zf_graph_evidence(graph, a, b);
    if ((double)zf_graph_score(graph, a, b) < wish->threshold) return false;
    return !wish->decided || !evidence || evidence->decided;
}

size_t zf_graph_output_edges(const zf_graph *graph, const zf_graph_options *wish)
{
    size_t edges = 0, n = zf_graph_count(graph);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) edges += zf_graph_output_has(graph, wish, i, j);
    return edges;
}

size_t zf_graph_output_decided(const zf_graph *graph)
{
    if (!zf_graph_evidence(graph, 0, 1)) return 0;
    return zf_graph_output_edges(graph, &(zf_graph_options){.decided = true});
}

json_t *zf_graph_output_json(const zf_graph_output *output, const zf_graph *graph)
{
    const zf_graph_options *wish = &output->options;
    bool evidence = zf_graph_evidence(graph, 0, 1);
    return json_pack("{s:o s:s s:o s:o s:o s:o s:o s:b}", "graph", zf_answer_text(output->path),
                     "format", zf_graph_output_format(output), "nodes",
                     zf_answer_count(zf_graph_count(graph)), "edges",
                     zf_answer_count(zf_graph_output_edges(graph, wish)), "decided",
                     evidence ? zf_answer_count(zf_graph_output_decided(graph)) : json_null(),
                     "fdr", output->fdr > 0 ? zf_answer_number(output->fdr) : json_null(),
                     "threshold", zf_answer_number(wish->threshold), "matrix", wish->matrix);
}

void zf_graph_output_free(zf_graph_output *output)
{
    free(output->kept.bytes);
    output->kept = (zf_document){0};
}
