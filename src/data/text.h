/* Text from files, made fit to show. */
#ifndef ZF_DATA_TEXT_H
#define ZF_DATA_TEXT_H

#include <stddef.h>

enum { ZF_SHOWN_BYTES = 64, ZF_COLUMN_LABEL = ZF_SHOWN_BYTES + 32 };

/* Writes the text as UTF-8 into shown, cut at room - 1 bytes between characters
   (with "..." at the end if it was cut). Text that is not UTF-8 is taken for
   Latin-1; control characters become '?', so that a message stays one line and
   a terminal stays as it is. Returns shown. */
char *zf_text_show(char *shown, size_t room, const char *text, size_t n);

/* How a message calls a column: column "name", or column 3 for column 2 without a name.
   Returns label. */
char *zf_text_column(char label[ZF_COLUMN_LABEL], const char *name, size_t column);

/* Bytes that the text takes as UTF-8, without a NUL, and the conversion; control
   characters stay. Text that is UTF-8 already is copied. */
size_t zf_text_utf8_bytes(const char *text, size_t n);
void zf_text_to_utf8(char *utf8, const char *text, size_t n);

#endif
