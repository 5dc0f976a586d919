/* NPY straight into the blocks of a table: C order a block at a time, Fortran
   order a piece of a column at a time.

   A header of 80 bytes may promise a million columns, which take half a gigabyte.
   So what it promises is held against what comes: columns are made when as many
   elements are there, rows as they come. Fortran order has the last row's elements
   at the end, so of gzip or a pipe it is taken whole first, in memory that grows
   with it. */
#include "data/table_npy.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/table_store.h"
#include "io/npy.h"

enum { PIECE = 1024 };

/* An array under way: the elements that were taken ahead, and the input behind them. */
typedef struct source {
    zf_npy array;
    zf_io_input *input;
    unsigned char *ahead;
    size_t n, at; /* elements taken ahead; of these handed on */
} source;

static zf_status check_shape(const zf_npy *array, const char *path)
{
    if (array->rank != 1 && array->rank != 2)
        return zf_fail(ZF_EINPUT, "%s: an array of %d dimensions, expected rows and columns", path,
                       array->rank);
    int64_t columns = array->rank == 2 ? array->dim[1] : 1;
    if (columns == 0 || columns > ZF_TABLE_COLUMNS_MAX)
        return zf_fail(ZF_EINPUT, "%s: %" PRId64 " columns, expected 1 to %d", path, columns,
                       ZF_TABLE_COLUMNS_MAX);
    return ZF_OK;
}

/* Takes as many elements as there are columns, or all if memory could not grow with
   them otherwise. */
static zf_status look_ahead(source *s, uint64_t columns)
{
    bool whole = s->array.fortran && !zf_io_input_is_sized(s->input);
    uint64_t n = whole || s->array.count < columns ? s->array.count : columns;
    ZF_TRY(zf_io_input_take(&s->ahead, s->input, n * zf_element_bytes(s->array.type), "data"));
    s->n = (size_t)n;
    return ZF_OK;
}

/* The next n elements in the order of the file. */
static zf_status next_values(source *s, double *values, size_t n)
{
    size_t held = s->n - s->at < n ? s->n - s->at : n;
    const zf_npy *array = &s->array;
    zf_element_decode(values, s->ahead + s->at * zf_element_bytes(array->type), held, array->type,
                      array->big_endian);
    s->at += held;
    return zf_npy_next(array, s->input, values + held, n - held);
}

static zf_status make_columns(zf_table *table, uint64_t columns)
{
    for (uint64_t i = 0; i < columns; i++) ZF_TRY(zf_table_add_column(table, "", 0));
    return zf_table_index_names(table, 0);
}

static zf_status fill(zf_table *table, source *s)
{
    size_t rows = (size_t)s->array.dim[0], n;
    for (size_t row = 0; row < rows; row += n) {
        table->rows = row;
        double *values = zf_table_next_row(table);
        if (!values) return ZF_ENOMEM;
        n = rows - row < table->block_rows ? rows - row : table->block_rows;
        if (!s->array.fortran) ZF_TRY(next_values(s, values, n * table->columns));
    }
    for (size_t j = 0; s->array.fortran && j < table->columns; j++) {
        double piece[PIECE];
        for (size_t row = 0; row < rows; row += n) {
            n = rows - row < PIECE ? rows - row : PIECE;
            ZF_TRY(next_values(s, piece, n));
            for (size_t i = 0; i < n; i++) zf_table_row(table, row + i)[j] = piece[i];
        }
    }
    table->rows = rows;
    return zf_io_input_end(s->input, "the array");
}

/* Goes over the values that are there, as if they came in row by row. */
static zf_status tally_rows(zf_table *table, size_t rows, bool nan_is_missing)
{
    char text[32];
    for (table->rows = 0; table->rows < rows; table->rows++)
        for (size_t j = 0; j < table->columns; j++) {
            double value = zf_table_row(table, table->rows)[j];
            if (!isfinite(value) && !(isnan(value) && nan_is_missing))
                return zf_fail(
                    ZF_EINPUT, "%s: row %zu, column %s: expected a finite number, found %s%s",
                    table->path, table->rows + 1, table->column[j].name + strlen("column"),
                    isnan(value) ? "NaN" : "infinity",
                    isnan(value) ? zf_missing_advice().text : "");
            zf_cell_kind kind = isnan(value) ? ZF_CELL_MISSING : ZF_CELL_NUMBER;
            size_t n = 0;
            /* Text is only looked at for the first value and for one beyond float32. */
            if (!*table->column[j].example || fabs(value) > 1e38)
                n = (size_t)snprintf(text, sizeof text, "%.10g", value);
            ZF_TRY(zf_table_put(table, j, kind, value, text, n, 0));
        }
    return ZF_OK;
}

static zf_status read_array(zf_table *table, source *s, const zf_table_options *options)
{
    ZF_TRY(zf_npy_begin(&s->array, s->input));
    ZF_TRY(check_shape(&s->array, table->path));
    uint64_t columns = s->array.rank == 2 ? (uint64_t)s->array.dim[1] : 1;
    ZF_TRY(look_ahead(s, columns));
    /* Without rows there is nothing to say of columns, which zf_table_finish refuses. */
    ZF_TRY(make_columns(table, s->array.dim[0] > 0 ? columns : 1));
    ZF_TRY(fill(table, s));
    ZF_TRY(zf_table_choose(table, options));
    bool nan_is_missing =
        zf_cell_is_missing("NaN", 3, options) || zf_cell_is_missing("nan", 3, options);
    ZF_TRY(tally_rows(table, (size_t)s->array.dim[0], nan_is_missing));
    return zf_table_finish(table);
}

zf_status zf_table_read_npy(zf_table **out, zf_io_input *input, const zf_table_options *options)
{
    zf_table *table;
    ZF_TRY(zf_table_new(&table, zf_io_input_path(input), "NPY"));
    source from = {.input = input};
    zf_status status = read_array(table, &from, options);
    free(from.ahead);
    if (status != ZF_OK) {
        zf_table_free(table);
        return status;
    }
    *out = table;
    return ZF_OK;
}
