/* As Fruchterman and Reingold (1991) do it: edges pull, all nodes push, and the steps grow
   shorter. It starts from a ring, so that the figure is a function of the graph; a weak pull
   to the middle keeps parts without an edge between them together. */
#include "plot/layout.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

enum { ROUNDS = 300, MANY_NODES = 300 };

static const double TURN = 6.283185307179586;

zf_point zf_layout_ring(size_t i, size_t n)
{
    double angle = TURN * (double)i / (double)n;
    return (zf_point){0.5 + 0.5 * sin(angle), 0.5 - 0.5 * cos(angle)};
}

typedef struct body {
    size_t n;
    zf_point *at, *push;
    double reach; /* the distance at which two joined nodes rest */
} body;

static zf_point apart(const body *b, size_t i, size_t j, double *distance)
{
    zf_point d = {b->at[i].x - b->at[j].x, b->at[i].y - b->at[j].y};
    *distance = fmax(hypot(d.x, d.y), 1e-4);
    return d;
}

/* Moves i along d and j against it. */
static void part(body *b, size_t i, size_t j, zf_point d, double force)
{
    b->push[i].x += d.x * force;
    b->push[i].y += d.y * force;
    b->push[j].x -= d.x * force;
    b->push[j].y -= d.y * force;
}

static void push_apart(body *b)
{
    for (size_t i = 0; i < b->n; i++)
        for (size_t j = i + 1; j < b->n; j++) {
            double distance;
            zf_point d = apart(b, i, j, &distance);
            part(b, i, j, d, b->reach * b->reach / (distance * distance));
        }
}

static void pull_together(body *b, const zf_spring *springs, size_t n)
{
    for (size_t e = 0; e < n; e++) {
        double distance;
        zf_point d = apart(b, springs[e].a, springs[e].b, &distance);
        part(b, springs[e].a, springs[e].b, d, -distance / b->reach * fmin(springs[e].strength, 1));
    }
}

static void move(body *b, double longest)
{
    for (size_t i = 0; i < b->n; i++) {
        zf_point p = {b->push[i].x + 0.3 * (0.5 - b->at[i].x),
                      b->push[i].y + 0.3 * (0.5 - b->at[i].y)};
        double length = fmax(hypot(p.x, p.y), 1e-9), step = fmin(length, longest);
        b->at[i].x += p.x / length * step;
        b->at[i].y += p.y / length * step;
        b->push[i] = (zf_point){0, 0};
    }
}

static void stretch(zf_point *at, size_t n)
{
    zf_point low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++) {
        low = (zf_point){fmin(low.x, at[i].x), fmin(low.y, at[i].y)};
        high = (zf_point){fmax(high.x, at[i].x), fmax(high.y, at[i].y)};
    }
    double width = fmax(high.x - low.x, 1e-6), height = fmax(high.y - low.y, 1e-6);
    for (size_t i = 0; i < n; i++)
        at[i] = (zf_point){(at[i].x - low.x) / width, (at[i].y - low.y) / height};
}

zf_status zf_layout_springs(zf_point *places, size_t n, const zf_spring *springs, size_t n_springs)
{
    body b = {.n = n, .at = places, .push = calloc(n + 1, sizeof *b.push)};
    if (!b.push) return zf_fail_memory(n * sizeof *b.push);
    for (size_t i = 0; i < n; i++) places[i] = zf_layout_ring(i, n);
    b.reach = n ? 0.7 / sqrt((double)n) : 1;
    int rounds = n > MANY_NODES ? ROUNDS / 3 : ROUNDS;
    for (int round = 0; round < rounds; round++) {
        push_apart(&b);
        pull_together(&b, springs, n_springs);
        move(&b, 0.1 * (1 - (double)round / rounds) + 1e-3);
    }
    stretch(places, n);
    free(b.push);
    return ZF_OK;
}
