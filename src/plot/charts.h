/* Charts in rows and columns on a page. */
#ifndef ZF_PLOT_CHARTS_H
#define ZF_PLOT_CHARTS_H

#include "plot/frame.h"
#include "plot/page.h"

enum { ZF_MOST_CHARTS = 64 };

/* Called for each chart when it is drawn, to add what a chart has not. */
typedef void (*zf_chart_extra)(zf_scene *scene, const zf_frame *frame, size_t chart,
                               const void *context);

/* Charts, so many a row, from page->top down; leaves top below them. ZF_ENOMEM. */
zf_status zf_charts_draw(zf_page *page, const zf_chart *charts, size_t n_charts,
                         int columns) ZF_CHECK;

/* zf_plot_charts with something extra; extra may be NULL. */
zf_status zf_charts_write(const char *path, const zf_figure *figure, const zf_chart *charts,
                          size_t n_charts, zf_chart_extra extra, const void *context) ZF_CHECK;

#endif
