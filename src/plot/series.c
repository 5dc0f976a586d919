/* Lines, points, bars and areas.

   A line is cut to the frame segment by segment, and thinned where many of its
   points share half a pixel's width: of these the first, the lowest, the highest
   and the last are kept, which look the same as all. So a million points cost
   the file no more than a few thousand do. */
#include "plot/series.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "plot/clip.h"
#include "plot/style.h"

enum { MANY_SERIES = 20 };

static const double LINE_WIDTH = 1.8, DOT = 3;

/* Are there points and no line? */
static bool is_scattered(zf_series_style style)
{
    return style == ZF_SERIES_POINTS || style == ZF_SERIES_DOTS;
}

static size_t place_in_palette(const zf_series *series, size_t s)
{
    return series->colour > 0 ? (size_t)series->colour - 1 : s;
}

zf_colour zf_series_colour(const zf_chart *chart, size_t s)
{
    if (chart->series[s].colour < 0) return ZF_AXIS;
    return zf_palette(place_in_palette(&chart->series[s], s));
}

/* After the palette is used up, dashes tell series apart; a crowd gets thin lines. */
zf_stroke zf_series_stroke(const zf_chart *chart, size_t s)
{
    const zf_series *series = &chart->series[s];
    zf_stroke stroke = {zf_series_colour(chart, s), LINE_WIDTH, 0};
    if (chart->n_series > MANY_SERIES)
        stroke.width = 1;
    else if (series->colour >= 0)
        stroke.dash = 4.0 * (double)(place_in_palette(series, s) / ZF_PALETTE);
    if (series->style == ZF_SERIES_DASHED) stroke.dash = 5;
    return stroke;
}

/* A point of a series. Shapes tell series apart where colours do not; the grey
   one, for what others are compared with, is a ring. */
static void draw_dot(zf_scene *scene, const zf_chart *chart, size_t s, zf_point at)
{
    static const zf_point shapes[][4] = {
        {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}},
        {{0, -1.25}, {1.15, 0.85}, {-1.15, 0.85}, {-1.15, 0.85}},
        {{0, -1.35}, {1.35, 0}, {0, 1.35}, {-1.35, 0}},
    };
    const zf_series *series = &chart->series[s];
    zf_colour colour = zf_series_colour(chart, s);
    size_t shape = place_in_palette(series, s) % 4;
    if (series->colour < 0) {
        zf_scene_circle(scene, at.x, at.y, DOT, ZF_WHITE, (zf_stroke){ZF_SOFT, 1.2, 0});
    } else if (shape == 0) {
        zf_scene_circle(scene, at.x, at.y, DOT, colour, ZF_NO_STROKE);
    } else {
        zf_point corners[4];
        for (int i = 0; i < 4; i++)
            corners[i] = (zf_point){at.x + DOT * shapes[shape - 1][i].x,
                                    at.y + DOT * shapes[shape - 1][i].y};
        zf_scene_polygon(scene, corners, 4, colour);
    }
}

/* The run of a line that is being drawn. */
typedef struct pen {
    zf_scene *scene;
    zf_box box;
    zf_stroke stroke;
    zf_point *points; /* with room for all that can come */
    size_t n;
} pen;

static void lift(pen *p)
{
    if (p->n == 1) /* a point between two gaps is still seen */
        zf_scene_circle(p->scene, p->points[0].x, p->points[0].y, 1.2 * p->stroke.width,
                        p->stroke.colour, ZF_NO_STROKE);
    zf_scene_line(p->scene, p->points, p->n, p->stroke);
    p->n = 0;
}

/* Goes on to a point; `at` is where the line stands, inside or not. */
static void go(pen *p, zf_point at, zf_point to)
{
    bool was_inside = zf_clip_holds(p->box, at), is_inside = zf_clip_holds(p->box, to);
    if (!zf_clip_segment(p->box, &at, &to)) {
        lift(p);
        return;
    }
    if (p->n == 0 || !was_inside) {
        if (!was_inside) lift(p);
        if (p->n == 0) p->points[p->n++] = at;
    }
    p->points[p->n++] = to;
    if (!is_inside) lift(p);
}

/* Of neighbours within half a pixel's width keeps at most four. Returns the
   number of points kept; gaps (NaN) stay. */
static size_t thin(zf_point *points, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n;) {
        size_t end = i + 1, low = i, high = i;
        double column = floor(points[i].x * 2);
        while (end < n && floor(points[end].x * 2) == column && !isnan(points[end].y)) {
            if (points[end].y < points[low].y) low = end;
            if (points[end].y > points[high].y) high = end;
            end++;
        }
        if (isnan(points[i].y) || end - i <= 4) {
            if (isnan(points[i].y)) end = i + 1;
            for (; i < end; i++) points[kept++] = points[i];
            continue;
        }
        zf_point first = points[i], last = points[end - 1];
        zf_point one = points[low < high ? low : high], other = points[low < high ? high : low];
        points[kept++] = first;
        points[kept++] = one;
        points[kept++] = other;
        points[kept++] = last;
        i = end;
    }
    return kept;
}

