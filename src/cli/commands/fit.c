/* zeroflow fit: trains a blanket model on a table. */
#include <stdlib.h>
#include <string.h>

#include "fdr.h"
#include "fit_laws.h"
#include "fit_report.h"
#include "progress.h"
#include "terminal.h"
#include "text.h"
#include "training.h"
#include "unit_input.h"
#include "zeroflow/blanket.h"

enum { DATA };
enum {
    OUTPUT,
    GATE,
    TARGETS,
    MARGINALS,
    GATE_RATE,
    DECAY,
    ZERO_TIME,
    SPARSITY,
    PRUNING,
    EXPLORATION,
    PAIRS,
    OPEN_GATES,
    HELD_OUT,
    LAST_TIME,
    FORBID,
    REQUIRE,
    EVIDENCE,
    FDR,
    UNITS,
    TRAINING = UNITS + CLI_UNIT_OPTIONS,
    FEATURES = TRAINING + CLI_TRAINING_OPTIONS,
    END = FEATURES + CLI_FEATURE_OPTIONS
};

/* In the order of zf_gate_kind, zf_marginals_kind and zf_pairs_rule. */
static const char *const gates[] = {"mlp", "lstm", "cnn", "free", NULL};
static const char *const marginals[] = {"standard", "normal-scores", "auto", NULL};
static const char *const pairs[] = {"auto", "on", "off", NULL};
static const char *const evidence[] = {"pairs", "stability", "none", NULL};

static const double STABLE = 0.75; /* the share of half samples that is told of here */

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
    [MARGINALS] = {"marginals", .type = CLI_CHOICE, .placeholder = "KIND", .choices = marginals,
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
                     .otherwise = "0.05 for mlp from 20 columns on, else 0",
                     .help = "Share of the gates that the field is shown open, whatever they "
                             "are, in the first six tenths of training. A gate that closed before "
                             "the field knew its use can then open again."},
    [PAIRS] = {"pairs", .type = CLI_CHOICE, .placeholder = "RULE", .choices = pairs,
               .help = "Whether MLP gates also learn a number for each pair of columns: on; off; "
                       "auto, on for up to 512 columns unless the targets tell of an order."},
    [OPEN_GATES] = {"open-gates", .type = CLI_WHOLE, .placeholder = "N", .most = 1000000000,
                    .otherwise = "a tenth of the iterations with pairs of up to 30 columns, else 0",
                    .help = "First training steps in which every gate is open."},
    [HELD_OUT] = {"held-out", .type = CLI_REAL, .placeholder = "S", .least = 0, .most = 0.9,
                  .otherwise = "0.1 from 200 rows on, else 0",
                  .help = "Share of the rows that training does not see, to tell how well targets "
                          "are predicted on new rows. Evidence uses every row."},
    [LAST_TIME] = {"last-time", .type = CLI_REAL, .placeholder = "T", .least = 0.5, .most = 1,
                   .otherwise = "0.6 for mlp where order leads, else 1",
                   .help = "The flow is trained at times from 0 to T. Gates learn most from early "
                           "times, of which a smaller T has more."},
    [FORBID] = {"forbid", .type = CLI_FILE, .placeholder = "FILE",
                .help = "A list of edges, CSV with the header source,target: neither is ever in "
                        "the other's blanket."},
    [REQUIRE] = {"require", .type = CLI_FILE, .placeholder = "FILE",
                 .help = "A list of edges, as above: each is always in the other's blanket."},
    [EVIDENCE] =
        {"evidence", .type = CLI_CHOICE, .placeholder = "KIND", .choices = evidence,
         .fallback = "pairs",
         .help = "What decides on members of blankets and on edges: pairs, a test of every "
                 "pair of columns given what else matters, kept in the model; stability, "
                 "the same, and in which share of 50 half samples a pair is an edge, which "
                 "takes 10 to 25 times as long; none, nothing is decided and gates are all there "
                 "is."},
    [FDR] = {CLI_FDR_OPTION, .fallback = "0.1",
             .help = "The false discovery rate at which edges are counted here and in half "
                     "samples. zeroflow blanket and zeroflow graph have one of their own."},
    CLI_UNIT_OPTION_LIST(UNITS, " by the evidence, and each is kept in one half"),
    CLI_TRAINING_OPTION_LIST(TRAINING, "by the gates and the table, 1000 to 5000",
                             "0.002 in 5000 iterations, up to 0.004 in fewer", "128"),
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
    cli_default_word(&values[MARGINALS], marginals[standard.marginals]);
    cli_default_word(&values[PAIRS], pairs[standard.pairs]);
    cli_default_whole(&training[CLI_BATCH], (uint64_t)standard.batch);
    cli_default_real(&training[CLI_ZERO_WEIGHT], standard.zero_weight);
    cli_default_word(&training[CLI_CRITERION], cli_criteria[standard.criterion]);
    cli_default_whole(&training[CLI_SAVING + CLI_EVERY], standard.every);
}

