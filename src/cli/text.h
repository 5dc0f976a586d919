/* Text on a terminal: cleaning, measuring and wrapping. */
#ifndef ZF_CLI_TEXT_H
#define ZF_CLI_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/words.h"

/* Whether the user's locale writes UTF-8; settled by cli_text_begin(). */
void cli_text_begin(void);
bool cli_utf8(void);

/* Writes text so that it can harm neither a terminal nor a one-line message:
   bytes that are no UTF-8, control characters and direction overrides appear
   as \xNN; everything else as it is. */
void cli_clean(FILE *out, const char *text);

/* cli_clean() of n bytes of text with lines and tabs, which stay; text[n] is NUL. */
void cli_clean_lines(FILE *out, const char *text, size_t n);

/* Writes JSON text with what cli_clean() escapes as \uNNNN: the same JSON to a reader. */
void cli_clean_json(FILE *out, const char *text);

/* Writes a word as a shell needs it, in quotes if it must be: '...', or where it has
   what cli_clean() would escape $'...', which bash, zsh and ksh know. */
void cli_print_word(FILE *out, const char *word);

/* The same of a path that stands as an argument: one that begins with - gets ./ before it. */
void cli_print_path(FILE *out, const char *path);

/* The columns that cli_clean() fills. */
int cli_width(const char *text);

/* cli_clean() in exactly width columns: cut with "..." or filled with spaces
   (on the left if right is set). */
void cli_fit(FILE *out, const char *text, int width, bool right);

/* Words of text between column indent and width, first line already at column
   indent; an empty line in the text stays one. Ends with a newline. */
void cli_wrap(FILE *out, const char *text, int indent, int width);

#endif
