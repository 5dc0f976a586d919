/* Points, paths and arrows in square panels: samples on their way along a flow, and the
   velocities that take them there. Charts are for functions of x; here a line may turn
   anywhere, and hundreds of thin ones lie in one panel. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "plot/clip.h"
#include "plot/font.h"
#include "plot/frame.h"
#include "plot/page.h"
#include "plot/style.h"

enum { MOST_PANELS = 12, MOST_ROWS = 12, MOST_KEYS = 12 };

static const double HEADING = 26, BETWEEN = 12, MOST_SIDE = 360;
static const double DOT = 1.7, LINE = 0.9, SHAFT = 1.1, HEAD = 5, SPECK = 0.8, NAME = 16;

/* --- layers --------------------------------------------------------------------------------- */

static zf_colour colour_of(const zf_layer *layer, uint8_t alpha)
{
    zf_colour colour = ZF_AXIS;
    if (layer->colour > 0) colour = zf_palette((size_t)layer->colour - 1);
    colour.alpha = alpha;
    return colour;
}

static zf_point place(const zf_frame *frame, double x, double y)
{
    return (zf_point){zf_plot_scale_at(&frame->x, x), zf_plot_scale_at(&frame->y, y)};
}

static void draw_points(zf_scene *scene, const zf_frame *frame, const zf_layer *layer)
{
    zf_colour colour = colour_of(layer, 150);
    for (size_t i = 0; i < layer->n; i++) {
        zf_point p = place(frame, layer->x[i], layer->y[i]);
        if (zf_clip_holds(frame->box, p))
            zf_scene_circle(scene, p.x, p.y, DOT, colour, ZF_NO_STROKE);
    }
}

/* Runs that stay inside are one line each, so that the file is small; a segment that
   crosses the edge is one by itself. */
static void draw_paths(zf_scene *scene, const zf_frame *frame, const zf_layer *layer)
{
    zf_stroke stroke = {colour_of(layer, 150), LINE, 0};
    zf_point *run = malloc((layer->n + 1) * sizeof *run);
    if (!run) {
        if (scene->status == ZF_OK) scene->status = zf_fail_memory(layer->n * sizeof *run);
        return;
    }
    size_t n = 0;
    zf_point last = {NAN, NAN};
    for (size_t i = 0; i < layer->n; i++) {
        zf_point p = place(frame, layer->x[i], layer->y[i]), a = last, b = p;
        bool inside = zf_clip_holds(frame->box, p);
        if (n > 0 && !inside) {
            zf_scene_line(scene, run, n, stroke);
            n = 0;
        }
        bool crosses = !isnan(a.x + a.y + b.x + b.y) && !(inside && n > 0);
        if (crosses && zf_clip_segment(frame->box, &a, &b))
            zf_scene_segment(scene, a.x, a.y, b.x, b.y, stroke);
        if (inside) run[n++] = p;
        last = p;
    }
    zf_scene_line(scene, run, n, stroke);
    free(run);
}

static void draw_arrow(zf_scene *scene, zf_point from, zf_point to, zf_colour colour)
{
    double dx = to.x - from.x, dy = to.y - from.y, length = hypot(dx, dy);
    if (length < 2 * SPECK) {
        zf_scene_circle(scene, from.x, from.y, SPECK, colour, ZF_NO_STROKE);
        return;
    }
    dx /= length;
    dy /= length;
    double head = fmin(HEAD, 0.6 * length), half = 0.42 * head, thin = 0.5 * SHAFT;
    zf_point neck = {to.x - head * dx, to.y - head * dy};
    zf_point outline[] = {
        {from.x - thin * dy, from.y + thin * dx}, {neck.x - thin * dy, neck.y + thin * dx},
        {neck.x - half * dy, neck.y + half * dx}, to,
        {neck.x + half * dy, neck.y - half * dx}, {neck.x + thin * dy, neck.y - thin * dx},
        {from.x + thin * dy, from.y - thin * dx}};
    zf_scene_polygon(scene, outline, 7, colour);
}

/* Arrows begin inside; their tips are cut off, not their heads. */
static void draw_arrows(zf_scene *scene, const zf_frame *frame, const zf_layer *layer)
{
    zf_colour colour = colour_of(layer, 255);
    for (size_t i = 0; i < layer->n; i++) {
        zf_point from = place(frame, layer->x[i], layer->y[i]);
        zf_point to = place(frame, layer->x[i] + layer->dx[i], layer->y[i] + layer->dy[i]);
        if (!zf_clip_holds(frame->box, from) || isnan(to.x + to.y)) continue;
        if (zf_clip_segment(frame->box, &from, &to)) draw_arrow(scene, from, to, colour);
    }
}

