#include "table_input.h"

#include <stdlib.h>
#include <string.h>

/* The byte that the option names; CLI_USAGE if it names none. */
static cli_exit find_delimiter(char *delimiter, const char *text)
{
    static const char *const names[] = {"comma", ",",   "semicolon", ";",    "tab", "\t",    "\\t",
                                        "\t",    "bar", "|",         "pipe", "|",   "space", " "};
    for (size_t i = 0; i < sizeof names / sizeof *names; i += 2) {
        if (strcmp(text, names[i]) != 0) continue;
        *delimiter = names[i + 1][0];
        return CLI_DONE;
    }
    unsigned char byte = (unsigned char)text[0];
    bool printable = byte == '\t' || (byte >= ' ' && byte < 0x7f);
    if (!printable || text[1] || strchr("\"\n\r", byte))
        return cli_fail(CLI_USAGE,
                        "option --delimiter: expected one character, or one of comma, semicolon, "
                        "tab, bar, space, found \"%s\"",
                        text);
    *delimiter = text[0];
    return CLI_DONE;
}

/* The library's own list and what the user adds; NULL: out of memory. */
static const char **all_missing(const zf_table_options *standard, const cli_value *more)
{
    size_t n = standard->n_missing;
    const char **list = malloc(sizeof *list * (n + (size_t)more->n_list + 1));
    if (!list) return NULL;
    for (size_t i = 0; i < n; i++) list[i] = standard->missing[i];
    for (int i = 0; i < more->n_list; i++) list[n + (size_t)i] = more->list[i];
    return list;
}

/* What the options say; wish->missing is for free(). */
static cli_exit understand(zf_table_options *wish, const cli_value *values)
{
    *wish = zf_table_defaults();
    if (values[CLI_DELIMITER].text)
        CLI_TRY(find_delimiter(&wish->delimiter, values[CLI_DELIMITER].text));
    if (values[CLI_HEADER].flag && values[CLI_NO_HEADER].flag)
        return cli_fail(CLI_USAGE, "--header and --no-header exclude each other");
    if (values[CLI_HEADER].flag) wish->header = ZF_HEADER_YES;
    if (values[CLI_NO_HEADER].flag) wish->header = ZF_HEADER_NO;
    const char **missing = all_missing(wish, &values[CLI_MISSING]);
    if (!missing) return cli_fail(CLI_FAILED, "out of memory");
    wish->n_missing += (size_t)values[CLI_MISSING].n_list;
    wish->missing = missing;
    return CLI_DONE;
}

cli_exit cli_read_table(zf_table **out, const cli_value *first, const char *path)
{
    zf_table_options wish;
    zf_table *table = NULL;
    CLI_TRY(understand(&wish, first));
    if (strcmp(path, "-") == 0) path = "/dev/stdin";
    zf_status status = zf_table_read(&table, path, &wish);
    if (status == ZF_OK) status = zf_table_check(table);
    free((void *)wish.missing);
    if (status != ZF_OK) {
        zf_table_free(table);
        return cli_check(status);
    }
    *out = table;
    return CLI_DONE;
}
