/* Structs of callers, who may be compiled for an earlier version of the library: theirs are then
   shorter, as structs grow at their end alone.

   A struct that a caller fills in begins with its size as the caller knows it; into one that the
   library fills in, no more is written than the caller has room for. docs/architecture.md says
   which structs may grow, and how. */
#ifndef ZF_BASE_GROW_H
#define ZF_BASE_GROW_H

#include <stddef.h>

#include "zeroflow/status.h"

/* Copies what the caller gave over `to`, of `known` bytes, which holds the defaults: they stay for
   what the caller's version does not know, and for all of it if given is NULL. ZF_EINVAL: its size
   was not set, or it is of a later version and asks for something that is not known here. `name` is
   that of the struct without zf_ and _options, as in zf_NAME_defaults. */
zf_status zf_take(void *to, size_t known, const void *given, const char *name) ZF_CHECK;

/* Fills a caller's struct of `size` bytes, the first of which hold that size. What the library
   does not know is zeros. */
void zf_give(void *to, size_t size, const void *from, size_t known);

/* Makes a struct that zf_give has filled one of zeros, and leaves one without a size alone. */
void zf_clear(void *filled);

/* The same as zf_give without a size in it: an element of an array. */
void zf_give_plain(void *to, size_t size, const void *from, size_t known);

#endif
