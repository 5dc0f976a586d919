/* Ranges, ticks and axes of a chart. */
#include "plot/frame.h"

#include <math.h>
#include <stdio.h>

#include "plot/font.h"
#include "plot/style.h"

enum { TICK = 4, TICK_GAP = 4, LINE = 15, MOST_LABEL = 130 };

double zf_series_x(const zf_series *series, size_t i)
{
    return series->x ? series->x[i] : (double)i;
}

double zf_plot_scale_at(const zf_plot_scale *scale, double value)
{
    const double far = 1e4; /* in lengths of the axis */
    if (!isfinite(value) || (scale->logarithmic && value <= 0)) return NAN;
    double low = scale->low, high = scale->high;
    if (scale->logarithmic) {
        value = log(value);
        low = log(low);
        high = log(high);
    }
    double share = (value - low) / (high - low);
    return scale->from + fmin(fmax(share, -far), far) * (scale->to - scale->from);
}

typedef struct range {
    double low, high;
} range;

static void include(range *r, double value, bool logarithmic)
{
    if (!isfinite(value) || (logarithmic && value <= 0)) return;
    value = fmin(fmax(value, -ZF_LARGEST), ZF_LARGEST);
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
}

static bool from_zero(zf_series_style style)
{
    return style == ZF_SERIES_BARS || style == ZF_SERIES_AREA;
}

/* What the data reach over in x, and in y among the points whose x is shown. */
static void data_ranges(const zf_chart *chart, range *x, range *y)
{
    bool fixed = chart->x.low < chart->x.high;
    for (size_t s = 0; s < chart->n_series; s++) {
        const zf_series *series = &chart->series[s];
        for (size_t i = 0; i < series->n; i++) {
            double at = zf_series_x(series, i);
            if (!isfinite(at) || (fixed && (at < chart->x.low || at > chart->x.high))) continue;
            include(x, at, chart->x.logarithmic);
            if (isfinite(series->y[i])) include(y, series->y[i], chart->y.logarithmic);
            if (series->error) include(y, series->y[i] - series->error[i], chart->y.logarithmic);
            if (series->error) include(y, series->y[i] + series->error[i], chart->y.logarithmic);
        }
        if (from_zero(series->style)) include(y, 0, chart->y.logarithmic);
    }
    for (size_t m = 0; m < chart->n_marks; m++)
        if (chart->marks[m].kind == ZF_MARK_Y) include(y, chart->marks[m].at, chart->y.logarithmic);
}

static bool any_style(const zf_chart *chart, zf_series_style style)
{
    for (size_t s = 0; s < chart->n_series; s++)
        if (chart->series[s].style == style) return true;
    return false;
}

static void open_logarithmic(range *r)
{
    if (!(r->low > 0) || !(r->high >= r->low) || !isfinite(r->high)) *r = (range){0.1, 10};
    if (r->high / r->low < 1.5) *r = (range){r->low / 2, r->high * 2};
}

/* The scale of an axis for data of that range. */
static zf_plot_scale choose(const zf_axis *axis, range r, double pad)
{
    zf_plot_scale scale = {.logarithmic = axis->logarithmic && !axis->dates && !axis->n_categories};
    if (axis->low < axis->high && isfinite(axis->low) && isfinite(axis->high))
        r = (range){axis->low, axis->high}, pad = 0;
    else if (axis->n_categories)
        r = (range){0, (double)axis->n_categories - 1}, pad = 0;
    if (scale.logarithmic) {
        open_logarithmic(&r);
        double wider = pow(r.high / r.low, pad);
        scale.low = fmax(r.low / wider, 1e-290);
        scale.high = fmin(r.high * wider, ZF_LARGEST);
        return scale;
    }
    zf_range_open(&r.low, &r.high);
    double more = pad * (r.high - r.low);
    scale.low = fmax(r.low - more, -ZF_LARGEST);
    scale.high = fmin(r.high + more, ZF_LARGEST);
    if (r.low >= 0 && scale.low < 0) scale.low = 0; /* nothing lies below */
    if (r.high <= 0 && scale.high > 0) scale.high = 0;
    if (axis->n_categories) { /* half a bar on either side */
        scale.low = -0.5;
        scale.high = (double)axis->n_categories - 0.5;
    }
    return scale;
}

