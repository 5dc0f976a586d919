/* The options of the commands that write a graph, and the writing itself.

   Evidence says which pairs are written. Without it, formats to compute with (csv, json,
   npy) hold every pair unless a threshold is given, as a comparison with a truth needs all
   scores; formats to draw (graphml, gml, dot) and figures (svg, png) would be a ball of wool
   and start at the blankets' usual threshold. */
#ifndef ZF_CLI_GRAPH_OUTPUT_H
#define ZF_CLI_GRAPH_OUTPUT_H

#include "output.h"
#include "zeroflow/evidence.h"
#include "zeroflow/graph.h"

/* Where these options stand after the first of them. */
enum {
    CLI_GRAPH_FILE,
    CLI_GRAPH_FORMAT,
    CLI_GRAPH_THRESHOLD,
    CLI_GRAPH_MATRIX,
    CLI_GRAPH_GUARD,
    CLI_GRAPH_OPTIONS
};

/* In the order of zf_graph_format. */
extern const char *const cli_graph_formats[];

/* The options themselves, for a command's list, from index `first` on; scores go
   up to `largest`. */
#define CLI_GRAPH_OPTION_LIST(first, largest)                                                      \
    [(first) +                                                                                     \
        CLI_GRAPH_FILE] = {"output",                                                               \
                           'o',                                                                    \
                           CLI_OUTPUT,                                                             \
                           "FILE",                                                                 \
                           .otherwise = "standard output",                                         \
                           .help = "Where the graph goes; .svg and .png are drawn."},              \
        [(first) + CLI_GRAPH_FORMAT] = {"format",                                                  \
                                        .type = CLI_CHOICE,                                        \
                                        .placeholder = "NAME",                                     \
                                        .choices = cli_graph_formats,                              \
                                        .otherwise = "by the end of FILE's name, else csv",        \
                                        .help =                                                    \
                                            "csv: source,target,score and, with evidence, "        \
                                            "p_value,q_value,decided, strongest first; graphml, "  \
                                            "gml, dot: for Cytoscape, Gephi, NetworkX, Graphviz; " \
                                            "json; npy: the matrix of scores, 0 where there is "   \
                                            "no edge."},                                           \
        [(first) + CLI_GRAPH_THRESHOLD] = {"threshold",                                            \
                                           .type = CLI_REAL,                                       \
                                           .placeholder = "G",                                     \
                                           .least = 0,                                             \
                                           .most = (largest),                                      \
                                           .otherwise =                                            \
                                               "what evidence decides on; without it, every "      \
                                               "pair, or 0.1 where it is drawn",                   \
                                           .help = "Raw scores, whatever the evidence: leave out " \
                                                   "edges with a score below this."},              \
        [(first) + CLI_GRAPH_MATRIX] =                                                             \
            {"matrix",                                                                             \
             .help = "The directed gates, a row for each target, instead of the edges (csv, "      \
                     "npy) or beside them (json)."},                                               \
        [(first) + CLI_GRAPH_GUARD] = CLI_GUARD_OPTION

/* Where a graph goes and how. */
typedef struct cli_graph_output {
    const char *path; /* NULL: standard output */
    bool figure;      /* the file is a drawing, by its name; the format says nothing */
    zf_graph_options options;
    const zf_evidence *evidence; /* of the graph's nodes, for the figure; NULL: none */
    double fdr;                  /* at which the graph is decided on; 0: it is not */
} cli_graph_output;

/* What the options say, of which the first is `first`; to be asked before any
   work is done. CLI_USAGE: they contradict each other, the file's name says nothing
   that can be written, or a terminal would get bytes. */
cli_exit cli_graph_understand(cli_graph_output *out, const cli_call *call, const cli_value *first);

/* Writes to the file, or to call->out. */
cli_exit cli_graph_write(const cli_call *call, const cli_graph_output *output,
                         const zf_graph *graph);

/* Draws the edges or, for a matrix, the gates. */
cli_exit cli_graph_draw(const cli_graph_output *output, const zf_graph *graph);

/* Is the edge between two nodes among those that are written? */
bool cli_graph_has(const zf_graph *graph, const zf_graph_options *wish, size_t a, size_t b);

/* The edges that evidence decides on; 0 without evidence. */
size_t cli_graph_decided(const zf_graph *graph);

/* What was written into the file, as one line and as an object: graph, format,
   nodes, edges, decided, fdr, threshold, matrix; NULL: out of memory. */
void cli_graph_tell(const cli_call *call, const cli_graph_output *output, const zf_graph *graph);
json_t *cli_graph_json(const cli_graph_output *output, const zf_graph *graph);

#endif
