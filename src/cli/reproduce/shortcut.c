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

#include "reproduce/vision_runs.h"
#include "terminal.h"
#include "text.h"
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

static cli_exit look_at(cli_study *study, shortcut *s, shortcut_run *run, zf_vision *model,
                        int method, int mark)
{
    char name[64], path[PATH_MAX];
    vision_features features;
    vision_score scores[2];
    keep_curve(run, model);
    snprintf(name, sizeof name, "%s-%s.csv", zf_vision_method_name(methods[method]),
             mark == CLEAN ? "clean" : "patch");
    CLI_TRY(study_path(study, path, name));
    CLI_TRY(cli_check(zf_vision_history_write(model, path)));
    CLI_TRY(vision_embed(study, &features, model, &s->set, marks[mark]));
    cli_exit exit = vision_probe(study, scores, &features, &s->set, VISION_KNN);
    vision_features_free(&features);
    run->knn = scores[0].knn;
    return exit;
}

static cli_exit train(cli_study *study, shortcut *s, int method, int mark)
{
    shortcut_run *run = &s->runs[method][mark];
    zf_vision *model = NULL;
    zf_pretrain_summary summary;
    zf_pretrain_options wish = vision_wish(study, &s->set, methods[method], marks[mark]);
    CLI_TRY(vision_pretrain(study, &model, &summary, &s->set, &wish));
    cli_exit exit = look_at(study, s, run, model, method, mark);
    zf_vision_free(model);
    if (exit != CLI_DONE) return exit;
    run->seconds = summary.seconds;
    return study_run(study, "%s,%s,%llu,%llu,%.6f,%.4f,%.1f",
                     zf_vision_method_name(methods[method]), vision_marks[marks[mark]],
                     (unsigned long long)study->call->seed, (unsigned long long)wish.iterations,
                     run->last, run->knn, run->seconds);
}

static double ratio(const shortcut *s, int method)
{
    return s->runs[method][MARKED].last / s->runs[method][CLEAN].last;
}

/* --- what is told -------------------------------------------------------------------------- */

static void print_text(const cli_study *study, const shortcut *s)
{
    static const char *const paper[METHODS] = {"\"quickly collapses to small values\"",
                                               "\"remains steady\""};
    FILE *out = study->call->out;
    fputs("Losses with and without a watermark that tells images apart\n", out);
    vision_print_set(out, &s->set);
    fprintf(out, ", %s\n\n", cli_plural(s->iterations, "iteration").text);
    fprintf(out, "  %s%-11s%-25s%-9s%-16s%s%s\n", cli_bold(), "", "loss at the end", "ratio",
            "kNN accuracy", "the paper", cli_plain());
    fprintf(out, "  %s%-11s%-9s%-16s%-9s%-8s%s%s\n", cli_bold(), "method", "clean", "watermark", "",
            "clean", "mark", cli_plain());
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
        cli_count(s->set.test.n).text, cli_count(zf_images_count(s->set.test.images)).text);
    study_print_files(study, "shortcut");
}

static json_t *runs_json(const shortcut *s)
{
    json_t *list = json_array();
    for (int method = 0; method < METHODS; method++)
        for (int mark = 0; mark < MARKS; mark++) {
            const shortcut_run *run = &s->runs[method][mark];
            json_t *curve = json_array();
            for (size_t i = 0; i < run->rows; i++)
                json_array_append_new(curve, json_pack("[o o]", cli_json_number(run->iterations[i]),
                                                       cli_json_number(run->losses[i])));
            json_array_append_new(list, json_pack("{s:s s:s s:o s:o s:o s:o}", "method",
                                                  zf_vision_method_name(methods[method]),
                                                  "watermark", vision_marks[marks[mark]], "loss",
                                                  cli_json_number(run->last), "knn",
                                                  cli_json_optional(run->knn), "seconds",
                                                  cli_json_number(run->seconds), "curve", curve));
        }
    return list;
}

static cli_exit print_json(const cli_study *study, const shortcut *s)
{
    json_t *object = study_json(study), *ratios = json_object();
    for (int method = 0; method < METHODS; method++)
        json_object_set_new(ratios, zf_vision_method_name(methods[method]),
                            cli_json_number(ratio(s, method)));
    json_object_set_new(object, "set", vision_set_json(&s->set));
    json_object_set_new(object, "iterations", json_integer((json_int_t)s->iterations));
    json_object_set_new(object, "ratios", ratios);
    json_object_set_new(object, "runs", runs_json(s));
    return cli_print_json(study->call, object);
}

static cli_exit draw(const cli_study *study, const shortcut *s)
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
    CLI_TRY(study_path(study, path, "shortcut"));
    return cli_check(zf_plot_charts(path, &figure, charts, METHODS));
}

static cli_exit run_all(cli_study *study, shortcut *s)
{
    CLI_TRY(image_set_open(&s->set, study, study->data));
    for (int method = 0; method < METHODS; method++) {
        zf_pretrain_options wish = vision_wish(study, &s->set, methods[method], marks[CLEAN]);
        s->iterations = wish.iterations;
        vision_plan(study, &s->set, &wish, MARKS);
    }
    CLI_TRY(study_begin_runs(study, "method,watermark,seed,iterations,loss,knn,seconds"));
    for (int method = 0; method < METHODS; method++)
        for (int mark = 0; mark < MARKS; mark++) CLI_TRY(train(study, s, method, mark));
    CLI_TRY(draw(study, s));
    if (study->call->json) return print_json(study, s);
    print_text(study, s);
    return CLI_DONE;
}

static cli_exit run(cli_study *study)
{
    shortcut *s = calloc(1, sizeof *s);
    if (!s) return cli_fail(CLI_FAILED, "out of memory");
    cli_exit exit = run_all(study, s);
    image_set_close(&s->set, study, exit);
    free(s);
    return exit;
}

const cli_reproduction reproduce_shortcut = {
    .scale = 0.25,
    .data = IMAGE_SET_HELP,
    .images = true,
    .run = run,
};
