/* Growing a table: columns, rows, cells. */
#include "data/table_store.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/analyze.h"
#include "base/error.h"
#include "base/moments.h"
#include "data/text.h"

enum { BLOCK_BYTES = 256 * 1024 };

zf_status zf_table_new(zf_table **out, const char *path, const char *format)
{
    zf_table *table = calloc(1, sizeof *table);
    char *copy = strdup(path);
    if (!table || !copy) {
        free(table);
        free(copy);
        return zf_fail_memory(sizeof *table);
    }
    table->path = copy;
    table->format = format;
    table->note = "";
    table->group_column = ZF_NO_COLUMN;
    *out = table;
    return ZF_OK;
}

void zf_table_free(zf_table *table)
{
    if (!table) return;
    for (size_t i = 0; i < table->n_blocks; i++) free(table->blocks[i]);
    for (size_t i = 0; i < table->columns; i++) zf_distinct_free(&table->tally[i].distinct);
    free(table->blocks);
    free(table->column);
    free(table->tally);
    free(table->by_name);
    free(table->groups);
    zf_arena_free(&table->texts);
    free(table->path);
    free(table);
}

const char *zf_table_text(zf_table *table, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return zf_arena_string(&table->texts, text);
}

const char *zf_table_shown_name(const zf_table *table, size_t column, char *shown)
{
    const char *name = table->column[column].name;
    return zf_text_show(shown, ZF_SHOWN_BYTES, name, strlen(name));
}

const char *zf_table_place(const zf_table *table, uint64_t line, char text[ZF_PLACE_BYTES])
{
    if (line)
        snprintf(text, ZF_PLACE_BYTES, "%s:%" PRIu64, table->path, line);
    else
        snprintf(text, ZF_PLACE_BYTES, "%s", table->path);
    return text;
}

static zf_status grow_columns(zf_table *table)
{
    size_t room = table->column_room ? 2 * table->column_room : 16;
    zf_column *column = realloc(table->column, room * sizeof *column);
    if (column) table->column = column;
    zf_tally *tally = realloc(table->tally, room * sizeof *tally);
    if (tally) table->tally = tally;
    if (!column || !tally) return zf_fail_memory(room * (sizeof *column + sizeof *tally));
    table->column_room = room;
    return ZF_OK;
}

zf_status zf_table_add_column(zf_table *table, const char *name, size_t n)
{
    if (table->columns == ZF_TABLE_COLUMNS_MAX)
        return zf_fail(ZF_EINPUT, "%s: more than %d columns, expected at most that", table->path,
                       ZF_TABLE_COLUMNS_MAX);
    if (table->columns == table->column_room) ZF_TRY(grow_columns(table));
    char *copy;
    if (n > 0) {
        copy = zf_arena_get(&table->texts, zf_text_utf8_bytes(name, n) + 1); /* zeroed */
        if (copy) zf_text_to_utf8(copy, name, n);
    } else {
        copy = (char *)zf_table_text(table, "column%zu", table->columns + 1);
    }
    if (!copy) return ZF_ENOMEM;
    table->column[table->columns] =
        (zf_column){.name = copy, .example = "", .note = "", .duplicate_of = -1};
    table->tally[table->columns] = (zf_tally){.whole = true};
    table->columns++;
    return ZF_OK;
}

static int compare_names(const void *a, const void *b, void *context)
{
    const zf_column *column = context;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    int order = strcmp(column[x].name, column[y].name);
    return order ? order : x < y ? -1 : 1;
}

zf_status zf_table_index_names(zf_table *table, uint64_t line)
{
    size_t n = table->columns;
    char place[ZF_PLACE_BYTES], shown[ZF_SHOWN_BYTES];
    table->by_name = malloc((n + 1) * sizeof *table->by_name);
    if (!table->by_name) return zf_fail_memory(n * sizeof *table->by_name);
    for (size_t i = 0; i < n; i++) table->by_name[i] = i;
    qsort_r(table->by_name, n, sizeof *table->by_name, compare_names, table->column);
    for (size_t i = 1; i < n; i++) {
        size_t first = table->by_name[i - 1], second = table->by_name[i];
        if (strcmp(table->column[first].name, table->column[second].name) == 0)
            return zf_fail(
                ZF_EINPUT,
                "%s: columns %zu and %zu are both named \"%s\", expected different names",
                zf_table_place(table, line, place), first + 1, second + 1,
                zf_table_shown_name(table, first, shown));
    }
    table->block_rows = BLOCK_BYTES / sizeof(double) / (n ? n : 1);
    if (table->block_rows == 0) table->block_rows = 1;
    return ZF_OK;
}

double *zf_table_row(const zf_table *table, size_t row)
{
    return table->blocks[row / table->block_rows] + row % table->block_rows * table->columns;
}

