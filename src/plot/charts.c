/* Rows of charts. All frames of a figure are of one width, and those of a row
   stand at one height, whatever their labels need. */
#include "plot/charts.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "plot/legend.h"
#include "plot/series.h"

static double shape_of(const zf_chart *chart, int columns)
{
    if (chart->height > 0 && chart->height <= 10) return chart->height;
    return columns == 1 ? 0.5 : 0.72;
}

/* The room that the neediest chart wants becomes everyone's. */
static double agree(zf_frame *frames, size_t n, double cell)
{
    double left = 0, right = 0;
    for (size_t i = 0; i < n; i++) {
        left = fmax(left, frames[i].left);
        right = fmax(right, frames[i].right);
    }
    double width = floor(fmax(cell - left - right, 40));
    for (size_t i = 0; i < n; i++) {
        zf_box box = {0, 0, width, 0};
        frames[i].left = left;
        frames[i].right = right;
        frames[i].above += zf_legend(NULL, frames[i].chart, box);
    }
    return width;
}

static void draw_chart(zf_scene *scene, const zf_frame *frame)
{
    zf_box legend = frame->box;
    double height = zf_legend(NULL, frame->chart, legend);
    legend.y -= height + 6;
    zf_marks_draw_spans(scene, frame);
    zf_frame_draw_grid(scene, frame);
    zf_frame_draw_axes(scene, frame);
    zf_series_draw_all(scene, frame);
    zf_marks_draw_lines(scene, frame);
    zf_frame_draw_names(scene, frame);
    zf_legend(scene, frame->chart, legend);
}

/* One row of frames from page->top down; leaves top below it. */
static void place_row(zf_page *page, zf_frame *frames, size_t n, int columns, double cell,
                      double width)
{
    double above = 0, height = 0, below = 0;
    for (size_t i = 0; i < n; i++) {
        above = fmax(above, frames[i].above);
        height = fmax(height, width * shape_of(frames[i].chart, columns));
        below = fmax(below, frames[i].below);
    }
    for (size_t i = 0; i < n; i++) {
        zf_box box = {page->left + (double)i * cell + frames[i].left, page->top + above, width,
                      height};
        frames[i].above = above;
        zf_frame_place(&frames[i], box);
    }
    page->top += above + height + below;
}

static void draw_all(zf_page *page, zf_frame *frames, const zf_chart *charts, size_t n, int columns,
                     zf_chart_extra extra, const void *context)
{
    double cell = (page->right - page->left) / columns, guess = fmax(cell - 60, 40);
    for (size_t i = 0; i < n; i++)
        zf_frame_plan(&frames[i], &charts[i], guess, guess * shape_of(&charts[i], columns));
    double width = agree(frames, n, cell);
    for (size_t first = 0; first < n; first += (size_t)columns) {
        size_t count = n - first < (size_t)columns ? n - first : (size_t)columns;
        place_row(page, frames + first, count, columns, cell, width);
        page->top += first + count < n ? 10 : 0;
    }
    for (size_t i = 0; i < n; i++) {
        draw_chart(&page->scene, &frames[i]);
        if (extra) extra(&page->scene, &frames[i], i, context);
    }
}

/* The drawing of zf_charts_write, and of others who have a page. */
static zf_status draw_on(zf_page *page, const zf_chart *charts, size_t n, int columns,
                         zf_chart_extra extra, const void *context)
{
    zf_frame *frames = calloc(n, sizeof *frames);
    if (!frames) return zf_fail_memory(n * sizeof *frames);
    draw_all(page, frames, charts, n, columns, extra, context);
    free(frames);
    return ZF_OK;
}

zf_status zf_charts_draw(zf_page *page, const zf_chart *charts, size_t n_charts, int columns)
{
    return draw_on(page, charts, n_charts, columns, NULL, NULL);
}

zf_status zf_charts_write(const char *path, const zf_figure *figure, const zf_chart *charts,
                          size_t n_charts, zf_chart_extra extra, const void *context)
{
    if (n_charts < 1 || n_charts > ZF_MOST_CHARTS)
        return zf_fail(ZF_EINVAL, "%s: a figure of %zu panels, expected 1 to %d", path, n_charts,
                       ZF_MOST_CHARTS);
    zf_page page;
    ZF_TRY(zf_page_begin(&page, figure));
    zf_status status =
        draw_on(&page, charts, n_charts, zf_page_columns(figure, n_charts), extra, context);
    if (status == ZF_OK) return zf_page_finish(&page, figure, path);
    zf_scene_free(&page.scene);
    return status;
}

zf_status zf_plot_charts(const char *path, const zf_figure *figure, const zf_chart *charts,
                         size_t n_charts)
{
    return zf_charts_write(path, figure, charts, n_charts, NULL, NULL);
}
