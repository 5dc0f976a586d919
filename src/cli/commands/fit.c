/* zeroflow fit: trains a blanket model on a table. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "feature_input.h"
#include "files.h"
#include "progress.h"
#include "suggest.h"
#include "terminal.h"
#include "text.h"
#include "training.h"
#include "zeroflow/blanket.h"

enum { DATA };
enum {
    OUTPUT,
    GATE,
    TARGETS,
    MARGINS,
    GATE_RATE,
    DECAY,
    ZERO_TIME,
    SPARSITY,
    PRUNING,
    EXPLORATION,
    PAIRS,
    OPEN_GATES,
    FORBID,
    REQUIRE,
    EVIDENCE,
    TRAINING,
    FEATURES = TRAINING + CLI_TRAINING_OPTIONS,
    END = FEATURES + CLI_FEATURE_OPTIONS
};

/* In the order of zf_gate_kind, zf_margins_kind and zf_pairs_rule. */
static const char *const gates[] = {"mlp", "lstm", "cnn", "free", NULL};
static const char *const margins[] = {"standard", "normal-scores", "auto", NULL};
static const char *const pairs[] = {"auto", "on", "off", NULL};
static const char *const evidence[] = {"pairs", "none", NULL};

static const double FDR = 0.1; /* of what is told here; graph and blanket have an option */

static const cli_option arguments[] = {
    [DATA] = {"DATA", .type = CLI_FILE, .help = CLI_TABLE_ARGUMENT_HELP},
    {NULL},
};

static const cli_option options[] = {
    [OUTPUT] = CLI_MODEL_OUTPUT_OPTION,
    [GATE] = {"gate", .type = CLI_CHOICE, .placeholder = "KIND", .choices = gates,
              .help = "The network that gives each target set its gates: mlp for any table; lstm "
                      "if the columns "
                      "have an order, such as time; cnn if they are a square grid, row by row; "
                      "free for a single target set, with --targets FILE."},
    [TARGETS] = {"targets", .type = CLI_TEXT, .placeholder = "LAW", .fallback = "node",
                 .help = "The target sets to train for: node, one feature; neighbours, a feature "
                         "and perhaps those beside it; grid, the same on a square grid; window:K, "
                         "K in a row; bernoulli:P, each feature with probability P; or a file "
                         "with a set of names, between commas, on each line."},
    [MARGINS] = {"marginals", .type = CLI_CHOICE, .placeholder = "KIND", .choices = margins,
                 .help = "What becomes of each column first: standard, mean 0 and deviation 1; "
                         "normal-scores, its ranks as a normal law, which forgets the column's "
                         "own shape and its outliers; auto, normal-scores unless the squares of "
                         "the scores depend on each other more than the scores do, as where one "
                         "column sets the spread of another."},
    [GATE_RATE] = {"gate-rate", .type = CLI_REAL, .placeholder = "F", .least = 1e-6, .most = 1e6,
                   .otherwise = "0.3 with pairs, else 1",
                   .help = "The learning rate of the gate network, in units of the other."},
    [DECAY] = {"decay", .type = CLI_REAL, .placeholder = "W", .least = 0, .most = 1000,
               .otherwise = "600 / rows, at most 3",
               .help = "Weight decay of the velocity field: more keeps it from learning the rows "
                       "by heart."},
    [ZERO_TIME] = {"zero-time", .type = CLI_TEXT, .placeholder = "LAW", .fallback = "midpoint",
                   .help = "Where the zero-flow term looks at the flow: midpoint, at t = 0.5; "
                           "omega:B, at a time drawn from exp(-|t - 0.5| / B); literal:B, at the "
                           "time of the other term, weighted by that."},
    [SPARSITY] =
        {"sparsity", .type = CLI_REAL, .placeholder = "W", .least = 0, .most = 1e6,
         .otherwise = "0 for cnn, else 1e-9",
         .help = "Weight of the sum of all gates. A little closes gates that nothing needs; too "
                 "much closes all of them. Change it by factors of 10."},
    [PRUNING] = {"pruning", .type = CLI_REAL, .placeholder = "W", .least = 0, .most = 1e6,
                 .otherwise = "0.12 for cnn; 0 to 0.03 for mlp, by the data; else 0",
                 .help = "What an open gate costs halfway through training, beside a target's "
                         "squared error. It closes gates that the field has no use for; "
                         "those that it needs open again before the end."},
    [EXPLORATION] = {"exploration", .type = CLI_REAL, .placeholder = "P", .least = 0, .most = 1,
                     .otherwise = "0.05 for mlp from 20 columns on, by the data; else 0",
                     .help = "Share of the gates that the field is shown open, whatever they "
                             "are, in the first six tenths of training. A gate that closed before "
                             "the field knew its use can then open again."},
    [PAIRS] = {"pairs", .type = CLI_CHOICE, .placeholder = "RULE", .choices = pairs,
               .help = "Whether MLP gates also learn a number for each pair of columns: on; off; "
                       "auto, on for up to 512 columns unless the targets tell of an order, or the "
                       "sizes of values of more than their ranks do."},
    [OPEN_GATES] = {"open-gates", .type = CLI_WHOLE, .placeholder = "N", .most = 1000000000,
                    .help = "First training steps in which every gate is open."},
    [FORBID] = {"forbid", .type = CLI_FILE, .placeholder = "FILE",
                .help = "A list of edges, CSV with the header source,target: neither is ever in "
                        "the other's blanket."},
    [REQUIRE] = {"require", .type = CLI_FILE, .placeholder = "FILE",
                 .help = "A list of edges, as above: each is always in the other's blanket."},
    [EVIDENCE] = {"evidence", .type = CLI_CHOICE, .placeholder = "KIND", .choices = evidence,
                  .fallback = "pairs",
                  .help =
                      "What decides on members of blankets and on edges: pairs, a test of every "
                      "pair of columns given what else matters, kept in the model; none, "
                      "nothing is decided and gates are all there is."},
    CLI_TRAINING_OPTION_LIST(TRAINING),
    CLI_FEATURE_OPTION_LIST(FEATURES),
    [END] = {NULL},
};

