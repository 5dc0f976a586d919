/* The graph is drawn here, not by the page's script, so that it is there for who
   has none, prints it or saves it. Colours are the page's: light or dark. */
#include "html/svg.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "html/text.h"
#include "plot/font.h"

enum { WIDTH = 760, HEIGHT = 640, MOST_LABELS = 90 };

static const double TEXT = 12, GAP = 6;

/* A label beside its node, on the side where it covers least. */
typedef struct label {
    double x, y; /* of its text: the baseline, at the end that `anchor` names */
    const char *anchor;
    double left, top, width; /* of what it covers, TEXT high */
} label;

/* Where and how a figure's nodes get their labels. */
typedef struct frame {
    const zf_html_figure *figure;
    double side;  /* room beside the nodes for labels */
    double above; /* and above and below */
    double radius;
    bool labels, radial;
    double longest; /* of a label */
    label *beside;  /* [variables], where they are not on a ring */
} frame;

static double widest_name(const zf_html_figure *p)
{
    double widest = 0;
    for (int i = 0; i < p->drawing->variables; i++)
        if (p->drawing->drawn[i]) widest = fmax(widest, zf_text_width(p->names[i], TEXT));
    return widest;
}

static frame frame_of(const zf_html_figure *p)
{
    int n = p->drawing->n_drawn;
    double widest = widest_name(p);
    frame f = {.figure = p, .labels = n <= MOST_LABELS};
    f.radius = n <= 30 ? 7 : n <= MOST_LABELS ? 5.5 : n <= 300 ? 4 : 3;
    f.longest = fmin(widest, 120);
    double around = 3.1416 * (HEIGHT - 80) / fmax(n, 1);
    f.radial = p->ring && (widest > around - 6 || n > 60);
    f.side = f.labels ? f.longest + GAP + 12 : 14;
    f.above = !f.labels ? 14 : f.radial ? f.longest + GAP + 12 : 30;
    return f;
}

static double across(const frame *f, int node)
{
    double x = f->figure->drawing->place[node].x;
    if (!f->figure->ring) return f->side + x * (WIDTH - 2 * f->side);
    double reach = fmin(WIDTH - 2 * f->side, HEIGHT - 2 * f->above);
    return WIDTH / 2.0 + (x - 0.5) * reach;
}

static double down(const frame *f, int node)
{
    double y = f->figure->drawing->place[node].y;
    if (!f->figure->ring) return f->above + y * (HEIGHT - 2 * f->above);
    double reach = fmin(WIDTH - 2 * f->side, HEIGHT - 2 * f->above);
    return HEIGHT / 2.0 + (y - 0.5) * reach;
}

static void number(zf_sink *out, const char *name, double value)
{
    zf_sink_byte(out, ' ');
    zf_sink_text(out, name);
    zf_sink_text(out, "=\"");
    zf_html_decimal(out, value, 1);
    zf_sink_byte(out, '"');
}

static void whole(zf_sink *out, const char *name, int value)
{
    zf_sink_byte(out, ' ');
    zf_sink_text(out, name);
    zf_sink_text(out, "=\"");
    zf_html_whole(out, (uint64_t)value);
    zf_sink_byte(out, '"');
}

static void point(zf_sink *out, const char *before, double x, double y)
{
    zf_sink_text(out, before);
    zf_html_decimal(out, x, 1);
    zf_sink_byte(out, ' ');
    zf_html_decimal(out, y, 1);
}

static void draw_classes(zf_sink *out, const zf_html_figure *p, const zf_html_edge *edge)
{
    zf_sink_text(out, "<path class=\"e");
    if (p->with_truth) {
        zf_sink_text(out, edge->real ? " right" : " wrong");
    } else if (p->evidence) {
        zf_form form = zf_evidence_pair(p->evidence, edge->a, edge->b)->form;
        zf_sink_text(out, form == ZF_FORM_RISING    ? ""
                          : form == ZF_FORM_FALLING ? " falling"
                                                    : " other");
    }
    if (!edge->on) zf_sink_text(out, edge->real ? " missed" : " off");
    zf_sink_byte(out, '"');
}

