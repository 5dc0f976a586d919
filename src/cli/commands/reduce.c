/* zeroflow reduce: trains a few numbers that are sufficient for some columns. */
#include <stdlib.h>
#include <string.h>

#include "zeroflow/reduce.h"

#include "feature_input.h"
#include "name_input.h"
#include "progress.h"
#include "terminal.h"
#include "text.h"
#include "training.h"

enum { DATA };
enum {
    OUTPUT,
    TARGET,
    DIM,
    FROM,
    MARGINALS,
    HELD_OUT,
    DECAY,
    CODE_DECAY,
    TRAINING,
    FEATURES = TRAINING + CLI_TRAINING_OPTIONS,
    END = FEATURES + CLI_FEATURE_OPTIONS
};

/* In the order of zf_marginals_kind. */
static const char *const marginals[] = {"standard", "normal-scores", NULL};

static const cli_option arguments[] = {
    [DATA] = {"DATA", .type = CLI_FILE, .help = CLI_TABLE_ARGUMENT_HELP},
    {NULL},
};

static const cli_option options[] = {
    [OUTPUT] = CLI_MODEL_OUTPUT_OPTION,
    [TARGET] = {"target", 't', CLI_LIST, "LIST",
                .help = "The columns that the numbers are to tell all about, by name, between "
                        "commas. Needed."},
    [DIM] = {"dim", .type = CLI_TEXT, .placeholder = "L", .fallback = "1",
             .help = "How many numbers. With a range, such as 1-4, the fewest of these that are "
                     "as good as more are kept: whose held-out rectified loss is within a standard "
                     "error, or 0.03, of the best, and whose zero is at most three times the "
                     "least. At most as many as there are columns to reduce."},
    [FROM] = {"from", .type = CLI_LIST, .placeholder = "LIST", .otherwise = "all but the targets",
              .help = "The columns to reduce."},
    [MARGINALS] = {"marginals", .type = CLI_CHOICE, .placeholder = "KIND", .choices = marginals,
                   .help = "What becomes of each column first: standard, mean 0 and deviation 1; "
                           "normal-scores, its ranks as a normal law."},
    [HELD_OUT] = {"held-out", .type = CLI_REAL, .placeholder = "SHARE", .least = 0.05, .most = 0.5,
                  .help = "Share of the rows that is not trained on, for the criterion."},
    [DECAY] = {"decay", .type = CLI_REAL, .placeholder = "W", .least = 0, .most = 1000,
               .otherwise = "4800 / rows trained on, at most 30",
               .help = "Weight decay of the velocity field."},
    [CODE_DECAY] = {"code-decay", .type = CLI_REAL, .placeholder = "W", .least = 0, .most = 1000,
                    .otherwise = "19200 / rows trained on, at most 30",
                    .help = "Weight decay of the network that gives the numbers, which otherwise "
                            "learns the rows by heart."},
    CLI_TRAINING_OPTION_LIST(TRAINING, NULL, NULL, NULL),
    CLI_FEATURE_OPTION_LIST(FEATURES),
    [END] = {NULL},
};

static const cli_example examples[] = {
    {"zeroflow reduce cells.csv --target PKA -o cells.reduction --iterations 100",
     "One number of the other columns that tells what they know about PKA; a short run."},
    {"zeroflow reduce cells.csv --target PKA,PKC --dim 1-2 -o pair.reduction --iterations 100",
     "Two targets, and one number or two, whichever it takes."},
    {NULL},
};

static const char *const files[] = {
    "MODEL.checkpoint",
    "Where reduce stood when it was saved last: the model and the state of the optimiser.",
    NULL,
};