/* Whether this kind of evidence was asked for. */
static bool asks_for(const cli_call *call, const char *kind)
{
    return strcmp(call->values[EVIDENCE].text, kind) == 0;
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
    size_t units; /* rows, groups or blocks that are independent */
    size_t edges; /* at the false discovery rate of --fdr */
    size_t rows_needed;
    double evidence_seconds;
    zf_stability stability; /* of STABLE; half_samples 0: there is none */
} fitting;

/* --- what was asked for ------------------------------------------------------------ */

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
    wish->marginals = (zf_marginals_kind)cli_place_of(values[MARGINALS].text, marginals);
    if (values[GATE_RATE].set) wish->gate_rate = values[GATE_RATE].real;
    if (values[DECAY].set) wish->decay = values[DECAY].real;
    if (values[SPARSITY].set) wish->sparsity = values[SPARSITY].real;
    if (values[PRUNING].set) wish->pruning = values[PRUNING].real;
    if (values[EXPLORATION].set) wish->exploration = values[EXPLORATION].real;
    wish->pairs = (zf_pairs_rule)cli_place_of(values[PAIRS].text, pairs);
    if (values[OPEN_GATES].set) wish->open_gates = (int64_t)values[OPEN_GATES].whole;
    wish->held_out = values[HELD_OUT].set ? values[HELD_OUT].real : -1;
    wish->groups = f->features.matrix.groups;
    wish->block = cli_units_block(&f->call->values[UNITS]);
    wish->last_time = values[LAST_TIME].set ? values[LAST_TIME].real : 0;
    if (training[CLI_ITERATIONS].set) wish->iterations = training[CLI_ITERATIONS].whole;
    wish->batch = (int)training[CLI_BATCH].whole;
    if (training[CLI_RATE].set) wish->rate = training[CLI_RATE].real;
    wish->zero_weight = training[CLI_ZERO_WEIGHT].real;
    wish->criterion = (zf_zero_criterion)cli_place_of(training[CLI_CRITERION].text, cli_criteria);
    if (training[CLI_HIDDEN].set) wish->hidden = (int)training[CLI_HIDDEN].whole;
    wish->seed = f->call->seed;
    wish->threads = f->call->threads;
    wish->checkpoint = f->training.checkpoint;
    wish->every = training[CLI_SAVING + CLI_EVERY].whole;
    wish->resume = training[CLI_SAVING + CLI_RESUME].flag;
}

/* --- what came out ------------------------------------------------------------------ */

static double fdr_of(const fitting *f)
{
    return f->call->values[FDR].real;
}

static json_t *stability_json(const zf_stability *s)
{
    if (s->half_samples == 0) return json_null();
    return json_pack("{s:i s:o s:I s:o s:o s:o}", "half_samples", s->half_samples, "share",
                     cli_json_number(STABLE), "edges", (json_int_t)s->edges, "chosen",
                     cli_json_number(s->chosen), "false_worst", cli_json_number(s->false_worst),
                     "false_concave", cli_json_number(s->false_concave));
}

static cli_fit_report report_of(const fitting *f)
{
    return (cli_fit_report){.call = f->call, .asked = &f->wish, .summary = &f->summary};
}

static json_t *evidence_json(const fitting *f)
{
    if (!f->weighed) return json_null();
    size_t n = f->features.matrix.columns;
    return json_pack("{s:I s:I s:I s:o s:I s:o s:o}", "units", (json_int_t)f->units, "pairs",
                     (json_int_t)(n * (n - 1) / 2), "edges", (json_int_t)f->edges, "fdr",
                     cli_json_number(fdr_of(f)), "rows_needed", (json_int_t)f->rows_needed,
                     "seconds", cli_json_number(f->evidence_seconds), "stability",
                     stability_json(&f->stability));
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
        marginals[s->options.marginals], "seed", (json_int_t)f->call->seed, "checkpoint",
        cli_json_text(f->training.checkpoint), "evidence", evidence_json(f));
    cli_fit_report report = report_of(f);
    return cli_print_json(f->call, cli_fit_add_json(object, &report));
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

