/* reproduce criterion-level: how often the tests are wrong where nothing differs, and
   whether their p-values are uniform there. A test is a line of `tests`. */
#include <math.h>
#include <stdlib.h>

#include "study/post_nonlinear.h"
#include "study/trials.h"
#include "study/two_laws.h"
#include "zeroflow/independence.h"
#include "zeroflow/plot.h"

enum { NULLS = 400, PERMUTATIONS = 499, SIZES_MOST = 2, LAWS = 4, TESTS = 4 };

/* Of the network's training: enough for a field that points somewhere. Its null is exact
   whatever the field is. */
enum { ITERATIONS = 100 };

static const double LEVEL = 0.05;

/* p_value of one null data set: a function of law (from 0), rows, seed and trial. */
typedef struct level_test {
    const char *name;
    size_t sizes[SIZES_MOST]; /* rows; 0: none */
    int laws;                 /* the first ones */
    zf_status (*run)(const zf_study *study, int law, size_t rows, uint32_t trial, double *p_value);
} level_test;

static zf_status compare(const zf_study *study, zf_two_sample_method method, int law, size_t rows,
                         uint32_t trial, double *p)
{
    double *values = NULL;
    zf_two_samples samples;
    zf_two_sample_options wish = zf_two_sample_defaults(method);
    zf_two_sample_result result = {0};
    wish.permutations = PERMUTATIONS;
    wish.points = 0;
    wish.iterations = ITERATIONS;
    wish.seed = trial;
    wish.threads = study->threads;
    ZF_TRY(two_laws_draw(&values, &samples, (difference)(NULL_GAUSSIAN + law), 0, rows, study->seed,
                         trial));
    zf_status status = zf_two_sample_test(&result, &samples, &wish);
    *p = result.p_value;
    zf_two_sample_free(&result);
    free(values);
    return status;
}

static zf_status two_sample(const zf_study *study, int law, size_t rows, uint32_t trial, double *p)
{
    return compare(study, ZF_TWO_SAMPLE_FLOW, law, rows, trial, p);
}

static zf_status network(const zf_study *study, int law, size_t rows, uint32_t trial, double *p)
{
    return compare(study, ZF_TWO_SAMPLE_NETWORK, law, rows, trial, p);
}

/* Columns 0 .. n - 1 as x, n .. 2 n - 1 as y, the others given. */
static zf_status ask(const double *values, size_t rows, size_t columns, size_t n, uint32_t trial,
                     double *p)
{
    static const int32_t all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    zf_question question = {all, all + n, all + 2 * n, n, n, columns - 2 * n};
    zf_independence_options wish = zf_independence_defaults();
    zf_independence result = {0};
    wish.draws = PERMUTATIONS;
    wish.seed = trial;
    wish.threads = 1;
    ZF_TRY(zf_independence_test(&result, values, rows, NULL, columns, &question, &wish));
    *p = result.p_value;
    zf_independence_free(&result);
    return ZF_OK;
}

/* Rows of one sample beside those of another: five columns and five. */
static zf_status independent(const zf_study *study, int law, size_t rows, uint32_t trial, double *p)
{
    double *values = NULL;
    zf_two_samples samples;
    ZF_TRY(two_laws_draw(&values, &samples, (difference)(NULL_GAUSSIAN + law), 0, rows, study->seed,
                         trial));
    size_t n = samples.columns;
    double *both = malloc(2 * n * rows * sizeof *both);
    for (size_t i = 0; both && i < rows; i++)
        for (size_t j = 0; j < n; j++) {
            both[i * 2 * n + j] = samples.first[i * n + j];
            both[i * 2 * n + n + j] = samples.second[i * n + j];
        }
    zf_status status =
        both ? ask(both, rows, 2 * n, n, trial, p) : zf_fail(ZF_ENOMEM, "out of memory");
    free(both);
    free(values);
    return status;
}

static zf_status given_five(const zf_study *study, int law, size_t rows, uint32_t trial, double *p)
{
    double *values = NULL;
    post_nonlinear model = {.relation = RELATION_NONE,
                            .law = (given_law)law,
                            .given = 5,
                            .rows = rows,
                            .seed = study->seed,
                            .trial = trial};
    ZF_TRY(post_nonlinear_draw(&values, &model));
    zf_status status = ask(values, rows, 7, 1, trial, p);
    free(values);
    return status;
}

static const level_test tests[TESTS] = {
    {"two-sample", {50, 500}, LAWS, two_sample},
    {"by network", {50}, LAWS, network},
    {"independent", {50, 500}, 3, independent},
    {"given five", {1000}, 3, given_five},
};

typedef struct level_cell {
    double rejected, uniform;
} level_cell;

typedef struct level_table {
    int nulls;
    double done, planned;
    level_cell cells[TESTS][SIZES_MOST][LAWS];
} level_table;

static const char *law_name(int law)
{
    return two_laws_name((difference)(NULL_GAUSSIAN + law));
}

