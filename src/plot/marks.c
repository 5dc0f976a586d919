/* Reference lines and shaded spans with their names. */
#include <math.h>
#include <string.h>

#include "plot/font.h"
#include "plot/page.h"
#include "plot/series.h"
#include "plot/style.h"

static bool within(double place, double a, double b)
{
    return place >= fmin(a, b) && place <= fmax(a, b);
}

/* A name at the top of the frame, from x on, or up to x where it would not fit. */
static void name_beside(zf_scene *scene, const zf_frame *frame, const char *name, double x)
{
    zf_box box = frame->box;
    char line[128];
    if (!name) return;
    zf_text_shorten(line, sizeof line, name, ZF_TICK_SIZE, box.width / 2);
    bool fits = x + 5 + zf_text_width(line, ZF_TICK_SIZE) <= box.x + box.width;
    zf_scene_text(scene, fits ? x + 5 : x - 5, box.y + ZF_TICK_SIZE + 2, line,
                  zf_plot_type_of(ZF_TICK_SIZE, ZF_SOFT, fits ? ZF_START : ZF_END));
}

/* Whether every word of a name is narrower than that. */
static bool words_fit(const char *name, double width)
{
    while (*name) {
        size_t length = strcspn(name, " ");
        if (zf_text_fit(name, ZF_TICK_SIZE, width) < length) return false;
        name += length + (name[length] == ' ');
    }
    return true;
}

/* A name at the top of the frame in the middle between two places: in lines that
   fit between them, or else in one, within the frame. */
static void name_between(zf_scene *scene, const zf_frame *frame, const char *name, double a,
                         double b)
{
    zf_box box = frame->box;
    zf_plot_type type = zf_plot_type_of(ZF_TICK_SIZE, ZF_SOFT, ZF_MIDDLE);
    double middle = (a + b) / 2, room = b - a - 6;
    char line[128];
    if (!name || !(a < b)) return;
    if (words_fit(name, room)) {
        zf_page_paragraph(scene, (zf_box){middle, box.y + 3, room, 0}, name, type);
        return;
    }
    zf_text_shorten(line, sizeof line, name, ZF_TICK_SIZE, box.width);
    double half = zf_text_width(line, ZF_TICK_SIZE) / 2 + 2;
    double x = fmin(fmax(middle, box.x + half), box.x + box.width - half);
    zf_scene_text(scene, x, box.y + ZF_TICK_SIZE + 3, line, type);
}

/* Left and right end of a span within the frame; left >= right if it is outside. */
static void ends_of(const zf_frame *frame, const zf_mark *mark, double *left, double *right)
{
    double a = zf_plot_scale_at(&frame->x, mark->at), b = zf_plot_scale_at(&frame->x, mark->until);
    if (isnan(a) || isnan(b)) a = b = frame->box.x;
    *left = fmax(fmin(a, b), frame->box.x);
    *right = fmin(fmax(a, b), frame->box.x + frame->box.width);
}

void zf_marks_draw_spans(zf_scene *scene, const zf_frame *frame)
{
    zf_box box = frame->box;
    for (size_t i = 0; i < frame->chart->n_marks; i++) {
        const zf_mark *mark = &frame->chart->marks[i];
        if (mark->kind != ZF_MARK_SPAN) continue;
        double left, right;
        ends_of(frame, mark, &left, &right);
        if (!(left < right)) continue;
        zf_scene_box(scene, (zf_box){left, box.y, right - left, box.height}, ZF_SHADE,
                     ZF_NO_STROKE);
    }
}

/* Named on the left, since curves tend to a level on the right. */
static void draw_level(zf_scene *scene, const zf_frame *frame, const zf_mark *mark,
                       zf_stroke stroke)
{
    zf_box box = frame->box;
    char line[128];
    double y = zf_plot_scale_at(&frame->y, mark->at);
    if (!within(y, frame->y.from, frame->y.to)) return;
    zf_scene_segment(scene, box.x, zf_crisp(y), box.x + box.width, zf_crisp(y), stroke);
    if (!mark->name) return;
    zf_text_shorten(line, sizeof line, mark->name, ZF_TICK_SIZE, box.width);
    bool above = y - ZF_TICK_SIZE - 4 > box.y;
    zf_scene_text(scene, box.x + 2, above ? y - 4 : y + ZF_TICK_SIZE + 2, line,
                  zf_plot_type_of(ZF_TICK_SIZE, ZF_SOFT, ZF_START));
}

void zf_marks_draw_lines(zf_scene *scene, const zf_frame *frame)
{
    zf_box box = frame->box;
    zf_stroke stroke = {ZF_SOFT, 1, 4};
    for (size_t i = 0; i < frame->chart->n_marks; i++) {
        const zf_mark *mark = &frame->chart->marks[i];
        double x = zf_plot_scale_at(&frame->x, mark->at);
        if (mark->kind == ZF_MARK_Y) {
            draw_level(scene, frame, mark, stroke);
        } else if (mark->kind == ZF_MARK_X && within(x, frame->x.from, frame->x.to)) {
            zf_scene_segment(scene, zf_crisp(x), box.y, zf_crisp(x), box.y + box.height, stroke);
            name_beside(scene, frame, mark->name, x);
        } else if (mark->kind == ZF_MARK_SPAN) {
            double left, right;
            ends_of(frame, mark, &left, &right);
            name_between(scene, frame, mark->name, left, right);
        }
    }
}
