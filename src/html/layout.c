/* Where the nodes of the picture stand.

   A ring and a grid follow from what the model knows of its columns. Other graphs
   are laid out as Fruchterman and Reingold (1991) do it: edges pull, all nodes
   push, and the steps grow shorter. It starts from a ring, so that the picture is
   a function of the graph; a weak pull to the middle keeps parts without an edge
   between them together. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "html/graph.h"

enum { ROUNDS = 300, MANY_NODES = 300 };

static const double TURN = 6.283185307179586;

/* In order, clockwise from the top. */
static void place_on_ring(zf_html_graph *g)
{
    int k = 0;
    for (int i = 0; i < g->features; i++) {
        if (!g->drawn[i]) continue;
        double angle = TURN * k++ / g->n_drawn;
        g->place[i] = (zf_html_place){0.5 + 0.5 * sin(angle), 0.5 - 0.5 * cos(angle)};
    }
}

static void place_on_grid(zf_html_graph *g, int side)
{
    double step = side > 1 ? 1.0 / (side - 1) : 0;
    for (int i = 0; i < g->features; i++)
        g->place[i] = (zf_html_place){step * (i % side), step * (double)(i / side)};
}

/* The drawn nodes, numbered one after another. */
typedef struct springs {
    int n;
    int *feature;
    int *number; /* of a feature */
    zf_html_place *at, *push;
    double reach; /* the distance at which two joined nodes rest */
} springs;

static zf_html_place apart(const springs *s, int i, int j, double *distance)
{
    zf_html_place d = {s->at[i].x - s->at[j].x, s->at[i].y - s->at[j].y};
    *distance = fmax(hypot(d.x, d.y), 1e-4);
    return d;
}

static void push_apart(springs *s)
{
    for (int i = 0; i < s->n; i++)
        for (int j = i + 1; j < s->n; j++) {
            double distance;
            zf_html_place d = apart(s, i, j, &distance);
            double force = s->reach * s->reach / (distance * distance);
            s->push[i].x += d.x * force;
            s->push[i].y += d.y * force;
            s->push[j].x -= d.x * force;
            s->push[j].y -= d.y * force;
        }
}

static void pull_together(springs *s, const zf_html_graph *g)
{
    for (int e = 0; e < g->n_edges; e++) {
        const zf_html_edge *edge = &g->edges[e];
        if ((double)edge->score < g->threshold) continue;
        double distance;
        int i = s->number[edge->a], j = s->number[edge->b];
        zf_html_place d = apart(s, i, j, &distance);
        double force = distance / s->reach * (double)fminf(edge->score, 1);
        s->push[i].x -= d.x * force;
        s->push[i].y -= d.y * force;
        s->push[j].x += d.x * force;
        s->push[j].y += d.y * force;
    }
}

static void move(springs *s, double longest)
{
    for (int i = 0; i < s->n; i++) {
        zf_html_place p = {s->push[i].x + 0.3 * (0.5 - s->at[i].x),
                           s->push[i].y + 0.3 * (0.5 - s->at[i].y)};
        double length = fmax(hypot(p.x, p.y), 1e-9), step = fmin(length, longest);
        s->at[i].x += p.x / length * step;
        s->at[i].y += p.y / length * step;
        s->push[i] = (zf_html_place){0, 0};
    }
}

/* Stretched to fill the unit square. */
static void keep(const springs *s, zf_html_graph *g)
{
    zf_html_place low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (int i = 0; i < s->n; i++) {
        low = (zf_html_place){fmin(low.x, s->at[i].x), fmin(low.y, s->at[i].y)};
        high = (zf_html_place){fmax(high.x, s->at[i].x), fmax(high.y, s->at[i].y)};
    }
    double width = fmax(high.x - low.x, 1e-6), height = fmax(high.y - low.y, 1e-6);
    for (int i = 0; i < s->n; i++)
        g->place[s->feature[i]] =
            (zf_html_place){(s->at[i].x - low.x) / width, (s->at[i].y - low.y) / height};
}

static zf_status place_by_springs(zf_html_graph *g)
{
    size_t room = (size_t)g->features;
    springs s = {.feature = malloc(room * sizeof *s.feature),
                 .number = malloc(room * sizeof *s.number),
                 .at = malloc(room * sizeof *s.at),
                 .push = calloc(room, sizeof *s.push)};
    zf_status status =
        s.feature && s.number && s.at && s.push ? ZF_OK : zf_fail_memory(room * sizeof *s.at);
    place_on_ring(g);
    for (int i = 0; i < g->features && status == ZF_OK; i++) {
        if (!g->drawn[i]) continue;
        s.feature[s.n] = i;
        s.number[i] = s.n;
        s.at[s.n++] = g->place[i];
    }
    if (status == ZF_OK && s.n > 0) {
        s.reach = 0.7 / sqrt((double)s.n);
        int rounds = s.n > MANY_NODES ? ROUNDS / 3 : ROUNDS;
        for (int round = 0; round < rounds; round++) {
            push_apart(&s);
            pull_together(&s, g);
            move(&s, 0.1 * (1 - (double)round / rounds) + 1e-3);
        }
        keep(&s, g);
    }
    free(s.feature);
    free(s.number);
    free(s.at);
    free(s.push);
    return status;
}

zf_status zf_html_graph_place(zf_html_graph *graph, zf_gate_kind kind, int side)
{
    if (zf_html_graph_is_ring(kind)) {
        place_on_ring(graph);
        return ZF_OK;
    }
    if (kind == ZF_GATE_CNN && side > 0) {
        place_on_grid(graph, side);
        return ZF_OK;
    }
    return place_by_springs(graph);
}
