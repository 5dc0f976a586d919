/* reproduce decisions: what is called an edge, by the evidence and by the classical methods at
   their own standard decisions, on laws that have little in common. No model is fitted: the
   decision of `fit` rests on the evidence alone, in which gates take no part. */
#include "study/decisions.h"

#include <math.h>
#include <stdlib.h>

#include "study/trials.h"
#include "zeroflow/plot.h"

typedef struct decision_law {
    const char *name;
    zf_structure structure;
    zf_mechanism mechanism;
    size_t rows;
    int variables, edges;
} decision_law;

static const decision_law laws[DECISION_LAWS] = {
    {"Gaussian graph", ZF_RANDOM, 0, 1000, 20, 30},
    {"linear, Laplace and uniform noise", ZF_SEM, ZF_SEM_LINEAR, 1000, 30, 45},
    {"curves, additive noise", ZF_SEM, ZF_SEM_ADDITIVE, 500, 20, 30},
    {"curves, additive noise", ZF_SEM, ZF_SEM_ADDITIVE, 2000, 20, 30},
    {"products and their signs", ZF_SEM, ZF_SEM_PRODUCTS, 2000, 15, 10},
    {"spread set by parents", ZF_SEM, ZF_SEM_SPREAD, 2000, 15, 16},
    {"mixtures, heavy tails, kinks", ZF_SEM, ZF_SEM_MIXTURE, 1000, 20, 28},
    {"Gaussian graph", ZF_RANDOM, 0, 100, 100, 100},
    {"kinetics", ZF_SEM, ZF_SEM_KINETICS, 100, 100, 206},
    {"independent columns", ZF_INDEPENDENT, 0, 200, 10, 0},
    {"independent columns", ZF_INDEPENDENT, 0, 100, 100, 0},
};

enum { SETS_LAW = 0 }; /* whose graphs also answer for target sets */
enum { SEEDS = 10, ROWS_LEAST = 100 };

/* Of one run; NaN: the truth has no edges, so that nothing can be ranked. */
typedef enum measure {
    EDGES_DECIDED,
    FALSE_SHARE,
    POWER,
    F1,
    AUC,
    PRECISION,
    SECONDS,
    MEASURES
} measure;
static const char *const measure_names[MEASURES] = {"edges", "false_share",       "power",  "f1",
                                                    "auc",   "average_precision", "seconds"};

typedef struct decision_table {
    int seeds, seeds_of[DECISION_LAWS][DECIDERS];
    decision_work work;
    double (*runs)[DECISION_LAWS][DECIDERS][MEASURES]; /* [seeds] */
    double true_edges[DECISION_LAWS];                  /* mean */
    double (*sets)[DECIDERS][SET_SIZES];               /* [seeds]: Jaccard */
    decision_certificates certificates;
} decision_table;

/* One seed takes seconds; a look at the form of the result can have fewer rows. */
static size_t rows_of(const zf_study *study, int law)
{
    double rows = (double)laws[law].rows * fmin(1, SEEDS * study->scale);
    return (size_t)fmax(ROWS_LEAST, rows + 0.5);
}

decision_average decision_average_of(const double *values, int n)
{
    decision_average average = {.mean = n > 0 ? 0 : NAN};
    double squares = 0;
    for (int i = 0; i < n; i++) average.mean += values[i] / n;
    for (int i = 0; i < n; i++) squares += pow(values[i] - average.mean, 2);
    average.spread = n > 1 ? sqrt(squares / (n - 1)) : 0;
    return average;
}

static decision_average over_seeds(const decision_table *t, int law, int method, measure which)
{
    double values[SEEDS];
    int n = t->seeds_of[law][method];
    for (int s = 0; s < n; s++) values[s] = t->runs[s][law][method][which];
    return decision_average_of(values, n);
}

static decision_average sets_over_seeds(const decision_table *t, int method, int size)
{
    double values[SEEDS];
    int n = t->seeds_of[SETS_LAW][method];
    for (int s = 0; s < n; s++) values[s] = t->sets[s][method][size];
    return decision_average_of(values, n);
}

/* About what a method costs on a law: the test of each pair costs most. */
static double work_of(int law, int method)
{
    double d = laws[law].variables, n = (double)laws[law].rows;
    return d * d * n * (method == DECIDERS - 1 ? d : 1);
}

