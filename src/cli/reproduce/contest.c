#include "reproduce/contest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "zeroflow/baseline.h"

enum { OURS = 4, FEATURES = 50, ORDER = 3, ROWS = 2048 };

const char *const contest_laws[LAWS] = {"gaussian", "nonparanormal", "truncated"};

const contestant contestants[METHODS] = {
    {"zero-flow, MLP gates", "mlp", "standard", {0.97, 0.79, 0.95}},
    {"zero-flow, MLP gates", "mlp", "normal-scores", {NAN, NAN, NAN}},
    {"zero-flow, LSTM gates", "lstm", "standard", {0.98, 0.97, 0.98}},
    {"zero-flow, LSTM gates", "lstm", "normal-scores", {NAN, NAN, NAN}},
    {"graphical lasso", "glasso", "-", {0.94, 0.78, 0.88}},
    {"PC, Fisher's z", "pc", "-", {0.85, 0.75, 0.83}},
    {"partial correlation", "partial", "-", {NAN, NAN, NAN}},
    {"the same on ranks", "rank", "normal-scores", {NAN, NAN, NAN}},
};

static zf_gate_kind gate_of(int method)
{
    return method < 2 ? ZF_GATE_MLP : ZF_GATE_LSTM;
}

static size_t place(int seed, int law, int method)
{
    return ((size_t)seed * LAWS + (size_t)law) * METHODS + (size_t)method;
}

const zf_accuracy *contest_result(const cli_contest *contest, int seed, int law, int method)
{
    return &contest->results[place(seed, law, method)];
}

static cli_exit run_ours(cli_study *study, zf_graph **graph, const cli_contest *contest,
                         const cli_sample *sample, int method, uint64_t seed)
{
    zf_fit_options wish = study_fit_options();
    wish.gate = gate_of(method);
    wish.targets = ZF_TARGET_NEIGHBOURS;
    wish.marginals = method % 2 ? ZF_MARGINALS_NORMAL_SCORES : ZF_MARGINALS_STANDARD;
    wish.iterations = contest->size.iterations;
    wish.seed = seed;
    return study_fit_graph(study, graph, NULL, NULL, sample, &wish);
}

static cli_exit run_theirs(cli_study *study, zf_graph **graph, const cli_sample *sample, int method)
{
    zf_baseline_options wish = zf_baseline_defaults((zf_baseline)(method - OURS));
    wish.threads = study->call->threads;
    wish.report = study_silent_report();
    return study_check(study,
                       zf_baseline_run(graph, NULL, sample->values, sample->rows,
                                       zf_graph_names(sample->truth), sample->columns, &wish));
}

static cli_exit run_one(cli_contest *contest, cli_study *study, const cli_sample *sample, int seed,
                        int law, int method)
{
    zf_graph *graph = NULL;
    size_t at = place(seed, law, method);
    zf_accuracy *result = &contest->results[at];
    const contestant *who = &contestants[method];
    double begun = study_clock();
    uint64_t number = study->call->seed + (uint64_t)seed;
    if (method < OURS)
        CLI_TRY(run_ours(study, &graph, contest, sample, method, number));
    else
        CLI_TRY(run_theirs(study, &graph, sample, method));
    contest->seconds[at] = study_clock() - begun;
    zf_status status = zf_graph_compare(result, graph, sample->truth);
    zf_graph_free(graph);
    CLI_TRY(cli_check(status));
    return study_run(study, "%s,%s,%s,%llu,%llu,%.6f,%.6f,%.6f,%.6f,%.3f", contest_laws[law],
                     who->method, who->marginals, (unsigned long long)number,
                     (unsigned long long)(method < OURS ? contest->size.iterations : 0),
                     result->auc, result->auc_paper, result->average_precision, result->best_f1,
                     contest->seconds[at]);
}

static cli_exit run_sample(cli_contest *contest, cli_study *study, int seed, int law)
{
    cli_sample sample = {0};
    zf_generate_options wish = zf_generate_defaults(ZF_CHAIN);
    wish.law = (zf_law)law;
    wish.features = FEATURES;
    wish.order = ORDER;
    wish.rows = ROWS;
    wish.seed = study->call->seed + (uint64_t)seed;
    wish.threads = study->call->threads;
    cli_exit exit = sample_generate(&sample, &wish);
    for (int method = 0; method < METHODS && exit == CLI_DONE; method++)
        exit = run_one(contest, study, &sample, seed, law, method);
    sample_free(&sample);
    return exit;
}

