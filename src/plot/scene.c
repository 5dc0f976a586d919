/* The list of things to draw; all of it lives in the scene's arena. */
#include "plot/scene.h"

#include <math.h>
#include <string.h>

zf_scene zf_scene_new(double width, double height)
{
    return (zf_scene){.width = width, .height = height};
}

static void *take(zf_scene *scene, const void *from, size_t bytes)
{
    if (scene->status != ZF_OK) return NULL;
    void *copy = zf_arena_get(&scene->arena, bytes);
    if (!copy)
        scene->status = ZF_ENOMEM;
    else if (from)
        memcpy(copy, from, bytes);
    return copy;
}

/* A new item at the end of the list, NULL if it cannot or need not be drawn. */
static zf_item *add(zf_scene *scene, zf_item_kind kind, const zf_point *points, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(points[i].x) || !isfinite(points[i].y)) return NULL;
    zf_item *item = take(scene, NULL, sizeof *item);
    zf_point *copy = item ? take(scene, points, n * sizeof *points) : NULL;
    if (!copy) return NULL;
    item->kind = kind;
    item->points = copy;
    item->n = n;
    if (scene->last)
        scene->last->next = item;
    else
        scene->first = item;
    scene->last = item;
    return item;
}

void zf_scene_line(zf_scene *scene, const zf_point *points, size_t n, zf_stroke stroke)
{
    if (n < 2 || stroke.width <= 0) return;
    zf_item *item = add(scene, ZF_ITEM_LINE, points, n);
    if (item) item->stroke = stroke;
}

void zf_scene_segment(zf_scene *scene, double x1, double y1, double x2, double y2, zf_stroke stroke)
{
    zf_scene_line(scene, (zf_point[]){{x1, y1}, {x2, y2}}, 2, stroke);
}

void zf_scene_polygon(zf_scene *scene, const zf_point *points, size_t n, zf_colour fill)
{
    if (n < 3) return;
    zf_item *item = add(scene, ZF_ITEM_POLYGON, points, n);
    if (item) item->fill = fill;
}

void zf_scene_box(zf_scene *scene, zf_box box, zf_colour fill, zf_stroke stroke)
{
    double right = box.x + box.width, bottom = box.y + box.height;
    zf_point corners[] = {{box.x, box.y}, {right, box.y}, {right, bottom}, {box.x, bottom}};
    zf_item *item = add(scene, ZF_ITEM_POLYGON, corners, 4);
    if (!item) return;
    item->fill = fill;
    item->stroke = stroke;
}

void zf_scene_circle(zf_scene *scene, double x, double y, double radius, zf_colour fill,
                     zf_stroke stroke)
{
    if (!isfinite(radius) || radius <= 0) return;
    zf_item *item = add(scene, ZF_ITEM_CIRCLE, &(zf_point){x, y}, 1);
    if (!item) return;
    item->radius = radius;
    item->fill = fill;
    item->stroke = stroke;
}

void zf_scene_text(zf_scene *scene, double x, double y, const char *text, zf_plot_type type)
{
    if (!text || !*text) return;
    const char *copy = take(scene, text, strlen(text) + 1);
    zf_item *item = copy ? add(scene, ZF_ITEM_TEXT, &(zf_point){x, y}, 1) : NULL;
    if (!item) return;
    item->text = copy;
    item->type = type;
}

void zf_scene_image(zf_scene *scene, zf_box box, const zf_colour *cells, int columns, int rows)
{
    if (columns < 1 || rows < 1 || box.width <= 0 || box.height <= 0) return;
    zf_point corners[] = {{box.x, box.y}, {box.x + box.width, box.y + box.height}};
    zf_colour *copy = take(scene, cells, (size_t)columns * (size_t)rows * sizeof *cells);
    zf_item *item = copy ? add(scene, ZF_ITEM_IMAGE, corners, 2) : NULL;
    if (!item) return;
    item->cells = copy;
    item->columns = columns;
    item->rows = rows;
}

zf_status zf_scene_status(const zf_scene *scene)
{
    return scene->status;
}

void zf_scene_free(zf_scene *scene)
{
    zf_arena_free(&scene->arena);
    scene->first = scene->last = NULL;
}
