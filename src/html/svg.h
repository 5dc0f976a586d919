/* The graph as an SVG element whose parts the page's script can find. */
#ifndef ZF_HTML_SVG_H
#define ZF_HTML_SVG_H

#include "html/drawing.h"
#include "io/sink.h"

/* names: of all variables. ring: nodes are on a ring, in order. with_truth: edges
   are right or wrong. evidence: edges tell theirs, and are drawn by their form if there is no
   truth; NULL: raw gates. Each edge has data-a, data-b (variables) and data-s (its score by
   zf_html_unit), each node data-i. */
typedef struct zf_html_figure {
    const zf_html_drawing *drawing;
    const char *const *names;
    bool ring, with_truth;
    const zf_evidence *evidence;
} zf_html_figure;

void zf_html_draw(zf_sink *out, const zf_html_figure *figure);

#endif
