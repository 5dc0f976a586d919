#include "job/variables.h"

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "job/answer.h"

enum { NAMED_MOST = 5 };    /* warnings with a line of their own */
enum { ROWS_A_COLUMN = 5 }; /* fewer tell little about blankets */

/* What the user can do to have the column used; "" if nothing. */
static void write_advice(char *text, size_t size, const zf_column *column)
{
    const char *advice = "";
    if (column->type == ZF_COLUMN_CATEGORY)
        advice = "; to use it, give each of its values a column of 0 and 1";
    else if (column->type == ZF_COLUMN_TEXT)
        advice = "; if such a cell means a missing value, name it with {missing}";
    zf_write_options(text, size, advice);
}

static const char *reason(const zf_column *column)
{
    static const char start[] = "dropped: ";
    size_t n = sizeof start - 1;
    return strncmp(column->note, start, n) == 0 ? column->note + n : column->note;
}

static void warn_of_dropped(zf_run *run, const zf_table *table)
{
    size_t dropped = 0;
    for (size_t i = 0; i < zf_table_columns(table); i++) {
        const zf_column *column = zf_table_column(table, i);
        if (column->used) continue;
        if (++dropped > NAMED_MOST) continue;
        char advice[128];
        write_advice(advice, sizeof advice, column);
        zf_warn(run, "column \"%s\" is left out: %s%s", column->name, reason(column), advice);
    }
    if (dropped > NAMED_MOST)
        zf_warn(run, "%s more are left out; zeroflow check {all} says why",
                zf_plural(dropped - NAMED_MOST, "column").text);
}

static void warn_of_collinear(zf_run *run, const zf_table *table)
{
    size_t found = 0;
    for (size_t i = 0; i < zf_table_columns(table); i++) {
        const zf_column *column = zf_table_column(table, i);
        if (!column->used || !column->collinear) continue;
        if (++found <= NAMED_MOST)
            zf_warn(run, "column \"%s\": %s; its blanket is not unique", column->name,
                    column->note);
    }
    if (found > NAMED_MOST)
        zf_warn(run, "%s more are linear in others; zeroflow check {all} names them",
                zf_plural(found - NAMED_MOST, "column").text);
}

/* Names between commas, in quotes where a shell needs them, cut at size bytes. */
static void join_names(char *text, size_t size, const char *const *names, size_t n)
{
    size_t used = 0;
    bool plain = true;
    for (size_t i = 0; i < n && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%.80s", i ? "," : "", names[i]);
        plain &= !names[i][strcspn(names[i], " \"'$\\;&|<>()*?#~!`{}[]\t\n")];
    }
    if (plain) return;
    memmove(text + 1, text, size - 2);
    text[0] = text[used + 1 < size - 2 ? used + 1 : size - 2] = '\'';
    text[used + 2 < size - 1 ? used + 2 : size - 1] = '\0';
}

/* Identifiers and codes, in one line with what leaves them out. */
static void warn_of_roles(zf_run *run, const zf_table *table)
{
    const char *names[NAMED_MOST];
    char list[512];
    size_t found = 0;
    for (size_t i = 0; i < zf_table_columns(table); i++) {
        const zf_column *column = zf_table_column(table, i);
        if (!column->used || column->role == ZF_ROLE_MEASURE) continue;
        if (++found <= NAMED_MOST) names[found - 1] = column->name;
    }
    if (found == 0) return;
    join_names(list, sizeof list, names, found < NAMED_MOST ? found : NAMED_MOST);
    zf_warn(run,
            "%s likely to hold identifiers or codes, whose values are not quantities; to leave "
            "%s out: {drop}%c%s%s",
            found == 1 ? "a column is" : "columns are", found == 1 ? "it" : "them",
            names[0][0] == '-' ? '=' : ' ', list, found > NAMED_MOST ? ",..." : "");
}

void zf_variables_doubt(const zf_variables *variables, zf_run *run)
{
    const zf_matrix *matrix = &variables->matrix;
    warn_of_collinear(run, variables->table);
    warn_of_roles(run, variables->table);
    if (matrix->rows < ROWS_A_COLUMN * matrix->columns)
        zf_warn(run, "%s for %s: too few rows to tell much about blankets",
                zf_plural(matrix->rows, "row").text, zf_plural(matrix->columns, "column").text);
}

