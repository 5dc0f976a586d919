/* Sufficient reduction on three classic models beside sliced inverse regression.

   Ten standard normal inputs y; u and v are two orthogonal indices of the first four, with
   weights of 1/2; noise of deviation 0.3:

     monotone   x = exp(u) + noise   L = 1
     symmetric  x = u^2 + noise      L = 1
     product    x = u v + noise      L = 2

   Each method is compared, by distance correlation on new rows, with what it could find at
   best: a code with the statistic through which x depends on y, which is what it is
   sufficient for, up to its shape: u, |u| and u v (one number is enough for the product);
   directions with the indices themselves: u, u, and u and v. A direction that is right is
   so given 1 although x depends on it by its size alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/study.h"
#include "zeroflow/plot.h"
#include "zeroflow/reduce.h"

enum { ROWS = 2000, INPUTS = 10, COLUMNS = INPUTS + 1, CASES = 3, METHODS = 3, SLICES = 10 };
enum { SEEDS = 5, SEEDS_MOST = 500, ITERATIONS = 2000, ITERATIONS_LEAST = 10 };
enum { MIDPOINT, ANTISYMMETRY, SLICED }; /* the first two in the order of zf_zero_criterion */

static const double NOISE = 0.3, WEIGHT = 0.35; /* an iteration beside one of MLP gates */

static const char *const methods[METHODS] = {"midpoint", "antisymmetry", "sliced-inverse"};

typedef struct model {
    const char *name, *law;
    int dim;
    double (*mean)(double u, double v);
    double (*statistic)(double u, double v); /* that a code is compared with */
} model;

static double exponential(double u, double v)
{
    (void)v;
    return exp(u);
}

static double square(double u, double v)
{
    (void)v;
    return u * u;
}

static double product(double u, double v)
{
    return u * v;
}

static double first(double u, double v)
{
    (void)v;
    return u;
}

static double size(double u, double v)
{
    (void)v;
    return fabs(u);
}

static const model models[CASES] = {
    {"monotone", "x = exp(u) + noise", 1, exponential, first},
    {"symmetric", "x = u^2 + noise", 1, square, size},
    {"product", "x = u v + noise", 2, product, product},
};

/* Rows of a model, and what is true of them. */
typedef struct sample {
    double values[ROWS * COLUMNS]; /* x, then the inputs */
    double inputs[ROWS * INPUTS];
    double x[ROWS], statistic[ROWS];
    double indices[ROWS * 2];
} sample;

typedef struct experiment {
    int seeds;
    uint64_t iterations;
    sample seen, unseen;
    float given[ROWS * 2]; /* codes of a reduction */
    double codes[ROWS * 2];
    double found[CASES][METHODS][SEEDS_MOST]; /* distance correlation */
} experiment;

/* --- the numbers ----------------------------------------------------------------------- */

static void draw_sample(sample *s, const model *m, uint64_t seed, uint32_t stream)
{
    static double noise[ROWS];
    zf_generate_normals(s->inputs, ROWS * INPUTS, seed, stream);
    zf_generate_normals(noise, ROWS, seed, stream + 1);
    for (size_t i = 0; i < ROWS; i++) {
        const double *y = s->inputs + i * INPUTS;
        double u = 0.5 * ((double)y[0] + (double)y[1] + (double)y[2] + (double)y[3]);
        double v = 0.5 * ((double)y[0] - (double)y[1] + (double)y[2] - (double)y[3]);
        s->x[i] = (m->mean(u, v) + NOISE * (double)noise[i]);
        s->statistic[i] = m->statistic(u, v);
        s->indices[i * (size_t)m->dim] = u;
        if (m->dim > 1) s->indices[i * 2 + 1] = v;
        s->values[i * COLUMNS] = s->x[i];
        memcpy(s->values + i * COLUMNS + 1, y, INPUTS * sizeof *y);
    }
}

