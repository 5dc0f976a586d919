/* Title, caption and files. Both files are made in memory first, then written,
   then put into place, so that a fault on the way leaves neither. */
#include "plot/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "io/file.h"
#include "plot/bytes.h"
#include "plot/font.h"
#include "plot/png.h"
#include "plot/style.h"
#include "plot/svg.h"

enum { DEFAULT_WIDTH = 800, LEAST_WIDTH = 200, MOST_WIDTH = 4000, MOST_LINES = 12 };

static const double PNG_SCALE = 2;

double zf_page_paragraph(zf_scene *scene, zf_box box, const char *text, zf_plot_type type)
{
    char line[512];
    double y = box.y;
    for (int lines = 0; text && *text && lines < MOST_LINES; lines++) {
        const char *rest;
        size_t n = zf_text_break(text, type.size, box.width, &rest);
        if (n >= sizeof line) n = sizeof line - 1;
        memcpy(line, text, n);
        line[n] = '\0';
        zf_scene_text(scene, box.x, y + type.size, line, type);
        y += 1.35 * type.size;
        text = rest;
    }
    return y;
}

zf_status zf_page_begin(zf_page *page, const zf_figure *figure)
{
    int width = figure->width ? figure->width : DEFAULT_WIDTH;
    if (width < LEAST_WIDTH || width > MOST_WIDTH)
        return zf_fail(ZF_EINVAL, "figure: width is %d, expected %d to %d", width, LEAST_WIDTH,
                       MOST_WIDTH);
    *page = (zf_page){.scene = zf_scene_new(width, 0),
                      .left = ZF_PAGE_MARGIN,
                      .right = width - ZF_PAGE_MARGIN,
                      .top = ZF_PAGE_MARGIN};
    page->scene.title = figure->title;
    zf_box box = {page->left, page->top, page->right - page->left, 0};
    if (figure->title && *figure->title)
        page->top = 8 + zf_page_paragraph(&page->scene, box, figure->title,
                                          zf_plot_type_of(ZF_TITLE_SIZE, ZF_INK, ZF_START));
    return ZF_OK;
}

int zf_page_columns(const zf_figure *figure, size_t n)
{
    size_t columns = figure->columns > 0 ? (size_t)figure->columns : n <= 3 ? n : n == 4 ? 2 : 3;
    return (int)(columns < n ? columns : n);
}

/* One file on its way: made in memory, then written. */
typedef struct output {
    char *path;
    zf_bytes bytes;
    zf_file *file;
} output;

static bool has_suffix(const char *path, const char *suffix)
{
    size_t n = strlen(path), m = strlen(suffix);
    return n > m && strcasecmp(path + n - m, suffix) == 0;
}

/* Makes the file of that suffix and opens it, unless path asks for the other one. */
static zf_status prepare(output *out, const zf_scene *scene, const char *path, const char *suffix,
                         const char *other)
{
    bool named = has_suffix(path, suffix);
    if (!named && has_suffix(path, other)) return ZF_OK;
    size_t room = strlen(path) + strlen(suffix) + 1;
    out->path = malloc(room);
    if (!out->path) return zf_fail_memory(room);
    snprintf(out->path, room, "%s%s", path, named ? "" : suffix);
    if (strcmp(suffix, ".svg") == 0)
        ZF_TRY(zf_svg_write(&out->bytes, scene));
    else
        ZF_TRY(zf_png_write(&out->bytes, scene, PNG_SCALE));
    ZF_TRY(zf_file_create(&out->file, out->path));
    return zf_file_write(out->file, out->bytes.data, out->bytes.n);
}

static zf_status commit(output *out)
{
    zf_file *file = out->file;
    out->file = NULL;
    return file ? zf_file_commit(file) : ZF_OK;
}

static zf_status write_files(const zf_scene *scene, const char *path)
{
    output svg = {0}, png = {0};
    zf_status status = prepare(&svg, scene, path, ".svg", ".png");
    if (status == ZF_OK) status = prepare(&png, scene, path, ".png", ".svg");
    if (status == ZF_OK) status = commit(&svg);
    if (status == ZF_OK) status = commit(&png);
    output *both[] = {&svg, &png};
    for (int i = 0; i < 2; i++) {
        zf_file_drop(both[i]->file);
        free(both[i]->bytes.data);
        free(both[i]->path);
    }
    return status;
}

/* The SVG element alone, in memory. */
static zf_status give_element(const zf_scene *scene, char **svg)
{
    zf_bytes bytes = {0};
    zf_status status = zf_svg_write_element(&bytes, scene);
    if (status == ZF_OK)
        *svg = (char *)bytes.data;
    else
        free(bytes.data);
    return status;
}

zf_status zf_page_finish(zf_page *page, const zf_figure *figure, const char *path)
{
    zf_scene *scene = &page->scene;
    zf_box box = {page->left, page->top + 6, page->right - page->left, 0};
    if (figure->caption && *figure->caption)
        page->top = zf_page_paragraph(scene, box, figure->caption,
                                      zf_plot_type_of(ZF_CAPTION_SIZE, ZF_SOFT, ZF_START));
    scene->height = page->top + ZF_PAGE_MARGIN - 2;
    zf_status status = zf_scene_status(scene);
    if (status == ZF_OK && figure->svg)
        status = give_element(scene, figure->svg);
    else if (status == ZF_OK)
        status = write_files(scene, path);
    zf_scene_free(scene);
    return status;
}
