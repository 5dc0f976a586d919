#include "table_input.h"

#include <stdlib.h>
#include <string.h>

#include "name_input.h"

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

/* What --columns, --drop and --groups say, and how it went with them. */
typedef struct choice {
    const cli_value *values;
    const char *path;
    const char *groups; /* a column, which is kept for what it says of rows; NULL: none */
    cli_exit exit;
} choice;

/* Sets keep[i] of every column that the list names. */
static cli_exit mark(bool *keep, bool value, const choice *wish, const zf_table *table,
                     const cli_value *list, const char *label)
{
    cli_names names = cli_table_names(table, wish->path);
    int32_t *found;
    int n;
    CLI_TRY(cli_find_names(&found, &n, &names, list, label));
    for (int i = 0; i < n; i++) keep[found[i]] = value;
    free(found);
    return CLI_DONE;
}

static cli_exit mark_all(bool *keep, const choice *wish, const zf_table *table)
{
    const cli_value *values = wish->values;
    bool named = values && values[CLI_COLUMNS].given, dropped = values && values[CLI_DROP].given;
    for (size_t i = 0; i < zf_table_columns(table); i++) keep[i] = !named;
    if (named) CLI_TRY(mark(keep, true, wish, table, &values[CLI_COLUMNS], "--columns"));
    if (dropped) CLI_TRY(mark(keep, false, wish, table, &values[CLI_DROP], "--drop"));
    if (wish->groups) {
        const char *list[] = {wish->groups};
        cli_value groups = {.list = list, .n_list = 1};
        CLI_TRY(mark(keep, true, wish, table, &groups, "--groups"));
    }
    return CLI_DONE;
}

static cli_exit keep_chosen(const choice *wish, zf_table *table)
{
    size_t columns = zf_table_columns(table), n = 0;
    bool *keep = malloc(columns * sizeof *keep);
    size_t *kept = malloc(columns * sizeof *kept);
    cli_exit exit =
        keep && kept ? mark_all(keep, wish, table) : cli_fail(CLI_FAILED, "out of memory");
    if (exit == CLI_DONE) {
        for (size_t i = 0; i < columns; i++)
            if (keep[i]) kept[n++] = i;
        exit = n ? cli_check(zf_table_keep(table, kept, n))
                 : cli_fail(CLI_USAGE, "--drop leaves no column of %s", wish->path);
    }
    free(keep);
    free(kept);
    return exit;
}

static zf_status on_names(void *context, zf_table *table)
{
    choice *wish = context;
    wish->exit = keep_chosen(wish, table);
    return wish->exit == CLI_DONE ? ZF_OK : ZF_EINVAL;
}

static cli_exit read_table(zf_table **out, const cli_value *first, choice *wish)
{
    zf_table_options options;
    zf_table *table = NULL;
    CLI_TRY(understand(&options, first));
    options.groups = wish->groups;
    if (wish->groups ||
        (wish->values && (wish->values[CLI_COLUMNS].given || wish->values[CLI_DROP].given))) {
        options.choose = on_names;
        options.choose_context = wish;
    }
    bool piped = strcmp(wish->path, "-") == 0;
    zf_status status = zf_table_read(&table, piped ? "/dev/stdin" : wish->path, &options);
    if (status == ZF_OK) status = zf_table_check(table);
    free((void *)options.missing);
    if (status != ZF_OK) {
        zf_table_free(table);
        return wish->exit != CLI_DONE ? wish->exit : cli_check(status);
    }
    *out = table;
    return CLI_DONE;
}

cli_exit cli_read_columns(zf_table **out, const cli_value *first, const cli_value *chosen,
                          const char *groups, const char *path)
{
    return read_table(out, first, &(choice){.values = chosen, .path = path, .groups = groups});
}

cli_exit cli_read_table(zf_table **out, const cli_value *first, const char *path)
{
    return cli_read_columns(out, first, NULL, NULL, path);
}
