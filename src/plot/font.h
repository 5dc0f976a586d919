/* The built-in font: strokes and widths of ASCII, accented Latin, Greek and a few
   symbols, and how text is measured and cut.

   A figure is laid out from this table alone, without asking the system for
   fonts, the same on every machine. Lengths are in units of ZF_FONT_EM to the
   size of the text, y upwards from the baseline. */
#ifndef ZF_PLOT_FONT_H
#define ZF_PLOT_FONT_H

#include <stdbool.h>
#include <stddef.h>

/* How thick the pen is, in upright strokes and in level ones, which look heavier. */
enum { ZF_FONT_EM = 1000, ZF_FONT_STEM = 88, ZF_FONT_BAR = 78, ZF_NO_CHARACTER = 0xFFFD };

typedef struct zf_glyph {
    unsigned code; /* Unicode */
    int advance;
    const char *strokes; /* in the language that font.c describes */
} zf_glyph;

typedef struct zf_letter {
    const zf_glyph *glyph;
    const char *mark; /* strokes of an accent, moved by mark_x, mark_y; "" for none */
    int mark_x, mark_y;
    bool known; /* false: the glyph is the sign for a missing character */
} zf_letter;

zf_letter zf_font_find(unsigned code);

/* Takes the next character of a NUL-terminated text that has not ended. Bytes
   that are not UTF-8, one at a time, give ZF_NO_CHARACTER; so does what XML
   cannot hold; tabs and line ends give a space. */
unsigned zf_text_next(const char **text);

/* How wide a line of text is at that size. */
double zf_text_width(const char *text, double size);

/* Whether the font has all characters of a text. */
bool zf_text_known(const char *text);

/* How many bytes of the text fit into that width, cut between characters. */
size_t zf_text_fit(const char *text, double size, double width);

/* Copies text into line, cut with an ellipsis where it is wider than width or
   longer than room bytes (at least 4). Returns line. */
char *zf_text_shorten(char *line, size_t room, const char *text, double size, double width);

/* How many bytes of the text make the next line of a paragraph of that width,
   broken at a space where there is one; *rest is where the line after it starts. */
size_t zf_text_break(const char *text, double size, double width, const char **rest);

#endif
