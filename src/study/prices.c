/* Prices are read by zf_table_read, which keeps numbers only; the first cell of
   each line, the date, is read here. Hence a plain CSV file, not a gzipped one. */
#include "study/prices.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "zeroflow/plot.h"
#include "zeroflow/table.h"

static zf_status out_of_memory(void)
{
    return zf_fail(ZF_ENOMEM, "out of memory");
}

/* The first cell of a line, without quotes, blanks and a byte order mark; "" of
   an empty line. */
static char *first_cell(char *line)
{
    static const char mark[] = "\xef\xbb\xbf";
    if (strncmp(line, mark, sizeof mark - 1) == 0) line += sizeof mark - 1;
    line += strspn(line, " \"\t");
    line[strcspn(line, ",;|\t\"\r\n ")] = '\0';
    return line;
}

/* Dates of all rows but the first into returns, whose price is only a start. */
static zf_status read_dates(price_returns *returns, const char *path, FILE *file)
{
    char *line = NULL;
    size_t size = 0, number = 0, row = 0;
    double before = -INFINITY, day;
    zf_status status = ZF_OK;
    while (status == ZF_OK && getline(&line, &size, file) > 0) {
        char *cell = first_cell(line);
        number++;
        if (!*cell || number == 1) continue; /* number 1 is the header */
        if (zf_plot_day(&day, cell) != ZF_OK || day <= before) {
            status = zf_fail(ZF_EINPUT,
                             "%s:%zu: expected a date such as 2020-03-09, later than the one "
                             "before, found \"%.40s\"",
                             path, number, cell);
            break;
        }
        before = day;
        if (row > returns->days) break;
        if (row > 0) {
            returns->day[row - 1] = day;
            returns->dates[row - 1] = strdup(cell);
            if (!returns->dates[row - 1]) status = out_of_memory();
        }
        row++;
    }
    free(line);
    if (status == ZF_OK && row != returns->days + 1)
        status = zf_fail(ZF_EINPUT, "%s: expected a plain CSV file with a date on each line", path);
    return status;
}

/* The log returns of one column; false if it lacks a price. */
static bool fill_stock(double *values, const zf_table *table, size_t column)
{
    for (size_t row = 0; row < zf_table_rows(table); row++)
        if (!(zf_table_value(table, row, column) > 0)) return false;
    for (size_t row = 1; row < zf_table_rows(table); row++)
        values[row - 1] =
            log(zf_table_value(table, row, column) / zf_table_value(table, row - 1, column));
    return true;
}

static zf_status fill(price_returns *returns, const zf_table *table, const char *path)
{
    size_t columns = zf_table_columns(table), rows = zf_table_rows(table);
    if (rows < 3 || columns < 3 || zf_table_column(table, 0)->type != ZF_COLUMN_DATE)
        return zf_fail(ZF_EINPUT,
                       "%s: expected a first column of dates, then a column of prices for each "
                       "ticker, a row a day",
                       path);
    returns->days = rows - 1;
    returns->values = malloc((columns - 1) * returns->days * sizeof *returns->values);
    returns->dates = calloc(returns->days, sizeof *returns->dates);
    returns->day = calloc(returns->days, sizeof *returns->day);
    if (!returns->values || !returns->dates || !returns->day) return out_of_memory();
    for (size_t column = 1; column < columns; column++) {
        if (!fill_stock(returns->values + returns->stocks * returns->days, table, column))
            returns->dropped++;
        else
            returns->stocks++;
    }
    return ZF_OK;
}

zf_status price_returns_read(price_returns *returns, const char *path)
{
    zf_table *table = NULL;
    zf_table_options wish = zf_table_defaults();
    wish.header = ZF_HEADER_YES;
    ZF_TRY(zf_table_read(&table, path, &wish));
    zf_status status = fill(returns, table, path);
    zf_table_free(table);
    if (status != ZF_OK) return status;
    FILE *file = fopen(path, "r");
    if (!file) return zf_fail(ZF_EINPUT, "%s: %s", path, strerror(errno));
    status = read_dates(returns, path, file);
    fclose(file);
    return status;
}

void price_returns_free(price_returns *returns)
{
    if (returns->dates)
        for (size_t i = 0; i < returns->days; i++) free(returns->dates[i]);
    free(returns->dates);
    free(returns->day);
    free(returns->values);
}
