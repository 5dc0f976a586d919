#include "job/option.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

int zf_option_count(const zf_option *options)
{
    int n = 0;
    while (options && options[n].name) n++;
    return n;
}

static bool is_argument(const zf_option *option)
{
    return isupper((unsigned char)option->name[0]);
}

int zf_option_name(const zf_option *option)
{
    return (int)(is_argument(option) ? strcspn(option->name, ".") : strlen(option->name));
}

static bool has_name(const zf_option *option, const char *name, size_t length)
{
    if ((size_t)zf_option_name(option) != length) return false;
    return is_argument(option) ? strncasecmp(option->name, name, length) == 0
                               : strncmp(option->name, name, length) == 0;
}

int zf_option_find(const zf_option *options, const char *name, size_t length, char letter)
{
    for (int i = 0; options && options[i].name; i++) {
        if (letter && options[i].letter == letter) return i;
        if (name && has_name(&options[i], name, length)) return i;
    }
    return -1;
}

static const void *field_of(const zf_option *option, const void *values)
{
    return (const char *)values + option->offset;
}

/* Of fields of four and eight bytes, also without a sign: no option reaches 2^63. */
static int64_t whole_of(const zf_option *option, const void *values)
{
    int64_t wide;
    int32_t narrow;
    if (option->width == sizeof wide) {
        memcpy(&wide, field_of(option, values), sizeof wide);
        return wide;
    }
    memcpy(&narrow, field_of(option, values), sizeof narrow);
    return narrow;
}

static const char *text_of(const zf_option *option, const void *values)
{
    const char *text;
    memcpy(&text, field_of(option, values), sizeof text);
    return text;
}

static double real_of(const zf_option *option, const void *values)
{
    double real;
    memcpy(&real, field_of(option, values), sizeof real);
    return real;
}

bool zf_option_is_left(const zf_option *option, const void *values)
{
    switch (option->type) {
    case ZF_OPTION_FLAG:
        return !*(const bool *)field_of(option, values);
    case ZF_OPTION_WHOLE:
    case ZF_OPTION_CHOICE:
        return whole_of(option, values) == ZF_AUTO;
    case ZF_OPTION_REAL:
        return real_of(option, values) == ZF_AUTO && option->least >= 0;
    case ZF_OPTION_LIST:
        return ((const zf_words *)field_of(option, values))->n == 0;
    default:
        return text_of(option, values) == NULL;
    }
}

static void list_text(char *text, size_t size, const zf_words *words)
{
    size_t used = 0;
    for (int i = 0; i < words->n && used < size; i++) {
        int n = snprintf(text + used, size - used, "%s%s", i ? "," : "", words->items[i]);
        used += n > 0 ? (size_t)n : 0;
    }
}

void zf_option_text(char *text, size_t size, const zf_option *option, const void *values)
{
    text[0] = '\0';
    if (zf_option_is_left(option, values)) return;
    switch (option->type) {
    case ZF_OPTION_FLAG:
        snprintf(text, size, "true");
        return;
    case ZF_OPTION_WHOLE:
        snprintf(text, size, "%lld", (long long)whole_of(option, values));
        return;
    case ZF_OPTION_REAL:
        snprintf(text, size, "%g", real_of(option, values));
        return;
    case ZF_OPTION_CHOICE:
        snprintf(text, size, "%s", option->choices[whole_of(option, values)]);
        return;
    case ZF_OPTION_LIST:
        list_text(text, size, field_of(option, values));
        return;
    default:
        snprintf(text, size, "%s", text_of(option, values));
    }
}

const char *zf_option_kind(const zf_option *option)
{
    switch (option->type) {
    case ZF_OPTION_FLAG:
        return "flag";
    case ZF_OPTION_WHOLE:
        return "whole";
    case ZF_OPTION_REAL:
        return "real";
    case ZF_OPTION_LIST:
        return "list";
    case ZF_OPTION_CHOICE:
        return "choice";
    case ZF_OPTION_FILE:
        return "file";
    case ZF_OPTION_IMAGES:
        return "images";
    case ZF_OPTION_OUTPUT:
        return "output";
    case ZF_OPTION_PATHS:
    case ZF_OPTION_FOLDER:
        return "folder";
    case ZF_OPTION_TEXT:
    case ZF_OPTION_COMMAND:
        break;
    }
    return "text";
}
