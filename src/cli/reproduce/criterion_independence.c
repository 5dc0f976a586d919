/* reproduce criterion-independence: level and power of the test of independence given
   1, 5 and 20 variables, on post-nonlinear models; its level where noise is small; and both
   given 30 variables with few rows. Beside it a test of the partial correlation of normal
   scores (Fisher's z) on the same samples. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/post_nonlinear.h"
#include "reproduce/small_noise.h"
#include "reproduce/trials.h"
#include "terminal.h"
#include "text.h"
#include "zeroflow/baseline.h"
#include "zeroflow/independence.h"
#include "zeroflow/plot.h"

enum { ROWS = 1000, DRAWS = 499, NULLS = 400, ALTERNATIVES = 200, DIMENSIONS = 3 };
enum { FEW_ROWS = 300, FEW_GIVEN = 30, FEW_CELLS = 3, GIVEN_MOST = 30 };

static const int dimensions[DIMENSIONS] = {1, 5, 20};
static const int small_dimensions[DIMENSIONS] = {3, 10, 30};
static const relation few_relations[FEW_CELLS] = {RELATION_NONE, RELATION_ONE_INDEX,
                                                  RELATION_COMMON};
static const double LEVEL = 0.05;
static const double COMMON = 0.1, FEW_COMMON = 0.2; /* correlation of the noises */

/* One cell: a relation, a law, a dimension. */
typedef struct cell {
    post_nonlinear model;
    int small; /* with small noise: its law; -1: post-nonlinear */
    int trials;
    double ours, partial; /* share of p-values of at most LEVEL */
    double cannot_tell;   /* share in which our p-value is that small, but not to be believed */
    double uniform;       /* of ours: p-value of Kolmogorov and Smirnov's test */
} cell;

typedef struct table {
    cell cells[RELATIONS][GIVEN_LAWS][DIMENSIONS];
    cell small[SMALL_NOISE_LAWS][DIMENSIONS];
    cell few[GIVEN_LAWS][FEW_CELLS];
    double done, planned;
} table;

static bool is_null(relation r)
{
    return r == RELATION_NONE || r == RELATION_ONE_INDEX;
}

/* A sample of a cell. */
typedef struct sample {
    double *values;
    size_t rows, columns;
} sample;

/* What both tests say of it. */
typedef struct answers {
    double ours, partial; /* p-values */
    bool cannot_tell;
} answers;

/* Fisher's z of the partial correlation of normal scores. */
static cli_exit test_partial(answers *to, const sample *s)
{
    char names[2 + GIVEN_MOST][8];
    const char *letters[2 + GIVEN_MOST];
    zf_graph *graph = NULL;
    zf_baseline_options wish = zf_baseline_defaults(ZF_BASELINE_RANK);
    wish.threads = 1;
    for (size_t j = 0; j < s->columns; j++) {
        snprintf(names[j], sizeof names[j], "v%zu", j);
        letters[j] = names[j];
    }
    CLI_TRY(
        cli_check(zf_baseline_run(&graph, NULL, s->values, s->rows, letters, s->columns, &wish)));
    double r = fmin((double)zf_graph_score(graph, 0, 1), 1 - 1e-12);
    zf_graph_free(graph);
    to->partial = erfc(atanh(r) * sqrt((double)s->rows - (double)s->columns - 1) / sqrt(2));
    return CLI_DONE;
}

static cli_exit test_ours(answers *to, const sample *s, uint64_t seed)
{
    int32_t given[GIVEN_MOST];
    for (int j = 0; j < GIVEN_MOST; j++) given[j] = 2 + j;
    const int32_t x[] = {0}, y[] = {1};
    zf_question question = {x, y, given, 1, 1, s->columns - 2};
    zf_independence_options wish = zf_independence_defaults();
    zf_independence result;
    wish.draws = DRAWS;
    wish.seed = seed;
    wish.threads = 1;
    CLI_TRY(cli_check(
        zf_independence_test(&result, s->values, s->rows, NULL, s->columns, &question, &wish)));
    to->ours = result.p_value;
    to->cannot_tell = result.cannot_tell;
    zf_independence_free(&result);
    return CLI_DONE;
}

