/* zeroflow split: a table in two, to train on the one and to test on the other. */
#include <stdlib.h>
#include <string.h>

#include "feature_input.h"
#include "text.h"

enum { DATA };
enum { OUTPUT, HELD_OUT, SHARE, GUARD, FEATURES, END = FEATURES + CLI_FEATURE_OPTIONS };

static const cli_option arguments[] = {
    [DATA] = {"DATA", .type = CLI_FILE, .help = CLI_TABLE_ARGUMENT_HELP},
    {NULL},
};

static const cli_option options[] = {
    [OUTPUT] = {"output", 'o', CLI_OUTPUT, "FILE",
                .help = "Where the rows to train on go. Needed."},
    [HELD_OUT] = {"held-out", .type = CLI_OUTPUT, .placeholder = "FILE",
                  .help = "Where the other rows go. Needed."},
    [SHARE] = {"share", .type = CLI_REAL, .placeholder = "S", .fallback = "0.3", .least = 0.001,
               .most = 0.999, .help = "Share of the rows that are held out."},
    [GUARD] = CLI_GUARD_OPTION,
    CLI_FEATURE_OPTION_LIST(FEATURES),
    [END] = {NULL},
};

static const cli_example examples[] = {
    {"zeroflow split cells.csv -o train.csv --held-out fresh.csv",
     "Seven rows in ten to fit on, three to certify on."},
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
static cli_exit write_part(const cli_call *call, const cli_features *features,
                           const unsigned char *marks, unsigned char mark, double *room)
{
    const zf_matrix *all = &features->matrix;
    size_t rows = 0;
    for (size_t i = 0; i < all->rows; i++)
        if (marks[i] == mark)
            memcpy(room + rows++ * all->columns, all->values + i * all->columns,
                   all->columns * sizeof *room);
    zf_numbers numbers = {.doubles = room,
                          .rows = rows,
                          .columns = all->columns,
                          .names = features->names,
                          .guard = call->values[GUARD].flag};
    return cli_check(zf_table_write(call->values[mark ? HELD_OUT : OUTPUT].text, &numbers));
}

static cli_exit write_both(const cli_call *call, const cli_features *features, size_t held_out)
{
    const zf_matrix *all = &features->matrix;
    unsigned char *marks = malloc(all->rows);
    double *room = malloc(all->rows * all->columns * sizeof *room);
    cli_exit exit = marks && room ? CLI_DONE : cli_fail(CLI_FAILED, "out of memory");
    if (exit == CLI_DONE) {
        choose(marks, all->rows, held_out, call->seed);
        exit = write_part(call, features, marks, 0, room);
    }
    if (exit == CLI_DONE) exit = write_part(call, features, marks, 1, room);
    free(marks);
    free(room);
    return exit;
}

static cli_exit tell(const cli_call *call, size_t rows, size_t held_out)
{
    if (call->json)
        return cli_print_json(call, json_pack("{s:o s:I s:o s:I}", "output",
                                              cli_json_text(call->values[OUTPUT].text), "rows",
                                              (json_int_t)(rows - held_out), "held_out",
                                              cli_json_text(call->values[HELD_OUT].text),
                                              "rows_held_out", (json_int_t)held_out));
    fprintf(call->out, "%s to ", cli_plural(rows - held_out, "row").text);
    cli_clean(call->out, call->values[OUTPUT].text);
    fprintf(call->out, ", %s to ", cli_plural(held_out, "row").text);
    cli_clean(call->out, call->values[HELD_OUT].text);
    fputc('\n', call->out);
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    const cli_value *values = call->values;
    cli_features features = {0};
    if (!values[OUTPUT].given || !values[HELD_OUT].given)
        return cli_fail(CLI_USAGE, "%s FILE is missing",
                        values[OUTPUT].given ? "--held-out" : "-o");
    CLI_TRY(cli_need_file(values[OUTPUT].text, "-o"));
    CLI_TRY(cli_need_file(values[HELD_OUT].text, "--held-out"));
    CLI_TRY(cli_read_features(&features, call, &values[FEATURES], call->arguments[DATA].text));
    size_t rows = features.matrix.rows;
    size_t held_out = (size_t)((double)rows * values[SHARE].real + 0.5);
    if (held_out == 0) held_out = 1;
    if (held_out == rows) held_out = rows - 1;
    cli_exit exit = write_both(call, &features, held_out);
    cli_features_free(&features);
    CLI_TRY(exit);
    return tell(call, rows, held_out);
}

const cli_command cli_command_split = {
    .name = "split",
    .summary = "divide a table into rows to train on and rows to hold out",
    .description =
        "Draws rows at random, by --seed, and writes them and the others to two tables, each in "
        "its old order. The columns are those that zeroflow fit would use, and rows that lack a "
        "value are left out, as it does. What is said of a model on rows that it was not trained "
        "on, as by zeroflow certify, can be believed.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .run = run,
};