static zf_status measure_graph(double measures[MEASURES], const zf_graph *graph,
                               const zf_graph *truth)
{
    zf_decision decision;
    zf_accuracy accuracy;
    ZF_TRY(zf_graph_judge(&decision, graph, truth));
    measures[EDGES_DECIDED] = (double)decision.decided;
    measures[FALSE_SHARE] = decision.false_share;
    measures[POWER] = decision.power;
    measures[F1] = decision.f1;
    if (decision.edges == 0) return ZF_OK;
    ZF_TRY(zf_graph_compare(&accuracy, graph, truth));
    measures[AUC] = accuracy.auc;
    measures[PRECISION] = accuracy.average_precision;
    zf_accuracy_free(&accuracy);
    return ZF_OK;
}

/* A number that there is not is an empty cell. */
static zf_status write_run(zf_study *study, const double measures[MEASURES],
                           const study_sample *sample, int law, int method, uint64_t seed)
{
    char cells[MEASURES][32] = {{0}};
    for (int m = 0; m < MEASURES; m++)
        if (!isnan(measures[m])) snprintf(cells[m], sizeof cells[m], "%.6g", measures[m]);
    return study_run(study, "\"%s\",%s,%llu,%zu,%zu,%s,%s,%s,%s,%s,%s,%s,", laws[law].name,
                     deciders[method].name, (unsigned long long)seed, sample->rows, sample->columns,
                     cells[EDGES_DECIDED], cells[FALSE_SHARE], cells[POWER], cells[F1], cells[AUC],
                     cells[PRECISION], cells[SECONDS]);
}

static zf_status run_method(zf_study *study, decision_table *t, const study_sample *sample,
                            int seed, int law, int method)
{
    double *measures = t->runs[seed][law][method], begun = study_clock();
    uint64_t number = study->seed + (uint64_t)seed;
    zf_graph *graph = NULL;
    for (int m = 0; m < MEASURES; m++) measures[m] = NAN;
    ZF_TRY(decider_run(study, &graph, method, sample));
    measures[SECONDS] = study_clock() - begun;
    zf_status status = measure_graph(measures, graph, sample->truth);
    if (law == SETS_LAW) decision_sets(t->sets[seed][method], graph, sample->truth, number);
    zf_graph_free(graph);
    ZF_TRY(status);
    ZF_TRY(write_run(study, measures, sample, law, method, number));
    t->work.done += work_of(law, method);
    return trials_go_on(study, t->work.done, t->work.planned);
}

static zf_status run_law(zf_study *study, decision_table *t, int seed, int law)
{
    study_sample sample = {0};
    zf_generate_options wish = zf_generate_defaults(laws[law].structure);
    zf_decision truth;
    wish.mechanism = laws[law].mechanism;
    wish.rows = rows_of(study, law);
    wish.variables = laws[law].variables;
    wish.edges = laws[law].edges;
    wish.seed = study->seed + (uint64_t)seed;
    wish.threads = study->threads;
    ZF_TRY(sample_generate(&sample, &wish));
    zf_status status = zf_graph_judge(&truth, sample.truth, sample.truth);
    if (status == ZF_OK) t->true_edges[law] += (double)truth.edges / t->seeds;
    for (int method = 0; method < DECIDERS && status == ZF_OK; method++)
        if (seed < t->seeds_of[law][method])
            status = run_method(study, t, &sample, seed, law, method);
    sample_free(&sample);
    return status;
}

static zf_status run_all(zf_study *study, decision_table *t)
{
    t->runs = calloc((size_t)t->seeds, sizeof *t->runs);
    t->sets = calloc((size_t)t->seeds, sizeof *t->sets);
    if (!t->runs || !t->sets) return zf_fail(ZF_ENOMEM, "out of memory");
    for (int law = 0; law < DECISION_LAWS; law++)
        for (int method = 0; method < DECIDERS; method++) {
            int *n = &t->seeds_of[law][method];
            *n = decider_seeds(study, method, t->seeds, rows_of(study, law),
                               (size_t)laws[law].variables);
            t->work.planned += work_of(law, method) * *n;
        }
    t->certificates = decision_plan_certificates(study, &t->work);
    ZF_TRY(study_begin_runs(study, "law,method,seed,rows,columns,edges,false_share,power,f1,auc,"
                                   "average_precision,seconds,p_value"));
    for (int seed = 0; seed < t->seeds; seed++)
        for (int law = 0; law < DECISION_LAWS; law++) ZF_TRY(run_law(study, t, seed, law));
    return decision_certify(study, &t->certificates, &t->work);
}