/* The points of a series in the frame; a gap has NaN for y. Steps have a corner
   more between two points. NULL when memory ran out. */
static zf_point *trace(zf_scene *scene, const zf_frame *frame, const zf_series *series, size_t *n)
{
    bool steps = series->style == ZF_SERIES_STEPS;
    size_t room = (steps ? 2 : 1) * series->n + 1;
    zf_point *points = room < SIZE_MAX / sizeof *points ? malloc(room * sizeof *points) : NULL;
    if (!points) {
        if (scene->status == ZF_OK) scene->status = zf_fail_memory(room * sizeof *points);
        return NULL;
    }
    size_t count = 0;
    for (size_t i = 0; i < series->n; i++) {
        zf_point p = {zf_plot_scale_at(&frame->x, zf_series_x(series, i)),
                      zf_plot_scale_at(&frame->y, series->y[i])};
        if (isnan(p.x)) p = (zf_point){count ? points[count - 1].x : 0, NAN};
        if (steps && count && !isnan(points[count - 1].y) && !isnan(p.y)) {
            points[count] = (zf_point){p.x, points[count - 1].y};
            count++;
        }
        points[count++] = p;
    }
    *n = count;
    return points;
}

static void draw_line(zf_scene *scene, const zf_frame *frame, size_t s)
{
    const zf_series *series = &frame->chart->series[s];
    size_t n;
    zf_point *points = trace(scene, frame, series, &n);
    if (!points) return;
    n = thin(points, n);
    pen p = {scene, frame->box, zf_series_stroke(frame->chart, s), NULL, 0};
    p.points = malloc((n + 2) * sizeof *p.points);
    if (!p.points && scene->status == ZF_OK) scene->status = zf_fail_memory(n * sizeof *points);
    for (size_t i = 0; i < n && p.points; i++) {
        bool starts = i == 0 || isnan(points[i - 1].y);
        if (isnan(points[i].y))
            lift(&p);
        else if (!starts)
            go(&p, points[i - 1], points[i]);
        else if (zf_clip_holds(frame->box, points[i]))
            p.points[p.n++] = points[i];
    }
    if (p.points) lift(&p);
    free(p.points);
    free(points);
}

/* Dots on the same quarter of a pixel are drawn once. */
static void draw_dots(zf_scene *scene, const zf_frame *frame, size_t s)
{
    const zf_series *series = &frame->chart->series[s];
    zf_box box = frame->box;
    size_t columns = 2 * (size_t)box.width + 1, rows = 2 * (size_t)box.height + 1;
    unsigned char *seen = calloc(columns * rows, 1);
    if (!seen) {
        if (scene->status == ZF_OK) scene->status = zf_fail_memory(columns * rows);
        return;
    }
    bool crowd = series->n > 500 || series->style == ZF_SERIES_DOTS;
    zf_colour faint = zf_series_colour(frame->chart, s);
    faint.alpha = 150;
    for (size_t i = 0; i < series->n; i++) {
        zf_point p = {zf_plot_scale_at(&frame->x, zf_series_x(series, i)),
                      zf_plot_scale_at(&frame->y, series->y[i])};
        if (!zf_clip_holds(box, p)) continue; /* false for NaN too */
        size_t cell = (size_t)(2 * (p.y - box.y)) * columns + (size_t)(2 * (p.x - box.x));
        if (seen[cell]) continue;
        seen[cell] = 1;
        if (crowd)
            zf_scene_circle(scene, p.x, p.y, 0.65 * DOT, faint, ZF_NO_STROKE);
        else
            draw_dot(scene, frame->chart, s, p);
    }
    free(seen);
}

/* A bar over the standard error of each point, below the points. */
static void draw_errors(zf_scene *scene, const zf_frame *frame, size_t s)
{
    const zf_series *series = &frame->chart->series[s];
    zf_stroke stroke = {zf_series_colour(frame->chart, s), 1.3, 0};
    for (size_t i = 0; series->error && i < series->n; i++) {
        double x = zf_plot_scale_at(&frame->x, zf_series_x(series, i));
        zf_point low = {x, zf_plot_scale_at(&frame->y, series->y[i] - series->error[i])};
        zf_point high = {x, zf_plot_scale_at(&frame->y, series->y[i] + series->error[i])};
        if (isnan(low.x) || isnan(low.y) || isnan(high.y)) continue;
        if (zf_clip_segment(frame->box, &low, &high))
            zf_scene_segment(scene, low.x, low.y, high.x, high.y, stroke);
    }
}

