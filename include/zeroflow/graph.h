/* Graphs: named nodes and a score for every pair of them. `graph` and `baseline` write them,
   `score` compares them with a truth.

     zf_graph *graph = NULL;
     status = zf_graph_read(&graph, "net.csv", NULL, 0);
     if (status == ZF_OK) printf("%g\n", (double)zf_graph_score(graph, 0, 1));
     if (status == ZF_OK) status = zf_graph_write(graph, "net.graphml", &options);
     zf_graph_free(graph);

   A graph holds gates: gate(i, j) in [0, 1] (or any finite score, larger meaning surer) says how
   much j is needed to predict i. The score of the undirected edge {i, j} is max(gate(i, j), gate(j,
   i)). Baselines fill in symmetric gates. The diagonal is kept, because the paper's way of scoring
   counts it.

   Functions that take a const graph may be called for one graph from any number of threads at
   once; functions that change it need exclusive access. */
#ifndef ZEROFLOW_GRAPH_H
#define ZEROFLOW_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

#include "zeroflow/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ZF_GRAPH_NODES_MAX = 30000,     /* with a gate for every pair: they are kept as a square */
    ZF_GRAPH_LISTED_MAX = 10000000, /* read from a list of edges, which stays a list */
};

typedef struct zf_graph zf_graph;

/* Copies names and gates ([n * n], row = target; NULL: all 0). ZF_EINVAL: fewer
   than two nodes or more than ZF_GRAPH_NODES_MAX; a name that is empty, repeated or not UTF-8; a
   gate that is not finite. */
ZF_API zf_status zf_graph_new(zf_graph **out, const char *const *names, size_t n,
                              const float *gates) ZF_CHECK;
ZF_API void zf_graph_free(zf_graph *graph); /* NULL is allowed */

ZF_API size_t zf_graph_count(const zf_graph *graph);
ZF_API const char *zf_graph_name(const zf_graph *graph, size_t node);
ZF_API const char *const *zf_graph_names(const zf_graph *graph);    /* [count] */
ZF_API long zf_graph_find(const zf_graph *graph, const char *name); /* -1: none */
ZF_API float zf_graph_gate(const zf_graph *graph, size_t target, size_t node);
/* Of two nodes: the larger of their gates, or what zf_graph_set_scores has put there. */
ZF_API float zf_graph_score(const zf_graph *graph, size_t a, size_t b);
/* gate is finite. ZF_ENOMEM: only of a graph that was read from a list of edges or
   generated, which becomes a square by this. */
ZF_API zf_status zf_graph_set_gate(zf_graph *graph, size_t target, size_t node,
                                   float gate) ZF_CHECK;

/* Copies a score of its own for every pair, that of a > b at a (a - 1) / 2 + b; NULL: the larger
   gates again. ZF_EINVAL: one that is not finite. ZF_ENOMEM. */
ZF_API zf_status zf_graph_set_scores(zf_graph *graph, const float *scores) ZF_CHECK;

/* Is a gate other than the one of the opposite direction? A list of undirected
   edges never has such. */
ZF_API bool zf_graph_is_directed(const zf_graph *graph);

/* Result of the test of a pair. */
typedef struct zf_edge_evidence {
    double p_value, q_value; /* 0 to 1 */
    bool decided;            /* it is an edge */
    double stability;        /* share of half samples in which it is one; -1: was not measured */
} zf_edge_evidence;

/* Copies evidence for every pair, that of a > b at a (a - 1) / 2 + b; it goes into files
   beside the scores, stability if any pair has it. ZF_EINVAL: a number outside 0 to 1.
   ZF_ENOMEM. */
ZF_API zf_status zf_graph_set_evidence(zf_graph *graph, const zf_edge_evidence *pairs) ZF_CHECK;
/* Of two different nodes; NULL: there is no evidence. */
ZF_API const zf_edge_evidence *zf_graph_evidence(const zf_graph *graph, size_t a, size_t b);

typedef enum zf_graph_format {
    ZF_GRAPH_CSV,     /* source,target,score and, with evidence, p_value,q_value,decided and, if
                           measured, stability: one edge a row, strongest first */
    ZF_GRAPH_GRAPHML, /* for NetworkX, Cytoscape, Gephi, yEd */
    ZF_GRAPH_GML,     /* for NetworkX, Gephi, igraph */
    ZF_GRAPH_DOT,     /* for Graphviz */
    ZF_GRAPH_JSON,    /* nodes, edges (source, target, score); gates if matrix */
    ZF_GRAPH_NPY,     /* the matrix of scores, 0 for what is left out, or of gates if matrix;
                           float32 */
} zf_graph_format;

typedef struct zf_graph_options {
    size_t struct_size; /* zf_graph_defaults sets it */
    zf_graph_format format;
    double threshold; /* edges below it are left out; 0: every pair */
    bool decided;     /* only edges that evidence decides on; without evidence, none is left out */
    bool matrix;      /* the directed gates instead of (CSV, NPY) or beside (JSON) the edges */
    bool unscored;    /* CSV: source,target alone, as a truth has it */
    bool guard;       /* CSV: names that a spreadsheet would run as formulas, those that begin
                         with =, +, -, @, a tab or a line end, get an apostrophe before them,
                         and read back with it */
} zf_graph_options;