static void defaults(cli_value *values)
{
    zf_reduce_options standard = zf_reduce_defaults();
    cli_value *training = values + TRAINING;
    cli_default_word(&values[MARGINALS], marginals[standard.marginals]);
    cli_default_real(&values[HELD_OUT], standard.held_out);
    cli_default_whole(&training[CLI_ITERATIONS], standard.iterations);
    cli_default_whole(&training[CLI_BATCH], (uint64_t)standard.batch);
    cli_default_real(&training[CLI_RATE], standard.rate);
    cli_default_real(&training[CLI_ZERO_WEIGHT], standard.zero_weight);
    cli_default_word(&training[CLI_CRITERION], cli_criteria[standard.criterion]);
    cli_default_whole(&training[CLI_HIDDEN], (uint64_t)standard.hidden);
    cli_default_whole(&training[CLI_SAVING + CLI_EVERY], standard.every);
}

/* One run: what was asked for and what it holds. */
typedef struct reducing {
    const cli_call *call;
    cli_training training;
    cli_features features;
    int32_t *targets, *inputs;
    zf_reduce_options wish;
    zf_reduction *model;
    zf_reduce_summary summary;
} reducing;

/* --- what was asked for ------------------------------------------------------------ */

/* "L" or "A-B". */
static cli_exit understand_dim(reducing *r)
{
    const char *text = r->call->values[DIM].text;
    char *end = NULL;
    long first = strtol(text, &end, 10), last = first;
    bool range = end > text && *end == '-';
    if (range) {
        const char *second = end + 1;
        last = strtol(second, &end, 10);
        if (end == second) first = 0;
    }
    if (end == text || *end || first < 1 || last < first || last > ZF_REDUCE_MOST)
        return cli_fail(CLI_USAGE,
                        "option --dim: expected a number from 1 to %d, or two as in 1-4, found "
                        "\"%s\"",
                        ZF_REDUCE_MOST, text);
    r->wish.dim = (int)last;
    r->wish.least = range ? (int)first : 0;
    return CLI_DONE;
}

/* The places, among the columns used, of those that an option names. A column that is
   there but cannot be used is another mistake than one that is not. */
static cli_exit find_columns(const reducing *r, int32_t **found, int *n, int option,
                             const char *label)
{
    const zf_table *table = r->features.table;
    cli_names names = cli_table_names(table, r->training.data);
    CLI_TRY(cli_find_names(found, n, &names, &r->call->values[option], label));
    for (int i = 0; i < *n; i++) {
        int32_t wanted = (*found)[i], place = 0;
        const zf_column *column = zf_table_column(table, (size_t)wanted);
        if (!column->used)
            return cli_fail(CLI_INPUT, "column \"%s\" cannot be used: %s", column->name,
                            column->note);
        for (int32_t j = 0; j < wanted; j++) place += zf_table_column(table, (size_t)j)->used;
        (*found)[i] = place;
    }
    return CLI_DONE;
}

static cli_exit understand_columns(reducing *r)
{
    CLI_TRY(find_columns(r, &r->targets, &r->wish.n_targets, TARGET, "--target"));
    r->wish.targets = r->targets;
    if (r->call->values[FROM].n_list == 0) return CLI_DONE;
    CLI_TRY(find_columns(r, &r->inputs, &r->wish.n_inputs, FROM, "--from"));
    r->wish.inputs = r->inputs;
    return CLI_DONE;
}

static void understand_numbers(reducing *r)
{
    const cli_value *values = r->call->values, *training = values + TRAINING;
    zf_reduce_options *wish = &r->wish;
    wish->marginals = (zf_marginals_kind)cli_place_of(values[MARGINALS].text, marginals);
    wish->held_out = values[HELD_OUT].real;
    if (values[DECAY].set) wish->decay = values[DECAY].real;
    if (values[CODE_DECAY].set) wish->code_decay = values[CODE_DECAY].real;
    wish->iterations = training[CLI_ITERATIONS].whole;
    wish->batch = (int)training[CLI_BATCH].whole;
    wish->rate = training[CLI_RATE].real;
    wish->zero_weight = training[CLI_ZERO_WEIGHT].real;
    wish->criterion = (zf_zero_criterion)cli_place_of(training[CLI_CRITERION].text, cli_criteria);
    wish->hidden = (int)training[CLI_HIDDEN].whole;
    wish->seed = r->call->seed;
    wish->threads = r->call->threads;
    wish->checkpoint = r->training.checkpoint;
    wish->every = training[CLI_SAVING + CLI_EVERY].whole;
    wish->resume = training[CLI_SAVING + CLI_RESUME].flag;
}

