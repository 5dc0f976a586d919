/* zeroflow demo: the main job on built-in data. Generates a chain, fits blankets,
   scores them against the truth and the classical methods, and leaves everything,
   with a page to look at, in a folder. */
#include <math.h>
#include <stdlib.h>

#include "demo/exhibit.h"
#include "files.h"
#include "gather.h"
#include "terminal.h"
#include "text.h"
#include "zeroflow/baseline.h"

enum { ITERATIONS, OUTPUT, EVIDENCE, EVERY, RESUME };
enum { PAIRS, NONE };

enum { FEATURES = 50, ORDER = 3, ROWS = 2048, MLP_ITERATIONS = 2500, LSTM_SHARE = 5 };

static const char *const evidence[] = {[PAIRS] = "pairs", [NONE] = "none", NULL};

static const cli_option options[] = {
    [ITERATIONS] = {"iterations", .type = CLI_WHOLE, .placeholder = "N", .least = 1,
                    .most = 1000000000,
                    .help = "Training steps of the MLP gates; the LSTM gates, which learn a chain "
                            "faster, get a fifth of them."},
    [OUTPUT] = {"output", 'o', CLI_FOLDER, "DIR", .fallback = "zeroflow-demo",
                .help = "Folder for everything; it is made if it is not there."},
    [EVIDENCE] = {"evidence", .type = CLI_CHOICE, .placeholder = "KIND", .choices = evidence,
                  .fallback = "pairs",
                  .help = "What decides on edges: pairs, a test of every pair given what else "
                          "matters; none, nothing is decided, which saves a few seconds."},
    [EVERY] = {"every", .type = CLI_WHOLE, .placeholder = "N", .least = 1, .most = 1000000000,
               .help = "Training steps between two checkpoints."},
    [RESUME] = {"resume", .help = "Go on from the checkpoints, if there are any. The models are "
                                  "the same, bit for bit, as without the interruption."},
    {NULL},
};

static const cli_example examples[] = {
    {"zeroflow demo", "The whole of it, in less than a minute; then open "
                      "zeroflow-demo/report.html in a browser."},
    {"zeroflow demo --iterations 200 --seed 1 -o trial --json",
     "A shorter run with other random numbers, told as JSON."},
    {"zeroflow demo --iterations 200 --seed 1 -o trial --resume",
     "Go on with that run after Ctrl-C has stopped it."},
    {NULL},
};

static const char *const files[] = {
    "zeroflow-demo/report.html",
    "What demo has done and found, as one page that lists the other files of the folder.",
    "zeroflow-demo/lstm.model.checkpoint, zeroflow-demo/mlp.model.checkpoint",
    "Where demo stood when it was saved last, for --resume.",
    NULL,
};

static void defaults(cli_value *values)
{
    zf_fit_options standard = zf_fit_defaults();
    values[ITERATIONS].set = values[EVERY].set = true;
    values[ITERATIONS].whole = MLP_ITERATIONS;
    values[EVERY].whole = standard.every;
}

/* --- the work ----------------------------------------------------------------------- */

/* What was saved and how to go on, in one line; saved: whether the last checkpoint was. */
static cli_exit interrupted(const exhibit *x, uint64_t iterations, bool saved)
{
    const cli_study *study = &x->study;
    cli_gathered resume;
    if (!saved)
        return cli_fail(CLI_INTERRUPTED, "interrupted; the checkpoint could not be saved in %s",
                        study->folder);
    if (cli_gather(&resume)) cli_print_resume(resume.out, study->call);
    if (cli_gather_end(&resume))
        cli_fail(CLI_INTERRUPTED,
                 "interrupted after %s of %s iterations; saved in %s; go on with: %s",
                 cli_count(study->iterations_done + iterations).text,
                 cli_count(study->iterations).text, study->folder, resume.text);
    else
        cli_fail(CLI_INTERRUPTED, "interrupted; saved in %s", study->folder);
    free(resume.text);
    return CLI_INTERRUPTED;
}