static void name_ticks(zf_ticks *ticks, const zf_axis *axis, double room)
{
    size_t n = axis->n_categories, stride = 1 + (n - 1) / ZF_MOST_TICKS;
    ticks->count = 0;
    for (size_t i = 0; i < n; i += stride) {
        zf_tick *tick = &ticks->tick[ticks->count++];
        *tick = (zf_tick){.at = (double)i};
        const char *name = axis->categories[i] ? axis->categories[i] : "";
        zf_text_shorten(tick->label, sizeof tick->label, name, ZF_TICK_SIZE,
                        fmin(room * (double)stride, MOST_LABEL));
    }
}

static void make_ticks(zf_ticks *ticks, const zf_axis *axis, const zf_plot_scale *scale, int most)
{
    if (axis->dates)
        zf_ticks_dates(ticks, scale->low, scale->high, most);
    else if (scale->logarithmic)
        zf_ticks_logarithmic(ticks, scale->low, scale->high, most);
    else
        zf_ticks_linear(ticks, scale->low, scale->high, most);
}

static double widest(const zf_ticks *ticks)
{
    double width = 0;
    for (int i = 0; i < ticks->count; i++)
        width = fmax(width, zf_text_width(ticks->tick[i].label, ZF_TICK_SIZE));
    return width;
}

static int labelled(const zf_ticks *ticks)
{
    int count = 0;
    for (int i = 0; i < ticks->count; i++) count += ticks->tick[i].label[0] != '\0';
    return count;
}

/* As many ticks as have room for their labels. */
static void fit_x_ticks(zf_frame *frame, double width)
{
    const zf_axis *axis = &frame->chart->x;
    if (axis->n_categories) {
        name_ticks(&frame->x_ticks, axis, width / (double)axis->n_categories - 6);
        return;
    }
    int most = (int)fmin(fmax(width / 50, 6), 14);
    for (; most >= 2; most--) {
        make_ticks(&frame->x_ticks, axis, &frame->x, most);
        if (most == 2 || (widest(&frame->x_ticks) + 14) * labelled(&frame->x_ticks) <= width)
            return;
    }
}

static bool has_second_line(const zf_ticks *ticks)
{
    for (int i = 0; i < ticks->count; i++)
        if (ticks->tick[i].below[0]) return true;
    return false;
}

void zf_frame_plan(zf_frame *frame, const zf_chart *chart, double width, double height)
{
    range x = {INFINITY, -INFINITY}, y = {INFINITY, -INFINITY};
    data_ranges(chart, &x, &y);
    bool bars = any_style(chart, ZF_SERIES_BARS),
         points = any_style(chart, ZF_SERIES_POINTS) || any_style(chart, ZF_SERIES_DOTS);
    *frame = (zf_frame){.chart = chart};
    if (bars && !chart->x.n_categories) x.low -= 0.5, x.high += 0.5;
    frame->x = choose(&chart->x, x, points ? 0.03 : 0);
    frame->y = choose(&chart->y, y, 0.04);
    int most = (int)fmin(fmax(height / 26, 4), 9);
    make_ticks(&frame->y_ticks, &chart->y, &frame->y, most);
    fit_x_ticks(frame, width);
    frame->left = widest(&frame->y_ticks) + TICK + TICK_GAP + (chart->y.label ? LINE + 6 : 4);
    /* The last label of x is centred on the end of the axis. */
    frame->right = fmax(8, widest(&frame->x_ticks) / 2 + 2);
    frame->below = TICK + TICK_GAP + LINE + (has_second_line(&frame->x_ticks) ? LINE : 0) +
                   (chart->x.label ? LINE + 6 : 4);
    frame->above = chart->title ? 26 : 10;
}

void zf_frame_place(zf_frame *frame, zf_box box)
{
    box.x = floor(box.x);
    box.y = floor(box.y);
    box.width = floor(box.width);
    box.height = floor(box.height);
    frame->box = box;
    frame->x.from = box.x;
    frame->x.to = box.x + box.width;
    frame->y.from = box.y + box.height;
    frame->y.to = box.y;
}

static bool within(double place, double a, double b)
{
    return place >= fmin(a, b) - 0.5 && place <= fmax(a, b) + 0.5;
}

