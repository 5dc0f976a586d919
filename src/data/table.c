/* The public face of tables: opening whatever the file is, and looking at it. */
#include "zeroflow/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "data/table_csv.h"
#include "data/table_npy.h"
#include "data/table_store.h"
#include "io/input.h"
#include "io/npy.h"

void zf_table_options_init(zf_table_options *options, size_t size)
{
    static const char *const missing[] = {"NA",   "N/A",  "n/a", "NaN", "nan",
                                          "null", "NULL", "?",   "."};
    const zf_table_options all = {.missing = missing,
                                  .n_missing = sizeof missing / sizeof *missing};
    zf_give(options, size, &all, sizeof all);
}

static zf_status check_options(const zf_table_options *options)
{
    char delimiter = options->delimiter;
    if (delimiter && strchr("\"\n\r", delimiter))
        return zf_fail(ZF_EINVAL,
                       "delimiter: expected a character other than a quote or a newline");
    if (options->n_missing && !options->missing)
        return zf_fail(ZF_EINVAL, "missing values: %zu of them but no list", options->n_missing);
    for (size_t i = 0; i < options->n_missing; i++)
        if (!options->missing[i])
            return zf_fail(ZF_EINVAL, "missing values: number %zu is NULL, expected text", i + 1);
    return ZF_OK;
}

static zf_status read_input(zf_table **out, zf_io_input *input, const zf_table_options *options)
{
    unsigned char start[ZF_INPUT_PEEK];
    size_t n;
    ZF_TRY(zf_io_input_peek(input, start, &n));
    if (n == 0) return zf_fail(ZF_EINPUT, "%s: empty, expected a table", zf_io_input_path(input));
    if (zf_npy_recognise(start, n)) return zf_table_read_npy(out, input, options);
    return zf_table_read_csv(out, input, options);
}

zf_status zf_table_read(zf_table **out, const char *path, const zf_table_options *given)
{
    zf_table_options known = zf_table_defaults();
    const zf_table_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "table"));
    zf_io_input *input;
    ZF_TRY(check_options(options));
    ZF_TRY(zf_io_input_open(&input, path));
    zf_status status = read_input(out, input, options);
    zf_io_input_close(input);
    return status;
}

zf_status zf_table_read_memory(zf_table **out, const char *name, const void *bytes, size_t n,
                               const zf_table_options *given)
{
    zf_table_options known = zf_table_defaults();
    const zf_table_options *options = &known;
    ZF_TRY(zf_take(&known, sizeof known, given, "table"));
    zf_io_input *input;
    ZF_TRY(check_options(options));
    ZF_TRY(zf_io_input_open_memory(&input, name, bytes, n));
    zf_status status = read_input(out, input, options);
    zf_io_input_close(input);
    return status;
}

size_t zf_table_rows(const zf_table *table)
{
    return table->rows;
}

size_t zf_table_columns(const zf_table *table)
{
    return table->columns;
}

const char *zf_table_format(const zf_table *table)
{
    return table->format;
}

const char *zf_table_note(const zf_table *table)
{
    return table->note;
}

size_t zf_table_complete_rows(const zf_table *table)
{
    return table->complete;
}

const zf_column *zf_table_column(const zf_table *table, size_t column)
{
    return column < table->columns ? &table->column[column] : NULL;
}

long zf_table_find(const zf_table *table, const char *name)
{
    size_t low = 0, high = table->columns;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(name, table->column[table->by_name[middle]].name);
        if (order == 0) return (long)table->by_name[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}

double zf_table_value(const zf_table *table, size_t row, size_t column)
{
    if (row >= table->rows || column >= table->columns || !table->column[column].numeric)
        return (double)NAN;
    return zf_table_row(table, row)[column];
}
