/* Characters out of bytes, and how wide they are. Kerning is left out: it moves
   a line of text by less than a pixel, and viewers differ in it. */
#include <string.h>

#include "io/utf8.h"
#include "plot/font.h"

static unsigned decode(const unsigned char *bytes, size_t length)
{
    static const unsigned char lead_bits[5] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    unsigned code = bytes[0] & lead_bits[length];
    for (size_t i = 1; i < length; i++) code = code << 6 | (bytes[i] & 0x3F);
    return code;
}

unsigned zf_text_next(const char **text)
{
    size_t length = zf_utf8_length(*text, strnlen(*text, 4));
    if (length == 0) {
        (*text)++;
        return ZF_NO_CHARACTER;
    }
    unsigned code = decode((const unsigned char *)*text, length);
    *text += length;
    if (code == '\t' || code == '\n' || code == '\r') return ' ';
    bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    return control || code == 0xFFFE || code == 0xFFFF ? ZF_NO_CHARACTER : code;
}

static double advance(const char **text, double size)
{
    return zf_font_find(zf_text_next(text)).glyph->advance * size / ZF_FONT_EM;
}

double zf_text_width(const char *text, double size)
{
    double width = 0;
    while (*text) width += advance(&text, size);
    return width;
}

bool zf_text_known(const char *text)
{
    while (*text)
        if (!zf_font_find(zf_text_next(&text)).known) return false;
    return true;
}

size_t zf_text_fit(const char *text, double size, double width)
{
    const char *at = text;
    double used = 0;
    while (*at) {
        const char *next = at;
        used += advance(&next, size);
        if (used > width) break;
        at = next;
    }
    return (size_t)(at - text);
}

char *zf_text_shorten(char *line, size_t room, const char *text, double size, double width)
{
    static const char ellipsis[] = "…";
    size_t length = strlen(text), fits = zf_text_fit(text, size, width);
    if (fits == length && length < room) {
        memcpy(line, text, length + 1);
        return line;
    }
    fits = zf_text_fit(text, size, width - zf_text_width(ellipsis, size));
    while (fits + sizeof ellipsis > room || (fits > 0 && (text[fits] & 0xC0) == 0x80)) fits--;
    while (fits > 0 && text[fits - 1] == ' ') fits--;
    memcpy(line, text, fits);
    memcpy(line + fits, ellipsis, sizeof ellipsis);
    return line;
}

size_t zf_text_break(const char *text, double size, double width, const char **rest)
{
    size_t fits = zf_text_fit(text, size, width);
    size_t line_end = strcspn(text, "\n");
    if (line_end <= fits) {
        *rest = text + line_end + (text[line_end] == '\n');
        return line_end;
    }
    size_t cut = fits;
    while (cut > 0 && text[cut] != ' ') cut--;
    if (cut == 0) { /* one long word, of which at least a character goes */
        const char *next = text;
        zf_text_next(&next);
        cut = fits > 0 ? fits : (size_t)(next - text);
    }
    *rest = text + cut;
    while (**rest == ' ') (*rest)++;
    return cut;
}
