/* NPY straight into the blocks of a table: C order a block at a time, Fortran
   order a piece of a column at a time. */
#include "data/table_npy.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "data/table_store.h"
#include "io/npy.h"

enum { PIECE = 1024 };

static zf_status make_columns(zf_table *table, const zf_npy *array)
{
    if (array->rank != 1 && array->rank != 2)
        return zf_fail(ZF_EINPUT, "%s: an array of %d dimensions, expected rows and columns",
                       table->path, array->rank);
    int64_t columns = array->rank == 2 ? array->dim[1] : 1;
    if (columns == 0 || columns > ZF_TABLE_COLUMNS_MAX)
        return zf_fail(ZF_EINPUT, "%s: %" PRId64 " columns, expected 1 to %d", table->path, columns,
                       ZF_TABLE_COLUMNS_MAX);
    for (int64_t i = 0; i < columns; i++) ZF_TRY(zf_table_add_column(table, "", 0));
    return zf_table_index_names(table, 0);
}

static zf_status fill(zf_table *table, const zf_npy *array, zf_input *input)
{
    size_t rows = (size_t)array->dim[0], n;
    for (size_t row = 0; row < rows; row += n) {
        table->rows = row;
        double *values = zf_table_next_row(table);
        if (!values) return ZF_ENOMEM;
        n = rows - row < table->block_rows ? rows - row : table->block_rows;
        if (!array->fortran) ZF_TRY(zf_npy_next(array, input, values, n * table->columns));
    }
    for (size_t j = 0; array->fortran && j < table->columns; j++) {
        double piece[PIECE];
        for (size_t row = 0; row < rows; row += n) {
            n = rows - row < PIECE ? rows - row : PIECE;
            ZF_TRY(zf_npy_next(array, input, piece, n));
            for (size_t i = 0; i < n; i++) zf_table_row(table, row + i)[j] = piece[i];
        }
    }
    return zf_input_end(input, "the array");
}

/* Goes over the values that are there, as if they came in row by row. */
static zf_status tally_rows(zf_table *table, size_t rows, bool nan_is_missing)
{
    char text[32];
    for (table->rows = 0; table->rows < rows; table->rows++)
        for (size_t j = 0; j < table->columns; j++) {
            double value = zf_table_row(table, table->rows)[j];
            if (!isfinite(value) && !(isnan(value) && nan_is_missing))
                return zf_fail(ZF_EINPUT,
                               "%s: row %zu, column %zu: expected a finite number, found %s",
                               table->path, table->rows + 1, j + 1,
                               isnan(value) ? "NaN (use --missing to name it)" : "infinity");
            zf_cell_kind kind = isnan(value) ? ZF_CELL_MISSING : ZF_CELL_NUMBER;
            size_t n = 0;
            /* Text is only looked at for the first value and for one beyond float32. */
            if (!*table->column[j].example || fabs(value) > 1e38)
                n = (size_t)snprintf(text, sizeof text, "%.10g", value);
            ZF_TRY(zf_table_put(table, j, kind, value, text, n, 0));
        }
    return ZF_OK;
}

static zf_status read_array(zf_table *table, zf_input *input, const zf_table_options *options)
{
    zf_npy array;
    ZF_TRY(zf_npy_begin(&array, input));
    ZF_TRY(make_columns(table, &array));
    ZF_TRY(fill(table, &array, input));
    bool nan_is_missing =
        zf_cell_is_missing("NaN", 3, options) || zf_cell_is_missing("nan", 3, options);
    ZF_TRY(tally_rows(table, (size_t)array.dim[0], nan_is_missing));
    return zf_table_finish(table);
}

zf_status zf_table_read_npy(zf_table **out, zf_input *input, const zf_table_options *options)
{
    zf_table *table;
    ZF_TRY(zf_table_new(&table, zf_input_path(input), "NPY"));
    zf_status status = read_array(table, input, options);
    if (status != ZF_OK) {
        zf_table_free(table);
        return status;
    }
    *out = table;
    return ZF_OK;
}
