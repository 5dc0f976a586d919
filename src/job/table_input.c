#include "job/table_input.h"

#include <stdlib.h>
#include <string.h>

#include "job/names.h"

/* The byte that the option names; ZF_EINVAL if it names none. */
static zf_status find_delimiter(char *delimiter, const char *text)
{
    static const char *const names[] = {"comma", ",",   "semicolon", ";",    "tab", "\t",    "\\t",
                                        "\t",    "bar", "|",         "pipe", "|",   "space", " "};
    for (size_t i = 0; i < sizeof names / sizeof *names; i += 2) {
        if (strcmp(text, names[i]) != 0) continue;
        *delimiter = names[i + 1][0];
        return ZF_OK;
    }
    unsigned char byte = (unsigned char)text[0];
    bool printable = byte == '\t' || (byte >= ' ' && byte < 0x7f);
    if (!printable || text[1] || strchr("\"\n\r", byte))
        return zf_fail(ZF_EINVAL,
                       "option {delimiter}: expected one character, or one of comma, semicolon, "
                       "tab, bar, space, found \"%s\"",
                       text);
    *delimiter = text[0];
    return ZF_OK;
}

/* The library's own list and what the user adds; NULL: out of memory. */
static const char **all_missing(const zf_table_options *standard, const zf_words *more)
{
    size_t n = standard->n_missing;
    const char **list = malloc(sizeof *list * (n + (size_t)more->n + 1));
    if (!list) return NULL;
    for (size_t i = 0; i < n; i++) list[i] = standard->missing[i];
    for (int i = 0; i < more->n; i++) list[n + (size_t)i] = more->items[i];
    return list;
}

/* What the options say; wish->missing is for free(). */
static zf_status understand(zf_table_options *wish, const zf_table_values *values)
{
    *wish = zf_table_defaults();
    if (values->delimiter) ZF_TRY(find_delimiter(&wish->delimiter, values->delimiter));
    if (values->header && values->no_header)
        return zf_fail(ZF_EINVAL, "{header} and {no-header} cannot be used together");
    if (values->header) wish->header = ZF_HEADER_YES;
    if (values->no_header) wish->header = ZF_HEADER_NO;
    const char **missing = all_missing(wish, &values->missing);
    if (!missing) return zf_fail(ZF_ENOMEM, "out of memory");
    wish->n_missing += (size_t)values->missing.n;
    wish->missing = missing;
    return ZF_OK;
}

/* What {columns}, {drop} and {groups} say, and how it went with them. */
typedef struct choice {
    const zf_column_values *values; /* NULL: all */
    const char *path;
    const char *groups; /* a column, which is kept for what it says of rows; NULL: none */
} choice;

/* Sets keep[i] of every column that the list names. */
static zf_status mark(bool *keep, bool value, const choice *wish, const zf_table *table,
                      const zf_words *list, const char *label)
{
    zf_names names = zf_table_names(table, wish->path);
    int32_t *found;
    int n;
    ZF_TRY(zf_find_names(&found, &n, &names, list, label));
    for (int i = 0; i < n; i++) keep[found[i]] = value;
    free(found);
    return ZF_OK;
}

static zf_status mark_all(bool *keep, const choice *wish, const zf_table *table)
{
    const zf_column_values *values = wish->values;
    bool named = values && values->columns.n > 0, dropped = values && values->drop.n > 0;
    for (size_t i = 0; i < zf_table_columns(table); i++) keep[i] = !named;
    if (named) ZF_TRY(mark(keep, true, wish, table, &values->columns, "columns"));
    if (dropped) ZF_TRY(mark(keep, false, wish, table, &values->drop, "drop"));
    if (wish->groups) {
        const char *list[] = {wish->groups};
        zf_words groups = {list, 1};
        ZF_TRY(mark(keep, true, wish, table, &groups, "groups"));
    }
    return ZF_OK;
}

static zf_status keep_chosen(const choice *wish, zf_table *table)
{
    size_t columns = zf_table_columns(table), n = 0;
    bool *keep = malloc(columns * sizeof *keep);
    size_t *kept = malloc(columns * sizeof *kept);
    zf_status status =
        keep && kept ? mark_all(keep, wish, table) : zf_fail(ZF_ENOMEM, "out of memory");
    if (status == ZF_OK) {
        for (size_t i = 0; i < columns; i++)
            if (keep[i]) kept[n++] = i;
        status = n ? zf_table_keep(table, kept, n)
                   : zf_fail(ZF_EINVAL, "{drop} leaves no column of %s", wish->path);
    }
    free(keep);
    free(kept);
    return status;
}

static zf_status on_names(void *context, zf_table *table)
{
    return keep_chosen(context, table);
}

static zf_status read_chosen(zf_table **out, const zf_table_values *values, choice *wish)
{
    zf_table_options options;
    zf_table *table = NULL;
    ZF_TRY(understand(&options, values));
    options.groups = wish->groups;
    if (wish->groups ||
        (wish->values && (wish->values->columns.n > 0 || wish->values->drop.n > 0))) {
        options.choose = on_names;
        options.choose_context = wish;
    }
    bool piped = strcmp(wish->path, "-") == 0;
    zf_status status = zf_table_read(&table, piped ? "/dev/stdin" : wish->path, &options);
    if (status == ZF_OK) status = zf_table_check(table);
    free((void *)options.missing);
    if (status != ZF_OK) {
        zf_table_free(table);
        return status;
    }
    *out = table;
    return ZF_OK;
}

zf_status zf_read_columns(zf_table **out, const zf_table_values *values,
                          const zf_column_values *chosen, const char *groups, const char *path)
{
    return read_chosen(out, values, &(choice){.values = chosen, .path = path, .groups = groups});
}

zf_status zf_read_table(zf_table **out, const zf_table_values *values, const char *path)
{
    return zf_read_columns(out, values, NULL, NULL, path);
}
