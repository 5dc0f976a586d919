#include "job/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "job/answer.h"
#include "job/fit_laws.h"
#include "job/membership.h"
#include "job/training.h"

static const double SATURATED = 0.9; /* a mean gate from which on nothing is selected */

/* In the order of zf_gate_kind, zf_marginals_kind, zf_pairs_rule and zf_fit_evidence. */
const char *const zf_fit_gates[] = {"mlp", "lstm", "cnn", "free", NULL};
const char *const zf_fit_marginals[] = {"standard", "normal-scores", "auto", NULL};
static const char *const pairs[] = {"auto", "on", "off", NULL};
static const char *const evidence[] = {"pairs", "stability", "none", NULL};

static const zf_option arguments[] = {
    {"DATA", .type = ZF_OPTION_FILE, ZF_FIELD(zf_fit_values, data), .help = ZF_TABLE_HELP},
    {NULL},
};

static const zf_option options[] = {
    ZF_MODEL_OUTPUT_ROW(zf_fit_values, output),
    {"gate", ZF_FIELD(zf_fit_values, fit.gate), .type = ZF_OPTION_CHOICE, .placeholder = "KIND",
     .choices = zf_fit_gates,
     .help = "Network that computes the gates of a target set: mlp for any table; lstm if the "
             "columns have an order, such as time; cnn if they form a square grid, stored row by "
             "row; free for a single target set given by {targets} FILE."},
    {"targets", ZF_FIELD(zf_fit_values, targets), .type = ZF_OPTION_TEXT, .placeholder = "SETS",
     .fallback = "node",
     .help = "Target sets to train on: node, single variables; neighbours, a variable and "
             "possibly some next to it; grid, the same on a square grid; window:K, K variables in "
             "a row; bernoulli:P, each variable with probability P; or a file with one set of "
             "names per line, separated by commas."},
    {"marginals", ZF_FIELD(zf_fit_values, fit.marginals), .type = ZF_OPTION_CHOICE,
     .placeholder = "KIND", .choices = zf_fit_marginals,
     .help = "How each column is transformed first: standard, to mean 0 and deviation 1; "
             "normal-scores, by its ranks to a normal distribution, which removes its shape and "
             "outliers; auto, normal-scores unless the squares of the scores are more dependent "
             "than the scores, as when one column sets the spread of another."},
    {"gate-rate", ZF_FIELD(zf_fit_values, fit.gate_rate), .type = ZF_OPTION_REAL,
     .placeholder = "F", .least = 1e-6, .most = 1e6, .otherwise = "0.3 with pairs, else 1",
     .help = "Learning rate of the gate network, as a multiple of {rate}."},
    {"decay", ZF_FIELD(zf_fit_values, fit.decay), .type = ZF_OPTION_REAL, .placeholder = "W",
     .least = 0, .most = 1000, .otherwise = "600 / rows, at most 3",
     .help = "Weight decay of the velocity field. More decay keeps it from memorising the rows."},
    {"zero-time", ZF_FIELD(zf_fit_values, zero_time), .type = ZF_OPTION_TEXT, .placeholder = "TIME",
     .fallback = "midpoint",
     .help = "Time at which the zero-flow term evaluates the flow: midpoint, t = 0.5; omega:B, "
             "drawn from exp(-|t - 0.5| / B); literal:B, the time of the flow-matching term, "
             "weighted by that function."},
    {"sparsity", ZF_FIELD(zf_fit_values, fit.sparsity), .type = ZF_OPTION_REAL, .placeholder = "W",
     .least = 0, .most = 1e6, .otherwise = "0 for cnn, else 1e-9",
     .help = "Weight of the sum of all gates. A small weight closes gates that nothing needs; too "
             "large a weight closes all of them. Change it by factors of 10."},
    {"pruning", ZF_FIELD(zf_fit_values, fit.pruning), .type = ZF_OPTION_REAL, .placeholder = "W",
     .least = 0, .most = 1e6, .otherwise = "0.12 for cnn; 0 to 0.03 for mlp, by the data; else 0",
     .help = "Cost of an open gate halfway through training, relative to a target's squared "
             "error. It closes gates that the field does not use; those it needs open again "
             "before the end."},
    {"exploration", ZF_FIELD(zf_fit_values, fit.exploration), .type = ZF_OPTION_REAL,
     .placeholder = "P", .least = 0, .most = 1,
     .otherwise = "0.05 for mlp from 20 columns on, else 0",
     .help = "Share of the gates that are opened at random during the first 60 % of training, so "
             "that a gate that closed too early can open again."},
    {"pairs", ZF_FIELD(zf_fit_values, fit.pairs), .type = ZF_OPTION_CHOICE, .placeholder = "RULE",
     .choices = pairs,
     .help = "Whether the mlp gates also learn one number for each pair of columns: on; off; "
             "auto, on for up to 512 columns unless the target sets imply an order."},
    {"open-gates", ZF_FIELD(zf_fit_values, fit.open_gates), .type = ZF_OPTION_WHOLE,
     .placeholder = "N", .most = 1000000000,
     .otherwise = "a tenth of the iterations with pairs of up to 30 columns, else 0",
     .help = "Number of training steps at the start during which every gate is open."},
    {"held-out", ZF_FIELD(zf_fit_values, fit.held_out), .type = ZF_OPTION_REAL, .placeholder = "S",
     .least = 0, .most = 0.9, .otherwise = "0.1 from 200 rows on, else 0",
     .help = "Share of the rows kept out of training, to measure predictions on new rows. "
             "Evidence uses every row."},
    {"last-time", ZF_FIELD(zf_fit_values, fit.last_time), .type = ZF_OPTION_REAL,
     .placeholder = "T", .least = 0.5, .most = 1,
     .otherwise = "0.6 for mlp where order leads, else 1",
     .help = "The flow is trained at times from 0 to T. Gates learn most from early times; a "
             "smaller T gives more of them."},
    {"forbid", ZF_FIELD(zf_fit_values, forbid), .type = ZF_OPTION_FILE, .placeholder = "FILE",
     .help = "List of edges, as CSV with the header source,target. Neither end is ever in the "
             "other's blanket."},
    {"require", ZF_FIELD(zf_fit_values, require), .type = ZF_OPTION_FILE, .placeholder = "FILE",
     .help = "List of edges, as above. Each end is always in the other's blanket."},
    {"evidence", ZF_FIELD(zf_fit_values, evidence), .type = ZF_OPTION_CHOICE, .placeholder = "KIND",
     .choices = evidence, .fallback = "pairs",
     .help = "How members of blankets and edges are decided: pairs, by a test of every pair of "
             "columns given the others that matter, saved in the model; stability, the same, plus "
             "the share of 50 half samples in which a pair is an edge, which takes 10 to 25 times "
             "as long; none, nothing is decided and only gates are saved."},
    {ZF_FDR_OPTION, ZF_FIELD(zf_fit_values, fdr), .fallback = "0.1",
     .help = "False discovery rate at which edges are counted here and in half samples. zeroflow "
             "blanket and zeroflow graph have their own option."},
    ZF_UNIT_ROWS(zf_fit_values, units,
                 " by the evidence, and each stays whole when rows are split"),
    ZF_TRAINING_ROWS(zf_fit_values, fit, "by the gates and the table, 1000 to 5000",
                     "0.002 in 5000 iterations, up to 0.004 in fewer", "128"),
    ZF_SAVING_ROWS(zf_fit_values, saving),
    ZF_VARIABLE_ROWS(zf_fit_values, variables),
    {NULL},
};

