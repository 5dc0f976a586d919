/* Table 2: how much of the classes a linear probe reads off features, and how well the
   images are reconstructed from them, when every image carries a patch that tells it
   apart; and how that differs from clean images. For zero-flow, SimCLR and MAE, and the
   encoder of the first two before training, as the floor.

   A probe is fitted on features of training images and judged on those of test images,
   both marked as in training. The paper's text says that its test images were clean, its
   caption that they were marked; so both are told. Its SimCLR accuracies are exactly those
   of chance, which is why there are three other probes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/reconstructions.h"
#include "study/vision_runs.h"
#include "zeroflow/plot.h"

enum { ROWS = VISION_METHODS + 1, FLOOR = VISION_METHODS, MARKS = 2, CLEAN = 0, MARKED = 1 };
enum {
    MOST_SETS = 8,
    ALL_PROBES = VISION_KNN | VISION_LINEAR | VISION_STANDARDISED | VISION_RIDGE
};

static const zf_watermark marks[MARKS] = {ZF_WATERMARK_NONE, ZF_WATERMARK_PATCH};
static const char *const row_titles[ROWS] = {"zero-flow", "SimCLR", "MAE", "untrained"};
static const char *const row_names[ROWS] = {"zeroflow", "simclr", "mae", "untrained"};

/* The paper's: accuracy in percent and error on marked images, and their changes. */
typedef struct paper_row {
    double accuracy, accuracy_change, mse, mse_change;
} paper_row;
static const struct {
    const char *set;
    paper_row rows[VISION_METHODS];
} paper[] = {
    {"STL-10",
     {{52.21, 2.41, 0.0256, -0.0003},
      {10.00, -60.23, 0.0674, 0.0210},
      {56.14, 0.65, 0.0245, -0.0001}}},
    {"Tiny ImageNet",
     {{16.60, 0.50, 0.0290, 0.0005},
      {0.50, -30.63, 0.0758, 0.0267},
      {18.75, -0.24, 0.0305, -0.0007}}},
    {"ImageNet-1K",
     {{7.01, 0.82, 0.0161, -0.0003}, {0.10, -15.18, 0.0600, 0.0361}, {8.1, -0.2, 0.0177, -0.0025}}},
};

/* What one encoder can do. */
typedef struct table_cell {
    vision_score scores[2]; /* on test images marked as in training, and on clean ones */
    reconstruction_error error;
} table_cell;

typedef struct table_set {
    image_set set;
    const paper_row *paper; /* NULL: not one of its sets */
    table_cell cells[ROWS][MARKS];
} table_set;

typedef struct table2 {
    table_set sets[MOST_SETS];
    int n_sets;
    char *paths; /* the sets' own copy */
} table2;

/* --- the numbers --------------------------------------------------------------------------- */

static zf_status judge(zf_study *study, table_set *t, const zf_vision *model, int row, int mark,
                       const zf_pretrain_summary *summary)
{
    table_cell *cell = &t->cells[row][mark];
    vision_features features;
    ZF_TRY(vision_embed(study, &features, model, &t->set, marks[mark]));
    zf_status status = vision_probe(study, cell->scores, &features, &t->set, ALL_PROBES);
    reconstruction_task task = {.features = &features, .set = &t->set, .watermark = marks[mark]};
    if (status == ZF_OK) status = reconstruct(study, &cell->error, &task);
    vision_features_free(&features);
    if (status != ZF_OK) return status;
    const vision_score *s = cell->scores;
    return study_run(
        study, "\"%s\",%s,%s,%llu,%llu,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.6f,%.6f",
        t->set.name, row_names[row], vision_marks[marks[mark]], (unsigned long long)study->seed,
        (unsigned long long)summary->iterations, s[0].linear.mean, s[0].linear.spread,
        s[0].standardised.mean, s[0].knn, s[0].ridge, s[1].linear.mean, s[1].knn, s[1].ridge,
        cell->error.all, cell->error.rest);
}

