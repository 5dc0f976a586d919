#include "job/answer.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/utf8.h"

static _Thread_local bool lacks; /* a part could not be made */

/* The first number that is not finite: its value, and what stands for it in the object. */
static _Thread_local json_t *strange;
static _Thread_local double strange_value;

static json_t *made(json_t *value)
{
    if (!value) lacks = true;
    return value;
}

/* As valid UTF-8, each bad byte replaced by U+FFFD, for free(); NULL: out of memory. */
static char *repair(const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    enum { WIDEST = sizeof replacement - 1 };
    size_t n = strlen(text);
    char *repaired = malloc(WIDEST * n + 1), *at = repaired;
    if (!repaired) return NULL;
    for (size_t i = 0, length; i < n; i += length ? length : 1) {
        length = zf_utf8_length(text + i, n - i);
        at = (char *)mempcpy(at, length ? text + i : replacement, length ? length : WIDEST);
    }
    *at = '\0';
    return repaired;
}

json_t *zf_answer_text(const char *text)
{
    if (!text) return json_null();
    char *repaired = repair(text);
    json_t *json = repaired ? json_string_nocheck(repaired) : NULL;
    free(repaired);
    return made(json);
}

json_t *zf_answer_number(double number)
{
    if (isfinite(number)) return made(json_real(number));
    json_t *stand_in = json_string("not finite");
    if (!strange && stand_in) {
        strange = stand_in;
        strange_value = number;
    }
    return made(stand_in);
}

json_t *zf_answer_optional(double number)
{
    return isnan(number) ? json_null() : zf_answer_number(number);
}

json_t *zf_answer_count(size_t n)
{
    return made(json_integer((json_int_t)n));
}

void zf_answer_set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0) lacks = true;
}

void zf_answer_add(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0) lacks = true;
}

void zf_answer_join(json_t *object, json_t *more)
{
    if (!more || json_object_update(object, more) != 0) lacks = true;
    json_decref(more);
}

json_t *zf_answer_texts(const char *const *texts, size_t n)
{
    json_t *array = made(json_array());
    for (size_t i = 0; i < n; i++) zf_answer_add(array, zf_answer_text(texts[i]));
    return array;
}

/* The key that leads to it; NULL: it is not in there. */
static const char *name_of_strange(json_t *within, const char *name)
{
    const char *key, *found = NULL;
    json_t *value;
    size_t i;
    if (within == strange) return name;
    json_object_foreach(within, key, value) if (!found) found = name_of_strange(value, key);
    json_array_foreach(within, i, value) if (!found) found = name_of_strange(value, name);
    return found;
}

/* For free(); NULL: out of memory. Not json_dumps(), which leaves out what its buffer had no room
   to grow for and does not say so. */
static char *dump(const json_t *object)
{
    size_t n = json_dumpb(object, NULL, 0, JSON_INDENT(2));
    char *text = n ? malloc(n + 1) : NULL;
    if (!text) return NULL;
    if (json_dumpb(object, text, n, JSON_INDENT(2)) != n) {
        free(text);
        return NULL;
    }
    text[n] = '\0';
    return text;
}

zf_status zf_answer_end(char **text, json_t *object)
{
    zf_status status = ZF_OK;
    char *dumped = NULL;
    if (strange && object) {
        const char *name = name_of_strange(object, "result");
        status = zf_fail(ZF_ENUMERIC, "%s is %g, expected a finite number",
                         name ? name : "a result", strange_value);
    } else {
        dumped = object && !lacks ? dump(object) : NULL;
        if (!dumped) status = zf_fail(ZF_ENOMEM, "out of memory");
    }
    json_decref(object);
    lacks = false;
    strange = NULL;
    if (status == ZF_OK) *text = dumped;
    return status;
}