static zf_status run_cell(zf_study *study, level_table *t, int which, int size, int law)
{
    const level_test *test = &tests[which];
    level_cell *cell = &t->cells[which][size][law];
    double *p_values = malloc((size_t)t->nulls * sizeof *p_values);
    if (!p_values) return zf_fail(ZF_ENOMEM, "out of memory");
    zf_status status = ZF_OK;
    for (int i = 0; status == ZF_OK && i < t->nulls; i++) {
        status = test->run(study, law, test->sizes[size], (uint32_t)i, &p_values[i]);
        if (status == ZF_OK)
            status = study_run(study, "%s,%s,%zu,%d,%.6g", test->name, law_name(law),
                               test->sizes[size], i, p_values[i]);
        t->done += (double)test->sizes[size];
        if (status == ZF_OK) status = trials_go_on(study, t->done, t->planned);
        cell->rejected += (double)(p_values[i] <= LEVEL) / t->nulls;
    }
    if (status == ZF_OK) cell->uniform = trials_uniformity(p_values, t->nulls);
    free(p_values);
    return status;
}

static zf_status run_cells(zf_study *study, level_table *t)
{
    for (int which = 0; which < TESTS; which++)
        for (int size = 0; size < SIZES_MOST; size++)
            t->planned += (double)tests[which].sizes[size] * tests[which].laws * t->nulls;
    ZF_TRY(study_begin_runs(study, "test,law,rows,trial,p_value"));
    for (int which = 0; which < TESTS; which++)
        for (int size = 0; size < SIZES_MOST && tests[which].sizes[size] > 0; size++)
            for (int law = 0; law < tests[which].laws; law++)
                ZF_TRY(run_cell(study, t, which, size, law));
    return ZF_OK;
}

static void print(const zf_study *study, const void *found, const study_page *page)
{
    const level_table *t = found;
    FILE *out = page->out;
    fprintf(out,
            "Share of %s in which a difference is found at %g though there is none, and\n"
            "Kolmogorov-Smirnov p-value that the p-values are uniform\n\n",
            zf_plural((uint64_t)t->nulls, "data set").text, LEVEL);
    fprintf(out, "  %s%-12s %-12s %7s %9s %9s%s\n", page->bold, "test", "law", "rows", "rejected",
            "uniform", page->plain);
    for (int which = 0; which < TESTS; which++)
        for (int size = 0; size < SIZES_MOST && tests[which].sizes[size] > 0; size++)
            for (int law = 0; law < tests[which].laws; law++) {
                const level_cell *cell = &t->cells[which][size][law];
                fprintf(out, "  %-12s %-12s %7zu %9.4f %9.3f\n", tests[which].name, law_name(law),
                        tests[which].sizes[size], cell->rejected, cell->uniform);
            }
    study_print_files(study, page, "criterion-level");
}

static json_t *json(const zf_study *study, const void *found)
{
    const level_table *t = found;
    json_t *object = study_json(study), *cells = json_array();
    for (int which = 0; which < TESTS; which++)
        for (int size = 0; size < SIZES_MOST && tests[which].sizes[size] > 0; size++)
            for (int law = 0; law < tests[which].laws; law++) {
                const level_cell *cell = &t->cells[which][size][law];
                zf_answer_add(cells,
                              json_pack("{s:s s:s s:I s:o s:o}", "test", tests[which].name, "law",
                                        law_name(law), "rows", (json_int_t)tests[which].sizes[size],
                                        "rejected", zf_answer_number(cell->rejected), "uniform",
                                        zf_answer_number(cell->uniform)));
            }
    zf_answer_set(object, "nulls", json_integer(t->nulls));
    zf_answer_set(object, "cells", cells);
    return object;
}

/* Rejections by law, a colour a test and size, between the lines that 400 data sets
   keep to. */
static zf_status draw(const zf_study *study, const level_table *t)
{
    enum { SERIES = TESTS * SIZES_MOST };
    static const char *const laws[LAWS] = {"Gaussian", "heavy tails", "mixture", "levels"};
    double x[SERIES][LAWS], y[SERIES][LAWS];
    char names[SERIES][48], path[PATH_MAX];
    zf_series series[SERIES];
    int n = 0;
    for (int which = 0; which < TESTS; which++)
        for (int size = 0; size < SIZES_MOST && tests[which].sizes[size] > 0; size++, n++) {
            snprintf(names[n], sizeof names[n], "%s, %zu rows", tests[which].name,
                     tests[which].sizes[size]);
            for (int law = 0; law < tests[which].laws; law++) {
                x[n][law] = law + 0.1 * (n - 0.5 * (SERIES - 1));
                y[n][law] = t->cells[which][size][law].rejected;
            }
            series[n] = (zf_series){.name = names[n],
                                    .x = x[n],
                                    .y = y[n],
                                    .n = tests[which].laws,
                                    .style = ZF_SERIES_POINTS};
        }
    zf_chart chart = {.x = {.categories = laws, .n_categories = LAWS},
                      .y = {.label = "rejected at 0.05"},
                      .series = series,
                      .n_series = n};
    zf_figure figure = {.title = "Where nothing differs: how often the tests are wrong",
                        .caption = "0.05 is right; of 400 data sets, 0.03 to 0.07 is what chance "
                                   "leaves.",
                        .columns = 1};
    ZF_TRY(study_path(study, path, "criterion-level"));
    return zf_plot_charts(path, &figure, &chart, 1);
}

static zf_status run(zf_study *study, void *found)
{
    level_table *t = found;
    t->nulls = (int)fmax(2, NULLS * study->scale + 0.5);
    ZF_TRY(run_cells(study, t));
    return draw(study, t);
}

const zf_reproduction reproduce_criterion_level = {
    .scale = 1,
    .found_size = sizeof(level_table),
    .run = run,
    .print = print,
    .json = json,
};