static zf_status reduce(zf_study *study, experiment *e, const model *m, int method, uint64_t seed,
                        double *found)
{
    static const char *const names[COLUMNS] = {"x",  "y1", "y2", "y3", "y4", "y5",
                                               "y6", "y7", "y8", "y9", "y10"};
    static const int32_t target = 0;
    zf_reduce_options wish = zf_reduce_defaults();
    wish.targets = &target;
    wish.n_targets = 1;
    wish.dim = m->dim;
    wish.criterion = (zf_zero_criterion)method;
    wish.iterations = e->iterations;
    wish.seed = seed;
    wish.threads = study->threads;
    wish.report = study_begin_fit(study, WEIGHT);
    zf_reduction *reduction = NULL;
    zf_status status = !study_goes_on(study) ? ZF_EINTERRUPT
                                             : zf_reduce_fit(&reduction, NULL, e->seen.values, ROWS,
                                                             names, COLUMNS, &wish);
    status = study_end_fit(study, status, e->iterations);
    if (status == ZF_OK)
        status = zf_reduction_transform(reduction, e->given, e->unseen.inputs, ROWS);
    for (size_t i = 0; i < ROWS * (size_t)m->dim; i++) e->codes[i] = (double)e->given[i];
    if (status == ZF_OK)
        status =
            zf_distance_correlation(found, e->codes, (size_t)m->dim, e->unseen.statistic, 1, ROWS);
    zf_reduction_free(reduction);
    return status;
}

/* Directions need no new rows: ten numbers of 2,000 rows are no learning by heart. */
static zf_status slice(experiment *e, const model *m, double *found)
{
    size_t dim = (size_t)m->dim;
    ZF_TRY(zf_sliced_inverse(e->codes, e->seen.x, e->seen.inputs, ROWS, INPUTS, dim, SLICES));
    return zf_distance_correlation(found, e->codes, dim, e->seen.indices, dim, ROWS);
}

static zf_status run_case(zf_study *study, experiment *e, int which, int repeat)
{
    const model *m = &models[which];
    uint64_t seed = study->seed + (uint64_t)repeat;
    uint32_t stream = 100 + 10 * (uint32_t)which;
    draw_sample(&e->seen, m, seed, stream);
    draw_sample(&e->unseen, m, seed, stream + 2);
    for (int method = 0; method < METHODS; method++) {
        double *found = &e->found[which][method][repeat];
        ZF_TRY(method == SLICED ? slice(e, m, found) : reduce(study, e, m, method, seed, found));
        ZF_TRY(study_run(study, "%s,%s,%d,%llu,%llu,%.6f", m->name, methods[method], m->dim,
                         (unsigned long long)seed,
                         (unsigned long long)(method == SLICED ? 0 : e->iterations), *found));
    }
    return ZF_OK;
}

/* --- what is told ----------------------------------------------------------------------- */

typedef struct average {
    double mean, spread, least;
} average;

static average average_of(const experiment *e, int which, int method)
{
    const double *found = e->found[which][method];
    average a = {.least = INFINITY};
    for (int i = 0; i < e->seeds; i++) {
        a.mean += found[i] / e->seeds;
        a.least = fmin(a.least, found[i]);
    }
    for (int i = 0; i < e->seeds && e->seeds > 1; i++)
        a.spread += (found[i] - a.mean) * (found[i] - a.mean) / (e->seeds - 1);
    a.spread = sqrt(a.spread);
    return a;
}