/* Evidence for the edges, which is the same for both models. */
static cli_exit weigh(exhibit *x)
{
    const cli_sample *s = &x->sample;
    zf_evidence_options wish = zf_evidence_defaults();
    wish.threads = x->study.call->threads;
    wish.report = study_silent_report();
    zf_status status = zf_blanket_weigh(x->models[LSTM], s->values, s->rows, &wish);
    if (status == ZF_EINTERRUPT) return interrupted(x, 0, true);
    if (status == ZF_OK) status = zf_blanket_share_evidence(x->models[MLP], x->models[LSTM]);
    for (int i = 0; i < OURS && status == ZF_OK; i++) {
        x->entrants[i].seconds += zf_evidence_seconds(zf_blanket_evidence(x->models[i]));
        x->entrants[i].decides = true;
    }
    return cli_check(status);
}

static cli_exit fit(exhibit *x, int which)
{
    char checkpoint[PATH_MAX];
    const cli_value *values = x->study.call->values;
    zf_fit_options wish = zf_fit_defaults();
    wish.gate = which == LSTM ? ZF_GATE_LSTM : ZF_GATE_MLP;
    wish.targets = ZF_TARGET_NEIGHBOURS;
    wish.marginals = ZF_MARGINALS_NORMAL_SCORES;
    wish.iterations = x->iterations[which];
    wish.seed = x->study.call->seed;
    wish.checkpoint = checkpoint;
    wish.every = values[EVERY].whole;
    wish.resume = values[RESUME].flag;
    char name[64];
    snprintf(name, sizeof name, "%s.checkpoint", exhibit_models[which]);
    CLI_TRY(study_path(&x->study, checkpoint, name));
    entrant *e = &x->entrants[which];
    zf_fit_summary *summary = &x->summaries[which];
    const cli_sample *s = &x->sample;
    cli_exit exit = study_fit(&x->study, &x->models[which], summary, s->values, s->rows,
                              zf_graph_names(s->truth), s->columns, &wish);
    if (exit == CLI_INTERRUPTED)
        return interrupted(x, summary->iterations, summary->saved == summary->iterations);
    e->seconds = summary->resumed_from > 0 ? (double)NAN : summary->seconds;
    return exit;
}

static cli_exit run_baseline(exhibit *x, entrant *e, zf_baseline method)
{
    zf_baseline_details details = {0};
    zf_baseline_options wish = zf_baseline_defaults(method);
    wish.threads = x->study.call->threads;
    wish.report = study_silent_report();
    e->decides = method != ZF_BASELINE_PC;
    if (method == ZF_BASELINE_PARTIAL || method == ZF_BASELINE_RANK) wish.fdr = EXHIBIT_FDR;
    zf_status status = zf_baseline_run(&e->graph, &details, x->sample.values, x->sample.rows,
                                       zf_graph_names(x->sample.truth), x->sample.columns, &wish);
    free(details.precision);
    if (status == ZF_EINTERRUPT) return interrupted(x, 0, true);
    e->seconds = details.seconds;
    return cli_check(status);
}

static void enter(exhibit *x)
{
    static const char *const words[ENTRANTS][4] = {
        {"zero-flow, LSTM gates", "zero-flow, LSTM", "lstm", "graph.csv"},
        {"zero-flow, MLP gates", "zero-flow, MLP", "mlp", "graph-mlp.csv"},
        {"graphical lasso", "graphical lasso", "glasso", "graph-glasso.csv"},
        {"PC, Fisher's z", "PC", "pc", "graph-pc.csv"},
        {"partial correlation", "partial corr.", "partial", "graph-partial.csv"},
        {"partial correlation of ranks", "partial corr., ranks", "rank", "graph-rank.csv"},
    };
    for (int i = 0; i < ENTRANTS; i++) {
        entrant *e = &x->entrants[i];
        e->name = words[i][0];
        e->label = words[i][1];
        e->method = words[i][2];
        e->file = words[i][3];
    }
    x->iterations[MLP] = x->study.call->values[ITERATIONS].whole;
    x->iterations[LSTM] = (x->iterations[MLP] + LSTM_SHARE - 1) / LSTM_SHARE;
    for (int i = 0; i < OURS; i++)
        study_plan(&x->study, i == LSTM ? ZF_GATE_LSTM : ZF_GATE_MLP, FEATURES, x->iterations[i],
                   1);
}

