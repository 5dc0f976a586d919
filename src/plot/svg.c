/* SVG 1.1 by hand: a handful of elements.

   A matrix becomes an embedded image rather than a rectangle a cell: a hundred
   variables would make ten thousand rectangles, and viewers draw hair lines
   between them. Its cells are blown up first, because viewers disagree about
   whether to smooth an image.

   Text stays text, in whichever sans-serif font the viewer has, so that it can be
   searched, copied and read aloud; it is told how long it was laid out to be, so
   that a wider font runs over nothing. Text with characters that the built-in
   font lacks has no length worth telling. */
#include "plot/svg.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "plot/font.h"
#include "plot/png.h"

enum { IMAGE_SIDE = 640 }; /* an image is blown up to about this many pixels */

static void attribute(zf_bytes *out, const char *name, double value)
{
    zf_bytes_text(out, " ");
    zf_bytes_text(out, name);
    zf_bytes_text(out, "=\"");
    zf_bytes_number(out, value);
    zf_bytes_text(out, "\"");
}

/* name="#rrggbb", and its opacity where it is not opaque. */
static void colour_attribute(zf_bytes *out, const char *name, zf_colour colour)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t parts[3] = {colour.red, colour.green, colour.blue};
    char text[8] = "#";
    for (int i = 0; i < 3; i++) {
        text[1 + 2 * i] = digits[parts[i] >> 4];
        text[2 + 2 * i] = digits[parts[i] & 15];
    }
    zf_bytes_text(out, " ");
    zf_bytes_text(out, name);
    zf_bytes_text(out, "=\"");
    zf_bytes_text(out, colour.alpha ? text : "none");
    zf_bytes_text(out, "\"");
    if (colour.alpha == 0 || colour.alpha == 255) return;
    zf_bytes_text(out, " ");
    zf_bytes_text(out, name);
    zf_bytes_text(out, "-opacity=\"");
    zf_bytes_number(out, colour.alpha / 255.0);
    zf_bytes_text(out, "\"");
}

static void stroke_attributes(zf_bytes *out, zf_stroke stroke)
{
    if (stroke.width <= 0) return;
    colour_attribute(out, "stroke", stroke.colour);
    attribute(out, "stroke-width", stroke.width);
    if (stroke.dash > 0) attribute(out, "stroke-dasharray", stroke.dash);
}

/* One character, as XML wants it. */
static void character(zf_bytes *out, unsigned code)
{
    unsigned char utf8[4];
    size_t n = 0;
    switch (code) {
    case '&':
        zf_bytes_text(out, "&amp;");
        return;
    case '<':
        zf_bytes_text(out, "&lt;");
        return;
    case '>':
        zf_bytes_text(out, "&gt;");
        return;
    case '"':
        zf_bytes_text(out, "&quot;");
        return;
    }
    if (code < 0x80) {
        utf8[n++] = (unsigned char)code;
    } else {
        int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        static const unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
        utf8[n++] = (unsigned char)(lead[more] | code >> (6 * more));
        while (more-- > 0) utf8[n++] = (unsigned char)(0x80 | (code >> (6 * more) & 0x3F));
    }
    zf_bytes_add(out, utf8, n);
}

static void escaped(zf_bytes *out, const char *text)
{
    while (*text) character(out, zf_text_next(&text));
}

static void write_path(zf_bytes *out, const zf_item *item)
{
    zf_bytes_text(out, "<path d=\"");
    for (size_t i = 0; i < item->n; i++) {
        zf_bytes_text(out, i == 0 ? "M" : i == 1 ? "L" : " ");
        zf_bytes_number(out, item->points[i].x);
        zf_bytes_text(out, ",");
        zf_bytes_number(out, item->points[i].y);
    }
    zf_bytes_text(out, item->kind == ZF_ITEM_POLYGON ? "z\"" : "\"");
    colour_attribute(out, "fill", item->fill);
    stroke_attributes(out, item->stroke);
    zf_bytes_text(out, "/>\n");
}

static void write_circle(zf_bytes *out, const zf_item *item)
{
    zf_bytes_text(out, "<circle");
    attribute(out, "cx", item->points[0].x);
    attribute(out, "cy", item->points[0].y);
    attribute(out, "r", item->radius);
    colour_attribute(out, "fill", item->fill);
    stroke_attributes(out, item->stroke);
    zf_bytes_text(out, "/>\n");
}

