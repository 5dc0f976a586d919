/* Decimal text to float64: exact, and the same in every locale. */
#ifndef ZF_DATA_NUMBER_H
#define ZF_DATA_NUMBER_H

#include <stddef.h>

typedef enum zf_number_kind {
    ZF_NUMBER_NONE,     /* not a number */
    ZF_NUMBER_FINITE,   /* value is set, correctly rounded; too small becomes 0 */
    ZF_NUMBER_INFINITE, /* inf or infinity, or too large for float64 */
    ZF_NUMBER_NAN,      /* nan */
} zf_number_kind;

enum { ZF_NUMBER_TEXT_MAX = 1023 }; /* longer text is not a number */

/* text: [+-] digits [. digits] [e [+-] digits], with a digit before or behind
   the point; or inf, infinity, nan in any case. No blanks around. value is left
   alone unless the result is ZF_NUMBER_FINITE. */
zf_number_kind zf_number_parse(const char *text, size_t n, double *value);

#endif