static void print(const zf_study *study, const void *found, const study_page *page)
{
    const experiment *e = found;
    FILE *out = page->out;
    fprintf(out,
            "Distance correlation with the truth, 1 at best, on new rows; 10 inputs, 2,000 rows,\n"
            "%s, %s: mean (least)\n\n  %s%-11s%-22s%-3s%-17s%-17s%s%s\n",
            zf_plural((uint64_t)e->seeds, "seed").text, zf_plural(e->iterations, "iteration").text,
            page->bold, "model", "", "L", "midpoint", "antisymmetry", "sliced inverse",
            page->plain);
    for (int which = 0; which < CASES; which++) {
        const model *m = &models[which];
        fprintf(out, "  %-11s%-22s%-3d", m->name, m->law, m->dim);
        for (int method = 0; method < METHODS; method++) {
            average a = average_of(e, which, method);
            fprintf(out, "%.3f (%.3f)%s", a.mean, a.least, method == SLICED ? "\n" : "    ");
        }
    }
    fputs("\nA code is compared with u, |u| and u v; a direction with the indices u, u, and u and "
          "v.\n",
          out);
    study_print_files(study, page, "reduction");
}

static json_t *json(const zf_study *study, const void *found)
{
    const experiment *e = found;
    json_t *object = study_json(study), *list = json_array();
    for (int which = 0; which < CASES; which++)
        for (int method = 0; method < METHODS; method++) {
            average a = average_of(e, which, method);
            zf_answer_add(list, json_pack("{s:s s:s s:i s:o s:o s:o}", "model", models[which].name,
                                          "method", methods[method], "dim", models[which].dim,
                                          "distance_correlation", zf_answer_number(a.mean),
                                          "spread", zf_answer_number(a.spread), "least",
                                          zf_answer_number(a.least)));
        }
    zf_answer_set(object, "seeds", json_integer(e->seeds));
    zf_answer_set(object, "iterations", json_integer((json_int_t)e->iterations));
    zf_answer_set(object, "results", list);
    return object;
}

static zf_status draw(const zf_study *study, const experiment *e)
{
    static const char *const names[CASES] = {"monotone", "symmetric", "product"};
    static const char *const titles[METHODS] = {"zero-flow, midpoint", "zero-flow, antisymmetry",
                                                "sliced inverse regression"};
    char path[PATH_MAX];
    double x[METHODS][CASES], y[METHODS][CASES];
    zf_series series[METHODS];
    for (int method = 0; method < METHODS; method++) {
        for (int which = 0; which < CASES; which++) {
            x[method][which] = which + 0.1 * (method - 1);
            y[method][which] = average_of(e, which, method).mean;
        }
        series[method] = (zf_series){.name = titles[method],
                                     .x = x[method],
                                     .y = y[method],
                                     .n = CASES,
                                     .style = ZF_SERIES_POINTS};
    }
    zf_chart chart = {.title = "Distance correlation with the truth, on new rows",
                      .x = {.categories = names, .n_categories = CASES},
                      .y = {.label = "distance correlation"},
                      .series = series,
                      .n_series = METHODS};
    zf_figure figure = {.title = "Sufficient reduction of ten columns", .columns = 1};
    ZF_TRY(study_path(study, path, "reduction"));
    return zf_plot_charts(path, &figure, &chart, 1);
}

static zf_status run(zf_study *study, void *found)
{
    experiment *e = found;
    double seeds = fmin(SEEDS_MOST, fmax(1, floor(SEEDS * study->scale + 0.5)));
    double iterations = SEEDS * (double)ITERATIONS * study->scale / seeds;
    e->seeds = (int)seeds;
    e->iterations = (uint64_t)fmax(ITERATIONS_LEAST, fmin(ITERATIONS, iterations + 0.5));
    study_plan_work(study, WEIGHT, e->iterations, e->seeds * CASES * (METHODS - 1));
    ZF_TRY(study_begin_runs(study, "model,method,dim,seed,iterations,distance_correlation"));
    for (int repeat = 0; repeat < e->seeds; repeat++)
        for (int which = 0; which < CASES; which++) ZF_TRY(run_case(study, e, which, repeat));
    return draw(study, e);
}

const zf_reproduction reproduce_reduction = {
    .scale = 0.4,
    .found_size = sizeof(experiment),
    .run = run,
    .print = print,
    .json = json,
};