static void draw_layer(zf_scene *scene, const zf_frame *frame, const zf_layer *layer)
{
    if (layer->kind == ZF_LAYER_POINTS)
        draw_points(scene, frame, layer);
    else if (layer->kind == ZF_LAYER_PATHS)
        draw_paths(scene, frame, layer);
    else
        draw_arrows(scene, frame, layer);
}

/* --- names among the points ------------------------------------------------------------------ */

static bool overlap(zf_box a, zf_box b)
{
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
           b.y < a.y + a.height;
}

/* The middle of a layer's points in the panel; NAN: there are none. */
static zf_point middle(const zf_frame *frame, const zf_layer *layer)
{
    zf_point sum = {0, 0};
    double n = 0;
    for (size_t i = 0; i < layer->n; i++) {
        zf_point p = place(frame, layer->x[i], layer->y[i]);
        if (!zf_clip_holds(frame->box, p)) continue;
        sum.x += p.x;
        sum.y += p.y;
        n++;
    }
    return (zf_point){sum.x / n, sum.y / n};
}

/* On a light ground, moved down or up to where no earlier one stands. */
static void draw_names(zf_scene *scene, const zf_frame *frame, const zf_plane *plane)
{
    zf_box taken[MOST_KEYS];
    size_t n = 0;
    for (size_t i = 0; i < plane->n_layers && n < MOST_KEYS; i++) {
        const zf_layer *layer = &plane->layers[i];
        if (!layer->within || !layer->name) continue;
        zf_point at = middle(frame, layer);
        if (isnan(at.x)) continue;
        double width = zf_text_width(layer->name, ZF_TICK_SIZE) + 6;
        zf_box box = {at.x - width / 2, at.y - NAME / 2, width, NAME};
        for (int step = 1; step < 2 * MOST_KEYS; step++) {
            size_t k = 0;
            while (k < n && !overlap(box, taken[k])) k++;
            if (k == n) break;
            box.y = at.y - NAME / 2 + (step % 2 ? 1 : -1) * ((step + 1) / 2) * NAME;
        }
        taken[n++] = box;
        zf_point corners[] = {{box.x, box.y},
                              {box.x + width, box.y},
                              {box.x + width, box.y + NAME},
                              {box.x, box.y + NAME}};
        zf_scene_polygon(scene, corners, 4, (zf_colour){255, 255, 255, 205});
        zf_scene_text(scene, box.x + width / 2, box.y + NAME / 2 + 0.36 * ZF_TICK_SIZE, layer->name,
                      zf_plot_type_of(ZF_TICK_SIZE, colour_of(layer, 255), ZF_MIDDLE));
    }
}

/* --- panels --------------------------------------------------------------------------------- */

/* A panel's axes as those of a chart with its points. */
typedef struct panel {
    zf_chart chart;
    zf_series *series;
    zf_frame frame;
} panel;

static zf_status plan(panel *p, const zf_plane *plane, double side)
{
    p->series = calloc(plane->n_layers + 1, sizeof *p->series);
    if (!p->series) return zf_fail_memory(plane->n_layers * sizeof *p->series);
    for (size_t i = 0; i < plane->n_layers; i++)
        p->series[i] = (zf_series){.x = plane->layers[i].x,
                                   .y = plane->layers[i].y,
                                   .n = plane->layers[i].n,
                                   .style = ZF_SERIES_POINTS};
    p->chart = (zf_chart){.title = plane->title,
                          .x = plane->x,
                          .y = plane->y,
                          .series = p->series,
                          .n_series = plane->n_layers};
    zf_frame_plan(&p->frame, &p->chart, side, side);
    return ZF_OK;
}

static void draw_panel(zf_scene *scene, const panel *p, const zf_plane *plane)
{
    zf_frame_draw_grid(scene, &p->frame);
    for (size_t i = 0; i < plane->n_layers; i++) draw_layer(scene, &p->frame, &plane->layers[i]);
    draw_names(scene, &p->frame, plane);
    zf_frame_draw_axes(scene, &p->frame);
    zf_frame_draw_names(scene, &p->frame);
}

static void draw_heading(zf_page *page, const char *title)
{
    char line[160];
    if (!title) return;
    zf_scene_text(
        &page->scene, page->left, page->top + ZF_PANEL_SIZE,
        zf_text_shorten(line, sizeof line, title, ZF_PANEL_SIZE, page->right - page->left),
        zf_plot_type_of(ZF_PANEL_SIZE, ZF_INK, ZF_START));
    page->top += HEADING;
}

