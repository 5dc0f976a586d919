/* Finds the name nearest to a misspelt one, for messages.

     const char *const known[] = {"height", "weight"};
     const char *near = zf_nearest("hieght", known, 2); // "height"

   Safe from several threads. */
#ifndef ZEROFLOW_NEAREST_H
#define ZEROFLOW_NEAREST_H

#include <stddef.h>

#include "zeroflow/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NULL: none is near enough, which is within a quarter of the word's length and
   one edit more (an insertion, deletion, replacement, swap of neighbours, or a
   letter's case, which costs nothing), or a name that the word begins. Of names
   that are equally near, the first. Names longer than 63 bytes are never near. */
ZF_API const char *zf_nearest(const char *word, const char *const *names, size_t n);

#ifdef __cplusplus
}
#endif
#endif