/* "a – b: rising, effect 0.41, q-value 0.0012" */
static void draw_title(zf_sink *out, const zf_html_figure *p, const zf_html_edge *edge)
{
    const zf_pair_evidence *pair = zf_evidence_pair(p->evidence, edge->a, edge->b);
    zf_sink_text(out, "><title>");
    zf_html_text(out, p->names[edge->a]);
    zf_sink_text(out, " – ");
    zf_html_text(out, p->names[edge->b]);
    zf_sink_text(out, ": ");
    zf_sink_text(out, zf_form_name(pair->form));
    zf_sink_text(out, ", effect ");
    zf_html_decimal(out, pair->effect, 2);
    zf_sink_text(out, ", q-value ");
    zf_html_small(out, pair->q_value);
    zf_sink_text(out, "</title></path>\n");
}

/* On a ring edges bend inwards, around the nodes between their ends. */
static void draw_edge(zf_sink *out, const frame *f, const zf_html_edge *edge)
{
    const zf_html_figure *p = f->figure;
    double x1 = across(f, edge->a), y1 = down(f, edge->a);
    double x2 = across(f, edge->b), y2 = down(f, edge->b);
    draw_classes(out, p, edge);
    whole(out, "data-a", edge->a);
    whole(out, "data-b", edge->b);
    whole(out, "data-s", (int)zf_html_unit((double)edge->score));
    number(out, "stroke-width", p->evidence ? 1.2 + 3.8 * edge->weight : 0.8 + 2.4 * edge->weight);
    point(out, " d=\"M", x1, y1);
    if (p->ring) {
        double bend = 0.82;
        point(out, "Q", WIDTH / 2.0 + bend * ((x1 + x2) / 2 - WIDTH / 2.0),
              HEIGHT / 2.0 + bend * ((y1 + y2) / 2 - HEIGHT / 2.0));
        point(out, " ", x2, y2);
    } else {
        point(out, "L", x2, y2);
    }
    zf_sink_byte(out, '"');
    if (p->evidence)
        draw_title(out, p, edge);
    else
        zf_sink_text(out, "/>\n");
}

/* How much of two stretches is common. */
static double common(double a, double length_a, double b, double length_b)
{
    return fmax(fmin(a + length_a, b + length_b) - fmax(a, b), 0);
}

/* What a label would hide: labels that have their place, nodes, and what leaves the figure. */
static double covered(const frame *f, int node, const label *l)
{
    const zf_html_drawing *g = f->figure->drawing;
    double outside = fmax(-l->left, 0) + fmax(l->left + l->width - WIDTH, 0) + fmax(-l->top, 0) +
                     fmax(l->top + TEXT - HEIGHT, 0);
    double sum = 10 * TEXT * outside, r = f->radius;
    for (int i = 0; i < g->variables; i++) {
        const label *other = &f->beside[i];
        if (!g->drawn[i]) continue;
        if (i < node)
            sum += common(l->left, l->width, other->left, other->width) *
                   common(l->top, TEXT, other->top, TEXT);
        sum += 2 * common(l->left, l->width, across(f, i) - r, 2 * r) *
               common(l->top, TEXT, down(f, i) - r, 2 * r);
    }
    return sum;
}

/* Right, left, above or below; away from the middle where nothing is in the way. */
static void choose_label(frame *f, int node)
{
    double x = across(f, node), y = down(f, node), reach = f->radius + GAP - 2;
    double width = fmin(zf_text_width(f->figure->names[node], TEXT), f->longest + 1);
    label right = {x + reach, y + 4, "", x + reach, y - TEXT / 2, width};
    label left = {x - reach, y + 4, " text-anchor=\"end\"", x - reach - width, y - TEXT / 2, width};
    label above = {x, y - reach, " text-anchor=\"middle\"", x - width / 2, y - reach - TEXT, width};
    label below = {x, y + reach + 9, above.anchor, above.left, y + reach, width};
    bool outwards = x >= WIDTH / 2.0;
    const label *sides[] = {outwards ? &right : &left, outwards ? &left : &right, &above, &below};
    double least = INFINITY;
    for (int k = 0; k < 4; k++) {
        double cost = covered(f, node, sides[k]);
        if (cost >= least) continue;
        least = cost;
        f->beside[node] = *sides[k];
    }
}

