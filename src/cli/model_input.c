#include "model_input.h"

#include <stdlib.h>
#include <string.h>

#include "suggest.h"

static cli_exit unknown_feature(const zf_blanket *model, const char *name)
{
    cli_suggestion near = {.word = name};
    int features = zf_blanket_features(model);
    for (int i = 0; i < features; i++) cli_consider(&near, zf_blanket_name(model, i));
    if (near.best && name[0])
        return cli_fail(CLI_USAGE, "the model has no feature \"%s\"; did you mean \"%s\"?", name,
                        near.best);
    return cli_fail(CLI_USAGE,
                    "the model has no feature \"%s\"; its %d features are \"%s\"%s \"%s\"", name,
                    features, zf_blanket_name(model, 0), features > 2 ? " to" : " and",
                    zf_blanket_name(model, features - 1));
}

/* Parts first .. last with the commas between them, for free(); NULL: out of memory. */
static char *join(const cli_value *names, int first, int last)
{
    size_t bytes = 0;
    for (int i = first; i <= last; i++) bytes += strlen(names->list[i]) + 1;
    char *joined = malloc(bytes), *at = joined;
    if (!joined) return NULL;
    for (int i = first; i <= last; i++) {
        size_t n = strlen(names->list[i]);
        memcpy(at, names->list[i], n);
        at += n;
        *at++ = i < last ? ',' : '\0';
    }
    return joined;
}

/* The feature whose name begins at part first, the longest that there is; sets
 *end to the part after it. -1: none, or out of memory. */
static int find_longest(const zf_blanket *model, const cli_value *names, int first, int *end)
{
    enum { PARTS_MOST = 16 };
    int last = names->n_list - 1;
    if (last > first + PARTS_MOST) last = first + PARTS_MOST;
    for (; last > first; last--) {
        char *joined = join(names, first, last);
        int found = joined ? zf_blanket_find(model, joined) : -1;
        free(joined);
        *end = last + 1;
        if (found >= 0) return found;
    }
    *end = first + 1;
    return zf_blanket_find(model, names->list[first]);
}

cli_exit cli_find_features(int32_t **targets, int *n, const zf_blanket *model,
                           const cli_value *names, const char *label)
{
    if (names->n_list == 0)
        return cli_fail(CLI_USAGE, "%s is missing: name one feature or more, such as %s %s", label,
                        label, zf_blanket_name(model, 0));
    int32_t *list = malloc((size_t)names->n_list * sizeof *list);
    if (!list) return cli_fail(CLI_FAILED, "out of memory");
    int count = 0;
    for (int at = 0, next; at < names->n_list; at = next) {
        int found = find_longest(model, names, at, &next);
        if (found < 0) {
            free(list);
            return unknown_feature(model, names->list[at]);
        }
        list[count++] = found;
    }
    *targets = list;
    *n = count;
    return CLI_DONE;
}
