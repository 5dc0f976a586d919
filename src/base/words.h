/* Numbers in sentences for people. */
#ifndef ZF_BASE_WORDS_H
#define ZF_BASE_WORDS_H

#include <stdint.h>

typedef struct zf_small {
    char text[32];
} zf_small;

/* "1,234,567" */
zf_small zf_thousands(uint64_t n);

/* "1 row", "1,234 rows" */
zf_small zf_plural(uint64_t n, const char *noun);

/* "0:42", "1:02:03"; "?" of what is no length of time. */
zf_small zf_duration(double seconds);

#endif
