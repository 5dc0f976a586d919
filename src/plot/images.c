/* Images side by side: samples of data, views of them, what a network makes of
   them. A pixel is drawn as a square of whole pixels of the PNG, so that nothing
   is smoothed that was not. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "plot/font.h"
#include "plot/page.h"
#include "plot/style.h"

enum { MOST_SIZE = 1024, MOST_ROWS = 200, MOST_IMAGES = 100 };

static const double GAP = 6, HEADING = 24, CAPTION = 17, PER_UNIT = 2; /* pixels of a PNG */

static uint8_t shade(float value)
{
    return value > 0 ? (uint8_t)(255 * fminf(value, 1) + 0.5f) : 0;
}

static zf_status draw_image(zf_scene *scene, zf_box box, const float *image, int size)
{
    size_t plane = (size_t)size * (size_t)size;
    zf_colour *cells = malloc(plane * sizeof *cells);
    if (!cells) return zf_fail_memory(plane * sizeof *cells);
    for (size_t i = 0; i < plane; i++)
        cells[i] =
            (zf_colour){shade(image[i]), shade(image[plane + i]), shade(image[2 * plane + i]), 255};
    zf_scene_image(scene, box, cells, size, size);
    free(cells);
    return ZF_OK;
}

static void draw_line(zf_scene *scene, double x, double y, const char *text, double size,
                      double room, zf_colour colour)
{
    char line[200];
    zf_scene_text(scene, x, y + size, zf_text_shorten(line, sizeof line, text, size, room),
                  zf_plot_type_of(size, colour, ZF_START));
}

static zf_status draw_row(zf_page *page, const zf_image_row *row, int size, double side)
{
    if (row->title) {
        draw_line(&page->scene, page->left, page->top, row->title, ZF_PANEL_SIZE,
                  page->right - page->left, ZF_INK);
        page->top += HEADING;
    }
    for (size_t i = 0; i < row->n; i++) {
        zf_box box = {page->left + (double)i * (side + GAP), page->top, side, side};
        ZF_TRY(draw_image(&page->scene, box, row->images[i], size));
        if (row->captions)
            draw_line(&page->scene, box.x, page->top + side + 1, row->captions[i], ZF_TICK_SIZE,
                      side, ZF_SOFT);
    }
    page->top += side + GAP + (row->captions ? CAPTION : 0);
    return ZF_OK;
}

static zf_status check(const char *path, int size, const zf_image_row *rows, size_t n)
{
    if (size < 1 || size > MOST_SIZE)
        return zf_fail(ZF_EINVAL, "%s: images of %d pixels a side, expected 1 to %d", path, size,
                       MOST_SIZE);
    if (n < 1 || n > MOST_ROWS)
        return zf_fail(ZF_EINVAL, "%s: a figure of %zu rows, expected 1 to %d", path, n, MOST_ROWS);
    for (size_t r = 0; r < n; r++)
        if (rows[r].n < 1 || rows[r].n > MOST_IMAGES)
            return zf_fail(ZF_EINVAL, "%s: row %zu has %zu images, expected 1 to %d", path, r + 1,
                           rows[r].n, MOST_IMAGES);
    return ZF_OK;
}

zf_status zf_plot_images(const char *path, const zf_figure *figure, int size,
                         const zf_image_row *rows, size_t n_rows)
{
    zf_page page;
    size_t most = 1;
    ZF_TRY(check(path, size, rows, n_rows));
    ZF_TRY(zf_page_begin(&page, figure));
    page.top = ceil(page.top);
    for (size_t r = 0; r < n_rows; r++)
        if (rows[r].n > most) most = rows[r].n;
    double side = (page.right - page.left - GAP * (double)(most - 1)) / (double)most;
    double pixel = floor(PER_UNIT * fmin(side, 300) / size) / PER_UNIT;
    if (pixel > 0) side = pixel * size;
    zf_status status = ZF_OK;
    for (size_t r = 0; r < n_rows && status == ZF_OK; r++)
        status = draw_row(&page, &rows[r], size, fmax(side, 1));
    if (status == ZF_OK) return zf_page_finish(&page, figure, path);
    zf_scene_free(&page.scene);
    return status;
}