static const cli_example examples[] = {
    {"zeroflow fit cells.csv -o cells.model --iterations 500",
     "The blankets of every column of a table; a short run."},
    {"zeroflow fit cells.csv -o cells.model --gate lstm --targets window:2 --iterations 50",
     "Columns in an order, and pairs of neighbours as targets."},
    {NULL},
};

static const char *const files[] = {
    "MODEL.checkpoint",
    "Where fit stood when it was saved last: the model and the state of the optimiser.",
    NULL,
};

static void defaults(cli_value *values)
{
    zf_fit_options standard = zf_fit_defaults();
    cli_value *training = values + TRAINING;
    cli_default_word(&values[GATE], gates[standard.gate]);
    cli_default_word(&values[MARGINS], margins[standard.margins]);
    cli_default_word(&values[PAIRS], pairs[standard.pairs]);
    cli_default_whole(&values[OPEN_GATES], standard.open_gates);
    cli_default_whole(&training[CLI_ITERATIONS], standard.iterations);
    cli_default_whole(&training[CLI_BATCH], (uint64_t)standard.batch);
    cli_default_real(&training[CLI_RATE], standard.rate);
    cli_default_real(&training[CLI_ZERO_WEIGHT], standard.zero_weight);
    cli_default_word(&training[CLI_CRITERION], cli_criteria[standard.criterion]);
    cli_default_whole(&training[CLI_HIDDEN], (uint64_t)standard.hidden);
    cli_default_whole(&training[CLI_SAVING + CLI_EVERY], standard.every);
}

/* One run: what was asked for and what it holds. */
typedef struct fitting {
    const cli_call *call;
    cli_training training;
    cli_features features;
    zf_fit_options wish;
    zf_target_sets sets;
    zf_constraint *constraints;
    zf_fit_summary summary;
    bool weighed; /* the model holds evidence */
    size_t edges; /* at a false discovery rate of FDR */
    size_t rows_needed;
    double evidence_seconds;
} fitting;

/* --- what was asked for ------------------------------------------------------------ */

/* The text after "NAME:", or NULL. */
static const char *after(const char *text, const char *name)
{
    size_t n = strlen(name);
    return strncmp(text, name, n) == 0 && text[n] == ':' ? text + n + 1 : NULL;
}

static cli_exit not_a_law(const char *text)
{
    static const char *const laws[] = {"node", "neighbours", "grid", "window:K", "bernoulli:P"};
    cli_suggestion near = {.word = text};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) cli_consider(&near, laws[i]);
    return cli_fail(CLI_USAGE,
                    "option --targets: expected node, neighbours, grid, window:K, bernoulli:P or "
                    "a file, found \"%s\"%s%s%s",
                    text, near.best ? "; did you mean " : "", near.best ? near.best : "",
                    near.best ? "?" : "");
}

