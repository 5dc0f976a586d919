/* The thread-local error text. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#ifndef ZF_VERSION
#define ZF_VERSION "0.0.0"
#endif

enum { MESSAGE_BYTES = 1024 };

static _Thread_local char message[MESSAGE_BYTES];

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
    char text[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
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
    return zf_fail(ZF_ENOMEM, "out of memory: %llu bytes were asked for", bytes);
}