static zf_status run_cell(zf_study *study, table_set *t, int row, int mark)
{
    zf_vision *model = NULL;
    zf_pretrain_summary summary = {0};
    zf_vision_method method = row == FLOOR ? ZF_VISION_ZEROFLOW : (zf_vision_method)row;
    zf_pretrain_options wish = vision_wish(study, &t->set, method, marks[mark]);
    if (row == FLOOR)
        ZF_TRY(zf_vision_untrained(&model, t->set.size, &wish));
    else
        ZF_TRY(vision_pretrain(study, &model, &summary, &t->set, &wish));
    zf_status status = judge(study, t, model, row, mark, &summary);
    zf_vision_free(model);
    return status;
}

static double change(const table_set *t, int row)
{
    return t->cells[row][MARKED].scores[0].linear.mean - t->cells[row][CLEAN].scores[0].linear.mean;
}

static double mse_change(const table_set *t, int row)
{
    return t->cells[row][MARKED].error.all - t->cells[row][CLEAN].error.all;
}

/* --- what is told -------------------------------------------------------------------------- */

static void print_main(const study_page *page, const table_set *t)
{
    FILE *out = page->out;
    fprintf(out, "  %s%-12s%-19s%-19s%-20s%s%s\n", page->bold, "", "linear accuracy",
            t->paper ? "the paper" : "", "reconstruction", t->paper ? "the paper" : "",
            page->plain);
    for (int row = 0; row < ROWS; row++) {
        const table_cell *cell = &t->cells[row][MARKED];
        char text[64] = "", error[64] = "";
        if (t->paper && row < VISION_METHODS) {
            const paper_row *p = &t->paper[row];
            snprintf(text, sizeof text, "%.2f %% (%+.2f)", p->accuracy, p->accuracy_change);
            snprintf(error, sizeof error, "%.4f (%+.4f)", p->mse, p->mse_change);
        }
        fprintf(out, "  %-12s%5.2f %% (%+.2f)%*s%-19s%.4f (%+.4f)%s%s\n", row_titles[row],
                100 * cell->scores[0].linear.mean, 100 * change(t, row),
                fabs(100 * change(t, row)) < 9.995 ? 4 : 3, "", text, cell->error.all,
                mse_change(t, row), *error ? "    " : "", error);
    }
}

/* A patch of random pixels can hardly be drawn again, so it adds to the error of all. */
static void print_rest(FILE *out, const table_set *t)
{
    fputs("\n  Error outside of the watermark:", out);
    for (int row = 0; row < ROWS; row++) {
        double marked = t->cells[row][MARKED].error.rest;
        fprintf(out, "%s%s %.4f (%+.4f)",
                row == 0   ? " "
                : row == 2 ? ",\n  "
                           : ", ",
                row_titles[row], marked, marked - t->cells[row][CLEAN].error.rest);
    }
    fputc('\n', out);
}

static void print_probe(FILE *out, double marked, double clean, double clean_test)
{
    fprintf(out, "   %5.2f %5.2f %5.2f", 100 * marked, 100 * clean, 100 * clean_test);
}

static void print_probes(const study_page *page, const table_set *t)
{
    FILE *out = page->out;
    fprintf(out,
            "\n  All probes, in %%: marked images, clean ones, and clean ones by the probe that "
            "saw\n  marked ones\n\n  %s%-12s%-20s%-20s%-20s%s%s\n",
            page->bold, "", "linear", "standardised", "nearest neighbours", "ridge", page->plain);
    for (int row = 0; row < ROWS; row++) {
        const vision_score *a = t->cells[row][MARKED].scores, *b = t->cells[row][CLEAN].scores;
        fprintf(out, "  %-9s", row_titles[row]);
        print_probe(out, a[0].linear.mean, b->linear.mean, a[1].linear.mean);
        print_probe(out, a[0].standardised.mean, b->standardised.mean, a[1].standardised.mean);
        print_probe(out, a[0].knn, b->knn, a[1].knn);
        print_probe(out, a[0].ridge, b->ridge, a[1].ridge);
        fputc('\n', out);
    }
    fprintf(out, "  %-12s%5.2f\n", "chance", 100 / (double)t->set.classes);
}