static void defaults(void *values)
{
    zf_fit_values *v = values;
    v->fit = zf_fit_defaults();
    v->fit.held_out = ZF_AUTO;
    v->units.blocks = ZF_AUTO;
    v->saving.every = v->fit.every;
}

/* One run: what was asked for and what it found. */
typedef struct fitting {
    const zf_fit_values *values;
    zf_fit_result *found;
    zf_run *run;
} fitting;

/* --- what was asked for ------------------------------------------------------------ */

static void understand(const fitting *f)
{
    zf_fit_options *wish = &f->found->asked;
    *wish = f->values->fit;
    wish->groups = f->found->variables.matrix.groups;
    wish->block = zf_units_block(&f->values->units);
    wish->seed = f->run->seed;
    wish->threads = f->run->threads;
    wish->report = f->run->report;
    wish->checkpoint = f->found->saving.checkpoint;
    wish->every = f->values->saving.every;
    wish->resume = f->values->saving.resume;
}

static zf_status read_constraints(const fitting *f)
{
    zf_fit_result *found = f->found;
    ZF_TRY(zf_constraints_read(&found->constraints, &found->asked.n_constraints, f->values->forbid,
                               f->values->require, found->variables.names,
                               found->variables.matrix.columns));
    found->asked.constraints = found->constraints;
    return ZF_OK;
}