static void print_stability(const fitting *f)
{
    const zf_stability *s = &f->stability;
    if (s->half_samples == 0) return;
    fprintf(f->call->out,
            "%sStability%s  %s in %.0f %% or more of %d half samples; of these, expect at most\n"
            "%.2g to be false (%.2g in the worst case)\n\n",
            cli_bold(), cli_plain(), cli_plural(s->edges, "edge").text, 100 * STABLE,
            s->half_samples, s->false_concave, s->false_worst);
}

static void print_evidence(const fitting *f)
{
    FILE *out = f->call->out;
    size_t n = f->features.matrix.columns;
    if (!f->weighed) return;
    fprintf(out, "%sEvidence%s  ", cli_bold(), cli_plain());
    if (f->edges)
        fprintf(out, "%s of %s %s at a false discovery rate of %g%s (%.1f s)\n\n",
                cli_count(f->edges).text, cli_plural(n * (n - 1) / 2, "pair").text,
                f->edges == 1 ? "is an edge" : "are edges", fdr_of(f),
                f->wish.n_constraints ? ",\nwith those required and without those forbidden" : "",
                f->evidence_seconds);
    else if (f->rows_needed)
        fprintf(out,
                "no edge at a false discovery rate of %g: these rows do not tell any pair from "
                "chance.\nAn edge as strong as the strongest sign of one would take about %s.\n\n",
                fdr_of(f), cli_plural(f->rows_needed, "row").text);
    else
        fputs("no edge: those that the evidence supports were forbidden\n\n", out);
    print_stability(f);
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
    fprintf(out, ", marginals %s.\n\n", marginals[s->options.marginals]);
    cli_fit_report report = report_of(f);
    cli_fit_print(&report);
    print_evidence(f);
    fprintf(out, "%sModel%s  ", cli_bold(), cli_plain());
    cli_clean(out, f->training.model);
    fputc('\n', out);
    if (!f->call->quiet) print_next(f);
}

static void understand_rows(zf_evidence_options *wish, const fitting *f)
{
    wish->fdr = fdr_of(f);
    wish->seed = f->call->seed;
    wish->threads = f->call->threads;
    wish->groups = f->features.matrix.groups;
    wish->block = cli_units_block(&f->call->values[UNITS]);
}

static void understand_halves(zf_evidence_options *wish, const fitting *f, size_t units)
{
    enum { NEEDED = 2 * ZF_EVIDENCE_ROWS_LEAST };
    if (!asks_for(f->call, "stability")) return;
    if (units >= NEEDED)
        wish->half_samples = ZF_HALF_SAMPLES;
    else
        cli_warn(f->call,
                 "%s, fewer than the %d that half samples of %d need: pairs are tested, and their "
                 "stability is not measured",
                 cli_units_text(&f->call->values[UNITS], units).text, NEEDED,
                 ZF_EVIDENCE_ROWS_LEAST);
}

/* Rows matter to evidence, and copies also to the loss on rows that are held out. */
static cli_exit doubt_rows(const fitting *f)
{
    const cli_value *values = f->call->values;
    bool tests = !asks_for(f->call, "none");
    if (!tests && values[HELD_OUT].given && !(values[HELD_OUT].real > 0)) return CLI_DONE;
    return cli_units_doubt(f->call, &values[UNITS], &f->features.matrix, tests);
}

static void warn_of_few(const fitting *f, size_t units)
{
    size_t most = f->features.matrix.rows / ZF_EVIDENCE_ROWS_LEAST;
    bool shorter = f->call->values[UNITS + CLI_BLOCKS].given && most > 1;
    cli_warn(f->call,
             "%s, fewer than the %d that evidence needs: gates are given, and nothing is decided%s",
             cli_units_text(&f->call->values[UNITS], units).text, ZF_EVIDENCE_ROWS_LEAST,
             cli_units_advice("; there are enough up to", shorter ? most : 0, "").text);
}