static void print(const zf_study *study, const void *found, const study_page *page)
{
    const table2 *table = found;
    FILE *out = page->out;
    fputs("What features of watermarked images can do; in brackets the change from clean "
          "images\n",
          out);
    for (int i = 0; i < table->n_sets; i++) {
        const table_set *t = &table->sets[i];
        fputc('\n', out);
        vision_print_set(page, &t->set);
        vision_print_iterations(out, study, &t->set);
        fputs("\n\n", out);
        print_main(page, t);
        print_rest(out, t);
        print_probes(page, t);
        vision_print_probes(out, study, &t->set);
    }
    study_print_files(study, page, "table2");
}

static json_t *cell_json(const table_set *t, int row, int mark)
{
    const table_cell *cell = &t->cells[row][mark];
    json_t *object = json_pack(
        "{s:s s:s s:o s:o s:o s:o}", "method", row_names[row], "watermark",
        vision_marks[marks[mark]], "score", vision_score_json(&cell->scores[0]), "clean_tests",
        vision_score_json(&cell->scores[1]), "mse", zf_answer_number(cell->error.all), "mse_rest",
        zf_answer_number(cell->error.rest));
    if (mark == MARKED && row < VISION_METHODS && t->paper) {
        const paper_row *p = &t->paper[row];
        zf_answer_set(
            object, "paper",
            json_pack("{s:o s:o s:o s:o}", "accuracy", zf_answer_number(p->accuracy / 100),
                      "accuracy_change", zf_answer_number(p->accuracy_change / 100), "mse",
                      zf_answer_number(p->mse), "mse_change", zf_answer_number(p->mse_change)));
    }
    return object;
}

static json_t *json(const zf_study *study, const void *found)
{
    const table2 *table = found;
    json_t *object = study_json(study), *sets = json_array();
    for (int i = 0; i < table->n_sets; i++) {
        const table_set *t = &table->sets[i];
        json_t *set = image_set_json(&t->set), *cells = json_array(), *steps = json_array();
        for (int row = 0; row < ROWS; row++)
            for (int mark = 0; mark < MARKS; mark++) zf_answer_add(cells, cell_json(t, row, mark));
        for (int method = 0; method < VISION_METHODS; method++)
            zf_answer_add(steps, json_integer((json_int_t)vision_iterations(
                                     study, &t->set, (zf_vision_method)method)));
        zf_answer_set(set, "iterations", steps);
        zf_answer_set(set, "cells", cells);
        zf_answer_add(sets, set);
    }
    zf_answer_set(object, "sets", sets);
    return object;
}

/* --- the figure ---------------------------------------------------------------------------- */

/* Bars of one measure of one set: clean and marked, and the paper's on marked images. */
typedef struct table_bars {
    double values[3][ROWS];
    zf_series series[3];
    char title[96];
} table_bars;

static zf_chart chart_of(table_bars *bars, const table_set *t, bool error)
{
    static const char *const names[3] = {"clean", "watermarked", "the paper, watermarked"};
    for (int row = 0; row < ROWS; row++) {
        const paper_row *p = t->paper && row < VISION_METHODS ? &t->paper[row] : NULL;
        for (int mark = 0; mark < MARKS; mark++) {
            const table_cell *cell = &t->cells[row][mark];
            bars->values[mark][row] = error ? cell->error.all : cell->scores[0].linear.mean;
        }
        bars->values[2][row] = !p ? (double)NAN : error ? p->mse : p->accuracy / 100;
    }
    for (int i = 0; i < 3; i++)
        bars->series[i] = (zf_series){.name = names[i],
                                      .y = bars->values[i],
                                      .n = ROWS,
                                      .style = ZF_SERIES_BARS,
                                      .colour = i == 2 ? -1 : i + 1};
    snprintf(bars->title, sizeof bars->title, "%s: %s", t->set.name,
             error ? "error of reconstruction" : "linear probe");
    return (zf_chart){.title = bars->title,
                      .x = {.categories = row_titles, .n_categories = ROWS},
                      .y = {.label = error ? "mean squared error" : "accuracy"},
                      .series = bars->series,
                      .n_series = t->paper ? 3 : 2,
                      .height = 0.7};
}

