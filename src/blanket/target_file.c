/* Target sets from a file: one a line, variable names as CSV cells.

   Names are found by bisection in a sorted list, so that a file of as many sets
   as there are variables stays quick. The order and the number of cells vary from
   line to line, which is why a table reader would not do. Memory: 4 bytes a name that
   has come, and one line's names. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/csv.h"
#include "data/text.h"
#include "io/input.h"
#include "io/recognise.h"
#include "zeroflow/blanket.h"
#include "zeroflow/nearest.h"

enum { PIECE_BYTES = 64 * 1024 };

typedef struct entry {
    const char *name;
    int32_t variable;
} entry;

/* A list of numbers that grows. */
typedef struct numbers {
    int32_t *list;
    size_t n, room;
} numbers;

typedef struct reading {
    const char *path;
    const char *const *names;
    size_t n_names;
    entry *sorted; /* by name */
    numbers items, first;
} reading;

static int compare_entries(const void *a, const void *b)
{
    return strcmp(((const entry *)a)->name, ((const entry *)b)->name);
}

static int compare_numbers(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static zf_status append(numbers *to, int32_t number)
{
    if (to->n == to->room) {
        size_t room = to->room ? 2 * to->room : 64;
        int32_t *list = realloc(to->list, room * sizeof *list);
        if (!list) return zf_fail_memory(room * sizeof *list);
        to->list = list;
        to->room = room;
    }
    to->list[to->n++] = number;
    return ZF_OK;
}

static zf_status unknown(const reading *r, const char *name, uint64_t line)
{
    char shown[ZF_SHOWN_BYTES], near[ZF_SHOWN_BYTES];
    const char *best = zf_nearest(name, r->names, r->n_names);
    zf_text_show(shown, sizeof shown, name, strlen(name));
    if (!best)
        return zf_fail(ZF_EINPUT, "%s:%" PRIu64 ": \"%s\" is not among the %zu variables", r->path,
                       line, shown, r->n_names);
    return zf_fail(
        ZF_EINPUT, "%s:%" PRIu64 ": \"%s\" is not among the %zu variables; did you mean \"%s\"?",
        r->path, line, shown, r->n_names, zf_text_show(near, sizeof near, best, strlen(best)));
}

static zf_status on_cell(void *context, const char *text, size_t n, uint64_t line)
{
    reading *r = context;
    if (n == 0)
        return zf_fail(ZF_EINPUT, "%s:%" PRIu64 ": an empty cell, expected the name of a variable",
                       r->path, line);
    size_t bytes = zf_text_utf8_bytes(text, n);
    char *name = malloc(bytes + 1);
    if (!name) return zf_fail_memory(bytes + 1);
    zf_text_to_utf8(name, text, n);
    name[bytes] = '\0';
    const entry *found =
        bsearch(&(entry){.name = name}, r->sorted, r->n_names, sizeof *r->sorted, compare_entries);
    zf_status status = found ? append(&r->items, found->variable) : unknown(r, name, line);
    free(name);
    return status;
}

/* Puts the set that has ended into order. */
static zf_status on_record(void *context, uint64_t line)
{
    reading *r = context;
    size_t begin = (size_t)r->first.list[r->first.n - 1], n = r->items.n - begin;
    int32_t *set = r->items.list + begin;
    char shown[ZF_SHOWN_BYTES];
    qsort(set, n, sizeof *set, compare_numbers);
    for (size_t k = 1; k < n; k++) {
        if (set[k] != set[k - 1]) continue;
        const char *name = r->names[set[k]];
        return zf_fail(ZF_EINPUT, "%s:%" PRIu64 ": \"%s\" is twice in one set", r->path, line,
                       zf_text_show(shown, sizeof shown, name, strlen(name)));
    }
    if (n == r->n_names)
        return zf_fail(ZF_EINPUT,
                       "%s:%" PRIu64
                       ": a set of all %zu variables leaves none to predict them from",
                       r->path, line, n);
    if (r->items.n > INT32_MAX)
        return zf_fail(ZF_EINPUT, "%s: more than %d names", r->path, INT32_MAX);
    return append(&r->first, (int32_t)r->items.n);
}

/* A comma anywhere decides; names seldom hold the others, but may. */
static char find_delimiter(const char *bytes, size_t n)
{
    static const char delimiters[] = ",;\t|";
    for (const char *delimiter = delimiters; *delimiter; delimiter++) {
        bool quoted = false;
        for (size_t i = 0; i < n; i++) {
            if (bytes[i] == '"') quoted = !quoted;
            if (!quoted && bytes[i] == *delimiter) return *delimiter;
        }
    }
    return ',';
}

static zf_status cut(reading *r, zf_io_input *input, char *piece)
{
    size_t n;
    ZF_TRY(zf_io_input_read(input, piece, PIECE_BYTES, &n));
    if (n > 0) ZF_TRY(zf_recognise_text(r->path, piece, n, "the names of target variables"));
    size_t start = n >= 3 && memcmp(piece, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    zf_csv csv;
    zf_csv_start(&csv, r->path, find_delimiter(piece + start, n - start),
                 (zf_csv_sink){on_cell, on_record, r});
    zf_status status = zf_csv_feed(&csv, piece + start, n - start);
    while (status == ZF_OK && n > 0) {
        status = zf_io_input_read(input, piece, PIECE_BYTES, &n);
        if (status == ZF_OK) status = zf_csv_feed(&csv, piece, n);
    }
    if (status == ZF_OK) status = zf_csv_finish(&csv);
    zf_csv_free(&csv);
    return status;
}

static zf_status read_all(reading *r)
{
    zf_io_input *input = NULL;
    char *piece = malloc(PIECE_BYTES);
    r->sorted = malloc((r->n_names + 1) * sizeof *r->sorted);
    if (!piece || !r->sorted) {
        free(piece);
        return zf_fail_memory(PIECE_BYTES + (r->n_names + 1) * sizeof *r->sorted);
    }
    for (size_t i = 0; i < r->n_names; i++) r->sorted[i] = (entry){r->names[i], (int32_t)i};
    qsort(r->sorted, r->n_names, sizeof *r->sorted, compare_entries);
    zf_status status = append(&r->first, 0);
    if (status == ZF_OK) status = zf_io_input_open(&input, r->path);
    if (status == ZF_OK) status = cut(r, input, piece);
    zf_io_input_close(input);
    free(piece);
    if (status == ZF_OK && r->first.n == 1)
        return zf_fail(ZF_EINPUT, "%s: empty, expected the names of target variables", r->path);
    return status;
}

zf_status zf_target_sets_read(zf_target_sets *out, const char *path, const char *const *names,
                              size_t n_names)
{
    reading r = {.path = path, .names = names, .n_names = n_names};
    zf_status status = read_all(&r);
    free(r.sorted);
    if (status != ZF_OK) {
        free(r.items.list);
        free(r.first.list);
        return status;
    }
    *out = (zf_target_sets){r.items.list, r.first.list, (int)(r.first.n - 1)};
    return ZF_OK;
}

void zf_target_sets_free(zf_target_sets *sets)
{
    free((void *)sets->items);
    free((void *)sets->first);
    *sets = (zf_target_sets){0};
}