/* A law that is a word, with its number if it has one. */
static cli_exit understand_law(fitting *f, const char *text, bool *is_law)
{
    static const char *const names[] = {[ZF_TARGET_NODE] = "node",
                                        [ZF_TARGET_NEIGHBOURS] = "neighbours",
                                        [ZF_TARGET_GRID] = "grid"};
    const char *size = after(text, "window"), *probability = after(text, "bernoulli");
    char *end = NULL;
    *is_law = true;
    for (int law = 0; law <= ZF_TARGET_GRID; law++) {
        if (strcmp(text, names[law]) != 0) continue;
        f->wish.targets = (zf_target_law)law;
        return CLI_DONE;
    }
    if (size) {
        long k = strtol(size, &end, 10);
        if (end == size || *end || k < 1 || k > 1 << 20)
            return cli_fail(CLI_USAGE,
                            "option --targets: expected a whole number after window:, found \"%s\"",
                            size);
        f->wish.targets = ZF_TARGET_WINDOW;
        f->wish.size = (int)k;
    } else if (probability) {
        double p = strtod(probability, &end);
        if (end == probability || *end || !(p > 0 && p < 1))
            return cli_fail(CLI_USAGE,
                            "option --targets: expected a number between 0 and 1 after bernoulli:, "
                            "found \"%s\"",
                            probability);
        f->wish.targets = ZF_TARGET_BERNOULLI;
        f->wish.probability = p;
    } else {
        *is_law = false;
    }
    return CLI_DONE;
}

static cli_exit understand_targets(fitting *f)
{
    const char *text = f->call->values[TARGETS].text;
    bool is_law;
    CLI_TRY(understand_law(f, text, &is_law));
    if (is_law) return CLI_DONE;
    if (access(text, F_OK) != 0 && !strchr(text, '/') && !strchr(text, '.')) return not_a_law(text);
    CLI_TRY(cli_reads(f->call, "--targets", text));
    CLI_TRY(cli_check(
        zf_target_sets_read(&f->sets, text, f->features.names, f->features.matrix.columns)));
    f->wish.targets = ZF_TARGET_SETS;
    f->wish.sets = f->sets;
    return CLI_DONE;
}

static cli_exit understand_zero_time(fitting *f)
{
    const char *text = f->call->values[ZERO_TIME].text;
    const char *omega = after(text, "omega"), *literal = after(text, "literal");
    const char *width = omega ? omega : literal;
    char *end = NULL;
    if (strcmp(text, "midpoint") == 0) return CLI_DONE;
    double b = width ? strtod(width, &end) : 0;
    if (!width || end == width || *end || !(b > 0 && b <= 1))
        return cli_fail(CLI_USAGE,
                        "option --zero-time: expected midpoint, omega:B or literal:B with B above "
                        "0 and at most 1, found \"%s\"",
                        text);
    f->wish.zero_time = omega ? ZF_ZERO_OMEGA : ZF_ZERO_LITERAL;
    f->wish.zero_width = b;
    return CLI_DONE;
}

static cli_exit understand_constraints(fitting *f)
{
    return cli_check(zf_constraints_read(
        &f->constraints, &f->wish.n_constraints, f->call->values[FORBID].text,
        f->call->values[REQUIRE].text, f->features.names, f->features.matrix.columns));
}

static void understand_numbers(fitting *f)
{
    const cli_value *values = f->call->values, *training = values + TRAINING;
    zf_fit_options *wish = &f->wish;
    wish->gate = (zf_gate_kind)cli_place_of(values[GATE].text, gates);
    wish->margins = (zf_margins_kind)cli_place_of(values[MARGINS].text, margins);
    if (values[GATE_RATE].set) wish->gate_rate = values[GATE_RATE].real;
    if (values[DECAY].set) wish->decay = values[DECAY].real;
    if (values[SPARSITY].set) wish->sparsity = values[SPARSITY].real;
    if (values[PRUNING].set) wish->pruning = values[PRUNING].real;
    if (values[EXPLORATION].set) wish->exploration = values[EXPLORATION].real;
    wish->pairs = (zf_pairs_rule)cli_place_of(values[PAIRS].text, pairs);
    wish->open_gates = values[OPEN_GATES].whole;
    wish->iterations = training[CLI_ITERATIONS].whole;
    wish->batch = (int)training[CLI_BATCH].whole;
    wish->rate = training[CLI_RATE].real;
    wish->zero_weight = training[CLI_ZERO_WEIGHT].real;
    wish->criterion = (zf_zero_criterion)cli_place_of(training[CLI_CRITERION].text, cli_criteria);
    wish->hidden = (int)training[CLI_HIDDEN].whole;
    wish->seed = f->call->seed;
    wish->threads = f->call->threads;
    wish->checkpoint = f->training.checkpoint;
    wish->every = training[CLI_SAVING + CLI_EVERY].whole;
    wish->resume = training[CLI_SAVING + CLI_RESUME].flag;
}

