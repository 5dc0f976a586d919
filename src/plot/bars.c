#include "plot/bars.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "plot/font.h"
#include "plot/style.h"
#include "plot/ticks.h"

enum {
    LINE = 21,
    BAR = 13,
    GAP = 8,
    NAME_MOST = 190,
    NOTE_MOST = 300,
    AXIS = 50,
    MARK = 16,
    TICKS = 8
};

char *zf_text_print(zf_arena *arena, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (n < 0) n = 0;
    char *text = zf_arena_get(arena, (size_t)n + 1);
    if (!text) return NULL;
    va_start(list, format);
    vsnprintf(text, (size_t)n + 1, format, list);
    va_end(list);
    return text;
}

const char *zf_p_value_text(zf_arena *arena, double p_value)
{
    static const double LEAST = 1e-300;
    return p_value < LEAST ? "p < 1e-300" : zf_text_print(arena, "p = %.2g", p_value);
}

const char *zf_form_text(zf_arena *arena, zf_form form, const char *third)
{
    if (form != ZF_FORM_INTERACTION || !third) return zf_form_name(form);
    return zf_text_print(arena, "%s with %s", zf_form_name(form), third);
}

/* What is written behind a bar. */
static const char *note_of(zf_arena *arena, const zf_bar *bar)
{
    const char *p = zf_p_value_text(arena, bar->p_value);
    const char *form = zf_form_text(arena, bar->form, bar->third);
    if (!p || !form) return NULL;
    return bar->form == ZF_FORM_NONE ? p : zf_text_print(arena, "%s, %s", p, form);
}

typedef struct layout {
    zf_box box;       /* where bars are */
    double most;      /* length that reaches its right end */
    double note_room; /* beside it */
    zf_arena arena;
    const char **notes; /* [bars]; NULL: there is none */
} layout;

static double place(const layout *l, double length)
{
    return l->box.x + l->box.width * fmin(length / l->most, 1);
}

static double bar_length(const zf_bars *bars, size_t i)
{
    double length = bars->bars[i].length;
    if (!(length > 0)) return 0;
    return bars->most > 0 ? fmin(length, bars->most) : length;
}

static zf_status plan(layout *l, const zf_page *page, const zf_bars *bars)
{
    double names = 0, notes = 0, most = fmax(bars->mark, 0);
    l->notes = zf_arena_get(&l->arena, (bars->n + 1) * sizeof *l->notes);
    if (!l->notes) return ZF_ENOMEM;
    for (size_t i = 0; i < bars->n; i++) {
        const zf_bar *bar = &bars->bars[i];
        most = fmax(most, bar_length(bars, i));
        names = fmax(names, zf_text_width(bar->name, ZF_TICK_SIZE));
        if (isnan(bar->p_value)) continue;
        l->notes[i] = note_of(&l->arena, bar);
        if (!l->notes[i]) return ZF_ENOMEM;
        notes = fmax(notes, zf_text_width(l->notes[i], ZF_TICK_SIZE));
    }
    names = ceil(fmin(names, NAME_MOST)) + GAP;
    l->note_room = ceil(fmin(notes, NOTE_MOST));
    l->most = most > 0 ? 1.02 * most : 1;
    double left = page->left + names, right = page->right - l->note_room - GAP;
    double above = (bars->title ? 26 : 4) + (bars->mark > 0 && bars->mark_name ? MARK : 0);
    l->box = (zf_box){floor(left), floor(page->top + above), floor(fmax(right - left, 40)),
                      LINE * (double)bars->n};
    return ZF_OK;
}

static void write_line(zf_scene *scene, double x, double y, const char *text, zf_plot_type type,
                       double room)
{
    char line[256];
    zf_scene_text(scene, x, y, zf_text_shorten(line, sizeof line, text, type.size, room), type);
}