static double bounded(double value, double a, double b)
{
    return fmin(fmax(value, fmin(a, b)), fmax(a, b));
}

/* Where bars and areas stand: at 0, or where the axis begins. */
static double ground(const zf_frame *frame)
{
    double zero = frame->y.logarithmic ? frame->y.from : zf_plot_scale_at(&frame->y, 0);
    return bounded(zero, frame->y.from, frame->y.to);
}

/* Each run without gaps is one polygon down to the ground, cut by clamping. */
static void draw_area(zf_scene *scene, const zf_frame *frame, size_t s)
{
    size_t n, start = 0;
    zf_point *points = trace(scene, frame, &frame->chart->series[s], &n);
    zf_point *corners = points ? malloc((n + 2) * sizeof *corners) : NULL;
    if (points && !corners && scene->status == ZF_OK)
        scene->status = zf_fail_memory((n + 2) * sizeof *corners);
    double base = ground(frame);
    for (size_t i = 0; i <= n && corners; i++) {
        if (i < n && !isnan(points[i].y)) continue;
        size_t count = 0;
        for (size_t k = start; k < i; k++)
            corners[count++] = (zf_point){bounded(points[k].x, frame->x.from, frame->x.to),
                                          bounded(points[k].y, frame->y.from, frame->y.to)};
        start = i + 1;
        if (count < 2) continue;
        zf_point end = {corners[count - 1].x, base}, begin = {corners[0].x, base};
        corners[count++] = end;
        corners[count++] = begin;
        zf_scene_polygon(scene, corners, count, zf_tint(zf_series_colour(frame->chart, s), 0.25));
    }
    free(corners);
    free(points);
}

static void draw_bars(zf_scene *scene, const zf_frame *frame, size_t s, size_t place, size_t of)
{
    const zf_series *series = &frame->chart->series[s];
    double unit = fabs(zf_plot_scale_at(&frame->x, frame->x.low + 1) - frame->x.from);
    double width = 0.76 * unit / (double)of, base = ground(frame);
    for (size_t i = 0; i < series->n; i++) {
        double x = zf_plot_scale_at(&frame->x, zf_series_x(series, i));
        double y = zf_plot_scale_at(&frame->y, series->y[i]);
        if (isnan(x) || isnan(y)) continue;
        x += width * ((double)place - (double)of / 2);
        double left = bounded(x, frame->x.from, frame->x.to);
        double right = bounded(x + fmax(width - 1, 0.5 * width), frame->x.from, frame->x.to);
        y = bounded(y, frame->y.from, frame->y.to);
        zf_box bar = {left, fmin(y, base), right - left, fabs(y - base)};
        if (bar.width > 0)
            zf_scene_box(scene, bar, zf_series_colour(frame->chart, s), ZF_NO_STROKE);
    }
}

void zf_series_draw_all(zf_scene *scene, const zf_frame *frame)
{
    const zf_chart *chart = frame->chart;
    size_t bars = 0, place = 0;
    for (size_t s = 0; s < chart->n_series; s++) {
        if (chart->series[s].style == ZF_SERIES_AREA) draw_area(scene, frame, s);
        if (chart->series[s].style == ZF_SERIES_BARS) bars++;
    }
    for (size_t s = 0; s < chart->n_series; s++)
        if (chart->series[s].style == ZF_SERIES_BARS) draw_bars(scene, frame, s, place++, bars);
    for (size_t s = chart->n_series; s-- > 0;) { /* the first series lies on top */
        zf_series_style style = chart->series[s].style;
        if (style != ZF_SERIES_BARS && style != ZF_SERIES_AREA) draw_errors(scene, frame, s);
        if (style != ZF_SERIES_BARS && !is_scattered(style)) draw_line(scene, frame, s);
        if (is_scattered(style) || style == ZF_SERIES_BOTH) draw_dots(scene, frame, s);
    }
}

void zf_series_draw_sample(zf_scene *scene, const zf_chart *chart, size_t s, zf_box box)
{
    zf_series_style style = chart->series[s].style;
    zf_colour colour = zf_series_colour(chart, s);
    double x = box.x + box.width / 2, y = box.y + box.height / 2;
    if (style == ZF_SERIES_BARS)
        zf_scene_box(scene, (zf_box){x - 5, y - 5, 10, 10}, colour, ZF_NO_STROKE);
    else if (!is_scattered(style))
        zf_scene_segment(scene, box.x, y, box.x + box.width, y, zf_series_stroke(chart, s));
    if (is_scattered(style) || style == ZF_SERIES_BOTH) draw_dot(scene, chart, s, (zf_point){x, y});
}
