/* zeroflow check: what a data file holds and what fit would do with it.

   A small table is shown column by column. A wide one would bury the three
   columns that matter under five hundred that do not, so only the notable ones
   are shown there: those that are dropped, lack values, or repeat others. */
#include <unistd.h>

#include "output.h"
#include "table_input.h"
#include "terminal.h"
#include "text.h"
#include "zeroflow/evidence.h"

enum { DATA };
enum { TABLE, COLUMNS = TABLE + CLI_TABLE_OPTIONS, ALL = COLUMNS + CLI_COLUMN_OPTIONS };
enum { WIDE = 40, NOTABLE_MOST = 20 };

static const cli_option arguments[] = {
    [DATA] = {"DATA", .type = CLI_FILE, .help = CLI_TABLE_ARGUMENT_HELP},
    {NULL},
};

static const cli_option options[] = {
    CLI_TABLE_OPTION_LIST(TABLE),
    CLI_COLUMN_OPTION_LIST(COLUMNS),
    [ALL] = {"all", .help = "Show every column of a wide table, not only the notable ones."},
    {NULL},
};

static const cli_example examples[] = {
    {"zeroflow check prices.csv", "What the file holds, column by column."},
    {"zeroflow check survey.csv --delimiter ';' --missing -999,none",
     "Another delimiter, and two more ways to write that a value is missing."},
    {"zeroflow check prices.csv --json > prices.json", "The same for a program to read."},
    {NULL},
};

/* What is told about the whole table. */
typedef struct summary {
    size_t types[ZF_COLUMN_DATE + 1];
    size_t dropped_types[ZF_COLUMN_DATE + 1];                      /* neither constant nor a copy */
    size_t used, constant, duplicates, copies, collinear, notable; /* copies: not constant */
    size_t identifiers, codes;
    size_t missing_cells, missing_columns;
    zf_row_doubts rows;
} summary;

static bool is_notable(const zf_column *column)
{
    return !column->used || column->missing > 0 || column->collinear ||
           column->role != ZF_ROLE_MEASURE;
}

/* What speaks against independent rows, among those that fit would use. */
static cli_exit doubt_rows(zf_row_doubts *out, const zf_table *table)
{
    zf_matrix matrix = {0};
    bool any = false;
    for (size_t i = 0; i < zf_table_columns(table); i++) any |= zf_table_column(table, i)->used;
    if (!any) return CLI_DONE;
    CLI_TRY(cli_check(zf_table_matrix(&matrix, table, NULL, 0, ZF_MISSING_DROP)));
    zf_status status = zf_rows_doubt(out, matrix.values, matrix.rows, matrix.columns);
    zf_matrix_free(&matrix);
    return cli_check(status);
}

static summary summarise(const zf_table *table, const zf_row_doubts *rows)
{
    summary s = {.rows = *rows};
    for (size_t i = 0; i < zf_table_columns(table); i++) {
        const zf_column *column = zf_table_column(table, i);
        s.types[column->type]++;
        s.used += column->used;
        if (!column->used && !column->constant && column->duplicate_of < 0)
            s.dropped_types[column->type]++;
        s.constant += column->constant;
        s.duplicates += column->duplicate_of >= 0;
        s.copies += column->duplicate_of >= 0 && !column->constant;
        s.collinear += column->collinear;
        s.identifiers += column->role == ZF_ROLE_IDENTIFIER;
        s.codes += column->role == ZF_ROLE_CODE;
        s.notable += is_notable(column);
        s.missing_cells += column->missing;
        s.missing_columns += column->missing > 0;
    }
    return s;
}

static json_t *column_json(const zf_table *table, const zf_column *column)
{
    const char *original = column->duplicate_of < 0
                               ? NULL
                               : zf_table_column(table, (size_t)column->duplicate_of)->name;
    json_t *json = json_pack(
        "{s:o s:s s:I s:b s:o s:b s:b s:I s:o s:b s:s s:o}", "name", cli_json_text(column->name),
        "type", zf_column_type_name(column->type), "missing", (json_int_t)column->missing,
        "constant", column->constant, "note", cli_json_text(column->note), "used", column->used,
        "numeric", column->numeric, "distinct", (json_int_t)column->distinct, "duplicate_of",
        cli_json_text(original), "collinear", column->collinear, "role",
        zf_column_role_name(column->role), "example", cli_json_text(column->example));
    if (!json || !column->numeric) return json;
    json_t *range =
        json_pack("{s:o s:o s:o s:o}", "minimum", cli_json_number(column->minimum), "maximum",
                  cli_json_number(column->maximum), "mean", cli_json_number(column->mean),
                  "deviation", cli_json_number(column->deviation));
    if (range && json_object_update(json, range) == 0) {
        json_decref(range);
        return json;
    }
    json_decref(range);
    json_decref(json);
    return NULL;
}

static cli_exit print_json(const cli_call *call, const zf_table *table, const zf_row_doubts *rows)
{
    summary s = summarise(table, rows);
    json_t *columns = json_array();
    for (size_t i = 0; i < zf_table_columns(table); i++) {
        json_t *column = column_json(table, zf_table_column(table, i));
        if (json_array_append_new(columns, column) != 0) {
            json_decref(columns);
            return cli_fail(CLI_FAILED, "out of memory");
        }
    }
    return cli_print_json(
        call, json_pack("{s:o s:s s:I s:I s:I s:I s:I s:I s:I s:I s:I s:I s:o s:o}", "file",
                        cli_json_text(call->arguments[DATA].text), "format", zf_table_format(table),
                        "rows", (json_int_t)zf_table_rows(table), "rows_complete",
                        (json_int_t)zf_table_complete_rows(table), "used", (json_int_t)s.used,
                        "constant", (json_int_t)s.constant, "duplicates", (json_int_t)s.duplicates,
                        "collinear", (json_int_t)s.collinear, "missing",
                        (json_int_t)s.missing_cells, "copied_rows", (json_int_t)rows->copies,
                        "ordered", (json_int_t)rows->ordered, "block", (json_int_t)rows->block,
                        "note", cli_json_text(zf_table_note(table)), "columns", columns));
}

