/* A figure as a list of things to draw, in the order in which they cover each
   other, before it is decided what kind of file it becomes.

   The unit is the pixel of a screen (1/96 inch), x to the right and y down. The
   back ends are plot/svg.h and plot/png.h; both see the same list, so the two
   files of a figure show the same. Clipping is no business of the scene: who
   draws data cuts it to its frame.

   A failure (memory) is remembered and what comes after it is dropped, so that
   a figure is drawn without checks in between; zf_scene_status says at the end.
   Whatever has a coordinate that is not finite is left out. */
#ifndef ZF_PLOT_SCENE_H
#define ZF_PLOT_SCENE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "zeroflow/status.h"

typedef struct zf_point {
    double x, y;
} zf_point;

/* A box: its corner at the upper left, and its size. */
typedef struct zf_box {
    double x, y, width, height;
} zf_box;

/* alpha 0 is invisible, 255 opaque. */
typedef struct zf_colour {
    uint8_t red, green, blue, alpha;
} zf_colour;

#define ZF_NO_COLOUR ((zf_colour){0, 0, 0, 0})

/* A line's look. Dashes and gaps are dash long; 0 is a solid line, width 0 none. */
typedef struct zf_stroke {
    zf_colour colour;
    double width, dash;
} zf_stroke;

#define ZF_NO_STROKE ((zf_stroke){{0, 0, 0, 0}, 0, 0})

typedef enum zf_anchor { ZF_START, ZF_MIDDLE, ZF_END } zf_anchor;

/* How text is set: (x, y) is on its baseline, at its start, middle or end; turned
   by degrees about that point, counter-clockwise. */
typedef struct zf_plot_type {
    double size;
    zf_colour colour;
    zf_anchor anchor;
    double turn;
} zf_plot_type;

typedef enum zf_item_kind {
    ZF_ITEM_LINE,    /* through points */
    ZF_ITEM_POLYGON, /* around points, closed, not crossing itself */
    ZF_ITEM_CIRCLE,  /* about points[0], of a radius */
    ZF_ITEM_TEXT,    /* at points[0] */
    ZF_ITEM_IMAGE,   /* columns x rows cells of one colour each, between points[0] and [1] */
} zf_item_kind;

typedef struct zf_item {
    zf_item_kind kind;
    const zf_point *points;
    size_t n;
    double radius;
    zf_colour fill;
    zf_stroke stroke;
    const char *text;
    zf_plot_type type;
    const zf_colour *cells; /* row-major, from the top; opaque */
    int columns, rows;
    struct zf_item *next;
} zf_item;

typedef struct zf_scene {
    double width, height;
    const char *title; /* what the figure shows, for those who cannot see it */
    zf_item *first, *last;
    zf_arena arena;
    zf_status status;
} zf_scene;

/* {0} except for the size. */
zf_scene zf_scene_new(double width, double height);

/* Everything given is copied. */
void zf_scene_line(zf_scene *scene, const zf_point *points, size_t n, zf_stroke stroke);
void zf_scene_segment(zf_scene *scene, double x1, double y1, double x2, double y2,
                      zf_stroke stroke);
void zf_scene_polygon(zf_scene *scene, const zf_point *points, size_t n, zf_colour fill);
void zf_scene_box(zf_scene *scene, zf_box box, zf_colour fill, zf_stroke stroke);
void zf_scene_circle(zf_scene *scene, double x, double y, double radius, zf_colour fill,
                     zf_stroke stroke);
void zf_scene_text(zf_scene *scene, double x, double y, const char *text, zf_plot_type type);
void zf_scene_image(zf_scene *scene, zf_box box, const zf_colour *cells, int columns, int rows);

zf_status zf_scene_status(const zf_scene *scene) ZF_CHECK;

void zf_scene_free(zf_scene *scene);

#endif
