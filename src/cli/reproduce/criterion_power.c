/* reproduce criterion-power: how often the two-sample test finds a difference, beside
   MMD, energy distance and a classifier on the same samples. */
#include <math.h>
#include <stdlib.h>

#include "reproduce/trials.h"
#include "reproduce/two_laws.h"
#include "terminal.h"
#include "text.h"
#include "zeroflow/baseline.h"
#include "zeroflow/plot.h"

enum { REPETITIONS = 200, PERMUTATIONS = 500, SIZES = 2, METHODS = 4, FLOW = 3 };

static const double LEVEL = 0.05;
static const size_t sizes[SIZES] = {500, 2000};

/* The peers in the order of zf_peer, and ours. */
static const char *const names[METHODS] = {"MMD", "energy", "classifier", "zeroflow"};

/* So that the best power is neither nearly 0 nor nearly 1. */
static const double effects[DIFFERENCES][SIZES] = {
    [DIFFERENCE_MEAN] = {0.085, 0.0425},
    [DIFFERENCE_VARIANCE] = {0.055, 0.0275},
    [DIFFERENCE_BLOBS] = {0.5, 0.29},
    [DIFFERENCE_DEPENDENCE] = {0.12, 0.06},
};

typedef struct power_table {
    int repetitions;
    double power[DIFFERENCES][SIZES][METHODS];
    double seconds[SIZES][METHODS]; /* a test, mean */
} power_table;

static cli_exit test(const cli_study *study, int method, const zf_two_samples *samples,
                     uint64_t seed, double *p, double *seconds)
{
    if (method == FLOW) {
        zf_two_sample_options wish = zf_two_sample_defaults(ZF_TWO_SAMPLE_FLOW);
        zf_two_sample_result result;
        wish.permutations = PERMUTATIONS;
        wish.points = 0;
        wish.seed = seed;
        wish.threads = study->call->threads;
        CLI_TRY(cli_check(zf_two_sample_test(&result, samples, &wish)));
        *p = result.p_value;
        *seconds = result.seconds;
        zf_two_sample_free(&result);
        return CLI_DONE;
    }
    zf_peer_options wish = zf_peer_defaults((zf_peer)method);
    zf_peer_result result;
    wish.permutations = PERMUTATIONS;
    wish.seed = seed;
    wish.threads = study->call->threads;
    wish.report = study_silent_report();
    CLI_TRY(study_check(study, zf_peer_test(&result, samples, &wish)));
    *p = result.p_value;
    *seconds = result.seconds;
    return CLI_DONE;
}

static cli_exit run_trial(cli_study *study, power_table *t, difference kind, int size, int trial)
{
    double *values = NULL;
    zf_two_samples samples;
    cli_exit exit = two_laws_draw(&values, &samples, kind, effects[kind][size], sizes[size],
                                  study->call->seed, (uint32_t)(trial * SIZES + size));
    for (int method = 0; exit == CLI_DONE && method < METHODS; method++) {
        double p = 1, seconds = 0;
        exit = test(study, method, &samples, (uint64_t)trial, &p, &seconds);
        t->power[kind][size][method] += (double)(p <= LEVEL) / t->repetitions;
        t->seconds[size][method] += seconds / t->repetitions / DIFFERENCES;
        if (exit == CLI_DONE)
            exit = study_run(study, "%s,%zu,%g,%d,%s,%.6g,%.4f", two_laws_names[kind], sizes[size],
                             effects[kind][size], trial, names[method], p, seconds);
    }
    free(values);
    return exit;
}

static cli_exit run_trials(cli_study *study, power_table *t)
{
    double each = 0, done = 0;
    for (int size = 0; size < SIZES; size++) each += pow((double)sizes[size], 1.5) * DIFFERENCES;
    CLI_TRY(study_begin_runs(study, "case,rows,effect,trial,method,p_value,seconds"));
    for (int trial = 0; trial < t->repetitions; trial++)
        for (int kind = 0; kind < DIFFERENCES; kind++)
            for (int size = 0; size < SIZES; size++) {
                CLI_TRY(run_trial(study, t, (difference)kind, size, trial));
                done += pow((double)sizes[size], 1.5);
                CLI_TRY(trials_go_on(study, done, each * t->repetitions));
            }
    return CLI_DONE;
}

