/* A table's numbers as the matrix that the methods work on: float64, as they were read. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/table_store.h"
#include "data/text.h"

void zf_matrix_free(zf_matrix *matrix)
{
    free(matrix->values);
    free(matrix->groups);
    free(matrix->row);
    *matrix = (zf_matrix){0};
}

static zf_status refuse_type(const zf_table *table, size_t column)
{
    const zf_tally *tally = &table->tally[column];
    char place[ZF_PLACE_BYTES], shown[ZF_SHOWN_BYTES];
    zf_table_shown_name(table, column, shown);
    if (table->column[column].type == ZF_COLUMN_EMPTY)
        return zf_fail(ZF_EINPUT, "%s: column \"%s\": expected numbers, found missing values only",
                       table->path, shown);
    const char *found = tally->other.text;
    zf_advice advice = zf_missing_advice();
    const char *hint = advice.text;
    if (zf_cell_is_decimal_comma(found, strlen(found)))
        hint = " (a decimal comma; write a decimal point)";
    else if (table->column[column].type == ZF_COLUMN_DATE)
        hint = " (a date)";
    return zf_fail(ZF_EINPUT, "%s: column \"%s\": expected a number, found \"%s\"%s",
                   zf_table_place(table, tally->other.line, place), shown, found, hint);
}

/* Can the column be used at all? */
static zf_status check_column(const zf_table *table, size_t column, zf_missing_rule rule)
{
    char place[ZF_PLACE_BYTES], shown[ZF_SHOWN_BYTES];
    if (column >= table->columns)
        return zf_fail(ZF_EINVAL, "%s: column %zu asked for, expected less than %zu", table->path,
                       column, table->columns);
    const zf_tally *tally = &table->tally[column];
    if (!table->column[column].numeric) return refuse_type(table, column);
    if (tally->huge_at.text)
        return zf_fail(ZF_EINPUT, "%s: column \"%s\": expected a number up to 1e300, found \"%s\"",
                       zf_table_place(table, tally->huge_at.line, place),
                       zf_table_shown_name(table, column, shown), tally->huge_at.text);
    if (rule == ZF_MISSING_REFUSE && table->column[column].missing > 0)
        return zf_fail(ZF_EINPUT, "%s: column \"%s\": expected a number, found a missing value",
                       zf_table_place(table, tally->missing_line, place),
                       zf_table_shown_name(table, column, shown));
    return ZF_OK;
}

static bool is_complete(const double *row, const size_t *columns, size_t n)
{
    for (size_t j = 0; j < n; j++)
        if (isnan(row[columns[j]])) return false;
    return true;
}

static zf_status extract(zf_matrix *out, const zf_table *table, const size_t *columns, size_t n)
{
    size_t complete = 0, bytes;
    for (size_t i = 0; i < table->rows; i++)
        complete += is_complete(zf_table_row(table, i), columns, n);
    if (complete == 0)
        return zf_fail(ZF_EINPUT, "%s: every row has a missing value, expected some that have none",
                       table->path);
    if (__builtin_mul_overflow(complete * sizeof(double), n, &bytes))
        return zf_fail_memory(SIZE_MAX);
    zf_matrix matrix = {.values = malloc(bytes),
                        .columns = n,
                        .dropped = table->rows - complete,
                        .groups = table->groups ? malloc(complete * sizeof(double)) : NULL,
                        .row = malloc(complete * sizeof *matrix.row)};
    if (!matrix.values || !matrix.row || (table->groups && !matrix.groups)) {
        zf_matrix_free(&matrix);
        return zf_fail_memory(bytes);
    }
    double *at = matrix.values;
    for (size_t i = 0; i < table->rows; i++) {
        const double *row = zf_table_row(table, i);
        if (!is_complete(row, columns, n)) continue;
        for (size_t j = 0; j < n; j++) *at++ = row[columns[j]];
        if (matrix.groups) matrix.groups[matrix.rows] = table->groups[i];
        matrix.row[matrix.rows++] = i;
    }
    *out = matrix;
    return ZF_OK;
}

static zf_status extract_used(zf_matrix *out, const zf_table *table, zf_missing_rule rule)
{
    size_t n = 0;
    if (!table->checked)
        return zf_fail(ZF_EINVAL, "%s: no columns chosen and the table not checked", table->path);
    size_t *columns = malloc((table->columns + 1) * sizeof *columns);
    if (!columns) return zf_fail_memory(table->columns * sizeof *columns);
    for (size_t i = 0; i < table->columns; i++)
        if (table->column[i].used) columns[n++] = i;
    zf_status status =
        n ? zf_table_matrix(out, table, columns, n, rule)
          : zf_fail(ZF_EINPUT, "%s: no column can be used, expected numbers that vary",
                    table->path);
    free(columns);
    return status;
}

zf_status zf_table_matrix(zf_matrix *out, const zf_table *table, const size_t *columns,
                          size_t n_columns, zf_missing_rule rule)
{
    if (!columns) return extract_used(out, table, rule);
    if (n_columns == 0) return zf_fail(ZF_EINVAL, "%s: no columns chosen", table->path);
    for (size_t i = 0; i < n_columns; i++) ZF_TRY(check_column(table, columns[i], rule));
    return extract(out, table, columns, n_columns);
}
