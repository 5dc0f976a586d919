/* The thread-local error text. */
#include "base/error.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "zeroflow/version.h"

enum { MESSAGE_BYTES = 1024 };

static _Thread_local char message[MESSAGE_BYTES];
static const char *option_prefix = "";

void zf_option_prefix_set(const char *prefix)
{
    option_prefix = prefix;
}

const char *zf_option_prefix(void)
{
    return option_prefix;
}

zf_advice zf_missing_advice(void)
{
    zf_advice advice;
    snprintf(advice.text, sizeof advice.text, " (use %.8smissing to name it)", option_prefix);
    return advice;
}

/* The bytes of "{name}" at the start of text; 0: no name in braces is there. */
static size_t braced(const char *text)
{
    size_t n = 1;
    if (text[0] != '{') return 0;
    while (islower((unsigned char)text[n]) || isdigit((unsigned char)text[n]) || text[n] == '-')
        n++;
    return n > 1 && text[n] == '}' ? n + 1 : 0;
}

void zf_write_options(char *out, size_t size, const char *text)
{
    size_t used = 0;
    while (*text && used + 1 < size) {
        size_t n = braced(text);
        int wrote =
            n ? snprintf(out + used, size - used, "%s%.*s", option_prefix, (int)n - 2, text + 1)
              : 1;
        if (!n) out[used] = *text;
        used += (size_t)wrote;
        text += n ? n : 1;
    }
    out[used < size ? used : size - 1] = '\0';
}

int zf_format(char **text, const char *format, va_list arguments)
{
    char written[MESSAGE_BYTES];
    zf_write_options(written, sizeof written, format);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    int length = vasprintf(text, written, arguments);
#pragma GCC diagnostic pop
    if (length < 0) *text = NULL;
    return length;
}

const char *zf_error(void)
{
    return message;
}

const char *zf_version(void)
{
    return ZF_VERSION;
}

const char *zf_status_name(zf_status status)
{
    switch (status) {
    case ZF_OK:
        return "ok";
    case ZF_ENOMEM:
        return "out of memory";
    case ZF_EINVAL:
        return "invalid argument";
    case ZF_EINPUT:
        return "unusable input";
    case ZF_EIO:
        return "input or output failed";
    case ZF_ENUMERIC:
        return "not a finite number";
    case ZF_EINTERRUPT:
        return "interrupted";
    case ZF_EOUTPUT:
        return "output failed";
    }
    return "unknown status";
}

zf_status zf_fail(zf_status status, const char *format, ...)
{
    /* Formatted aside first: an argument may be zf_error() itself. */
    char text[MESSAGE_BYTES], written[MESSAGE_BYTES];
    va_list arguments;
    zf_write_options(written, sizeof written, format);
    va_start(arguments, format);
    vsnprintf(text, sizeof text, written, arguments);
    va_end(arguments);
    memcpy(message, text, sizeof text);
    return status;
}

zf_status zf_fail_within(zf_status status, const char *format, ...)
{
    char text[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int used = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (used >= 0 && used < MESSAGE_BYTES)
        snprintf(text + used, sizeof text - (size_t)used, "%s", message);
    memcpy(message, text, sizeof text);
    return status;
}

zf_status zf_fail_memory(unsigned long long bytes)
{
    return zf_fail(ZF_ENOMEM, "out of memory: cannot allocate %llu bytes", bytes);
}
