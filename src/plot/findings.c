/* What tests have found: bars and portraits on one page, and a paragraph that says how to read
   what is there.

   Of many rows a part is shown, drawn by chance: a thousand dots show where rows lie as well as a
   million, and a file of them can be sent. The curve is that of all rows. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "plot/bars.h"
#include "plot/charts.h"

enum {
    DOTS_ALONE = 1500, /* that one portrait shows, and each of several */
    DOTS_AMONG = 600,
    PANELS_A_ROW = 3,
    SERIES = 2 * ZF_PORTRAIT_THIRDS,
    CURVE = 2, /* of the palette */
};

/* One of a few curves with its points' errors, from the bins. */
typedef struct curve {
    double x[ZF_PORTRAIT_BINS], y[ZF_PORTRAIT_BINS], error[ZF_PORTRAIT_BINS];
} curve;

/* A portrait as a chart. */
typedef struct easel {
    zf_series series[SERIES];
    size_t n_series;
    curve curves[2];
    double ends[ZF_PORTRAIT_THIRDS][2][2]; /* x and y of the two ends of each line */
} easel;

typedef struct gallery {
    zf_page page;
    zf_arena arena;
    bool alone; /* a single portrait and nothing else */
    /* What there is to explain. */
    bool cut, portraits, given, means, spreads, lines;
    size_t shown; /* the most rows that a portrait shows, if they are not all; 0: they are */
} gallery;

static const char *name_of(const zf_portrait_panel *panel, int32_t column)
{
    return column >= 0 ? panel->names[column] : NULL;
}

static void add_series(easel *e, zf_series series)
{
    e->series[e->n_series++] = series;
}

static void add_curve(easel *e, curve *c, size_t n)
{
    add_series(e, (zf_series){.x = c->x,
                              .y = c->y,
                              .n = n,
                              .style = ZF_SERIES_BOTH,
                              .colour = CURVE,
                              .error = c->error});
}

static void add_means(easel *e, const zf_portrait *p)
{
    curve *c = &e->curves[0];
    for (size_t k = 0; k < p->n_bins; k++) {
        c->x[k] = p->bins[k].across;
        c->y[k] = p->bins[k].mean;
        c->error[k] = p->bins[k].mean_error;
    }
    add_curve(e, c, p->n_bins);
}

/* A deviation above the mean, and one below. */
static void add_spreads(easel *e, const zf_portrait *p)
{
    for (int side = 0; side < 2; side++) {
        curve *c = &e->curves[side];
        for (size_t k = 0; k < p->n_bins; k++) {
            const zf_portrait_bin *bin = &p->bins[k];
            c->x[k] = bin->across;
            c->y[k] = bin->mean + (side ? -bin->spread : bin->spread);
            c->error[k] = bin->spread_error;
        }
        add_curve(e, c, p->n_bins);
    }
}

/* The colours of thirds, from low to high: told apart in grey too. */
static const int third_colours[ZF_PORTRAIT_THIRDS] = {1, 7, 2};

static zf_status add_lines(gallery *g, easel *e, const zf_portrait_panel *panel)
{
    static const char *const words[ZF_PORTRAIT_THIRDS] = {"low", "middle", "high"};
    const zf_portrait *p = panel->portrait;
    const char *third = name_of(panel, p->third);
    for (int k = 0; k < ZF_PORTRAIT_THIRDS; k++) {
        const zf_portrait_line *line = &p->lines[k];
        if (line->rows == 0) continue;
        for (int end = 0; end < 2; end++) {
            e->ends[k][0][end] = end ? line->to : line->from;
            e->ends[k][1][end] = line->level + line->slope * e->ends[k][0][end];
        }
        const char *name =
            zf_text_print(&g->arena, "%s %s", third ? third : "given columns", words[k]);
        if (!name) return ZF_ENOMEM;
        add_series(e, (zf_series){.name = name,
                                  .x = e->ends[k][0],
                                  .y = e->ends[k][1],
                                  .n = 2,
                                  .colour = third_colours[k]});
    }
    return ZF_OK;
}

