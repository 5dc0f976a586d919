#include "base/grow.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"

/* Is there anything but zeros? */
static bool says_something(const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i]) return true;
    return false;
}

zf_status zf_take(void *to, size_t known, const void *given, const char *name)
{
    size_t size;
    if (!given) return ZF_OK;
    memcpy(&size, given, sizeof size);
    if (size < sizeof size)
        return zf_fail(ZF_EINVAL,
                       "options: their size is %zu, expected options that were made by "
                       "zf_%s_defaults() or zf_%s_options_init()",
                       size, name, name);
    if (size > known && says_something((const unsigned char *)given + known, size - known))
        return zf_fail(ZF_EINVAL,
                       "zf_%s_options: something is set that zeroflow %s does not know, expected a "
                       "library that is not older than the program's headers",
                       name, zf_version());
    memcpy(to, given, size < known ? size : known);
    memcpy(to, &known, sizeof known);
    return ZF_OK;
}

void zf_give_plain(void *to, size_t size, const void *from, size_t known)
{
    memcpy(to, from, size < known ? size : known);
    if (size > known) memset((unsigned char *)to + known, 0, size - known);
}

void zf_give(void *to, size_t size, const void *from, size_t known)
{
    zf_give_plain(to, size, from, known);
    if (size >= sizeof size) memcpy(to, &size, sizeof size);
}

void zf_clear(void *filled)
{
    size_t size;
    memcpy(&size, filled, sizeof size);
    memset(filled, 0, size);
}