/* Rows matter to evidence, and copies also to the loss on rows that are held out. */
static zf_status doubt_rows(const fitting *f)
{
    const zf_fit_values *values = f->values;
    bool tests = values->evidence != ZF_FIT_NONE;
    if (!tests && values->fit.held_out == 0) return ZF_OK;
    return zf_units_doubt(f->run, &values->units, &f->found->variables.matrix, tests);
}

/* --- evidence ------------------------------------------------------------------------ */

static void understand_halves(zf_evidence_options *wish, const fitting *f, size_t units)
{
    enum { NEEDED = 2 * ZF_EVIDENCE_ROWS_LEAST };
    if (f->values->evidence != ZF_FIT_STABILITY) return;
    if (units >= NEEDED)
        wish->half_samples = ZF_HALF_SAMPLES;
    else
        zf_warn(f->run,
                "%s, fewer than the %d that half samples of %d need: pairs are tested, and their "
                "stability is not measured",
                zf_units_text(&f->values->units, units).text, NEEDED, ZF_EVIDENCE_ROWS_LEAST);
}

static void warn_of_few(const fitting *f, size_t units)
{
    size_t most = f->found->variables.matrix.rows / ZF_EVIDENCE_ROWS_LEAST;
    bool shorter = f->values->units.blocks > 0 && most > 1;
    zf_warn(f->run,
            "%s, fewer than the %d that evidence needs: the model has gates only, and nothing is "
            "decided%s",
            zf_units_text(&f->values->units, units).text, ZF_EVIDENCE_ROWS_LEAST,
            zf_units_advice("; there are enough up to", shorter ? most : 0, "").text);
}

static void note_evidence(const fitting *f, const zf_blanket *model, size_t units)
{
    zf_fit_result *found = f->found;
    const zf_evidence *tested = zf_blanket_evidence(model);
    found->weighed = true;
    found->units = units;
    found->edges = zf_blanket_edges(model, f->values->fdr);
    found->rows_needed = zf_evidence_rows_needed(tested, f->values->fdr);
    found->evidence_seconds = zf_evidence_seconds(tested);
    zf_evidence_stability(&found->stability, tested, ZF_FIT_STABLE);
}

static zf_status weigh(const fitting *f, zf_blanket *model)
{
    const zf_matrix *matrix = &f->found->variables.matrix;
    zf_evidence_options wish = zf_evidence_defaults();
    size_t units = 0;
    if (f->values->evidence == ZF_FIT_NONE) return ZF_OK;
    wish.fdr = f->values->fdr;
    wish.seed = f->run->seed;
    wish.threads = f->run->threads;
    wish.groups = matrix->groups;
    wish.block = zf_units_block(&f->values->units);
    ZF_TRY(zf_evidence_count(&units, matrix->rows, &wish));
    if (units < ZF_EVIDENCE_ROWS_LEAST) {
        warn_of_few(f, units);
        return ZF_OK;
    }
    understand_halves(&wish, f, units);
    wish.report = f->run->report;
    zf_stage(f->run, "evidence");
    ZF_TRY(zf_blanket_weigh(model, matrix->values, matrix->rows, &wish));
    note_evidence(f, model, units);
    return ZF_OK;
}

