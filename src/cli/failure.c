/* The message of a failure on its way to main, and the exit that a status of
   the library means. */
#include <stdarg.h>
#include <string.h>

#include "command.h"

static char message[2048];

cli_exit cli_fail(cli_exit exit, const char *format, ...)
{
    char text[sizeof message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    memcpy(message, text, sizeof text);
    return exit;
}

const char *cli_message(void)
{
    return message;
}

cli_exit cli_check(zf_status status)
{
    switch (status) {
    case ZF_OK:
        return CLI_DONE;
    case ZF_EINVAL:
        return cli_fail(CLI_USAGE, "%s", zf_error());
    case ZF_EINPUT:
    case ZF_EIO:
        return cli_fail(CLI_INPUT, "%s", zf_error());
    case ZF_EINTERRUPT:
        return cli_fail(CLI_INTERRUPTED, "interrupted");
    case ZF_ENOMEM:
    case ZF_ENUMERIC:
    case ZF_EOUTPUT:
        break;
    }
    return cli_fail(CLI_FAILED, "%s", zf_error()[0] ? zf_error() : zf_status_name(status));
}
