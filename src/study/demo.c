#include "study/demo.h"

#include <math.h>
#include <stdlib.h>

#include "study/demo_exhibit.h"
#include "zeroflow/baseline.h"

enum { PAIRS, NONE };

enum { VARIABLES = 50, ORDER = 3, ROWS = 2048, MLP_ITERATIONS = 2500, LSTM_SHARE = 5 };

static const char *const evidence[] = {[PAIRS] = "pairs", [NONE] = "none", NULL};

#define FIELD(member) ZF_FIELD(zf_demo_values, member)

static const zf_option options[] = {
    {"iterations", .type = ZF_OPTION_WHOLE, .placeholder = "N", FIELD(iterations), .least = 1,
     .most = 1000000000,
     .help = "Number of training steps of the MLP gates; the LSTM gates, which learn a chain "
             "faster, get a fifth of them."},
    {"output", 'o', ZF_OPTION_FOLDER, "DIR", FIELD(output), .fallback = "zeroflow-demo",
     .help = "Folder for all files; it is created if needed."},
    {"evidence", .type = ZF_OPTION_CHOICE, .placeholder = "KIND", FIELD(evidence),
     .choices = evidence, .fallback = "pairs",
     .help = "How edges are decided: pairs, by a test of every pair given the others that matter; "
             "none, nothing is decided, which saves a few seconds."},
    {"every", .type = ZF_OPTION_WHOLE, .placeholder = "N", FIELD(every), .least = 1,
     .most = 1000000000, .help = "Number of training steps between checkpoints."},
    {"resume", FIELD(resume),
     .help = "Continue from the checkpoints, if there are any. The models are the same, bit for "
             "bit, as without the interruption."},
    {NULL},
};

static void defaults(void *given)
{
    zf_demo_values *values = given;
    values->iterations = MLP_ITERATIONS;
    values->every = zf_fit_defaults().every;
}

/* --- the work ----------------------------------------------------------------------- */

/* Evidence for the edges, which is the same for both models. */
static zf_status weigh(zf_demo_result *x)
{
    const study_sample *s = &x->sample;
    zf_evidence_options wish = zf_evidence_defaults();
    wish.threads = x->study.threads;
    wish.report = study_silent_report(&x->study);
    zf_status status = zf_blanket_weigh(x->models[LSTM], s->values, s->rows, &wish);
    if (status == ZF_OK) status = zf_blanket_share_evidence(x->models[MLP], x->models[LSTM]);
    for (int i = 0; i < OURS && status == ZF_OK; i++) {
        x->entrants[i].seconds += zf_evidence_seconds(zf_blanket_evidence(x->models[i]));
        x->entrants[i].decides = true;
    }
    return status;
}

static zf_status fit(zf_demo_result *x, int which)
{
    char checkpoint[PATH_MAX];
    zf_fit_options wish = zf_fit_defaults();
    wish.gate = which == LSTM ? ZF_GATE_LSTM : ZF_GATE_MLP;
    wish.targets = ZF_TARGET_NEIGHBOURS;
    wish.marginals = ZF_MARGINALS_NORMAL_SCORES;
    wish.iterations = x->iterations[which];
    wish.seed = x->study.seed;
    wish.checkpoint = checkpoint;
    wish.every = x->every;
    wish.resume = x->resumes;
    char name[64];
    snprintf(name, sizeof name, "%s.checkpoint", demo_models[which]);
    ZF_TRY(study_path(&x->study, checkpoint, name));
    entrant *e = &x->entrants[which];
    zf_fit_summary *summary = &x->summaries[which];
    const study_sample *s = &x->sample;
    zf_status status = study_fit(&x->study, &x->models[which], summary, s->values, s->rows,
                                 zf_graph_names(s->truth), s->columns, &wish);
    x->stopped_at = status == ZF_EINTERRUPT ? summary->iterations : 0;
    x->saved = status != ZF_EINTERRUPT || summary->saved == summary->iterations;
    e->seconds = summary->resumed_from > 0 ? (double)NAN : summary->seconds;
    return status;
}

