#include "job/value.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "zeroflow/nearest.h"

static const double LARGEST_WHOLE = 9007199254740992.0; /* 2^53 */

static void *field_of(const zf_option *option, void *values)
{
    return (char *)values + option->offset;
}

static void put_whole(void *values, const zf_option *option, int64_t whole)
{
    int32_t narrow = (int32_t)whole;
    if (option->width == sizeof whole)
        memcpy(field_of(option, values), &whole, sizeof whole);
    else
        memcpy(field_of(option, values), &narrow, sizeof narrow);
}

/* Takes over what malloc gave. NULL stays NULL; on failure it is freed. */
static void *own(zf_texts *texts, void *memory)
{
    void **items = memory ? realloc(texts->items, sizeof *items * (size_t)(texts->n + 1)) : NULL;
    if (!items) {
        free(memory);
        return NULL;
    }
    texts->items = items;
    items[texts->n++] = memory;
    return memory;
}

static zf_status set_flag(void *values, const zf_option *option, const char *label,
                          const char *text)
{
    bool on = !text[0] || strcmp(text, "true") == 0;
    if (!on && strcmp(text, "false") != 0)
        return zf_fail(ZF_EINVAL, "%s: expected true or false, found \"%s\"", label, text);
    *(bool *)field_of(option, values) = on;
    return ZF_OK;
}

static zf_status set_whole(void *values, const zf_option *option, const char *label,
                           const char *text)
{
    double most = option->most > 0 ? option->most : LARGEST_WHOLE;
    errno = 0;
    char *end;
    unsigned long long whole = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end || errno || (double)whole < option->least ||
        (double)whole > most)
        return zf_fail(ZF_EINVAL, "%s: expected a whole number from %.0f to %.0f, found \"%s\"",
                       label, option->least, most, text);
    put_whole(values, option, (int64_t)whole);
    return ZF_OK;
}

static zf_status set_real(void *values, const zf_option *option, const char *label,
                          const char *text)
{
    bool limited = option->least != 0 || option->most != 0;
    char *end;
    double real = strtod(text, &end);
    bool number = end != text && !*end && !isspace((unsigned char)text[0]) && isfinite(real) &&
                  !strpbrk(text, "xX");
    bool fits = option->between ? real > option->least && real < option->most
                                : real >= option->least && real <= option->most;
    if (number && (!limited || fits)) {
        memcpy(field_of(option, values), &real, sizeof real);
        return ZF_OK;
    }
    if (!limited) return zf_fail(ZF_EINVAL, "%s: expected a number, found \"%s\"", label, text);
    if (option->between)
        return zf_fail(ZF_EINVAL, "%s: expected a number above %g and below %g, found \"%s\"",
                       label, option->least, option->most, text);
    return zf_fail(ZF_EINVAL, "%s: expected a number from %g to %g, found \"%s\"", label,
                   option->least, option->most, text);
}

static zf_status set_choice(void *values, const zf_option *option, const char *label,
                            const char *text)
{
    char list[256] = "";
    size_t n = 0;
    for (; option->choices[n]; n++) {
        if (strcmp(option->choices[n], text) == 0) {
            put_whole(values, option, (int64_t)n);
            return ZF_OK;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", n ? ", " : "", option->choices[n]);
    }
    const char *near = zf_nearest(text, option->choices, n);
    return zf_fail(ZF_EINVAL, "%s: expected one of %s, found \"%s\"%s%s%s", label, list, text,
                   near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

/* Adds the parts of text between commas; "" is one empty part. */
static zf_status add_to_list(void *values, zf_texts *texts, const zf_option *option,
                             const char *text)
{
    zf_words *words = field_of(option, values);
    size_t parts = 1;
    for (const char *at = text; *at; at++) parts += *at == ',';
    const char **items = malloc(sizeof *items * ((size_t)words->n + parts));
    if (!own(texts, (void *)items)) return zf_fail_memory(sizeof *items * parts);
    for (int i = 0; i < words->n; i++) items[i] = words->items[i];
    for (size_t k = 0; k < parts; k++) {
        size_t length = strcspn(text, ",");
        char *part = own(texts, strndup(text, length));
        if (!part) return zf_fail_memory(length + 1);
        items[(size_t)words->n + k] = part;
        text += length + (text[length] != 0);
    }
    words->items = items;
    words->n += (int)parts;
    return ZF_OK;
}

static zf_status set_text(void *values, zf_texts *texts, const zf_option *option, const char *text)
{
    char *copy = own(texts, strdup(text));
    if (!copy) return zf_fail_memory(strlen(text) + 1);
    memcpy(field_of(option, values), &copy, sizeof copy);
    return ZF_OK;
}

zf_status zf_value_set(void *values, zf_texts *texts, const zf_option *option, const char *label,
                       const char *text)
{
    switch (option->type) {
    case ZF_OPTION_FLAG:
        return set_flag(values, option, label, text);
    case ZF_OPTION_WHOLE:
        return set_whole(values, option, label, text);
    case ZF_OPTION_REAL:
        return set_real(values, option, label, text);
    case ZF_OPTION_CHOICE:
        return set_choice(values, option, label, text);
    case ZF_OPTION_LIST:
        return add_to_list(values, texts, option, text);
    case ZF_OPTION_COMMAND:
    case ZF_OPTION_TEXT:
        return set_text(values, texts, option, text);
    case ZF_OPTION_FILE:
    case ZF_OPTION_IMAGES:
    case ZF_OPTION_OUTPUT:
    case ZF_OPTION_PATHS:
    case ZF_OPTION_FOLDER:
        if (!text[0]) return zf_fail(ZF_EINVAL, "%s: expected a path, found \"\"", label);
        return set_text(values, texts, option, text);
    }
    return ZF_OK;
}

zf_status zf_value_fall_back(void *values, zf_texts *texts, const zf_option *options)
{
    for (int i = 0; options && options[i].name; i++)
        if (options[i].fallback)
            ZF_TRY(zf_value_set(values, texts, &options[i], options[i].name, options[i].fallback));
    return ZF_OK;
}

void zf_texts_free(zf_texts *texts)
{
    for (int i = 0; i < texts->n; i++) free(texts->items[i]);
    free(texts->items);
    *texts = (zf_texts){0};
}
