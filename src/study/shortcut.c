/* The shortcut: the losses of SimCLR and of zero-flow while they train on images as they
   are, and on images that each carry a random patch of their own. A patch tells images
   apart, which is all that the contrastive loss asks for; the zero-flow criterion asks that
   the code knows whatever two views share.

   Losses are compared by their means over the last tenth of training. How many of the
   nearest neighbours in the code are of the same class is told as well: a loss that falls
   is no fault by itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/vision_runs.h"
#include "zeroflow/plot.h"

enum { METHODS = 2, MARKS = 2, CLEAN = 0, MARKED = 1, MOST_ROWS = 1024 };

static const zf_vision_method methods[METHODS] = {ZF_VISION_SIMCLR, ZF_VISION_ZEROFLOW};
static const zf_watermark marks[MARKS] = {ZF_WATERMARK_NONE, ZF_WATERMARK_PATCH};

/* One training. */
typedef struct shortcut_run {
    double iterations[MOST_ROWS], losses[MOST_ROWS];
    size_t rows;
    double last, knn, seconds;
} shortcut_run;

typedef struct shortcut {
    image_set set;
    uint64_t iterations;
    shortcut_run runs[METHODS][MARKS];
} shortcut;

/* --- trainings ----------------------------------------------------------------------------- */

static size_t column_of(const zf_vision *model, const char *name)
{
    size_t column = 0;
    while (column + 1 < zf_vision_history_columns(model) &&
           strcmp(zf_vision_history_column(model, column), name) != 0)
        column++;
    return column;
}

static void keep_curve(shortcut_run *run, const zf_vision *model)
{
    size_t iteration = column_of(model, "iteration"), loss = column_of(model, "loss");
    run->rows = zf_vision_history_rows(model);
    if (run->rows > MOST_ROWS) run->rows = MOST_ROWS;
    for (size_t i = 0; i < run->rows; i++) {
        run->iterations[i] = zf_vision_history_value(model, i, iteration);
        run->losses[i] = zf_vision_history_value(model, i, loss);
    }
    size_t tail = run->rows / 10 > 0 ? run->rows / 10 : 1;
    run->last = 0;
    for (size_t i = run->rows - tail; i < run->rows; i++)
        run->last += run->losses[i] / (double)tail;
}

static zf_status look_at(zf_study *study, shortcut *s, shortcut_run *run, zf_vision *model,
                         int method, int mark)
{
    char name[64], path[PATH_MAX];
    vision_features features;
    vision_score scores[2];
    keep_curve(run, model);
    snprintf(name, sizeof name, "%s-%s.csv", zf_vision_method_name(methods[method]),
             mark == CLEAN ? "clean" : "patch");
    ZF_TRY(study_path(study, path, name));
    ZF_TRY(zf_vision_history_write(model, path));
    ZF_TRY(vision_embed(study, &features, model, &s->set, marks[mark]));
    zf_status status = vision_probe(study, scores, &features, &s->set, VISION_KNN);
    vision_features_free(&features);
    run->knn = scores[0].knn;
    return status;
}

static zf_status train(zf_study *study, shortcut *s, int method, int mark)
{
    shortcut_run *run = &s->runs[method][mark];
    zf_vision *model = NULL;
    zf_pretrain_summary summary;
    zf_pretrain_options wish = vision_wish(study, &s->set, methods[method], marks[mark]);
    ZF_TRY(vision_pretrain(study, &model, &summary, &s->set, &wish));
    zf_status status = look_at(study, s, run, model, method, mark);
    zf_vision_free(model);
    if (status != ZF_OK) return status;
    run->seconds = summary.seconds;
    return study_run(study, "%s,%s,%llu,%llu,%.6f,%.4f,%.1f",
                     zf_vision_method_name(methods[method]), vision_marks[marks[mark]],
                     (unsigned long long)study->seed, (unsigned long long)wish.iterations,
                     run->last, run->knn, run->seconds);
}

static double ratio(const shortcut *s, int method)
{
    return s->runs[method][MARKED].last / s->runs[method][CLEAN].last;
}

/* --- what is told -------------------------------------------------------------------------- */

static void print(const zf_study *study, const void *found, const study_page *page)
{
    const shortcut *s = found;
    static const char *const paper[METHODS] = {"\"quickly collapses to small values\"",
                                               "\"remains steady\""};
    FILE *out = page->out;
    fputs("Losses with and without a watermark that tells images apart\n", out);
    vision_print_set(page, &s->set);
    fprintf(out, ", %s\n\n", zf_plural(s->iterations, "iteration").text);
    fprintf(out, "  %s%-11s%-25s%-9s%-16s%s%s\n", page->bold, "", "loss at the end", "ratio",
            "kNN accuracy", "the paper", page->plain);
    fprintf(out, "  %s%-11s%-9s%-16s%-9s%-8s%s%s\n", page->bold, "method", "clean", "watermark", "",
            "clean", "mark", page->plain);
    for (int method = 0; method < METHODS; method++) {
        const shortcut_run *run = s->runs[method];
        fprintf(out, "  %-11s%-9.4f%-16.4f%-9.3f%-8.3f%-8.3f%s\n", vision_titles[methods[method]],
                run[CLEAN].last, run[MARKED].last, ratio(s, method), run[CLEAN].knn,
                run[MARKED].knn, paper[method]);
    }
    fprintf(
        out,
        "\nA loss is the mean over the last tenth of training; kNN is the accuracy of 20 "
        "nearest\nneighbours on %s of %s test images. The curves are in simclr-clean.csv and so "
        "on.\n",
        zf_count(s->set.test.n).text, zf_count(zf_images_count(s->set.test.images)).text);
    study_print_files(study, page, "shortcut");
}

