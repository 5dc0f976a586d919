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
#include <strings.h>
#include <unistd.h>

#include "gather.h"
#include "text.h"

/* jansson was refused memory. Much of it passes over a member that could not be made. */
static bool json_starved;

static void *json_memory(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory) json_starved = true;
    return memory;
}

void cli_output_begin(void)
{
    json_set_alloc_funcs(json_memory, free);
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

/* The first number that was to be JSON and is not finite: its value, and what stands for it
   in the object. */
static json_t *strange;
static double strange_value;

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

static json_t *warnings; /* NULL: none */

void cli_json_warn(const char *line)
{
    if (!warnings) warnings = json_array();
    json_array_append_new(warnings, cli_json_text(line));
}

cli_exit cli_print_json(const cli_call *call, json_t *object)
{
    if (warnings && object) json_object_set_new(object, "warnings", warnings);
    warnings = NULL;
    if (strange && object) {
        const char *name = name_of_strange(object, "result");
        cli_fail(CLI_FAILED, "%s is %g, expected a finite number", name ? name : "a result",
                 strange_value);
        json_decref(object);
        return CLI_FAILED;
    }
    char *text = object ? json_dumps(object, JSON_INDENT(2)) : NULL;
    json_decref(object);
    if (!text || json_starved) {
        free(text);
        return cli_fail(CLI_FAILED, "out of memory");
    }
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

bool cli_is_figure_name(const char *path)
{
    size_t n = strlen(path);
    return n > 4 &&
           (strcasecmp(path + n - 4, ".png") == 0 || strcasecmp(path + n - 4, ".svg") == 0);
}

cli_exit cli_check_figure_name(const char *path, const char *option)
{
    if (!path || cli_is_figure_name(path)) return CLI_DONE;
    return cli_fail(CLI_USAGE, "option %s: expected a name that ends in .png or .svg, found \"%s\"",
                    option, path);
}

void cli_tell_figure(const cli_call *call, const char *path)
{
    if (!path) return;
    fputs("\nWrote ", call->out);
    cli_clean(call->out, path);
    fputc('\n', call->out);
}

json_t *cli_json_text(const char *text)
{
    if (!text) return json_null();
    cli_gathered repaired;
    if (cli_gather(&repaired)) cli_repair(repaired.out, text);
    json_t *json = NULL;
    if (cli_gather_end(&repaired)) json = json_stringn_nocheck(repaired.text, repaired.length);
    if (!json) json_starved = true;
    free(repaired.text);
    return json;
}

json_t *cli_json_number(double number)
{
    if (isfinite(number)) return json_real(number);
    json_t *stand_in = json_string("not finite");
    if (!strange && stand_in) {
        strange = stand_in;
        strange_value = number;
    }
    return stand_in;
}

json_t *cli_json_optional(double number)
{
    return isnan(number) ? json_null() : cli_json_number(number);
}

float *cli_narrow(const double *values, size_t n)
{
    float *narrow = malloc((n + 1) * sizeof *narrow);
    for (size_t i = 0; narrow && i < n; i++) narrow[i] = (float)values[i];
    return narrow;
}
