/* A PNG reader over libpng and a small XML checker. */
#include "raster.h"

#include <ctype.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/utf8.h"
#include "support.h"

raster raster_read(const char *path)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path)) fail_msg("%s: %s", path, image.message);
    image.format = PNG_FORMAT_RGB;
    raster p = {(int)image.width, (int)image.height, malloc(PNG_IMAGE_SIZE(image))};
    assert_non_null(p.rgb);
    if (!png_image_finish_read(&image, NULL, p.rgb, 0, NULL))
        fail_msg("%s: %s", path, image.message);
    return p;
}

unsigned raster_at(const raster *p, int x, int y)
{
    assert_in_range(x, 0, p->width - 1);
    assert_in_range(y, 0, p->height - 1);
    const uint8_t *pixel = p->rgb + 3 * ((size_t)y * (size_t)p->width + (size_t)x);
    return (unsigned)pixel[0] << 16 | (unsigned)pixel[1] << 8 | pixel[2];
}

size_t raster_count(const raster *p, unsigned colour, int x, int y, int width, int height)
{
    size_t count = 0;
    for (int j = y; j < y + height; j++)
        for (int i = x; i < x + width; i++) count += raster_at(p, i, j) == colour;
    return count;
}

static bool wrong(const char *what, const char *at)
{
    print_error("xml: %s at \"%.60s\"\n", what, at);
    return false;
}

static size_t name_length(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == ':' || text[n] == '-') n++;
    return n;
}

/* Characters up to one of the ends; entities must be known. */
static bool characters(const char **at, const char *ends)
{
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    for (; **at && !strchr(ends, **at); (*at)++) {
        if (**at == '<') return wrong("a bare <", *at);
        if (**at != '&') continue;
        bool known = false;
        for (int i = 0; i < 4; i++)
            if (strncmp(*at, entities[i], strlen(entities[i])) == 0) known = true;
        if (!known) return wrong("a bare &", *at);
    }
    return true;
}

/* After the name of a tag: attributes up to ">" or "/>". */
static bool attributes(const char **at, bool *closed)
{
    const char *names[64];
    size_t lengths[64], count = 0;
    while (isspace((unsigned char)**at)) {
        while (isspace((unsigned char)**at)) (*at)++;
        size_t n = name_length(*at);
        if (n == 0) break;
        for (size_t i = 0; i < count; i++)
            if (lengths[i] == n && strncmp(names[i], *at, n) == 0)
                return wrong("an attribute twice", *at);
        if (count == 64) return wrong("too many attributes", *at);
        names[count] = *at;
        lengths[count++] = n;
        *at += n;
        if (strncmp(*at, "=\"", 2) != 0) return wrong("no value", *at);
        *at += 2;
        if (!characters(at, "\"") || **at != '"') return wrong("a value without end", *at);
        (*at)++;
    }
    *closed = **at == '/';
    *at += *closed;
    return **at == '>' ? (*at)++, true : wrong("a tag without end", *at);
}

bool xml_well_formed(const char *text)
{
    const char *open[32], *at = text;
    size_t lengths[32], depth = 0, roots = 0;
    if (!zf_utf8_valid(text, strlen(text))) return wrong("not UTF-8", text);
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < 32 && *c != '\n') return wrong("a control character", c);
    if (strncmp(at, "<?xml ", 6) == 0) at = strstr(at, "?>") + 2;
    while (*at) {
        if (!characters(&at, "<")) return false;
        if (!*at) break;
        if (at[1] == '/') {
            at += 2;
            if (depth == 0 || strncmp(at, open[depth - 1], lengths[depth - 1]) != 0 ||
                at[lengths[depth - 1]] != '>')
                return wrong("the wrong end", at);
            at += lengths[--depth] + 1;
            continue;
        }
        size_t n = name_length(++at);
        if (n == 0 || depth == 32) return wrong("no name, or too deep", at);
        if (depth == 0 && roots++) return wrong("a second root", at);
        open[depth] = at;
        lengths[depth++] = n;
        at += n;
        bool closed;
        if (!attributes(&at, &closed)) return false;
        depth -= closed;
    }
    return depth == 0 && roots == 1 ? true : wrong("no end", at);
}
