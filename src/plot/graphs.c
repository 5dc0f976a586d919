/* A graph as boxes with names and lines between them. Boxes that springs have left on top
   of each other are pushed apart, since a name that is covered is worth nothing; graphs of
   more nodes than names can be read of are discs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "plot/font.h"
#include "plot/layout.h"
#include "plot/page.h"
#include "plot/style.h"

enum { MOST_LINKS = 600, MOST_NAMED = 60, MOST_ALONE = 40, ROUNDS = 80, MOST_KINDS = 10 };

static const double HEIGHT_LEAST = 220, HEIGHT_MOST = 660, HEIGHT_A_NODE = 26;
static const double NAME_MOST = 150, BOX_HEIGHT = 24, GAP = 6, RADIUS = 4;

typedef struct drawing {
    const zf_graph_drawing *of;
    zf_arena arena;
    zf_link *links; /* strongest first */
    size_t n_links;
    size_t *number; /* of a node among those drawn, which have links; SIZE_MAX: it has none */
    size_t *node;   /* of each that is drawn */
    size_t n;
    bool named;
    zf_point *at;  /* [n]: middles */
    double *width; /* [n]: of boxes */
    zf_box room;
} drawing;

/* Strongest first; nodes break ties, so that the order does not depend on how qsort works. */
static int by_weight(const void *a, const void *b)
{
    const zf_link *x = a, *y = b;
    if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

static zf_status check(const char *path, const zf_graph_drawing *of)
{
    for (size_t i = 0; i < of->n_links; i++) {
        const zf_link *link = &of->links[i];
        if (link->a >= of->n || link->b >= of->n)
            return zf_fail(ZF_EINVAL, "%s: a link of nodes %zu and %zu, of a graph of %zu", path,
                           link->a, link->b, of->n);
        if (link->kind < 0 || (of->n_kinds && (size_t)link->kind >= of->n_kinds))
            return zf_fail(ZF_EINVAL, "%s: a link of kind %d, expected 0 to %zu", path, link->kind,
                           of->n_kinds ? of->n_kinds - 1 : 0);
    }
    if (of->n_kinds <= MOST_KINDS) return ZF_OK;
    return zf_fail(ZF_EINVAL, "%s: %zu kinds of links, expected at most %d", path, of->n_kinds,
                   MOST_KINDS);
}

/* The links that are drawn and the nodes that they join. */
static zf_status choose(drawing *d)
{
    const zf_graph_drawing *of = d->of;
    d->links = zf_arena_get(&d->arena, of->n_links * sizeof *d->links);
    d->number = zf_arena_get(&d->arena, of->n * sizeof *d->number);
    d->node = zf_arena_get(&d->arena, of->n * sizeof *d->node);
    d->at = zf_arena_get(&d->arena, of->n * sizeof *d->at);
    d->width = zf_arena_get(&d->arena, of->n * sizeof *d->width);
    if (!d->links || !d->number || !d->node || !d->at || !d->width) return ZF_ENOMEM;
    if (of->n_links) memcpy(d->links, of->links, of->n_links * sizeof *d->links);
    qsort(d->links, of->n_links, sizeof *d->links, by_weight);
    d->n_links = of->n_links < MOST_LINKS ? of->n_links : MOST_LINKS;
    for (size_t i = 0; i < of->n; i++) d->number[i] = SIZE_MAX;
    for (size_t e = 0; e < d->n_links; e++) d->number[d->links[e].a] = d->number[d->links[e].b] = 0;
    for (size_t i = 0; i < of->n; i++)
        if (d->number[i] == 0) {
            d->number[i] = d->n;
            d->node[d->n++] = i;
        }
    d->named = d->n <= MOST_NAMED;
    return ZF_OK;
}

static zf_status lay_out(drawing *d)
{
    zf_spring *springs = zf_arena_get(&d->arena, (d->n_links + 1) * sizeof *springs);
    if (!springs) return ZF_ENOMEM;
    for (size_t e = 0; e < d->n_links; e++)
        springs[e] = (zf_spring){d->number[d->links[e].a], d->number[d->links[e].b],
                                 0.3 + 0.7 * fmin(fmax(d->links[e].weight, 0), 1)};
    return zf_layout_springs(d->at, d->n, springs, d->n_links);
}

static double keep_within(double at, double from, double length, double half)
{
    return fmin(fmax(at, from + half), from + length - half);
}

static void keep_all(drawing *d)
{
    double height = d->named ? BOX_HEIGHT : 2 * RADIUS;
    for (size_t i = 0; i < d->n; i++) {
        d->at[i].x = keep_within(d->at[i].x, d->room.x, d->room.width, d->width[i] / 2);
        d->at[i].y = keep_within(d->at[i].y, d->room.y, d->room.height, height / 2);
    }
}

/* Two boxes that overlap move apart where that is the shorter way. */
static bool part_boxes(drawing *d, size_t i, size_t j)
{
    zf_point *a = &d->at[i], *b = &d->at[j];
    double x = (d->width[i] + d->width[j]) / 2 + GAP - fabs(a->x - b->x);
    double y = BOX_HEIGHT + GAP - fabs(a->y - b->y);
    if (x <= 0 || y <= 0) return false;
    if (x < y) {
        double step = (a->x < b->x ? -x : x) / 2;
        a->x += step;
        b->x -= step;
    } else {
        double step = (a->y < b->y ? -y : y) / 2;
        a->y += step;
        b->y -= step;
    }
    return true;
}

/* From the unit square into the room on the page. */
static void place(drawing *d)
{
    char line[160];
    bool moved = d->named;
    for (size_t i = 0; i < d->n; i++) {
        zf_text_shorten(line, sizeof line, d->of->names[d->node[i]], ZF_LABEL_SIZE, NAME_MOST);
        d->width[i] = d->named ? fmax(zf_text_width(line, ZF_LABEL_SIZE) + 16, 30) : 2 * RADIUS;
        double half = d->named ? 40 : RADIUS;
        d->at[i].x = d->room.x + half + d->at[i].x * (d->room.width - 2 * half);
        d->at[i].y = d->room.y + BOX_HEIGHT + d->at[i].y * (d->room.height - 2 * BOX_HEIGHT);
    }
    keep_all(d);
    for (int round = 0; moved && round < ROUNDS; round++) {
        moved = false;
        for (size_t i = 0; i < d->n; i++)
            for (size_t j = i + 1; j < d->n; j++) moved |= part_boxes(d, i, j);
        keep_all(d); /* may push one onto another, which the next round parts */
    }
}

static zf_colour colour_of(const drawing *d, int kind, uint8_t alpha)
{
    zf_colour colour = d->of->n_kinds ? zf_palette((size_t)kind) : ZF_SOFT;
    colour.alpha = alpha;
    return colour;
}

static void draw_links(zf_scene *scene, const drawing *d)
{
    uint8_t alpha = d->n_links > 200 ? 120 : 200;
    for (size_t e = d->n_links; e-- > 0;) {
        const zf_link *link = &d->links[e];
        zf_point a = d->at[d->number[link->a]], b = d->at[d->number[link->b]];
        double width = 1 + 3 * fmin(fmax(link->weight, 0), 1);
        zf_scene_segment(scene, a.x, a.y, b.x, b.y,
                         (zf_stroke){colour_of(d, link->kind, alpha), width, 0});
    }
}

static void draw_nodes(zf_scene *scene, const drawing *d)
{
    static const zf_colour BLUE = {0x00, 0x72, 0xb2, 255};
    char line[160];
    for (size_t i = 0; i < d->n; i++) {
        zf_point at = d->at[i];
        if (!d->named) {
            zf_scene_circle(scene, at.x, at.y, RADIUS, zf_tint(BLUE, 0.7), ZF_NO_STROKE);
            continue;
        }
        zf_box box = {at.x - d->width[i] / 2, at.y - BOX_HEIGHT / 2, d->width[i], BOX_HEIGHT};
        zf_scene_box(scene, box, zf_tint(BLUE, 0.08), (zf_stroke){ZF_AXIS, 1, 0});
        zf_scene_text(
            scene, at.x, at.y + 0.36 * ZF_LABEL_SIZE,
            zf_text_shorten(line, sizeof line, d->of->names[d->node[i]], ZF_LABEL_SIZE, NAME_MOST),
            zf_plot_type_of(ZF_LABEL_SIZE, ZF_INK, ZF_MIDDLE));
    }
}

/* The kinds that occur. */
static void draw_key(zf_page *page, const drawing *d)
{
    double x = page->left, y = page->top + 6;
    bool any = false;
    for (size_t k = 0; k < d->of->n_kinds; k++) {
        bool occurs = false;
        for (size_t e = 0; e < d->n_links && !occurs; e++) occurs = d->links[e].kind == (int)k;
        if (!occurs) continue;
        double width = 30 + zf_text_width(d->of->kinds[k], ZF_TICK_SIZE) + 24;
        if (any && x + width > page->right) x = page->left, y += 18;
        zf_scene_segment(&page->scene, x, y, x + 22, y,
                         (zf_stroke){colour_of(d, (int)k, 255), 3, 0});
        zf_scene_text(&page->scene, x + 30, y + 0.36 * ZF_TICK_SIZE, d->of->kinds[k],
                      zf_plot_type_of(ZF_TICK_SIZE, ZF_INK, ZF_START));
        x += width;
        any = true;
    }
    if (any) page->top = y + 14;
}

static void say(zf_page *page, const char *text)
{
    zf_box box = {page->left, page->top, page->right - page->left, 0};
    page->top = 4 + zf_page_paragraph(&page->scene, box, text,
                                      zf_plot_type_of(ZF_TICK_SIZE, ZF_SOFT, ZF_START));
}

/* Nodes without a link, by name as far as there is room. */
static void say_alone(zf_page *page, const drawing *d)
{
    char text[4096];
    size_t alone = d->of->n - d->n, said = 0, length;
    if (alone == 0) return;
    length = (size_t)snprintf(text, sizeof text, "Without an edge: ");
    for (size_t i = 0; i < d->of->n && said < MOST_ALONE; i++) {
        if (d->number[i] != SIZE_MAX) continue;
        char line[80];
        length += (size_t)snprintf(
            text + length, sizeof text - length, "%s%s", said ? ", " : "",
            zf_text_shorten(line, sizeof line, d->of->names[i], ZF_TICK_SIZE, NAME_MOST));
        said++;
    }
    if (said < alone) snprintf(text + length, sizeof text - length, " and %zu more", alone - said);
    say(page, text);
}

static void draw(zf_page *page, drawing *d)
{
    double height = fmin(fmax(HEIGHT_A_NODE * (double)d->n, HEIGHT_LEAST), HEIGHT_MOST);
    d->room = (zf_box){page->left, page->top, page->right - page->left, height};
    if (d->n) {
        place(d);
        draw_links(&page->scene, d);
        draw_nodes(&page->scene, d);
        page->top += height + 12;
        draw_key(page, d);
    }
    if (d->n_links < d->of->n_links) {
        char text[120];
        snprintf(text, sizeof text, "The strongest %zu of %zu edges.", d->n_links, d->of->n_links);
        say(page, text);
    }
    if (d->n && !d->named) {
        char text[120];
        snprintf(text, sizeof text, "%zu nodes are drawn without names: these fit up to %d.", d->n,
                 MOST_NAMED);
        say(page, text);
    }
    say_alone(page, d);
}

zf_status zf_plot_graph(const char *path, const zf_figure *figure, const zf_graph_drawing *of)
{
    drawing d = {.of = of};
    zf_page page;
    ZF_TRY(check(path, of));
    zf_status status = choose(&d);
    if (status == ZF_OK) status = lay_out(&d);
    if (status == ZF_OK) status = zf_page_begin(&page, figure);
    if (status == ZF_OK) {
        draw(&page, &d);
        status = zf_page_finish(&page, figure, path);
    }
    zf_arena_free(&d.arena);
    return status;
}
