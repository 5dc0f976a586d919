#include "feature_input.h"

#include <stdlib.h>
#include <string.h>

#include "gather.h"
#include "progress.h"
#include "text.h"

enum { NAMED_MOST = 5 };    /* warnings with a line of their own */
enum { ROWS_A_COLUMN = 5 }; /* fewer tell little about blankets */

/* What the user can do to have the column used; "" if nothing. */
static const char *advice(const zf_column *column)
{
    switch (column->type) {
    case ZF_COLUMN_CATEGORY:
        return "; to use it, give each of its values a column of 0 and 1";
    case ZF_COLUMN_TEXT:
        return "; if such a cell means a missing value, name it by --missing";
    default:
        return "";
    }
}

static const char *reason(const zf_column *column)
{
    static const char start[] = "dropped: ";
    size_t n = sizeof start - 1;
    return strncmp(column->note, start, n) == 0 ? column->note + n : column->note;
}

static void warn_of_dropped(const cli_call *call, const zf_table *table)
{
    size_t dropped = 0;
    for (size_t i = 0; i < zf_table_columns(table); i++) {
        const zf_column *column = zf_table_column(table, i);
        if (column->used) continue;
        if (++dropped <= NAMED_MOST)
            cli_warn(call, "column \"%s\" is left out: %s%s", column->name, reason(column),
                     advice(column));
    }
    if (dropped > NAMED_MOST)
        cli_warn(call, "%s more are left out; zeroflow check --all tells why",
                 cli_plural(dropped - NAMED_MOST, "column").text);
}

static void warn_of_collinear(const cli_call *call, const zf_table *table)
{
    size_t found = 0;
    for (size_t i = 0; i < zf_table_columns(table); i++) {
        const zf_column *column = zf_table_column(table, i);
        if (!column->used || !column->collinear) continue;
        if (++found <= NAMED_MOST)
            cli_warn(call, "column \"%s\": %s; its blanket is not unique", column->name,
                     column->note);
    }
    if (found > NAMED_MOST)
        cli_warn(call, "%s more are linear in others; zeroflow check --all names them",
                 cli_plural(found - NAMED_MOST, "column").text);
}

/* Identifiers and codes, in one line with what leaves them out. */
static void warn_of_roles(const cli_call *call, const zf_table *table)
{
    size_t found = 0;
    cli_gathered list, word;
    bool gathered = cli_gather(&list) != NULL;
    for (size_t i = 0; i < zf_table_columns(table); i++) {
        const zf_column *column = zf_table_column(table, i);
        if (!column->used || column->role == ZF_ROLE_MEASURE) continue;
        if (++found <= NAMED_MOST && gathered)
            fprintf(list.out, "%s%s", found > 1 ? "," : "", column->name);
    }
    gathered = cli_gather_end(&list) && found > 0;
    if (!gathered) {
        free(list.text);
        return;
    }
    if (cli_gather(&word)) cli_print_word(word.out, list.text);
    if (cli_gather_end(&word))
        cli_warn(call,
                 "%s likely to hold identifiers or codes, whose sizes mean nothing; to leave %s "
                 "out: --drop%c%s%s",
                 found == 1 ? "a column is" : "columns are", found == 1 ? "it" : "them",
                 list.text[0] == '-' ? '=' : ' ', word.text, found > NAMED_MOST ? ",..." : "");
    free(word.text);
    free(list.text);
}

void cli_features_doubt(const cli_features *features, const cli_call *call)
{
    const zf_matrix *matrix = &features->matrix;
    warn_of_collinear(call, features->table);
    warn_of_roles(call, features->table);
    if (matrix->rows < ROWS_A_COLUMN * matrix->columns)
        cli_warn(call, "%s for %s: so few rows tell little about blankets",
                 cli_plural(matrix->rows, "row").text, cli_plural(matrix->columns, "column").text);
}

static cli_exit take_names(cli_features *features)
{
    size_t n = 0;
    features->names = malloc((features->matrix.columns + 1) * sizeof *features->names);
    if (!features->names) return cli_fail(CLI_FAILED, "out of memory");
    for (size_t i = 0; i < zf_table_columns(features->table); i++) {
        const zf_column *column = zf_table_column(features->table, i);
        if (column->used) features->names[n++] = column->name;
    }
    return CLI_DONE;
}

const char *const cli_missing_rules[] = {"drop", "refuse", NULL};