static cli_exit run_all(cli_contest *contest, cli_study *study)
{
    contest->size = study_repeated(study);
    size_t n = place(contest->size.seeds, 0, 0);
    contest->results = calloc(n, sizeof *contest->results);
    contest->seconds = calloc(n, sizeof *contest->seconds);
    if (!contest->results || !contest->seconds) return cli_fail(CLI_FAILED, "out of memory");
    for (int method = 0; method < OURS; method++)
        study_plan(study, gate_of(method), FEATURES, contest->size.iterations,
                   LAWS * contest->size.seeds);
    CLI_TRY(study_begin_runs(study, "law,method,margins,seed,iterations,auc,auc_paper,"
                                    "average_precision,best_f1,seconds"));
    for (int seed = 0; seed < contest->size.seeds; seed++)
        for (int law = 0; law < LAWS; law++) CLI_TRY(run_sample(contest, study, seed, law));
    return CLI_DONE;
}

static void release(cli_contest *contest)
{
    if (contest->results)
        for (size_t i = 0; i < place(contest->size.seeds, 0, 0); i++)
            zf_accuracy_free(&contest->results[i]);
    free(contest->results);
    free(contest->seconds);
}

static double measure_of(const zf_accuracy *result, contest_measure measure)
{
    switch (measure) {
    case CONTEST_AUC_PAPER:
        return result->auc_paper;
    case CONTEST_PRECISION:
        return result->average_precision;
    case CONTEST_AUC:
        break;
    }
    return result->auc;
}

cli_average contest_average(const cli_contest *contest, contest_measure measure, int law,
                            int method)
{
    int n = contest->size.seeds;
    cli_average average = {0};
    double squares = 0;
    for (int s = 0; s < n; s++)
        average.mean += measure_of(contest_result(contest, s, law, method), measure) / n;
    for (int s = 0; s < n; s++) {
        double off = measure_of(contest_result(contest, s, law, method), measure) - average.mean;
        squares += off * off;
    }
    average.spread = n > 1 ? sqrt(squares / (n - 1)) : 0;
    return average;
}

void contest_print_setting(const cli_contest *contest, FILE *out)
{
    fprintf(out, "chain of %d variables, order %d, %s; ", FEATURES, ORDER,
            cli_plural(ROWS, "row").text);
    fprintf(out, "%s, ", cli_plural((uint64_t)contest->size.seeds, "seed").text);
    fprintf(out, "%s", cli_plural(contest->size.iterations, "iteration").text);
}

static json_t *json_average(cli_average average)
{
    return json_pack("{s:o s:o}", "mean", cli_json_number(average.mean), "spread",
                     cli_json_number(average.spread));
}

static json_t *json_cell(const cli_contest *contest, int law, int method)
{
    const contestant *who = &contestants[method];
    double seconds = 0;
    for (int s = 0; s < contest->size.seeds; s++)
        seconds += contest->seconds[place(s, law, method)] / contest->size.seeds;
    return json_pack(
        "{s:s s:s s:s s:o s:o s:o s:o s:o}", "law", contest_laws[law], "method", who->method,
        "margins", who->marginals, "auc",
        json_average(contest_average(contest, CONTEST_AUC, law, method)), "auc_paper",
        json_average(contest_average(contest, CONTEST_AUC_PAPER, law, method)), "average_precision",
        json_average(contest_average(contest, CONTEST_PRECISION, law, method)), "paper",
        cli_json_optional(who->paper[law]), "seconds", cli_json_number(seconds));
}

static json_t *json_all(const cli_contest *contest, const cli_study *study)
{
    json_t *object = study_json(study), *cells = json_array();
    for (int law = 0; law < LAWS; law++)
        for (int method = 0; method < METHODS; method++)
            if (json_array_append_new(cells, json_cell(contest, law, method)) != 0) {
                json_decref(cells);
                cells = NULL;
            }
    json_object_set_new(object, "seeds", json_integer(contest->size.seeds));
    json_object_set_new(object, "iterations", json_integer((json_int_t)contest->size.iterations));
    if (json_object_set_new(object, "cells", cells) == 0) return object;
    json_decref(object);
    return NULL;
}

cli_exit contest_run(cli_study *study, const contest_show *show)
{
    cli_contest contest = {0};
    cli_exit exit = run_all(&contest, study);
    if (exit == CLI_DONE) exit = show->draw(study, &contest);
    if (exit == CLI_DONE && study->call->json)
        exit = cli_print_json(study->call, json_all(&contest, study));
    else if (exit == CLI_DONE)
        show->print(study, &contest);
    release(&contest);
    return exit;
}