static json_t *runs_json(const shortcut *s)
{
    json_t *list = json_array();
    for (int method = 0; method < METHODS; method++)
        for (int mark = 0; mark < MARKS; mark++) {
            const shortcut_run *run = &s->runs[method][mark];
            json_t *curve = json_array();
            for (size_t i = 0; i < run->rows; i++)
                zf_answer_add(curve, json_pack("[o o]", zf_answer_number(run->iterations[i]),
                                               zf_answer_number(run->losses[i])));
            zf_answer_add(list,
                          json_pack("{s:s s:s s:o s:o s:o s:o}", "method",
                                    zf_vision_method_name(methods[method]), "watermark",
                                    vision_marks[marks[mark]], "loss", zf_answer_number(run->last),
                                    "knn", zf_answer_optional(run->knn), "seconds",
                                    zf_answer_number(run->seconds), "curve", curve));
        }
    return list;
}

static json_t *json(const zf_study *study, const void *found)
{
    const shortcut *s = found;
    json_t *object = study_json(study), *ratios = json_object();
    for (int method = 0; method < METHODS; method++)
        zf_answer_set(ratios, zf_vision_method_name(methods[method]),
                      zf_answer_number(ratio(s, method)));
    zf_answer_set(object, "set", image_set_json(&s->set));
    zf_answer_set(object, "iterations", json_integer((json_int_t)s->iterations));
    zf_answer_set(object, "ratios", ratios);
    zf_answer_set(object, "runs", runs_json(s));
    return object;
}

static zf_status draw(const zf_study *study, const shortcut *s)
{
    static const char *const titles[METHODS] = {"SimCLR", "zero-flow"};
    static const char *const names[MARKS] = {"without watermark", "with watermark"};
    char path[PATH_MAX], title[128];
    zf_series series[METHODS][MARKS];
    zf_chart charts[METHODS];
    for (int method = 0; method < METHODS; method++) {
        double most = 0;
        for (int mark = 0; mark < MARKS; mark++) {
            const shortcut_run *run = &s->runs[method][mark];
            series[method][mark] = (zf_series){
                .name = names[mark], .x = run->iterations, .y = run->losses, .n = run->rows};
            for (size_t i = 0; i < run->rows; i++) most = fmax(most, run->losses[i]);
        }
        charts[method] = (zf_chart){.title = titles[method],
                                    .x = {.label = "iteration"},
                                    .y = {.label = "loss", .high = 1.02 * most},
                                    .series = series[method],
                                    .n_series = MARKS,
                                    .height = 0.75};
    }
    snprintf(title, sizeof title, "Training losses on %s", s->set.name);
    zf_figure figure = {.title = title,
                        .columns = METHODS,
                        .caption = "The watermark is a random patch over a ninth of the image, "
                                   "fixed for each image."};
    ZF_TRY(study_path(study, path, "shortcut"));
    return zf_plot_charts(path, &figure, charts, METHODS);
}

static zf_status run_all(zf_study *study, shortcut *s)
{
    ZF_TRY(image_set_open(&s->set, study, study->data));
    for (int method = 0; method < METHODS; method++) {
        zf_pretrain_options wish = vision_wish(study, &s->set, methods[method], marks[CLEAN]);
        s->iterations = wish.iterations;
        vision_plan(study, &s->set, &wish, MARKS);
    }
    ZF_TRY(study_begin_runs(study, "method,watermark,seed,iterations,loss,knn,seconds"));
    for (int method = 0; method < METHODS; method++)
        for (int mark = 0; mark < MARKS; mark++) ZF_TRY(train(study, s, method, mark));
    return draw(study, s);
}

static zf_status run(zf_study *study, void *found)
{
    shortcut *s = found;
    return image_set_leave(&s->set, study, run_all(study, s));
}

static void release(void *found)
{
    shortcut *s = found;
    image_set_free(&s->set);
}

const zf_reproduction reproduce_shortcut = {
    .scale = 0.25,
    .data = IMAGE_SET_HELP,
    .images = true,
    .found_size = sizeof(shortcut),
    .run = run,
    .print = print,
    .json = json,
    .release = release,
};
