/* Numbers for people, in messages and in text. */
#ifndef ZF_BASE_WORDS_H
#define ZF_BASE_WORDS_H

#include <stdint.h>

/* "1,234,567" */
typedef struct zf_small {
    char text[32];
} zf_small;
zf_small zf_count(uint64_t n);

/* "0:42", "1:02:03" */
zf_small zf_duration(double seconds);

/* "1 row", "1,234 rows" */
zf_small zf_plural(uint64_t n, const char *noun);

#endif
