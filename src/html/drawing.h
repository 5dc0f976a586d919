/* What the page draws of a graph: which edges, which nodes, and where. */
#ifndef ZF_HTML_DRAWING_H
#define ZF_HTML_DRAWING_H

#include "zeroflow/blanket.h"
#include "zeroflow/graph.h"

/* From this gate up a variable is a member of a blanket, where nothing is decided. */
#define ZF_HTML_MEMBER 0.1f

typedef struct zf_html_edge {
    int a, b;      /* variables, a < b */
    float score;   /* the larger of the two gates */
    double rank;   /* the strongest have the largest: the score, or less the p-value */
    double weight; /* 0 to 1, the line's: the score, or the size of the effect */
    bool real;     /* the truth has it */
    bool on;       /* part of the graph as the page opens, not only a true edge that is missed */
} zf_html_edge;

typedef struct zf_html_place {
    double x, y; /* 0 to 1; y down */
} zf_html_place;

typedef struct zf_html_drawing {
    int variables;
    zf_html_edge *edges; /* strongest first */
    int n_edges;
    uint64_t n_on;        /* pairs that are on, drawn or not */
    bool *drawn;          /* [variables] */
    int n_drawn;          /* of these */
    zf_html_place *place; /* [variables] of those that are drawn */
    bool decided;         /* by evidence, not by gates */
    double threshold;     /* of gates: where the figure begins */
} zf_html_drawing;

/* With evidence, the edges that are decided on in the graph, which has the same evidence;
   without, those with scores from the threshold up (0: ZF_HTML_MEMBER), and weaker ones for who
   lowers it. truth may be NULL. The caller frees in either case. */
zf_status zf_html_drawing_choose(zf_html_drawing *out, const zf_graph *graph, const zf_graph *truth,
                                 const zf_evidence *evidence, double threshold) ZF_CHECK;
void zf_html_drawing_free(zf_html_drawing *drawing);

/* Places the drawn nodes: on a ring in their order (lstm), on their grid (cnn, of
   side x side), otherwise where springs and repulsion bring them, or on a ring if there is no
   edge. */
zf_status zf_html_drawing_place(zf_html_drawing *drawing, zf_gate_kind kind, int side) ZF_CHECK;

/* Whether the nodes are on a ring. */
static inline bool zf_html_drawing_is_ring(zf_gate_kind kind)
{
    return kind == ZF_GATE_LSTM;
}

#endif