static void print_average(FILE *out, decision_average average)
{
    fprintf(out, "  %5.3f ± %5.3f", average.mean, average.spread);
}

static void print_law(const zf_study *study, const decision_table *t, int law,
                      const study_page *page)
{
    FILE *out = page->out;
    fprintf(out, "\n%s%s%s, %zu x %d, %.4g true edges\n", page->bold, laws[law].name, page->plain,
            rows_of(study, law), laws[law].variables, t->true_edges[law]);
    fprintf(out, "  %-24s %6s  %-13s  %-13s  %-13s %7s\n", "", "edges", "false", "power", "F1",
            "seconds");
    for (int method = 0; method < DECIDERS; method++) {
        if (t->seeds_of[law][method] == 0) continue;
        fprintf(out, "  %-24s %6.1f", deciders[method].words,
                over_seeds(t, law, method, EDGES_DECIDED).mean);
        for (measure m = FALSE_SHARE; m <= F1; m++)
            print_average(out, over_seeds(t, law, method, m));
        fprintf(out, " %7.2f\n", over_seeds(t, law, method, SECONDS).mean);
    }
}

static void print_sets(const study_page *page, const decision_table *t)
{
    FILE *out = page->out;
    fprintf(out,
            "\n%sBlankets of target sets%s on the first graph, Jaccard index with the true\n"
            "  %-24s %-13s  %-13s  %-13s  %-13s\n",
            page->bold, page->plain, "", "  1 target", "  2", "  3", "  4");
    for (int method = 0; method < DECIDERS; method++) {
        if (t->seeds_of[SETS_LAW][method] == 0) continue;
        fprintf(out, "  %-24s", deciders[method].words);
        for (int size = 0; size < SET_SIZES; size++)
            print_average(out, sets_over_seeds(t, method, size));
        fputc('\n', out);
    }
}

static void print_certificates(const study_page *page, const decision_certificates *c)
{
    FILE *out = page->out;
    fprintf(out,
            "\n%sCertificates%s on Gaussian graphs, 1,000 x 20\n"
            "  true blankets (%d): refused at 0.05 %.3f, at 0.1 %.3f; uniform (Kolmogorov and "
            "Smirnov's p-value) %.3f\n"
            "  without a neighbour of partial correlation 0.2 (%d): refused at 0.05 %.3f\n",
            page->bold, page->plain, c->nulls, c->refused_05, c->refused_10, c->uniform,
            c->alternatives, c->power);
}

static void print(const zf_study *study, const void *found, const study_page *page)
{
    const decision_table *t = found;
    FILE *out = page->out;
    fprintf(out,
            "What is called an edge, %s: mean ± deviation.\n"
            "false: share of these that is false; power: share of the true ones that is found.\n"
            "Without true edges, false is the share of runs that report any edge.\n"
            "Decisions: evidence at a false discovery rate of 0.1, partial correlations (shrunk\n"
            "where rows are few) and each pair by independent at 0.05, the graphical lasso by\n"
            "cross-validation, PC at level 0.05. Each pair by independent, which takes long, is "
            "run\n"
            "on the first two seeds, from --scale 1 on.\n",
            zf_plural((uint64_t)t->seeds, "seed").text);
    for (int law = 0; law < DECISION_LAWS; law++) print_law(study, t, law, page);
    print_sets(page, t);
    print_certificates(page, &t->certificates);
    study_print_files(study, page, "decisions");
}

static json_t *json_average(decision_average average)
{
    if (isnan(average.mean)) return json_null();
    return json_pack("{s:o s:o}", "mean", zf_answer_number(average.mean), "spread",
                     zf_answer_number(average.spread));
}

static json_t *json_cell(const zf_study *study, const decision_table *t, int law, int method)
{
    json_t *cell = json_pack(
        "{s:s s:s s:i s:I s:I s:o}", "law", laws[law].name, "method", deciders[method].name,
        "seeds", t->seeds_of[law][method], "rows", (json_int_t)rows_of(study, law), "columns",
        (json_int_t)laws[law].variables, "true_edges", zf_answer_number(t->true_edges[law]));
    for (int m = 0; m < MEASURES; m++)
        zf_answer_set(cell, measure_names[m], json_average(over_seeds(t, law, method, (measure)m)));
    return cell;
}