static void write_text(zf_bytes *out, const zf_item *item)
{
    static const char *const anchors[] = {[ZF_START] = "",
                                          [ZF_MIDDLE] = " text-anchor=\"middle\"",
                                          [ZF_END] = " text-anchor=\"end\""};
    zf_point at = item->points[0];
    zf_bytes_text(out, "<text");
    attribute(out, "x", at.x);
    attribute(out, "y", at.y);
    attribute(out, "font-size", item->type.size);
    zf_bytes_text(out, anchors[item->type.anchor]);
    if (zf_text_known(item->text)) {
        attribute(out, "textLength", zf_text_width(item->text, item->type.size));
        zf_bytes_text(out, " lengthAdjust=\"spacingAndGlyphs\"");
    }
    colour_attribute(out, "fill", item->type.colour);
    if (item->type.turn != 0) {
        zf_bytes_text(out, " transform=\"rotate(");
        zf_bytes_number(out, -item->type.turn);
        zf_bytes_text(out, " ");
        zf_bytes_number(out, at.x);
        zf_bytes_text(out, " ");
        zf_bytes_number(out, at.y);
        zf_bytes_text(out, ")\"");
    }
    zf_bytes_text(out, ">");
    escaped(out, item->text);
    zf_bytes_text(out, "</text>\n");
}

static void base64(zf_bytes *out, const unsigned char *data, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        unsigned long bits = (unsigned long)data[i] << 16;
        if (i + 1 < n) bits |= (unsigned long)data[i + 1] << 8;
        if (i + 2 < n) bits |= data[i + 2];
        char four[4] = {digits[bits >> 18], digits[bits >> 12 & 63],
                        i + 1 < n ? digits[bits >> 6 & 63] : '=',
                        i + 2 < n ? digits[bits & 63] : '='};
        zf_bytes_add(out, four, 4);
    }
}

/* The cells as a PNG, each a square of side pixels. */
static zf_status pack_cells(zf_bytes *png, const zf_item *item, int side)
{
    size_t width = (size_t)item->columns * (size_t)side, height = (size_t)item->rows * (size_t)side;
    uint8_t *rgb = malloc(3 * width * height), *pixel = rgb;
    if (!rgb) return zf_fail_memory(3 * width * height);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++, pixel += 3) {
            size_t column = x / (size_t)side, row = y / (size_t)side;
            const zf_colour *cell = &item->cells[row * (size_t)item->columns + column];
            pixel[0] = cell->red;
            pixel[1] = cell->green;
            pixel[2] = cell->blue;
        }
    zf_status status = zf_png_pack(png, rgb, (int)width, (int)height);
    free(rgb);
    return status;
}

static void write_image(zf_bytes *out, const zf_item *item)
{
    int larger = item->columns > item->rows ? item->columns : item->rows;
    zf_bytes png = {0};
    zf_status status = pack_cells(&png, item, 1 + IMAGE_SIDE / larger);
    zf_point a = item->points[0], b = item->points[1];
    zf_bytes_text(out, "<image");
    attribute(out, "x", a.x);
    attribute(out, "y", a.y);
    attribute(out, "width", b.x - a.x);
    attribute(out, "height", b.y - a.y);
    zf_bytes_text(out, " preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\""
                       " xlink:href=\"data:image/png;base64,");
    base64(out, png.data, png.n);
    zf_bytes_text(out, "\"/>\n");
    free(png.data);
    if (out->status == ZF_OK) out->status = status;
}

/* From the box to the title: what a file and an element have in common. */
static void write_opening(zf_bytes *out, const zf_scene *scene)
{
    zf_bytes_text(out, " viewBox=\"0 0 ");
    zf_bytes_number(out, scene->width);
    zf_bytes_text(out, " ");
    zf_bytes_number(out, scene->height);
    zf_bytes_text(out, "\" role=\"img\" stroke-linejoin=\"round\""
                       " font-family=\"Arial, Helvetica, sans-serif\">\n");
    if (!scene->title) return;
    zf_bytes_text(out, "<title>");
    escaped(out, scene->title);
    zf_bytes_text(out, "</title>\n");
}

static void write_items(zf_bytes *bytes, const zf_scene *scene)
{
    for (const zf_item *item = scene->first; item; item = item->next) switch (item->kind) {
        case ZF_ITEM_LINE:
        case ZF_ITEM_POLYGON:
            write_path(bytes, item);
            break;
        case ZF_ITEM_CIRCLE:
            write_circle(bytes, item);
            break;
        case ZF_ITEM_TEXT:
            write_text(bytes, item);
            break;
        case ZF_ITEM_IMAGE:
            write_image(bytes, item);
            break;
        }
    zf_bytes_text(bytes, "</svg>\n");
}

zf_status zf_svg_write(zf_bytes *bytes, const zf_scene *scene)
{
    zf_bytes_text(bytes, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                         "<svg xmlns=\"http://www.w3.org/2000/svg\""
                         " xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\"");
    attribute(bytes, "width", scene->width);
    attribute(bytes, "height", scene->height);
    write_opening(bytes, scene);
    zf_bytes_text(bytes, "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    write_items(bytes, scene);
    return bytes->status;
}

zf_status zf_svg_write_element(zf_bytes *bytes, const zf_scene *scene)
{
    zf_bytes_text(bytes, "<svg");
    write_opening(bytes, scene);
    write_items(bytes, scene);
    zf_bytes_add(bytes, "", 1);
    return bytes->status;
}