/* --- what came out ------------------------------------------------------------------ */

static json_t *evidence_json(const fitting *f)
{
    if (!f->weighed) return json_null();
    size_t n = f->features.matrix.columns;
    return json_pack("{s:I s:I s:f s:I s:o}", "pairs", (json_int_t)(n * (n - 1) / 2), "edges",
                     (json_int_t)f->edges, "fdr", FDR, "rows_needed", (json_int_t)f->rows_needed,
                     "seconds", cli_json_number(f->evidence_seconds));
}

static cli_exit print_json(const fitting *f)
{
    const zf_fit_summary *s = &f->summary;
    const zf_matrix *matrix = &f->features.matrix;
    const cli_value *values = f->call->values;
    json_t *object = json_pack(
        "{s:o s:I s:o s:o s:o s:o s:o s:I s:I s:I s:I s:o s:s s:o s:s s:I s:o s:o}", "model",
        cli_json_text(f->training.model), "iterations", (json_int_t)s->iterations, "seconds",
        cli_json_number(s->seconds), "loss", cli_json_number(s->loss), "rectified",
        cli_json_number(s->rectified), "zero", cli_json_number(s->zero), "mean_gate",
        cli_json_number(s->mean_gate), "resumed_from", (json_int_t)s->resumed_from, "rows",
        (json_int_t)matrix->rows, "rows_dropped", (json_int_t)matrix->dropped, "features",
        (json_int_t)matrix->columns, "dropped", cli_features_dropped(&f->features), "gate",
        values[GATE].text, "targets", cli_json_text(values[TARGETS].text), "margins",
        margins[s->options.margins], "seed", (json_int_t)f->call->seed, "checkpoint",
        cli_json_text(f->training.checkpoint), "evidence", evidence_json(f));
    return cli_print_json(f->call, object);
}

/* Free gates answer for their one target set, which is not written out here. */
static void print_next(const fitting *f)
{
    FILE *out = f->call->out;
    bool fixed = f->wish.gate == ZF_GATE_FREE;
    fputs("\nNext: zeroflow blanket ", out);
    cli_print_path(out, f->training.model);
    fputs(" --target", out);
    if (fixed) {
        fputs(" NAMES, those of the target set\n", out);
        return;
    }
    fputc(f->features.names[0][0] == '-' ? '=' : ' ', out); /* else it might be an option */
    cli_print_word(out, f->features.names[0]);
    fputs("\n      zeroflow graph ", out);
    cli_print_path(out, f->training.model);
    fputs(" -o graph.csv\n", out);
}

static void print_evidence(const fitting *f)
{
    FILE *out = f->call->out;
    size_t n = f->features.matrix.columns;
    if (!f->weighed) return;
    fprintf(out, "%sEvidence%s  ", cli_bold(), cli_plain());
    if (f->edges)
        fprintf(out, "%s of %s are edges at a false discovery rate of %g (%.1f s)\n\n",
                cli_count(f->edges).text, cli_plural(n * (n - 1) / 2, "pair").text, FDR,
                f->evidence_seconds);
    else
        fprintf(out,
                "no edge at a false discovery rate of %g: these rows do not tell any pair from "
                "chance.\nAn edge as strong as the strongest sign of one would take about %s.\n\n",
                FDR, cli_plural(f->rows_needed, "row").text);
}

static void print_text(const fitting *f)
{
    FILE *out = f->call->out;
    const zf_fit_summary *s = &f->summary;
    const zf_matrix *matrix = &f->features.matrix;
    const cli_value *values = f->call->values;
    fprintf(out, "Fitted blankets of %s on %s: %s in %.1f s", /* the plurals share no storage */
            cli_plural(matrix->columns, "feature").text, cli_plural(matrix->rows, "row").text,
            cli_plural(s->iterations, "iteration").text, s->seconds);
    if (s->resumed_from > 0) fprintf(out, " (resumed from %s)", cli_count(s->resumed_from).text);
    fprintf(out, "\nwith gate %s, targets ", values[GATE].text);
    cli_clean(out, values[TARGETS].text);
    fprintf(out, ", margins %s%s.\n\n", margins[s->options.margins],
            f->wish.margins == ZF_MARGINS_AUTO ? " (chosen from the data)" : "");
    fprintf(out, "  %sloss%s       %9.4f\n", cli_bold(), cli_plain(), s->loss);
    fprintf(out, "  rectified  %9.4f   how well targets are predicted; less is better\n",
            s->rectified);
    fprintf(out, "  zero       %9.4f   how far the flow is from zero halfway\n", s->zero);
    fprintf(out, "  mean gate  %9.4f   about %.1f of %zu features in a blanket\n\n", s->mean_gate,
            s->mean_gate * (double)matrix->columns, matrix->columns);
    print_evidence(f);
    fprintf(out, "%sModel%s  ", cli_bold(), cli_plain());
    cli_clean(out, f->training.model);
    fputc('\n', out);
    if (!f->call->quiet) print_next(f);
}

