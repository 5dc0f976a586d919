/* A figure from its title to its caption, and onto the disk. */
#ifndef ZF_PLOT_PAGE_H
#define ZF_PLOT_PAGE_H

#include "plot/scene.h"
#include "zeroflow/plot.h"

enum { ZF_PAGE_MARGIN = 14 };

typedef struct zf_page {
    zf_scene scene;
    double left, right; /* what panels may use */
    double top;         /* where the next row of panels begins */
} zf_page;

/* Draws the title. ZF_EINVAL: a width below 200 or above 4,000. */
zf_status zf_page_begin(zf_page *page, const zf_figure *figure) ZF_CHECK;

/* Draws the caption below top, writes the file or files, frees the scene. */
zf_status zf_page_finish(zf_page *page, const zf_figure *figure, const char *path) ZF_CHECK;

/* A paragraph from y downwards; returns where it ends. */
double zf_page_paragraph(zf_scene *scene, zf_box box, const char *text, zf_plot_type type);

/* Panels a row: the figure's wish, or one that suits n of them. */
int zf_page_columns(const zf_figure *figure, size_t n);

#endif
