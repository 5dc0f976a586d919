/* JSON of results: values that always exist, and faults that are noticed at the end.

   jansson passes over a member that could not be made. Here a value that memory ran out for, or
   a number that is not finite, is noted for the thread until zf_answer_end(), so that the code
   that builds an object needs no checks in between. */
#ifndef ZF_JOB_ANSWER_H
#define ZF_JOB_ANSWER_H

#include <jansson.h>

#include "zeroflow/status.h"

/* Text is repaired to UTF-8; NULL is null. */
json_t *zf_answer_text(const char *text);

/* A number that is there. */
json_t *zf_answer_number(double number);

/* One that need not be: NaN is null. */
json_t *zf_answer_optional(double number);

json_t *zf_answer_count(size_t n);

/* Put a new value into an object or at the end of an array, which may be NULL. */
void zf_answer_set(json_t *object, const char *key, json_t *value);
void zf_answer_add(json_t *array, json_t *value);

/* Puts all members of `more`, which is given back, into the object. */
void zf_answer_join(json_t *object, json_t *more);

/* An array of texts. */
json_t *zf_answer_texts(const char *const *texts, size_t n);

/* The object as text for free(), and gives it back to jansson. ZF_ENOMEM: a part of it could not
   be made, or the object is NULL. ZF_ENUMERIC: a number is not finite; the message has its key. */
zf_status zf_answer_end(char **text, json_t *object) ZF_CHECK;

#endif