static void warn_of_rows(const cli_call *call, const zf_matrix *matrix)
{
    if (matrix->dropped > 0)
        cli_warn(call, "%s of %s left out for missing values", cli_count(matrix->dropped).text,
                 cli_plural(matrix->rows + matrix->dropped, "row").text);
}

static zf_missing_rule missing_rule(const cli_value *first)
{
    return (zf_missing_rule)cli_place_of(first[CLI_MISSING_ROWS].text, cli_missing_rules);
}

cli_exit cli_take_matrix(zf_matrix *out, const cli_call *call, const zf_table *table,
                         const size_t *columns, size_t n, const cli_value *first)
{
    CLI_TRY(cli_check(zf_table_matrix(out, table, columns, n, missing_rule(first))));
    warn_of_rows(call, out);
    return CLI_DONE;
}

/* Names the columns that the table lacks. */
static cli_exit complain_of_columns(const zf_table *table, const char *path,
                                    const char *const *names, size_t n)
{
    enum { LACKING_MOST = 3 };
    char text[512];
    size_t lacking = 0, length = 0;
    for (size_t j = 0; j < n; j++) {
        if (zf_table_find(table, names[j]) >= 0) continue;
        if (lacking++ < LACKING_MOST && length < sizeof text)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s\"%.100s\"",
                                       length ? ", " : "", names[j]);
    }
    return cli_fail(CLI_INPUT, "%s: lacks %zu of the %zu columns that are needed: %s%s", path,
                    lacking, n, text, lacking > LACKING_MOST ? ", ..." : "");
}

cli_exit cli_take_named(zf_matrix *out, const cli_call *call, const zf_table *table,
                        const char *path, const char *const *names, size_t n,
                        const cli_value *first)
{
    size_t *columns = malloc((n + 1) * sizeof *columns);
    cli_exit exit = columns ? CLI_DONE : cli_fail(CLI_FAILED, "out of memory");
    for (size_t j = 0; j < n && exit == CLI_DONE; j++) {
        long found = zf_table_find(table, names[j]);
        if (found < 0) exit = complain_of_columns(table, path, names, n);
        if (exit == CLI_DONE) columns[j] = (size_t)found;
    }
    if (exit == CLI_DONE) exit = cli_take_matrix(out, call, table, columns, n, first);
    free(columns);
    return exit;
}

static cli_exit take_columns(cli_features *features, const cli_call *call, const char *path,
                             const cli_value *first)
{
    const zf_table *table = features->table;
    zf_matrix *matrix = &features->matrix;
    warn_of_dropped(call, table);
    CLI_TRY(cli_check(zf_table_matrix(matrix, table, NULL, 0, missing_rule(first))));
    if (matrix->rows < 2 || matrix->columns < 2)
        return cli_fail(CLI_INPUT, "%s: %s of %s can be used, expected at least two of each", path,
                        cli_plural(matrix->rows, "row").text,
                        cli_plural(matrix->columns, "column").text);
    warn_of_rows(call, matrix);
    return take_names(features);
}

cli_exit cli_read_features(cli_features *out, const cli_call *call, const cli_value *first,
                           const char *path)
{
    return cli_read_grouped(out, call, first, NULL, path);
}

cli_exit cli_read_grouped(cli_features *out, const cli_call *call, const cli_value *first,
                          const char *groups, const char *path)
{
    cli_features features = {0};
    CLI_TRY(cli_read_columns(&features.table, first + CLI_FEATURE_TABLE,
                             first + CLI_FEATURE_COLUMNS, groups, path));
    cli_exit exit = take_columns(&features, call, path, first);
    if (exit != CLI_DONE) {
        cli_features_free(&features);
        return exit;
    }
    *out = features;
    return CLI_DONE;
}

json_t *cli_features_dropped(const cli_features *features)
{
    json_t *list = json_array();
    for (size_t i = 0; i < zf_table_columns(features->table); i++) {
        const zf_column *column = zf_table_column(features->table, i);
        if (column->used) continue;
        json_t *entry = json_pack("{s:o s:o}", "name", cli_json_text(column->name), "note",
                                  cli_json_text(column->note));
        if (json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

void cli_features_free(cli_features *features)
{
    free(features->names);
    zf_matrix_free(&features->matrix);
    zf_table_free(features->table);
    *features = (cli_features){0};
}
