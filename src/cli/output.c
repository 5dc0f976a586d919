/* Standard output.

   A command's text is collected in memory and written at once at the end, with
   write(): so a command that fails leaves standard output empty, and the errno
   of a failed write is known, which stdio forgets. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job/answer.h"
#include "text.h"

void cli_output_begin(void)
{
    /* Read-only on purpose: writing to what was closed must fail. */
    int descriptor = open("/dev/null", O_RDONLY);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = dup(descriptor);
    if (descriptor > STDERR_FILENO) close(descriptor);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

static cli_exit write_failed(void)
{
    if (errno == EPIPE) return cli_fail(CLI_FAILED, "%s", "");
    return cli_fail(CLI_FAILED, "cannot write to standard output: %s", strerror(errno));
}

cli_exit cli_output_end(const char *text, size_t length)
{
    while (length > 0) {
        ssize_t written = write(STDOUT_FILENO, text, length);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return write_failed();
        text += written;
        length -= (size_t)written;
    }
    /* Some file systems tell of a full disk only here. */
    return close(STDOUT_FILENO) == 0 || errno == EINTR ? CLI_DONE : write_failed();
}

cli_exit cli_print_json(const cli_call *call, json_t *object)
{
    char *text;
    CLI_TRY(cli_check(zf_answer_end(&text, object)));
    cli_clean_json(call->out, text);
    fputc('\n', call->out);
    free(text);
    return CLI_DONE;
}

void cli_print_data(const cli_call *call, const char *bytes, size_t n)
{
    if (isatty(STDOUT_FILENO))
        cli_clean_lines(call->out, bytes, n);
    else
        fwrite(bytes, 1, n, call->out);
}

cli_exit cli_need_file(const char *path, const char *option)
{
    if (!path || strcmp(path, "-") != 0) return CLI_DONE;
    return cli_fail(CLI_USAGE, "option %s: expected a file, found \"-\" (standard output)", option);
}

void cli_tell_figure(const cli_call *call, const char *path)
{
    if (!path) return;
    fputs("\nWrote ", call->out);
    cli_clean(call->out, path);
    fputc('\n', call->out);
}
