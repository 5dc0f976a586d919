/* JSON (RFC 8259) from text in memory.

     zf_json *root;
     zf_json_fault fault;
     ZF_TRY(zf_json_parse(&root, text, n, &fault));
     const zf_json *names = zf_json_member(root, "names");
     ...
     free(root);

   The text is taken apart where it lies: names and strings of the values point into it, so it
   is the caller's to keep until the values are freed, and no longer JSON afterwards. All values
   are one allocation of at most 40 bytes for each comma and opening bracket of the text.

   Strict: UTF-8, no name twice in an object, no NUL in a string, an object or array at the top,
   nothing behind it. Rejected: jansson, which writes beyond its memory when an allocation fails
   while it reads a string. */
#ifndef ZF_IO_JSON_H
#define ZF_IO_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "zeroflow/status.h"

enum { ZF_JSON_DEPTH = 64 }; /* arrays and objects within each other, at most */

typedef enum zf_json_kind {
    ZF_JSON_NULL,
    ZF_JSON_FALSE,
    ZF_JSON_TRUE,
    ZF_JSON_NUMBER,
    ZF_JSON_TEXT,
    ZF_JSON_ARRAY,
    ZF_JSON_OBJECT,
} zf_json_kind;

typedef struct zf_json {
    zf_json_kind kind;
    const char *name;     /* of a member of an object; else NULL */
    struct zf_json *next; /* in the same array or object; NULL: this is the last */
    union {
        const char *text;      /* of a string, with a NUL behind it; of a number as it is written */
        struct zf_json *first; /* of an array or object; NULL: it is empty */
    };
    size_t n; /* bytes of the text; values in the array or object */
} zf_json;

/* Where the text is not JSON. */
typedef struct zf_json_fault {
    size_t offset;
    size_t line; /* from 1 */
    const char *expected;
} zf_json_fault;

/* *root is for free(). ZF_EINPUT: not JSON, told by *fault; no message is set. ZF_ENOMEM. */
zf_status zf_json_parse(zf_json **root, char *text, size_t n, zf_json_fault *fault) ZF_CHECK;

/* The member of that name; NULL if there is none, or if this is no object or NULL. */
const zf_json *zf_json_member(const zf_json *object, const char *name);

/* The text of a string; NULL if this is something else or NULL. */
const char *zf_json_text(const zf_json *value);

bool zf_json_is(const zf_json *value, zf_json_kind kind); /* NULL is nothing */

/* A whole number from 0 to INT64_MAX; false if this is something else or NULL. */
bool zf_json_count(const zf_json *value, uint64_t *count);

#endif
