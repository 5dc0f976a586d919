/* zeroflow check: what a data file holds and what fit would do with it.

   A small table is shown column by column. A wide one would bury the three
   columns that matter under five hundred that do not, so only the notable ones
   are shown there: those that are dropped, lack values, or repeat others. */
#include <unistd.h>

#include "command.h"
#include "job/check.h"
#include "terminal.h"
#include "text.h"

enum { WIDE = 40, NOTABLE_MOST = 20 };

static const cli_example examples[] = {
    {"zeroflow check prices.csv", "What the file holds, column by column."},
    {"zeroflow check survey.csv --delimiter ';' --missing -999,none",
     "Another delimiter, and two more spellings of a missing value."},
    {"zeroflow check prices.csv --json > prices.json", "The same as JSON."},
    {NULL},
};

static bool is_notable(const zf_column *column)
{
    return !column->used || column->missing > 0 || column->collinear ||
           column->role != ZF_ROLE_MEASURE;
}

/* Adds "2 date" to a list that is printed part by part, unless n is 0. */
static void print_part(FILE *out, const char **gap, size_t n, const char *what)
{
    if (n == 0) return;
    fprintf(out, "%s%s %s", *gap, zf_count(n).text, what);
    *gap = ", ";
}

static void print_types(FILE *out, const char **gap, const size_t *counts)
{
    static const zf_column_type order[] = {
        ZF_COLUMN_NUMBER, ZF_COLUMN_INTEGER, ZF_COLUMN_BINARY, ZF_COLUMN_CATEGORY,
        ZF_COLUMN_TEXT,   ZF_COLUMN_DATE,    ZF_COLUMN_EMPTY,
    };
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        print_part(out, gap, counts[order[i]], zf_column_type_name(order[i]));
}

/* "uses 500 columns, drops 3 (2 constant, 1 date)" */
static void print_fate(FILE *out, size_t columns, const zf_check_result *s)
{
    const char *gap = " (";
    fprintf(out, "uses %s, drops %s", zf_plural(s->used, "column").text,
            zf_count(columns - s->used).text);
    if (s->used < columns) {
        print_part(out, &gap, s->constant, "constant");
        print_part(out, &gap, s->copies, "copy of another");
        print_types(out, &gap, s->dropped_types);
        fputc(')', out);
    }
    if (s->collinear > 0) fprintf(out, "; %s linear in others", zf_count(s->collinear).text);
    if (s->identifiers > 0)
        fprintf(out, "; likely %s", zf_plural(s->identifiers, "identifier").text);
    if (s->codes > 0) fprintf(out, "; likely %s", zf_plural(s->codes, "code").text);
    if (s->identifiers + s->codes > 0) fputs(" (--drop)", out);
    fputc('\n', out);
}

/* Rows that are not independent, if there is a sign of it. */
static void print_rows(FILE *out, size_t rows, const zf_check_result *s)
{
    const zf_row_doubts *doubts = &s->rows;
    if (doubts->copies)
        fprintf(out, "  rows     %s of %s are copies of others\n", zf_count(doubts->copies).text,
                zf_count(rows).text);
    if (!doubts->ordered) return;
    fprintf(out, "  order    rows resemble those before them in %s of %s (correlation %.2f)",
            zf_count(doubts->ordered).text, zf_plural(s->used, "column").text, doubts->likeness);
    if (doubts->block) fprintf(out, "; if in time order: fit --blocks %zu", doubts->block);
    fputc('\n', out);
}

static void print_summary(FILE *out, const char *path, const zf_check_result *s)
{
    const zf_table *table = s->table;
    size_t columns = zf_table_columns(table), rows = zf_table_rows(table);
    fputs(cli_bold(), out);
    cli_clean(out, path);
    fprintf(out, "%s: %s, %s, %s\n\n", cli_plain(), zf_table_format(table),
            zf_plural(rows, "row").text, zf_plural(columns, "column").text);
    const char *gap = "";
    fputs("  types    ", out);
    print_types(out, &gap, s->types);
    fputc('\n', out);
    fputs("  missing  ", out);
    if (s->missing_cells == 0)
        fputs("none\n", out);
    else
        fprintf(out, "%s in %s; %s of %s complete in the columns that fit uses\n",
                zf_plural(s->missing_cells, "cell").text,
                zf_plural(s->missing_columns, "column").text,
                zf_count(zf_table_complete_rows(table)).text, zf_plural(rows, "row").text);
    fputs("  fit      ", out);
    print_fate(out, columns, s);
    print_rows(out, rows, s);
    if (zf_table_note(table)[0]) {
        fputs("  note     ", out);
        cli_clean(out, zf_table_note(table));
        fputc('\n', out);
    }
}