static zf_status take_names(zf_variables *variables)
{
    size_t n = 0;
    variables->names = malloc((variables->matrix.columns + 1) * sizeof *variables->names);
    if (!variables->names) return zf_fail(ZF_ENOMEM, "out of memory");
    for (size_t i = 0; i < zf_table_columns(variables->table); i++) {
        const zf_column *column = zf_table_column(variables->table, i);
        if (column->used) variables->names[n++] = column->name;
    }
    return ZF_OK;
}

const char *const zf_missing_rules[] = {"drop", "refuse", NULL};

static void warn_of_rows(zf_run *run, const zf_matrix *matrix)
{
    if (matrix->dropped > 0)
        zf_warn(run, "%s of %s left out for missing values", zf_count(matrix->dropped).text,
                zf_plural(matrix->rows + matrix->dropped, "row").text);
}

zf_status zf_take_matrix(zf_matrix *out, zf_run *run, const zf_table *table, const size_t *columns,
                         size_t n, zf_missing_rule rule)
{
    ZF_TRY(zf_table_matrix(out, table, columns, n, rule));
    warn_of_rows(run, out);
    return ZF_OK;
}

/* Names the columns that the table lacks. */
static zf_status complain_of_columns(const zf_table *table, const char *path,
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
    return zf_fail(ZF_EINPUT, "%s: lacks %zu of the %zu required columns: %s%s", path, lacking, n,
                   text, lacking > LACKING_MOST ? ", ..." : "");
}

zf_status zf_take_named(zf_matrix *out, zf_run *run, const zf_table *table, const char *path,
                        const char *const *names, size_t n, zf_missing_rule rule)
{
    size_t *columns = malloc((n + 1) * sizeof *columns);
    zf_status status = columns ? ZF_OK : zf_fail(ZF_ENOMEM, "out of memory");
    for (size_t j = 0; j < n && status == ZF_OK; j++) {
        long found = zf_table_find(table, names[j]);
        if (found < 0) status = complain_of_columns(table, path, names, n);
        if (status == ZF_OK) columns[j] = (size_t)found;
    }
    if (status == ZF_OK) status = zf_take_matrix(out, run, table, columns, n, rule);
    free(columns);
    return status;
}

static zf_status take_columns(zf_variables *variables, zf_run *run, const char *path,
                              zf_missing_rule rule)
{
    const zf_table *table = variables->table;
    zf_matrix *matrix = &variables->matrix;
    warn_of_dropped(run, table);
    ZF_TRY(zf_table_matrix(matrix, table, NULL, 0, rule));
    if (matrix->rows < 2 || matrix->columns < 2)
        return zf_fail(ZF_EINPUT, "%s: %s of %s can be used, expected at least two of each", path,
                       zf_plural(matrix->rows, "row").text,
                       zf_plural(matrix->columns, "column").text);
    warn_of_rows(run, matrix);
    return take_names(variables);
}

zf_status zf_read_variables(zf_variables *out, zf_run *run, const zf_variable_values *values,
                            const char *groups, const char *path)
{
    zf_variables variables = {0};
    ZF_TRY(zf_read_columns(&variables.table, &values->named.table, &values->chosen, groups, path));
    zf_status status = take_columns(&variables, run, path, values->named.missing_rows);
    if (status != ZF_OK) {
        zf_variables_free(&variables);
        return status;
    }
    *out = variables;
    return ZF_OK;
}

json_t *zf_variables_dropped(const zf_variables *variables)
{
    json_t *list = json_array();
    for (size_t i = 0; i < zf_table_columns(variables->table); i++) {
        const zf_column *column = zf_table_column(variables->table, i);
        if (column->used) continue;
        zf_answer_add(list, json_pack("{s:o s:o}", "name", zf_answer_text(column->name), "note",
                                      zf_answer_text(column->note)));
    }
    return list;
}

void zf_variables_free(zf_variables *variables)
{
    free(variables->names);
    zf_matrix_free(&variables->matrix);
    zf_table_free(variables->table);
    *variables = (zf_variables){0};
}