static cli_exit draw_sample(sample *s, const cell *c)
{
    const post_nonlinear *m = &c->model;
    *s = (sample){.rows = m->rows, .columns = 2 + (size_t)m->given};
    if (c->small < 0) return post_nonlinear_draw(&s->values, m);
    small_noise model = {.given = m->given, .rows = m->rows, .seed = m->seed, .trial = m->trial};
    model.law = (small_noise_law)c->small;
    return small_noise_draw(&s->values, &model);
}

static const char *law_of(const cell *c)
{
    return c->small < 0 ? given_laws[c->model.law] : small_noise_laws[c->small];
}

static const char *relation_of(const cell *c)
{
    return c->small < 0 ? relations[c->model.relation] : "small-noise";
}

/* About what a trial costs. */
static double cost_of(const cell *c)
{
    return (c->model.given + 1.0) * (double)c->model.rows / ROWS;
}

static cli_exit run_trial(cli_study *study, table *t, const cell *c, answers *to)
{
    sample s;
    const post_nonlinear *m = &c->model;
    CLI_TRY(draw_sample(&s, c));
    cli_exit exit = test_ours(to, &s, m->seed + m->trial);
    if (exit == CLI_DONE) exit = test_partial(to, &s);
    free(s.values);
    CLI_TRY(exit);
    t->done += cost_of(c);
    CLI_TRY(study_run(study, "%s,%s,%zu,%d,%u,%.6g,%d,%.6g", relation_of(c), law_of(c), m->rows,
                      m->given, m->trial, to->ours, to->cannot_tell, to->partial));
    return trials_go_on(study, t->done, t->planned);
}

static cli_exit run_cell(cli_study *study, table *t, cell *c)
{
    double values[NULLS] = {0};
    int ours = 0, theirs = 0, doubted = 0;
    for (int i = 0; i < c->trials; i++) {
        answers said;
        c->model.trial = (uint32_t)i;
        CLI_TRY(run_trial(study, t, c, &said));
        values[i] = said.ours;
        ours += said.ours <= LEVEL && !said.cannot_tell;
        doubted += said.ours <= LEVEL && said.cannot_tell;
        theirs += said.partial <= LEVEL;
    }
    c->ours = (double)ours / c->trials;
    c->cannot_tell = (double)doubted / c->trials;
    c->partial = (double)theirs / c->trials;
    c->uniform = trials_uniformity(values, c->trials);
    return CLI_DONE;
}

static cell cell_of(const cli_study *study, table *t, relation r, given_law law, int given,
                    size_t rows)
{
    cell c = {.small = -1};
    c.model = (post_nonlinear){.relation = r,
                               .law = law,
                               .given = given,
                               .rows = rows,
                               .common = rows == FEW_ROWS ? FEW_COMMON : COMMON,
                               .seed = study->call->seed};
    c.trials = (int)fmax(2, fmin(study->scale, 1) * (is_null(r) ? NULLS : ALTERNATIVES));
    t->planned += c.trials * cost_of(&c);
    return c;
}

static void plan(const cli_study *study, table *t)
{
    for (int r = 0; r < RELATIONS; r++)
        for (int law = 0; law < GIVEN_LAWS; law++)
            for (int d = 0; d < DIMENSIONS; d++)
                t->cells[r][law][d] =
                    cell_of(study, t, (relation)r, (given_law)law, dimensions[d], ROWS);
    for (int law = 0; law < SMALL_NOISE_LAWS; law++)
        for (int d = 0; d < DIMENSIONS; d++) {
            t->small[law][d] =
                cell_of(study, t, RELATION_NONE, GIVEN_GAUSSIAN, small_dimensions[d], ROWS);
            t->small[law][d].small = law;
        }
    for (int law = 0; law < GIVEN_LAWS; law++)
        for (int k = 0; k < FEW_CELLS; k++)
            t->few[law][k] =
                cell_of(study, t, few_relations[k], (given_law)law, FEW_GIVEN, FEW_ROWS);
}