static zf_status run_baseline(zf_demo_result *x, entrant *e, zf_baseline method)
{
    zf_baseline_details details = {0};
    zf_baseline_options wish = zf_baseline_defaults(method);
    wish.threads = x->study.threads;
    wish.report = study_silent_report(&x->study);
    e->decides = method != ZF_BASELINE_PC;
    if (method == ZF_BASELINE_PARTIAL || method == ZF_BASELINE_RANK) wish.fdr = EXHIBIT_FDR;
    zf_status status = zf_baseline_run(&e->graph, &details, x->sample.values, x->sample.rows,
                                       zf_graph_names(x->sample.truth), x->sample.columns, &wish);
    free(details.precision);
    e->seconds = details.seconds;
    return status;
}

static void enter(zf_demo_result *x)
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
    x->iterations[LSTM] = (x->iterations[MLP] + LSTM_SHARE - 1) / LSTM_SHARE;
    for (int i = 0; i < OURS; i++)
        study_plan(&x->study, i == LSTM ? ZF_GATE_LSTM : ZF_GATE_MLP, VARIABLES, x->iterations[i],
                   1);
}

static zf_status score(const zf_demo_result *x, entrant *e)
{
    const zf_graph *truth = x->sample.truth;
    ZF_TRY(zf_graph_compare(&e->accuracy, e->graph, truth));
    return zf_graph_judge(&e->decision, e->graph, truth);
}

static zf_status work(zf_demo_result *x)
{
    zf_generate_options wish = zf_generate_defaults(ZF_CHAIN);
    wish.law = ZF_NONPARANORMAL;
    wish.variables = VARIABLES;
    wish.order = ORDER;
    wish.rows = ROWS;
    wish.seed = x->study.seed;
    wish.threads = x->study.threads;
    char output[32];
    snprintf(output, sizeof output, "%soutput", zf_option_prefix());
    ZF_TRY(zf_files_folder(x->study.run->files, output, x->study.folder));
    ZF_TRY(sample_generate(&x->sample, &wish));
    ZF_TRY(exhibit_write_sample(x));
    enter(x);
    ZF_TRY(fit(x, MLP));
    ZF_TRY(fit(x, LSTM));
    if (x->evidence == PAIRS) ZF_TRY(weigh(x));
    for (int i = 0; i < OURS; i++)
        ZF_TRY(zf_blanket_graph(&x->entrants[i].graph, x->models[i], EXHIBIT_FDR));
    ZF_TRY(exhibit_write_models(x));
    for (int i = OURS; i < ENTRANTS; i++)
        ZF_TRY(run_baseline(x, &x->entrants[i], (zf_baseline)(i - OURS)));
    for (int i = 0; i < ENTRANTS; i++) ZF_TRY(score(x, &x->entrants[i]));
    return exhibit_write_rest(x);
}

/* --- what came out ------------------------------------------------------------------ */

static json_t *json_decision(const entrant *e)
{
    const zf_decision *d = &e->decision;
    if (!e->decides) return json_null();
    return json_pack("{s:I s:I s:o s:o s:o}", "edges", (json_int_t)d->decided, "right",
                     (json_int_t)d->right, "false_share", zf_answer_number(d->false_share), "power",
                     zf_answer_number(d->power), "f1", zf_answer_number(d->f1));
}

static json_t *json_entrant(const entrant *e)
{
    return json_pack("{s:s s:s s:o s:o s:o s:o s:o s:o s:s}", "name", e->name, "method", e->method,
                     "auc", zf_answer_number(e->accuracy.auc), "auc_paper",
                     zf_answer_number(e->accuracy.auc_paper), "average_precision",
                     zf_answer_number(e->accuracy.average_precision), "best_f1",
                     zf_answer_number(e->accuracy.best_f1), "decided", json_decision(e), "seconds",
                     zf_answer_optional(e->seconds), "graph", e->file);
}

