/* Blankets on a lattice, a small panel each: targets red, what was found yellow,
   the true blanket as a dark ring. So a yellow disc in a ring is right, one
   without a ring is too much, and an empty ring was missed. */
#include <math.h>

#include "base/error.h"
#include "plot/font.h"
#include "plot/page.h"
#include "plot/style.h"

enum { MOST_SIDE = 200, MOST_PANELS = 24, MOST_ROWS = 24 };

static const double GAP = 18, HEADING = 26, PANEL_TITLE = 20;

static const zf_stroke EDGE = {{0xc3, 0xc8, 0xce, 255}, 1, 0};

/* How a node looks, at any size. */
static void draw_node(zf_scene *scene, double x, double y, double radius, bool target, bool found,
                      bool truth)
{
    zf_stroke thin = {EDGE.colour, fmin(1, 0.25 * radius), 0};
    zf_stroke ring = {ZF_INK, fmax(0.34 * radius, 1), 0};
    zf_colour fill = target ? ZF_TARGET_RED : found ? ZF_FOUND_YELLOW : ZF_WHITE;
    if (target || found || truth) radius *= 1.25;
    zf_scene_circle(scene, x, y, radius, fill, truth ? ring : target ? ZF_NO_STROKE : thin);
}

static void draw_edges(zf_scene *scene, int rows, int columns, double x, double y, double step)
{
    for (int r = 0; r < rows; r++)
        zf_scene_segment(scene, x, y + r * step, x + (columns - 1) * step, y + r * step, EDGE);
    for (int c = 0; c < columns; c++)
        zf_scene_segment(scene, x + c * step, y, x + c * step, y + (rows - 1) * step, EDGE);
}

/* A lattice in a square of that side at (x, y). */
static void draw_lattice(zf_scene *scene, const zf_lattice_panel *panel, double x, double y,
                         double side)
{
    int larger = panel->rows > panel->columns ? panel->rows : panel->columns;
    double step = side / larger, radius = 0.27 * step;
    x += step / 2;
    y += step / 2;
    draw_edges(scene, panel->rows, panel->columns, x, y, step);
    for (int r = 0; r < panel->rows; r++)
        for (int c = 0; c < panel->columns; c++) {
            size_t node = (size_t)r * (size_t)panel->columns + (size_t)c;
            draw_node(scene, x + c * step, y + r * step, radius, panel->target[node],
                      panel->found[node], panel->truth && panel->truth[node]);
        }
}

static bool any_title(const zf_lattice_row *row)
{
    for (size_t i = 0; i < row->n_panels; i++)
        if (row->panels[i].title) return true;
    return false;
}

static void draw_row(zf_page *page, const zf_lattice_row *row, double side)
{
    char line[160];
    if (row->title) {
        double room = page->right - page->left;
        zf_scene_text(&page->scene, page->left, page->top + ZF_PANEL_SIZE,
                      zf_text_shorten(line, sizeof line, row->title, ZF_PANEL_SIZE, room),
                      zf_plot_type_of(ZF_PANEL_SIZE, ZF_INK, ZF_START));
        page->top += HEADING;
    }
    double title = any_title(row) ? PANEL_TITLE : 0, height = 0;
    for (size_t i = 0; i < row->n_panels; i++) {
        const zf_lattice_panel *panel = &row->panels[i];
        double x = page->left + (double)i * (side + GAP);
        int larger = panel->rows > panel->columns ? panel->rows : panel->columns;
        if (panel->title)
            zf_scene_text(&page->scene, x, page->top + ZF_TICK_SIZE,
                          zf_text_shorten(line, sizeof line, panel->title, ZF_TICK_SIZE, side),
                          zf_plot_type_of(ZF_TICK_SIZE, ZF_SOFT, ZF_START));
        draw_lattice(&page->scene, panel, x, page->top + title, side);
        height = fmax(height, side * panel->rows / larger);
    }
    page->top += title + height + GAP;
}

static bool any_truth(const zf_lattice_row *rows, size_t n)
{
    for (size_t r = 0; r < n; r++)
        for (size_t i = 0; i < rows[r].n_panels; i++)
            if (rows[r].panels[i].truth) return true;
    return false;
}

static void draw_key(zf_page *page, bool truth)
{
    static const struct {
        const char *name, *without_truth; /* NULL: not there */
        bool target, found, truth;
    } keys[] = {{"target", "target", true, false, false},
                {"blanket, found", NULL, false, true, true},
                {"blanket, missed", NULL, false, false, true},
                {"found by mistake", "blanket found", false, true, false}};
    double x = page->left + 7, y = page->top + 4;
    for (int i = 0; i < 4; i++) {
        const char *name = truth ? keys[i].name : keys[i].without_truth;
        if (!name) continue;
        draw_node(&page->scene, x, y, 5, keys[i].target, keys[i].found, keys[i].truth);
        zf_scene_text(&page->scene, x + 12, y + 0.36 * ZF_TICK_SIZE, name,
                      zf_plot_type_of(ZF_TICK_SIZE, ZF_INK, ZF_START));
        x += 12 + zf_text_width(name, ZF_TICK_SIZE) + 26;
    }
    page->top += 16;
}

static zf_status check(const char *path, const zf_lattice_row *rows, size_t n)
{
    if (n < 1 || n > MOST_ROWS)
        return zf_fail(ZF_EINVAL, "%s: a figure of %zu rows, expected 1 to %d", path, n, MOST_ROWS);
    for (size_t r = 0; r < n; r++) {
        if (rows[r].n_panels < 1 || rows[r].n_panels > MOST_PANELS)
            return zf_fail(ZF_EINVAL, "%s: row %zu has %zu panels, expected 1 to %d", path, r + 1,
                           rows[r].n_panels, MOST_PANELS);
        for (size_t i = 0; i < rows[r].n_panels; i++) {
            const zf_lattice_panel *panel = &rows[r].panels[i];
            if (panel->rows < 1 || panel->rows > MOST_SIDE || panel->columns < 1 ||
                panel->columns > MOST_SIDE)
                return zf_fail(ZF_EINVAL, "%s: a lattice of %d x %d, expected 1 to %d a side", path,
                               panel->rows, panel->columns, MOST_SIDE);
        }
    }
    return ZF_OK;
}

zf_status zf_plot_lattices(const char *path, const zf_figure *figure, const zf_lattice_row *rows,
                           size_t n_rows)
{
    ZF_TRY(check(path, rows, n_rows));
    zf_page page;
    ZF_TRY(zf_page_begin(&page, figure));
    size_t most = 1;
    for (size_t r = 0; r < n_rows; r++)
        if (rows[r].n_panels > most) most = rows[r].n_panels;
    double side = (page.right - page.left - GAP * (double)(most - 1)) / (double)most;
    for (size_t r = 0; r < n_rows; r++) draw_row(&page, &rows[r], fmin(fmax(side, 20), 360));
    draw_key(&page, any_truth(rows, n_rows));
    return zf_page_finish(&page, figure, path);
}
