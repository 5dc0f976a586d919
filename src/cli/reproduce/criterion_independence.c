/* reproduce criterion-independence: level and power of the test of independence given
   1, 5 and 20 variables, on post-nonlinear models, beside a test of the partial
   correlation of normal scores (Fisher's z) on the same samples. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/post_nonlinear.h"
#include "reproduce/trials.h"
#include "terminal.h"
#include "text.h"
#include "zeroflow/baseline.h"
#include "zeroflow/independence.h"
#include "zeroflow/plot.h"

enum { ROWS = 1000, DRAWS = 499, NULLS = 400, ALTERNATIVES = 200, DIMENSIONS = 3 };

static const int dimensions[DIMENSIONS] = {1, 5, 20};
static const double LEVEL = 0.05;

/* One cell: a relation, a law, a dimension. */
typedef struct cell {
    post_nonlinear model;
    int trials;
    double ours, partial; /* share of p-values of at most LEVEL */
    double uniform;       /* of ours: p-value of Kolmogorov and Smirnov's test */
} cell;

typedef struct table {
    cell cells[RELATIONS][GIVEN_LAWS][DIMENSIONS];
    double done, planned;
} table;

static bool is_null(relation r)
{
    return r == RELATION_NONE || r == RELATION_ONE_INDEX;
}

/* Fisher's z of the partial correlation of normal scores. */
static cli_exit test_partial(double *p, const double *values, size_t columns)
{
    static const char *const letters[] = {"x",   "y",   "z1",  "z2",  "z3",  "z4",  "z5",  "z6",
                                          "z7",  "z8",  "z9",  "z10", "z11", "z12", "z13", "z14",
                                          "z15", "z16", "z17", "z18", "z19", "z20"};
    zf_network *network = NULL;
    zf_baseline_options wish = zf_baseline_defaults(ZF_BASELINE_RANK);
    wish.threads = 1;
    CLI_TRY(cli_check(zf_baseline_run(&network, NULL, values, ROWS, letters, columns, &wish)));
    double r = fmin((double)zf_network_score(network, 0, 1), 1 - 1e-12);
    zf_network_free(network);
    *p = erfc(atanh(r) * sqrt(ROWS - (double)columns - 1) / sqrt(2));
    return CLI_DONE;
}

static cli_exit test_ours(double *p, const double *values, size_t columns, uint64_t seed)
{
    int32_t given[32];
    for (int j = 0; j < 32; j++) given[j] = 2 + j;
    const int32_t x[] = {0}, y[] = {1};
    zf_question question = {x, y, given, 1, 1, columns - 2};
    zf_independence_options wish = zf_independence_defaults();
    zf_independence result;
    wish.draws = DRAWS;
    wish.seed = seed;
    wish.threads = 1;
    CLI_TRY(
        cli_check(zf_independence_test(&result, values, ROWS, NULL, columns, &question, &wish)));
    *p = result.p_value;
    zf_independence_free(&result);
    return CLI_DONE;
}

static cli_exit run_trial(cli_study *study, table *t, const post_nonlinear *model, double *ours,
                          double *partial)
{
    double *values = NULL;
    size_t columns = 2 + (size_t)model->given;
    CLI_TRY(post_nonlinear_draw(&values, model));
    cli_exit exit = test_ours(ours, values, columns, model->seed + model->trial);
    if (exit == CLI_DONE) exit = test_partial(partial, values, columns);
    free(values);
    CLI_TRY(exit);
    t->done += model->given + 1; /* about what it costs */
    CLI_TRY(study_run(study, "%s,%s,%d,%u,%.6g,%.6g", relations[model->relation],
                      given_laws[model->law], model->given, model->trial, *ours, *partial));
    return trials_go_on(study, t->done, t->planned);
}

static cli_exit run_cell(cli_study *study, table *t, cell *c)
{
    double values[NULLS] = {0}, partial;
    int ours = 0, theirs = 0;
    for (int i = 0; i < c->trials; i++) {
        c->model.trial = (uint32_t)i;
        CLI_TRY(run_trial(study, t, &c->model, &values[i], &partial));
        ours += values[i] <= LEVEL;
        theirs += partial <= LEVEL;
    }
    c->ours = (double)ours / c->trials;
    c->partial = (double)theirs / c->trials;
    c->uniform = trials_uniformity(values, c->trials);
    return CLI_DONE;
}

static void plan(const cli_study *study, table *t)
{
    double scale = fmin(study->scale, 1);
    for (int r = 0; r < RELATIONS; r++)
        for (int law = 0; law < GIVEN_LAWS; law++)
            for (int d = 0; d < DIMENSIONS; d++) {
                cell *c = &t->cells[r][law][d];
                c->model = (post_nonlinear){.relation = (relation)r,
                                            .law = (given_law)law,
                                            .given = dimensions[d],
                                            .rows = ROWS,
                                            .seed = study->call->seed};
                c->trials = (int)fmax(2, scale * (is_null((relation)r) ? NULLS : ALTERNATIVES));
                t->planned += c->trials * (dimensions[d] + 1.0);
            }
}