static cli_exit score(const exhibit *x, entrant *e)
{
    const zf_graph *truth = x->sample.truth;
    CLI_TRY(cli_check(zf_graph_compare(&e->accuracy, e->graph, truth)));
    return cli_check(zf_graph_judge(&e->decision, e->graph, truth));
}

static cli_exit work(exhibit *x)
{
    zf_generate_options wish = zf_generate_defaults(ZF_CHAIN);
    wish.law = ZF_NONPARANORMAL;
    wish.features = FEATURES;
    wish.order = ORDER;
    wish.rows = ROWS;
    wish.seed = x->study.call->seed;
    wish.threads = x->study.call->threads;
    CLI_TRY(cli_make_folder(x->study.call, x->study.folder));
    CLI_TRY(sample_generate(&x->sample, &wish));
    CLI_TRY(exhibit_write_sample(x));
    enter(x);
    CLI_TRY(fit(x, MLP));
    CLI_TRY(fit(x, LSTM));
    if (cli_place_of(x->study.call->values[EVIDENCE].text, evidence) == PAIRS) CLI_TRY(weigh(x));
    for (int i = 0; i < OURS; i++)
        CLI_TRY(cli_check(zf_blanket_graph(&x->entrants[i].graph, x->models[i], EXHIBIT_FDR)));
    CLI_TRY(exhibit_write_models(x));
    for (int i = OURS; i < ENTRANTS; i++)
        CLI_TRY(run_baseline(x, &x->entrants[i], (zf_baseline)(i - OURS)));
    for (int i = 0; i < ENTRANTS; i++) CLI_TRY(score(x, &x->entrants[i]));
    return exhibit_write_rest(x);
}

/* --- what came out ------------------------------------------------------------------ */

static json_t *json_decision(const entrant *e)
{
    const zf_decision *d = &e->decision;
    if (!e->decides) return json_null();
    return json_pack("{s:I s:I s:o s:o s:o}", "edges", (json_int_t)d->decided, "right",
                     (json_int_t)d->right, "false_share", cli_json_number(d->false_share), "power",
                     cli_json_number(d->power), "f1", cli_json_number(d->f1));
}

static json_t *json_entrant(const entrant *e)
{
    return json_pack("{s:s s:s s:o s:o s:o s:o s:o s:o s:s}", "name", e->name, "method", e->method,
                     "auc", cli_json_number(e->accuracy.auc), "auc_paper",
                     cli_json_number(e->accuracy.auc_paper), "average_precision",
                     cli_json_number(e->accuracy.average_precision), "best_f1",
                     cli_json_number(e->accuracy.best_f1), "decided", json_decision(e), "seconds",
                     cli_json_optional(e->seconds), "graph", e->file);
}

static cli_exit print_json(const exhibit *x, const char *page)
{
    const cli_study *study = &x->study;
    json_t *methods = json_array(), *models = json_array();
    for (int i = 0; i < ENTRANTS; i++)
        if (json_array_append_new(methods, json_entrant(&x->entrants[i])) != 0) methods = NULL;
    uint64_t resumed = 0;
    for (int i = 0; i < OURS; i++) {
        resumed += x->summaries[i].resumed_from;
        if (json_array_append_new(models, json_string(exhibit_models[i])) != 0) models = NULL;
    }
    return cli_print_json(
        study->call,
        json_pack("{s:o s:o s:o s:I s:I s:o s:I s:I s:I s:o}", "report", cli_json_text(page),
                  "folder", cli_json_text(study->folder), "models", models, "iterations",
                  (json_int_t)study->iterations, "resumed_from", (json_int_t)resumed, "seconds",
                  cli_json_number(study_seconds(study)), "seed", (json_int_t)study->call->seed,
                  "rows", (json_int_t)x->sample.rows, "features", (json_int_t)x->sample.columns,
                  "methods", methods));
}

static void print_row(FILE *out, const entrant *e)
{
    const zf_accuracy *a = &e->accuracy;
    fprintf(out, "  %-28s %6.4f  %9.4f  %9.4f  %7.4f  ", e->name, a->auc, a->auc_paper,
            a->average_precision, a->best_f1);
    if (isnan(e->seconds))
        fprintf(out, "%7s\n", "-");
    else
        fprintf(out, "%7.2f\n", e->seconds);
}

