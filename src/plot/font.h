/* The built-in font: outlines and widths of ASCII, Latin, Greek, Cyrillic and a
   few symbols.

   It is Liberation Sans, whose characters are as wide as those of Arial and
   Helvetica. So a picture is laid out from this table alone, without asking the
   system for fonts, the same on every machine; an SVG that a viewer shows in
   Arial, Helvetica or Liberation has the same text widths; and a PNG needs no
   font library. Lengths are in units of ZF_FONT_EM to the size of the text, y
   upwards from the baseline. The outlines are TrueType's: quadratic curves,
   filled by the non-zero rule. */
#ifndef ZF_PLOT_FONT_H
#define ZF_PLOT_FONT_H

#include <stddef.h>

enum { ZF_FONT_EM = 2048, ZF_FONT_CAPITAL = 1409, ZF_NO_CHARACTER = 0xFFFD };

/* An outline moved by x, y: an accented letter is two of these. */
typedef struct zf_font_part {
    unsigned short outline;
    short x, y;
} zf_font_part;

typedef struct zf_font_glyph {
    unsigned short code; /* Unicode */
    unsigned short advance;
    unsigned short first_part, parts;
} zf_font_glyph;

extern const zf_font_glyph zf_font_glyphs[]; /* ascending by code */
extern const int zf_font_glyph_count;
extern const zf_font_part zf_font_parts[];
/* Points zf_font_starts[outline] up to that of the next, two numbers each: x and
   y, doubled. The last bit of x: on the curve, or a control point; the last bit
   of y: the contour ends here. */
extern const unsigned short zf_font_starts[];
extern const short zf_font_points[];

/* The glyph of a character; the sign for a missing one if the font has none. */
const zf_font_glyph *zf_font_find(unsigned code);

/* Takes the next character of a NUL-terminated text that has not ended. Bytes
   that are not UTF-8, one at a time, give ZF_NO_CHARACTER; so does what XML
   cannot hold; tabs and line ends give a space. */
unsigned zf_text_next(const char **text);

/* How wide a line of text is at that size. */
double zf_text_width(const char *text, double size);

/* How many bytes of the text fit into that width, cut between characters. */
size_t zf_text_fit(const char *text, double size, double width);

/* Copies text into line, cut with an ellipsis where it is wider than width or
   longer than room bytes (at least 4). Returns line. */
char *zf_text_shorten(char *line, size_t room, const char *text, double size, double width);

/* How many bytes of the text make the next line of a paragraph of that width,
   broken at a space where there is one; *rest is where the line after it starts. */
size_t zf_text_break(const char *text, double size, double width, const char **rest);

#endif
