/* reproduce criterion-independence: level and power of the test of independence given
   1, 5 and 20 variables, on post-nonlinear models; its level where noise is small; and both
   given 30 variables with few rows. Beside it a test of the partial correlation of normal
   scores (Fisher's z) on the same samples. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/post_nonlinear.h"
#include "study/small_noise.h"
#include "study/trials.h"
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
static zf_status test_partial(answers *to, const sample *s)
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
    ZF_TRY(zf_baseline_run(&graph, NULL, s->values, s->rows, letters, s->columns, &wish));
    double r = fmin((double)zf_graph_score(graph, 0, 1), 1 - 1e-12);
    zf_graph_free(graph);
    to->partial = erfc(atanh(r) * sqrt((double)s->rows - (double)s->columns - 1) / sqrt(2));
    return ZF_OK;
}

static zf_status test_ours(answers *to, const sample *s, uint64_t seed)
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
    ZF_TRY(zf_independence_test(&result, s->values, s->rows, NULL, s->columns, &question, &wish));
    to->ours = result.p_value;
    to->cannot_tell = result.cannot_tell;
    zf_independence_free(&result);
    return ZF_OK;
}

static zf_status draw_sample(sample *s, const cell *c)
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

static zf_status run_trial(zf_study *study, table *t, const cell *c, answers *to)
{
    sample s;
    const post_nonlinear *m = &c->model;
    ZF_TRY(draw_sample(&s, c));
    zf_status status = test_ours(to, &s, m->seed + m->trial);
    if (status == ZF_OK) status = test_partial(to, &s);
    free(s.values);
    ZF_TRY(status);
    t->done += cost_of(c);
    ZF_TRY(study_run(study, "%s,%s,%zu,%d,%u,%.6g,%d,%.6g", relation_of(c), law_of(c), m->rows,
                     m->given, m->trial, to->ours, to->cannot_tell, to->partial));
    return trials_go_on(study, t->done, t->planned);
}

static zf_status run_cell(zf_study *study, table *t, cell *c)
{
    double values[NULLS] = {0};
    int ours = 0, theirs = 0, doubted = 0;
    for (int i = 0; i < c->trials; i++) {
        answers said;
        c->model.trial = (uint32_t)i;
        ZF_TRY(run_trial(study, t, c, &said));
        values[i] = said.ours;
        ours += said.ours <= LEVEL && !said.cannot_tell;
        doubted += said.ours <= LEVEL && said.cannot_tell;
        theirs += said.partial <= LEVEL;
    }
    c->ours = (double)ours / c->trials;
    c->cannot_tell = (double)doubted / c->trials;
    c->partial = (double)theirs / c->trials;
    c->uniform = trials_uniformity(values, c->trials);
    return ZF_OK;
}

static cell cell_of(const zf_study *study, table *t, relation r, given_law law, int given,
                    size_t rows)
{
    cell c = {.small = -1};
    c.model = (post_nonlinear){.relation = r,
                               .law = law,
                               .given = given,
                               .rows = rows,
                               .common = rows == FEW_ROWS ? FEW_COMMON : COMMON,
                               .seed = study->seed};
    c.trials = (int)fmax(2, fmin(study->scale, 1) * (is_null(r) ? NULLS : ALTERNATIVES));
    t->planned += c.trials * cost_of(&c);
    return c;
}

static void plan(const zf_study *study, table *t)
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

static void print_heading(const study_page *page, const char *heading, bool uniform)
{
    FILE *out = page->out;
    fprintf(out, "\n%s%s%s\n\n", page->bold, heading, page->plain);
    fprintf(out, "  %-12s  given   zeroflow  cannot tell  partial correlation%s\n", "law",
            uniform ? "   uniform" : "");
}

static void print_block(const study_page *page, const table *t, relation r, const char *heading)
{
    print_heading(page, heading, is_null(r));
    for (int law = 0; law < GIVEN_LAWS; law++)
        for (int d = 0; d < DIMENSIONS; d++) print_cell(page->out, &t->cells[r][law][d]);
}

static void print_small(const study_page *page, const table *t)
{
    print_heading(page, "Level, small noise: X and Y strong functions of the same columns of Z",
                  false);
    for (int law = 0; law < SMALL_NOISE_LAWS; law++)
        for (int d = 0; d < DIMENSIONS; d++) print_cell(page->out, &t->small[law][d]);
}

static void print_few(const study_page *page, const table *t)
{
    static const char *const few_headings[FEW_CELLS] = {
        "300 rows, level: two directions", "300 rows, level: one and the same direction",
        "300 rows, power: the noises of X and Y have a correlation of 0.2"};
    for (int k = 0; k < FEW_CELLS; k++) {
        print_heading(page, few_headings[k], is_null(few_relations[k]));
        for (int law = 0; law < GIVEN_LAWS; law++) print_cell(page->out, &t->few[law][k]);
    }
}

static const char *const headings[RELATIONS] = {
    "Level: independent given Z, any shapes, two random directions of Z",
    "Power: the noises of X and Y have something in common",
    "Power: Y acts on X",
    "Power: the square of Y acts on X",
    "Level, hardest: as the first, X and Y follow one and the same direction of Z",
};

static void print(const zf_study *study, const void *found, const study_page *page)
{
    const table *t = found;
    FILE *out = page->out;
    fprintf(out,
            "Independence of X and Y given Z: %s; %d nulls, %d alternatives a cell.\n"
            "Share of p-values of at most %g; those of which the test says that it cannot tell\n"
            "are counted apart. Uniform: Kolmogorov and Smirnov's p-value for ours\n",
            zf_plural(ROWS, "row").text, t->cells[RELATION_NONE][0][0].trials,
            t->cells[RELATION_COMMON][0][0].trials, LEVEL);
    for (int r = 0; r < RELATIONS; r++) print_block(page, t, (relation)r, headings[r]);
    print_small(page, t);
    print_few(page, t);
    study_print_files(study, page, "criterion-independence");
}

static json_t *cell_json(const cell *c)
{
    bool null = is_null(c->model.relation);
    return json_pack("{s:s s:s s:I s:i s:i s:b s:o s:o s:o s:o}", "relation", relation_of(c), "law",
                     law_of(c), "rows", (json_int_t)c->model.rows, "given", c->model.given,
                     "trials", c->trials, "null", null, "rejected", zf_answer_number(c->ours),
                     "cannot_tell", zf_answer_number(c->cannot_tell), "rejected_partial",
                     zf_answer_number(c->partial), "uniform",
                     zf_answer_optional(null ? c->uniform : NAN));
}

static json_t *json(const zf_study *study, const void *found)
{
    const table *t = found;
    json_t *object = study_json(study), *cells = json_array();
    for (int i = 0; i < CELLS; i++) zf_answer_add(cells, cell_json(cell_at((table *)t, i)));
    zf_answer_set(object, "cells", cells);
    return object;
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

static zf_status draw(const zf_study *study, const table *t)
{
    char path[PATH_MAX];
    points p[RELATIONS];
    zf_chart charts[RELATIONS];
    zf_figure figure = {
        .title = "Tests of independence given other variables",
        .caption =
            "Share of samples in which independence is rejected at 0.05, by the distribution and "
            "the number of the given variables.",
        .columns = 1};
    for (int r = 0; r < RELATIONS; r++) charts[r] = chart_of(&p[r], t, (relation)r);
    ZF_TRY(study_path(study, path, "criterion-independence"));
    return zf_plot_charts(path, &figure, charts, RELATIONS);
}

static zf_status run(zf_study *study, void *found)
{
    table *t = found;
    plan(study, t);
    ZF_TRY(study_begin_runs(study,
                            "relation,law,rows,given,trial,p_value,cannot_tell,p_value_partial"));
    for (int i = 0; i < CELLS; i++) ZF_TRY(run_cell(study, t, cell_at(t, i)));
    return draw(study, t);
}

const zf_reproduction reproduce_criterion_independence = {
    .scale = 0.1,
    .found_size = sizeof(table),
    .run = run,
    .print = print,
    .json = json,
};