/* What was called an edge, beside what is one. */
static void print_decision(FILE *out, const char *name, const zf_decision *d)
{
    fprintf(out, "  %-28s %6s  %9s  %9.3f  %7.3f  %7.3f\n", name, cli_count(d->decided).text,
            cli_count(d->decided - d->right).text, d->false_share, d->power, d->f1);
}

static void print_decisions(const exhibit *x)
{
    FILE *out = x->study.call->out;
    fprintf(out, "\n  %s%-28s %6s  %9s  %9s  %7s  %7s%s\n", cli_bold(), "decided edges", "edges",
            "false", "share", "power", "F1", cli_plain());
    if (x->entrants[LSTM].decides)
        print_decision(out, "zero-flow, evidence", &x->entrants[LSTM].decision);
    for (int i = OURS; i < ENTRANTS; i++)
        if (x->entrants[i].decides)
            print_decision(out, x->entrants[i].name, &x->entrants[i].decision);
    fprintf(
        out,
        "\n  Tests decide at a false discovery rate of %g, the lasso by its non-zero entries.\n",
        EXHIBIT_FDR);
    if (!x->entrants[LSTM].decides) fputs("  Without evidence zero-flow decides nothing.\n", out);
}

static void print_text(const exhibit *x, const char *page)
{
    FILE *out = x->study.call->out;
    const zf_accuracy *any = &x->entrants[0].accuracy;
    fprintf(out, "%s of %d variables, drawn from a chain in which each depends on the three on\n",
            cli_plural(x->sample.rows, "row").text, FEATURES);
    fprintf(out,
            "either side, and cubed: how well each method finds its %zu edges among %s pairs.\n",
            any->edges, cli_count(any->pairs).text);
    fprintf(out, "Done in %.0f s.\n\n", study_seconds(&x->study));
    fprintf(out, "  %s%-28s %6s  %9s  %9s  %7s  %7s%s\n", cli_bold(), "method", "AUC", "AUC paper",
            "precision", "best F1", "seconds", cli_plain());
    for (int i = 0; i < ENTRANTS; i++) print_row(out, &x->entrants[i]);
    print_decisions(x);
    fprintf(out, "\n%sReport%s  ", cli_bold(), cli_plain());
    cli_clean(out, page);
    fputs("  (open it in a browser)\n", out);
}

static cli_exit finish(const exhibit *x)
{
    char page[PATH_MAX];
    CLI_TRY(exhibit_page(x, page));
    if (x->study.call->json) return print_json(x, page);
    print_text(x, page);
    return CLI_DONE;
}

static cli_exit run(const cli_call *call)
{
    exhibit x = {.study = {.call = call,
                           .name = "demo",
                           .folder = call->values[OUTPUT].text,
                           .scale = 1,
                           .begun = study_clock()}};
    cli_progress_begin(&x.study.progress, call);
    cli_exit exit = work(&x);
    cli_progress_end(&x.study.progress);
    if (exit == CLI_DONE) exit = finish(&x);
    for (int i = 0; i < ENTRANTS; i++) {
        zf_accuracy_free(&x.entrants[i].accuracy);
        zf_graph_free(x.entrants[i].graph);
    }
    for (int i = 0; i < OURS; i++) zf_blanket_free(x.models[i]);
    sample_free(&x.sample);
    return exit;
}

const cli_command cli_command_demo = {
    .name = "demo",
    .summary = "the main job on generated data: fit, score, compare, report",
    .description =
        "Generates a table whose graph is known (the paper's nonparanormal chain: 50 variables, "
        "2,048 rows), fits Markov blankets to it with two gating networks, tests every pair for "
        "evidence of an edge, runs four classical methods on the same rows, and scores all six "
        "against the truth: how well they rank, and what is decided. The folder then holds the "
        "data, the models, the graphs, the figures, and report.html, a page to open in a "
        "browser.\n\n"
        "Training is saved now and then. Ctrl-C saves it too and stops; --resume goes on from "
        "there.",
    .options = options,
    .examples = examples,
    .files = files,
    .defaults = defaults,
    .run = run,
};
