/* Jobs by name and text, as bindings use them. Options are pairs of name and text, ended by
   NULL. */
#ifndef ZF_TEST_BY_NAME_H
#define ZF_TEST_BY_NAME_H

#include <jansson.h>

#include "zeroflow/job.h"

zf_options *options_of(const char *job, const char *const *pairs);

/* The JSON of a run that ends with that status. */
json_t *answer_of(const char *job, const char *const *pairs, zf_context *context,
                  zf_status expected);

/* What a run keeps for lack of a file, for free(). */
char *document_of(const char *job, const char *const *pairs);

/* Fails unless the run ends with that status, a message that has text in it, and no result. */
void refuse(const char *job, const char *const *pairs, zf_status expected, const char *text);

/* A context whose jobs are stopped at their first step. */
zf_context *impatient(void);

/* The whole number of that key. */
json_int_t whole(const json_t *object, const char *key);

#endif
