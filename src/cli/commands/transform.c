/* zeroflow transform: the numbers of a reduction for each row of a table. */
#include <stdlib.h>
#include <string.h>

#include "zeroflow/reduce.h"

#include "gather.h"
#include "output.h"
#include "table_input.h"
#include "text.h"

enum { MODEL, DATA };
enum { OUTPUT, TABLE, END = TABLE + CLI_TABLE_OPTIONS };

static const cli_option arguments[] = {
    [MODEL] = {"MODEL", .type = CLI_FILE, .help = "A model that zeroflow reduce has written."},
    [DATA] = {"DATA", .type = CLI_FILE, .help = CLI_TABLE_ARGUMENT_HELP},
    {NULL},
};

static const cli_option options[] = {
    [OUTPUT] = {"output", 'o', CLI_OUTPUT, "OUT", .otherwise = "CSV on standard output",
                .help = "Where the numbers go: .npy, .tsv, or CSV with any other name."},
    CLI_TABLE_OPTION_LIST(TABLE),
    [END] = {NULL},
};

static const cli_example examples[] = {
    {"zeroflow transform cells.reduction cells.csv -o codes.csv",
     "A row of numbers for each row of the table."},
    {NULL},
};

static bool to_standard_output(const cli_call *call)
{
    return cli_is_standard_output(call->values[OUTPUT].text);
}

/* Names the columns that the table lacks, a few of them. */
static cli_exit lacking(const cli_call *call, const zf_reduction *model, const zf_table *table)
{
    enum { NAMED_MOST = 5 };
    cli_gathered list;
    int missing = 0, inputs = zf_reduction_inputs(model);
    FILE *stream = cli_gather(&list);
    if (!stream) return cli_fail(CLI_FAILED, "out of memory");
    for (int j = 0; j < inputs; j++) {
        if (zf_table_find(table, zf_reduction_input(model, j)) >= 0) continue;
        if (missing++ < NAMED_MOST)
            fprintf(stream, "%s\"%s\"", missing > 1 ? ", " : "", zf_reduction_input(model, j));
    }
    if (missing > NAMED_MOST) fprintf(stream, " and %d more", missing - NAMED_MOST);
    cli_exit exit;
    if (!cli_gather_end(&list))
        exit = cli_fail(CLI_FAILED, "out of memory");
    else
        exit = cli_fail(CLI_INPUT, "%s: lacks %d of the %d columns that the model reduces: %s",
                        call->arguments[DATA].text, missing, inputs, list.text);
    free(list.text);
    return exit;
}

/* The model's inputs, by name, in its order. */
static cli_exit take_inputs(zf_matrix *matrix, const cli_call *call, const zf_reduction *model,
                            const zf_table *table)
{
    size_t inputs = (size_t)zf_reduction_inputs(model);
    size_t *columns = malloc(inputs * sizeof *columns);
    if (!columns) return cli_fail(CLI_FAILED, "out of memory");
    cli_exit exit = CLI_DONE;
    for (size_t j = 0; j < inputs && exit == CLI_DONE; j++) {
        long place = zf_table_find(table, zf_reduction_input(model, (int)j));
        if (place < 0) exit = lacking(call, model, table);
        columns[j] = (size_t)place;
    }
    if (exit == CLI_DONE)
        exit = cli_check(zf_table_matrix(matrix, table, columns, inputs, ZF_MISSING_REFUSE));
    free(columns);
    return exit;
}

static cli_exit write_codes(const cli_call *call, const float *codes, size_t rows, size_t dim)
{
    char names[ZF_REDUCE_MOST][24];
    const char *header[ZF_REDUCE_MOST];
    for (size_t l = 0; l < dim; l++) {
        snprintf(names[l], sizeof names[l], "f%zu", l + 1);
        header[l] = names[l];
    }
    zf_numbers numbers = {.floats = codes, .rows = rows, .columns = dim, .names = header};
    return cli_write_table(call, call->values[OUTPUT].text, &numbers);
}

static cli_exit tell(const cli_call *call, size_t rows, size_t dim)
{
    const char *output = call->values[OUTPUT].text;
    if (call->json)
        return cli_print_json(call, json_pack("{s:o s:I s:I}", "output", cli_json_text(output),
                                              "rows", (json_int_t)rows, "dim", (json_int_t)dim));
    if (to_standard_output(call)) return CLI_DONE;
    cli_clean(call->out, output);
    fprintf(call->out, ": %s of %s\n", cli_plural(rows, "row").text,
            cli_plural(dim, "number").text);
    return CLI_DONE;
}

static cli_exit transform(const cli_call *call, const zf_reduction *model, const zf_matrix *matrix)
{
    size_t dim = (size_t)zf_reduction_dim(model);
    float *codes = malloc(matrix->rows * dim * sizeof *codes);
    if (!codes) return cli_fail(CLI_FAILED, "out of memory");
    zf_status status = zf_reduction_transform(model, codes, matrix->values, matrix->rows);
    cli_exit exit = cli_check_model(status, call->arguments[MODEL].text);
    if (status == ZF_EINPUT) cli_fail(exit, "%s: %s", call->arguments[DATA].text, zf_error());
    if (exit == CLI_DONE) exit = write_codes(call, codes, matrix->rows, dim);
    if (exit == CLI_DONE) exit = tell(call, matrix->rows, dim);
    free(codes);
    return exit;
}

static cli_exit run(const cli_call *call)
{
    zf_reduction *model = NULL;
    zf_table *table = NULL;
    zf_matrix matrix = {0};
    if (call->json && to_standard_output(call))
        return cli_fail(CLI_USAGE,
                        "--json needs --output, as the numbers would be on standard output");
    CLI_TRY(cli_check(zf_reduction_load(&model, call->arguments[MODEL].text)));
    cli_exit exit = cli_read_table(&table, &call->values[TABLE], call->arguments[DATA].text);
    if (exit == CLI_DONE) exit = take_inputs(&matrix, call, model, table);
    if (exit == CLI_DONE) exit = transform(call, model, &matrix);
    zf_matrix_free(&matrix);
    zf_table_free(table);
    zf_reduction_free(model);
    return exit;
}

const cli_command cli_command_transform = {
    .name = "transform",
    .summary = "the sufficient numbers of each row, by a model of reduce",
    .description =
        "Computes what zeroflow reduce has learnt for the rows of a table: columns f1, f2, ... The "
        "model's columns are found by name; others are ignored, and the targets need not be there. "
        "There is a row for each row, so a missing value is an error.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