static void draw_ring_label(zf_sink *out, const frame *f, double x, double y)
{
    double dx = x - WIDTH / 2.0, dy = y - HEIGHT / 2.0, length = fmax(hypot(dx, dy), 1e-6);
    bool right = dx >= 0;
    if (f->radial) {
        double turn = atan2(dy, dx) * 57.29577951308232;
        double reach = f->radius + GAP;
        zf_sink_text(out, " transform=\"translate(");
        point(out, "", x + dx / length * reach, y + dy / length * reach);
        zf_sink_text(out, ") rotate(");
        zf_html_decimal(out, right ? turn : turn + 180, 1);
        zf_sink_text(out, ")\" dy=\"4\"");
        zf_sink_text(out, right ? "" : " text-anchor=\"end\"");
        return;
    }
    double reach = f->radius + GAP + 3;
    bool upright = fabs(dx) < 0.35 * length;
    number(out, "x", x + dx / length * reach);
    number(out, "y", y + dy / length * reach + 4);
    zf_sink_text(out, upright ? " text-anchor=\"middle\"" : right ? "" : " text-anchor=\"end\"");
}

/* On a ring outside of it, else where choose_label has put it. */
static void draw_label(zf_sink *out, const frame *f, int node, double x, double y)
{
    char line[160];
    zf_sink_text(out, "<text");
    if (f->figure->ring) {
        draw_ring_label(out, f, x, y);
    } else {
        number(out, "x", f->beside[node].x);
        number(out, "y", f->beside[node].y);
        zf_sink_text(out, f->beside[node].anchor);
    }
    zf_sink_byte(out, '>');
    zf_html_text(out,
                 zf_text_shorten(line, sizeof line, f->figure->names[node], TEXT, f->longest + 1));
    zf_sink_text(out, "</text>");
}

static void draw_node(zf_sink *out, const frame *f, int node)
{
    double x = across(f, node), y = down(f, node);
    zf_sink_text(out, "<g class=\"n\" tabindex=\"0\" role=\"button\"");
    whole(out, "data-i", node);
    zf_sink_text(out, "><title>");
    zf_html_text(out, f->figure->names[node]);
    zf_sink_text(out, "</title><circle");
    number(out, "cx", x);
    number(out, "cy", y);
    number(out, "r", f->radius);
    zf_sink_text(out, "/>");
    draw_label(out, f, node, x, y);
    zf_sink_text(out, "</g>\n");
}

void zf_html_draw(zf_sink *out, const zf_html_figure *figure)
{
    const zf_html_drawing *g = figure->drawing;
    frame f = frame_of(figure);
    f.beside = calloc((size_t)g->variables, sizeof *f.beside);
    if (!f.beside) {
        zf_sink_fail(out, zf_fail_memory((size_t)g->variables * sizeof *f.beside));
        return;
    }
    for (int i = 0; i < g->variables; i++)
        if (g->drawn[i] && !figure->ring) choose_label(&f, i);
    zf_sink_text(out, "<svg id=\"graph\"");
    zf_sink_text(out, f.labels ? "" : " class=\"dense\"");
    zf_sink_text(out, " viewBox=\"0 0 ");
    zf_html_whole(out, WIDTH);
    zf_sink_byte(out, ' ');
    zf_html_whole(out, HEIGHT);
    zf_sink_text(out, "\" role=\"group\" aria-label=\"The graph\">\n<g>\n");
    for (int e = g->n_edges - 1; e >= 0; e--) draw_edge(out, &f, &g->edges[e]);
    zf_sink_text(out, "</g>\n");
    for (int i = 0; i < g->variables; i++)
        if (g->drawn[i]) draw_node(out, &f, i);
    zf_sink_text(out, "</svg>\n");
    free(f.beside);
}