/* Rows that are shown: the first of an order drawn by chance, or all. */
static zf_status pick_rows(uint32_t **out, size_t *shown, gallery *g, size_t rows)
{
    size_t most = g->alone ? DOTS_ALONE : DOTS_AMONG;
    uint32_t *order = zf_arena_get(&g->arena, (rows + 1) * sizeof *order);
    if (!order) return ZF_ENOMEM;
    zf_random random = zf_random_at(0, ZF_FOR_ORDER, 0, 0);
    if (rows > most)
        zf_random_permutation(&random, order, rows);
    else
        for (size_t i = 0; i < rows; i++) order[i] = (uint32_t)i;
    if (rows > most) g->shown = most;
    *shown = rows > most ? most : rows;
    *out = order;
    return ZF_OK;
}

/* The rows as dots, in the colour of their third if there are thirds. */
static zf_status add_dots(gallery *g, easel *e, const zf_portrait *p)
{
    uint32_t *order;
    size_t shown, n = 0;
    ZF_TRY(pick_rows(&order, &shown, g, p->rows));
    double *x = zf_arena_get(&g->arena, 2 * (shown + 1) * sizeof *x);
    if (!x) return ZF_ENOMEM;
    double *y = x + shown + 1;
    for (int part = 0; part < (p->part ? ZF_PORTRAIT_THIRDS : 1); part++) {
        size_t begin = n;
        for (size_t i = 0; i < shown; i++) {
            if (p->part && p->part[order[i]] != part) continue;
            x[n] = p->across_at[order[i]];
            y[n++] = p->up_at[order[i]];
        }
        if (n > begin)
            add_series(e, (zf_series){.x = x + begin,
                                      .y = y + begin,
                                      .n = n - begin,
                                      .style = ZF_SERIES_DOTS,
                                      .colour = p->part ? third_colours[part] : -1});
    }
    return ZF_OK;
}

/* "x given z", or "x" where nothing was taken from it. */
static const char *label_of(gallery *g, const zf_portrait_panel *panel, int32_t column, bool left)
{
    const char *name = name_of(panel, column);
    if (!left || !panel->given) return name;
    g->given = true;
    return zf_text_print(&g->arena, "%s, given %s", name, panel->given);
}

/* Of the axis upwards. */
static const char *height_of(gallery *g, const zf_portrait_panel *panel)
{
    const char *label = label_of(g, panel, panel->portrait->up, true);
    if (!label || !panel->portrait->squared) return label;
    return zf_text_print(&g->arena, "square of %s", label);
}

/* Are there two lines about the mean, rather than the mean itself? */
static bool shows_spreads(const zf_portrait *p)
{
    return p->form == ZF_FORM_SPREAD && !p->squared;
}

static const char *title_of(gallery *g, const zf_portrait_panel *panel)
{
    const zf_portrait *p = panel->portrait;
    const char *form = zf_form_text(&g->arena, p->form, name_of(panel, p->third));
    const char *chance = zf_p_value_text(&g->arena, panel->p_value);
    if (!form || !chance) return NULL;
    if (!g->alone) return zf_text_print(&g->arena, "%s, %s", form, chance);
    return zf_text_print(&g->arena, "%s and %s: %s, %s", name_of(panel, p->across),
                         name_of(panel, p->up), form, chance);
}

static zf_status set_up(gallery *g, easel *e, zf_chart *chart, const zf_portrait_panel *panel)
{
    const zf_portrait *p = panel->portrait;
    if (p->part)
        ZF_TRY(add_lines(g, e, panel));
    else if (shows_spreads(p))
        add_spreads(e, p);
    else
        add_means(e, p);
    ZF_TRY(add_dots(g, e, p));
    *chart = (zf_chart){.title = title_of(g, panel),
                        .x = {.label = label_of(g, panel, p->across, p->across_left)},
                        .y = {.label = height_of(g, panel)},
                        .series = e->series,
                        .n_series = e->n_series,
                        .height = g->alone ? 0.62 : 0.85};
    if (!chart->title || !chart->x.label || !chart->y.label) return ZF_ENOMEM;
    g->portraits = true;
    *(p->part ? &g->lines : shows_spreads(p) ? &g->spreads : &g->means) = true;
    return ZF_OK;
}