static zf_status draw(const zf_study *study, const table2 *table)
{
    char path[PATH_MAX];
    table_bars bars[MOST_SETS][2];
    zf_chart charts[2 * MOST_SETS];
    for (int i = 0; i < table->n_sets; i++)
        for (int error = 0; error < 2; error++)
            charts[2 * i + error] = chart_of(&bars[i][error], &table->sets[i], error == 1);
    zf_figure figure = {.title = "Features of watermarked images", .columns = 2};
    ZF_TRY(study_path(study, path, "table2"));
    return zf_plot_charts(path, &figure, charts, 2 * (size_t)table->n_sets);
}

/* --- the study ----------------------------------------------------------------------------- */

static zf_status open_sets(zf_study *study, table2 *table)
{
    table->paths = strdup(study->data);
    if (!table->paths) return zf_fail(ZF_ENOMEM, "out of memory");
    char *rest = NULL;
    for (char *path = strtok_r(table->paths, ",", &rest); path; path = strtok_r(NULL, ",", &rest)) {
        if (table->n_sets == MOST_SETS)
            return zf_fail(ZF_EINVAL, "{data}: more than %d folders", MOST_SETS);
        table_set *t = &table->sets[table->n_sets];
        table->n_sets++;
        ZF_TRY(image_set_open(&t->set, study, path));
        for (size_t i = 0; i < sizeof paper / sizeof *paper; i++)
            if (strcmp(t->set.name, paper[i].set) == 0) t->paper = paper[i].rows;
    }
    if (table->n_sets == 0) return zf_fail(ZF_EINVAL, "{data}: expected a folder");
    return ZF_OK;
}

static zf_status run_all(zf_study *study, table2 *table)
{
    ZF_TRY(open_sets(study, table));
    for (int i = 0; i < table->n_sets; i++) {
        for (int method = 0; method < VISION_METHODS; method++) {
            const image_set *set = &table->sets[i].set;
            zf_pretrain_options wish = vision_wish(study, set, (zf_vision_method)method, marks[0]);
            vision_plan(study, set, &wish, MARKS);
        }
        reconstruct_plan(study, &table->sets[i].set, ROWS * MARKS);
    }
    ZF_TRY(study_begin_runs(
        study, "set,method,watermark,seed,iterations,linear,linear_spread,standardised,knn,ridge,"
               "linear_on_clean,knn_on_clean,ridge_on_clean,mse,mse_rest"));
    for (int i = 0; i < table->n_sets; i++)
        for (int row = 0; row < ROWS; row++)
            for (int mark = 0; mark < MARKS; mark++)
                ZF_TRY(run_cell(study, &table->sets[i], row, mark));
    return draw(study, table);
}

static zf_status run(zf_study *study, void *found)
{
    table2 *table = found;
    zf_status status = run_all(study, table);
    for (int i = 0; i < table->n_sets; i++)
        status = image_set_leave(&table->sets[i].set, study, status);
    return status;
}

static void release(void *found)
{
    table2 *table = found;
    for (int i = 0; i < table->n_sets; i++) image_set_free(&table->sets[i].set);
    free(table->paths);
}

const zf_reproduction reproduce_table2 = {
    .scale = 0.05,
    .data = IMAGE_SET_HELP,
    .images = true,
    .found_size = sizeof(table2),
    .run = run,
    .print = print,
    .json = json,
    .release = release,
};
