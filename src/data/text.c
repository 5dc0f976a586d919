/* UTF-8 or else Latin-1: the two are told apart by validity, since Latin-1 text
   with letters beyond ASCII is almost never valid UTF-8. */
#include "data/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "io/utf8.h"

/* One character at text as UTF-8 into character; returns the bytes taken. */
static size_t convert(char character[4], size_t *length, const char *text, size_t n, bool latin)
{
    unsigned char byte = (unsigned char)*text;
    if (latin && byte >= 0x80) {
        character[0] = (char)(0xc0 | byte >> 6);
        character[1] = (char)(0x80 | (byte & 0x3f));
        *length = 2;
        return 1;
    }
    *length = latin ? 1 : zf_utf8_length(text, n);
    memcpy(character, text, *length);
    return *length;
}

/* ASCII controls, DEL, and the controls U+0080 to U+009F. */
static bool is_control(const char *character, size_t length)
{
    unsigned char first = (unsigned char)character[0];
    if (length == 1) return first < 0x20 || first == 0x7f;
    return length == 2 && first == 0xc2 && (unsigned char)character[1] < 0xa0;
}

char *zf_text_show(char *shown, size_t room, const char *text, size_t n)
{
    bool latin = !zf_utf8_valid(text, n);
    char character[4];
    size_t used = 0, length, cut = 0; /* cut: where "..." still fits */
    for (size_t i = 0; i < n;) {
        i += convert(character, &length, text + i, n - i, latin);
        if (is_control(character, length)) {
            character[0] = '?';
            length = 1;
        }
        if (used + length >= room) {
            memcpy(shown + cut, "...", 4);
            return shown;
        }
        memcpy(shown + used, character, length);
        used += length;
        if (used + 4 <= room) cut = used;
    }
    shown[used] = '\0';
    return shown;
}

size_t zf_text_utf8_bytes(const char *text, size_t n)
{
    if (zf_utf8_valid(text, n)) return n;
    size_t bytes = n;
    for (size_t i = 0; i < n; i++) bytes += (unsigned char)text[i] >= 0x80;
    return bytes;
}

void zf_text_to_utf8(char *utf8, const char *text, size_t n)
{
    bool latin = !zf_utf8_valid(text, n);
    char character[4];
    size_t length;
    for (size_t i = 0; i < n; utf8 += length) {
        i += convert(character, &length, text + i, n - i, latin);
        memcpy(utf8, character, length);
    }
}

char *zf_text_column(char label[ZF_COLUMN_LABEL], const char *name, size_t column)
{
    char shown[ZF_SHOWN_BYTES];
    if (name)
        snprintf(label, ZF_COLUMN_LABEL, "column \"%s\"",
                 zf_text_show(shown, sizeof shown, name, strlen(name)));
    else
        snprintf(label, ZF_COLUMN_LABEL, "column %zu", column + 1);
    return label;
}