static void draw_axis(zf_scene *scene, const layout *l, const char *label)
{
    zf_ticks ticks;
    zf_box box = l->box;
    double bottom = zf_crisp(box.y + box.height);
    zf_stroke line = {ZF_AXIS, 1, 0};
    zf_ticks_linear(&ticks, 0, l->most, TICKS);
    for (int i = 0; i < ticks.count; i++) {
        double x = zf_crisp(place(l, ticks.tick[i].at));
        zf_scene_segment(scene, x, box.y, x, bottom, (zf_stroke){ZF_GRID, 1, 0});
        zf_scene_segment(scene, x, bottom, x, bottom + 4, line);
        zf_scene_text(scene, x, bottom + 17, ticks.tick[i].label,
                      zf_plot_type_of(ZF_TICK_SIZE, ZF_SOFT, ZF_MIDDLE));
    }
    zf_scene_segment(scene, box.x, bottom, box.x + box.width, bottom, line);
    zf_scene_segment(scene, zf_crisp(box.x), box.y, zf_crisp(box.x), bottom, line);
    if (label)
        write_line(scene, box.x + box.width / 2, bottom + 35, label,
                   zf_plot_type_of(ZF_LABEL_SIZE, ZF_INK, ZF_MIDDLE), box.width + box.x);
}

/* A slanted gap near the end says that the bar goes on. */
static void draw_cut(zf_scene *scene, double right, double top)
{
    zf_stroke white = {ZF_WHITE, 2, 0};
    zf_scene_segment(scene, right - 12, top + BAR + 1, right - 7, top - 1, white);
    zf_scene_segment(scene, right - 8, top + BAR + 1, right - 3, top - 1, white);
}

static void draw_bar(zf_scene *scene, const layout *l, const zf_bars *bars, size_t i)
{
    const zf_bar *bar = &bars->bars[i];
    double middle = l->box.y + LINE * ((double)i + 0.5), top = middle - BAR / 2.0;
    double right = place(l, bar_length(bars, i)), base = middle + 0.36 * ZF_TICK_SIZE;
    zf_colour colour = bar->strong ? zf_palette(0) : zf_tint(ZF_AXIS, 0.6);
    zf_scene_box(scene, (zf_box){l->box.x, top, right - l->box.x, BAR}, colour, ZF_NO_STROKE);
    if (bars->most > 0 && bar->length > bars->most) draw_cut(scene, right, top);
    write_line(scene, l->box.x - GAP, base, bar->name,
               zf_plot_type_of(ZF_TICK_SIZE, bar->strong ? ZF_INK : ZF_SOFT, ZF_END), NAME_MOST);
    if (l->notes[i])
        write_line(scene, l->box.x + l->box.width + GAP, base, l->notes[i],
                   zf_plot_type_of(ZF_TICK_SIZE, ZF_SOFT, ZF_START), l->note_room + 1);
}

static void draw_mark(zf_scene *scene, const layout *l, const zf_bars *bars)
{
    double x = zf_crisp(place(l, bars->mark)), bottom = l->box.y + l->box.height;
    if (!(bars->mark > 0)) return;
    double top = l->box.y - (bars->mark_name ? MARK - 2 : 3);
    zf_scene_segment(scene, x, top, x, bottom, (zf_stroke){zf_palette(1), 1.4, 4});
    if (!bars->mark_name) return;
    bool fits = x + 5 + zf_text_width(bars->mark_name, ZF_TICK_SIZE) <= l->box.x + l->box.width;
    zf_scene_text(scene, fits ? x + 5 : x - 5, top + ZF_TICK_SIZE - 3, bars->mark_name,
                  zf_plot_type_of(ZF_TICK_SIZE, zf_palette(1), fits ? ZF_START : ZF_END));
}

zf_status zf_bars_draw(zf_page *page, const zf_bars *bars)
{
    layout l = {0};
    zf_scene *scene = &page->scene;
    zf_status status = plan(&l, page, bars);
    if (status == ZF_OK) {
        if (bars->title)
            write_line(scene, page->left, page->top + ZF_PANEL_SIZE, bars->title,
                       zf_plot_type_of(ZF_PANEL_SIZE, ZF_INK, ZF_START), page->right - page->left);
        draw_axis(scene, &l, bars->label);
        for (size_t i = 0; i < bars->n; i++) draw_bar(scene, &l, bars, i);
        draw_mark(scene, &l, bars);
        page->top = l.box.y + l.box.height + AXIS;
    }
    zf_arena_free(&l.arena);
    return status;
}
