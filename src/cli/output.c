/* Standard output.

   A command's text is collected in memory and written at once at the end, with
   write(): so a command that fails leaves standard output empty, and the errno
   of a failed write is known, which stdio forgets. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    char *text = object ? json_dumps(object, JSON_INDENT(2)) : NULL;
    json_decref(object);
    if (!text) return cli_fail(CLI_FAILED, "out of memory");
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

bool cli_is_standard_output(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

cli_exit cli_need_file(const char *path, const char *option)
{
    if (!path || !cli_is_standard_output(path)) return CLI_DONE;
    return cli_fail(CLI_USAGE, "option %s: expected a file, found \"-\" (standard output)", option);
}

cli_exit cli_write_table(const cli_call *call, const char *path, const zf_numbers *numbers)
{
    char *text;
    size_t length;
    if (!cli_is_standard_output(path)) return cli_check(zf_table_write(path, numbers));
    CLI_TRY(cli_check(zf_table_encode(&text, &length, numbers)));
    cli_print_data(call, text, length);
    free(text);
    return CLI_DONE;
}

json_t *cli_json_text(const char *text)
{
    if (!text) return json_null();
    char *repaired = NULL;
    size_t length;
    FILE *stream = open_memstream(&repaired, &length);
    if (!stream) return NULL;
    cli_repair(stream, text);
    json_t *json = fclose(stream) == 0 ? json_stringn_nocheck(repaired, length) : NULL;
    free(repaired);
    return json;
}

json_t *cli_json_number(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

float *cli_narrow(const double *values, size_t n)
{
    float *narrow = malloc((n + 1) * sizeof *narrow);
    for (size_t i = 0; narrow && i < n; i++) narrow[i] = (float)values[i];
    return narrow;
}
