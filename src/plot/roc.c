/* ROC curves: square charts with a table of areas in the lower right corner,
   where only a method worse than chance would draw. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "plot/charts.h"
#include "plot/font.h"
#include "plot/series.h"
#include "plot/style.h"

enum { LINE = 16, SAMPLE = 25, MOST_SHOWN = 10 };

typedef struct roc {
    const zf_roc_panel *panels;
    size_t n_panels;
    zf_chart *charts;
    zf_series *series; /* of all panels, one after another; the last of each is the diagonal */
} roc;

static bool same_name(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* Colour of a curve: by the place of its name among the distinct names so far. */
static int colour_of(const roc *r, size_t panel, size_t curve)
{
    int distinct = 0;
    for (size_t p = 0; p <= panel; p++)
        for (size_t c = 0; c < r->panels[p].n_curves; c++) {
            if (p == panel && c == curve) return distinct + 1;
            const char *name = r->panels[p].curves[c].name;
            if (same_name(name, r->panels[panel].curves[curve].name))
                return r->charts[p].series[c].colour;
            bool known = false;
            for (size_t q = 0; q < p && !known; q++)
                for (size_t d = 0; d < r->panels[q].n_curves && !known; d++)
                    known = same_name(name, r->panels[q].curves[d].name);
            distinct += !known;
        }
    return distinct;
}

static void fill(roc *r, double most_fpr)
{
    static const double ends[] = {0, 1};
    zf_series *next = r->series;
    for (size_t p = 0; p < r->n_panels; p++) {
        const zf_roc_panel *panel = &r->panels[p];
        r->charts[p] = (zf_chart){
            .title = panel->title,
            .x = {.label = "False positive rate", .low = 0, .high = most_fpr},
            .y = {.label = p == 0 ? "True positive rate" : NULL, .low = 0, .high = 1},
            .series = next,
            .n_series = panel->n_curves + 1,
            .height = 1,
        };
        for (size_t c = 0; c < panel->n_curves; c++) {
            const zf_roc_curve *curve = &panel->curves[c];
            next[c] = (zf_series){.x = curve->fpr, .y = curve->tpr, .n = curve->n};
            next[c].style = curve->dashed ? ZF_SERIES_DASHED : ZF_SERIES_LINE;
            next[c].colour = curve->colour > 0 ? curve->colour : colour_of(r, p, c);
        }
        next += panel->n_curves;
        *next++ =
            (zf_series){.x = ends, .y = ends, .n = 2, .style = ZF_SERIES_DASHED, .colour = -1};
    }
}

static bool any_area(const zf_roc_panel *panel)
{
    for (size_t c = 0; c < panel->n_curves; c++)
        if (!isnan(panel->curves[c].auc)) return true;
    return false;
}

/* Three decimals whatever the locale; an area is within 0 and 1. */
static void area_text(char text[16], double auc)
{
    text[0] = '\0';
    if (!isfinite(auc)) return;
    int thousandths = (int)lround(1000 * fmin(fmax(auc, 0), 1));
    snprintf(text, 16, "%d.%03d", thousandths / 1000, thousandths % 1000);
}

static void draw_table(zf_scene *scene, const zf_frame *frame, size_t p, const void *context)
{
    const zf_roc_panel *panel = &((const roc *)context)->panels[p];
    size_t shown = panel->n_curves < MOST_SHOWN ? panel->n_curves : MOST_SHOWN;
    bool areas = any_area(panel);
    double size = ZF_TICK_SIZE - 0.5, widest = 0, column = areas ? 38 : 0;
    double most = frame->box.width - SAMPLE - column - 24;
    char line[96], area[16];
    if (shown == 0) return;
    for (size_t c = 0; c < shown; c++) {
        const char *name = panel->curves[c].name ? panel->curves[c].name : "";
        zf_text_shorten(line, sizeof line, name, size, most);
        widest = fmax(widest, zf_text_width(line, size));
    }
    double width = SAMPLE + 6 + widest + column + 6;
    double right = frame->box.x + frame->box.width - 4, bottom = frame->box.y + frame->box.height;
    bool more = shown < panel->n_curves;
    double y = bottom - 6 - LINE * (double)(shown + areas + more);
    zf_box back = {right - width - 4, y - 2, width + 8, bottom - 2 - y};
    zf_colour veil = {255, 255, 255, 225}; /* a curve below it is still seen */
    zf_scene_box(scene, back, veil, ZF_NO_STROKE);
    if (areas) {
        zf_scene_text(scene, right - 2, y + 12, "AUC", zf_plot_type_of(size, ZF_SOFT, ZF_END));
        y += LINE;
    }
    for (size_t c = 0; c < shown; c++, y += LINE) {
        const char *name = panel->curves[c].name ? panel->curves[c].name : "";
        zf_box sample = {right - width, y, SAMPLE, LINE};
        zf_series_draw_sample(scene, frame->chart, c, sample);
        zf_scene_text(scene, right - width + SAMPLE + 6, y + 12,
                      zf_text_shorten(line, sizeof line, name, size, most),
                      zf_plot_type_of(size, ZF_INK, ZF_START));
        area_text(area, panel->curves[c].auc);
        zf_scene_text(scene, right - 2, y + 12, area, zf_plot_type_of(size, ZF_INK, ZF_END));
    }
    if (!more) return;
    snprintf(line, sizeof line, "and %zu more", panel->n_curves - shown);
    zf_scene_text(scene, right - 2, y + 12, line, zf_plot_type_of(size, ZF_SOFT, ZF_END));
}

zf_status zf_plot_roc(const char *path, const zf_figure *figure, const zf_roc_panel *panels,
                      size_t n_panels, double most_fpr)
{
    size_t total = n_panels;
    for (size_t p = 0; p < n_panels; p++) total += panels[p].n_curves;
    roc r = {panels, n_panels, calloc(n_panels + 1, sizeof *r.charts),
             calloc(total + 1, sizeof *r.series)};
    zf_status status;
    if (r.charts && r.series) {
        fill(&r, most_fpr > 0 && most_fpr < 1 ? most_fpr : 1);
        status = zf_charts_write(path, figure, r.charts, n_panels, draw_table, &r);
    } else {
        status = zf_fail_memory(total * sizeof *r.series);
    }
    free(r.charts);
    free(r.series);
    return status;
}