/* --- what came out ------------------------------------------------------------------ */

static json_t *criterion_json(const zf_reduction *model)
{
    json_t *list = json_array();
    for (int l = 1; l <= zf_reduction_trained(model); l++) {
        zf_reduce_criterion c = zf_reduction_criterion(model, l);
        json_t *entry =
            json_pack("{s:i s:o s:o s:o s:o}", "dim", c.dim, "rectified",
                      cli_json_number(c.rectified), "excess", cli_json_number(c.excess), "error",
                      cli_json_number(c.error), "zero", cli_json_number(c.zero));
        if (json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *targets_json(const zf_reduction *model)
{
    json_t *list = json_array();
    for (int k = 0; k < zf_reduction_targets(model); k++)
        if (json_array_append_new(list, cli_json_text(zf_reduction_target(model, k))) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static cli_exit print_json(const reducing *r)
{
    const zf_reduce_summary *s = &r->summary;
    const zf_matrix *matrix = &r->features.matrix;
    json_t *object = json_pack(
        "{s:o s:I s:o s:o s:o s:o s:I s:i s:i s:o s:o s:i s:I s:I s:I s:I s:o s:s s:s s:I s:o}",
        "model", cli_json_text(r->training.model), "iterations", (json_int_t)s->iterations,
        "seconds", cli_json_number(s->seconds), "loss", cli_json_number(s->loss), "rectified",
        cli_json_number(s->rectified), "zero", cli_json_number(s->zero), "resumed_from",
        (json_int_t)s->resumed_from, "dim", zf_reduction_dim(r->model), "chosen", s->chosen,
        "criterion", criterion_json(r->model), "target", targets_json(r->model), "inputs",
        zf_reduction_inputs(r->model), "rows", (json_int_t)matrix->rows, "rows_dropped",
        (json_int_t)matrix->dropped, "rows_trained", (json_int_t)s->rows_trained, "rows_held",
        (json_int_t)s->rows_held, "dropped", cli_features_dropped(&r->features), "margins",
        marginals[s->options.marginals], "form", cli_criteria[s->options.criterion], "seed",
        (json_int_t)r->call->seed, "checkpoint", cli_json_text(r->training.checkpoint));
    return cli_print_json(r->call, object);
}

static void print_criterion(const reducing *r)
{
    FILE *out = r->call->out;
    int chosen = r->summary.chosen, given = zf_reduction_dim(r->model);
    fprintf(out, "On %s held out:\n\n  %snumbers  rectified    excess (+- error)     zero%s\n",
            cli_plural(r->summary.rows_held, "row").text, cli_bold(), cli_plain());
    for (int l = 1; l <= zf_reduction_trained(r->model); l++) {
        zf_reduce_criterion c = zf_reduction_criterion(r->model, l);
        fprintf(out, "  %7d  %9.4f  %8.4f (%.4f)  %9.4f%s\n", l, c.rectified, c.excess, c.error,
                c.zero, r->wish.least > 0 && l == chosen ? "  kept" : "");
    }
    fputs("\nrectified: what the numbers leave unexplained; take as many as it falls for.\n"
          "zero: what the columns still add to the numbers; near 0 if these are sufficient.\n\n",
          out);
    if (given < chosen)
        fprintf(out,
                "Of %s only %d %s distinct: the others are functions of those before them and "
                "are left out.\n\n",
                cli_plural((uint64_t)chosen, "number").text, given, given == 1 ? "is" : "are");
}

static void print_text(const reducing *r)
{
    FILE *out = r->call->out;
    const zf_reduce_summary *s = &r->summary;
    fprintf(out, "Reduced %s to %s for ",
            cli_plural((uint64_t)zf_reduction_inputs(r->model), "column").text,
            cli_plural((uint64_t)zf_reduction_dim(r->model), "number").text);
    for (int k = 0; k < zf_reduction_targets(r->model); k++) {
        fputs(k ? ", " : "", out);
        cli_clean(out, zf_reduction_target(r->model, k));
    }
    fprintf(out, " on %s: %s in %.1f s", cli_plural(r->features.matrix.rows, "row").text,
            cli_plural(s->iterations, "iteration").text, s->seconds);
    if (s->resumed_from > 0) fprintf(out, " (resumed from %s)", cli_count(s->resumed_from).text);
    fputs(".\n\n", out);
    print_criterion(r);
    fprintf(out, "%sModel%s  ", cli_bold(), cli_plain());
    cli_clean(out, r->training.model);
    fputc('\n', out);
    if (r->call->quiet) return;
    fputs("\nNext: zeroflow transform ", out);
    cli_print_path(out, r->training.model);
    fputc(' ', out);
    cli_print_path(out, r->training.data);
    fputs(" -o codes.csv\n", out);
}

static zf_status save(void *model, const char *path)
{
    return zf_reduction_save(model, path);
}

static cli_exit train(reducing *r)
{
    cli_progress progress;
    const zf_matrix *matrix = &r->features.matrix;
    r->wish.report = cli_progress_report(&progress);
    cli_progress_begin(&progress, r->call);
    zf_status status = zf_reduce_fit(&r->model, &r->summary, matrix->values, matrix->rows,
                                     r->features.names, matrix->columns, &r->wish);
    cli_progress_end(&progress);
    bool stopped = status == ZF_EINTERRUPT;
    if (!stopped) CLI_TRY(cli_check(status));
    CLI_TRY(cli_training_save(&r->training, save, r->model));
    if (!stopped) return CLI_DONE;
    return cli_training_interrupted(&r->training, r->summary.iterations, r->wish.iterations,
                                    r->summary.saved);
}

static cli_exit work(reducing *r)
{
    CLI_TRY(understand_dim(r));
    CLI_TRY(cli_training_begin(&r->training, &r->call->values[TRAINING + CLI_SAVING]));
    CLI_TRY(cli_read_features(&r->features, r->call, &r->call->values[FEATURES], r->training.data));
    CLI_TRY(understand_columns(r));
    understand_numbers(r);
    CLI_TRY(train(r));
    if (r->call->json) return print_json(r);
    print_text(r);
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    reducing r = {.call = call,
                  .training = {.call = call,
                               .data = call->arguments[DATA].text,
                               .model = call->values[OUTPUT].text},
                  .wish = zf_reduce_defaults()};
    cli_exit exit = work(&r);
    zf_reduction_free(r.model);
    free(r.targets);
    free(r.inputs);
    cli_features_free(&r.features);
    return exit;
}

const cli_command cli_command_reduce = {
    .name = "reduce",
    .summary = "train a few numbers that tell all that columns know about some others",
    .description =
        "Learns a function of the columns, L numbers a row, that is sufficient for the targets: "
        "who knows these numbers learns nothing more about the targets from the columns. It may be "
        "any function, unlike the directions of classical methods; zeroflow transform computes it "
        "for the rows of a table.\n\n"
        "The numbers are nested: the first is the best one, the first two the best two, and so on. "
        "On rows that were not trained on, a table says what 1, 2, ... L of them are worth, so "
        "that L can be chosen: take as many as the rectified loss falls for. Each has mean 0 and "
        "deviation 1 and is uncorrelated with the others; one that is a function of those before "
        "it is left out. Any invertible map of them is as good, so that neither sign nor shape "
        "means anything.\n\n"
        "Columns that cannot be used and rows that lack a value are left out with a warning, as by "
        "zeroflow fit. Ctrl-C saves the checkpoint, and the model as far as it came, and stops; "
        "--resume goes on from there.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .files = files,
    .defaults = defaults,
    .run = run,
};
