#include "name_input.h"

#include <stdlib.h>
#include <string.h>

#include "suggest.h"
#include "text.h"

static const char *column_name(const void *table, int i)
{
    return zf_table_column(table, (size_t)i)->name;
}

static int find_column(const void *table, const char *wanted)
{
    return (int)zf_table_find(table, wanted);
}

cli_names cli_table_names(const zf_table *table, const char *path)
{
    return (cli_names){.of = table,
                       .count = (int)zf_table_columns(table),
                       .name = column_name,
                       .find = find_column,
                       .owner = path,
                       .noun = "column"};
}

static cli_exit unknown(const cli_names *names, const char *name)
{
    cli_suggestion near = {.word = name};
    for (int i = 0; i < names->count; i++) cli_consider(&near, names->name(names->of, i));
    if (near.best && name[0])
        return cli_fail(CLI_USAGE, "%s has no %s \"%s\"; did you mean \"%s\"?", names->owner,
                        names->noun, name, near.best);
    if (names->count == 1)
        return cli_fail(CLI_USAGE, "%s has no %s \"%s\"; its one %s is \"%s\"", names->owner,
                        names->noun, name, names->noun, names->name(names->of, 0));
    return cli_fail(CLI_USAGE, "%s has no %s \"%s\"; its %d %ss are \"%s\"%s \"%s\"", names->owner,
                    names->noun, name, names->count, names->noun, names->name(names->of, 0),
                    names->count > 2 ? " to" : " and", names->name(names->of, names->count - 1));
}

/* Parts first .. last with the commas between them, for free(); NULL: out of memory. */
static char *join(const cli_value *list, int first, int last)
{
    size_t bytes = 0;
    for (int i = first; i <= last; i++) bytes += strlen(list->list[i]) + 1;
    char *joined = malloc(bytes), *at = joined;
    if (!joined) return NULL;
    for (int i = first; i <= last; i++) {
        size_t n = strlen(list->list[i]);
        memcpy(at, list->list[i], n);
        at += n;
        *at++ = i < last ? ',' : '\0';
    }
    return joined;
}

/* What the longest name that begins at part first means; sets *end to the part
   after it. -1: nothing, or out of memory. */
static int find_longest(const cli_names *names, const cli_value *list, int first, int *end)
{
    enum { PARTS_MOST = 16 };
    int last = list->n_list - 1;
    if (last > first + PARTS_MOST) last = first + PARTS_MOST;
    for (; last > first; last--) {
        char *joined = join(list, first, last);
        int found = joined ? names->find(names->of, joined) : -1;
        free(joined);
        *end = last + 1;
        if (found >= 0) return found;
    }
    *end = first + 1;
    return names->find(names->of, list->list[first]);
}

cli_exit cli_find_names(int32_t **found, int *n, const cli_names *names, const cli_value *list,
                        const char *label)
{
    if (list->n_list == 0)
        return cli_fail(CLI_USAGE, "%s is missing: name one %s or more, such as %s %s", label,
                        names->noun, label, names->name(names->of, 0));
    int32_t *places = malloc((size_t)list->n_list * sizeof *places);
    if (!places) return cli_fail(CLI_FAILED, "out of memory");
    int count = 0;
    for (int at = 0, next; at < list->n_list; at = next) {
        int place = find_longest(names, list, at, &next);
        if (place < 0) {
            free(places);
            return unknown(names, list->list[at]);
        }
        places[count++] = place;
    }
    *found = places;
    *n = count;
    return CLI_DONE;
}

void cli_print_names(FILE *out, const cli_names *names, const int32_t *list, int n)
{
    enum { NAMED_MOST = 8 };
    for (int i = 0; i < n && i < NAMED_MOST; i++) {
        fputs(i ? ", " : "", out);
        cli_clean(out, names->name(names->of, list[i]));
    }
    if (n > NAMED_MOST) fprintf(out, " and %d more", n - NAMED_MOST);
}

json_t *cli_names_json(const cli_names *names, const int32_t *list, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++)
        if (json_array_append_new(array, cli_json_text(names->name(names->of, list[i]))) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}
