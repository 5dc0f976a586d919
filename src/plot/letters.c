/* Text as edges: the strokes of the font, drawn by a pen that is a little wider
   than high.

   A stroke becomes a strip of quadrilaterals between its two sides; neighbours
   share an edge, which cancels, so that a strip has no seams and covers no
   pixel twice. */
#include <math.h>
#include <stdlib.h>

#include "plot/font.h"
#include "plot/outline.h"

enum { CURVE_STEPS = 12 }; /* finer than a pixel can show at the sizes of figures */

/* How far the control points of a quarter oval lie along its sides. An ellipse
   has 0.55; a little more makes the bows squarer and the insides wider. */
static const double FULLNESS = 0.59;

/* Where a glyph stands, and how large. */
typedef struct frame {
    zf_coverage *coverage;
    zf_point origin;
    double scale, cosine, sine;
    double x, y; /* the glyph's own origin, in units of the font */
} frame;

static zf_point place(const frame *f, double x, double y)
{
    x = (x + f->x) * f->scale;
    y = -(y + f->y) * f->scale; /* the font's y points up */
    return (zf_point){f->origin.x + x * f->cosine + y * f->sine,
                      f->origin.y - x * f->sine + y * f->cosine};
}

/* The part of a stroke between two places, of which each has a vector from the
   centre to the side. */
static void strip(const frame *f, zf_point a, zf_point side_a, zf_point b, zf_point side_b)
{
    zf_point corners[] = {
        place(f, a.x + side_a.x, a.y + side_a.y), place(f, b.x + side_b.x, b.y + side_b.y),
        place(f, b.x - side_b.x, b.y - side_b.y), place(f, a.x - side_a.x, a.y - side_a.y)};
    zf_outline_polygon(f->coverage, corners, 4);
}

/* The side of a stroke that runs in a direction. */
static zf_point side(double x, double y)
{
    double length = hypot(x, y);
    return (zf_point){-y / length * ZF_FONT_STEM / 2, x / length * ZF_FONT_BAR / 2};
}

static void straight(const frame *f, zf_point a, zf_point b)
{
    double x = b.x - a.x, y = b.y - a.y, length = hypot(x, y);
    if (length == 0) return;
    zf_point square = side(x, y), cut = {0, 0};
    double half = (square.x * -y + square.y * x) / length; /* of the thickness */
    if (fabs(x) > fabs(y))
        cut.y = half * length / x;
    else
        cut.x = -half * length / y;
    strip(f, a, cut, b, cut);
}

static void curve(const frame *f, const zf_point p[4])
{
    zf_point last = p[0], last_side = side(p[1].x - p[0].x, p[1].y - p[0].y);
    for (int i = 1; i <= CURVE_STEPS; i++) {
        double t = (double)i / CURVE_STEPS, u = 1 - t;
        double w[4] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
        double v[3] = {u * u, 2 * u * t, t * t}; /* of the direction */
        zf_point next = {0, 0}, way = {0, 0};
        for (int k = 0; k < 4; k++) {
            next.x += w[k] * p[k].x;
            next.y += w[k] * p[k].y;
        }
        for (int k = 0; k < 3; k++) {
            way.x += v[k] * (p[k + 1].x - p[k].x);
            way.y += v[k] * (p[k + 1].y - p[k].y);
        }
        zf_point next_side = side(way.x, way.y);
        strip(f, last, last_side, next, next_side);
        last = next;
        last_side = next_side;
    }
}

static zf_point read_point(const char **text)
{
    char *end;
    double x = (double)strtol(*text, &end, 10), y = (double)strtol(end, &end, 10);
    *text = end;
    return (zf_point){x, y};
}

static void strokes(const frame *f, const char *text)
{
    zf_point p[4] = {{0, 0}};
    while (*text) {
        char command = *text++;
        zf_point to = read_point(&text);
        switch (command) {
        case 'L':
            straight(f, p[0], to);
            break;
        case 'H':
            p[1] = (zf_point){p[0].x + FULLNESS * (to.x - p[0].x), p[0].y};
            p[2] = (zf_point){to.x, to.y + FULLNESS * (p[0].y - to.y)};
            p[3] = to;
            curve(f, p);
            break;
        case 'V':
            p[1] = (zf_point){p[0].x, p[0].y + FULLNESS * (to.y - p[0].y)};
            p[2] = (zf_point){to.x + FULLNESS * (p[0].x - to.x), to.y};
            p[3] = to;
            curve(f, p);
            break;
        case 'C':
            p[1] = to;
            p[2] = read_point(&text);
            p[3] = to = read_point(&text);
            curve(f, p);
            break;
        }
        p[0] = to;
    }
}

void zf_outline_text(zf_coverage *coverage, zf_point at, const char *text, zf_plot_type type)
{
    static const double before[] = {[ZF_START] = 0, [ZF_MIDDLE] = 0.5, [ZF_END] = 1};
    static const double DEGREE = 3.14159265358979323846 / 180;
    double start = -before[type.anchor] * zf_text_width(text, ZF_FONT_EM);
    frame f = {.coverage = coverage,
               .origin = at,
               .scale = type.size / ZF_FONT_EM,
               .cosine = cos(type.turn * DEGREE),
               .sine = sin(type.turn * DEGREE),
               .x = start};
    while (*text) {
        zf_letter letter = zf_font_find(zf_text_next(&text));
        strokes(&f, letter.glyph->strokes);
        frame mark = f;
        mark.x += letter.mark_x;
        mark.y += letter.mark_y;
        strokes(&mark, letter.mark);
        f.x += letter.glyph->advance;
    }
}
