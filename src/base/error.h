/* Setting the text behind zf_error(). */
#ifndef ZF_BASE_ERROR_H
#define ZF_BASE_ERROR_H

#include <stdarg.h>
#include <stddef.h>

#include "zeroflow/status.h"

/* Stores the message for this thread (cut at 1,023 bytes) and returns status,
   so that a fault is one line: return zf_fail(ZF_EINVAL, "...", ...).

   An option of a job is named in braces in the format, as in "{top} and {threshold} exclude each
   other". A front door says how it writes options: the command as --top, programs as top. */
zf_status zf_fail(zf_status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts text in front of the message that is there: the caller's place before
   the callee's complaint ("model.safetensors: " before "truncated"). */
zf_status zf_fail_within(zf_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* zf_fail(ZF_ENOMEM, ...) with the number of bytes asked for. */
zf_status zf_fail_memory(unsigned long long bytes);

/* What stands before the name of an option in messages: "" or, in the command, "--". Set once,
   before there are threads; prefix is not copied. */
void zf_option_prefix_set(const char *prefix);
const char *zf_option_prefix(void);

/* " (use missing to name it)": the advice behind a cell that may stand for a missing value. */
typedef struct zf_advice {
    char text[48];
} zf_advice;
zf_advice zf_missing_advice(void);

/* Text with its options in braces written out, cut at `size` bytes. */
void zf_write_options(char *out, size_t size, const char *text);

/* vasprintf() with options in braces: *text is for free(). Returns its length; -1: out of memory,
   and *text is NULL. */
int zf_format(char **text, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* To the analyzer a failure is never ZF_OK (base/analyze.h). */
#ifdef ZF_ANALYZE
static inline zf_status zf_is_failure(zf_status status)
{
    if (status == ZF_OK) __builtin_unreachable();
    return status;
}
#define zf_fail(...)          zf_is_failure(zf_fail(__VA_ARGS__))
#define zf_fail_memory(bytes) zf_is_failure(zf_fail_memory(bytes))
#endif

/* Passes a failure on. */
#define ZF_TRY(call)                                                                               \
    do {                                                                                           \
        zf_status try_status_ = (call);                                                            \
        if (try_status_ != ZF_OK) return try_status_;                                              \
    } while (0)

#endif
