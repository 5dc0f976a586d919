/* Text and numbers as HTML, and as JSON inside a script element. */
#ifndef ZF_HTML_TEXT_H
#define ZF_HTML_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "io/sink.h"

/* Text that may hold anything, as the content of an element or of an attribute
   in double quotes. Bytes that are no UTF-8, control characters and direction
   overrides become U+FFFD. */
void zf_html_text(zf_sink *out, const char *text);

/* The same, marked as the name of a variable: kept apart from the direction and the line breaks
   of the text around it. */
void zf_html_name(zf_sink *out, const char *name);

/* The same as a string of JSON, quotes included, that can neither end a script
   element nor begin a comment in it. Control characters are kept, escaped. */
void zf_html_json(zf_sink *out, const char *text);

/* With exactly so many decimals, at most 6, and a point in every locale; not
   finite: a dash. */
void zf_html_decimal(zf_sink *out, double value, int decimals);

/* A p-value or q-value with two digits: 0.034, 0.0012, 5.1e-12. It is JSON as well. */
void zf_html_small(zf_sink *out, double value);

/* A gate or score as the page's script has it: in whole units of 1/10,000, so that
   the script and what is written here agree about what is above a threshold. */
uint64_t zf_html_unit(double value);

void zf_html_whole(zf_sink *out, uint64_t value); /* 2048 */
void zf_html_count(zf_sink *out, uint64_t value); /* 2,048 */

#endif