static zf_status draw_panels(gallery *g, const zf_findings *f)
{
    zf_chart charts[ZF_FINDINGS_PANELS];
    if (f->n_panels == 0) return ZF_OK;
    easel *easels = zf_arena_get(&g->arena, f->n_panels * sizeof *easels);
    if (!easels) return ZF_ENOMEM;
    for (size_t i = 0; i < f->n_panels; i++)
        ZF_TRY(set_up(g, &easels[i], &charts[i], &f->panels[i]));
    int columns = g->alone ? 1 : f->n_panels < PANELS_A_ROW ? PANELS_A_ROW - 1 : PANELS_A_ROW;
    return zf_charts_draw(&g->page, charts, f->n_panels, columns);
}

static zf_status draw_lot(gallery *g, const zf_findings *f)
{
    for (size_t i = 0; i < f->n_bars; i++) {
        const zf_bars *bars = &f->bars[i];
        ZF_TRY(zf_bars_draw(&g->page, bars));
        for (size_t k = 0; k < bars->n && bars->most > 0; k++)
            g->cut |= bars->bars[k].length > bars->most;
    }
    if (f->n_bars && f->n_panels) g->page.top += 12;
    return draw_panels(g, f);
}

/* How to read what is there, behind the figure's own caption. */
static const char *explain(gallery *g, const char *caption)
{
    const char *text = caption ? caption : "";
    size_t thousands = g->shown / 1000, rest = g->shown % 1000;
    const char *dots = "A dot is a row";
    if (thousands)
        dots = zf_text_print(&g->arena, "%s, of which %zu,%03zu are shown", dots, thousands, rest);
    else if (rest)
        dots = zf_text_print(&g->arena, "%s, of which %zu are shown", dots, rest);
    const struct {
        bool there;
        const char *words;
    } parts[] = {
        {g->cut, "Bars with a slanted gap are longer. "},
        {g->portraits, dots},
        {g->portraits, g->given
                           ? "; columns are normal scores, minus what the given columns explain. "
                           : "; columns are normal scores. "},
        {g->means, "Joined points: means of neighbouring rows, with standard errors. "},
        {g->spreads, "Two lines of points: a standard deviation above and below the mean of "
                     "neighbouring rows, with standard errors. "},
        {g->lines, "Lines: slopes by least squares where a third column is low, in its middle or "
                   "high."},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts && text; i++)
        if (parts[i].there && parts[i].words)
            text = zf_text_print(&g->arena, "%s%s%s", text, *text && text == caption ? " " : "",
                                 parts[i].words);
    return dots ? text : NULL;
}

static zf_status check(const char *path, const zf_findings *findings, size_t n)
{
    size_t things = 0;
    if (n > ZF_FINDINGS_MOST)
        return zf_fail(ZF_EINVAL, "%s: %zu lots of findings, expected at most %d", path, n,
                       ZF_FINDINGS_MOST);
    for (size_t i = 0; i < n; i++) {
        const zf_findings *f = &findings[i];
        if (f->n_panels > ZF_FINDINGS_PANELS)
            return zf_fail(ZF_EINVAL, "%s: %zu portraits, expected at most %d", path, f->n_panels,
                           ZF_FINDINGS_PANELS);
        for (size_t k = 0; k < f->n_bars; k++)
            if (f->bars[k].n > ZF_FINDINGS_BARS)
                return zf_fail(ZF_EINVAL, "%s: %zu bars, expected at most %d", path, f->bars[k].n,
                               ZF_FINDINGS_BARS);
        things += f->n_panels + f->n_bars;
    }
    if (things) return ZF_OK;
    return zf_fail(ZF_EINVAL, "%s: no finding to draw", path);
}

zf_status zf_plot_findings(const char *path, const zf_figure *figure, const zf_findings *findings,
                           size_t n)
{
    gallery g = {0};
    zf_figure own = *figure;
    ZF_TRY(check(path, findings, n));
    g.alone = n == 1 && findings->n_panels == 1 && findings->n_bars == 0;
    if (!own.width && !g.alone) own.width = 1000;
    ZF_TRY(zf_page_begin(&g.page, &own));
    zf_status status = ZF_OK;
    for (size_t i = 0; i < n && status == ZF_OK; i++) {
        if (i) g.page.top += 16;
        status = draw_lot(&g, &findings[i]);
    }
    if (status == ZF_OK && !(own.caption = explain(&g, figure->caption))) status = ZF_ENOMEM;
    if (status == ZF_OK)
        status = zf_page_finish(&g.page, &own, path);
    else
        zf_scene_free(&g.page.scene);
    zf_arena_free(&g.arena);
    return status;
}