/* Panels of a row, all boxes of one size; leaves page->top below them. */
static void draw_row(zf_page *page, const zf_plane_row *row, panel *panels)
{
    double left = 0, right = 0, above = 0, below = 0, n = (double)row->n_planes;
    for (size_t i = 0; i < row->n_planes; i++) {
        left = fmax(left, panels[i].frame.left);
        right = fmax(right, panels[i].frame.right);
        above = fmax(above, panels[i].frame.above);
        below = fmax(below, panels[i].frame.below);
    }
    double cell = (page->right - page->left) / n;
    double side = fmax(fmin(cell - left - right, MOST_SIDE), 30);
    draw_heading(page, row->title);
    for (size_t i = 0; i < row->n_planes; i++) {
        zf_box box = {page->left + (double)i * (side + left + right) + left, page->top + above,
                      side, side};
        panels[i].frame.left = left;
        panels[i].frame.above = above;
        panels[i].frame.below = below;
        zf_frame_place(&panels[i].frame, box);
        draw_panel(&page->scene, &panels[i], &row->planes[i]);
    }
    page->top += above + side + below + BETWEEN;
}

static zf_status plan_and_draw_row(zf_page *page, const zf_plane_row *row)
{
    panel panels[MOST_PANELS] = {0};
    zf_status status = ZF_OK;
    double side = (page->right - page->left) / (double)row->n_planes - 50;
    for (size_t i = 0; i < row->n_planes && status == ZF_OK; i++)
        status = plan(&panels[i], &row->planes[i], fmax(fmin(side, MOST_SIDE), 30));
    if (status == ZF_OK) draw_row(page, row, panels);
    for (size_t i = 0; i < row->n_planes; i++) free(panels[i].series);
    return status;
}

/* --- the key -------------------------------------------------------------------------------- */

static void draw_sample(zf_scene *scene, const zf_layer *layer, double x, double y)
{
    zf_colour colour = colour_of(layer, 255);
    if (layer->kind == ZF_LAYER_POINTS)
        zf_scene_circle(scene, x + 9, y, 3, colour, ZF_NO_STROKE);
    else if (layer->kind == ZF_LAYER_PATHS)
        zf_scene_segment(scene, x, y, x + 18, y, (zf_stroke){colour, 1.5, 0});
    else
        draw_arrow(scene, (zf_point){x, y}, (zf_point){x + 18, y}, colour);
}

/* The first layer of each name, in order. */
static size_t find_keys(const zf_layer *keys[MOST_KEYS], const zf_plane_row *rows, size_t n_rows)
{
    size_t found = 0;
    for (size_t r = 0; r < n_rows; r++)
        for (size_t p = 0; p < rows[r].n_planes; p++)
            for (size_t i = 0; i < rows[r].planes[p].n_layers && found < MOST_KEYS; i++) {
                const zf_layer *layer = &rows[r].planes[p].layers[i];
                size_t k = 0;
                while (k < found && layer->name && strcmp(keys[k]->name, layer->name) != 0) k++;
                if (layer->name && k == found) keys[found++] = layer;
            }
    return found;
}

static void draw_key(zf_page *page, const zf_plane_row *rows, size_t n_rows)
{
    const zf_layer *keys[MOST_KEYS];
    size_t n = find_keys(keys, rows, n_rows);
    double x = page->left, y = page->top + 2;
    for (size_t k = 0; k < n; k++) {
        double width = 24 + zf_text_width(keys[k]->name, ZF_TICK_SIZE) + 24;
        if (k > 0 && x + width > page->right) x = page->left, y += 18;
        draw_sample(&page->scene, keys[k], x, y);
        zf_scene_text(&page->scene, x + 24, y + 0.36 * ZF_TICK_SIZE, keys[k]->name,
                      zf_plot_type_of(ZF_TICK_SIZE, ZF_INK, ZF_START));
        x += width;
    }
    if (n > 0) page->top = y + 14;
}

static zf_status check(const char *path, const zf_plane_row *rows, size_t n)
{
    if (n < 1 || n > MOST_ROWS)
        return zf_fail(ZF_EINVAL, "%s: a figure of %zu rows, expected 1 to %d", path, n, MOST_ROWS);
    for (size_t r = 0; r < n; r++)
        if (rows[r].n_planes < 1 || rows[r].n_planes > MOST_PANELS)
            return zf_fail(ZF_EINVAL, "%s: row %zu has %zu panels, expected 1 to %d", path, r + 1,
                           rows[r].n_planes, MOST_PANELS);
    return ZF_OK;
}

zf_status zf_plot_planes(const char *path, const zf_figure *figure, const zf_plane_row *rows,
                         size_t n_rows)
{
    ZF_TRY(check(path, rows, n_rows));
    zf_page page;
    ZF_TRY(zf_page_begin(&page, figure));
    for (size_t r = 0; r < n_rows; r++) {
        zf_status status = plan_and_draw_row(&page, &rows[r]);
        if (status != ZF_OK) {
            zf_scene_free(&page.scene);
            return status;
        }
    }
    draw_key(&page, rows, n_rows);
    return zf_page_finish(&page, figure, path);
}