static json_t *json_sets(const decision_table *t, int method)
{
    json_t *sizes = json_array();
    for (int size = 0; size < SET_SIZES; size++)
        zf_answer_add(sizes, json_average(sets_over_seeds(t, method, size)));
    return json_pack("{s:s s:o}", "method", deciders[method].name, "jaccard", sizes);
}

static json_t *json(const zf_study *study, const void *found)
{
    const decision_table *t = found;
    json_t *object = study_json(study), *cells = json_array(), *sets = json_array();
    const decision_certificates *c = &t->certificates;
    for (int law = 0; law < DECISION_LAWS; law++)
        for (int method = 0; method < DECIDERS; method++)
            if (t->seeds_of[law][method] > 0)
                zf_answer_add(cells, json_cell(study, t, law, method));
    for (int method = 0; method < DECIDERS; method++)
        if (t->seeds_of[SETS_LAW][method] > 0) zf_answer_add(sets, json_sets(t, method));
    zf_answer_set(object, "seeds", json_integer(t->seeds));
    zf_answer_set(object, "cells", cells);
    zf_answer_set(object, "target_sets", sets);
    zf_answer_set(object, "certificates",
                  json_pack("{s:i s:o s:o s:o s:i s:o}", "true_blankets", c->nulls, "refused_05",
                            zf_answer_number(c->refused_05), "refused_10",
                            zf_answer_number(c->refused_10), "uniform",
                            zf_answer_number(c->uniform), "lacking", c->alternatives, "power",
                            zf_answer_number(c->power)));
    return object;
}

typedef struct decision_points {
    double x[DECIDERS][DECISION_LAWS], y[DECIDERS][DECISION_LAWS];
    zf_series series[DECIDERS];
} decision_points;

static zf_chart chart_of(decision_points *p, const decision_table *t, measure which,
                         const char *label)
{
    static const char *const names[DECISION_LAWS] = {"Gauss",    "linear", "curves",   "curves 2k",
                                                     "products", "spread", "mixture",  "Gauss 100",
                                                     "kinetics", "noise",  "noise 100"};
    int n = 0;
    for (int method = 0; method < DECIDERS; method++) {
        if (t->seeds_of[SETS_LAW][method] == 0) continue;
        for (int law = 0; law < DECISION_LAWS; law++) {
            p->x[method][law] = law + 0.12 * (method - 0.5 * (DECIDERS - 1));
            p->y[method][law] = over_seeds(t, law, method, which).mean;
        }
        zf_series *series = &p->series[n];
        *series = (zf_series){.name = deciders[method].words,
                              .x = p->x[method],
                              .y = p->y[method],
                              .n = DECISION_LAWS,
                              .style = ZF_SERIES_POINTS};
        n++;
    }
    return (zf_chart){.title = label,
                      .x = {.categories = names, .n_categories = DECISION_LAWS},
                      .y = {.label = which == F1 ? "F1" : "share"},
                      .series = p->series,
                      .n_series = n};
}

static zf_status draw(const zf_study *study, const decision_table *t)
{
    char path[PATH_MAX];
    decision_points f1, false_share;
    zf_chart charts[] = {chart_of(&f1, t, F1, "F1 of what is called an edge"),
                         chart_of(&false_share, t, FALSE_SHARE, "Share of it that is false")};
    zf_figure figure = {.title = "Decided graphs",
                        .caption = "Each method at its own standard decision, mean over seeds. The "
                                   "evidence aims at a share of 0.1, tests of partial correlations "
                                   "and of each pair at 0.05.",
                        .columns = 1};
    ZF_TRY(study_path(study, path, "decisions"));
    return zf_plot_charts(path, &figure, charts, 2);
}

static zf_status run(zf_study *study, void *found)
{
    decision_table *t = found;
    t->seeds = (int)fmax(1, floor(SEEDS * fmin(study->scale, 1) + 0.5));
    ZF_TRY(run_all(study, t));
    return draw(study, t);
}

static void release(void *found)
{
    decision_table *t = found;
    free(t->runs);
    free(t->sets);
}

const zf_reproduction reproduce_decisions = {
    .scale = 1,
    .found_size = sizeof(decision_table),
    .run = run,
    .print = print,
    .json = json,
    .release = release,
};
