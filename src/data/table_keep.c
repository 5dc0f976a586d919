/* Keeping some of a table's columns: the others are taken out of the rows where they lie, so no
   second table is made. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "data/table_store.h"
#include "data/text.h"

/* Where a column goes; OUT: nowhere. */
static const size_t OUT = (size_t)-1;

static zf_status mark(size_t *place, const zf_table *table, const size_t *columns, size_t n)
{
    size_t kept = 0;
    for (size_t j = 0; j < table->columns; j++) place[j] = OUT;
    for (size_t i = 0; i < n; i++) {
        if (columns[i] >= table->columns)
            return zf_fail(ZF_EINVAL, "%s: column %zu, expected one of its %zu", table->path,
                           columns[i] + 1, table->columns);
        place[columns[i]] = 0;
    }
    for (size_t j = 0; j < table->columns; j++)
        if (place[j] != OUT) place[j] = kept++;
    return ZF_OK;
}

/* Row by row to the front of each block, which stays where it is. */
static void close_up_rows(zf_table *table, const size_t *place, size_t kept)
{
    for (size_t b = 0; b < table->n_blocks; b++)
        for (size_t i = 0; i < table->block_rows; i++) {
            const double *from = table->blocks[b] + i * table->columns;
            double *to = table->blocks[b] + i * kept;
            for (size_t j = 0; j < table->columns; j++)
                if (place[j] != OUT) to[place[j]] = from[j];
        }
}

static size_t close_up_columns(zf_table *table, const size_t *place)
{
    size_t kept = 0, named = 0;
    for (size_t i = 0; i < table->columns; i++) {
        size_t at = place[table->by_name[i]];
        if (at != OUT) table->by_name[named++] = at;
    }
    for (size_t j = 0; j < table->columns; j++) {
        if (place[j] == OUT) {
            zf_distinct_free(&table->tally[j].distinct);
            continue;
        }
        table->column[kept] = table->column[j];
        table->tally[kept++] = table->tally[j];
    }
    return kept;
}

zf_status zf_table_keep(zf_table *table, const size_t *columns, size_t n)
{
    if (n == 0) return zf_fail(ZF_EINVAL, "%s: expected a column to keep", table->path);
    if (table->checked)
        return zf_fail(ZF_EINVAL, "%s: was checked; columns are chosen before that", table->path);
    size_t *place = malloc(table->columns * sizeof *place);
    if (!place) return zf_fail_memory(table->columns * sizeof *place);
    zf_status status = mark(place, table, columns, n);
    if (status == ZF_OK) {
        size_t kept = 0;
        for (size_t j = 0; j < table->columns; j++) kept += place[j] != OUT;
        close_up_rows(table, place, kept);
        table->columns = close_up_columns(table, place);
    }
    free(place);
    return status;
}

void zf_table_find_groups(zf_table *table, const zf_table_options *options)
{
    long column = options->groups ? zf_table_find(table, options->groups) : -1;
    table->group_column = column < 0 ? ZF_NO_COLUMN : (size_t)column;
}

/* Copies a column, which every row must have. */
static zf_status copy_groups(zf_table *table, size_t column)
{
    char place[ZF_PLACE_BYTES], shown[ZF_SHOWN_BYTES];
    double *groups = malloc((table->rows + 1) * sizeof *groups);
    if (!groups) return zf_fail_memory(table->rows * sizeof *groups);
    table->groups = groups;
    for (size_t i = 0; i < table->rows; i++) {
        groups[i] = zf_table_row(table, i)[column];
        if (!isfinite(groups[i]))
            return zf_fail(ZF_EINPUT, "%s: column \"%s\": expected the group of row %zu, found %s",
                           zf_table_place(table, table->tally[column].missing_line, place),
                           zf_table_shown_name(table, column, shown), i + 1,
                           isnan(groups[i]) ? "a missing value" : "infinity");
    }
    return ZF_OK;
}

/* Takes the column of groups out of the table. */
static zf_status take_groups(zf_table *table, const char *name)
{
    long column = zf_table_find(table, name);
    size_t n = 0;
    if (column < 0)
        return zf_fail(ZF_EINVAL, "%s: no column \"%s\" to group rows by", table->path, name);
    ZF_TRY(copy_groups(table, (size_t)column));
    table->group_column = ZF_NO_COLUMN;
    size_t *others = malloc(table->columns * sizeof *others);
    if (!others) return zf_fail_memory(table->columns * sizeof *others);
    for (size_t j = 0; j < table->columns; j++)
        if (j != (size_t)column) others[n++] = j;
    zf_status status =
        n ? zf_table_keep(table, others, n)
          : zf_fail(ZF_EINPUT, "%s: no column other than \"%s\", which groups the rows",
                    table->path, name);
    free(others);
    return status;
}

zf_status zf_table_choose(zf_table *table, const zf_table_options *options)
{
    if (options->choose) ZF_TRY(options->choose(options->choose_context, table));
    return options->groups ? take_groups(table, options->groups) : ZF_OK;
}
