/* The page while it is being written. */
#ifndef ZF_HTML_PAGE_H
#define ZF_HTML_PAGE_H

#include "blanket/model.h"
#include "html/drawing.h"
#include "io/sink.h"
#include "zeroflow/html.h"

/* Lines of the style and of the script, ended by NULL: page.css, page.js. */
extern const char *const zf_html_css[];
extern const char *const zf_html_js[];

/* What the page is made from. */
typedef struct zf_html_page {
    zf_sink out;
    const zf_blanket *model;
    const zf_html_options *options;
    int variables;
    float *gates;                /* [variables * variables]; of free gates the one row they have */
    zf_graph *graph;             /* of these; NULL: free gates, which have no graph */
    const zf_evidence *evidence; /* what the page goes by; NULL: raw gates */
    bool stability;              /* half samples were tested too */
    zf_html_drawing drawing;
} zf_html_page;

/* Sections, in the order of the page. Those that draw a figure can fail. */
void zf_html_write_method_table(zf_html_page *page);
zf_status zf_html_write_roc(zf_html_page *page) ZF_CHECK;
void zf_html_write_headline(zf_html_page *page); /* how many edges, by what cut */
void zf_html_write_graph(zf_html_page *page);
void zf_html_write_edges(zf_html_page *page); /* with their evidence */
/* A blanket, decided members first, as a table. */
void zf_html_write_members(zf_html_page *page, const zf_member *members, size_t n, size_t decided);
void zf_html_write_terms(zf_html_page *page); /* gate, p-value, q-value */
zf_status zf_html_write_gates(zf_html_page *page) ZF_CHECK;
zf_status zf_html_write_training(zf_html_page *page) ZF_CHECK;
zf_status zf_html_write_data(zf_html_page *page) ZF_CHECK; /* what the script reads */

#endif