static void print_text(const cli_study *study, const power_table *t)
{
    FILE *out = study->call->out;
    fprintf(out, "Share of %s in which the difference is found at %g, by %d permutations\n\n",
            cli_plural((uint64_t)t->repetitions, "pair").text, LEVEL, PERMUTATIONS);
    fprintf(out, "  %s%-12s %7s %8s", cli_bold(), "difference", "rows", "effect");
    for (int method = 0; method < METHODS; method++) fprintf(out, " %11s", names[method]);
    fprintf(out, "%s\n", cli_plain());
    for (int kind = 0; kind < DIFFERENCES; kind++)
        for (int size = 0; size < SIZES; size++) {
            fprintf(out, "  %-12s %7zu %8g", two_laws_names[kind], sizes[size],
                    effects[kind][size]);
            for (int method = 0; method < METHODS; method++)
                fprintf(out, " %11.3f", t->power[kind][size][method]);
            fputc('\n', out);
        }
    for (int size = 0; size < SIZES; size++) {
        fprintf(out, "  %-12s %7zu %8s", size ? "" : "seconds", sizes[size], "");
        for (int method = 0; method < METHODS; method++)
            fprintf(out, " %11.3f", t->seconds[size][method]);
        fputc('\n', out);
    }
    study_print_files(study, "criterion-power");
}

static cli_exit print_json(const cli_study *study, const power_table *t)
{
    json_t *object = study_json(study), *cells = json_array();
    int lost = object && cells ? 0 : 1;
    for (int kind = 0; kind < DIFFERENCES; kind++)
        for (int size = 0; size < SIZES; size++)
            for (int method = 0; method < METHODS; method++)
                lost |= json_array_append_new(
                    cells, json_pack("{s:s s:I s:o s:s s:o}", "difference", two_laws_names[kind],
                                     "rows", (json_int_t)sizes[size], "effect",
                                     cli_json_number(effects[kind][size]), "method", names[method],
                                     "power", cli_json_number(t->power[kind][size][method])));
    lost |= json_object_set_new(object, "repetitions", json_integer(t->repetitions));
    lost |= json_object_set_new(object, "cells", cells);
    if (lost) {
        json_decref(object);
        object = NULL;
    }
    return cli_print_json(study->call, object);
}

static cli_exit draw(const cli_study *study, const power_table *t)
{
    static const char *const cases[] = {"mean, 500",      "mean, 2000",   "variance, 500",
                                        "variance, 2000", "blobs, 500",   "blobs, 2000",
                                        "depend., 500",   "depend., 2000"};
    enum { CASES = DIFFERENCES * SIZES };
    double x[METHODS][CASES], y[METHODS][CASES];
    zf_series series[METHODS];
    char path[PATH_MAX];
    for (int method = 0; method < METHODS; method++) {
        for (int i = 0; i < CASES; i++) {
            x[method][i] = i + 0.15 * (method - 1.5);
            y[method][i] = t->power[i / SIZES][i % SIZES][method];
        }
        series[method] = (zf_series){.name = names[method],
                                     .x = x[method],
                                     .y = y[method],
                                     .n = CASES,
                                     .style = ZF_SERIES_POINTS};
    }
    zf_chart chart = {.x = {.categories = cases, .n_categories = CASES},
                      .y = {.label = "power at 0.05"},
                      .series = series,
                      .n_series = METHODS};
    zf_figure figure = {.title = "Two samples: how often a difference is found",
                        .caption = "Rows a sample are given with each case; the same samples for "
                                   "all methods.",
                        .columns = 1};
    CLI_TRY(study_path(study, path, "criterion-power"));
    return cli_check(zf_plot_charts(path, &figure, &chart, 1));
}

static cli_exit run(cli_study *study)
{
    power_table t = {.repetitions = (int)fmax(1, REPETITIONS * study->scale + 0.5)};
    CLI_TRY(run_trials(study, &t));
    CLI_TRY(draw(study, &t));
    if (study->call->json) return print_json(study, &t);
    print_text(study, &t);
    return CLI_DONE;
}

const cli_reproduction reproduce_criterion_power = {.scale = 0.25, .run = run};
