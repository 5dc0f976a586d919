/* A fitted model as one HTML page that needs no network and no other file. The graph that the
   model's evidence decides on, blankets by click, each edge with its evidence and what was left
   out, gate matrix, training curves; and, where the truth is known, how well it was found.

     zf_html_options options = zf_html_defaults();
     options.title = "Cells";
     status = zf_html_write("cells.html", model, &options);

   Safe from several threads, also of one model. */
#ifndef ZEROFLOW_HTML_H
#define ZEROFLOW_HTML_H

#include <stddef.h>

#include "zeroflow/blanket.h"
#include "zeroflow/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A row of the comparison with the truth. */
typedef struct zf_html_method {
    const char *name; /* "graphical lasso" */
    bool shown;       /* the model that the page is about */
    const zf_accuracy *accuracy;
    const zf_decision *decision; /* of the edges that it decides on; NULL: it only ranks */
    double seconds;              /* what it took; NaN: not known */
} zf_html_method;

/* A file beside the page, for its reader to continue with. */
typedef struct zf_html_file {
    const char *name; /* as seen from the page's folder */
    const char *what;
} zf_html_file;

/* Any text may hold anything: it is shown, never taken for HTML. */
typedef struct zf_html_options {
    size_t struct_size;       /* zf_html_defaults sets it */
    const char *title;        /* NULL: "Markov blankets" */
    const char *introduction; /* paragraphs with an empty line between; NULL: none */
    const char *model;        /* the model's file, for commands to copy; NULL: MODEL */
    const zf_graph *truth;    /* colours right and wrong edges; NULL: not known */
    const double *precision;  /* [variables * variables], shown beside the gates; NULL: none */
    double fdr;               /* false discovery rate at which evidence decides, above 0 and
                                 below 1; the default is 0.1 */
    double threshold; /* above 0: gates are used instead of evidence, and the graph starts with
                         edges from here up. 0: by the evidence; without it the graph starts with
                         gates from 0.1 up */
    const char *threshold_why; /* how it was chosen, in words; NULL: not shown */
    const zf_html_method *methods;
    size_t n_methods;
    const zf_html_file *files;
    size_t n_files;
} zf_html_options;

ZF_API void zf_html_options_init(zf_html_options *options, size_t size);
static inline zf_html_options zf_html_defaults(void)
{
    zf_html_options options;
    zf_html_options_init(&options, sizeof options);
    return options;
}

/* Writes the page, completely or not at all. Large models give a page that can still
   be read: the strongest edges are drawn and it is told what is left out.
   ZF_EINVAL: truth has other nodes than the model's variables; an fdr outside. ZF_EIO. */
ZF_API zf_status zf_html_write(const char *path, const zf_blanket *model,
                               const zf_html_options *options) ZF_CHECK;

/* The same in memory: n bytes and a 0 after them, for zf_free. */
ZF_API zf_status zf_html_encode(char **out, size_t *n, const zf_blanket *model,
                                const zf_html_options *options) ZF_CHECK;

#ifdef __cplusplus
}
#endif
#endif
