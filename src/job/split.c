#include "job/split.h"

#include <stdlib.h>
#include <string.h>

#include "job/answer.h"
#include "job/document.h"
#include "job/outputs.h"

static const zf_option arguments[] = {
    {"DATA", .type = ZF_OPTION_FILE, ZF_FIELD(zf_split_values, data), .help = ZF_TABLE_HELP},
    {NULL},
};

static const zf_option options[] = {
    {"output", 'o', ZF_OPTION_OUTPUT, "FILE", ZF_FIELD(zf_split_values, output),
     .help = "File for the rows to train on. Required."},
    {"held-out", .type = ZF_OPTION_OUTPUT, .placeholder = "FILE",
     ZF_FIELD(zf_split_values, held_out), .help = "File for the held-out rows. Required."},
    {"share", .type = ZF_OPTION_REAL, .placeholder = "S", ZF_FIELD(zf_split_values, share),
     .fallback = "0.3", .least = 0.001, .most = 0.999,
     .help = "Share of the rows that are held out."},
    ZF_GUARD_ROW(zf_split_values, guard),
    ZF_VARIABLE_ROWS(zf_split_values, variables),
    {NULL},
};

/* splitmix64 (Steele, Lea and Flood, 2014): here a few draws, not a stream that must be
   addressed from many threads. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Marks `chosen` of n rows, every set of so many alike. */
static void choose(unsigned char *marks, size_t n, size_t chosen, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) {
        /* Knuth's selection: a row is taken with probability wanted / left. */
        double uniform = (double)(next(&seed) >> 11) * 0x1p-53;
        marks[i] = uniform * (double)(n - i) < (double)chosen;
        chosen -= marks[i];
    }
}

/* Writes the rows that are marked so. */
static zf_status write_part(const zf_split_values *values, const zf_variables *variables,
                            const unsigned char *marks, unsigned char mark, double *room)
{
    const zf_matrix *all = &variables->matrix;
    size_t rows = 0;
    for (size_t i = 0; i < all->rows; i++)
        if (marks[i] == mark)
            memcpy(room + rows++ * all->columns, all->values + i * all->columns,
                   all->columns * sizeof *room);
    zf_numbers numbers = {.doubles = room,
                          .rows = rows,
                          .columns = all->columns,
                          .names = variables->names,
                          .guard = values->guard};
    return zf_table_write(mark ? values->held_out : values->output, &numbers);
}

static zf_status write_both(const zf_split_values *values, const zf_variables *variables,
                            size_t held_out, uint64_t seed)
{
    const zf_matrix *all = &variables->matrix;
    size_t bytes = all->rows * all->columns * sizeof(double);
    unsigned char *marks = malloc(all->rows);
    double *room = malloc(bytes);
    zf_status status = marks && room ? ZF_OK : zf_fail_memory(bytes);
    if (status == ZF_OK) {
        choose(marks, all->rows, held_out, seed);
        status = write_part(values, variables, marks, 0, room);
    }
    if (status == ZF_OK) status = write_part(values, variables, marks, 1, room);
    free(marks);
    free(room);
    return status;
}

static zf_status run(void *result, const void *given, zf_run *run)
{
    const zf_split_values *values = given;
    zf_split_result *found = result;
    zf_variables variables = {0};
    if (!values->output)
        return zf_fail(
            ZF_EINVAL,
            "option {output} is missing: name a file for the rows to train on, as {output} FILE");
    if (!values->held_out)
        return zf_fail(
            ZF_EINVAL,
            "option {held-out} is missing: name a file for the other rows, as {held-out} FILE");
    ZF_TRY(zf_output_need_file(values->output, "output"));
    ZF_TRY(zf_output_need_file(values->held_out, "held-out"));
    ZF_TRY(zf_read_variables(&variables, run, &values->variables, NULL, values->data));
    size_t rows = variables.matrix.rows;
    size_t held_out = (size_t)((double)rows * values->share + 0.5);
    if (held_out == 0) held_out = 1;
    if (held_out == rows) held_out = rows - 1;
    zf_status status = write_both(values, &variables, held_out, run->seed);
    zf_variables_free(&variables);
    *found = (zf_split_result){rows - held_out, held_out};
    return status;
}

static json_t *json(const void *result, const void *given)
{
    const zf_split_values *values = given;
    const zf_split_result *found = result;
    return json_pack("{s:o s:o s:o s:o}", "output", zf_answer_text(values->output), "rows",
                     zf_answer_count(found->rows), "held_out", zf_answer_text(values->held_out),
                     "rows_held_out", zf_answer_count(found->held_out));
}

const zf_job zf_job_split = {
    .name = "split",
    .summary = "divide a table into rows to train on and held-out rows",
    .description =
        "Draws rows at random, by {seed}, and writes them and the others to two tables, each "
        "in the original order. The columns are those that zeroflow fit would use; rows that "
        "hold a missing value are left out, as fit does. Results on rows that a model was "
        "not trained on, as by zeroflow certify, can be trusted.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_split_values),
    .result_size = sizeof(zf_split_result),
    .run = run,
    .json = json,
};