/* Defaults: CSV, 0, all false */
ZF_API void zf_graph_options_init(zf_graph_options *options, size_t size);
static inline zf_graph_options zf_graph_defaults(void)
{
    zf_graph_options options;
    zf_graph_options_init(&options, sizeof options);
    return options;
}

/* The format whose name text is ("graphml") or whose suffix it ends with
   ("net.graphml"), in any case; -1: none. */
ZF_API int zf_graph_format_find(const char *text);

/* Writes the file completely or not at all; "-" is standard output. ZF_EINVAL: the
   format has no matrix (GraphML, GML, DOT), or a name that the format cannot
   hold (control characters in GraphML). ZF_EIO. */
ZF_API zf_status zf_graph_write(const zf_graph *graph, const char *path,
                                const zf_graph_options *options) ZF_CHECK;

/* The same in memory: free *bytes with zf_free. */
ZF_API zf_status zf_graph_encode(char **bytes, size_t *n, const zf_graph *graph,
                                 const zf_graph_options *options) ZF_CHECK;

/* Reads a graph, plain or gzipped:
   - CSV with the header source,target and, for scored graphs, score (without it
     every edge has score 1). from,to and weight are understood too; the order
     of the columns is free and others are skipped. Undirected: the order within
     a row does not matter, both gates get the score; an edge twice keeps the
     larger one. Pairs that are not in the list score 0, and so does the diagonal.
   - CSV of the directed gates, as zf_graph_write makes it with matrix.
   - our JSON, whose gates, if there are any, are kept as they are.
   An edge list does not name nodes without edges: pass `names` (the
   data's columns) to fix the nodes and their order, NULL to take them from the
   file. A list takes memory by its edges and names (about 16 bytes an edge, 50 a
   name), gates as a square by the numbers that are there; JSON up to 40 bytes for a
   byte of text while it is being read. ZF_EINPUT names file, line and what was expected; a name
   that is not among `names` suggests the nearest. */
ZF_API zf_status zf_graph_read(zf_graph **out, const char *path, const char *const *names,
                               size_t n_names) ZF_CHECK;

/* The same of bytes in memory; name stands for the path in messages. */
ZF_API zf_status zf_graph_read_memory(zf_graph **out, const char *name, const void *bytes, size_t n,
                                      const char *const *names, size_t n_names) ZF_CHECK;

/* How well scores find the truth's edges (its pairs with score > 0). Tied scores cross a threshold
   together. */
typedef struct zf_accuracy {
    size_t struct_size; /* the library sets it */
    double auc;         /* pairs i < j by max(gate), ties count half */
    double auc_paper;   /* every gate(i, j), i and j in any order, the diagonal as negatives */
    double average_precision; /* of the pairs */
    double best_f1;           /* over all thresholds */
    double best_threshold;    /* a pair is an edge if its score is at least this */
    size_t edges, pairs;      /* of the truth; of all */
    size_t nodes;             /* of either graph */
    size_t only_scored;       /* nodes that the truth lacks */
    size_t only_truth;        /* nodes that the scored graph lacks */
    size_t n_roc;             /* points of the curve, from (0, 0) to (1, 1); those that lie on a
                                 straight line between others are left out */
    double *fpr, *tpr;        /* [n_roc], free with zf_accuracy_free */
} zf_accuracy;

/* Nodes are matched by name; a node of one that the other lacks counts as
   having no edges there (gates 0), unless the two have no node in common
   (ZF_EINPUT). ZF_EINPUT: the truth has no edge, or every edge. */
ZF_API zf_status zf_graph_compare_sized(zf_accuracy *out, size_t size, const zf_graph *scored,
                                        const zf_graph *truth) ZF_CHECK;
static inline ZF_CHECK zf_status zf_graph_compare(zf_accuracy *out, const zf_graph *scored,
                                                  const zf_graph *truth)
{
    return zf_graph_compare_sized(out, sizeof *out, scored, truth);
}
ZF_API void zf_accuracy_free(zf_accuracy *accuracy); /* leaves it empty */

/* How good a choice of edges is, regardless of the ranking of scores. */
typedef struct zf_decision {
    size_t decided;     /* pairs that are chosen as edges */
    size_t right;       /* of these, edges of the truth */
    size_t edges;       /* of the truth */
    double false_share; /* of what is decided, the share that is wrong: the realised false
                           discovery rate; 0 if nothing is decided */
    double power;       /* of the truth's edges, the share that is found; 1 if it has none */
    double f1;          /* twice what is right over what is decided and what is true; 1 if both
                           have no edge */
} zf_decision;

/* Of the edges that evidence decides on; without evidence, of the pairs with a score above 0,
   as methods have it that give other pairs none. Nodes are matched by name, as by
   zf_graph_compare. ZF_ENOMEM. */
ZF_API zf_status zf_graph_judge_sized(zf_decision *out, size_t size, const zf_graph *graph,
                                      const zf_graph *truth) ZF_CHECK;
static inline ZF_CHECK zf_status zf_graph_judge(zf_decision *out, const zf_graph *graph,
                                                const zf_graph *truth)
{
    return zf_graph_judge_sized(out, sizeof *out, graph, truth);
}

#ifdef __cplusplus
}
#endif
#endif