static zf_status weigh(fitting *f, zf_blanket *model, cli_progress *progress)
{
    const zf_matrix *matrix = &f->features.matrix;
    zf_evidence_options wish = zf_evidence_defaults();
    size_t units = 0;
    if (asks_for(f->call, "none")) return ZF_OK;
    understand_rows(&wish, f);
    zf_status status = zf_evidence_count(&units, matrix->rows, &wish);
    if (status != ZF_OK) return status;
    if (units < ZF_EVIDENCE_ROWS_LEAST) {
        warn_of_few(f, units);
        return ZF_OK;
    }
    understand_halves(&wish, f, units);
    wish.report = cli_progress_report(progress);
    cli_progress_stage(progress, "evidence");
    status = zf_blanket_weigh(model, matrix->values, matrix->rows, &wish);
    if (status != ZF_OK) return status;
    const zf_evidence *found = zf_blanket_evidence(model);
    f->weighed = true;
    f->units = units;
    f->edges = zf_blanket_edges(model, fdr_of(f));
    f->rows_needed = zf_evidence_rows_needed(found, fdr_of(f));
    f->evidence_seconds = zf_evidence_seconds(found);
    zf_evidence_stability(&f->stability, found, STABLE);
    return ZF_OK;
}

static zf_status save(void *model, const char *path)
{
    return zf_blanket_save(model, path);
}

/* Fits, then weighs. A failure of the evidence costs the evidence alone: the model is kept, with
   its gates, and *exit is what is wrong. */
static zf_status fit_and_weigh(fitting *f, zf_blanket **model, cli_exit *exit)
{
    cli_progress progress;
    const zf_matrix *matrix = &f->features.matrix;
    f->wish.report = cli_progress_report(&progress);
    cli_progress_begin(&progress, f->call);
    zf_status status = zf_blanket_fit(model, &f->summary, matrix->values, matrix->rows,
                                      f->features.names, matrix->columns, &f->wish);
    bool fitted = status == ZF_OK;
    if (fitted) status = weigh(f, *model, &progress);
    cli_progress_end(&progress);
    if (status == ZF_OK || status == ZF_EINTERRUPT) return status;
    *exit = cli_check(status);
    if (fitted)
        cli_fail(*exit, "%s; %s is saved with gates and without evidence", zf_error(),
                 f->training.model);
    return status;
}

static cli_exit train(fitting *f)
{
    zf_blanket *model = NULL;
    cli_exit exit = CLI_DONE;
    zf_status status = fit_and_weigh(f, &model, &exit);
    if (model) {
        cli_exit saved = cli_training_save(&f->training, save, model);
        if (saved != CLI_DONE) exit = saved;
    }
    zf_blanket_free(model);
    if (exit != CLI_DONE || status != ZF_EINTERRUPT) return exit;
    return cli_training_interrupted(&f->training, f->summary.iterations,
                                    f->summary.options.iterations, f->summary.saved);
}

static cli_exit work(fitting *f)
{
    CLI_TRY(cli_training_begin(&f->training, &f->call->values[TRAINING + CLI_SAVING]));
    CLI_TRY(cli_units_check(&f->call->values[UNITS]));
    CLI_TRY(cli_read_grouped(&f->features, f->call, &f->call->values[FEATURES],
                             f->call->values[UNITS + CLI_GROUPS].text, f->training.data));
    cli_features_doubt(&f->features, f->call);
    CLI_TRY(doubt_rows(f));
    understand_numbers(f);
    CLI_TRY(cli_fit_zero_time(&f->wish, f->call->values[ZERO_TIME].text));
    CLI_TRY(
        cli_fit_targets(&f->wish, &f->sets, f->call, f->call->values[TARGETS].text, &f->features));
    CLI_TRY(understand_constraints(f));
    f->wish.constraints = f->constraints;
    CLI_TRY(train(f));
    cli_fit_report report = report_of(f);
    cli_fit_doubt(&report, !f->weighed ? CLI_NOT_WEIGHED : f->edges ? CLI_EDGES : CLI_NO_EDGE);
    if (f->call->json) return print_json(f);
    print_text(f);
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    fitting f = {.call = call,
                 .training = {.call = call,
                              .data = call->arguments[DATA].text,
                              .model = call->values[OUTPUT].text,
                              .lacks = asks_for(call, "none") ? NULL : "evidence"},
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
