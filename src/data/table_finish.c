/* What a table knows of its columns once the last row is in: types, distinct
   values, statistics. Sums are in long double, whose range no sum of float64
   leaves. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "data/table_store.h"
#include "data/text.h"

const char *zf_column_type_name(zf_column_type type)
{
    switch (type) {
    case ZF_COLUMN_EMPTY:
        return "empty";
    case ZF_COLUMN_NUMBER:
        return "number";
    case ZF_COLUMN_INTEGER:
        return "integer";
    case ZF_COLUMN_BINARY:
        return "binary";
    case ZF_COLUMN_CATEGORY:
        return "category";
    case ZF_COLUMN_TEXT:
        return "text";
    case ZF_COLUMN_DATE:
        return "date";
    }
    return "unknown";
}

static zf_status refuse_unfinite(const zf_table *table, size_t column)
{
    const zf_table_cell *at = &table->tally[column].unfinite_at;
    char place[ZF_PLACE_BYTES], shown[ZF_SHOWN_BYTES];
    bool nan = (at->text[0] | 32) == 'n' || (at->text[1] | 32) == 'n';
    bool digits = at->text[0] >= '0' && at->text[0] <= '9';
    return zf_fail(ZF_EINPUT, "%s: column \"%s\": expected a finite number, found \"%s\"%s",
                   zf_table_place(table, at->line, place),
                   zf_table_shown_name(table, column, shown), at->text,
                   nan      ? zf_missing_advice().text
                   : digits ? " (too large)"
                            : "");
}

static zf_column_type type_of(const zf_column *column, const zf_tally *tally, size_t present)
{
    if (present == 0) return ZF_COLUMN_EMPTY;
    if (tally->numbers == present) {
        if (column->distinct == 2 && present > 2) return ZF_COLUMN_BINARY;
        return tally->whole ? ZF_COLUMN_INTEGER : ZF_COLUMN_NUMBER;
    }
    if (tally->words == present) return ZF_COLUMN_BINARY;
    if (tally->dates == present) return ZF_COLUMN_DATE;
    bool repeats = column->distinct < ZF_TABLE_DISTINCT_MAX && 2 * column->distinct <= present;
    return repeats ? ZF_COLUMN_CATEGORY : ZF_COLUMN_TEXT;
}

/* Distinct numbers, counted only where the tally saw more than two. */
static zf_status count_numbers(const zf_table *table, size_t column, zf_distinct *set,
                               size_t *count)
{
    const zf_tally *tally = &table->tally[column];
    *count = tally->numbers == 0 ? 0 : tally->low == tally->high ? 1 : 2;
    if (!tally->more) return ZF_OK;
    zf_distinct_clear(set);
    for (size_t i = 0; i < table->rows && !zf_distinct_full(set); i++) {
        double value = zf_table_row(table, i)[column];
        if (!isnan(value)) ZF_TRY(zf_distinct_add(set, zf_hash_number(value)));
    }
    *count = set->count;
    return ZF_OK;
}

static zf_status set_types(zf_table *table, zf_distinct *set)
{
    for (size_t i = 0; i < table->columns; i++) {
        zf_column *column = &table->column[i];
        zf_tally *tally = &table->tally[i];
        size_t present = table->rows - column->missing;
        if (tally->unfinite > 0 && tally->unfinite + tally->numbers == present)
            return refuse_unfinite(table, i);
        if (tally->other.text)
            column->distinct = tally->distinct.count;
        else
            ZF_TRY(count_numbers(table, i, set, &column->distinct));
        zf_distinct_free(&tally->distinct);
        column->type = type_of(column, tally, present);
        column->numeric = column->type == ZF_COLUMN_NUMBER || column->type == ZF_COLUMN_INTEGER ||
                          column->type == ZF_COLUMN_BINARY;
        column->constant = column->distinct == 1;
    }
    return ZF_OK;
}

static double clamp(long double value)
{
    if (value > DBL_MAX) return DBL_MAX;
    return value < -DBL_MAX ? -DBL_MAX : (double)value;
}

/* Row by row, as the values lie, with one sum a column. */
static zf_status set_statistics(zf_table *table)
{
    long double *sum = calloc(table->columns, sizeof *sum);
    if (!sum) return zf_fail_memory(table->columns * sizeof *sum);
    for (size_t i = 0; i < table->rows; i++) {
        const double *row = zf_table_row(table, i);
        for (size_t j = 0; j < table->columns; j++)
            if (!isnan(row[j])) sum[j] += row[j];
    }
    for (size_t j = 0; j < table->columns; j++) {
        zf_column *column = &table->column[j];
        size_t present = table->rows - column->missing;
        column->minimum = DBL_MAX;
        column->maximum = -DBL_MAX;
        column->mean = present ? (double)(sum[j] / (long double)present) : 0;
        sum[j] = 0;
    }
    for (size_t i = 0; i < table->rows; i++) {
        const double *row = zf_table_row(table, i);
        for (size_t j = 0; j < table->columns; j++) {
            if (isnan(row[j])) continue;
            zf_column *column = &table->column[j];
            long double off = (long double)row[j] - column->mean;
            sum[j] += off * off;
            if (row[j] < column->minimum) column->minimum = row[j];
            if (row[j] > column->maximum) column->maximum = row[j];
        }
    }
    for (size_t j = 0; j < table->columns; j++) {
        zf_column *column = &table->column[j];
        size_t present = table->rows - column->missing;
        if (column->numeric)
            column->deviation = present > 1 ? clamp(sqrtl(sum[j] / (long double)(present - 1))) : 0;
        else
            column->minimum = column->maximum = column->mean = 0;
        if (column->numeric && column->constant) column->deviation = 0;
    }
    free(sum);
    return ZF_OK;
}

zf_status zf_table_finish(zf_table *table)
{
    if (table->rows == 0)
        return zf_fail(ZF_EINPUT, "%s: no rows, expected at least one", table->path);
    zf_distinct set = {0};
    zf_status status = set_types(table, &set);
    zf_distinct_free(&set);
    return status == ZF_OK ? set_statistics(table) : status;
}