static void print_block(FILE *out, const table *t, relation r, const char *heading)
{
    bool null = is_null(r);
    fprintf(out, "\n%s%s%s\n\n", cli_bold(), heading, cli_plain());
    fprintf(out, "  %-12s  given   zeroflow  partial correlation%s\n", "law of Z",
            null ? "   uniform" : "");
    for (int law = 0; law < GIVEN_LAWS; law++)
        for (int d = 0; d < DIMENSIONS; d++) {
            const cell *c = &t->cells[r][law][d];
            fprintf(out, "  %-12s  %5d      %.3f                %.3f", given_laws[law],
                    dimensions[d], c->ours, c->partial);
            if (null) fprintf(out, "     %.3f", c->uniform);
            fputc('\n', out);
        }
}

static const char *const headings[RELATIONS] = {
    "Level: independent given Z, any shapes, two random directions of Z",
    "Power: the noises of X and Y have something in common",
    "Power: Y acts on X",
    "Power: the square of Y acts on X",
    "Level, hardest: as the first, X and Y follow one and the same direction of Z",
};

static void print_text(const cli_study *study, const table *t)
{
    FILE *out = study->call->out;
    fprintf(out,
            "Independence of X and Y given Z: %s; %d nulls, %d alternatives a cell.\n"
            "Share of p-values of at most %g; uniform: Kolmogorov and Smirnov's p-value for ours\n",
            cli_plural(ROWS, "row").text, t->cells[RELATION_NONE][0][0].trials,
            t->cells[RELATION_COMMON][0][0].trials, LEVEL);
    for (int r = 0; r < RELATIONS; r++) print_block(out, t, (relation)r, headings[r]);
    study_print_files(study, "criterion-independence");
}

static cli_exit print_json(const cli_study *study, const table *t)
{
    json_t *object = study_json(study), *cells = json_array();
    int lost = object ? 0 : 1;
    for (int r = 0; r < RELATIONS; r++)
        for (int law = 0; law < GIVEN_LAWS; law++)
            for (int d = 0; d < DIMENSIONS; d++) {
                const cell *c = &t->cells[r][law][d];
                lost |= json_array_append_new(
                    cells,
                    json_pack("{s:s s:s s:i s:i s:b s:o s:o s:o}", "relation", relations[r], "law",
                              given_laws[law], "given", dimensions[d], "trials", c->trials, "null",
                              is_null((relation)r), "rejected", cli_json_number(c->ours),
                              "rejected_partial", cli_json_number(c->partial), "uniform",
                              cli_json_optional(is_null((relation)r) ? c->uniform : NAN)));
            }
    lost |= json_object_set_new(object, "cells", cells);
    if (!lost) return cli_print_json(study->call, object);
    json_decref(object);
    return cli_fail(CLI_FAILED, "out of memory");
}

/* Both tests' points of one relation; laws side by side, a point a dimension. */
typedef struct points {
    double x[2][GIVEN_LAWS * DIMENSIONS], y[2][GIVEN_LAWS * DIMENSIONS];
    zf_series series[2];
} points;

static zf_chart chart_of(points *p, const table *t, relation r)
{
    static const char *const names[GIVEN_LAWS * DIMENSIONS] = {
        "Gauss 1", "5", "20", "heavy 1", "5", "20", "mixture 1", "5", "20"};
    for (int i = 0; i < GIVEN_LAWS * DIMENSIONS; i++) {
        const cell *c = &t->cells[r][i / DIMENSIONS][i % DIMENSIONS];
        p->x[0][i] = i - 0.1;
        p->x[1][i] = i + 0.1;
        p->y[0][i] = c->ours;
        p->y[1][i] = c->partial;
    }
    for (int s = 0; s < 2; s++)
        p->series[s] = (zf_series){.name = s ? "partial correlation" : "zeroflow",
                                   .x = p->x[s],
                                   .y = p->y[s],
                                   .n = GIVEN_LAWS * DIMENSIONS,
                                   .style = ZF_SERIES_POINTS};
    return (zf_chart){.title = headings[r],
                      .x = {.categories = names, .n_categories = GIVEN_LAWS * DIMENSIONS},
                      .y = {.label = "rejected"},
                      .series = p->series,
                      .n_series = 2};
}

static cli_exit draw(const cli_study *study, const table *t)
{
    char path[PATH_MAX];
    points p[RELATIONS];
    zf_chart charts[RELATIONS];
    zf_figure figure = {.title = "Tests of independence given other variables",
                        .caption = "Share of samples in which independence is rejected at 0.05, by "
                                   "the law and the number of the given variables.",
                        .columns = 1};
    for (int r = 0; r < RELATIONS; r++) charts[r] = chart_of(&p[r], t, (relation)r);
    CLI_TRY(study_path(study, path, "criterion-independence"));
    return cli_check(zf_plot_charts(path, &figure, charts, RELATIONS));
}

static cli_exit run(cli_study *study)
{
    table t = {0};
    plan(study, &t);
    CLI_TRY(study_begin_runs(study, "relation,law,given,trial,p_value,p_value_partial"));
    for (int r = 0; r < RELATIONS; r++)
        for (int law = 0; law < GIVEN_LAWS; law++)
            for (int d = 0; d < DIMENSIONS; d++) CLI_TRY(run_cell(study, &t, &t.cells[r][law][d]));
    CLI_TRY(draw(study, &t));
    if (study->call->json) return print_json(study, &t);
    print_text(study, &t);
    return CLI_DONE;
}

const cli_reproduction reproduce_criterion_independence = {.scale = 0.1, .run = run};
