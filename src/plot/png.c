/* Draws a scene into pixels and hands them to libpng. Its simplified
   interface is enough, and reports faults without longjmp. */
#include "plot/png.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "plot/coverage.h"
#include "plot/outline.h"
#include "plot/palette.h"

typedef struct canvas {
    int width, height;
    double scale;
    uint8_t *rgb;
    zf_coverage *coverage;
    zf_point *points; /* of the item being drawn, in pixels */
} canvas;

/* Colour at a place of a row of cells, averaged over [from, to) in cells: the
   share of each cell is its overlap. */
static void average(double sum[3], const zf_colour *cells, size_t step, double from, double to,
                    double weight)
{
    for (int i = (int)from; i < to; i++) {
        double share = weight * (fmin(i + 1, to) - fmax(i, from)) / (to - from);
        const zf_colour *cell = cells + (size_t)i * step;
        sum[0] += share * cell->red;
        sum[1] += share * cell->green;
        sum[2] += share * cell->blue;
    }
}

/* The part of [0, count) that pixel i of an image shows. */
static void window(double *from, double *to, int i, double start, double end, int count)
{
    double cells = count / (end - start);
    *from = fmin(fmax((i - start) * cells, 0), count);
    *to = fmin(fmax((i + 1 - start) * cells, 0), count);
}

/* Every pixel gets the mean of the cells below it, so that cells keep their
   sizes when they are not a whole number of pixels. */
static void draw_image(canvas *c, const zf_item *item)
{
    zf_point a = c->points[0], b = c->points[1];
    int top = (int)fmax(floor(a.y), 0), bottom = (int)fmin(ceil(b.y), c->height);
    int left = (int)fmax(floor(a.x), 0), right = (int)fmin(ceil(b.x), c->width);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            double x1, x2, y1, y2, sum[3] = {0, 0, 0};
            window(&x1, &x2, x, a.x, b.x, item->columns);
            window(&y1, &y2, y, a.y, b.y, item->rows);
            if (!(x1 < x2) || !(y1 < y2)) continue;
            for (int row = (int)y1; row < y2; row++) {
                double weight = (fmin(row + 1, y2) - fmax(row, y1)) / (y2 - y1);
                average(sum, item->cells + (size_t)row * (size_t)item->columns, 1, x1, x2, weight);
            }
            uint8_t *pixel = c->rgb + 3 * ((size_t)y * (size_t)c->width + (size_t)x);
            for (int i = 0; i < 3; i++) pixel[i] = (uint8_t)(sum[i] + 0.5);
        }
}

static void paint(canvas *c, zf_colour colour)
{
    zf_coverage_paint(c->coverage, c->rgb, colour);
}

static void draw_polygon(canvas *c, const zf_item *item)
{
    if (item->fill.alpha) {
        zf_outline_polygon(c->coverage, c->points, item->n);
        paint(c, item->fill);
    }
    if (item->stroke.width <= 0) return;
    double width = item->stroke.width * c->scale;
    c->points[item->n] = c->points[0]; /* there is room for one more */
    zf_outline_line(c->coverage, c->points, item->n + 1, width, item->stroke.dash * c->scale);
    for (size_t i = 0; i < item->n; i++)
        zf_outline_disc(c->coverage, c->points[i], width / 2, false);
    paint(c, item->stroke.colour);
}

static void draw_circle(canvas *c, const zf_item *item)
{
    double radius = item->radius * c->scale, half = item->stroke.width * c->scale / 2;
    if (item->fill.alpha) {
        zf_outline_disc(c->coverage, c->points[0], radius, false);
        paint(c, item->fill);
    }
    if (half <= 0) return;
    zf_outline_disc(c->coverage, c->points[0], radius + half, false);
    if (radius > half) zf_outline_disc(c->coverage, c->points[0], radius - half, true);
    paint(c, item->stroke.colour);
}

static void draw_text(canvas *c, const zf_item *item)
{
    zf_plot_type type = item->type;
    type.size *= c->scale;
    zf_outline_text(c->coverage, c->points[0], item->text, type);
    paint(c, type.colour);
}

static void draw(canvas *c, const zf_item *item)
{
    for (size_t i = 0; i < item->n; i++)
        c->points[i] = (zf_point){item->points[i].x * c->scale, item->points[i].y * c->scale};
    switch (item->kind) {
    case ZF_ITEM_LINE:
        zf_outline_line(c->coverage, c->points, item->n, item->stroke.width * c->scale,
                        item->stroke.dash * c->scale);
        paint(c, item->stroke.colour);
        break;
    case ZF_ITEM_POLYGON:
        draw_polygon(c, item);
        break;
    case ZF_ITEM_CIRCLE:
        draw_circle(c, item);
        break;
    case ZF_ITEM_TEXT:
        draw_text(c, item);
        break;
    case ZF_ITEM_IMAGE:
        draw_image(c, item);
        break;
    }
}

static zf_status prepare(canvas *c, const zf_scene *scene)
{
    size_t most = 1, pixels = (size_t)c->width * (size_t)c->height;
    for (const zf_item *item = scene->first; item; item = item->next)
        if (item->n > most) most = item->n;
    c->rgb = malloc(3 * pixels);
    c->points = malloc((most + 1) * sizeof *c->points);
    if (!c->rgb || !c->points) return zf_fail_memory(3 * pixels);
    memset(c->rgb, 255, 3 * pixels);
    return zf_coverage_new(&c->coverage, c->width, c->height);
}

zf_status zf_png_write(zf_bytes *bytes, const zf_scene *scene, double scale)
{
    double width = ceil(scene->width * scale), height = ceil(scene->height * scale);
    if (!(width >= 1 && width <= ZF_PNG_SIDE && height >= 1 && height <= ZF_PNG_SIDE))
        return zf_fail(ZF_EINVAL, "a figure of %.0f x %.0f pixels: expected 1 to %d a side", width,
                       height, ZF_PNG_SIDE);
    canvas c = {.width = (int)width, .height = (int)height, .scale = scale};
    zf_status status = prepare(&c, scene);
    if (status == ZF_OK) {
        for (const zf_item *item = scene->first; item; item = item->next) draw(&c, item);
        status = zf_png_pack(bytes, c.rgb, c.width, c.height);
    }
    free(c.rgb);
    free(c.points);
    zf_coverage_free(c.coverage);
    return status;
}

zf_status zf_png_pack(zf_bytes *bytes, const uint8_t *rgb, int width, int height)
{
    zf_colour_table table = {.count = 0};
    uint8_t *indices;
    ZF_TRY(zf_colour_index(&indices, &table, rgb, (size_t)width * (size_t)height));
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = indices ? PNG_FORMAT_RGB_COLORMAP : PNG_FORMAT_RGB,
                       .colormap_entries = indices ? (png_uint_32)table.count : 0};
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    unsigned char *end = zf_bytes_reserve(bytes, size);
    const void *pixels = indices ? indices : rgb;
    if (end && png_image_write_to_memory(&image, end, &size, 0, pixels, 0, table.colour))
        bytes->n += size;
    else if (end)
        bytes->status = zf_fail(ZF_ENOMEM, "out of memory for a figure: libpng: %s", image.message);
    free(indices);
    return bytes->status;
}
