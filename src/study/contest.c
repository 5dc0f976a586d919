#include "study/contest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "zeroflow/baseline.h"

enum { OURS = 4, VARIABLES = 50, ORDER = 3, ROWS = 2048 };

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

const zf_accuracy *contest_result(const contest_results *contest, int seed, int law, int method)
{
    return &contest->results[place(seed, law, method)];
}

static zf_status run_ours(zf_study *study, zf_graph **graph, const contest_results *contest,
                          const study_sample *sample, int method, uint64_t seed)
{
    zf_fit_options wish = study_fit_options();
    wish.gate = gate_of(method);
    wish.targets = ZF_TARGET_NEIGHBOURS;
    wish.marginals = method % 2 ? ZF_MARGINALS_NORMAL_SCORES : ZF_MARGINALS_STANDARD;
    wish.iterations = contest->size.iterations;
    wish.seed = seed;
    return study_fit_graph(study, graph, NULL, NULL, sample, &wish);
}

static zf_status run_theirs(zf_study *study, zf_graph **graph, const study_sample *sample,
                            int method)
{
    zf_baseline_options wish = zf_baseline_defaults((zf_baseline)(method - OURS));
    wish.threads = study->threads;
    wish.report = study_silent_report(study);
    return zf_baseline_run(graph, NULL, sample->values, sample->rows, zf_graph_names(sample->truth),
                           sample->columns, &wish);
}

static zf_status run_one(contest_results *contest, zf_study *study, const study_sample *sample,
                         int seed, int law, int method)
{
    zf_graph *graph = NULL;
    size_t at = place(seed, law, method);
    zf_accuracy *result = &contest->results[at];
    const contestant *who = &contestants[method];
    double begun = study_clock();
    uint64_t number = study->seed + (uint64_t)seed;
    if (method < OURS)
        ZF_TRY(run_ours(study, &graph, contest, sample, method, number));
    else
        ZF_TRY(run_theirs(study, &graph, sample, method));
    contest->seconds[at] = study_clock() - begun;
    zf_status status = zf_graph_compare(result, graph, sample->truth);
    zf_graph_free(graph);
    ZF_TRY(status);
    return study_run(study, "%s,%s,%s,%llu,%llu,%.6f,%.6f,%.6f,%.6f,%.3f", contest_laws[law],
                     who->method, who->marginals, (unsigned long long)number,
                     (unsigned long long)(method < OURS ? contest->size.iterations : 0),
                     result->auc, result->auc_paper, result->average_precision, result->best_f1,
                     contest->seconds[at]);
}

static zf_status run_sample(contest_results *contest, zf_study *study, int seed, int law)
{
    study_sample sample = {0};
    zf_generate_options wish = zf_generate_defaults(ZF_CHAIN);
    wish.law = (zf_law)law;
    wish.variables = VARIABLES;
    wish.order = ORDER;
    wish.rows = ROWS;
    wish.seed = study->seed + (uint64_t)seed;
    wish.threads = study->threads;
    zf_status status = sample_generate(&sample, &wish);
    for (int method = 0; method < METHODS && status == ZF_OK; method++)
        status = run_one(contest, study, &sample, seed, law, method);
    sample_free(&sample);
    return status;
}

zf_status contest_run(zf_study *study, contest_results *contest)
{
    contest->size = study_repeated(study);
    size_t n = place(contest->size.seeds, 0, 0);
    contest->results = calloc(n, sizeof *contest->results);
    contest->seconds = calloc(n, sizeof *contest->seconds);
    if (!contest->results || !contest->seconds) return zf_fail(ZF_ENOMEM, "out of memory");
    for (int method = 0; method < OURS; method++)
        study_plan(study, gate_of(method), VARIABLES, contest->size.iterations,
                   LAWS * contest->size.seeds);
    ZF_TRY(study_begin_runs(study, "law,method,margins,seed,iterations,auc,auc_paper,"
                                   "average_precision,best_f1,seconds"));
    for (int seed = 0; seed < contest->size.seeds; seed++)
        for (int law = 0; law < LAWS; law++) ZF_TRY(run_sample(contest, study, seed, law));
    return ZF_OK;
}

void contest_release(void *found)
{
    contest_results *contest = found;
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

contest_figure contest_average(const contest_results *contest, contest_measure measure, int law,
                               int method)
{
    int n = contest->size.seeds;
    contest_figure average = {0};
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

void contest_print_setting(const contest_results *contest, FILE *out)
{
    fprintf(out, "chain of %d variables, order %d, %s; ", VARIABLES, ORDER,
            zf_plural(ROWS, "row").text);
    fprintf(out, "%s, ", zf_plural((uint64_t)contest->size.seeds, "seed").text);
    fprintf(out, "%s", zf_plural(contest->size.iterations, "iteration").text);
}

static json_t *json_average(contest_figure average)
{
    return json_pack("{s:o s:o}", "mean", zf_answer_number(average.mean), "spread",
                     zf_answer_number(average.spread));
}

static json_t *json_cell(const contest_results *contest, int law, int method)
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
        zf_answer_optional(who->paper[law]), "seconds", zf_answer_number(seconds));
}

json_t *contest_json(const zf_study *study, const void *found)
{
    const contest_results *contest = found;
    json_t *object = study_json(study), *cells = json_array();
    for (int law = 0; law < LAWS; law++)
        for (int method = 0; method < METHODS; method++)
            zf_answer_add(cells, json_cell(contest, law, method));
    zf_answer_set(object, "seeds", json_integer(contest->size.seeds));
    zf_answer_set(object, "iterations", json_integer((json_int_t)contest->size.iterations));
    zf_answer_set(object, "cells", cells);
    return object;
}
