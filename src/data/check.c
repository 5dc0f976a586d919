/* What fit does with each column, and why. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "data/collinear.h"
#include "data/distinct.h"
#include "data/role.h"
#include "data/table_store.h"
#include "data/text.h"

typedef struct signature {
    uint64_t hash;
    size_t column;
} signature;

static int compare_signatures(const void *a, const void *b)
{
    const signature *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return x->column < y->column ? -1 : 1;
}

static bool same_cells(const zf_table *table, size_t a, size_t b)
{
    for (size_t i = 0; i < table->rows; i++) {
        const double *row = zf_table_row(table, i);
        if (row[a] != row[b] && !(isnan(row[a]) && isnan(row[b]))) return false;
    }
    return true;
}

static size_t hash_columns(const zf_table *table, signature *signatures)
{
    size_t n = 0;
    for (size_t j = 0; j < table->columns; j++)
        if (table->column[j].numeric && !table->column[j].constant)
            signatures[n++] = (signature){0, j};
    for (size_t i = 0; i < table->rows; i++) {
        const double *row = zf_table_row(table, i);
        for (size_t k = 0; k < n; k++) {
            double value = row[signatures[k].column];
            uint64_t cell = isnan(value) ? 1 : zf_hash_number(value);
            signatures[k].hash = (signatures[k].hash ^ cell) * 0x9e3779b97f4a7c15u;
        }
    }
    return n;
}

/* Columns with the same hash are compared cell by cell. */
static zf_status find_duplicates(zf_table *table)
{
    signature *signatures = malloc((table->columns + 1) * sizeof *signatures);
    if (!signatures) return zf_fail_memory(table->columns * sizeof *signatures);
    size_t n = hash_columns(table, signatures);
    qsort(signatures, n, sizeof *signatures, compare_signatures);
    for (size_t first = 0, i = 1; i < n; i++) {
        if (signatures[i].hash != signatures[first].hash) {
            first = i;
            continue;
        }
        size_t earlier = signatures[first].column, later = signatures[i].column;
        if (same_cells(table, earlier, later)) table->column[later].duplicate_of = (long)earlier;
    }
    free(signatures);
    return ZF_OK;
}

static bool mostly_missing(const zf_table *table, const zf_column *column)
{
    return column->missing > table->rows / 2;
}

static void choose(zf_table *table)
{
    for (size_t i = 0; i < table->columns; i++) {
        zf_column *column = &table->column[i];
        column->used = column->numeric && !column->constant && column->duplicate_of < 0 &&
                       !table->tally[i].huge_at.text && !mostly_missing(table, column);
    }
}

static void count_complete(zf_table *table)
{
    table->complete = 0;
    for (size_t i = 0; i < table->rows; i++) {
        const double *row = zf_table_row(table, i);
        bool complete = true;
        for (size_t j = 0; j < table->columns && complete; j++)
            complete = !table->column[j].used || !isnan(row[j]);
        table->complete += complete;
    }
}

/* Why a column of text is not numeric, shown only if numbers are in it too. */
static const char *text_note(zf_table *table, size_t i)
{
    const zf_column *column = &table->column[i];
    const zf_tally *tally = &table->tally[i];
    const char *found = tally->other.text, *type = zf_column_type_name(column->type);
    if (zf_cell_is_decimal_comma(found, strlen(found)))
        return zf_table_text(table,
                             "dropped: %s (\"%s\" on line %llu has a decimal comma; write a point)",
                             type, found, (unsigned long long)tally->other.line);
    if (tally->numbers > 0)
        return zf_table_text(table, "dropped: %s (\"%s\" on line %llu is not a number)", type,
                             found, (unsigned long long)tally->other.line);
    if (column->type == ZF_COLUMN_CATEGORY)
        return zf_table_text(table, "dropped: category of %zu values", column->distinct);
    return column->type == ZF_COLUMN_DATE ? "dropped: date" : "dropped: text";
}

static const char *dropped_note(zf_table *table, size_t i)
{
    const zf_column *column = &table->column[i];
    char shown[ZF_SHOWN_BYTES];
    if (column->type == ZF_COLUMN_EMPTY) return "dropped: empty";
    if (!column->numeric) return text_note(table, i);
    if (column->constant) return "dropped: constant";
    if (column->duplicate_of >= 0)
        return zf_table_text(table, "dropped: same as \"%s\"",
                             zf_table_shown_name(table, (size_t)column->duplicate_of, shown));
    if (table->tally[i].huge_at.text)
        return zf_table_text(table, "dropped: \"%s\" is above 1e300", table->tally[i].huge_at.text);
    return zf_table_text(table, "dropped: %zu of %zu cells are missing", column->missing,
                         table->rows);
}

/* How many of a used column's values fall together when it is standardised to float32. */
static zf_status count_lost(zf_table *table, zf_resolution *resolution, size_t j)
{
    const zf_column *column = &table->column[j];
    zf_resolution_clear(resolution);
    for (size_t i = 0; i < table->rows && !zf_distinct_full(&resolution->values); i++) {
        double value = zf_table_row(table, i)[j];
        if (isnan(value)) continue;
        float seen = (float)((value - column->mean) / column->deviation);
        ZF_TRY(zf_resolution_add(resolution, value, seen));
    }
    table->tally[j].lost = zf_resolution_lost(resolution);
    table->tally[j].counted = resolution->values.count;
    return ZF_OK;
}

static zf_status find_lost(zf_table *table)
{
    zf_resolution resolution = {0};
    zf_status status = ZF_OK;
    for (size_t j = 0; j < table->columns && status == ZF_OK; j++)
        if (table->column[j].used) status = count_lost(table, &resolution, j);
    zf_resolution_free(&resolution);
    return status;
}

/* A note that the search for collinear columns left is taken up. */
static const char *used_note(zf_table *table, size_t i)
{
    const zf_column *column = &table->column[i];
    const zf_tally *tally = &table->tally[i];
    static const char *const roles[] = {"", "; likely an identifier", "; likely a code"};
    char missing[96] = "", lost[96] = "";
    if (column->missing > 0)
        snprintf(missing, sizeof missing, "; %zu row%s without a value %s dropped", column->missing,
                 column->missing == 1 ? "" : "s", column->missing == 1 ? "is" : "are");
    if (tally->lost > 0)
        snprintf(lost, sizeof lost, "; %zu of %zu distinct values fall together if standardised",
                 tally->lost, tally->counted);
    return zf_table_text(table, "used%s%s%s%s%s", missing, roles[column->role],
                         column->collinear ? "; " : "", column->collinear ? column->note : "",
                         lost);
}

zf_status zf_table_check(zf_table *table)
{
    if (table->checked) return ZF_OK;
    ZF_TRY(find_duplicates(table));
    choose(table);
    count_complete(table);
    ZF_TRY(zf_table_find_collinear(table));
    ZF_TRY(find_lost(table));
    ZF_TRY(zf_table_find_roles(table));
    for (size_t i = 0; i < table->columns; i++) {
        zf_column *column = &table->column[i];
        const char *note = column->used ? used_note(table, i) : dropped_note(table, i);
        if (!note) return ZF_ENOMEM;
        column->note = note;
    }
    table->checked = true;
    return ZF_OK;
}