void zf_frame_draw_grid(zf_scene *scene, const zf_frame *frame)
{
    zf_box box = frame->box;
    zf_stroke faint = {ZF_GRID, 1, 0};
    for (int i = 0; i < frame->y_ticks.count; i++) {
        double y = zf_plot_scale_at(&frame->y, frame->y_ticks.tick[i].at);
        if (frame->y_ticks.tick[i].label[0] && within(y, frame->y.from, frame->y.to))
            zf_scene_segment(scene, box.x, zf_crisp(y), box.x + box.width, zf_crisp(y), faint);
    }
    for (int i = 0; i < frame->x_ticks.count && !frame->chart->x.n_categories; i++) {
        double x = zf_plot_scale_at(&frame->x, frame->x_ticks.tick[i].at);
        if (frame->x_ticks.tick[i].label[0] && within(x, frame->x.from, frame->x.to))
            zf_scene_segment(scene, zf_crisp(x), box.y, zf_crisp(x), box.y + box.height, faint);
    }
}

static void draw_x_axis(zf_scene *scene, const zf_frame *frame)
{
    zf_box box = frame->box;
    zf_stroke line = {ZF_AXIS, 1, 0};
    zf_plot_type type = zf_plot_type_of(ZF_TICK_SIZE, ZF_SOFT, ZF_MIDDLE);
    double bottom = zf_crisp(box.y + box.height);
    zf_scene_segment(scene, box.x, bottom, box.x + box.width + 1, bottom, line);
    for (int i = 0; i < frame->x_ticks.count; i++) {
        const zf_tick *tick = &frame->x_ticks.tick[i];
        double x = zf_plot_scale_at(&frame->x, tick->at), y = bottom + TICK + TICK_GAP + 9;
        if (!within(x, frame->x.from, frame->x.to)) continue;
        if (!frame->chart->x.n_categories)
            zf_scene_segment(scene, zf_crisp(x), bottom, zf_crisp(x),
                             bottom + (tick->label[0] ? TICK : TICK / 2), line);
        zf_scene_text(scene, x, y, tick->label, type);
        zf_scene_text(scene, x, y + LINE - 1, tick->below, type);
    }
}

static void draw_y_axis(zf_scene *scene, const zf_frame *frame)
{
    zf_box box = frame->box;
    zf_stroke line = {ZF_AXIS, 1, 0};
    zf_plot_type type = zf_plot_type_of(ZF_TICK_SIZE, ZF_SOFT, ZF_END);
    double left = zf_crisp(box.x);
    zf_scene_segment(scene, left, box.y, left, box.y + box.height + 1, line);
    for (int i = 0; i < frame->y_ticks.count; i++) {
        const zf_tick *tick = &frame->y_ticks.tick[i];
        double y = zf_plot_scale_at(&frame->y, tick->at);
        if (!within(y, frame->y.from, frame->y.to)) continue;
        zf_scene_segment(scene, left - (tick->label[0] ? TICK : TICK / 2), zf_crisp(y), left,
                         zf_crisp(y), line);
        zf_scene_text(scene, left - TICK - TICK_GAP, y + 0.36 * ZF_TICK_SIZE, tick->label, type);
    }
}

/* A name that must fit beside a length of the page. */
static void draw_name(zf_scene *scene, double x, double y, const char *text, zf_plot_type type,
                      double room)
{
    char line[256];
    if (text)
        zf_scene_text(scene, x, y, zf_text_shorten(line, sizeof line, text, type.size, room), type);
}

void zf_frame_draw_axes(zf_scene *scene, const zf_frame *frame)
{
    draw_x_axis(scene, frame);
    draw_y_axis(scene, frame);
}

void zf_frame_draw_names(zf_scene *scene, const zf_frame *frame)
{
    zf_box box = frame->box;
    zf_plot_type label = zf_plot_type_of(ZF_LABEL_SIZE, ZF_INK, ZF_MIDDLE);
    draw_name(scene, box.x + box.width / 2, box.y + box.height + frame->below - 5,
              frame->chart->x.label, label, box.width + frame->left);
    label.turn = 90;
    draw_name(scene, box.x - frame->left + ZF_LABEL_SIZE, box.y + box.height / 2,
              frame->chart->y.label, label, box.height + 20);
    draw_name(scene, box.x, box.y - frame->above + ZF_PANEL_SIZE, frame->chart->title,
              zf_plot_type_of(ZF_PANEL_SIZE, ZF_INK, ZF_START), box.width);
}
