#include "job/names.h"

#include <stdlib.h>
#include <string.h>

#include "job/answer.h"
#include "zeroflow/nearest.h"

static const char *column_name(const void *table, int i)
{
    return zf_table_column(table, (size_t)i)->name;
}

static int find_column(const void *table, const char *wanted)
{
    return (int)zf_table_find(table, wanted);
}

zf_names zf_table_names(const zf_table *table, const char *path)
{
    return (zf_names){.of = table,
                      .count = (int)zf_table_columns(table),
                      .name = column_name,
                      .find = find_column,
                      .owner = path,
                      .noun = "column"};
}

static zf_status unknown(const zf_names *names, const char *name)
{
    const char *best = NULL;
    for (int i = 0; i < names->count; i++) {
        const char *other = names->name(names->of, i);
        const char *const both[] = {best ? best : other, other};
        best = zf_nearest(name, both, 2);
    }
    if (best && name[0])
        return zf_fail(ZF_EINVAL, "%s has no %s \"%s\"; did you mean \"%s\"?", names->owner,
                       names->noun, name, best);
    if (names->count == 1)
        return zf_fail(ZF_EINVAL, "%s has no %s \"%s\"; its one %s is \"%s\"", names->owner,
                       names->noun, name, names->noun, names->name(names->of, 0));
    return zf_fail(ZF_EINVAL, "%s has no %s \"%s\"; its %d %ss are \"%s\"%s \"%s\"", names->owner,
                   names->noun, name, names->count, names->noun, names->name(names->of, 0),
                   names->count > 2 ? " to" : " and", names->name(names->of, names->count - 1));
}

/* Parts first .. last with the commas between them, for free(); NULL: out of memory. */
static char *join(const zf_words *list, int first, int last)
{
    size_t bytes = 0;
    for (int i = first; i <= last; i++) bytes += strlen(list->items[i]) + 1;
    char *joined = malloc(bytes), *at = joined;
    if (!joined) return NULL;
    for (int i = first; i <= last; i++) {
        size_t n = strlen(list->items[i]);
        memcpy(at, list->items[i], n);
        at += n;
        *at++ = i < last ? ',' : '\0';
    }
    return joined;
}

/* What the longest name that begins at part first means; sets *end to the part
   after it. -1: nothing, or out of memory. */
static int find_longest(const zf_names *names, const zf_words *list, int first, int *end)
{
    enum { PARTS_MOST = 16 };
    int last = list->n - 1;
    if (last > first + PARTS_MOST) last = first + PARTS_MOST;
    for (; last > first; last--) {
        char *joined = join(list, first, last);
        int found = joined ? names->find(names->of, joined) : -1;
        free(joined);
        *end = last + 1;
        if (found >= 0) return found;
    }
    *end = first + 1;
    return names->find(names->of, list->items[first]);
}

zf_status zf_find_names(int32_t **found, int *n, const zf_names *names, const zf_words *list,
                        const char *option)
{
    if (list->n == 0)
        return zf_fail(ZF_EINVAL, "%s%s is missing: name one %s or more, such as %s%s %s",
                       zf_option_prefix(), option, names->noun, zf_option_prefix(), option,
                       names->name(names->of, 0));
    int32_t *places = malloc((size_t)list->n * sizeof *places);
    if (!places) return zf_fail(ZF_ENOMEM, "out of memory");
    int count = 0;
    for (int at = 0, next; at < list->n; at = next) {
        int place = find_longest(names, list, at, &next);
        if (place < 0) {
            free(places);
            return unknown(names, list->items[at]);
        }
        places[count++] = place;
    }
    *found = places;
    *n = count;
    return ZF_OK;
}

json_t *zf_names_json(const zf_names *names, const int32_t *list, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++)
        zf_answer_add(array, zf_answer_text(names->name(names->of, list[i])));
    return array;
}

static const char *variable_name(const void *model, int i)
{
    return zf_blanket_name(model, i);
}

static int find_variable(const void *model, const char *wanted)
{
    return zf_blanket_find(model, wanted);
}

zf_names zf_model_names(const zf_blanket *model)
{
    return (zf_names){.of = model,
                      .count = zf_blanket_variables(model),
                      .name = variable_name,
                      .find = find_variable,
                      .owner = "the model",
                      .noun = "variable"};
}