/* Adds "2 date" to a list that is printed part by part, unless n is 0. */
static void print_part(FILE *out, const char **gap, size_t n, const char *what)
{
    if (n == 0) return;
    fprintf(out, "%s%s %s", *gap, cli_count(n).text, what);
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
static void print_fate(FILE *out, size_t columns, const summary *s)
{
    const char *gap = " (";
    fprintf(out, "uses %s, drops %s", cli_plural(s->used, "column").text,
            cli_count(columns - s->used).text);
    if (s->used < columns) {
        print_part(out, &gap, s->constant, "constant");
        print_part(out, &gap, s->copies, "copy of another");
        print_types(out, &gap, s->dropped_types);
        fputc(')', out);
    }
    if (s->collinear > 0) fprintf(out, "; %s linear in others", cli_count(s->collinear).text);
    if (s->identifiers > 0)
        fprintf(out, "; likely %s", cli_plural(s->identifiers, "identifier").text);
    if (s->codes > 0) fprintf(out, "; likely %s", cli_plural(s->codes, "code").text);
    if (s->identifiers + s->codes > 0) fputs(" (--drop)", out);
    fputc('\n', out);
}

/* Rows that are not independent, if there is a sign of it. */
static void print_rows(FILE *out, size_t rows, const summary *s)
{
    const zf_row_doubts *doubts = &s->rows;
    if (doubts->copies)
        fprintf(out, "  rows     %s of %s are copies of others\n", cli_count(doubts->copies).text,
                cli_count(rows).text);
    if (!doubts->ordered) return;
    fprintf(out, "  order    rows are like those before them in %s of %s (correlation %.2f)",
            cli_count(doubts->ordered).text, cli_plural(s->used, "column").text, doubts->likeness);
    if (doubts->block) fprintf(out, "; if that is time: fit --blocks %zu", doubts->block);
    fputc('\n', out);
}

static void print_summary(const cli_call *call, const zf_table *table, const summary *s)
{
    FILE *out = call->out;
    size_t columns = zf_table_columns(table), rows = zf_table_rows(table);
    fputs(cli_bold(), out);
    cli_clean(out, call->arguments[DATA].text);
    fprintf(out, "%s: %s, %s, %s\n\n", cli_plain(), zf_table_format(table),
            cli_plural(rows, "row").text, cli_plural(columns, "column").text);
    const char *gap = "";
    fputs("  types    ", out);
    print_types(out, &gap, s->types);
    fputc('\n', out);
    fputs("  missing  ", out);
    if (s->missing_cells == 0)
        fputs("none\n", out);
    else
        fprintf(out, "%s in %s; %s of %s complete in what fit uses\n",
                cli_plural(s->missing_cells, "cell").text,
                cli_plural(s->missing_columns, "column").text,
                cli_count(zf_table_complete_rows(table)).text, cli_plural(rows, "row").text);
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
            column->missing ? cli_count(column->missing).text : "-",
            many ? "many" : cli_count(column->distinct).text);
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
    if (i < columns) fprintf(out, "and %s more", cli_count(columns - i).text);
    fputc('\n', out);
}

static void print_text(const cli_call *call, const zf_table *table, const zf_row_doubts *rows)
{
    FILE *out = call->out;
    summary s = summarise(table, rows);
    size_t columns = zf_table_columns(table);
    print_summary(call, table, &s);
    if (columns <= WIDE || call->values[ALL].flag) {
        fputc('\n', out);
        print_columns(out, table, true, columns);
        return;
    }
    fputc('\n', out);
    print_names(out, table);
    if (s.notable == 0) {
        fputs("\nNothing is notable about any column; --all shows them all.\n", out);
        return;
    }
    fprintf(out, "\nNotable columns (%s of %s; --all shows them all)\n\n",
            cli_count(s.notable).text, cli_count(columns).text);
    print_columns(out, table, false, NOTABLE_MOST);
    if (s.notable > NOTABLE_MOST)
        fprintf(out, "  ... and %s more\n", cli_count(s.notable - NOTABLE_MOST).text);
}

static cli_exit run(const cli_call *call)
{
    zf_table *table = NULL;
    zf_row_doubts rows = {0};
    CLI_TRY(cli_read_columns(&table, &call->values[TABLE], &call->values[COLUMNS], NULL,
                             call->arguments[DATA].text));
    cli_exit exit = doubt_rows(&rows, table);
    if (exit == CLI_DONE && call->json)
        exit = print_json(call, table, &rows);
    else if (exit == CLI_DONE)
        print_text(call, table, &rows);
    zf_table_free(table);
    return exit;
}

const cli_command cli_command_check = {
    .name = "check",
    .summary = "what a data file holds, and what fit would do with it",
    .description =
        "Reads a table and tells how many rows and columns it has, and for each column its type, "
        "missing values and range, whether it is constant, a copy of another column, a linear "
        "function of others, or likely to hold identifiers or codes instead of measurements, and "
        "what fit would do with it. Rows that are copies of others, or like those before them, as "
        "in the order of time, are told of: evidence takes rows as independent.\n\n"
        "Of a table with many columns only the notable ones are shown; --all shows every one, and "
        "--json always does.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