static json_t *json(const void *result, const void *given)
{
    const zf_demo_result *x = result;
    const zf_study *study = &x->study;
    char page[PATH_MAX] = "";
    json_t *methods = json_array(), *models = json_array();
    (void)given;
    for (int i = 0; i < ENTRANTS && study->ended; i++)
        zf_answer_add(methods, json_entrant(&x->entrants[i]));
    uint64_t resumed = 0;
    for (int i = 0; i < OURS; i++) {
        resumed += x->summaries[i].resumed_from;
        zf_answer_add(models, json_string(demo_models[i]));
    }
    bool shown = exhibit_page(x, page) == ZF_OK && study->ended;
    return json_pack("{s:o s:o s:o s:I s:I s:o s:I s:I s:I s:o}", "report",
                     zf_answer_text(shown ? page : NULL), "folder", zf_answer_text(study->folder),
                     "models", models, "iterations", (json_int_t)study->iterations, "resumed_from",
                     (json_int_t)resumed, "seconds", zf_answer_number(study_seconds(study)), "seed",
                     (json_int_t)study->seed, "rows", (json_int_t)x->sample.rows, "features",
                     (json_int_t)x->sample.columns, "methods", methods);
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
    fprintf(out, "  %-28s %6s  %9s  %9.3f  %7.3f  %7.3f\n", name, zf_count(d->decided).text,
            zf_count(d->decided - d->right).text, d->false_share, d->power, d->f1);
}

static void print_decisions(const zf_demo_result *x, const study_page *page)
{
    FILE *out = page->out;
    fprintf(out, "\n  %s%-28s %6s  %9s  %9s  %7s  %7s%s\n", page->bold, "decided edges", "edges",
            "false", "share", "power", "F1", page->plain);
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

void zf_demo_print(const zf_demo_result *x, const study_page *page)
{
    char report[PATH_MAX] = "";
    FILE *out = page->out;
    const zf_accuracy *any = &x->entrants[0].accuracy;
    fprintf(out, "%s of %d variables, drawn from a chain in which each depends on the three on\n",
            zf_plural(x->sample.rows, "row").text, VARIABLES);
    fprintf(out,
            "either side, and cubed: how well each method finds its %zu edges among %s pairs.\n",
            any->edges, zf_count(any->pairs).text);
    fprintf(out, "Done in %.0f s.\n\n", study_seconds(&x->study));
    fprintf(out, "  %s%-28s %6s  %9s  %9s  %7s  %7s%s\n", page->bold, "method", "AUC", "AUC paper",
            "precision", "best F1", "seconds", page->plain);
    for (int i = 0; i < ENTRANTS; i++) print_row(out, &x->entrants[i]);
    print_decisions(x, page);
    fprintf(out, "\n%sReport%s  ", page->bold, page->plain);
    if (exhibit_page(x, report) == ZF_OK) page->clean(out, report);
    fputs("  (open it in a browser)\n", out);
}

static void release(void *result)
{
    zf_demo_result *x = result;
    for (int i = 0; i < ENTRANTS; i++) {
        zf_accuracy_free(&x->entrants[i].accuracy);
        zf_graph_free(x->entrants[i].graph);
    }
    for (int i = 0; i < OURS; i++) zf_blanket_free(x->models[i]);
    sample_free(&x->sample);
}

static zf_status run(void *result, const void *given, zf_run *run)
{
    zf_demo_result *x = result;
    const zf_demo_values *values = given;
    x->study = (zf_study){.run = run,
                          .name = "demo",
                          .folder = values->output,
                          .scale = 1,
                          .seed = run->seed,
                          .threads = run->threads,
                          .begun = study_clock()};
    x->every = values->every;
    x->resumes = values->resume;
    x->evidence = values->evidence;
    x->iterations[MLP] = values->iterations;
    x->saved = true;
    zf_status status = work(x);
    x->study.run = NULL;
    x->study.took = study_seconds(&x->study);
    x->study.ended = status == ZF_OK;
    return status;
}

const zf_job zf_job_demo = {
    .name = "demo",
    .summary = "run the main commands on generated data",
    .description =
        "Generates a table whose graph is known (the paper's nonparanormal chain: 50 "
        "variables, 2,048 rows), fits Markov blankets to it with two gating networks, tests "
        "every pair for evidence of an edge, runs four classical methods on the same rows, "
        "and scores all six against the truth: how well they rank, and which edges they "
        "decide on. The folder then holds the data, the models, the graphs, the figures, and "
        "report.html, a page to open in a browser.\n\n"
        "Training writes checkpoints from time to time. Ctrl-C saves one and stops; --resume "
        "continues from there.",
    .options = options,
    .values_size = sizeof(zf_demo_values),
    .defaults = defaults,
    .result_size = sizeof(zf_demo_result),
    .run = run,
    .json = json,
    .release = release,
};
