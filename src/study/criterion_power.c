/* reproduce criterion-power: how often the two-sample test finds a difference, beside
   MMD by one kernel and several, energy distance and a classifier on the same samples. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "study/trials.h"
#include "study/two_laws.h"
#include "zeroflow/baseline.h"
#include "zeroflow/plot.h"

enum { PERMUTATIONS_LEAST = 49 };
enum { REPETITIONS = 200, PERMUTATIONS = 500, METHODS = 6, FLOW = METHODS - 1, CASES = 15 };

/* MMDAgg has twenty kernels: not where samples are larger. */
enum { AGGREGATED_ROWS = 500 };

static const double LEVEL = 0.05;

/* The peers in the order of zf_peer, and ours. */
static const char *const names[METHODS] = {"MMD",    "energy", "classifier",
                                           "widths", "MMDAgg", "zeroflow"};

/* Effects so that the best power is neither nearly 0 nor nearly 1. */
static const struct {
    difference kind;
    size_t rows;
    double effect;
} cases[CASES] = {
    {DIFFERENCE_MEAN, 500, 0.085},          {DIFFERENCE_MEAN, 2000, 0.0425},
    {DIFFERENCE_VARIANCE, 500, 0.055},      {DIFFERENCE_VARIANCE, 2000, 0.0275},
    {DIFFERENCE_BLOBS, 500, 0.5},           {DIFFERENCE_BLOBS, 2000, 0.29},
    {DIFFERENCE_DEPENDENCE, 500, 0.12},     {DIFFERENCE_DEPENDENCE, 2000, 0.06},
    {DIFFERENCE_WEIGHTS_PLANE, 500, 0.075}, {DIFFERENCE_WEIGHTS, 500, 0.075},
    {DIFFERENCE_WEIGHTS_THREE, 500, 0.065}, {DIFFERENCE_LEVELS, 500, 0.055},
    {DIFFERENCE_COPIES, 500, 0.1},          {DIFFERENCE_MAPPED, 500, 0.12},
    {DIFFERENCE_PARITY, 500, 0.25},
};

typedef struct power_table {
    int repetitions, permutations;
    double power[CASES][METHODS];   /* NAN: not run */
    double seconds[CASES][METHODS]; /* a test, mean */
} power_table;

static bool runs(int which, int method)
{
    return method != (int)ZF_PEER_MMDAGG || cases[which].rows <= AGGREGATED_ROWS;
}

static zf_status test(const zf_study *study, int method, int permutations,
                      const zf_two_samples *samples, uint64_t seed, double *p, double *seconds)
{
    if (method == FLOW) {
        zf_two_sample_options wish = zf_two_sample_defaults(ZF_TWO_SAMPLE_FLOW);
        zf_two_sample_result result;
        wish.permutations = permutations;
        wish.points = 0;
        wish.seed = seed;
        wish.threads = study->threads;
        ZF_TRY(zf_two_sample_test(&result, samples, &wish));
        *p = result.p_value;
        *seconds = result.seconds;
        zf_two_sample_free(&result);
        return ZF_OK;
    }
    zf_peer_options wish = zf_peer_defaults((zf_peer)method);
    zf_peer_result result;
    wish.permutations = permutations;
    wish.seed = seed;
    wish.threads = study->threads;
    wish.report = study_silent_report(study);
    ZF_TRY(zf_peer_test(&result, samples, &wish));
    *p = result.p_value;
    *seconds = result.seconds;
    return ZF_OK;
}

static zf_status run_trial(zf_study *study, power_table *t, int which, int trial)
{
    double *values = NULL;
    zf_two_samples samples;
    difference kind = cases[which].kind;
    size_t rows = cases[which].rows;
    zf_status status = two_laws_draw(&values, &samples, kind, cases[which].effect, rows,
                                     study->seed, (uint32_t)(2 * trial + (rows > 1000)));
    for (int method = 0; status == ZF_OK && method < METHODS; method++) {
        double p = 1, seconds = 0;
        if (!runs(which, method)) {
            t->power[which][method] = t->seconds[which][method] = NAN;
            continue;
        }
        status = test(study, method, t->permutations, &samples, (uint64_t)trial, &p, &seconds);
        t->power[which][method] += (double)(p <= LEVEL) / t->repetitions;
        t->seconds[which][method] += seconds / t->repetitions;
        if (status == ZF_OK)
            status = study_run(study, "%s,%zu,%g,%d,%s,%.6g,%.4f", two_laws_name(kind), rows,
                               cases[which].effect, trial, names[method], p, seconds);
    }
    free(values);
    return status;
}

static double cost(int which)
{
    return pow((double)cases[which].rows, 1.5);
}

static zf_status run_trials(zf_study *study, power_table *t)
{
    double each = 0, done = 0;
    for (int which = 0; which < CASES; which++) each += cost(which);
    ZF_TRY(study_begin_runs(study, "case,rows,effect,trial,method,p_value,seconds"));
    for (int trial = 0; trial < t->repetitions; trial++)
        for (int which = 0; which < CASES; which++) {
            ZF_TRY(run_trial(study, t, which, trial));
            done += cost(which);
            ZF_TRY(trials_go_on(study, done, each * t->repetitions));
        }
    return ZF_OK;
}

