#include "job/transform.h"

#include <stdio.h>
#include <stdlib.h>

#include "job/answer.h"
#include "job/membership.h"
#include "job/variables.h"
#include "zeroflow/reduce.h"

static const zf_option arguments[] = {
    {"MODEL", .type = ZF_OPTION_FILE, ZF_FIELD(zf_transform_values, model),
     .help = "Model written by zeroflow reduce."},
    {"DATA", .type = ZF_OPTION_FILE, ZF_FIELD(zf_transform_values, data), .help = ZF_TABLE_HELP},
    {NULL},
};

static const zf_option options[] = {
    {"output", 'o', ZF_OPTION_OUTPUT, "OUT", ZF_FIELD(zf_transform_values, output),
     .otherwise = "CSV on standard output",
     .help = "File for the numbers: .npy, .tsv, or CSV with any other extension."},
    ZF_TABLE_ROWS(zf_transform_values, table),
    {NULL},
};

/* The model's inputs, by name, in its order. There is a number for each row, so none may lack a
   value. */
static zf_status read_inputs(zf_matrix *matrix, zf_run *run, const zf_transform_values *values,
                             const zf_reduction *model)
{
    size_t inputs = (size_t)zf_reduction_inputs(model);
    const char **names = malloc(inputs * sizeof *names);
    zf_table *table = NULL;
    zf_status status = names ? ZF_OK : zf_fail_memory(inputs * sizeof *names);
    for (size_t j = 0; names && j < inputs; j++) names[j] = zf_reduction_input(model, (int)j);
    if (status == ZF_OK) status = zf_read_table(&table, &values->table, values->data);
    if (status == ZF_OK)
        status = zf_take_named(matrix, run, table, values->data, names, inputs, ZF_MISSING_REFUSE);
    zf_table_free(table);
    free(names);
    return status;
}

static zf_status write_codes(zf_transform_result *found, const char *path, const float *codes)
{
    char names[ZF_REDUCE_MOST][24];
    const char *header[ZF_REDUCE_MOST];
    for (size_t l = 0; l < found->dim; l++) {
        snprintf(names[l], sizeof names[l], "f%zu", l + 1);
        header[l] = names[l];
    }
    zf_numbers numbers = {
        .floats = codes, .rows = found->rows, .columns = found->dim, .names = header};
    return zf_document_table(&found->kept, path, &numbers);
}

static zf_status transform(zf_transform_result *found, const zf_transform_values *values,
                           const zf_reduction *model, const zf_matrix *matrix)
{
    found->rows = matrix->rows;
    found->dim = (size_t)zf_reduction_dim(model);
    float *codes = malloc(found->rows * found->dim * sizeof *codes);
    if (!codes) return zf_fail_memory(found->rows * found->dim * sizeof *codes);
    zf_status status = zf_reduction_transform(model, codes, matrix->values, matrix->rows);
    if (status == ZF_EINPUT) zf_fail_within(status, "%s: ", values->data);
    status = zf_check_model(status, values->model);
    if (status == ZF_OK) status = write_codes(found, values->output, codes);
    free(codes);
    return status;
}

static zf_status run(void *result, const void *given, zf_run *run)
{
    const zf_transform_values *values = given;
    zf_reduction *model = NULL;
    zf_matrix matrix = {0};
    ZF_TRY(zf_reduction_load(&model, values->model));
    zf_status status = read_inputs(&matrix, run, values, model);
    if (status == ZF_OK) status = transform(result, values, model, &matrix);
    zf_matrix_free(&matrix);
    zf_reduction_free(model);
    return status;
}

static json_t *json(const void *result, const void *given)
{
    const zf_transform_values *values = given;
    const zf_transform_result *found = result;
    return json_pack("{s:o s:o s:o}", "output", zf_answer_text(values->output), "rows",
                     zf_answer_count(found->rows), "dim", zf_answer_count(found->dim));
}

static const char *document(const void *result, size_t *n)
{
    const zf_transform_result *found = result;
    *n = found->kept.n;
    return found->kept.bytes;
}

static void release(void *result)
{
    free(((zf_transform_result *)result)->kept.bytes);
}

const zf_job zf_job_transform = {
    .name = "transform",
    .summary = "compute the sufficient numbers of a table's rows",
    .description =
        "Computes the function that zeroflow reduce has learnt for the rows of a table, as "
        "columns f1, f2, ... The model's columns are found by name; others are ignored, and "
        "the targets need not be there. Every input row gives a row, so a missing value is "
        "an error.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_transform_values),
    .result_size = sizeof(zf_transform_result),
    .run = run,
    .json = json,
    .document = document,
    .release = release,
};
