#include "job/check.h"

#include "job/answer.h"

static const zf_option arguments[] = {
    {"DATA", .type = ZF_OPTION_FILE, ZF_FIELD(zf_check_values, data), .help = ZF_TABLE_HELP},
    {NULL},
};

static const zf_option options[] = {
    ZF_TABLE_ROWS(zf_check_values, table),
    ZF_COLUMN_ROWS(zf_check_values, chosen),
    {"all", .type = ZF_OPTION_FLAG, ZF_FIELD(zf_check_values, all),
     .help = "Show every column of a wide table, not only the notable ones."},
    {NULL},
};

/* What speaks against independent rows, among those that fit would use. */
static zf_status doubt_rows(zf_row_doubts *out, const zf_table *table)
{
    zf_matrix matrix = {0};
    bool any = false;
    for (size_t i = 0; i < zf_table_columns(table); i++) any |= zf_table_column(table, i)->used;
    if (!any) return ZF_OK;
    ZF_TRY(zf_table_matrix(&matrix, table, NULL, 0, ZF_MISSING_DROP));
    zf_status status = zf_rows_doubt(out, matrix.values, matrix.rows, matrix.columns);
    zf_matrix_free(&matrix);
    return status;
}

static void summarise(zf_check_result *s)
{
    for (size_t i = 0; i < zf_table_columns(s->table); i++) {
        const zf_column *column = zf_table_column(s->table, i);
        s->types[column->type]++;
        s->used += column->used;
        if (!column->used && !column->constant && column->duplicate_of < 0)
            s->dropped_types[column->type]++;
        s->constant += column->constant;
        s->duplicates += column->duplicate_of >= 0;
        s->copies += column->duplicate_of >= 0 && !column->constant;
        s->collinear += column->collinear;
        s->identifiers += column->role == ZF_ROLE_IDENTIFIER;
        s->codes += column->role == ZF_ROLE_CODE;
        s->missing_cells += column->missing;
        s->missing_columns += column->missing > 0;
    }
}

static zf_status run(void *result, const void *given, zf_run *run)
{
    const zf_check_values *values = given;
    zf_check_result *found = result;
    (void)run;
    ZF_TRY(zf_read_columns(&found->table, &values->table, &values->chosen, NULL, values->data));
    ZF_TRY(doubt_rows(&found->rows, found->table));
    summarise(found);
    return ZF_OK;
}

static json_t *column_json(const zf_table *table, const zf_column *column)
{
    const char *original = column->duplicate_of < 0
                               ? NULL
                               : zf_table_column(table, (size_t)column->duplicate_of)->name;
    json_t *json = json_pack(
        "{s:o s:s s:o s:b s:o s:b s:b s:o s:o s:b s:s s:o}", "name", zf_answer_text(column->name),
        "type", zf_column_type_name(column->type), "missing", zf_answer_count(column->missing),
        "constant", column->constant, "note", zf_answer_text(column->note), "used", column->used,
        "numeric", column->numeric, "distinct", zf_answer_count(column->distinct), "duplicate_of",
        zf_answer_text(original), "collinear", column->collinear, "role",
        zf_column_role_name(column->role), "example", zf_answer_text(column->example));
    if (!json || !column->numeric) return json;
    zf_answer_set(json, "minimum", zf_answer_number(column->minimum));
    zf_answer_set(json, "maximum", zf_answer_number(column->maximum));
    zf_answer_set(json, "mean", zf_answer_number(column->mean));
    zf_answer_set(json, "deviation", zf_answer_number(column->deviation));
    return json;
}

static json_t *json(const void *result, const void *given)
{
    const zf_check_values *values = given;
    const zf_check_result *found = result;
    const zf_table *table = found->table;
    json_t *columns = json_array();
    for (size_t i = 0; i < zf_table_columns(table); i++)
        zf_answer_add(columns, column_json(table, zf_table_column(table, i)));
    return json_pack(
        "{s:o s:s s:o s:o s:o s:o s:o s:o s:o s:o s:o s:o s:o s:o}", "file",
        zf_answer_text(values->data), "format", zf_table_format(table), "rows",
        zf_answer_count(zf_table_rows(table)), "rows_complete",
        zf_answer_count(zf_table_complete_rows(table)), "used", zf_answer_count(found->used),
        "constant", zf_answer_count(found->constant), "duplicates",
        zf_answer_count(found->duplicates), "collinear", zf_answer_count(found->collinear),
        "missing", zf_answer_count(found->missing_cells), "copied_rows",
        zf_answer_count(found->rows.copies), "ordered", zf_answer_count(found->rows.ordered),
        "block", zf_answer_count(found->rows.block), "note", zf_answer_text(zf_table_note(table)),
        "columns", columns);
}

static void release(void *result)
{
    zf_check_result *found = result;
    zf_table_free(found->table);
}

const zf_job zf_job_check = {
    .name = "check",
    .summary = "describe a data file and what fit would do with it",
    .description =
        "Shows the number of rows and columns, and for each column its type, missing values "
        "and range, whether it is constant, a copy of another column, a linear function of "
        "others, or probably an identifier or a code rather than a measurement, and what fit "
        "would do with it. It also reports rows that are copies of others or resemble the "
        "rows before them, as in time series: evidence assumes independent rows.\n\n"
        "For a table with many columns only the notable ones are shown; {all} shows every "
        "column, and so does JSON.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_check_values),
    .result_size = sizeof(zf_check_result),
    .run = run,
    .json = json,
    .release = release,
};