/* A line of the table; "-" where a method was not run. */
static void print_numbers(FILE *out, const double numbers[METHODS])
{
    for (int method = 0; method < METHODS; method++)
        if (isnan(numbers[method]))
            fprintf(out, " %10s", "-");
        else
            fprintf(out, " %10.3f", numbers[method]);
    fputc('\n', out);
}

/* Mean seconds of a test on samples of so many rows. */
static void print_seconds(FILE *out, const power_table *t, size_t rows)
{
    double mean[METHODS] = {0}, n = 0;
    for (int which = 0; which < CASES; which++) n += cases[which].rows == rows;
    for (int which = 0; which < CASES; which++)
        for (int method = 0; cases[which].rows == rows && method < METHODS; method++)
            mean[method] += t->seconds[which][method] / n;
    fprintf(out, "  %-18s %5zu %7s", rows == cases[0].rows ? "seconds" : "", rows, "");
    print_numbers(out, mean);
}

static void print(const zf_study *study, const void *found, const study_page *page)
{
    const power_table *t = found;
    FILE *out = page->out;
    fprintf(out, "Share of %s in which the difference is found at %g, by %d permutations\n\n",
            zf_plural((uint64_t)t->repetitions, "pair").text, LEVEL, t->permutations);
    fprintf(out, "  %s%-18s %5s %7s", page->bold, "difference", "rows", "effect");
    for (int method = 0; method < METHODS; method++) fprintf(out, " %10s", names[method]);
    fprintf(out, "%s\n", page->plain);
    for (int which = 0; which < CASES; which++) {
        fprintf(out, "  %-18s %5zu %7g", two_laws_name(cases[which].kind), cases[which].rows,
                cases[which].effect);
        print_numbers(out, t->power[which]);
    }
    print_seconds(out, t, cases[0].rows);
    print_seconds(out, t, cases[1].rows);
    study_print_files(study, page, "criterion-power");
}

static json_t *json(const zf_study *study, const void *found)
{
    const power_table *t = found;
    json_t *object = study_json(study), *cells = json_array();
    for (int which = 0; which < CASES; which++)
        for (int method = 0; method < METHODS; method++)
            if (runs(which, method))
                zf_answer_add(cells, json_pack("{s:s s:I s:o s:s s:o}", "difference",
                                               two_laws_name(cases[which].kind), "rows",
                                               (json_int_t)cases[which].rows, "effect",
                                               zf_answer_number(cases[which].effect), "method",
                                               names[method], "power",
                                               zf_answer_number(t->power[which][method])));
    zf_answer_set(object, "repetitions", json_integer(t->repetitions));
    zf_answer_set(object, "cells", cells);
    return object;
}

static zf_status draw(const zf_study *study, const power_table *t)
{
    enum { LABEL = 40 };
    double x[METHODS][CASES], y[METHODS][CASES];
    char labels[CASES][LABEL], path[PATH_MAX];
    const char *shown[CASES];
    zf_series series[METHODS];
    for (int which = 0; which < CASES; which++) {
        snprintf(labels[which], LABEL, "%s, %zu", two_laws_name(cases[which].kind),
                 cases[which].rows);
        shown[which] = labels[which];
    }
    for (int method = 0; method < METHODS; method++) {
        size_t n = 0;
        for (int which = 0; which < CASES; which++) {
            if (!runs(which, method)) continue;
            x[method][n] = t->power[which][method];
            y[method][n++] = which + 0.1 * (method - 0.5 * (METHODS - 1));
        }
        series[method] = (zf_series){.name = names[method],
                                     .x = x[method],
                                     .y = y[method],
                                     .n = n,
                                     .style = ZF_SERIES_POINTS};
    }
    zf_chart chart = {.x = {.label = "power at 0.05"},
                      .y = {.categories = shown, .n_categories = CASES},
                      .series = series,
                      .n_series = METHODS};
    zf_figure figure = {
        .title = "Two samples: how often a difference is found",
        .caption = "Each case names the number of rows a sample; all methods get the same samples.",
        .columns = 1};
    ZF_TRY(study_path(study, path, "criterion-power"));
    return zf_plot_charts(path, &figure, &chart, 1);
}

static zf_status run(zf_study *study, void *found)
{
    power_table *t = found;
    t->repetitions = (int)fmax(1, REPETITIONS * study->scale + 0.5);
    /* Less than one pair is one with fewer permutations: to see the form of the result. */
    double share = fmin(1, REPETITIONS * study->scale);
    t->permutations = (int)fmax(PERMUTATIONS_LEAST, PERMUTATIONS * share + 0.5);
    ZF_TRY(run_trials(study, t));
    return draw(study, t);
}

const zf_reproduction reproduce_criterion_power = {
    .scale = 0.25,
    .found_size = sizeof(power_table),
    .run = run,
    .print = print,
    .json = json,
};