static zf_status add_block(zf_table *table)
{
    if (table->n_blocks == table->block_room) {
        size_t room = table->block_room ? 2 * table->block_room : 16;
        double **blocks = realloc(table->blocks, room * sizeof *blocks);
        if (!blocks) return zf_fail_memory(room * sizeof *blocks);
        table->blocks = blocks;
        table->block_room = room;
    }
    size_t bytes = table->block_rows * table->columns * sizeof(double);
    double *block = malloc(bytes + 1);
    if (!block) return zf_fail_memory(bytes);
    table->blocks[table->n_blocks++] = block;
    return ZF_OK;
}

/* The analyzer does not see that the new block is kept in table->blocks. */
ZF_ANALYZER_MISTAKES("-Wanalyzer-malloc-leak")
double *zf_table_next_row(zf_table *table)
{
    if (table->rows == table->n_blocks * table->block_rows && add_block(table) != ZF_OK)
        return NULL;
    return zf_table_row(table, table->rows);
}
ZF_ANALYZER_AGAIN

/* Keeps the cell's text if this is the first of its kind. */
static zf_status keep_place(zf_table *table, zf_table_cell *place, const char *text, size_t n,
                            uint64_t line)
{
    char shown[ZF_SHOWN_BYTES];
    if (place->text) return ZF_OK;
    place->text = zf_arena_string(&table->texts, zf_text_show(shown, sizeof shown, text, n));
    place->line = line;
    return place->text ? ZF_OK : ZF_ENOMEM;
}

static zf_status put_number(zf_table *table, zf_tally *tally, double value, const char *text,
                            size_t n, uint64_t line)
{
    if (tally->numbers++ == 0) {
        tally->low = tally->high = value;
    } else if (value != tally->low && value != tally->high) {
        if (tally->low != tally->high) tally->more = true;
        tally->high = value;
    }
    if (tally->whole && value != trunc(value)) tally->whole = false;
    if (fabs(value) > ZF_VALUE_MOST) ZF_TRY(keep_place(table, &tally->huge_at, text, n, line));
    return tally->other.text ? zf_distinct_add(&tally->distinct, zf_hash_number(value)) : ZF_OK;
}

/* The first cell that is not a number: the numbers above it count as distinct
   values too. */
static zf_status leave_numbers(zf_table *table, size_t column)
{
    zf_distinct *distinct = &table->tally[column].distinct;
    for (size_t i = 0; i < table->rows && !zf_distinct_full(distinct); i++) {
        double value = zf_table_row(table, i)[column];
        if (!isnan(value)) ZF_TRY(zf_distinct_add(distinct, zf_hash_number(value)));
    }
    return ZF_OK;
}

static zf_status put_other(zf_table *table, size_t column, zf_cell_kind kind, double value,
                           const char *text, size_t n, uint64_t line)
{
    zf_tally *tally = &table->tally[column];
    if (!tally->other.text) ZF_TRY(leave_numbers(table, column));
    ZF_TRY(keep_place(table, &tally->other, text, n, line));
    if (kind == ZF_CELL_UNFINITE) {
        tally->unfinite++;
        ZF_TRY(keep_place(table, &tally->unfinite_at, text, n, line));
    }
    if (kind == ZF_CELL_WORD) {
        tally->words++;
        return zf_distinct_add(&tally->distinct, zf_hash_text(value == 0 ? "false" : "true", 5));
    }
    if (kind == ZF_CELL_DATE) tally->dates++;
    if (kind == ZF_CELL_TEXT) tally->texts++;
    return zf_distinct_add(&tally->distinct, zf_hash_text(text, n));
}

zf_status zf_table_put(zf_table *table, size_t column, zf_cell_kind kind, double value,
                       const char *text, size_t n, uint64_t line)
{
    zf_column *about = &table->column[column];
    zf_tally *tally = &table->tally[column];
    double *cell = &zf_table_row(table, table->rows)[column];
    if (column == table->group_column && kind != ZF_CELL_MISSING && kind != ZF_CELL_NUMBER) {
        kind = ZF_CELL_NUMBER; /* the same text, the same number, that no one wrote */
        value = -(double)(zf_hash_text(text, n) >> 12) - 0.5;
    }
    *cell = kind == ZF_CELL_NUMBER || kind == ZF_CELL_WORD ? value + 0.0 : (double)NAN;
    if (kind == ZF_CELL_MISSING) {
        if (about->missing++ == 0) tally->missing_line = line;
        return ZF_OK;
    }
    if (!*about->example && n > 0) {
        char shown[ZF_SHOWN_BYTES];
        about->example = zf_arena_string(&table->texts, zf_text_show(shown, sizeof shown, text, n));
        if (!about->example) return ZF_ENOMEM;
    }
    if (kind == ZF_CELL_NUMBER) return put_number(table, tally, value, text, n, line);
    return put_other(table, column, kind, value, text, n, line);
}
