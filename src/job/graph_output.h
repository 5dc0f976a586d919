/* The options of the jobs that write a graph, and the writing itself.

   Evidence says which pairs are written. Without it, formats to compute with (csv, json,
   npy) hold every pair unless a threshold is given, as a comparison with a truth needs all
   scores; formats to draw (graphml, gml, dot) and figures (svg, png) would be a ball of wool
   and start at the blankets' usual threshold. */
#ifndef ZF_JOB_GRAPH_OUTPUT_H
#define ZF_JOB_GRAPH_OUTPUT_H

#include "job/document.h"
#include "zeroflow/evidence.h"
#include "zeroflow/graph.h"

typedef struct zf_graph_output_values {
    const char *output;
    int format; /* zf_graph_format or ZF_AUTO */
    double threshold;
    bool matrix, guard;
} zf_graph_output_values;

/* What a job's defaults() sets. */
extern const zf_graph_output_values zf_graph_output_left;

/* In the order of zf_graph_format. */
extern const char *const zf_graph_formats[];

/* The rows of the struct where it is `member` of `of`; scores go up to `largest`. */
#define ZF_GRAPH_OUTPUT_ROWS(of, member, largest)                                                  \
    {"output",                                                                                     \
     'o',                                                                                          \
     ZF_OPTION_OUTPUT,                                                                             \
     "FILE",                                                                                       \
     ZF_FIELD(of, member.output),                                                                  \
     .otherwise = "standard output",                                                               \
     .help = "File to write the graph to; .svg and .png give a figure."},                          \
        {"format",                                                                                 \
         .type = ZF_OPTION_CHOICE,                                                                 \
         .placeholder = "NAME",                                                                    \
         ZF_FIELD(of, member.format),                                                              \
         .choices = zf_graph_formats,                                                              \
         .otherwise = "by FILE's extension, else csv",                                             \
         .help =                                                                                   \
             "Format: csv, with source,target,score and, with evidence, p_value,q_value,decided, " \
             "strongest first; graphml, gml or dot, for Cytoscape, Gephi, NetworkX or Graphviz; "  \
             "json; npy, the matrix of scores, 0 where there is no edge."},                        \
        {"threshold",                                                                              \
         .type = ZF_OPTION_REAL,                                                                   \
         .placeholder = "G",                                                                       \
         ZF_FIELD(of, member.threshold),                                                           \
         .least = 0,                                                                               \
         .most = (largest),                                                                        \
         .otherwise = "by the evidence; without it, every pair, or 0.1 in a figure",               \
         .help = "Use scores instead of evidence: leave out edges with a score below this."},      \
        {"matrix", .type = ZF_OPTION_FLAG, ZF_FIELD(of, member.matrix),                            \
         .help = "Write the directed gates, a row for each target, instead of the edges "          \
                 "(csv, npy) or as well (json)."},                                                 \
        ZF_GUARD_ROW(of, member.guard)

/* Where a graph goes and how. */
typedef struct zf_graph_output {
    const char *path; /* NULL: it is kept */
    bool figure;      /* the file is a drawing, by its name; the format says nothing */
    zf_graph_options options;
    const zf_evidence *evidence; /* of the graph's nodes, for the figure; NULL: none */
    double fdr;                  /* at which the graph is decided on; 0: it is not */
    zf_document kept;
} zf_graph_output;

/* What the options say; to be asked before any work is done. ZF_EINVAL: they contradict each
   other, or the file's name says nothing that can be written. */
zf_status zf_graph_output_understand(zf_graph_output *out,
                                     const zf_graph_output_values *values) ZF_CHECK;

/* Writes to the file, or into output->kept. */
zf_status zf_graph_output_write(zf_graph_output *output, const zf_graph *graph) ZF_CHECK;

/* Draws the edges or, for a matrix, the gates. */
zf_status zf_graph_output_draw(const zf_graph_output *output, const zf_graph *graph) ZF_CHECK;

/* The name of what is written: "csv", "png". */
const char *zf_graph_output_format(const zf_graph_output *output);

/* Is the edge between two nodes among those that the options choose? */
bool zf_graph_output_has(const zf_graph *graph, const zf_graph_options *wish, size_t a, size_t b);

/* How many are; and the edges that evidence decides on, 0 without evidence. */
size_t zf_graph_output_edges(const zf_graph *graph, const zf_graph_options *wish);
size_t zf_graph_output_decided(const zf_graph *graph);

/* What was written: graph, format, nodes, edges, decided, fdr, threshold, matrix. */
json_t *zf_graph_output_json(const zf_graph_output *output, const zf_graph *graph);

void zf_graph_output_free(zf_graph_output *output); /* what is kept */

#endif
