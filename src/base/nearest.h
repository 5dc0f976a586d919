/* The nearest of some names to one that is not among them, for messages. */
#ifndef ZF_BASE_NEAREST_H
#define ZF_BASE_NEAREST_H

#include <stddef.h>

/* NULL: none is near enough, which is within a quarter of the word's length and
   one edit more (an insertion, deletion, replacement, swap of neighbours, or a
   letter's case, which costs nothing), or a name that the word begins. Names
   longer than 63 bytes are never near. */
const char *zf_nearest(const char *word, const char *const *names, size_t n);

#endif
