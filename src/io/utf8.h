/* Is text UTF-8? */
#ifndef ZF_IO_UTF8_H
#define ZF_IO_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the character that text starts with (1 to 4), or 0 if these bytes
   are not UTF-8: overlong, a surrogate, above U+10FFFF, cut short. n >= 1. */
size_t zf_utf8_length(const char *text, size_t n);

/* No NUL is looked for: it is a character like others. */
bool zf_utf8_valid(const char *text, size_t n);

#endif
