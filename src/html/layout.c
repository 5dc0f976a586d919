/* Where the nodes of the figure stand. A ring and a grid follow from what the model
   knows of its columns; other graphs are laid out by springs (plot/layout.h). */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "html/drawing.h"
#include "plot/layout.h"

static void place_on_ring(zf_html_drawing *g)
{
    size_t k = 0;
    for (int i = 0; i < g->variables; i++) {
        if (!g->drawn[i]) continue;
        zf_point at = zf_layout_ring(k++, (size_t)g->n_drawn);
        g->place[i] = (zf_html_place){at.x, at.y};
    }
}

static void place_on_grid(zf_html_drawing *g, int side)
{
    double step = side > 1 ? 1.0 / (side - 1) : 0;
    for (int i = 0; i < g->variables; i++)
        g->place[i] = (zf_html_place){step * (i % side), step * (double)(i / side)};
}

/* The edges that the figure begins with; number: of a variable among those drawn. */
static size_t list_springs(zf_spring *to, const zf_html_drawing *g, const size_t *number)
{
    size_t n = 0;
    for (int e = 0; e < g->n_edges; e++) {
        const zf_html_edge *edge = &g->edges[e];
        if (!edge->on) continue;
        double strength = g->decided ? 0.5 + edge->weight / 2 : edge->weight;
        to[n++] = (zf_spring){number[edge->a], number[edge->b], strength};
    }
    return n;
}

/* Nodes without an edge stand in rows below the others, which they would push together;
   deep is where these end. */
static void place_lonely(zf_html_drawing *g, const bool *joined, int lonely, double deep)
{
    enum { ROW = 8, ROWS_MOST = 8 };
    int across = lonely > ROW * ROWS_MOST ? (lonely + ROWS_MOST - 1) / ROWS_MOST : ROW, k = 0;
    int rows = (lonely + across - 1) / across;
    for (int i = 0; i < g->variables; i++) {
        if (!g->drawn[i] || joined[i]) continue;
        double down = (double)(k / across + 1) / rows;
        g->place[i] = (zf_html_place){(k % across + 0.5) / across, deep + (1 - deep) * down};
        k++;
    }
}

static zf_status place_by_springs(zf_html_drawing *g)
{
    size_t n = 0, variables = (size_t)g->variables, *number = calloc(variables, sizeof *number);
    zf_point *at = calloc(variables, sizeof *at);
    zf_spring *springs = calloc((size_t)g->n_edges + 1, sizeof *springs);
    bool *joined = calloc(variables, sizeof *joined);
    zf_status status =
        number && at && springs && joined ? ZF_OK : zf_fail_memory(variables * sizeof *at);
    for (int e = 0; status == ZF_OK && e < g->n_edges; e++)
        if (g->edges[e].on) joined[g->edges[e].a] = joined[g->edges[e].b] = true;
    for (int i = 0; status == ZF_OK && i < g->variables; i++)
        if (joined[i]) number[i] = n++;
    if (status == ZF_OK)
        status = zf_layout_springs(at, n, springs, list_springs(springs, g, number));
    if (status == ZF_OK) {
        int lonely = g->n_drawn - (int)n;
        double deep = fmax(1 - 0.08 * ((lonely + 7) / 8), 0.5);
        for (int i = 0; i < g->variables; i++)
            if (joined[i]) g->place[i] = (zf_html_place){at[number[i]].x, deep * at[number[i]].y};
        place_lonely(g, joined, lonely, deep);
    }
    free(number);
    free(at);
    free(springs);
    free(joined);
    return status;
}

zf_status zf_html_drawing_place(zf_html_drawing *drawing, zf_gate_kind kind, int side)
{
    bool grid = kind == ZF_GATE_CNN && side > 0, joined = false;
    for (int e = 0; e < drawing->n_edges; e++) joined |= drawing->edges[e].on;
    /* Without an edge there is nothing to tell places by. */
    if (zf_html_drawing_is_ring(kind) || (!grid && !joined)) {
        place_on_ring(drawing);
        return ZF_OK;
    }
    if (grid) {
        place_on_grid(drawing, side);
        return ZF_OK;
    }
    return place_by_springs(drawing);
}
