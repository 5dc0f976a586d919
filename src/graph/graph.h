/* What the files of this room share. */
#ifndef ZF_GRAPH_GRAPH_H
#define ZF_GRAPH_GRAPH_H

#include "graph/names.h"
#include "io/input.h"
#include "io/sink.h"
#include "zeroflow/graph.h"

/* An undirected edge: a < b. */
typedef struct zf_edge {
    uint32_t a, b;
    float score;
    uint32_t line; /* of the CSV file it was read from; 0: not known */
} zf_edge;

/* Either a square of gates or, if gates is NULL, a list of edges: what was read
   from a list takes memory by its edges, however many nodes they name. */
struct zf_graph {
    zf_node_names names;
    float *gates;   /* [n * n], row = target */
    zf_edge *edges; /* by a, then b, each pair once; all other gates are 0 */
    size_t n_edges;
    float *scores;              /* as evidence; NULL: the larger gates */
    zf_edge_evidence *evidence; /* of a > b at a (a - 1) / 2 + b; NULL: none */
    bool stability;             /* the evidence has it */
};

/* Takes over the names and the gates or edges, also on failure. Both NULL: a square
   of zeros. ZF_ENOMEM. */
zf_status zf_graph_take(zf_graph **out, zf_node_names *names, float *gates, zf_edge *edges,
                        size_t n_edges) ZF_CHECK;

/* Checks the names of all nodes and puts them into an empty list. ZF_EINVAL, as
   zf_graph_new; the list is the caller's to free in any case. */
zf_status zf_graph_take_names(zf_node_names *list, const char *const *names, size_t n) ZF_CHECK;

/* For qsort: by a, then b, then the largest score first. */
int zf_compare_pairs(const void *x, const void *y);

/* The edges at or above the threshold, strongest first, then in the order of
   the nodes; *edges is for free(). ZF_ENOMEM. */
zf_status zf_graph_edges(zf_edge **edges, size_t *n, const zf_graph *graph,
                         double threshold) ZF_CHECK;

/* Writers of the formats that are more than a table. */
void zf_graph_write_graphml(zf_sink *sink, const zf_graph *graph, const zf_edge *edges, size_t n);
void zf_graph_write_gml(zf_sink *sink, const zf_graph *graph, const zf_edge *edges, size_t n);
void zf_graph_write_dot(zf_sink *sink, const zf_graph *graph, const zf_edge *edges, size_t n);
/* gates: with the directed gates. */
void zf_graph_write_json(zf_sink *sink, const zf_graph *graph, const zf_edge *edges, size_t n,
                         bool gates);

/* Who reads: the nodes so far, whether they are given, and where faults are. */
typedef struct zf_graph_reader {
    const char *path;
    zf_node_names names;
    bool fixed; /* the names are the caller's and no other may come */
    zf_edge *edges;
    size_t n_edges, room;
    float *gates; /* a directed matrix, if the file has one; [names.n * names.n] */
} zf_graph_reader;

/* The node of that name, which is new unless the names are fixed. place goes in
   front of the message, such as "17" for a line. */
zf_status zf_graph_reader_node(zf_graph_reader *reader, uint32_t *node, const char *name,
                               const char *place) ZF_CHECK;
zf_status zf_graph_reader_edge(zf_graph_reader *reader, uint32_t a, uint32_t b, double score,
                               const char *place) ZF_CHECK;

/* The edges of a file as zf_graph_read takes them, in the order of the file and
   without those that have no score above 0; *edges is for free(). Of a file of
   gates there are none. */
zf_status zf_graph_read_list(zf_edge **edges, size_t *n, const char *path, const char *const *names,
                             size_t n_names) ZF_CHECK;

zf_status zf_graph_read_csv(zf_graph_reader *reader, zf_io_input *input) ZF_CHECK;
zf_status zf_graph_read_json(zf_graph_reader *reader, zf_io_input *input) ZF_CHECK;

#endif