/* Every cell in the order of running and of reports. */
enum { CELLS = (RELATIONS * GIVEN_LAWS + SMALL_NOISE_LAWS) * DIMENSIONS + GIVEN_LAWS * FEW_CELLS };
static cell *cell_at(table *t, int i)
{
    const int main_cells = RELATIONS * GIVEN_LAWS * DIMENSIONS;
    const int small_cells = SMALL_NOISE_LAWS * DIMENSIONS;
    if (i < main_cells) return &t->cells[0][0][0] + i;
    if (i < main_cells + small_cells) return &t->small[0][0] + (i - main_cells);
    return &t->few[0][0] + (i - main_cells - small_cells);
}

static void print_cell(FILE *out, const cell *c)
{
    bool null = is_null(c->model.relation);
    fprintf(out, "  %-12s  %5d      %.3f        %.3f                %.3f", law_of(c),
            c->model.given, c->ours, c->cannot_tell, c->partial);
    if (null && c->small < 0) fprintf(out, "     %.3f", c->uniform);
    fputc('\n', out);
}

static void print_heading(FILE *out, const char *heading, bool uniform)
{
    fprintf(out, "\n%s%s%s\n\n", cli_bold(), heading, cli_plain());
    fprintf(out, "  %-12s  given   zeroflow  cannot tell  partial correlation%s\n", "law",
            uniform ? "   uniform" : "");
}

static void print_block(FILE *out, const table *t, relation r, const char *heading)
{
    print_heading(out, heading, is_null(r));
    for (int law = 0; law < GIVEN_LAWS; law++)
        for (int d = 0; d < DIMENSIONS; d++) print_cell(out, &t->cells[r][law][d]);
}

static void print_small(FILE *out, const table *t)
{
    print_heading(out, "Level, small noise: X and Y strong functions of the same columns of Z",
                  false);
    for (int law = 0; law < SMALL_NOISE_LAWS; law++)
        for (int d = 0; d < DIMENSIONS; d++) print_cell(out, &t->small[law][d]);
}

static void print_few(FILE *out, const table *t)
{
    static const char *const few_headings[FEW_CELLS] = {
        "300 rows, level: two directions", "300 rows, level: one and the same direction",
        "300 rows, power: the noises of X and Y have a correlation of 0.2"};
    for (int k = 0; k < FEW_CELLS; k++) {
        print_heading(out, few_headings[k], is_null(few_relations[k]));
        for (int law = 0; law < GIVEN_LAWS; law++) print_cell(out, &t->few[law][k]);
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
            "Share of p-values of at most %g; those of which the test says that it cannot tell\n"
            "are counted apart. Uniform: Kolmogorov and Smirnov's p-value for ours\n",
            cli_plural(ROWS, "row").text, t->cells[RELATION_NONE][0][0].trials,
            t->cells[RELATION_COMMON][0][0].trials, LEVEL);
    for (int r = 0; r < RELATIONS; r++) print_block(out, t, (relation)r, headings[r]);
    print_small(out, t);
    print_few(out, t);
    study_print_files(study, "criterion-independence");
}

static json_t *cell_json(const cell *c)
{
    bool null = is_null(c->model.relation);
    return json_pack("{s:s s:s s:I s:i s:i s:b s:o s:o s:o s:o}", "relation", relation_of(c), "law",
                     law_of(c), "rows", (json_int_t)c->model.rows, "given", c->model.given,
                     "trials", c->trials, "null", null, "rejected", cli_json_number(c->ours),
                     "cannot_tell", cli_json_number(c->cannot_tell), "rejected_partial",
                     cli_json_number(c->partial), "uniform",
                     cli_json_optional(null ? c->uniform : NAN));
}

static cli_exit print_json(const cli_study *study, table *t)
{
    json_t *object = study_json(study), *cells = json_array();
    int lost = object ? 0 : 1;
    for (int i = 0; i < CELLS; i++) lost |= json_array_append_new(cells, cell_json(cell_at(t, i)));
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
    CLI_TRY(study_begin_runs(study,
                             "relation,law,rows,given,trial,p_value,cannot_tell,p_value_partial"));
    for (int i = 0; i < CELLS; i++) CLI_TRY(run_cell(study, &t, cell_at(&t, i)));
    CLI_TRY(draw(study, &t));
    if (study->call->json) return print_json(study, &t);
    print_text(study, &t);
    return CLI_DONE;
}

const cli_reproduction reproduce_criterion_independence = {.scale = 0.1, .run = run};