/* "4.41 to 3676, mean 120.5", or an example. */
static void print_values(char *text, size_t size, const zf_column *column)
{
    if (column->numeric && column->constant)
        snprintf(text, size, "%.5g", column->minimum);
    else if (column->numeric)
        snprintf(text, size, "%.5g to %.5g, mean %.5g", column->minimum, column->maximum,
                 column->mean);
    else if (column->example[0])
        snprintf(text, size, "such as \"%s\"", column->example);
    else
        snprintf(text, size, "%s", "");
}

static int clamp(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}

/* How wide the two columns of varying width are. */
typedef struct layout {
    int names, values;
} layout;

static void print_heading(FILE *out, layout widths)
{
    fprintf(out, "  %s%-*s  type      missing  distinct  %-*s  what fit does%s\n", cli_bold(),
            widths.names, "column", widths.values, "values", cli_plain());
}

static void print_column(FILE *out, const zf_column *column, layout widths)
{
    char values[160];
    bool many = column->distinct >= ZF_TABLE_DISTINCT_MAX;
    print_values(values, sizeof values, column);
    fputs("  ", out);
    cli_fit(out, column->name, widths.names, false);
    fprintf(out, "  %-8s  %7s  %8s  ", zf_column_type_name(column->type),
            column->missing ? zf_count(column->missing).text : "-",
            many ? "many" : zf_count(column->distinct).text);
    cli_fit(out, values, widths.values, false);
    fputs("  ", out);
    cli_clean(out, column->note);
    fputc('\n', out);
}

/* All columns, or the first notable ones, at most `most`, aligned. */
static void print_columns(FILE *out, const zf_table *table, bool all, size_t most)
{
    layout widths = {6, 6};
    /* Once to measure, once to print. */
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) print_heading(out, widths);
        for (size_t i = 0, shown = 0; i < zf_table_columns(table) && shown < most; i++) {
            const zf_column *column = zf_table_column(table, i);
            if (!all && !is_notable(column)) continue;
            shown++;
            if (pass == 1) {
                print_column(out, column, widths);
                continue;
            }
            char values[160];
            print_values(values, sizeof values, column);
            widths.names = clamp(cli_width(column->name), widths.names, 24);
            widths.values = clamp(cli_width(values), widths.values, 40);
        }
    }
}

/* The names of a wide table's first columns, on one line. */
static void print_names(FILE *out, const zf_table *table)
{
    int width = cli_columns(STDOUT_FILENO) - 20, used = 2;
    size_t columns = zf_table_columns(table), i = 0;
    fputs("  ", out);
    for (; i < columns; i++) {
        const char *name = zf_table_column(table, i)->name;
        int needed = clamp(cli_width(name), 0, 24) + 2;
        if (i > 0 && used + needed > width) break;
        cli_fit(out, name, needed - 2, false);
        fputs(i + 1 < columns ? ", " : "", out);
        used += needed;
    }
    if (i < columns) fprintf(out, "and %s more", zf_count(columns - i).text);
    fputc('\n', out);
}

static size_t count_notable(const zf_table *table)
{
    size_t n = 0;
    for (size_t i = 0; i < zf_table_columns(table); i++) n += is_notable(zf_table_column(table, i));
    return n;
}

static void print(const cli_call *call, const void *given, const void *result)
{
    FILE *out = call->out;
    const zf_check_values *values = given;
    const zf_check_result *found = result;
    const zf_table *table = found->table;
    size_t columns = zf_table_columns(table), notable = count_notable(table);
    print_summary(out, values->data, found);
    fputc('\n', out);
    if (columns <= WIDE || values->all) {
        print_columns(out, table, true, columns);
        return;
    }
    print_names(out, table);
    if (notable == 0) {
        fputs("\n"
              "No column is notable; --all shows all of them.\n",
              out);
        return;
    }
    fprintf(out,
            "\n"
            "Notable columns (%s of %s; --all shows all of them)\n\n",
            zf_count(notable).text, zf_count(columns).text);
    print_columns(out, table, false, NOTABLE_MOST);
    if (notable > NOTABLE_MOST)
        fprintf(out, "  ... and %s more\n", zf_count(notable - NOTABLE_MOST).text);
}

const cli_command cli_command_check = {
    .job = &zf_job_check,
    .print = print,
    .examples = examples,
};