/* --- the run -------------------------------------------------------------------------- */

static zf_status save(void *model, const char *path)
{
    return zf_blanket_save(model, path);
}

/* Fits, then weighs. A failure of the evidence costs the evidence alone: the model is kept, with
   its gates. */
static zf_status train(const fitting *f)
{
    zf_fit_result *found = f->found;
    const zf_matrix *matrix = &found->variables.matrix;
    zf_blanket *model = NULL;
    char wrong[1024] = "";
    zf_status status = zf_blanket_fit(&model, &found->summary, matrix->values, matrix->rows,
                                      found->variables.names, matrix->columns, &found->asked);
    bool fitted = status == ZF_OK;
    if (fitted) status = weigh(f, model);
    if (status != ZF_OK) snprintf(wrong, sizeof wrong, "%s", zf_error());
    zf_status saved = model ? zf_saving_save(&found->saving, save, model) : ZF_OK;
    zf_blanket_free(model);
    if (saved != ZF_OK || status == ZF_OK) return saved;
    if (status == ZF_EINTERRUPT)
        return zf_saving_stop(&found->saving, found->summary.iterations,
                              found->summary.options.iterations, found->summary.saved);
    if (!fitted) return zf_fail(status, "%s", wrong);
    return zf_fail(status, "%s; %s was saved with gates but without evidence", wrong,
                   found->saving.model);
}

/* What a user should know before the gates are believed. */
static void doubt_model(const fitting *f)
{
    const zf_fit_result *found = f->found;
    const zf_fit_summary *s = &found->summary;
    if (s->mean_gate >= SATURATED)
        zf_warn(f->run, "the gates select nothing (mean gate %.2f): %s", s->mean_gate,
                found->weighed ? "the decided blankets come from the evidence alone"
                               : "they do not show any blanket");
    if (s->held_out == 0 || s->held_out_loss < s->constant_loss) return;
    zf_warn(
        f->run, "on held-out rows the model predicts no better than a constant: %s",
        found->weighed && found->edges
            ? "it was trained for too few steps or has memorised its rows; trust the evidence, not "
              "the gates"
            : "the order of its gates may be due to chance");
}

static zf_status run(void *result, const void *given, zf_run *run)
{
    const zf_fit_values *values = given;
    zf_fit_result *found = result;
    fitting f = {values, found, run};
    found->saving.lacks = values->evidence == ZF_FIT_NONE ? NULL : "evidence";
    ZF_TRY(zf_saving_begin(&found->saving, &values->saving, values->output, run));
    ZF_TRY(zf_units_refuse_both(&values->units));
    ZF_TRY(zf_read_variables(&found->variables, run, &values->variables, values->units.groups,
                             values->data));
    zf_variables_doubt(&found->variables, run);
    ZF_TRY(doubt_rows(&f));
    understand(&f);
    ZF_TRY(zf_fit_zero_time(&found->asked, values->zero_time));
    ZF_TRY(zf_fit_targets(&found->asked, &found->sets, run, values->targets, &found->variables));
    ZF_TRY(read_constraints(&f));
    ZF_TRY(train(&f));
    doubt_model(&f);
    return ZF_OK;
}

/* --- JSON ------------------------------------------------------------------------------ */

static json_t *stability_json(const zf_stability *s)
{
    if (s->half_samples == 0) return json_null();
    return json_pack("{s:i s:o s:o s:o s:o s:o}", "half_samples", s->half_samples, "share",
                     zf_answer_number(ZF_FIT_STABLE), "edges", zf_answer_count(s->edges), "chosen",
                     zf_answer_number(s->chosen), "false_worst", zf_answer_number(s->false_worst),
                     "false_concave", zf_answer_number(s->false_concave));
}

