/* Any bytes as a table: the first one picks the options, the rest is the file. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "zeroflow/table.h"

static void look_at(zf_table *table)
{
    size_t rows = zf_table_rows(table), columns = zf_table_columns(table);
    assert(rows > 0 && columns > 0);
    if (zf_table_check(table) != ZF_OK) return;
    for (size_t i = 0; i < columns; i++) {
        const zf_column *column = zf_table_column(table, i);
        assert(column->missing <= rows && column->distinct <= rows && *column->note);
        assert(zf_table_find(table, column->name) == (long)i);
        assert(isfinite(column->mean) && isfinite(column->deviation));
        assert(isnan(zf_table_value(table, 0, i)) || column->numeric);
    }
    zf_matrix matrix;
    if (zf_table_matrix(&matrix, table, NULL, 0, ZF_MISSING_DROP) != ZF_OK) return;
    assert(matrix.rows == zf_table_complete_rows(table) && matrix.rows + matrix.dropped == rows);
    for (size_t i = 0; i < matrix.rows * matrix.columns; i++) assert(isfinite(matrix.values[i]));
    zf_matrix_free(&matrix);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const char delimiters[] = {0, ',', ';', '\t', ' ', 'x'};
    if (n == 0) return 0;
    zf_table_options options = zf_table_defaults();
    options.delimiter = delimiters[bytes[0] % 6];
    options.header = (zf_header)(bytes[0] / 6 % 3);
    if (bytes[0] & 0x80) options.n_missing = 0;
    zf_table *table = NULL;
    if (zf_table_read_memory(&table, "fuzz", bytes + 1, n - 1, &options) == ZF_OK) {
        look_at(table);
        zf_table_free(table);
    } else {
        assert(!table && strncmp(zf_error(), "fuzz:", 5) == 0);
    }
    return 0;
}