/* Evidence, if it is asked for and the rows allow. */
static zf_status weigh(fitting *f, zf_blanket *model, cli_progress *progress)
{
    const zf_matrix *matrix = &f->features.matrix;
    zf_evidence_options wish = zf_evidence_defaults();
    if (strcmp(f->call->values[EVIDENCE].text, "none") == 0) return ZF_OK;
    if (matrix->rows < ZF_EVIDENCE_ROWS_LEAST) {
        cli_warn(f->call,
                 "%s, fewer than the %d that evidence needs: gates are given, and nothing "
                 "is decided",
                 cli_plural(matrix->rows, "row").text, ZF_EVIDENCE_ROWS_LEAST);
        return ZF_OK;
    }
    wish.threads = f->call->threads;
    wish.report = cli_progress_report(progress);
    cli_progress_stage(progress, "evidence");
    zf_status status = zf_blanket_weigh(model, matrix->values, matrix->rows, &wish);
    if (status != ZF_OK) return status;
    const zf_evidence *found = zf_blanket_evidence(model);
    f->weighed = true;
    f->edges = zf_evidence_edges(found, FDR);
    f->rows_needed = zf_evidence_rows_needed(found, FDR);
    f->evidence_seconds = zf_evidence_seconds(found);
    return ZF_OK;
}

static zf_status save(void *model, const char *path)
{
    return zf_blanket_save(model, path);
}

static cli_exit train(fitting *f)
{
    zf_blanket *model = NULL;
    cli_progress progress;
    const zf_matrix *matrix = &f->features.matrix;
    f->wish.report = cli_progress_report(&progress);
    cli_progress_begin(&progress, f->call);
    zf_status status = zf_blanket_fit(&model, &f->summary, matrix->values, matrix->rows,
                                      f->features.names, matrix->columns, &f->wish);
    if (status == ZF_OK) status = weigh(f, model, &progress);
    cli_progress_end(&progress);
    bool stopped = status == ZF_EINTERRUPT;
    cli_exit exit = stopped ? CLI_DONE : cli_check(status);
    if (exit == CLI_DONE) exit = cli_training_save(&f->training, save, model);
    zf_blanket_free(model);
    if (exit != CLI_DONE || !stopped) return exit;
    return cli_training_interrupted(&f->training, f->summary.iterations, f->wish.iterations,
                                    f->summary.saved);
}

static cli_exit work(fitting *f)
{
    CLI_TRY(cli_training_begin(&f->training, &f->call->values[TRAINING + CLI_SAVING]));
    CLI_TRY(cli_read_features(&f->features, f->call, &f->call->values[FEATURES], f->training.data));
    cli_features_doubt(&f->features, f->call);
    understand_numbers(f);
    CLI_TRY(understand_zero_time(f));
    CLI_TRY(understand_targets(f));
    CLI_TRY(understand_constraints(f));
    f->wish.constraints = f->constraints;
    CLI_TRY(train(f));
    if (f->call->json) return print_json(f);
    print_text(f);
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    fitting f = {.call = call,
                 .training = {.call = call,
                              .data = call->arguments[DATA].text,
                              .model = call->values[OUTPUT].text},
                 .wish = zf_fit_defaults()};
    cli_exit exit = work(&f);
    zf_target_sets_free(&f.sets);
    free(f.constraints);
    cli_features_free(&f.features);
    return exit;
}

const cli_command cli_command_fit = {
    .name = "fit",
    .summary = "train a model that knows the Markov blanket of any set of features",
    .description =
        "Learns from the rows of a table which columns are needed to predict which others, with "
        "one network for all target sets; zeroflow blanket and zeroflow graph ask the model "
        "afterwards.\n\n"
        "Columns that cannot be used (text, dates, constants, copies of others; see zeroflow "
        "check) are left out with a warning, and so are rows that lack a value. A column that is "
        "linear in others is used, with a warning.\n\n"
        "Training is saved now and then. Ctrl-C saves the checkpoint, and the model as far as it "
        "came, and stops; --resume goes on from there.",
    .arguments = arguments,
    .options = options,
    .examples = examples,
    .files = files,
    .defaults = defaults,
    .run = run,
};