static json_t *evidence_json(const zf_fit_result *found, const zf_fit_values *values)
{
    if (!found->weighed) return json_null();
    size_t n = found->variables.matrix.columns;
    return json_pack("{s:o s:o s:o s:o s:o s:o s:o}", "units", zf_answer_count(found->units),
                     "pairs", zf_answer_count(n * (n - 1) / 2), "edges",
                     zf_answer_count(found->edges), "fdr", zf_answer_number(values->fdr),
                     "rows_needed", zf_answer_count(found->rows_needed), "seconds",
                     zf_answer_number(found->evidence_seconds), "stability",
                     stability_json(&found->stability));
}

static json_t *choices_json(const zf_fit_result *found)
{
    zf_fit_choice choices[ZF_FIT_CHOICES];
    int n = zf_fit_explain(choices, &found->asked, &found->summary);
    json_t *list = json_array();
    for (int i = 0; i < n; i++)
        zf_answer_add(list, json_pack("{s:s s:s s:s}", "option", choices[i].option, "value",
                                      choices[i].value, "reason", choices[i].reason));
    return list;
}

/* null where there is no finite number, as where nothing was held out. */
static json_t *number_json(double value)
{
    return isfinite(value) ? zf_answer_number(value) : json_null();
}

static json_t *json(const void *result, const void *given)
{
    const zf_fit_values *values = given;
    const zf_fit_result *found = result;
    const zf_fit_summary *s = &found->summary;
    const zf_matrix *matrix = &found->variables.matrix;
    json_t *object = json_pack(
        "{s:o s:o s:o s:o s:o s:o s:o s:o s:o s:o s:o s:o s:s s:o s:s s:o s:o s:o}", "model",
        zf_answer_text(values->output), "iterations", zf_answer_count(s->iterations), "seconds",
        zf_answer_number(s->seconds), "loss", zf_answer_number(s->loss), "rectified",
        zf_answer_number(s->rectified), "zero", zf_answer_number(s->zero), "mean_gate",
        zf_answer_number(s->mean_gate), "resumed_from", zf_answer_count(s->resumed_from), "rows",
        zf_answer_count(matrix->rows), "rows_dropped", zf_answer_count(matrix->dropped), "features",
        zf_answer_count(matrix->columns), "dropped", zf_variables_dropped(&found->variables),
        "gate", zf_fit_gates[found->asked.gate], "targets", zf_answer_text(values->targets),
        "margins", zf_fit_marginals[s->options.marginals], "seed",
        zf_answer_count(found->asked.seed), "checkpoint", zf_answer_text(found->saving.checkpoint),
        "evidence", evidence_json(found, values));
    zf_answer_join(object,
                   json_pack("{s:o s:o s:o s:o}", "rows_held_out", zf_answer_count(s->held_out),
                             "held_out_loss", number_json(s->held_out_loss), "constant_loss",
                             number_json(s->constant_loss), "resolved", choices_json(found)));
    return object;
}

static void release(void *result)
{
    zf_fit_result *found = result;
    zf_target_sets_free(&found->sets);
    free(found->constraints);
    zf_variables_free(&found->variables);
}

const zf_job zf_job_fit = {
    .name = "fit",
    .summary = "train a model for Markov blanket queries",
    .description =
        "Learns from the rows of a table which columns are needed to predict which others, "
        "with one network for all target sets. Query the model with zeroflow blanket and "
        "zeroflow graph.\n\n"
        "Columns that cannot be used (text, dates, constants, copies of others; see zeroflow "
        "check) and rows that hold a missing value are left out with a warning. A column "
        "that is a linear function of others is used, with a warning.\n\n"
        "Training writes a checkpoint from time to time. Ctrl-C saves the checkpoint and the "
        "model so far, and stops; {resume} continues from there.",
    .arguments = arguments,
    .options = options,
    .values_size = sizeof(zf_fit_values),
    .defaults = defaults,
    .result_size = sizeof(zf_fit_result),
    .run = run,
    .json = json,
    .release = release,
};
